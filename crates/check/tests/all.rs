//! The checker, from outside. One binary, because linking one is faster than linking many.

mod crews;
mod levels;
mod tables;
mod tiles;
