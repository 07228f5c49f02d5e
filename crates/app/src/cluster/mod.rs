//! Many machines: a queue on a NATS server, workers that take from it, and clients that put work there.
//!
//! [`link`] connects and says what is stored where. [`message`] is what travels. [`worker`] takes items, [`perform`] does
//! the work, [`card`] hands some of it to a graphics card, [`tables`] has pattern databases. A client's items and results are a
//! [`run`]: [`solve`] makes one of many puzzles, [`tree`] one of a single board, whose parts may leave a [`rest`] and are counted in a [`ledger`]. [`jobs`] has those of the service, and
//! [`queue`] and [`status`] show what goes on.

mod card;
pub mod jobs;
mod ledger;
pub mod link;
pub mod message;
mod metrics;
mod perform;
mod queue;
mod rest;
pub mod run;
pub mod solve;
mod state;
pub mod status;
pub mod tables;
mod tree;
pub mod worker;
