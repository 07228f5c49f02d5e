//! Runs as charts, a file for each kind.

mod cactus;
mod drawn;
mod entries;
mod growth;
mod histogram;
mod scatter;

pub use cactus::cactus;
pub use drawn::Drawn;
pub use entries::entries;
pub use growth::growth;
pub use histogram::histogram;
pub use scatter::scatter;
