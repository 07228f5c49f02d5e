//! Boards, levels and graphs as the program shows them: read, recorded, described in words, replayed, played.

mod drawn;
pub mod graph;
mod human;
pub mod level;
pub mod level_film;
mod planner;
mod replay;
pub mod tiles;
pub mod tiles_film;
pub mod tree;
pub mod walks;
mod words;

pub use noyes_answer::{Given, made};
pub use planner::note_claim;
pub use replay::Replay;
pub use words::{statistics, verdict};
