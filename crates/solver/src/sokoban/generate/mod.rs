//! Generates levels. `make` makes a level that fits a `wish`: it draws a `room` and pulls boxes off their goals
//! (`pull`).

pub(super) mod make;
mod pull;
mod room;
pub(super) mod wish;
