//! IDA* with pattern databases on boards of up to 30 cells, cut into subtrees that threads share.
//!
//! A limit of IDA* is a tree, and any of its subtrees can be searched by itself: a [`Subtree`] is a start, a few moves and
//! a limit. `frontier.rs` cuts a tree into subtrees, `lanes.rs` searches several of them at once on one thread, so that
//! none waits for memory, `limit.rs` hands them to threads, and `search.rs` goes from limit to limit. `checkpoint.rs` writes down which are
//! done, and `parts.rs` is for other machines. What a node knows about the tables is in `node.rs`, how a table is read in `part.rs` and `places.rs`, and which
//! tables are asked in which order in `catalogue.rs`.

#![allow(
    clippy::inline_always,
    reason = "what is not inlined would not use the instructions that the processor turns out to have"
)]

mod beam;
mod beams;
mod catalogue;
mod checkpoint;
mod frontier;
mod lanes;
mod limit;
mod node;
mod part;
mod parts;
mod places;
mod prefetch;
mod search;
#[cfg(test)]
mod tests;
mod walks;

#[cfg(any(feature = "gpu", test))]
pub(super) use catalogue::{Catalogue, NONE};
pub use checkpoint::{CheckpointError, Keep};
pub(super) use node::Node;
#[cfg(any(feature = "gpu", test))]
pub(super) use part::Part as TablePart;
pub use parts::{Cut, ForeignPart, Opening, Part, PartEnd, Parts};
#[cfg(any(feature = "gpu", test))]
pub(super) use places::MANY;
pub use search::{Deepening, Run, Searched};
#[cfg(any(feature = "gpu", test))]
pub(super) use walks::WalkStep;
pub(crate) use walks::Walks;
