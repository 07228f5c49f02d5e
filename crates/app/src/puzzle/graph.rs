//! Puzzles on graphs: answers described, plans replayed.

use noyes_answer::graph::plan;
pub use noyes_answer::graph::{puzzle, read_plan, record, why_unsolvable};
use noyes_solver::{Answer, GraphPuzzle};

use super::replay::Replay;
use super::tiles::{described, valid};
use crate::record::Notated;

/// An answer in words.
pub fn words(puzzle: &GraphPuzzle, answer: &Answer) -> String {
    described(answer, plan(puzzle, answer), Notated::Vertices)
}

/// Replays a plan on a graph of this name.
pub fn replay(name: &str, puzzle: &GraphPuzzle, plan: &[u16]) -> Replay {
    let record = noyes_answer::graph::replay(name, puzzle, plan);
    Replay {
        valid: valid(&record, plan.len()),
        record,
    }
}
