//! A run of `solve` in this process, for runs that are shorter than the start of a process.

use std::time::Instant;

use anyhow::Result;
use clap::Parser;

use super::jobs::Job;
use crate::args::{Cli, Command};
use crate::command::solve;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;

/// How it ended.
pub struct Returned {
    /// What the command would have printed.
    pub out: String,
    /// The same for standard error.
    pub err: String,
    pub exit: Exit,
    pub wall_s: f64,
}

impl Job {
    /// Runs it here.
    pub fn run_inside(&self) -> Result<Returned> {
        run(&self.words)
    }
}

/// Runs a command, which has to be `solve`, here.
pub fn run(words: &[String]) -> Result<Returned> {
    let words = std::iter::once("noyes").chain(words.iter().map(String::as_str));
    let args = match Cli::try_parse_from(words) {
        Ok(Cli {
            command: Command::Solve(args),
            ..
        }) => args,
        Ok(_) => {
            return Err(BadInput::new("process = \"inside\" is only for solve").into());
        }
        Err(error) => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            return Err(BadInput::new(first.trim_start_matches("error: ")).into());
        }
    };
    let began = Instant::now();
    let reply = solve::answer_one(&args)?;
    Ok(Returned {
        out: reply.out,
        err: reply.err,
        exit: reply.exit,
        wall_s: began.elapsed().as_secs_f64(),
    })
}
