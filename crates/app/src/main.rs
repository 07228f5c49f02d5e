//! noyes: optimal solutions of sliding-tile puzzles and Sokoban, on the command line.

mod args;
mod ask;
mod bench;
mod chart;
mod command;
mod play;
mod puzzle;
mod record;
mod serve;
mod terminal;

use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use terminal::{colour, exit, quiet};

fn main() -> ExitCode {
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
        Command::Encode(args) => command::encode::run(&args),
        Command::Decode(args) => command::decode::run(&args),
        Command::Show(args) => command::show::run(&args),
        Command::Play(args) => command::play::run(&args),
        Command::Levels(args) => command::levels::run(&args),
        Command::Explain(args) => command::explain::run(&args),
        Command::Graph(args) => command::graph::run(&args),
        Command::Pdb(command) => command::pdb::run(&command),
        Command::Serve(args) => serve::run(&args),
        Command::Bench(command) => bench::run(&command),
        Command::Completions { shell } => command::shell::completions(shell),
        Command::Man { command } => command::shell::man(command.as_deref()),
    };
    exit::code(done, json)
}
