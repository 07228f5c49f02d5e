//! Sliding tiles on a w×h board: the board itself, its goals, its parity and its generator.

mod board;
mod direction;
mod generate;
mod goal;
mod read;
mod solvable;

pub use board::{Board, BoardError, MAX_CELLS};
pub use direction::{Direction, Notation, NotationError, PlanError, parse_plan, write_plan};
pub use generate::{Generator, Walk, random_board, random_walk};
pub use goal::{Goal, GoalError};
pub use read::is_board_text;
pub use solvable::{Unsolvable, solvable};
