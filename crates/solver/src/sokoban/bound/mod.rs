//! Lower bounds on pushes: the distances of a single box, the conflicts of two, and the cheapest matching of all boxes and goals.

pub(super) mod assignment;
pub(super) mod conflicts;
pub(super) mod distance;
pub(super) mod matching;
