//! Plans replayed and shown, searches and levels explained, levels converted.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::TypedValueParser;
use clap::{Args, ValueEnum};
use noyes_puzzle::sokoban::Format;
use noyes_solver::{Engine, HeuristicName};

use super::heading::{BOARDS, LIMITS, OUTPUT, PROOF, PUZZLE};
use super::solving::{Goodness, Limits, Reading, Rules};
use super::values::{PLAN, PUZZLES, delay, duration, names, range};

#[derive(Args)]
pub struct Check {
    #[arg(help = PUZZLES)]
    pub puzzle: String,
    #[arg(help = PLAN, allow_hyphen_values = true)]
    pub plan: String,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub rules: Rules,
    /// Also prove that no cheaper plan exists, and check the proof (see noyes certify)
    #[arg(long, help_heading = PROOF)]
    pub optimal: bool,
    #[command(flatten)]
    pub goodness: Goodness,
    #[command(flatten)]
    pub limits: Limits,
    /// Print a JSON object
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
}

#[derive(Args)]
pub struct Show {
    #[arg(help = PUZZLES)]
    pub puzzle: String,
    #[arg(help = format!("{PLAN}. Without one, noyes looks for an optimal plan"), allow_hyphen_values = true)]
    pub plan: Option<String>,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub rules: Rules,
    #[command(flatten)]
    pub goodness: Goodness,
    #[command(flatten)]
    pub limits: Limits,
    /// Time between two moves, such as 500ms or 2s; at most an hour
    #[arg(long, value_name = "TIME", default_value = "400ms", help_heading = OUTPUT, value_parser = delay)]
    pub delay: Duration,
}

#[derive(Args)]
pub struct Explain {
    #[arg(help = PUZZLES)]
    pub puzzle: String,
    /// Level N of a file with several levels
    #[arg(long, value_name = "N", help_heading = PUZZLE, value_parser = range)]
    pub level: Option<(usize, usize)>,
    /// Explain the position of a level after these moves
    #[arg(long, value_name = "LURD", help_heading = PUZZLE)]
    pub after: Option<String>,
    #[command(flatten)]
    pub tree: Tree,
    /// Stop after this time: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "TIME", default_value = "1s", help_heading = LIMITS, value_parser = duration)]
    pub time_limit: Duration,
    /// Print a JSON object about a level
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
}

/// The search tree of a board.
#[derive(Args)]
pub struct Tree {
    /// The engine whose search tree is shown: astar (the default), or dijkstra, which has no heuristic
    #[arg(long, help_heading = BOARDS, value_parser = names(["astar", "dijkstra"].into_iter()).map(|n| n.parse::<Engine>().expect("a possible value")))]
    pub engine: Option<Engine>,
    /// The lower bound h, as for noyes solve (default: misplaced)
    #[arg(long, help_heading = BOARDS)]
    pub heuristic: Option<HeuristicName>,
    /// The goal: blank-last (1 2 3 … 0; the default), blank-first or a board
    #[arg(long, help_heading = BOARDS)]
    pub goal: Option<String>,
    /// How to show the tree (default: text): in words, for Graphviz, or as a picture
    #[arg(long, value_enum, help_heading = BOARDS)]
    pub format: Option<TreeFormat>,
    /// The most states to show (default: 100)
    #[arg(long, value_name = "N", help_heading = BOARDS, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub nodes: Option<u32>,
}

/// How a search tree is shown.
#[derive(Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum TreeFormat {
    #[default]
    Text,
    Dot,
    Svg,
}

impl Tree {
    /// The first flag that is given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.engine.is_some(), "--engine"),
            (self.heuristic.is_some(), "--heuristic"),
            (self.goal.is_some(), "--goal"),
            (self.format.is_some(), "--format"),
            (self.nodes.is_some(), "--nodes"),
        ];
        given.iter().find(|g| g.0).map(|g| g.1)
    }
}

#[derive(Args)]
pub struct Levels {
    /// Files of levels, levels such as '5#|#@$.#|5#', or - for standard input
    #[arg(value_name = "LEVELS", required = true)]
    pub sources: Vec<String>,
    /// Only level N of each file, or levels N to M
    #[arg(long, value_name = "N[-M]", help_heading = PUZZLE, value_parser = range)]
    pub level: Option<(usize, usize)>,
    /// The format to write
    #[arg(long, default_value = "xsb", help_heading = OUTPUT, value_parser = names(Format::ALL.iter().map(|f| f.name())).map(|n| n.parse::<Format>().expect("a possible value")))]
    pub format: Format,
    /// Remove decoration, and turn or mirror levels so that equal levels look the same
    #[arg(long, visible_alias = "normalize", help_heading = OUTPUT)]
    pub normalise: bool,
    /// Print size, boxes, goals and players of each level instead
    #[arg(long, help_heading = OUTPUT)]
    pub info: bool,
    /// Write to this file instead of standard output; it appears only once it is complete
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// Print one JSON object per line: the level and what --info prints
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
}
