//! What keeps a search of sliding tiles from starting.

use super::gpu::DeviceError;
use super::heuristic::HeuristicName;
use super::subtrees::{CheckpointError, ForeignPart};

/// A search of sliding tiles that did not start.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TilesError {
    /// A file cannot be used as a checkpoint.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A search that one machine has to make alone.
    #[error("only IDA* with pattern databases can be searched in parts")]
    Whole,
    /// A part of another tree.
    #[error(transparent)]
    Foreign(#[from] ForeignPart),
    /// A graphics card cannot be used, or was lost.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// Tables that do not fit into memory.
    #[error("{heuristic} needs {} of memory, the limit is {}; {}", gigabytes(*bytes), gigabytes(*limit), advice(fits.as_ref()))]
    Memory {
        /// The heuristic that was asked for.
        heuristic: HeuristicName,
        /// What its tables need, while they are built or once they are.
        bytes: usize,
        /// What they may take.
        limit: usize,
        /// A heuristic whose tables fit.
        fits: Option<HeuristicName>,
    },
}

fn gigabytes(bytes: usize) -> String {
    match bytes as f64 / 1e9 {
        size @ 1.0.. => format!("{size:.1} GB"),
        size => format!("{:.0} MB", 1e3 * size),
    }
}

fn advice(fits: Option<&HeuristicName>) -> String {
    match fits {
        Some(heuristic) => format!("{heuristic} fits"),
        None => "walking needs no tables".into(),
    }
}
