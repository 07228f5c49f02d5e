//! Heuristics of sliding tiles: lower bounds on the moves left, never too high.

mod linear_conflict;
mod manhattan;
mod max;
mod misplaced;
mod name;
mod walking;

pub use linear_conflict::LinearConflict;
pub use manhattan::{GraphDistance, Manhattan};
pub(crate) use max::MOST_WORDS;
pub use max::{Max, Words};
pub use misplaced::Misplaced;
pub use name::{HeuristicError, HeuristicMember, HeuristicName, SimpleHeuristic};
pub use walking::{Places, Walking};
