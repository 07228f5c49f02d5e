//! What is kept from one question to the next: the solver, or nothing.

mod asked;
mod counter;
mod incremental;
mod restart;

pub use asked::Rest;
pub(crate) use asked::{Asked, Keep, Make, Other};
pub(crate) use incremental::Incremental;
pub(crate) use restart::Restart;
