//! Explanations: which boxes are dead, and why a level has no plan.

pub(super) mod dead;
pub(super) mod unsolvable;
