//! A plan replayed by the independent checker: its record, and what is said of one that solves its puzzle.

use crate::record::Replayed;

/// How a replay ended.
pub struct Replay {
    pub record: Replayed,
    /// What is said of a plan that solves the puzzle, with the end of the line.
    pub valid: String,
}
