//! Plans by SAT: is there a plan of at most k moves, for one k after the other, until the bounds meet?
//!
//! `ask.rs` is the loop. Its parts can be chosen freely, and each has a folder or file: an encoding (`tiles/`, `level/`), a
//! [`backend`], a [`Schedule`], and what is kept between two questions (`keep/`). [`dimacs`] writes questions to files.

mod ask;
pub mod backend;
pub(crate) mod by_sat;
pub mod cnf;
mod csp;
pub mod dimacs;
pub mod encoding;
mod fit;
mod forms;
mod keep;
mod level;
mod lit;
mod name;
mod options;
mod problem;
pub mod propagate;
mod schedule;
mod tiles;

pub use ask::Solved;
pub use csp::{Posted, Variable};
pub use fit::{Unfit, fit_board, fit_level};
pub use keep::Rest;
pub use level::boxes::Push;
pub use level::make::{by_moves, by_pushes};
pub use level::name::{Blocks, ByMoves, ByPushes, LevelEncoding};
pub use level::solve::solve_level;
pub use name::EncodingName;
pub use options::{KeepName, SatOptions, Share};
pub use problem::Problem;
pub use schedule::Schedule;
pub use tiles::make::of_board;
pub use tiles::name::{BoardEncoding, Extras};
