//! Pattern databases: exact distances of a few tiles at a time, added up.
//!
//! [`Partition`] says which tiles go together, a [`Table`] holds the distances of
//! one pattern, [`Tables`] builds, keeps and finds them, [`Databases`] is the
//! heuristic. How a table is laid out and built so fast: `words.rs`, `blocks.rs`,
//! `build.rs`.

mod blocks;
mod build;
mod file;
mod heuristic;
mod histogram;
mod partition;
mod plain;
mod symmetry;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod words;

pub use blocks::Counting;
pub use file::FileError;
pub use heuristic::{Databases, Looked};
pub use histogram::Histogram;
pub use partition::{Partition, PartitionError};
pub use symmetry::Symmetry;
pub(crate) use table::Placed;
pub use table::{Key, Table};
pub use tables::{Note, TableError, Tables};
pub use words::MOST_TILES;
