//! Solving: which puzzles, by which engine, within which limits.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use noyes_puzzle::tiles::{Goal, Notation};
use noyes_solver::sat::backend::BackendName;
use noyes_solver::sat::{EncodingName, KeepName, Schedule};
use noyes_solver::{Engine, HeuristicName, Objective};

use super::values::{PUZZLE, bytes, duration, names, range, size};
use crate::terminal::fault::BadInput;

#[derive(Args, Clone)]
pub struct Solve {
    /// Puzzles to solve, answered in this order
    #[arg(value_name = "PUZZLE", required = true, help = PUZZLE)]
    pub puzzles: Vec<String>,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub search: Search,
    #[command(flatten)]
    pub sat: Sat,
    #[command(flatten)]
    pub rules: Rules,
    /// What a plan should have fewest of: moves for tiles; pushes (the default) or moves for a level; crews count steps
    #[arg(long, value_parser = names(Objective::ALL.iter().map(|o| o.name())).map(|n| n.parse::<Objective>().expect("a possible value")))]
    pub objective: Option<Objective>,
    /// The number of puzzles to solve at once; for one puzzle and the engine sat, of lengths to ask for at once
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Tell the plan of the engine human step by step
    #[arg(long)]
    pub explain: bool,
    /// One JSON object a line
    #[arg(long)]
    pub json: bool,
    /// Tell counts and times, on standard error
    #[arg(short, long)]
    pub verbose: bool,
}

/// The rules of Sokoban, as far as there is a choice.
#[derive(Args, Clone, Copy)]
pub struct Rules {
    /// Levels for a crew: every player moves in every step
    #[arg(long = "no-wait")]
    pub no_wait: bool,
}

/// How puzzles and plans are written.
#[derive(Args, Clone, Default)]
pub struct Reading {
    /// blank-last (1 2 3 … 0; the default), blank-first (0 1 2 …: Korf's) or any board
    #[arg(long)]
    pub goal: Option<String>,
    /// The size of boards written without slashes, such as 3x2 (columns x rows)
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub size: Option<(usize, usize)>,
    /// What L U R D name: the movement of the blank (the default) or of the tile
    #[arg(long, value_parser = PossibleValuesParser::new(["blank", "tile"]).map(|n| n.parse::<Notation>().expect("a possible value")))]
    notation: Option<Notation>,
    /// Of a file of levels only the Nth, or the Nth to the Mth
    #[arg(long, value_name = "N[-M]", value_parser = range)]
    pub level: Option<(usize, usize)>,
    /// Whether nothing but levels is expected.
    #[arg(skip)]
    pub only_levels: bool,
}

impl Reading {
    /// For what reads levels and nothing else.
    pub fn of_levels(level: Option<(usize, usize)>) -> Reading {
        Reading {
            level,
            only_levels: true,
            ..Reading::default()
        }
    }

    /// The goal; written without slashes it has the size that boards have.
    pub fn goal(&self) -> Result<Goal, BadInput> {
        let goal = self.goal.as_deref().unwrap_or("blank-last");
        Goal::parse(goal, self.size).map_err(|error| BadInput::new(format!("--goal: {error}")))
    }

    /// What the letters of plans name.
    pub fn notation(&self) -> Notation {
        self.notation.unwrap_or_default()
    }

    /// The first of these flags that was given and is about boards alone.
    pub fn given_for_boards(&self) -> Option<&'static str> {
        let given = [
            (self.goal.is_some(), "--goal"),
            (self.size.is_some(), "--size"),
            (self.notation.is_some(), "--notation"),
        ];
        given.iter().find(|g| g.0).map(|g| g.1)
    }
}

/// How to search, and for how long.
#[derive(Args, Clone)]
pub struct Search {
    /// The way of searching
    #[arg(long, default_value = "auto", value_parser = names(Engine::ALL.iter().map(|e| e.name())).map(|n| n.parse::<Engine>().expect("a possible value")))]
    pub engine: Engine,
    /// The lower bound that guides it: misplaced, manhattan, linear-conflict, walking or pdb:PATTERNS (see noyes pdb);
    /// several, separated by slashes, give their maximum. Default: manhattan, and whatever suits the puzzle under auto
    #[arg(long)]
    pub heuristic: Option<HeuristicName>,
    /// IDA* and iddfs: skip redundant move sequences of up to this many moves (straight back is always skipped;
    /// the fifteen puzzle with databases uses 10)
    #[arg(long, value_name = "DEPTH")]
    pub duplicates: Option<usize>,
    /// The folder of pattern databases (default: the cache folder of the platform)
    #[arg(long = "pdb-dir", value_name = "DIR")]
    pub pdb_dir: Option<PathBuf>,
    /// Stop each search after this time: 500ms, 60s, 5m, 1h (a bare number is seconds)
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Stop each search before its states take more: 500MB, 4GiB (default: three quarters of the free memory)
    #[arg(long, value_name = "BYTES", value_parser = bytes)]
    pub memory_limit: Option<usize>,
}

/// How the engine sat goes about it.
#[derive(Args, Clone)]
#[command(next_help_heading = "Options of --engine sat")]
pub struct Sat {
    /// How the puzzle is written as clauses: edixhoven (with +no-undo, +manhattan or, giving up optimality, +blocks),
    /// rotated, transitions, or lean (the default: cadical asks pattern databases as it goes; for other solvers, and with
    /// +static, a formula that says what two tiles can do). For levels: pushes or tamura (with +dead, +bad) for pushes,
    /// moves (with +lean, the default) for moves and crews
    #[arg(long, value_name = "ENCODING")]
    pub encoding: Option<EncodingName>,
    /// What solves them: cadical (the default), batsat, or cmd:PROGRAM for any solver that reads DIMACS (%i and %o among
    /// its arguments name the formula and a file for the model)
    #[arg(long, value_name = "BACKEND")]
    pub backend: Option<BackendName>,
    /// Which length is asked for next: up, doubling or binary; default up
    #[arg(long, value_name = "SCHEDULE", value_parser = names(Schedule::ALL.iter().map(|s| s.name())).map(|n| n.parse::<Schedule>().expect("a possible value")))]
    pub bounds: Option<Schedule>,
    /// What is kept from one length to the next; default incremental (lean keeps nothing)
    #[arg(long, value_parser = names(KeepName::ALL.iter().map(|k| k.name())).map(|n| n.parse::<KeepName>().expect("a possible value")))]
    pub keep: Option<KeepName>,
    /// The first plan found will do; for levels of Sokoban by any engine
    #[arg(long)]
    pub any: bool,
    /// Ask only whether there is a plan of at most this many moves
    #[arg(long, value_name = "K")]
    pub at_most: Option<u32>,
}
