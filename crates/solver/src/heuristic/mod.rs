//! Heuristics: lower bounds on the cost left, never too high.

mod linear_conflict;
mod manhattan;
mod max;
mod misplaced;
mod walking;
mod zero;

pub use linear_conflict::LinearConflict;
pub use manhattan::{GraphDistance, Manhattan};
pub(crate) use max::MOST_WORDS;
pub use max::{Max, Words};
pub use misplaced::Misplaced;
pub use walking::{Places, Walking};
pub use zero::Zero;

use noyes_puzzle::Space;

/// A lower bound that is carried along: each state's from its parent's.
pub trait Heuristic<S: Space> {
    /// What is handed from parent to child: one number, or one for each table.
    type Memo: Copy;
    /// The memo of a state, from nothing.
    fn start(&self, state: &S::State) -> Self::Memo;
    /// The memo after a move, from the one before it. `state` is the state before the move, so that
    /// a child that is cut off is never made.
    fn after(&self, memo: Self::Memo, state: &S::State, mv: S::Move) -> Self::Memo;
    /// The bound itself. It is 0 on every goal.
    fn bound(&self, memo: Self::Memo) -> u32;
    /// The bytes of its tables, where they grow with the search or may be large; and of those that it should have
    /// but was denied by the memory limit, so that an engine that adds this up ends there.
    fn bytes(&self) -> usize {
        0
    }
}
