//! Random puzzles: the wishes for them, and their records.

use std::collections::HashSet;

use noyes_puzzle::sokoban::{Level, normalise};
use noyes_puzzle::tiles::{Board, Generator};
use noyes_solver::sokoban::{GenerateError, Generated, Wish, generate};
use noyes_solver::{Control, Unit};

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

/// The levels of a seed, one after the other. Level `i` has random numbers of its own, so it does not depend on how many levels
/// are made. A level that is a mirror image or rotation of an earlier one is skipped.
pub struct Levels {
    pub wish: Wish,
    pub seed: u64,
    next: u64,
    seen: HashSet<Level>,
}

impl Levels {
    pub fn new(wish: Wish, seed: u64) -> Levels {
        Levels {
            wish,
            seed,
            next: 0,
            seen: HashSet::new(),
        }
    }

    /// The number of levels so far.
    pub fn made(&self) -> usize {
        self.seen.len()
    }

    /// The next level, and its index among those of the seed.
    pub fn draw(&mut self, control: &Control) -> Result<(Generated, u64), GenerateError> {
        loop {
            let index = self.next;
            let made = generate(&self.wish, &mut Generator::new(self.seed, index), control)?;
            self.next += 1;
            if self.seen.insert(normalise(&made.level).titled(None)) {
                return Ok((made, index));
            }
        }
    }
}
