//! Sokoban: optimal plans of levels.

mod crew;

pub use crew::fewest_steps;
