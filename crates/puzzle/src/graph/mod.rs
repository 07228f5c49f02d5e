//! Puzzles on graphs: tiles on the vertices of any finite graph, and one blank.
//!
//! A tile slides along an edge onto the blank vertex. A w×h board is the graph
//! [`Graph::grid`]; Wilson's theorem ([`wilson`]) says which states of the others
//! can be turned into each other. Graphs come from a file ([`parse`]), from a
//! short name such as `torus:4x3` ([`named`]), or from code ([`Graph::new`]).
//!
//! A [`Graph`] is finite, simple and connected, and never changes once built:
//! neighbours lie in one flat array, so that a move costs two loads.

mod blocks;
mod connected;
mod error;
pub mod named;
pub mod parse;
mod simple;
pub mod wilson;

pub use blocks::BlockKind;
pub use connected::{Disconnected, connected};
pub use error::{GraphError, MAX_VERTICES};
pub use parse::{Arrangement, GraphFile, number};
pub use simple::Graph;
pub use wilson::{Block, Classes, classes};
