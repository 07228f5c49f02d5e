//! Puzzles made at random: what may be asked for, and the record of what was made.

use noyes_puzzle::tiles::Board;
use noyes_solver::Unit;
use noyes_solver::sokoban::{Generated, Wish};

use crate::record::{GeneratedPuzzle, SCHEMA, Subject};

/// A seed that differs from run to run, short enough to type again.
pub fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id()) % 1_000_000_000
}

/// The one of two least optima that does not apply.
pub enum Misplaced {
    Pushes,
    Steps,
}

impl Misplaced {
    /// What is wrong, with the names of the two as the user knows them.
    pub fn in_words(&self, pushes: &str, steps: &str) -> String {
        match self {
            Misplaced::Pushes => format!("{pushes}: it is for one player (expected {steps})"),
            Misplaced::Steps => format!("{steps}: it is for several players (expected {pushes})"),
        }
    }
}

/// The least optimum that was asked for: pushes of one player, steps of several.
pub fn least(
    players: usize,
    min_pushes: Option<u32>,
    min_steps: Option<u32>,
) -> Result<u32, Misplaced> {
    let least = match (players, min_pushes, min_steps) {
        (1, _, Some(_)) => return Err(Misplaced::Steps),
        (1, pushes, None) => pushes,
        (_, Some(_), _) => return Err(Misplaced::Pushes),
        (_, None, steps) => steps,
    };
    Ok(least.unwrap_or(1))
}

/// The record of a board; its distance where it was asked for.
pub fn board(
    board: &Board,
    goal: &Board,
    seed: u64,
    index: u64,
    distance: Option<u32>,
) -> GeneratedPuzzle {
    GeneratedPuzzle {
        schema: SCHEMA,
        subject: Subject::board(board),
        goal: Some(goal.to_string()),
        boxes: None,
        seed,
        index,
        walk: None,
        objective: Unit::Moves.name(),
        cost: distance,
    }
}

/// The record of a level.
pub fn level(wish: &Wish, made: &Generated, seed: u64, index: u64) -> GeneratedPuzzle {
    let unit = if wish.players == 1 {
        Unit::Pushes
    } else {
        Unit::Steps
    };
    GeneratedPuzzle {
        schema: SCHEMA,
        subject: Subject::level(&made.level),
        goal: None,
        boxes: Some(wish.boxes),
        seed,
        index,
        walk: None,
        objective: unit.name(),
        cost: Some(made.optimum),
    }
}
