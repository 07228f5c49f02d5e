//! IDA* with pattern databases on a graphics card.
//!
//! The unit of work is that of the threads of a CPU, a subtree of a limit, so limits have the same counts and checkpoints
//! the same format. `flat.rs` lays out the tables, `piece.rs` the work, `search.cu` is the kernel and `mirror.rs` the same
//! in Rust, which is tested everywhere. `device.rs` is what both do for a limit, `card.rs` does it with the help of
//! `driver.rs`, and `self_test.rs` compares a card with the CPU before it is used. `beam.rs`, `beam.cu`, `card_beam.rs` and
//! `mirror_beam.rs` look for the plan of a limit before it is searched. `build.rs` and `build.cu` build tables.

#[cfg(any(feature = "gpu", test))]
mod beam;
#[cfg(feature = "gpu")]
mod build;
#[cfg(feature = "gpu")]
mod card;
#[cfg(feature = "gpu")]
mod card_beam;
mod device;
#[cfg(feature = "gpu")]
mod driver;
#[cfg(any(feature = "gpu", test))]
mod flat;
#[cfg(test)]
mod mirror;
#[cfg(test)]
mod mirror_beam;
#[cfg(feature = "gpu")]
mod params;
mod piece;
#[cfg(any(feature = "gpu", test))]
mod self_test;
#[cfg(test)]
mod tests;

#[cfg(feature = "gpu")]
pub use build::build;
#[cfg(feature = "gpu")]
pub use card::{Card, Pace};
pub use device::{Beamed, Device, DeviceError, Job, MOST_CELLS, Round, SubtreeStates};
#[cfg(any(feature = "gpu", test))]
pub use flat::Flat;
pub use piece::push;
#[cfg(any(feature = "gpu", test))]
pub use self_test::self_test;
