//! Crews: several players who all move at once.
//!
//! `search` is the engine; `joint` has the moves of a step, `bound` the steps that are left at least, `distance` what
//! it stands on, `known` a cache of it; `side` is one of the two searches, and `retrace` finds out who went where.

mod bound;
mod distance;
mod joint;
mod known;
mod retrace;
pub(super) mod search;
mod side;
