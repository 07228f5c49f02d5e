//! Boards by SAT: their encodings, and the engine lean.

mod boards;
pub(super) mod edixhoven;
pub(crate) mod lean;
pub(super) mod make;
pub(super) mod name;
mod rotated;
pub(super) mod solve;
mod transitions;
