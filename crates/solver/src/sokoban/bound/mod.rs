//! What pushes cost at least: distances of one box, and the cheapest matching of all boxes and goals.

pub(crate) mod assignment;
pub(super) mod distance;
pub(super) mod matching;
