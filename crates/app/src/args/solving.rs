//! Solving: which puzzles, by which engine, within which limits.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use noyes_puzzle::tiles::{Goal, Notation};
use noyes_solver::sat::backend::BackendName;
use noyes_solver::sat::{EncodingName, KeepName, Schedule, Share};
use noyes_solver::{DeviceName, Engine, HeuristicName, Objective};

#[cfg(feature = "cluster")]
use super::heading::CLUSTER;
use super::heading::{LIMITS, OUTPUT, PROOF, PUZZLE, SAT, SEARCH};
use super::values::{PUZZLES, device, duration, names, range, size, some_bytes};
use crate::terminal::fault::BadInput;

#[derive(Args, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct Solve {
    #[arg(value_name = "PUZZLE", required = true, help = PUZZLES)]
    pub puzzles: Vec<String>,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub rules: Rules,
    #[command(flatten)]
    pub goodness: Goodness,
    #[command(flatten)]
    pub search: Search,
    /// Accept the first plan found: for levels with any engine, for boards with the engine sat
    #[arg(long, help_heading = SEARCH)]
    pub any: bool,
    /// Number of puzzles to solve at once; for a single puzzle, of threads that share IDA* with pattern databases (boards other than 4x4), that look for the first plan of a level, or of SAT solvers (see --share)
    #[arg(long, value_name = "N", default_value_t = 1, help_heading = SEARCH, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Keep how far IDA* with pattern databases is in this file, and go on from there (a single board other than 4x4). Without this flag, searches of more than a minute keep a file in the platform's cache folder
    #[arg(long, value_name = "FILE", help_heading = SEARCH)]
    pub checkpoint: Option<PathBuf>,
    /// Search from the goal back to the board, by IDA* with --heuristic pdb:SIZES (such as pdb:6-6-6-6): the optimum is the same, but there may be far fewer states, or far more
    #[arg(long, help_heading = SEARCH)]
    pub backward: bool,
    /// What searches: cpu (the default) or gpu, an NVIDIA card, for IDA* with pattern databases on boards of up to 25 cells (programs built with the feature gpu)
    #[arg(long, value_name = "DEVICE", default_value = "cpu", hide_default_value = true, help_heading = SEARCH, value_parser = device())]
    pub device: DeviceName,
    #[command(flatten)]
    pub sat: Sat,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub nats: super::Nats,
    /// Go on with a run of workers whose client was killed: the same command with the id that it printed
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "ID", help_heading = CLUSTER, requires = "nats")]
    pub attach: Option<String>,
    /// Also write certificates into this folder: 1.cert, 2.cert, … (see noyes certify)
    #[arg(long, value_name = "DIR", help_heading = PROOF)]
    pub certify: Option<PathBuf>,
    /// Explain the plan of the engine human step by step
    #[arg(long, help_heading = OUTPUT)]
    pub explain: bool,
    /// Print one JSON object per line
    #[arg(long, help_heading = OUTPUT)]
    pub json: bool,
    /// Print counts and times on standard error
    #[arg(short, long, help_heading = OUTPUT, conflicts_with = "quiet")]
    pub verbose: bool,
}

/// The rules of Sokoban that can be chosen.
#[derive(Args, Clone, Copy)]
pub struct Rules {
    /// Levels with several players: every player must move in every step
    #[arg(long = "no-wait", help_heading = PUZZLE)]
    pub no_wait: bool,
}

/// What makes a plan a good one.
#[derive(Args, Clone, Copy)]
pub struct Goodness {
    /// What to minimise: pushes (the default) or moves of a level for one player; boards count moves, several players count steps
    #[arg(long, help_heading = PUZZLE, value_parser = names(Objective::ALL.iter().map(|o| o.name())).map(|n| n.parse::<Objective>().expect("a possible value")))]
    pub objective: Option<Objective>,
}

/// How puzzles and plans are written.
#[derive(Args, Clone, Default)]
pub struct Reading {
    /// The goal of boards: blank-last (1 2 3 … 0; the default), blank-first (0 1 2 …, as in Korf's papers) or a board
    #[arg(long, help_heading = PUZZLE)]
    pub goal: Option<String>,
    /// The size of boards written without slashes, as columns x rows, such as 3x2
    #[arg(long, value_name = "WxH", help_heading = PUZZLE, value_parser = size)]
    pub size: Option<(usize, usize)>,
    /// What L U R D move in plans for boards: the blank (the default) or the tile
    #[arg(long, help_heading = PUZZLE, value_parser = PossibleValuesParser::new(["blank", "tile"]).map(|n| n.parse::<Notation>().expect("a possible value")))]
    notation: Option<Notation>,
    /// Only level N of a file, or levels N to M
    #[arg(long, value_name = "N[-M]", help_heading = PUZZLE, value_parser = range)]
    pub level: Option<(usize, usize)>,
    /// Whether nothing but levels is expected.
    #[arg(skip)]
    pub only_levels: bool,
}

impl Reading {
    /// For commands that read only levels.
    pub fn of_levels(level: Option<(usize, usize)>) -> Reading {
        Reading {
            level,
            only_levels: true,
            ..Reading::default()
        }
    }

    /// The goal. Without slashes, it has the size given for boards.
    pub fn goal(&self) -> Result<Goal, BadInput> {
        let goal = self.goal.as_deref().unwrap_or("blank-last");
        Goal::parse(goal, self.size).map_err(|error| BadInput::new(format!("--goal: {error}")))
    }

    /// What the letters of plans move.
    pub fn notation(&self) -> Notation {
        self.notation.unwrap_or_default()
    }

    /// The first given flag that is only for boards.
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
    /// The search algorithm; auto picks one that suits the puzzle
    #[arg(long, default_value = "auto", help_heading = SEARCH, value_parser = names(Engine::ALL.iter().map(|e| e.name())).map(|n| n.parse::<Engine>().expect("a possible value")))]
    pub engine: Engine,
    /// The lower bound that guides it: misplaced, manhattan, linear-conflict, walking or pdb:PATTERNS (see noyes pdb); several, separated by slashes, give their maximum. The default is manhattan; auto picks one that suits the puzzle
    #[arg(long, help_heading = SEARCH)]
    pub heuristic: Option<HeuristicName>,
    /// The engines idastar and iddfs: skip redundant move sequences of up to this length (moving straight back is always skipped; with pattern databases, the 15-puzzle always uses 10, and other boards 12 unless told otherwise)
    #[arg(long, value_name = "DEPTH", help_heading = SEARCH)]
    pub duplicates: Option<usize>,
    /// The folder of pattern databases (default: the platform's cache folder)
    #[arg(long = "pdb-dir", value_name = "DIR", help_heading = SEARCH)]
    pub pdb_dir: Option<PathBuf>,
    #[command(flatten)]
    pub limits: Limits,
}

/// How long a search may take, and how much memory.
#[derive(Args, Clone, Copy)]
pub struct Limits {
    /// Stop each search after this time: 500ms, 60s, 5m, 1h (a bare number is seconds)
    #[arg(long, value_name = "TIME", help_heading = LIMITS, value_parser = duration)]
    pub time_limit: Option<Duration>,
    /// Stop each search before its states need more memory: 500MB, 4GiB (default: three quarters of the free memory)
    #[arg(long, value_name = "BYTES", help_heading = LIMITS, value_parser = some_bytes)]
    pub memory_limit: Option<usize>,
}

/// How the engine sat works.
#[derive(Args, Clone)]
pub struct Sat {
    /// How the puzzle is written as clauses. Boards: edixhoven (with +no-undo, +manhattan or, not optimal, +blocks), rotated, transitions (with +repeated), or lean (the default: cadical looks up pattern databases; with +static, and for other solvers, a formula of what two tiles can do). Levels: pushes or tamura (with +dead, +bad) for pushes, moves (with +lean, the default) for moves and for several players
    #[arg(long, value_name = "ENCODING", help_heading = SAT)]
    pub encoding: Option<EncodingName>,
    /// The SAT solver: cadical (the default), batsat, dpll (the plain algorithm, for teaching), or cmd:PROGRAM for any solver that reads DIMACS (among its arguments, %i stands for the formula's file and %o for a file for the model)
    #[arg(long, value_name = "BACKEND", help_heading = SAT)]
    pub backend: Option<BackendName>,
    /// Which length to try next (default: up)
    #[arg(long, value_name = "SCHEDULE", help_heading = SAT, value_parser = names(Schedule::ALL.iter().map(|s| s.name())).map(|n| n.parse::<Schedule>().expect("a possible value")))]
    pub bounds: Option<Schedule>,
    /// What to keep from one length to the next (default: incremental; lean keeps nothing)
    #[arg(long, help_heading = SAT, value_parser = names(KeepName::ALL.iter().map(|k| k.name())).map(|n| n.parse::<KeepName>().expect("a possible value")))]
    pub keep: Option<KeepName>,
    /// Only ask whether there is a plan of at most K moves (or what else the encoding counts); with --from, ask for no greater length
    #[arg(long, value_name = "K", help_heading = SAT)]
    pub at_most: Option<u32>,
    /// What several threads share: the lengths, so that each tries another (the default); the clauses that they learn about the same length (cadical only; not for lean, which looks things up instead); or nothing, a race on the same length
    #[arg(long, help_heading = SAT, value_parser = names(Share::ALL.iter().map(|s| s.name())).map(|n| n.parse::<Share>().expect("a possible value")))]
    pub share: Option<Share>,
    /// Ask for length K first (default: the lower bound); the solver is asked even where the lower bound rules a plan out
    #[arg(long, value_name = "K", help_heading = SAT)]
    pub from: Option<u32>,
    /// Levels: solve in stages, one more goal at a time, each from where the last one ended. Often much faster; the plan is not proven optimal
    #[arg(long, help_heading = SAT)]
    pub decompose: bool,
}
