//! Optimal plans for sliding-tile puzzles and Sokoban, and proofs that nothing shorter exists.
//!
//! A [`Request`] says what to solve and how, a [`Control`] holds limits and the
//! stop flag, and [`solve`] gives an [`Answer`]: a plan that an independent
//! checker has replayed, or at least sound [`Bounds`].
//!
//! ```
//! use noyes_puzzle::tiles::{Goal, Notation, write_plan};
//! use noyes_solver::{Control, Plan, Request, solve};
//!
//! let request = Request::board("1 2 3/4 0 6/7 5 8".parse()?, &Goal::BlankLast)?;
//! let answer = solve(&request, &Control::new())?;
//! let Some(Plan::Directions(plan)) = answer.plan else { unreachable!("a solvable board") };
//! assert_eq!(write_plan(&plan, Notation::Blank), "DR");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The engines under [`search`] are generic over [`noyes_puzzle::Space`] and can be used on spaces of your own.

mod answer;
mod control;
mod core;
mod counts;
mod names;
mod request;
pub mod sat;
pub mod search;
pub mod sokoban;
mod solve;
pub mod tiles;

pub use answer::{Answer, Outcome, Plan, Status, Step};
pub use control::{Control, Stop};
pub use counts::{Bounds, Counts, SatCounts};
pub use names::{Engine, Objective, Unit, UnknownName};
pub use request::{Guide, Heuristic, HeuristicError, Named, Puzzle, Request, RequestError};
pub use sat::SatOptions;
pub use solve::{SolveError, Unverified, lower_bound, solve, why_unsolvable};
pub use tiles::at_distance::{AtDistance, DistanceError, walk};
pub use tiles::pdb::TableError;
