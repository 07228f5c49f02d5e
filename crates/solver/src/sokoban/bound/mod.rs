//! What pushes cost at least: distances of one box, and the cheapest matching of all boxes and goals.

pub(super) mod assignment;
pub(super) mod distance;
pub(super) mod matching;
