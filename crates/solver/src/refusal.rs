//! Why wishes are refused: the field that is wrong, and the reason.
//!
//! The same reason is printed on the command line and by the service; each puts its own name of the field before it.

use std::fmt;

use noyes_puzzle::graph::GraphError;
use noyes_puzzle::tiles::GoalError;

use crate::names::Engine;
use crate::sat::{BoardEncoding, Unfit};
use crate::tiles::heuristic::HeuristicName;
use crate::tiles::pdb::PartitionError;

/// Which wish an error is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Field {
    /// The puzzle itself.
    Puzzle,
    /// What to reach.
    Goal,
    /// What a plan has fewest of.
    Objective,
    /// Whether players may wait.
    NoWait,
    /// The way of searching.
    Engine,
    /// The lower bound that guides it.
    Heuristic,
    /// How long the move sequences are that are known to be redundant.
    Duplicates,
    /// How the puzzle is written as clauses.
    Encoding,
    /// What solves them.
    Backend,
    /// Which length is asked for next.
    Bounds,
    /// What is kept from one length to the next.
    Keep,
    /// Whether any plan is good enough.
    Any,
    /// The one length to ask for.
    AtMost,
    /// What several threads share.
    Share,
    /// The first length to ask for.
    From,
    /// Whether a level is solved in stages.
    Decompose,
    /// Where to keep how far a search is.
    Checkpoint,
    /// What searches.
    Device,
    /// Which end it starts at.
    Backward,
}

impl Field {
    /// The flag of the command line.
    pub fn flag(self) -> &'static str {
        match self {
            Field::Puzzle => "PUZZLE",
            Field::Goal => "--goal",
            Field::Objective => "--objective",
            Field::NoWait => "--no-wait",
            Field::Engine => "--engine",
            Field::Heuristic => "--heuristic",
            Field::Duplicates => "--duplicates",
            Field::Encoding => "--encoding",
            Field::Backend => "--backend",
            Field::Bounds => "--bounds",
            Field::Keep => "--keep",
            Field::Any => "--any",
            Field::AtMost => "--at-most",
            Field::Share => "--share",
            Field::From => "--from",
            Field::Decompose => "--decompose",
            Field::Checkpoint => "--checkpoint",
            Field::Device => "--device",
            Field::Backward => "--backward",
        }
    }

    /// The field of a JSON body.
    pub fn json(self) -> &'static str {
        match self {
            Field::Puzzle => "puzzle",
            Field::Goal => "goal",
            Field::Objective => "objective",
            Field::NoWait => "no_wait",
            Field::Engine => "engine",
            Field::Heuristic => "heuristic",
            Field::Duplicates => "duplicates",
            Field::Encoding => "encoding",
            Field::Backend => "backend",
            Field::Bounds => "bounds",
            Field::Keep => "keep",
            Field::Any => "any",
            Field::AtMost => "at_most",
            Field::Share => "share",
            Field::From => "from",
            Field::Decompose => "decompose",
            Field::Checkpoint => "checkpoint",
            Field::Device => "device",
            Field::Backward => "backward",
        }
    }
}

/// Wishes that do not go together. Prints the reason alone: the caller puts its own name of the field before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AskError {
    /// The wish that is wrong.
    pub field: Field,
    /// What is wrong with it.
    pub why: Why,
}

impl fmt::Display for AskError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.why.fmt(f)
    }
}

impl std::error::Error for AskError {}

/// What is wrong with a wish.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Why {
    /// The goal does not fit the board.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// Start and goal do not fit the graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// A choice about SAT with another engine.
    #[error("only the engine sat uses it, and the engine is {engine}: choose the engine sat")]
    OnlySat {
        /// The engine.
        engine: Engine,
    },
    /// A choice about levels for sliding tiles.
    #[error("it is about levels of Sokoban, not about sliding tiles")]
    OnlyLevels,
    /// A choice about sliding tiles for a level.
    #[error("it is about sliding tiles, not about levels of Sokoban")]
    OnlyTiles,
    /// Pushes of a board.
    #[error("a plan of sliding tiles has moves, not pushes (expected moves)")]
    NoPushes,
    /// Pushes of a crew.
    #[error("the plans of several players count steps, not pushes (leave it out)")]
    CrewPushes,
    /// A heuristic for an engine that is not guided by one.
    #[error(
        "the engine {engine} uses none (expected one of the engines {})",
        those(Engine::uses_heuristic)
    )]
    NoHeuristic {
        /// The engine.
        engine: Engine,
    },
    /// Duplicates for an engine that does not skip them.
    #[error(
        "the engine {engine} does not use it (expected one of the engines {})",
        those(Engine::skips_duplicates)
    )]
    NoDuplicates {
        /// The engine.
        engine: Engine,
    },
    /// One question, and a choice about several.
    #[error("it asks a single question, so it does not go with {with}")]
    SingleQuestion {
        /// The other choice.
        with: &'static str,
    },
    /// A solver that keeps to itself what it learns.
    #[error("only cadical shares the clauses that it learns, and the backend is {backend}")]
    NoSharing {
        /// The backend.
        backend: String,
    },
    /// An encoding whose solver looks things up instead.
    #[error(
        "the encoding lean looks things up in tables and shares no clauses (expected another encoding, such as lean+static)"
    )]
    LazySharing,
    /// Stages, and a choice about the length of the whole plan.
    #[error("each stage has its own lengths, so it does not go with {with}")]
    Stages {
        /// The other choice.
        with: &'static str,
    },
    /// A first length beyond the last one.
    #[error("it is more than the greatest length to ask for (expected at most {most})")]
    NoLength {
        /// The greatest length.
        most: u32,
    },
    /// An encoding that has no formula for short lengths.
    #[error(
        "the encoding {encoding} counts from the Manhattan distance on, so it has no formula for shorter plans (expected edixhoven, rotated or transitions)"
    )]
    NoFormula {
        /// The encoding.
        encoding: BoardEncoding,
    },
    /// An engine that knows boards only.
    #[error(
        "{engine} works on boards, not on graphs (expected any engine but human, table and sat)"
    )]
    EngineForBoards {
        /// The engine.
        engine: Engine,
    },
    /// An engine that does not know levels.
    #[error(
        "{engine} does not solve levels of Sokoban (expected auto, bfs, astar, bidirectional, sat or, for one player, anytime)"
    )]
    EngineForTiles {
        /// The engine.
        engine: Engine,
    },
    /// A board with too many positions to keep them all.
    #[error(
        "the table engine keeps every position, which is for boards of up to 9 cells with two rows and columns, not {size}"
    )]
    FullTable {
        /// The size of the board.
        size: String,
    },
    /// A heuristic that knows boards only.
    #[error(
        "{heuristic} is about rows and columns, which a graph does not have (expected manhattan or misplaced)"
    )]
    HeuristicForBoards {
        /// The heuristic.
        heuristic: String,
    },
    /// Pattern databases that do not fit the board.
    #[error(transparent)]
    Partition(#[from] PartitionError),
    /// Tables for walking distance that would be too large.
    #[error(
        "walking distance needs too large a table for a {size} board (4x4, 5x3 and 6x2 are about the largest): use linear-conflict"
    )]
    WalkingTable {
        /// The size of the board.
        size: String,
    },
    /// More heuristics than can be carried along at once.
    #[error(
        "too many heuristics for one maximum: {heuristic} (misplaced is never more than manhattan, nor manhattan than linear-conflict or walking)"
    )]
    TooMany {
        /// All of them.
        heuristic: HeuristicName,
    },
    /// A checkpoint of a search that cannot be resumed.
    #[error(
        "only IDA* with pattern databases keeps one: add --heuristic pdb:PATTERNS, or let auto choose"
    )]
    NoCheckpoint,
    /// A search that cannot be done on a graphics card.
    #[error(
        "only IDA* with pattern databases runs on a GPU, and only for boards: add --heuristic pdb:PATTERNS, or leave --device out"
    )]
    NoDevice,
    /// A search that cannot start at the goal.
    #[error(
        "only the engine idastar with pattern databases alone can start at the goal, and only for boards (expected a heuristic such as pdb:6-6-6-6)"
    )]
    NoBackward,
    /// Tables that would be of no use for another board.
    #[error(
        "a search from the goal takes patterns by their sizes, which are laid out around the blank of the board (expected a heuristic such as pdb:6-6-6-6)"
    )]
    BackwardPatterns,
    /// A board that is too large for a graphics card.
    #[error("a GPU searches boards of up to 25 cells, not {size}")]
    DeviceBoard {
        /// The size of the board.
        size: String,
    },
    /// Tables that a graphics card cannot search with.
    #[error(
        "a GPU needs pattern databases only, and the first patterns have to cover all tiles (expected a heuristic such as pdb:6-6-6-6+reflect on 5x5)"
    )]
    DevicePatterns,
    /// A graphics card without support for one.
    #[error("this program was built without support for GPUs (build it with the feature gpu)")]
    NoGpu,
    /// More duplicates than can be learned.
    #[error(
        "too many move sequences to learn their duplicates: up to depth 19 on 4x4, 16 on 5x5, 9 on 8x8"
    )]
    Duplicates,
    /// An encoding that does not fit the puzzle.
    #[error(transparent)]
    Unfit(#[from] Unfit),
}

/// The names of the engines that do something.
fn those(does: fn(Engine) -> bool) -> String {
    let names: Vec<&str> = (Engine::ALL.iter().copied())
        .filter(|&engine| does(engine))
        .map(Engine::name)
        .collect();
    names.join(", ")
}

impl Why {
    /// The error of a field.
    pub(crate) fn about(self, field: Field) -> AskError {
        AskError { field, why: self }
    }
}
