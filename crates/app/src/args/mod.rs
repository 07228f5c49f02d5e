//! The command line: every flag, a file for each family of commands.

#[cfg(feature = "bench")]
mod bench;
mod certifying;
#[cfg(feature = "cluster")]
mod cluster;
mod graph;
mod heading;
mod making;
mod plans;
mod playing;
mod questions;
#[cfg(feature = "serve")]
mod serve;
mod solving;
mod tables;
mod values;

use clap::{Args, ColorChoice, Parser, Subcommand};

#[cfg(feature = "bench")]
pub use bench::{Bench, Format as ReportFormat, Merge, Report, Run};
pub use certifying::{Certify, Proving};
#[cfg(feature = "cluster")]
pub use cluster::{Cluster, Login, Nats, Worker};
pub use graph::Graph;
pub use making::{Generate, Made};
pub use plans::{Check, Explain, Levels, Show, TreeFormat};
pub use playing::{Play, Played};
pub use questions::{Decode, Encode, EncodeFormat, Part};
#[cfg(feature = "serve")]
pub use serve::Serve;
pub use solving::{Limits, Reading, Search, Solve};
pub use tables::{Patterns, Pdb};
pub use values::{bytes, duration};

const EXIT_CODES: &str = "Exit codes:
  0    answered
  1    failure
  2    bad usage or bad input
  3    a limit was reached (bounds are printed)
  4    proven unsolvable
  5    a plan failed its verification
  130  interrupted (bounds are printed)
With several puzzles, the most severe exit code wins: 5, 1, 2, 130, 3, 4, 0.";

const GENERATE_HELP: &str = "Examples:
  noyes generate 4x4 -n 10 --seed 1
  noyes generate 3x3 --distance 31
  noyes generate sokoban -n 2 --size 8x8 --boxes 3 --min-pushes 15 --seed 1
  noyes generate sokoban --size 8x7 --players 2 --min-steps 6 --seed 1";

const CHECK_HELP: &str =
    "A plan that does not reach the goal gives exit code 5, an illegal move exit code 2.

Examples:
  noyes check \"1 2 3/4 0 6/7 5 8\" DR --optimal
  noyes check '6#|#@-$.#|6#' rR
  noyes check data/sokoban/trivial.xsb R";

const SHOW_HELP: &str = "Keys on a terminal: space to pause and resume, ← → or h l to step, home and end to jump, + and - for the speed, q to quit.

Examples:
  noyes show \"8 6 7/2 5 4/3 0 1\"
  noyes show data/sokoban/trivial.xsb R
  noyes show data/sokoban/noyes.xsb --level 3 --objective moves";

const LEVELS_HELP: &str = "Examples:
  noyes levels data/sokoban/map1.txt --format xsb -o map1.xsb
  noyes levels map1.xsb --normalise
  noyes levels data/sokoban/noyes.xsb --info";

const EXPLAIN_HELP: &str = "Examples:
  noyes explain \"1 2 3/4 0 6/7 5 8\" --engine astar
  noyes explain \"4 1 3/7 2 6/0 5 8\" --heuristic manhattan --format svg
  noyes explain '6#|#.@$-#|#----#|6#' --after R
  noyes explain data/sokoban/noyes.xsb --level 1";

const ENCODE_HELP: &str = "Examples:
  noyes encode \"8 6 7/2 5 4/3 0 1\" -k 31 --encoding rotated -o hard.cnf
  noyes encode \"8 6 7/2 5 4/3 0 1\" -k 32 --encoding edixhoven --stats
  noyes encode data/sokoban/noyes.xsb --level 3 --format pddl -o task";

const DECODE_HELP: &str = "The exit code is 0 if the plan reaches the goal or the solver's answer is UNSATISFIABLE, and 5 if the plan is wrong.

Examples:
  noyes encode \"1 2 3/4 0 6/7 5 8\" -k 2 -o easy.cnf
  kissat easy.cnf > answer.txt
  noyes decode easy.cnf answer.txt

  noyes encode \"1 2 3/4 0 6/7 5 8\" --format pddl -o task
  fast-downward task/domain.pddl task/problem.pddl --search \"astar(lmcut())\"
  noyes decode task/problem.pddl sas_plan";

fn solve_help() -> String {
    format!(
        "Examples:\n  noyes solve \"8 6 7/2 5 4/3 0 1\"\n  \
         noyes solve data/sokoban/noyes.xsb --level 3 --objective moves\n  \
         noyes generate 3x3 -n 100 --seed 1 | noyes solve - --json\n\n{EXIT_CODES}"
    )
}

/// Optimal solutions of sliding-tile puzzles and Sokoban, with proof that nothing shorter exists.
#[derive(Parser)]
#[command(name = "noyes", version, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
    #[command(flatten)]
    pub output: Output,
}

/// How every command prints.
#[derive(Args)]
pub struct Output {
    /// Print only answers and errors: no progress, warnings or notes
    #[arg(short, long, global = true, help_heading = heading::OUTPUT)]
    pub quiet: bool,
    #[arg(long, help = "When to use colour; auto respects NO_COLOR and CLICOLOR_FORCE", global = true, value_name = "WHEN", default_value = "auto", help_heading = heading::OUTPUT)]
    pub color: ColorChoice,
}

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one for each process")]
pub enum Command {
    /// Find an optimal plan
    #[command(after_help = solve_help())]
    Solve(Solve),
    /// Make random solvable boards, or levels of Sokoban with a known optimum
    #[command(after_help = GENERATE_HELP)]
    Generate(Generate),
    /// Replay a plan and check that it reaches the goal
    #[command(after_help = CHECK_HELP)]
    Check(Check),
    /// Prove that a plan is optimal, or that a puzzle is unsolvable, for a small independent program to check
    #[command(after_help = certifying::HELP)]
    Certify(Certify),
    /// Play a plan step by step in the terminal
    #[command(after_help = SHOW_HELP)]
    Show(Show),
    /// Play a puzzle yourself in the terminal, with hints from the solver
    #[command(after_help = playing::HELP)]
    Play(Play),
    /// Convert levels of Sokoban, normalise them, or list their sizes
    #[command(after_help = LEVELS_HELP)]
    Levels(Levels),
    /// Show the search tree of A* on a board, or explain which boxes of a level can never reach a goal
    #[command(after_help = EXPLAIN_HELP)]
    Explain(Explain),
    /// Puzzles on graphs: classes of states, connectedness, plans
    #[command(after_help = graph::graph_help())]
    Graph(Graph),
    /// Pattern databases: build, list, verify, histograms
    #[command(subcommand, after_help = tables::PDB_HELP)]
    Pdb(Pdb),
    /// Write a puzzle for other solvers: as a DIMACS file that asks for a plan of at most K moves, or as PDDL
    #[command(after_help = ENCODE_HELP)]
    Encode(Encode),
    /// Turn the answer of a SAT solver or planner into a plan and replay it
    #[command(after_help = DECODE_HELP)]
    Decode(Decode),
    /// Start the web page and the REST service
    #[cfg(feature = "serve")]
    #[command(after_help = serve::SERVE_HELP)]
    Serve(Serve),
    /// Take work from a queue on a NATS server, for many machines
    #[cfg(feature = "cluster")]
    #[command(after_help = cluster::WORKER_HELP)]
    Worker(Worker),
    /// Show what workers do, or stop a run
    #[cfg(feature = "cluster")]
    #[command(subcommand)]
    Cluster(Cluster),
    /// Benchmarks: run suites, make reports
    #[cfg(feature = "bench")]
    #[command(subcommand, after_help = bench::HELP)]
    Bench(Bench),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man {
        /// The page of this command instead, such as solve
        command: Option<String>,
    },
}

impl Command {
    /// Whether to print errors as JSON too.
    pub fn json(&self) -> bool {
        match self {
            Command::Solve(args) => args.json,
            Command::Generate(args) => args.json,
            Command::Check(args) => args.json,
            Command::Certify(args) => args.json,
            Command::Levels(args) => args.json,
            Command::Explain(args) => args.json,
            Command::Encode(args) => args.json,
            Command::Decode(args) => args.json,
            Command::Graph(args) => args.json,
            Command::Pdb(
                Pdb::List { json, .. } | Pdb::Verify { json, .. } | Pdb::Histogram { json, .. },
            ) => *json,
            #[cfg(feature = "cluster")]
            Command::Cluster(Cluster::Status { json, .. }) => *json,
            #[cfg(feature = "bench")]
            Command::Bench(Bench::List { json }) => *json,
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    /// The help of a command and of those below it, unwrapped.
    fn helps(command: &clap::Command) -> Vec<String> {
        let own = command.get_after_help().map(ToString::to_string);
        let below = command.get_subcommands().flat_map(helps);
        own.into_iter().chain(below).collect()
    }

    /// Words of the shell that are not words of the program.
    fn is_of_shell(word: &str) -> bool {
        matches!(word, "|" | "&&" | ">")
    }

    #[test]
    fn examples_fit_a_terminal_and_parse() {
        let mut parsed = 0;
        for help in helps(&Cli::command()) {
            let (_, examples) = help.split_once("Examples:\n").unwrap_or_default();
            for line in examples
                .lines()
                .take_while(|line| !line.starts_with("Exit"))
            {
                assert!(line.chars().count() <= 80, "clap would break {line:?}");
                let Some(example) = line.strip_prefix("  noyes ") else {
                    continue;
                };
                let words = shell_words::split(&format!("noyes {example}")).unwrap();
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                for call in words.split(|word| is_of_shell(word)) {
                    if let Err(error) = Cli::try_parse_from(call) {
                        panic!("{line}: {error}");
                    }
                    parsed += 1;
                }
            }
        }
        assert!(parsed > 25, "{parsed}");
    }

    #[test]
    fn paragraphs_of_help_are_single_lines() {
        for help in helps(&Cli::command()) {
            for paragraph in help.split("\n\n") {
                let is_list = paragraph.lines().skip(1).any(|line| line.starts_with("  "));
                assert!(is_list || paragraph.lines().count() == 1, "{paragraph}");
            }
        }
    }

    #[test]
    fn every_flag_of_a_long_help_has_a_heading() {
        let mut cli = Cli::command();
        cli.build();
        for name in [
            "solve", "show", "encode", "check", "generate", "levels", "serve",
        ] {
            let command = cli.find_subcommand(name).unwrap();
            let own = ["help", "count", "seed", "size"];
            for flag in command
                .get_opts()
                .filter(|f| !own.contains(&f.get_id().as_str()))
            {
                assert!(flag.get_help_heading().is_some(), "{name}: {flag}");
            }
        }
    }
}
