//! Engines: functions that find plans, generic over the space and, where they use one, the heuristic.

mod anytime;
mod astar;
mod bfs;
mod bidirectional;
mod dijkstra;
mod full_table;
mod human;
mod ida;
mod ida_pdb;
mod iddfs;
pub(crate) mod memory;
pub(crate) mod queue;
mod sma;
pub(crate) mod store;

pub use anytime::anytime;
pub use astar::a_star;
pub use bfs::{bfs, layer, layers};
pub use bidirectional::bidirectional;
pub use dijkstra::dijkstra;
pub use full_table::{Positions, full_table};
pub use human::human;
pub use ida::ida_star;
pub use ida_pdb::Fifteen;
pub use iddfs::iddfs;
pub use sma::sma_star;
