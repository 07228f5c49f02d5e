//! Questions as files for SAT solvers and planners, and their answers.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use noyes_puzzle::tiles::Notation;
use noyes_solver::Objective;
use noyes_solver::sat::EncodingName;
use noyes_solver::sat::dimacs::MOST_STEPS;

use super::solving::{Reading, Rules};
use super::values::{PUZZLE, names};

#[derive(Args)]
pub struct Encode {
    #[arg(help = PUZZLE, required_unless_present = "pairs")]
    pub puzzle: Option<String>,
    /// What to write: a DIMACS file for SAT solvers, or domain.pddl and problem.pddl for planners
    #[arg(long, value_enum, default_value = "dimacs")]
    pub format: EncodeFormat,
    /// The moves that a plan may have; of a level what the encoding counts
    #[arg(short = 'k', long = "steps", value_name = "K", required_unless_present_any = ["pairs", "format"], value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_STEPS)))]
    pub steps: Option<u32>,
    /// How the puzzle is written as clauses (see noyes solve); default lean, pushes for a level
    #[arg(long, value_name = "ENCODING")]
    pub encoding: Option<EncodingName>,
    #[command(flatten)]
    pub rules: Rules,
    /// Two files for each board on the way of this file's plan that is 30 to 60 moves from its end: with as many moves,
    /// and with two fewer. The file holds a board and a line of moves; -o names the folder
    #[arg(long, value_name = "PATHFILE", conflicts_with_all = ["puzzle", "steps", "stats"], requires = "output")]
    pub pairs: Option<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
    /// PDDL of a level: what a plan should have fewest of; pushes (the default) cost 1 and other moves nothing, or all moves 1
    #[arg(long, value_parser = names(Objective::ALL.iter().map(|o| o.name())).map(|n| n.parse::<Objective>().expect("a possible value")))]
    pub objective: Option<Objective>,
    /// PDDL: only this one of the two files; then -o names a file, not a folder
    #[arg(long, value_enum)]
    pub part: Option<Part>,
    /// Write to this file instead of standard output, whole or not at all; the folder of --pairs and of PDDL
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Print the size of the formula, also as the encoding's document counts it, instead of the formula
    #[arg(long)]
    pub stats: bool,
    /// The size as a JSON object
    #[arg(long, requires = "stats")]
    pub json: bool,
}

/// What `encode` writes.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum EncodeFormat {
    Dimacs,
    Pddl,
}

/// One of the two files of a task in PDDL.
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
    /// What a SAT solver printed about it, or a planner's plan; - for standard input
    #[arg(value_name = "SOLVER-OUTPUT")]
    pub output: String,
    /// What L U R D name: the movement of the blank or of the tile
    #[arg(long, default_value = "blank", value_parser = PossibleValuesParser::new(["blank", "tile"]).map(|n| n.parse::<Notation>().expect("a possible value")))]
    pub notation: Notation,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}
