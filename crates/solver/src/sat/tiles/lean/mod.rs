//! Lean: our own encoding of boards, and an engine that asks pattern databases while CaDiCaL searches.

#[cfg(feature = "cadical")]
mod engine;
#[cfg_attr(
    not(feature = "cadical"),
    expect(dead_code, reason = "only CaDiCaL takes clauses while it searches")
)]
mod facts;
mod fixed;
mod formula;
#[cfg(feature = "cadical")]
mod lazy;

#[cfg(feature = "cadical")]
pub(super) use engine::Lean;
#[cfg(feature = "cadical")]
pub(crate) use engine::lower_bound;
pub(crate) use facts::Facts;
pub(super) use fixed::Fixed;
pub(crate) use formula::manhattan;
