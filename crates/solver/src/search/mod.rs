//! Engines: functions that find plans, generic over the space and, where they use one, the heuristic.

mod bfs;
mod human;
mod ida;
mod ida_pdb;
mod store;

pub use bfs::{bfs, layer, layers};
pub use human::human;
pub use ida::ida_star;
pub use ida_pdb::Fifteen;
