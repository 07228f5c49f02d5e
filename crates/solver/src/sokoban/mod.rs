//! Sokoban: engines for levels of one player and for crews.
//!
//! All of them keep to the rules of `noyes_puzzle::sokoban::step`; whatever they
//! find is replayed by `noyes_check` before anyone sees it.

mod any;
pub(crate) mod assignment;
mod bfs;
mod bidirectional;
mod bound;
mod corral;
mod crew;
mod distance;
mod explain;
mod field;
mod forward;
mod freeze;
mod frozen;
mod generate;
mod goal_order;
mod ground;
mod guide;
mod half;
mod matching;
mod meet;
mod optimal;
mod packing;
mod pairs;
mod plan;
mod setup;
mod solve;
mod symmetry;
#[cfg(test)]
pub(crate) mod tests;
mod ties;
mod unsolvable;
mod waiting;

use noyes_puzzle::tiles::Direction;

pub use crate::names::Objective;

pub use any::{any_plan, first_plan};
pub use bfs::bfs;
pub use crew::fewest_steps;
pub use explain::{Dead, DeadKind, explain};
pub use generate::{GenerateError, Generated, Wish, generate};
pub use optimal::{fewest_moves, fewest_pushes};
pub(crate) use solve::{of_steps, solve};
pub use unsolvable::{Hopeless, why_unsolvable};

/// What all players do in a step.
pub type Step = Box<[Option<Direction>]>;
