//! Sliding tiles, on boards and on graphs: their heuristics, tables and special engines.

pub mod at_distance;
pub(crate) mod auto;
pub(crate) mod board;
pub(crate) mod cache;
mod error;
mod farthest;
mod full_table;
pub(crate) mod gpu;
pub(crate) mod graph;
mod hardest;
pub mod heuristic;
mod human;
mod ida_pdb;
mod large;
mod latest;
mod learned;
mod offer;
pub mod pdb;
pub mod policy;
mod rounds;
mod sharing;
pub(crate) mod slides;
mod subtrees;
pub(crate) mod tree;

pub use cache::TilesCache;
pub use error::TilesError;
pub use full_table::{Positions, full_table};
pub use gpu::{Beamed, Device, DeviceError, Job, Round, SubtreeStates};
#[cfg(feature = "gpu")]
pub use gpu::{Card, Pace};
pub use human::human;
pub use ida_pdb::Fifteen;
pub use offer::offered_card;
pub use sharing::{heuristic_of_parts, missing_tables, parts_of, search_on_card};
pub use subtrees::{
    CheckpointError, Cut, Deepening, ForeignPart, Keep, Opening, Part, PartEnd, Parts, Run,
    Searched,
};
