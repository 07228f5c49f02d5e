//! Proofs that nothing shorter exists, for `noyes-check` to check.

mod certify;
mod rooms;
#[cfg(feature = "cadical")]
mod sat;
mod tiles;

pub use certify::{CertifyError, Prover, certify, default_tables, stuck_boxes, tables_of};
pub use tiles::{MOST_CELLS, ProveError, Refuted, Totals, refute};
