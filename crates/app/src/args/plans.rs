//! Plans replayed and shown, levels explained and converted.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::TypedValueParser;
use noyes_puzzle::sokoban::Format;

use super::solving::{Reading, Rules};
use super::values::{PUZZLE, delay, duration, names, range};

#[derive(Args)]
pub struct Check {
    #[arg(help = PUZZLE)]
    pub puzzle: String,
    /// The plan: letters L U R D, a file of them or with a planner's plan, or - for standard input; of a crew a
    /// line for each player, or parts between slashes, with . for a wait
    #[arg(allow_hyphen_values = true)]
    pub plan: String,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub rules: Rules,
    /// Print a JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Show {
    #[arg(help = PUZZLE)]
    pub puzzle: String,
    /// The plan: letters L U R D, a file of them or with a planner's plan, or - for standard input; an optimal one is
    /// found if not given
    #[arg(allow_hyphen_values = true)]
    pub plan: Option<String>,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub rules: Rules,
    /// Time between two moves: 500ms, 2s; an hour at most
    #[arg(long, value_name = "TIME", default_value = "400ms", value_parser = delay)]
    pub delay: Duration,
    /// Stop looking for a plan after this time: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
}

#[derive(Args)]
pub struct Explain {
    /// A level such as '5#|#@$.#|5#', a file, or - for standard input
    #[arg(value_name = "LEVEL")]
    pub puzzle: String,
    /// Of a file with several levels the Nth
    #[arg(long, value_name = "N", value_parser = range)]
    pub level: Option<(usize, usize)>,
    /// The level as it stands after these moves
    #[arg(long, value_name = "LURD")]
    pub after: Option<String>,
    /// Look no longer than this
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = duration)]
    pub time_limit: Duration,
    /// One JSON object
    #[arg(long)]
    pub json: bool,
}

#[derive(Args)]
pub struct Levels {
    /// Files of levels, levels such as '5#|#@$.#|5#', or - for standard input
    #[arg(value_name = "LEVELS", required = true)]
    pub sources: Vec<String>,
    /// The format to write
    #[arg(long, default_value = "xsb", value_parser = names(Format::ALL.iter().map(|f| f.name())).map(|n| n.parse::<Format>().expect("a possible value")))]
    pub format: Format,
    /// Without decoration, and turned or mirrored so that alike levels become the same
    #[arg(long, visible_alias = "normalize")]
    pub normalise: bool,
    /// Tell size, boxes, goals and players of each level instead
    #[arg(long)]
    pub info: bool,
    /// Of each file only the Nth level, or the Nth to the Mth
    #[arg(long, value_name = "N[-M]", value_parser = range)]
    pub level: Option<(usize, usize)>,
    /// Write to this file instead of standard output, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// One JSON object a line: what --info tells, and the level
    #[arg(long)]
    pub json: bool,
}
