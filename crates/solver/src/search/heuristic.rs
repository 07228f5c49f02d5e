//! What an engine asks of a heuristic: a lower bound on the cost left, never too high, carried from parent to child.

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

/// No heuristic: the bound 0, known when the program is compiled.
///
/// It turns A* into Dijkstra's algorithm and IDA* into plain iterative
/// deepening. It is a lower bound since no move costs less than nothing.
#[derive(Clone, Copy, Debug)]
pub struct Zero;

impl<S: Space> Heuristic<S> for Zero {
    type Memo = ();

    fn start(&self, _: &S::State) {}

    #[inline]
    fn after(&self, (): (), _: &S::State, _: S::Move) {}

    #[inline]
    fn bound(&self, (): ()) -> u32 {
        0
    }
}
