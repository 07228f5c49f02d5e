//! `noyes bench`: suites of runs, and reports of them.

pub mod args;
mod merge;
mod record;
mod report;
mod results;
mod run;
mod suite;
mod suites;

use anyhow::Result;

use crate::exit::Exit;
use args::Bench;

pub fn run(command: &Bench) -> Result<Exit> {
    match command {
        Bench::List { json } => suites::list(*json),
        Bench::Run(args) => run::run(args),
        Bench::Merge(args) => merge::run(args),
        Bench::Report(args) => report::run(args),
    }
}
