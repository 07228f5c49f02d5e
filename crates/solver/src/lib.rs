//! Optimal plans for sliding-tile puzzles and Sokoban, and proofs that nothing shorter exists.
//!
//! An [`Ask`] collects what to solve and how and is checked into a [`Request`], a [`Control`] holds limits and the
//! stop flag, and [`solve`] gives an [`Answer`]: a plan that an independent
//! checker has replayed, or at least sound [`Bounds`].
//!
//! ```
//! use noyes_puzzle::tiles::{Goal, Notation, write_plan};
//! use noyes_solver::{Ask, Control, Plan, solve};
//!
//! let request = Ask::board("1 2 3/4 0 6/7 5 8".parse()?, Goal::BlankLast).request()?;
//! let answer = solve(&request, &Control::new())?;
//! if let Some(Plan::Directions(plan)) = &answer.plan {
//!     assert_eq!(write_plan(plan, Notation::Blank), "DR");
//! }
//! # assert!(answer.plan.is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The engines under [`search`] are generic over [`noyes_puzzle::Space`] and can be used on spaces of your own.
//!
//! # Features
//!
//! | feature | default | what it brings | what it needs |
//! |---|---|---|---|
//! | `cadical` | yes | the SAT solver CaDiCaL and the engine behind the encoding `lean` | a C++ compiler |
//! | `files` | yes | tables on disk, and programs as SAT solvers (`cmd:PROGRAM`) | a file system and processes |
//! | `glucose`, `minisat` | no | more SAT solvers | cmake and libclang |
//!
//! Without any of them the crate is Rust only and builds for `wasm32-unknown-unknown`: SAT uses batsat, and tables are
//! built in memory. Threads need no feature: where the system has none, the work is done on the caller's thread. There is
//! no clock there either: `set_clock` sets one.

mod answer;
mod ask;
mod claim;
mod clock;
mod control;
mod core;
mod counts;
mod evaluate;
#[cfg(feature = "files")]
pub mod machine;
mod names;
pub mod prove;
mod puzzle;
mod refusal;
mod request;
pub mod sat;
pub mod search;
pub mod sokoban;
mod solve;
pub mod tiles;

pub use answer::{Answer, HumanStep, Outcome, Plan, Reason, Status, Ties};
pub use ask::Ask;
pub use claim::{Claim, ClaimError};
#[cfg(target_family = "wasm")]
pub use clock::set_clock;
pub use control::{Control, LimitShare, Stop};
pub use counts::{Bounds, Counts, SatCounts};
pub use evaluate::{EvaluateError, evaluate};
pub use names::{DeviceName, Engine, Objective, Unit, UnknownName};
pub use puzzle::{BoardPuzzle, GraphPuzzle, LevelPuzzle, Puzzle, Tiles};
pub use refusal::{AskError, Field, Why};
pub use request::Request;
pub use sat::SatOptions;
pub use solve::{SolveError, Unverified, lower_bound, solve};
pub use tiles::TilesCache;
pub use tiles::at_distance::{AtDistance, DistanceError, walk};
pub use tiles::heuristic::{HeuristicError, HeuristicMember, HeuristicName, SimpleHeuristic};
pub use tiles::pdb::TableError;
pub use tiles::tree::{SearchTree, TreeError, TreeNode, search_tree};
