//! A request: what to solve and how, checked by [`Ask`](crate::Ask) before any work starts.
//!
//! Each kind of puzzle has methods of its own, so an engine is never handed a puzzle that it does not know.

use std::sync::Arc;

use crate::names::{DeviceName, Engine};
use crate::puzzle::{BoardPuzzle, GraphPuzzle, LevelPuzzle, Puzzle, Tiles};
use crate::sat::{BoardEncoding, LevelEncoding, SatOptions};
use crate::tiles::Keep;
use crate::tiles::cache::TilesCache;
use crate::tiles::heuristic::{HeuristicMember, HeuristicName, SimpleHeuristic};

/// What to solve, and how.
#[derive(Clone, Debug)]
pub struct Request {
    pub(crate) task: Task,
    pub(crate) cache: Arc<TilesCache>,
}

impl Request {
    /// What is to be solved.
    pub fn puzzle(&self) -> Puzzle {
        match &self.task {
            Task::Board(board, _) => Puzzle::Tiles(Tiles::Board(board.clone())),
            Task::Graph(graph, _) => Puzzle::Tiles(Tiles::Graph(graph.clone())),
            Task::Level(level, _) => Puzzle::Level(level.clone()),
        }
    }
}

/// A puzzle, and a method that is for its kind.
#[derive(Clone, Debug)]
pub(crate) enum Task {
    Board(BoardPuzzle, BoardMethod),
    Graph(GraphPuzzle, GraphMethod),
    Level(LevelPuzzle, LevelMethod),
}

/// How to solve a board.
#[derive(Clone, Debug)]
pub(crate) enum BoardMethod {
    /// Whatever suits it; IDA* with the heuristic, if one was asked for.
    Auto {
        heuristic: Option<HeuristicName>,
        descent: Descent,
    },
    Slides(SlideSearch<HeuristicName>),
    Human,
    Table,
    /// Pattern databases among the heuristics are what `lean` asks.
    Sat(SatOptions<BoardEncoding>, HeuristicName),
}

/// How to solve a puzzle on a graph.
#[derive(Clone, Debug)]
pub(crate) enum GraphMethod {
    Auto {
        heuristic: Option<GraphHeuristic>,
        descent: Descent,
    },
    Slides(SlideSearch<GraphHeuristic>),
}

/// How to solve a level.
#[derive(Clone, Debug)]
pub(crate) enum LevelMethod {
    /// With `any`, the first plan will do, or what a time limit makes of it.
    Search {
        engine: LevelEngine,
        any: bool,
        /// The threads that look for the first plan.
        threads: usize,
    },
    Sat(SatOptions<LevelEncoding>),
}

/// A search by one of the engines that know only that tiles slide.
#[derive(Clone, Debug)]
pub(crate) struct SlideSearch<H> {
    pub engine: SlideEngine,
    pub heuristic: H,
    pub descent: Descent,
}

/// How depth-first engines search.
#[derive(Clone, Debug)]
pub(crate) struct Descent {
    /// They skip redundant move sequences of up to this length; `None` for what suits the engine.
    pub duplicates: Option<usize>,
    /// Those that can share their work use this number of threads.
    pub threads: usize,
    /// Where those that can be resumed keep how far they are.
    pub checkpoints: Option<Keep>,
    /// What searches, if it is IDA* with pattern databases.
    pub device: DeviceName,
    /// Where IDA* with pattern databases leads to.
    pub to: End,
}

/// The end of a puzzle that a search leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Goal,
    Start,
}

/// An engine that knows only that tiles slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlideEngine {
    Bfs,
    Dijkstra,
    AStar,
    IdaStar,
    Iddfs,
    Sma,
    Bidirectional,
    Anytime,
}

/// The engines of sliding tiles, by what they know.
pub(crate) enum TilesEngine {
    Auto,
    Slides(SlideEngine),
    /// Boards only.
    Human,
    /// Small boards only.
    Table,
    /// Boards only.
    Sat,
}

impl From<Engine> for TilesEngine {
    fn from(engine: Engine) -> TilesEngine {
        TilesEngine::Slides(match engine {
            Engine::Auto => return TilesEngine::Auto,
            Engine::Human => return TilesEngine::Human,
            Engine::Table => return TilesEngine::Table,
            Engine::Sat => return TilesEngine::Sat,
            Engine::Bfs => SlideEngine::Bfs,
            Engine::Dijkstra => SlideEngine::Dijkstra,
            Engine::AStar => SlideEngine::AStar,
            Engine::IdaStar => SlideEngine::IdaStar,
            Engine::Iddfs => SlideEngine::Iddfs,
            Engine::Sma => SlideEngine::Sma,
            Engine::Bidirectional => SlideEngine::Bidirectional,
            Engine::Anytime => SlideEngine::Anytime,
        })
    }
}

impl From<SlideEngine> for Engine {
    fn from(engine: SlideEngine) -> Engine {
        match engine {
            SlideEngine::Bfs => Engine::Bfs,
            SlideEngine::Dijkstra => Engine::Dijkstra,
            SlideEngine::AStar => Engine::AStar,
            SlideEngine::IdaStar => Engine::IdaStar,
            SlideEngine::Iddfs => Engine::Iddfs,
            SlideEngine::Sma => Engine::Sma,
            SlideEngine::Bidirectional => Engine::Bidirectional,
            SlideEngine::Anytime => Engine::Anytime,
        }
    }
}

/// An engine for levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LevelEngine {
    Auto,
    Bfs,
    /// A* from the start.
    AStar,
    /// From both ends where that can be, else A*.
    Optimal,
    /// A plan at once, then better ones; for one player.
    Anytime,
}

/// The maximum of heuristics that need neither rows nor columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GraphHeuristic(pub Vec<GraphMember>);

/// A heuristic that needs neither rows nor columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GraphMember {
    Misplaced,
    Manhattan,
}

impl Default for GraphHeuristic {
    fn default() -> Self {
        GraphHeuristic(vec![GraphMember::Manhattan])
    }
}

impl From<&GraphHeuristic> for HeuristicName {
    fn from(heuristic: &GraphHeuristic) -> HeuristicName {
        let member = |member: &GraphMember| {
            HeuristicMember::Simple(match member {
                GraphMember::Misplaced => SimpleHeuristic::Misplaced,
                GraphMember::Manhattan => SimpleHeuristic::Manhattan,
            })
        };
        heuristic.0.iter().map(member).collect()
    }
}
