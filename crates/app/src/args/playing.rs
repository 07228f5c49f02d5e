//! Puzzles played by hand.

use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use noyes_puzzle::tiles::Notation;
use noyes_solver::Objective;

use super::solving::Reading;
use super::values::{delay, names, size};

pub(super) const HELP: &str =
    "Keys: arrows, w a s d or h j k l move; u or backspace undo, U redo, R restart; ? shows a hint, and again makes that move; ! plays the solution; o shows the optimum from here; n and p go to the next and previous puzzle; q quits.

Examples:
  noyes play
  noyes play 4x4
  noyes play \"1 2 3/4 0 6/7 5 8\"
  noyes play data/sokoban/noyes.xsb --level 3";

#[derive(Args)]
pub struct Play {
    /// A size such as 4x4 for random boards (default 3x3), a board, a level of Sokoban, or a file of them (see noyes solve)
    #[arg(value_name = "PUZZLE", default_value = "3x3")]
    pub puzzle: String,
    /// Begin with the Nth level or board of the file
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub level: Option<u32>,
    /// blank-last (1 2 3 … 0; the default), blank-first (0 1 2 …) or any board
    #[arg(long)]
    goal: Option<String>,
    /// The size of a board written without slashes, such as 3x2 (columns x rows)
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<(usize, usize)>,
    /// What an arrow moves on a board: the tile next to the gap, or the gap
    #[arg(long, default_value = "tile", value_parser = PossibleValuesParser::new(["blank", "tile"]).map(|n| n.parse::<Notation>().expect("a possible value")))]
    pub notation: Notation,
    /// Levels: what hints and the optimum count
    #[arg(long, default_value = "pushes", value_parser = names(Objective::ALL.iter().map(|o| o.name())).map(|n| n.parse::<Objective>().expect("a possible value")))]
    pub objective: Objective,
    /// The same seed gives the same random boards
    #[arg(long)]
    pub seed: Option<u64>,
    /// Time between two moves of the solution: 500ms, 2s
    #[arg(long, value_name = "TIME", default_value = "300ms", value_parser = delay)]
    pub delay: Duration,
}

/// What is played.
pub enum Played<'a> {
    /// Random boards of this size.
    Random(usize, usize),
    /// What the argument holds.
    Given(&'a str),
}

impl Play {
    pub fn played(&self) -> Played<'_> {
        match size(&self.puzzle) {
            Ok((width, height)) => Played::Random(width, height),
            Err(_) => Played::Given(&self.puzzle),
        }
    }

    /// How the puzzle is read. All levels of a file are read, whichever comes first.
    pub fn reading(&self) -> Reading {
        let mut reading = Reading::default();
        reading.goal.clone_from(&self.goal);
        reading.size = self.size;
        reading
    }
}
