//! Pattern databases: exact distances of a few tiles at a time, added up.
//!
//! [`Partition`] says which tiles go together, a [`Table`] holds the distances of
//! one pattern, [`Tables`] builds, keeps and finds them, [`Databases`] is the
//! heuristic. `words.rs`, `blocks.rs` and `build.rs` explain the layout of a table and
//! how it is built quickly.

mod blocks;
mod build;
mod build_lock;
mod dense;
#[cfg(feature = "files")]
mod file;
#[cfg(not(feature = "files"))]
#[path = "no_file.rs"]
mod file;
mod heuristic;
mod histogram;
mod huge_pages;
mod lookup;
mod partition;
mod plain;
mod shapes;
mod symmetry;
mod table;
mod tables;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use blocks::{Blocks, Counting};
pub use dense::{DenseError, NO_VALUE, dense};
pub use file::FileError;
pub(crate) use heuristic::Looked;
pub use heuristic::{Carried, Databases};
pub use histogram::Histogram;
pub(crate) use huge_pages::advise;
pub(crate) use lookup::{Lookup, Lookups, Sight};
pub(crate) use partition::MOST_LOOKUPS;
pub use partition::{Partition, PartitionError};
pub(crate) use symmetry::Symmetry;
pub(crate) use table::Ground;
pub use table::{Key, Table};
pub use tables::{Note, TableError, Tables};
pub(crate) use tables::{is_locked, lock_within};
pub(crate) use words::MOST_TILES;
