//! Sliding tiles, on boards and on graphs: their heuristics, tables and the engines that know no other puzzle.

pub mod at_distance;
pub(crate) mod auto;
mod full_table;
pub mod heuristic;
mod human;
mod ida_pdb;
pub mod pdb;

pub use full_table::{Positions, full_table};
pub use human::human;
pub use ida_pdb::Fifteen;
