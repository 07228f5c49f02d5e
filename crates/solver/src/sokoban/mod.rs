//! Sokoban: optimal plans by search.

mod any;
mod bidirectional;
mod bound;
mod corral;
mod distance;
mod explain;
mod field;
mod forward;
mod freeze;
mod frozen;
mod half;
mod matching;
mod meet;
mod optimal;
mod packing;
mod plan;
mod setup;
mod symmetry;
mod ties;
mod unsolvable;
mod waiting;

pub use any::{any_plan, first_plan};
pub use explain::{Dead, DeadKind, explain};
pub use optimal::{Objective, fewest_moves, fewest_pushes};
pub use unsolvable::{Reason, why_unsolvable};

#[cfg(test)]
pub(crate) mod tests;
