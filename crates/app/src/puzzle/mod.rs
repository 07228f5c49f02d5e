//! The kinds of puzzles as the program shows them: read, recorded, described in words, replayed, filmed.

pub mod human;
pub mod level;
pub mod tiles;
