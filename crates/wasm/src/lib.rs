//! The answers of noyes as WebAssembly: the solver and the checker in a worker of the page, without a service.
//!
//! [`Desk`] answers the questions of the REST service with the same JSON. Only `exports` is WebAssembly: a few functions
//! that pass bytes in and out, so that the build needs cargo and nothing else.

mod certify;
mod desk;
#[cfg(target_family = "wasm")]
mod exports;

pub use desk::{Desk, Reply};
