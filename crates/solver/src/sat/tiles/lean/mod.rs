//! Lean: our own encoding of boards, and an engine that asks pattern databases while CaDiCaL searches.

mod engine;
mod facts;
mod fixed;
mod formula;
mod lazy;

pub(super) use engine::Lean;
pub(crate) use engine::lower_bound;
pub(crate) use facts::Facts;
pub(super) use fixed::Fixed;
pub(crate) use formula::manhattan;
