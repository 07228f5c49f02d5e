//! Encodings: a board and its moves written as clauses, step by step.
//!
//! Time is unrolled: the formula of k steps speaks of k + 1 boards. Whether the goal is reached is asked through one
//! literal for each k, [`Encoding::solved_by`], which is assumed or asserted and forces nothing unless it is. With it
//! the formula has a model if and only if there is a plan of at most k moves, however many more steps are unrolled.
//! So a solver may be kept while the formula grows, and k may be asked in any order.

mod boxes;
mod edixhoven;
mod fixed;
mod lean_moves;
mod moves;
mod pushes;
mod rotated;
mod tamura;
mod transitions;

use noyes_puzzle::tiles::{Board, Direction};

pub use boxes::Push;
pub use edixhoven::{Edixhoven, Size};
pub use fixed::Fixed;
pub use lean_moves::LeanMoves;
pub use moves::Moves;
pub use pushes::Pushes;
pub use rotated::Rotated;
pub use tamura::Tamura;
pub use transitions::Transitions;

use super::cnf::{Lit, Sink};
use super::tiles::name::BoardEncoding;

/// A question: is there a plan of at most k moves?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The most moves.
    pub k: u32,
    /// No plan has fewer moves than this, as far as is known.
    pub least: u32,
}

/// A puzzle as clauses, unrolled over time.
pub trait Encoding {
    /// What plans are made of.
    type Move;

    /// Adds one more step. The first call also adds the start, before any step.
    fn step(&mut self, sink: &mut dyn Sink);

    /// The steps there are.
    fn steps(&self) -> u32;

    /// The literal under which the models are the plans of at most `k` moves; `k` is at most the steps there are.
    fn solved_by(&self, k: u32) -> Lit;

    /// The plan of a model in which `solved_by(k)` holds.
    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Self::Move>;

    /// Literals that say the moves of a plan and the boards between them, for a formula of at least its steps. Every
    /// plan that is worth making must be a model: the tests assume these.
    fn literals(&self, plan: &[Self::Move]) -> Vec<Lit>;

    /// What its variables stand for; those not named only help others.
    fn names(&self) -> Vec<(Lit, String)>;

    /// The size in the words of the document it comes from, if that counts something else than clauses.
    fn size(&self) -> Option<Size> {
        None
    }
}

/// Adds steps until there are this many.
pub fn unroll<M>(encoding: &mut dyn Encoding<Move = M>, steps: u32, sink: &mut dyn Sink) {
    while encoding.steps() < steps {
        encoding.step(sink);
    }
}

/// The encoding of a board and its goal, which have the same size, for this question first or,
/// if it [is for one bound](BoardEncoding::is_for_one_bound), for this one only.
pub fn of(
    encoding: BoardEncoding,
    start: &Board,
    goal: &Board,
    question: Question,
) -> Box<dyn Encoding<Move = Direction>> {
    match encoding {
        BoardEncoding::Edixhoven(extras) => Box::new(Edixhoven::new(start, goal, extras)),
        BoardEncoding::Rotated => Box::new(Rotated::new(start, goal)),
        BoardEncoding::Transitions => Box::new(Transitions::new(start, goal)),
        BoardEncoding::Lean { .. } => Box::new(Fixed::new(start, goal, question)),
    }
}

/// The boards on the way of a plan, the start first.
fn boards(start: &Board, plan: &[Direction]) -> Vec<Board> {
    let mut board = start.clone();
    let mut boards = vec![board.clone()];
    for &direction in plan {
        assert!(board.step(direction), "a plan stays on the board");
        boards.push(board.clone());
    }
    boards
}
