//! Sokoban: engines for levels with one player and for crews.
//!
//! All engines follow the rules of `noyes_puzzle::sokoban::step`. `noyes_check`
//! replays every plan before anyone sees it.

#[cfg(test)]
mod all_states;
mod bound;
mod crew;
mod explain;
mod field;
mod floor;
mod generate;
mod joint_step;
mod large;
mod prune;
mod ran;
mod search;
mod solve;
#[cfg(test)]
pub(crate) mod test_levels;

pub(crate) use bound::assignment::Assignment;
pub use crew::search::fewest_steps;
pub use explain::dead::{Dead, DeadKind, explain};
pub use explain::unsolvable::{Hopeless, why_unsolvable};
pub(crate) use floor::Floor;
pub use generate::make::generate;
pub use generate::wish::{GenerateError, Generated, Wish};
pub use joint_step::JointStep;
pub use ran::Ran;
pub use search::any::{any_plan, first_plan};
pub use search::bfs::bfs;
pub use search::optimal::{fewest_moves, fewest_pushes};
pub(crate) use solve::{of_steps, solve};
