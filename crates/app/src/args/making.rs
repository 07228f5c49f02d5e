//! Boards and levels made at random.

use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::values::{duration, size};

#[derive(Args)]
pub struct Generate {
    /// Boards of columns x rows, such as 4x4, or sokoban
    #[arg(value_name = "SIZE", value_parser = made, required_unless_present = "size")]
    pub what: Option<Made>,
    /// The same as SIZE; the largest size of a level of sokoban, walls included (default 8x8)
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
    #[arg(long, value_name = "D", value_parser = distances, conflicts_with = "walk")]
    pub distance: Option<RangeInclusive<u32>>,
    /// Boards after this many random moves from the goal
    #[arg(long, value_name = "N")]
    pub walk: Option<usize>,
    /// blank-last (1 2 3 … 0), blank-first (0 1 2 …: Korf's) or any board
    #[arg(long, default_value = "blank-last")]
    pub goal: String,
    /// Stop after this time: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Write to this file instead of standard output, whole or not at all
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub level: LevelWish,
}

/// What is made.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Made {
    Boards((usize, usize)),
    Levels,
}

/// What a level of Sokoban should be like.
#[derive(Args)]
#[command(next_help_heading = "Options of generate sokoban")]
pub struct LevelWish {
    /// Boxes, and as many goals; default 3
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub boxes: Option<u16>,
    /// Players, who all move at once if there are several; default 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub players: Option<u16>,
    /// One player: no plan has fewer pushes
    #[arg(long, value_name = "N", conflicts_with = "min_steps")]
    pub min_pushes: Option<u32>,
    /// Several players: no plan has fewer steps
    #[arg(long, value_name = "N")]
    pub min_steps: Option<u32>,
}

impl LevelWish {
    /// The first of these flags that was given.
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
    match (least.trim().parse(), most.trim().parse()) {
        (Ok(least), Ok(most)) if least <= most => Ok(least..=most),
        _ => Err("expected a number of moves such as 60, or a range such as 58..70".into()),
    }
}

fn made(text: &str) -> Result<Made, String> {
    if text == "sokoban" {
        return Ok(Made::Levels);
    }
    size(text).map(Made::Boards)
}
