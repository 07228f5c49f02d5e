//! Dijkstra's algorithm, uniform-cost search: the cheapest state first, whatever moves cost.
//!
//! This is A* without a heuristic: open states lie in buckets by g alone, and
//! once a state comes up no cheaper way to it can exist, as no move costs
//! less than 0. The least g that is open is a lower bound. Where every move
//! costs the same it sees what breadth-first search sees, in four more bytes a
//! state; it is for spaces where moves differ and no heuristic is at hand.
//!
//! Dijkstra: A note on two problems in connexion with graphs. Numerische
//! Mathematik 1, 1959. The buckets are Dial's, see the queue.

use noyes_puzzle::Space;

use super::a_star;
use super::heuristic::Zero;
use crate::answer::Outcome;
use crate::control::Control;

/// Finds an optimal plan by Dijkstra's algorithm, or shows that no plan exists once every state is seen.
pub fn dijkstra<S: Space>(space: &S, control: &Control) -> Outcome<S::Move> {
    a_star(space, &Zero, control)
}
