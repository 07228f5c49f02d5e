//! Encodings: a board and its moves written as clauses, step by step.
//!
//! Time is unrolled: the formula of k steps speaks of k + 1 boards. Whether the goal is reached is asked through one
//! literal for each k, [`Encoding::solved_by`], which is assumed or asserted and forces nothing unless it is. With it
//! the formula has a model if and only if there is a plan of at most k moves, however many more steps are unrolled.
//! So a solver may be kept while the formula grows, and k may be asked in any order.

use super::cnf::{Lit, Sink};

/// A question: is there a plan of at most k moves?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    /// The most moves.
    pub k: u32,
    /// No plan has fewer moves than this, as far as is known.
    pub least: u32,
}

/// A puzzle as clauses, unrolled over time.
pub trait Encoding: Send + Sync {
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

    /// The size in the words of the paper it comes from, if that counts something else than clauses.
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

/// The size of a formula as the paper counts it that the encoding comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Integers and Booleans.
    pub variables: u64,
    /// Constraints without which there would be other models.
    pub essential: u64,
    /// Constraints that were asked for besides.
    pub additional: u64,
    /// Variables for the Manhattan distance.
    pub manhattan_variables: u64,
    /// Constraints for the Manhattan distance.
    pub manhattan: u64,
}
