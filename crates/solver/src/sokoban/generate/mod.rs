//! Levels made to order: `make` makes them, of a `room` and what is pulled in it (`pull`), by a `wish`.

pub(super) mod make;
mod pull;
mod room;
pub(super) mod wish;
