//! Lower bounds on moves, by potentials, and on pushes: the distances of a single box, the conflicts of two or more, and the cheapest matching of all boxes and goals.

pub(super) mod assignment;
mod choices;
pub(super) mod conflicts;
pub(super) mod distance;
mod duos;
pub(super) mod groups;
pub(super) mod matching;
pub(super) mod penalties;
pub(super) mod potential;
mod program;
