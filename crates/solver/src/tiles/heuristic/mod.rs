//! Heuristics of sliding tiles: lower bounds on the moves left.

mod linear_conflict;
mod manhattan;
mod max;
mod misplaced;
mod name;
mod walking;

pub use linear_conflict::LinearConflict;
pub use manhattan::{GraphDistance, Manhattan};
pub use max::Max;
pub(crate) use max::{MOST_WORDS, SmallMemo};
pub use misplaced::Misplaced;
pub use name::{HeuristicError, HeuristicMember, HeuristicName, SimpleHeuristic};
pub use walking::Walking;
pub(crate) use walking::WalkingMemo;
