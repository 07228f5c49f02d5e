//! What a sceptic reads: plans replayed step by step, and proofs that no cheaper plan exists checked lemma by lemma, by
//! code that shares only the crate of the puzzles with the solver.
//!
//! Every plan is replayed here before anyone sees it (`replay`, `sokoban`). The rules are implemented a second time on
//! purpose, in the plainest possible way: rows, columns and edges, no tables. A certificate is checked by `verify`, which
//! also says where to read on.
//!
//! ```
//! use noyes_check::board_plan;
//! use noyes_puzzle::tiles::{Board, Notation, parse_plan};
//! let start: Board = "1 2 3/4 0 6/7 5 8".parse()?;
//! let goal = Board::blank_last(3, 3);
//! let plan = parse_plan("DR", Notation::Blank)?;
//! assert_eq!(board_plan(&start, &goal, &plan), Ok(2));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod certificate;
mod clauses;
mod exhaustive;
mod export;
mod facts;
pub mod formula;
mod lrat;
mod parity;
mod proof;
mod refusal;
mod replay;
mod sokoban;
mod steps;
mod store;
mod stuck;
mod tables;
mod verdict;
mod verify;
mod verify_level;
mod verify_tiles;

pub use certificate::{Case, Certificate, Counts, LevelCase, TilesCase};
pub use clauses::{Clauses, Lit};
pub use exhaustive::has_plan;
pub use export::export;
pub use facts::Facts;
pub use lrat::{Flaw, Kernel};
pub use parity::unsolvable;
pub use refusal::Refusal;
pub use replay::{Fault, board_after, board_plan, graph_after, graph_plan};
pub use sokoban::{Obstacle, Replayed, WalkFault, sokoban_after, sokoban_plan};
pub use steps::{Step, StepReader, StepWriter};
pub use store::Store;
pub use stuck::{stuck, stuck_while};
pub use tables::{Pattern, Table};
pub use verdict::Verdict;
pub use verify::verify;
pub use verify_level::LevelFormula;
pub use verify_tiles::patterns;
