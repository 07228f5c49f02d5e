//! The rules, from outside. One binary, because linking one is faster than linking many.

mod boards;
mod bytes;
mod forms;
mod graph_classes;
mod graph_files;
mod levels;
mod slides;
