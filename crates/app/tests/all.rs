//! The program, run as a user runs it. One binary, because linking one is faster than linking many.

#[cfg(feature = "bench")]
mod bench;
#[cfg(feature = "bench")]
mod bench_errors;
#[cfg(feature = "bench")]
mod bench_place;
mod certify;
mod checkpoints;
mod cli;
#[cfg(all(feature = "cluster", feature = "serve", feature = "bench"))]
mod cluster;
#[cfg(all(feature = "cluster", feature = "serve", feature = "bench"))]
mod cluster_mistakes;
mod common;
mod csp;
mod encode;
mod errors;
mod explain;
mod files;
mod generate;
mod graph;
mod pdb;
mod pddl;
mod play;
mod readme;
#[cfg(feature = "serve")]
mod records;
#[cfg(feature = "bench")]
mod report;
mod sat;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod serve_certify;
#[cfg(feature = "serve")]
mod serve_clients;
#[cfg(feature = "serve")]
mod serve_http;
#[cfg(feature = "serve")]
mod serve_jobs;
#[cfg(feature = "serve")]
mod serve_token;
mod signature;
#[path = "../../solver/tests/skipped/mod.rs"]
mod skipped;
mod sokoban;
mod sokoban_sat;
mod terminal;
