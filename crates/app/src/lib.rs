//! The program `noyes`: its command line, its REST service with a web page, and its benchmarks.
//!
//! To solve puzzles from Rust, use the crate `noyes-solver`. This library exists so that the program's own parsers can be
//! fuzzed.
#![cfg_attr(
    not(all(feature = "serve", feature = "bench")),
    allow(
        dead_code,
        unused_imports,
        reason = "the service and the benchmark use most of what the commands share"
    )
)]

mod args;
mod ask;
#[cfg(feature = "bench")]
mod bench;
mod certificates;
mod chart;
#[cfg(feature = "cluster")]
mod cluster;
mod command;
mod play;
mod puzzle;
#[cfg(feature = "serve")]
mod serve;
mod terminal;

use std::process::ExitCode;

use clap::Parser;
use noyes_answer::record;

use args::{Cli, Command};
use terminal::{colour, exit, quiet};

/// Runs the command line of this process and returns its exit code.
pub fn main() -> ExitCode {
    #[cfg(feature = "bench")]
    bench::end_with_parent();
    exit::tell_panics_plainly();
    let Cli { command, output } = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return exit::bad_usage(&error),
    };
    colour::choose(output.color);
    quiet::set(output.quiet);
    let json = command.json();
    let done = match command {
        Command::Solve(args) => command::solve::run(&args),
        Command::Generate(args) => command::generate::run(&args),
        Command::Check(args) => command::check::run(&args),
        Command::Certify(args) => command::certify::run(&args),
        Command::Encode(args) => command::encode::run(&args),
        Command::Decode(args) => command::decode::run(&args),
        Command::Show(args) => command::show::run(&args),
        Command::Play(args) => command::play::run(&args),
        Command::Levels(args) => command::levels::run(&args),
        Command::Explain(args) => command::explain::run(&args),
        Command::Graph(args) => command::graph::run(&args),
        Command::Pdb(command) => command::pdb::run(&command),
        #[cfg(feature = "serve")]
        Command::Serve(args) => serve::run(&args),
        #[cfg(feature = "cluster")]
        Command::Worker(args) => cluster::worker::run(&args),
        #[cfg(feature = "cluster")]
        Command::Cluster(command) => cluster::status::run(&command),
        #[cfg(feature = "bench")]
        Command::Bench(command) => bench::run(&command),
        Command::Completions { shell } => command::shell::completions(shell),
        Command::Man { command } => command::shell::man(command.as_deref()),
    };
    exit::code(done, json)
}

/// Reads a benchmark suite, for fuzzing.
#[cfg(feature = "bench")]
#[doc(hidden)]
pub fn read_suite(text: &str) {
    bench::read_suite(text);
}
