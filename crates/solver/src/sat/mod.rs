//! Plans by satisfiability: a board and a budget of moves as clauses, asked for one budget after the other.
//!
//! [`lean`] is our own: a small formula that is decided forward in time, with the
//! pattern databases told to the solver as it goes.

#![allow(
    clippy::similar_names,
    reason = "time and tile, places and placed: the words of the field"
)]

mod facts;
mod fixed;
mod formula;
mod lazy;
mod lean;

pub use fixed::{Cnf, read_plan, static_cnf};
pub use lean::{Stats, lean};
