//! Sokoban: optimal plans by search.

mod distance;
mod field;
mod forward;
mod freeze;
mod matching;
mod optimal;
mod packing;
mod setup;
mod symmetry;

pub use optimal::{fewest_moves, fewest_pushes};

#[cfg(test)]
pub(crate) mod tests;
