//! Sokoban: levels, their rules for one player and for several, and plans.

mod level;

pub use level::{Ground, Level, LevelError, MAX_CELLS};
