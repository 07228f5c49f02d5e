//! `noyes bench`: suites of runs, and reports of them.

mod check;
mod child;
mod ending;
mod host;
mod inside;
mod instances;
mod jobs;
mod judge;
mod merge;
mod old;
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
use crate::terminal::fault::BadInput;
pub use child::end_with_parent;

pub fn run(command: &Bench) -> Result<Exit> {
    let done = match command {
        Bench::List { json } => suites::list(*json),
        Bench::Run(args) => run::run(args),
        Bench::Merge(args) => merge::run(args),
        Bench::Report(args) => report::run(args),
    };
    // A full disk is nothing that the call got wrong: scripts can tell it by the exit code.
    done.map_err(|error| match error.downcast_ref::<BadInput>() {
        Some(bad) if bad.is_no_room() => anyhow::anyhow!("{bad}"),
        _ => error,
    })
}
