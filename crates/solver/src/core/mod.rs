//! The parts of engines that remember states: a store of distinct states, open lists, and one memory limit for both.
//!
//! `blocks` and `numbers` are the two parts of a store: rows that never move, and hash tables of their numbers.
//! `store` puts them together for states of one type, `words` for states of as many words as a level needs. `nodes` is for
//! an engine that forgets states.

pub(crate) mod blocks;
pub(crate) mod memory;
pub(crate) mod nodes;
mod numbers;
pub(crate) mod queue;
pub(crate) mod store;
pub(crate) mod words;
