//! Iterative-deepening depth-first search: depth-first, again and again, a little deeper each time.
//!
//! This is IDA* without a heuristic, and shares its code: each round follows
//! every path within a limit on the cost, never straight back, and the cheapest
//! path beyond it gives the next limit. So the first goal met is the nearest, each
//! limit that failed is a lower bound, and only the current path is kept. A round
//! sees paths, not states: on 4×4 it grows by a factor of 2.13 with each move,
//! so it is of use up to about 25 moves. It shows what a heuristic is worth.
//!
//! Korf: Depth-first iterative-deepening: an optimal admissible tree search.
//! Artificial Intelligence 27, 1985.

use noyes_puzzle::Space;

use super::heuristic::Zero;
use super::ida_star;
use crate::answer::Outcome;
use crate::control::Control;

/// Finds an optimal plan by iterative deepening. On a space with cycles and no plan it ends only by a limit.
pub fn iddfs<S: Space>(space: &S, control: &Control) -> Outcome<S::Move> {
    ida_star(space, &Zero, control)
}
