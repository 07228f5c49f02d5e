//! Boards: answers described, plans replayed.

use noyes_answer::tiles::letters;
pub use noyes_answer::tiles::{read_plan, record};
use noyes_puzzle::tiles::{Board, Direction, Notation};
use noyes_solver::Answer;

use super::human;
use super::replay::Replay;
use super::words::verdict;
use crate::record::{Notated, Replayed};
use crate::terminal::print::counted;

/// An answer in words, with its steps if they are wanted.
pub fn words(board: &Board, answer: &Answer, notation: Notation, with_steps: bool) -> String {
    let mut text = described(
        answer,
        letters(answer, notation),
        Notated::Letters(notation),
    );
    if with_steps {
        text += &human::words(board, answer, notation);
    }
    text
}

/// An answer in words, with its plan as text.
pub fn described(answer: &Answer, plan: Option<String>, notation: Notated) -> String {
    let verdict = verdict(answer);
    match plan {
        Some(plan) => format!("{verdict}\nplan ({notation} notation): {plan}\n"),
        None => format!("{verdict}\n"),
    }
}

/// Replays a plan.
pub fn replay(start: &Board, goal: &Board, plan: &[Direction], notation: Notation) -> Replay {
    let record = noyes_answer::tiles::replay(start, goal, plan, notation);
    Replay {
        valid: valid(&record, plan.len()),
        record,
    }
}

/// What to print about a plan that reaches its goal.
pub fn valid(record: &Replayed, moves: usize) -> String {
    let lead = if moves == 1 { "leads" } else { "lead" };
    format!(
        "valid: {} ({} notation) {lead} from {} to the goal {}\n",
        counted(moves, "move", "moves"),
        record.notation,
        record.subject.puzzle,
        record.goal.as_deref().unwrap_or_default()
    )
}
