//! Plans replayed and shown, levels explained and converted.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;
use noyes_puzzle::sokoban::Format;

use super::heading::{LIMITS, OUTPUT, PUZZLE};
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
    /// A level such as '5#|#@$.#|5#', a file, or - for standard input
    #[arg(value_name = "LEVEL")]
    pub puzzle: String,
    /// Level N of a file with several levels
    #[arg(long, value_name = "N", help_heading = PUZZLE, value_parser = range)]
    pub level: Option<(usize, usize)>,
    /// Explain the position after these moves
    #[arg(long, value_name = "LURD", help_heading = PUZZLE)]
    pub after: Option<String>,
    /// Stop after this time: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "TIME", default_value = "1s", help_heading = LIMITS, value_parser = duration)]
    pub time_limit: Duration,
    /// Print a JSON object
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
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
