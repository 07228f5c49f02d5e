//! The rules of sliding-tile puzzles and Sokoban, and nothing else: boards, graphs and levels, their moves, which
//! positions can be reached from which, and random instances.
//!
//! - [`tiles`]: boards of any size, goals, parity, plans, the generator;
//! - [`graph`]: puzzles on any finite graph, after Wilson;
//! - [`sokoban`]: levels for one player or several;
//! - [`pddl`]: boards and levels as tasks for planners, and their plans read back;
//! - [`Space`]: what an engine sees of a puzzle; [`SlideSpace`] is boards and graphs alike.
//!
//! ```
//! use noyes_puzzle::tiles::{Board, Direction, solvable};
//! let mut board: Board = "1 2 3/4 0 6/7 5 8".parse()?;
//! let goal = Board::blank_last(3, 3);
//! assert_eq!(solvable(&board, &goal), Ok(()));
//! assert!(board.step(Direction::Down) && board.step(Direction::Right));
//! assert_eq!(board, goal);
//! # Ok::<(), noyes_puzzle::tiles::BoardError>(())
//! ```

mod duplicates;
pub mod graph;
pub mod pddl;
mod slide;
pub mod sokoban;
mod space;
pub mod tiles;

pub use duplicates::Duplicates;
pub use slide::{Cells, Nibbles, Position, Slide, SlideSpace};
pub use space::{Reverse, Space};
