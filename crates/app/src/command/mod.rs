//! The commands, a file for each.

pub mod certify;
pub mod check;
pub mod decode;
pub mod encode;
mod encode_csp;
mod encode_pddl;
pub mod explain;
pub mod generate;
mod generate_levels;
pub mod graph;
pub mod levels;
pub mod pdb;
pub mod play;
pub mod reply;
mod seed;
pub mod shell;
pub mod show;
pub mod solve;
