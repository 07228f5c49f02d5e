//! The command line: every flag, a file for each family of commands.

mod bench;
mod graph;
mod making;
mod plans;
mod playing;
mod questions;
mod serve;
mod solving;
mod tables;
mod values;

use clap::{Parser, Subcommand};

pub use bench::{Bench, Format as ReportFormat, Merge, Report, Run};
pub use graph::Graph;
pub use making::{Generate, Made};
pub use plans::{Check, Explain, Levels, Show};
pub use playing::{Play, Played};
pub use questions::{Decode, Encode, EncodeFormat, Part};
pub use serve::Serve;
pub use solving::{Reading, Search, Solve};
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

/// Optimal solutions of sliding-tile puzzles and Sokoban, with proof that nothing shorter exists.
#[derive(Parser)]
#[command(name = "noyes", version, after_help = EXIT_CODES, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Find an optimal plan
    #[command(after_help = format!("Examples:\n  noyes solve \"8 6 7/2 5 4/3 0 1\"\n  noyes solve levels.xsb --level 3 --objective moves\n\n{EXIT_CODES}"))]
    Solve(Solve),
    /// Make random boards that can be solved, or levels of Sokoban whose optimum is known
    #[command(
        after_help = "Examples:\n  noyes generate 4x4 -n 10 --seed 1\n  noyes generate 3x3 --distance 31\n  noyes generate sokoban -n 5 --size 8x8 --boxes 3 --min-pushes 20\n  noyes generate sokoban --size 8x7 --boxes 3 --players 2 --min-steps 10"
    )]
    Generate(Generate),
    /// Replay a plan and say whether it reaches the goal
    #[command(
        after_help = "Examples:\n  noyes check \"1 2 3/4 0 6/7 5 8\" DR\n  noyes check '6#|#@-$.#|6#' rR\n  noyes check levels.xsb --level 3 sas_plan\n\nA plan that does not reach the goal ends with exit code 5, an illegal move with 2."
    )]
    Check(Check),
    /// Play a plan step by step in the terminal
    #[command(
        after_help = "Keys on a terminal: space pause and go on, ← → or h l step, home end first and last, + - speed, q quit.\n\nExamples:\n  noyes show \"8 6 7/2 5 4/3 0 1\"\n  noyes show level.xsb rRuuL"
    )]
    Show(Show),
    /// Play a puzzle yourself in the terminal, with hints from the solver
    #[command(after_help = playing::HELP)]
    Play(Play),
    /// Read levels of Sokoban and write them in another format or in normal form, or tell about them
    #[command(
        after_help = "Examples:\n  noyes levels maps.txt --format xsb -o maps.xsb\n  noyes levels maps.xsb --normalise\n  noyes levels maps.xsb --info"
    )]
    Levels(Levels),
    /// Say which boxes of a level can never get to a goal any more, and why
    #[command(
        after_help = "Examples:\n  noyes explain level.xsb\n  noyes explain levels.xsb --level 3 --after rrDDl"
    )]
    Explain(Explain),
    /// Puzzles on graphs: classes of states, connectedness, plans
    #[command(after_help = graph::graph_help())]
    Graph(Graph),
    /// Pattern databases: build, list, verify, histograms
    #[command(subcommand, after_help = tables::PDB_HELP)]
    Pdb(Pdb),
    /// Write a puzzle for other solvers: the question whether there is a plan of at most K moves as a DIMACS file, or as PDDL
    #[command(
        after_help = "Examples:\n  noyes encode \"8 6 7/2 5 4/3 0 1\" -k 31 --encoding rotated -o hard.cnf\n  noyes encode \"8 6 7/2 5 4/3 0 1\" -k 32 --encoding edixhoven --stats\n  noyes encode --pairs path.txt --goal blank-first --encoding rotated -o pairs\n  noyes encode levels.xsb --level 3 --format pddl --objective pushes -o task"
    )]
    Encode(Encode),
    /// Turn what a SAT solver or a planner made of such a file into a plan, and replay it
    #[command(
        after_help = "Examples:\n  noyes encode \"1 2 3/4 0 6/7 5 8\" -k 2 -o easy.cnf\n  kissat easy.cnf > answer.txt\n  noyes decode easy.cnf answer.txt\n\n  noyes encode \"1 2 3/4 0 6/7 5 8\" --format pddl -o task\n  fast-downward task/domain.pddl task/problem.pddl --search \"astar(lmcut())\"\n  noyes decode task/problem.pddl sas_plan\n\nThe exit code is 0 if the plan reaches the goal or the solver says UNSATISFIABLE, and 5 if the plan is wrong."
    )]
    Decode(Decode),
    /// The web page and the REST service
    #[command(after_help = serve::SERVE_HELP)]
    Serve(Serve),
    /// Benchmarks: run suites, make reports
    #[command(subcommand, after_help = bench::HELP)]
    Bench(Bench),
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man {
        /// The page of one command instead, such as solve
        command: Option<String>,
    },
}

impl Command {
    /// Whether JSON is wanted, so that errors too come as JSON.
    pub fn json(&self) -> bool {
        match self {
            Command::Solve(args) => args.json,
            Command::Generate(args) => args.json,
            Command::Check(args) => args.json,
            Command::Levels(args) => args.json,
            Command::Explain(args) => args.json,
            Command::Encode(args) => args.json,
            Command::Decode(args) => args.json,
            Command::Graph(args) => args.json,
            Command::Pdb(
                Pdb::List { json, .. } | Pdb::Verify { json, .. } | Pdb::Histogram { json, .. },
            )
            | Command::Bench(Bench::List { json }) => *json,
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
}
