//! Random boards and levels.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::heading::{BOARDS, LEVELS, LIMITS, OUTPUT};
use super::values::{duration, size};

#[derive(Args)]
pub struct Generate {
    /// The size of boards as columns x rows, such as 4x4, or sokoban for levels
    #[arg(value_name = "SIZE", value_parser = made, required_unless_present = "size")]
    pub what: Option<Made>,
    /// The same as SIZE; for sokoban, the largest size of a level with its walls (default: 8x8)
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<(usize, usize)>,
    /// Number of boards or levels
    ///
    /// Puzzle i of a seed does not depend on N, so a larger N only adds puzzles at the end.
    #[arg(short = 'n', long = "count", value_name = "N", default_value_t = 1)]
    pub count: u64,
    /// The same seed gives the same puzzles on every machine (default: random, printed on standard error)
    #[arg(long)]
    pub seed: Option<u64>,
    /// Boards whose optimum is exactly D, or drawn from a range such as 58..70 (both ends included)
    ///
    /// noyes solves every board to prove its distance. Up to 10 cells, all boards at a distance are equally likely.
    /// Larger boards come from random walks and are not equally likely: walks from the goal, and on 4x4 beyond 62 moves
    /// walks from one of the 17 boards that need 80 moves. Other sizes reach only moderate distances in a short time.
    #[arg(long, value_name = "D", help_heading = BOARDS, value_parser = distances, conflicts_with = "walk")]
    pub distance: Option<RangeInclusive<u32>>,
    /// Boards after this many random moves from the goal
    #[arg(long, value_name = "N", help_heading = BOARDS)]
    pub walk: Option<usize>,
    /// The goal: blank-last (1 2 3 … 0), blank-first (0 1 2 …, as in Korf's papers) or a board
    #[arg(long, default_value = "blank-last", help_heading = BOARDS)]
    pub goal: String,
    /// Stop after this time: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "TIME", help_heading = LIMITS, value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Write to this file instead of standard output; it appears only once it is complete
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    pub output: Option<PathBuf>,
    /// Print one JSON object per line
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
    #[command(flatten)]
    pub level: LevelWish,
}

/// What to make.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Made {
    Boards((usize, usize)),
    Levels,
}

/// What a level of Sokoban should be like.
#[derive(Args)]
pub struct LevelWish {
    /// The number of boxes, and of goals (default: 3)
    #[arg(long, help_heading = LEVELS, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub boxes: Option<u16>,
    /// The number of players, who move at the same time (default: 1)
    #[arg(long, help_heading = LEVELS, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub players: Option<u16>,
    /// One player: every plan has at least this many pushes
    #[arg(long, help_heading = LEVELS, value_name = "N", conflicts_with = "min_steps")]
    pub min_pushes: Option<u32>,
    /// Several players: every plan has at least this many steps
    #[arg(long, help_heading = LEVELS, value_name = "N")]
    pub min_steps: Option<u32>,
}

impl LevelWish {
    /// The first of these flags that is given.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.boxes.is_some(), "--boxes"),
            (self.players.is_some(), "--players"),
            (self.min_pushes.is_some(), "--min-pushes"),
            (self.min_steps.is_some(), "--min-steps"),
        ];
        given.iter().find(|g| g.0).map(|g| g.1)
    }
}

fn distances(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (least, most) = text.split_once("..").unwrap_or((text, text));
    match (least.trim().parse::<u32>(), most.trim().parse::<u32>()) {
        (Ok(least), Ok(most)) if least <= most => Ok(least..=most),
        (Ok(least), Ok(most)) => Err(format!("the range is empty (expected {most}..{least})")),
        _ => Err("expected a number of moves such as 60, or a range such as 58..70".into()),
    }
}

fn made(text: &str) -> Result<Made, String> {
    if text == "sokoban" {
        return Ok(Made::Levels);
    }
    size(text).map(Made::Boards)
}
