//! `noyes bench`: suites of runs, and reports of them.

mod check;
mod child;
#[cfg(feature = "cluster")]
mod elsewhere;
mod ending;
mod host;
mod inside;
mod instances;
pub mod jobs;
mod judge;
mod merge;
mod old;
#[cfg(feature = "cluster")]
pub mod order;
mod outcome;
mod pace;
mod record;
mod report;
mod results;
mod run;
mod suite;
mod suites;
mod words;

use anyhow::Result;

use crate::args::Bench;
use crate::terminal::exit::Exit;
pub use child::end_with_parent;

pub fn run(command: &Bench) -> Result<Exit> {
    match command {
        Bench::List { json } => suites::list(*json),
        Bench::Run(args) => run::run(args),
        Bench::Merge(args) => merge::run(args),
        Bench::Report(args) => report::run(args),
    }
}

/// Reads a suite and drops it, for fuzzing.
pub fn read_suite(text: &str) {
    let _ = suite::Suite::parse("suite", text);
}
