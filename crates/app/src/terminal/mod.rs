//! The terminal and what is around it: arguments, files and streams in, text and exit codes out, limits and Ctrl-C.

mod canvas;
pub mod colour;
pub mod exit;
pub mod fault;
pub mod film;
pub mod input;
pub mod limits;
mod lines;
pub mod print;
pub mod progress;
pub mod quiet;
mod rows;
pub mod screen;
pub mod tables;
pub mod target;
