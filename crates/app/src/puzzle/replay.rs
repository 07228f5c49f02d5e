//! A plan replayed by the independent checker.

use crate::record::Replayed;

/// How a replay ended.
pub struct Replay {
    pub record: Replayed,
    /// What to print if the plan solves the puzzle, with the end of the line.
    pub valid: String,
}
