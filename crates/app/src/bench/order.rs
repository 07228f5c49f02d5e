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
    /// Commands that build tables, before the first run.
    pub prepare: Vec<String>,
    pub job: Job,
}

/// Makes the run of an order, within what the worker allows; an error says why not.
pub fn perform(
    order: &serde_json::Value,
    allowed: Limits,
    is_stopped: &dyn Fn() -> bool,
) -> Result<serde_json::Value, String> {
    let order: Order = serde_json::from_value(order.clone()).map_err(|error| error.to_string())?;
    check_limits(order.job.limits, allowed)?;
    match parsed(&order.job.words)? {
        Command::Solve(args) if is_harmless(&args) => {}
        _ => return Err(
            "workers run only noyes solve with a puzzle in the command, without files and programs"
                .into(),
        ),
    }
    for command in &order.prepare {
        prepare(command, is_stopped)?;
    }
    let common = Common {
        suite: order.suite,
        form: order.form,
        process: Process::Fresh, // so that limits hold, and it can be stopped
        version: host::version().map_err(|error| error.to_string())?,
        host: Host::here(),
    };
    let run = common
        .run(&order.job, is_stopped)
        .map_err(|error| error.to_string())?;
    let run = run.ok_or("interrupted")?;
    serde_json::to_value(run).map_err(|error| error.to_string())
}

/// A run with less than its suite says would be another run, so it is not made.
fn check_limits(asked: Limits, allowed: Limits) -> Result<(), String> {
    let Limits {
        time_s,
        memory_bytes,
    } = allowed;
    if asked.memory_bytes > memory_bytes {
        return Err(format!(
            "the run may use {} bytes, and this worker allows {memory_bytes} (--memory-limit)",
            asked.memory_bytes
        ));
    }
    if asked.time_s <= time_s {
        return Ok(()); // and a number at all
    }
    Err(format!(
        "the run may take {} s, and this worker allows {time_s} s (--time-limit)",
        asked.time_s
    ))
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

/// Whether a command does nothing but build tables where this machine keeps them.
fn is_harmless_build(command: &Command) -> bool {
    matches!(command, Command::Pdb(Pdb::Build { folder: None, nats, .. }) if nats.nats.is_none())
}

/// Builds the tables of a suite, once for each worker.
fn prepare(command: &str, is_stopped: &dyn Fn() -> bool) -> Result<(), String> {
    static DONE: Mutex<Option<HashSet<String>>> = Mutex::new(None);
    let mut done = DONE.lock().unwrap_or_else(PoisonError::into_inner);
    let done = done.get_or_insert_default();
    if done.contains(command) {
        return Ok(());
    }
    let words = words::split(command)?;
    if !is_harmless_build(&parsed(&words)?) {
        return Err(format!(
            "workers prepare runs by noyes pdb build only, not by {command}"
        ));
    }
    let no_limits = Limits {
        time_s: f64::INFINITY,
        memory_bytes: u64::MAX,
    };
    let ended = child::run_until(&words, no_limits, false, is_stopped)
        .map_err(|error| error.to_string())?;
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
    fn a_run_gets_no_more_than_the_worker_allows() {
        let limits = |time_s, memory_bytes| Limits {
            time_s,
            memory_bytes,
        };
        let allowed = limits(60.0, 1000);
        assert_eq!(check_limits(limits(60.0, 1000), allowed), Ok(()));
        for asked in [limits(61.0, 1), limits(1.0, 1001), limits(f64::NAN, 1)] {
            let refused = check_limits(asked, allowed).unwrap_err();
            assert!(refused.contains("this worker allows"), "{refused}");
        }
    }

    #[test]
    fn only_tables_are_prepared() {
        let harmless = |line: &str| {
            parsed(&words::split(line).unwrap()).is_ok_and(|command| is_harmless_build(&command))
        };
        assert!(harmless("pdb build 5-5-5"));
        assert!(!harmless("pdb build 5-5-5 --pdb-dir x"));
        assert!(!harmless("pdb build 5-5-5 --nats elsewhere"));
        assert!(!harmless("solve '1 2 3/4 0 6/7 5 8'"));
    }

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
