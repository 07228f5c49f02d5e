//! noyes: optimal solutions of sliding-tile puzzles and Sokoban, on the command line.

mod args;
mod bench;
mod chart;
mod check;
mod dead;
mod decode;
mod encode;
mod exit;
mod explain;
mod film;
mod generate;
mod generate_levels;
mod graph;
mod input;
mod levels;
mod limits;
mod lines;
mod output;
mod pdb;
mod pddl;
mod progress;
mod screen;
mod serve;
mod show;
mod sokoban;
mod solve;
mod target;

use std::process::ExitCode;

use clap::{CommandFactory, Parser};

use args::{Cli, Command};
use exit::{BadInput, Exit};

fn main() -> ExitCode {
    bench::end_with_parent();
    exit::tell_panics_plainly();
    let command = Cli::parse().command;
    let json = command.json();
    let done = match command {
        Command::Solve(args) => solve::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Encode(args) => encode::run(&args),
        Command::Decode(args) => decode::run(&args),
        Command::Show(args) => show::run(&args),
        Command::Levels(args) => levels::run(&args),
        Command::Explain(args) => dead::run(&args),
        Command::Graph(args) => graph::run(&args),
        Command::Pdb(command) => pdb::run(&command),
        Command::Serve(args) => serve::run(&args),
        Command::Bench(command) => bench::run(&command),
        Command::Completions { shell } => completions(shell),
        Command::Man { command } => man(command.as_deref()),
    };
    exit::code(done, json)
}

fn completions(shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    let mut script = vec![];
    clap_complete::generate(shell, &mut Cli::command(), "noyes", &mut script);
    output::print(&String::from_utf8(script)?)?;
    Ok(Exit::Answered)
}

fn man(command: Option<&str>) -> anyhow::Result<Exit> {
    let mut cli = Cli::command();
    cli.build();
    let page = match command {
        None => cli,
        Some(name) => {
            let known: Vec<_> = cli
                .get_subcommands()
                .map(|c| c.get_name().to_string())
                .collect();
            let found = cli.find_subcommand(name).cloned();
            let found = found.ok_or_else(|| {
                BadInput::new(format!(
                    "{name:?} is no command (expected {})",
                    known.join(", ")
                ))
            })?;
            found.name(format!("noyes-{name}"))
        }
    };
    let mut roff = vec![];
    clap_mangen::Man::new(page).render(&mut roff)?;
    output::print(&String::from_utf8(roff)?)?;
    Ok(Exit::Answered)
}
