//! Lower bounds on pushes: the distances of a single box, and the cheapest matching of all boxes and goals.

pub(super) mod assignment;
pub(super) mod distance;
pub(super) mod matching;
