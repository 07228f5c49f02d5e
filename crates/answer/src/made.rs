//! Random puzzles: the wishes for them, and their records.

use noyes_puzzle::tiles::Board;
use noyes_solver::Unit;
use noyes_solver::sokoban::{Generated, Wish};

use crate::record::{GeneratedPuzzle, SCHEMA, Subject};

/// A random seed that is short enough to type.
pub fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id()) % 1_000_000_000
}

/// The minimum that does not fit the number of players.
pub enum Misplaced {
    Pushes,
    Steps,
}

impl Misplaced {
    /// What is wrong, with the user's names of the two minima.
    pub fn in_words(&self, pushes: &str, steps: &str) -> String {
        match self {
            Misplaced::Pushes => format!("{pushes}: only for one player (expected {steps})"),
            Misplaced::Steps => format!("{steps}: only for several players (expected {pushes})"),
        }
    }
}

/// The smallest wanted optimum: pushes of one player, steps of several.
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

/// The record of a board, with its distance if that is known.
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
