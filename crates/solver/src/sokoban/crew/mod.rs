//! Crews: several players who all move at once.
//!
//! `search` is the engine. `joint` lists the joint moves of a step. `bound` gives a lower bound on the steps left; it
//! builds on `distance`, and `known` caches it. `side` is one of the two searches. `retrace` works out who went where.

mod bound;
mod distance;
mod joint;
mod known;
mod retrace;
pub(super) mod search;
mod side;
