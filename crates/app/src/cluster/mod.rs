//! Many machines: a queue on a NATS server, workers that take from it, and clients that put work there.
//!
//! [`link`] connects and says what is stored where. [`message`] is what travels. [`worker`] takes items, [`perform`] does
//! the work. A client's items and results are a [`run`]: [`solve`] makes one of many puzzles, [`tree`] one of a single
//! board. [`status`] shows what goes on.

mod link;
mod message;
mod metrics;
mod perform;
mod run;
pub mod solve;
pub mod status;
mod tree;
pub mod worker;
