//! Engines: functions that find plans, generic over the space and, where they use one, the heuristic.

mod anytime;
mod astar;
mod beam;
mod bfs;
mod bidirectional;
mod dijkstra;
mod heuristic;
mod ida;
mod iddfs;
mod sma;

pub use anytime::anytime;
pub use astar::{Fate, a_star};
pub(crate) use astar::{Trace, a_star_traced};
pub(crate) use beam::{Beam, Guide, Layer};
pub use bfs::{bfs, layer, layers};
pub use bidirectional::bidirectional;
pub use dijkstra::dijkstra;
pub use heuristic::{Heuristic, Zero};
pub use ida::ida_star;
pub use iddfs::iddfs;
pub use sma::sma_star;
