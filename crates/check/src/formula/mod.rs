//! Reference formulas: each puzzle as clauses, written from its rules alone.

mod floor;
mod pushes;
mod tiles;
mod walks;

pub use pushes::{Moment, Pushes, least_pushes};
pub use tiles::{Meaning, Tiles, manhattan};
pub use walks::Walks;

/// The most literals that a formula may have, and so the most variables.
const MOST_LITERALS: usize = 1 << 26;
