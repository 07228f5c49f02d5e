//! Boards: plans read, answers recorded, plans replayed.

use noyes_check::{board_after, board_plan};
use noyes_puzzle::pddl;
use noyes_puzzle::tiles::{Board, Direction, Notation, parse_plan, write_plan};
use noyes_solver::{Answer, Plan, Unit};

use crate::record::{Answered, Notated, Replayed, Subject};

/// The moves of a plan, given as letters or as a planner's plan.
pub fn read_plan(text: &str, board: &Board, notation: Notation) -> Result<Vec<Direction>, String> {
    if pddl::is_plan(text) {
        return pddl::board_plan(board, text).map_err(|e| e.to_string());
    }
    parse_plan(text, notation).map_err(|e| e.to_string())
}

/// The record of an answer.
pub fn record(board: &Board, answer: &Answer, notation: Notation) -> Answered {
    let plan = letters(answer, notation);
    Answered::new(
        Subject::board(board),
        answer,
        plan,
        Notated::Letters(notation),
    )
}

/// The plan of an answer.
pub fn letters(answer: &Answer, notation: Notation) -> Option<String> {
    let plan = answer.plan.as_ref().and_then(Plan::directions)?;
    Some(write_plan(plan, notation))
}

/// Replays a plan.
pub fn replay(start: &Board, goal: &Board, plan: &[Direction], notation: Notation) -> Replayed {
    let reached = board_after(start, plan).ok();
    let done = board_plan(start, goal, plan);
    let letters = write_plan(plan, notation);
    Replayed {
        goal: Some(goal.to_string()),
        legal: reached.is_some(),
        solved: done.is_ok(),
        cost: reached.as_ref().map(|_| plan.len() as u32),
        reached: reached.map(|board| board.to_string()),
        error: done.err().map(|fault| fault.to_string()),
        ..Replayed::new(
            Subject::board(start),
            letters,
            notation.to_string(),
            Unit::Moves,
        )
    }
}
