//! Constraint problems over bounded integers, and their translation into clauses.

mod formula;
mod order;
mod problem;

pub(crate) use formula::{Formula, Name, Var};
pub(crate) use problem::Csp;
pub use problem::{Posted, Variable};
