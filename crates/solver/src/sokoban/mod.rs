//! Sokoban: optimal plans of levels, and levels whose optimum is known.

mod crew;
mod generate;
mod ground;

pub use crew::fewest_steps;
pub use generate::{GenerateError, Generated, Wish, generate};
