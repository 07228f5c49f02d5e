//! A run of a benchmark as a worker gets it.
//!
//! A run is a command that can be typed, and the worker checks that it is one that only solves a puzzle: no files are named,
//! no programs started. The worker runs it as the benchmark does, in a process of its own within its limits, and the line
//! that comes back has the worker's machine and build in it.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use clap::Parser;
use noyes_puzzle::tiles::is_board_text;
use serde::{Deserialize, Serialize};

use super::child;
use super::host;
use super::jobs::{Job, Limits};
use super::outcome::Common;
use super::record::Host;
use super::suite::{Form, Process};
use super::words;
use crate::args::{Cli, Command, Pdb, Solve};
use crate::terminal::input::is_level;

/// A run, with what its worker has to know.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Order {
    pub suite: String,
    pub form: Form,
    pub process: Process,
    /// Commands that build tables, before the first run.
    pub prepare: Vec<String>,
    pub job: Job,
}

/// Makes the run of an order; an error says why not.
pub fn perform(order: &serde_json::Value) -> Result<serde_json::Value, String> {
    let order: Order = serde_json::from_value(order.clone()).map_err(|error| error.to_string())?;
    match parsed(&order.job.words)? {
        Command::Solve(args) if is_harmless(&args) => {}
        _ => return Err(
            "workers run only noyes solve with a puzzle in the command, without files and programs"
                .into(),
        ),
    }
    for command in &order.prepare {
        prepare(command)?;
    }
    let common = Common {
        suite: order.suite,
        form: order.form,
        process: order.process,
        version: host::version().map_err(|error| error.to_string())?,
        host: Host::here(),
    };
    let run = common.run(&order.job).map_err(|error| error.to_string())?;
    let run = run.ok_or("interrupted")?;
    serde_json::to_value(run).map_err(|error| error.to_string())
}

fn parsed(words: &[String]) -> Result<Command, String> {
    let words = std::iter::once("noyes").chain(words.iter().map(String::as_str));
    let cli = Cli::try_parse_from(words).map_err(|error| error.to_string())?;
    Ok(cli.command)
}

/// Whether a command does nothing but solve a puzzle that is written in it.
fn is_harmless(args: &Solve) -> bool {
    let is_inline = |puzzle: &String| is_board_text(puzzle) || is_level(puzzle);
    args.puzzles.iter().all(is_inline)
        && args.certify.is_none()
        && args.checkpoint.is_none()
        && args.search.pdb_dir.is_none()
        && args.nats.nats.is_none()
        && !matches!(&args.sat.backend, Some(backend) if backend.to_string().starts_with("cmd:"))
}

/// Builds the tables of a suite, once for each worker.
fn prepare(command: &str) -> Result<(), String> {
    static DONE: Mutex<Option<HashSet<String>>> = Mutex::new(None);
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    let done = done.get_or_insert_default();
    if done.contains(command) {
        return Ok(());
    }
    let words = words::split(command)?;
    if !matches!(
        parsed(&words)?,
        Command::Pdb(Pdb::Build { folder: None, .. })
    ) {
        return Err(format!(
            "workers prepare runs by noyes pdb build only, not by {command}"
        ));
    }
    let no_limits = Limits {
        time_s: f64::INFINITY,
        memory_bytes: u64::MAX,
    };
    let ended = child::run(&words, no_limits, false).map_err(|error| error.to_string())?;
    if !ended.status.success() {
        return Err(format!("noyes {command}: {}", ended.err.trim()));
    }
    done.insert(command.into());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_puzzles_are_run() {
        let harmless = |line: &str| match parsed(&words::split(line).unwrap()) {
            Ok(Command::Solve(args)) => is_harmless(&args),
            _ => false,
        };
        assert!(harmless("solve '1 2 3/4 0 6/7 5 8' --engine sat"));
        assert!(harmless("solve '5#|#@$.#|5#' --time-limit 3s --json"));
        for line in [
            "solve boards.txt",
            "solve -",
            "solve '1 2 3/4 0 6/7 5 8' --certify out",
            "solve '1 2 3/4 0 6/7 5 8' --checkpoint c",
            "solve '1 2 3/4 0 6/7 5 8' --pdb-dir d",
            "solve '1 2 3/4 0 6/7 5 8' --engine sat --backend cmd:sh",
            "solve '1 2 3/4 0 6/7 5 8' --nats localhost",
            "serve",
            "pdb build 5-5-5 --pdb-dir x",
        ] {
            assert!(!harmless(line), "{line}");
        }
    }
}
