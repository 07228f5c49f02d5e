//! The checker, from outside. One binary, because linking one is faster than linking many.

mod crews;
mod levels;
mod program;
mod tables;
mod tiles;
