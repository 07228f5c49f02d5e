//! Certificates.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use noyes_answer::certify::Axioms;
use noyes_solver::prove::Prover;

use super::heading::{OUTPUT, PROOF};
use super::solving::{Goodness, Limits, Reading, Rules};
use super::values::{PLAN, PUZZLES};

pub const HELP: &str =
    "Exit code 5: the plan is not optimal, or the certificate was refused. noyes-check, a small program of its own, checks certificates again.

Examples:
  noyes certify \"8 6 7/2 5 4/3 0 1\" -o certificates
  noyes certify \"8 6 7/2 5 4/3 0 1\" --axioms none -o certificates --export
  noyes certify data/sokoban/noyes.xsb --level 3 --objective moves
  noyes certify \"1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0\"
  noyes-check certificates/*.cert";

#[derive(Args)]
pub struct Certify {
    #[arg(value_name = "PUZZLE", required = true, help = PUZZLES)]
    pub puzzles: Vec<String>,
    #[arg(long, value_name = "PLAN", help = format!("{PLAN}. The plan should be optimal. Without one, noyes looks for an optimal plan"), allow_hyphen_values = true)]
    pub plan: Option<String>,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub rules: Rules,
    #[command(flatten)]
    pub goodness: Goodness,
    #[command(flatten)]
    pub proving: Proving,
    #[command(flatten)]
    pub limits: Limits,
    /// The folder for the certificates: 1.cert, 2.cert, …; without it they are checked and not kept
    #[arg(short, long, value_name = "DIR", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// Also write each formula as DIMACS (.cnf) and its proof as LRAT (.lrat), for other checkers
    #[arg(long, requires = "output", help_heading = OUTPUT)]
    pub export: bool,
    /// Print one JSON object per line
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
}

/// How proofs are found.
#[derive(Args, Clone, Default)]
pub struct Proving {
    /// Pattern databases that proofs of boards may use, which noyes-check computes itself: auto, none, or pdb:PATTERNS (see noyes pdb)
    #[arg(long, default_value = "auto", help_heading = PROOF)]
    pub axioms: Axioms,
    /// What finds the proofs of boards: an IDA* that explains its cuts, or the SAT solver, which uses no pattern databases
    #[arg(long, default_value = "search", help_heading = PROOF, value_parser = PossibleValuesParser::new(["search", "sat"]).map(|name| if name == "sat" { Prover::Sat } else { Prover::Search }))]
    pub prover: Prover,
}
