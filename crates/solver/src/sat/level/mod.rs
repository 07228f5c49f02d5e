//! Levels by SAT.

pub mod name;
pub mod solve;
