//! Boards by SAT.

pub mod name;
