//! No heuristic: the bound 0, known when the program is compiled.
//!
//! What turns A* into Dijkstra's algorithm and IDA* into plain iterative
//! deepening. It is a lower bound since no move costs less than nothing.

use noyes_puzzle::Space;

use super::Heuristic;

/// The bound 0.
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
