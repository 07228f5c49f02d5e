//! What is kept from one question to the next: a solver, or nothing.

mod asked;
mod incremental;
mod restart;

pub use asked::Rest;
pub(crate) use asked::{Asked, Keep, Make, Other};
pub(crate) use incremental::Incremental;
pub(crate) use restart::Restart;
