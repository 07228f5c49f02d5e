//! Questions about puzzles as JSON, and their answers as JSON: what the REST service and the static site share.
//!
//! The bodies and records are in [`record`]. A body is read ([`body`]), becomes a request of the solver ([`wish`],
//! [`hint`], [`make`], [`certify`]), and is answered with a record, or refused with a [`Fault`]. Nothing here knows about networks,
//! terminals, files or threads: the service brings these, and the static site does without.
//!
//! This library exists for the program `noyes` and for its page. To solve puzzles from Rust, use the crate `noyes-solver`.
#![allow(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "the program and its page are the only users"
)]

pub mod ask;
pub mod body;
pub mod certify;
mod fault;
mod given;
pub mod graph;
pub mod hint;
pub mod level;
pub mod levels;
pub mod limits;
pub mod made;
pub mod make;
mod memory;
pub mod record;
pub mod replay;
pub mod sent;
mod shorten;
pub mod tiles;
pub mod wish;

pub use fault::Fault;
pub use given::Given;
pub use memory::Memory;
pub use shorten::shorten;
