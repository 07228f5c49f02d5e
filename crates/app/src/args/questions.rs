//! Puzzles as files for SAT solvers and planners, and their answers.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use noyes_puzzle::tiles::Notation;
use noyes_solver::Objective;
use noyes_solver::sat::EncodingName;
use noyes_solver::sat::dimacs::MOST_STEPS;

use super::heading::{FORMULA, OUTPUT, PDDL, PUZZLE};
use super::solving::{Reading, Rules};
use super::values::{PUZZLES, names};

#[derive(Args)]
pub struct Encode {
    #[arg(help = PUZZLES, required_unless_present = "pairs")]
    pub puzzle: Option<String>,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub rules: Rules,
    /// The most moves a plan may have; for a level, of what the encoding counts
    #[arg(short = 'k', long = "steps", value_name = "K", help_heading = FORMULA, required_unless_present_any = ["pairs", "format"], value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_STEPS)))]
    pub steps: Option<u32>,
    /// How the puzzle is written as clauses (see noyes solve); default: lean, or pushes for a level
    #[arg(long, value_name = "ENCODING", help_heading = FORMULA)]
    pub encoding: Option<EncodingName>,
    /// Write two formulas for each board on a plan that is 30 to 60 moves from its end: with that many moves, and with two fewer. The file holds a board and a line of moves; -o names the folder
    #[arg(long, value_name = "PATHFILE", help_heading = FORMULA, conflicts_with_all = ["puzzle", "steps", "stats"], requires = "output")]
    pub pairs: Option<PathBuf>,
    /// Print the size of the formula instead, also as the encoding's paper counts it
    #[arg(long, help_heading = FORMULA)]
    pub stats: bool,
    /// Print the constraint problem behind the encodings edixhoven and tamura instead: variables with their domains, and constraints, numbered as in Edixhoven's thesis
    #[arg(long, help_heading = FORMULA, conflicts_with_all = ["stats", "pairs", "format"])]
    pub csp: bool,
    /// Print the values that this plan (or a file with it) gives to the variables of the constraint problem
    #[arg(long, value_name = "PLAN", help_heading = FORMULA, requires = "csp")]
    pub solution: Option<String>,
    /// What to minimise in a level: pushes (the default; other moves are free) or moves
    #[arg(long, help_heading = PDDL, value_parser = names(Objective::ALL.iter().map(|o| o.name())).map(|n| n.parse::<Objective>().expect("a possible value")))]
    pub objective: Option<Objective>,
    /// Write only one of the two files; then -o names a file, not a folder
    #[arg(long, value_enum, help_heading = PDDL)]
    pub part: Option<Part>,
    /// What to write: a DIMACS file for SAT solvers, or domain.pddl and problem.pddl for planners
    #[arg(long, value_enum, default_value = "dimacs", help_heading = OUTPUT)]
    pub format: EncodeFormat,
    /// Write to this file instead of standard output; it appears only once it is complete. For --pairs and PDDL: the folder
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// Print the size as a JSON object
    #[arg(long, requires = "stats", help_heading = OUTPUT)]
    pub json: bool,
}

/// What `encode` writes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EncodeFormat {
    Dimacs,
    Pddl,
}

/// One of the two files of a PDDL task.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Part {
    Domain,
    Problem,
}

#[derive(Args)]
pub struct Decode {
    /// The file that noyes encode wrote: a .cnf, or a problem.pddl
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The output of a SAT solver, or a planner's plan; - for standard input
    #[arg(value_name = "SOLVER-OUTPUT")]
    pub output: String,
    /// What L U R D move: the blank or the tile
    #[arg(long, default_value = "blank", help_heading = PUZZLE, value_parser = PossibleValuesParser::new(["blank", "tile"]).map(|n| n.parse::<Notation>().expect("a possible value")))]
    pub notation: Notation,
    /// Print a JSON object
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
}
