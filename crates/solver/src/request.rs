//! A request: what to solve and how, checked before any work starts.

use std::fmt;
use std::str::FromStr;
use std::sync::{Arc, LazyLock};

use noyes_puzzle::graph::{Arrangement, Graph, GraphError, number};
use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::{Board, Goal, GoalError};

use crate::names::{Engine, UnknownName, names};
use crate::sat::encoding::EncodingName;
use crate::sat::{SatOptions, Unfit, fitting};
use crate::sokoban::{self, Objective};
use crate::solve::why_unsolvable;
use crate::tiles::Positions;
use crate::tiles::heuristic::{MOST_WORDS, SmallMemo, Walking, WalkingMemo};
use crate::tiles::pdb::{Looked, Partition, PartitionError, Tables};

/// So many walks are learnt in a second or two.
const MOST_WALKS: f64 = 6e5;

/// One puzzle: rules, start and goal.
#[derive(Clone, Debug)]
pub enum Puzzle {
    /// Tiles on a w×h board.
    Board {
        /// Where it starts.
        start: Board,
        /// What to reach; of the same size.
        goal: Board,
    },
    /// Tiles on a graph, by vertex.
    Graph {
        /// The graph.
        graph: Arc<Graph>,
        /// Where it starts: tile numbers, 0 for the blank.
        start: Vec<u16>,
        /// What to reach.
        goal: Vec<u16>,
        /// What each tile number is called.
        labels: Arc<[String]>,
    },
    /// A level of Sokoban, for one player or a crew.
    Sokoban {
        /// The level.
        level: Arc<Level>,
        /// What a plan of one player has fewest of.
        objective: Objective,
        /// Whether players may wait.
        wait: bool,
    },
}

impl Puzzle {
    /// What the cost of a plan counts.
    pub fn cost_unit(&self) -> &'static str {
        match self {
            Puzzle::Board { .. } | Puzzle::Graph { .. } => "moves",
            Puzzle::Sokoban { level, .. } if level.players().len() > 1 => "steps",
            Puzzle::Sokoban { objective, .. } => objective.name(),
        }
    }
}

/// What to solve, and how.
///
/// ```
/// use noyes_puzzle::tiles::Goal;
/// use noyes_solver::{Engine, Request};
/// let request = Request::board("1 2 3/4 0 6/7 5 8".parse()?, &Goal::BlankLast)?.engine(Engine::Bfs)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    pub(crate) puzzle: Puzzle,
    pub(crate) engine: Engine,
    pub(crate) heuristic: Heuristic,
    /// Whether the heuristic was asked for, so that `auto` keeps to it.
    pub(crate) is_guided: bool,
    /// Depth-first engines skip duplicate walks of up to so many moves.
    pub(crate) duplicates: usize,
    pub(crate) tables: Arc<Tables>,
    pub(crate) sat: SatOptions,
    /// Levels: the first plan will do.
    pub(crate) any: bool,
}

/// A request that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// The goal does not fit the board.
    #[error(transparent)]
    Goal(#[from] GoalError),
    /// Start and goal do not fit the graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// An engine that knows boards only.
    #[error("the engine {engine} works on boards, not on graphs: use auto, bfs or idastar")]
    EngineForBoards {
        /// The engine.
        engine: Engine,
    },
    /// An engine that does not know levels.
    #[error(
        "the engine {engine} does not solve this level of Sokoban: use auto, bfs, bidirectional, sat or, for one player, anytime"
    )]
    EngineForTiles {
        /// The engine.
        engine: Engine,
    },
    /// An encoding that does not count what is wanted.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// A choice that is not about levels.
    #[error("{what} is about tiles, not about levels of Sokoban")]
    NotForLevels {
        /// The choice, in words.
        what: &'static str,
    },
    /// A heuristic that knows boards only.
    #[error(
        "the heuristic {heuristic} is about rows and columns, which a graph does not have: use manhattan or misplaced"
    )]
    HeuristicForBoards {
        /// The heuristic.
        heuristic: String,
    },
    /// A board with too many positions to keep them all.
    #[error(
        "the table engine keeps every position, which is for boards of up to 9 cells with two rows and columns, not {size}"
    )]
    FullTable {
        /// The size of the board.
        size: String,
    },
    /// More duplicates than can be learnt.
    #[error("too many walks to learn their duplicates: up to depth 15 on 4x4, 12 on 5x5, 9 on 8x8")]
    Duplicates,
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
    /// A board that an encoding cannot do.
    #[error("the encoding {encoding} is for {}, not for a board of {size}", encoding.is_for())]
    Encoding {
        /// The encoding.
        encoding: EncodingName,
        /// The size of the board.
        size: String,
    },
    /// More heuristics than can be carried along at once.
    #[error(
        "too many heuristics for one maximum: {heuristic} (misplaced is never more than manhattan, nor manhattan than linear-conflict or walking)"
    )]
    TooMany {
        /// All of them.
        heuristic: Heuristic,
    },
}

impl Request {
    /// A board and its goal.
    ///
    /// # Errors
    /// If the goal is of another size.
    pub fn board(start: Board, goal: &Goal) -> Result<Request, RequestError> {
        let goal = goal.of_size(start.width(), start.height())?;
        Ok(Request::new(Puzzle::Board { start, goal }))
    }

    /// A graph and two arrangements of labels on it.
    ///
    /// # Errors
    /// If the two do not fit the graph or each other.
    pub fn graph(
        graph: Arc<Graph>,
        start: &Arrangement,
        goal: &Arrangement,
    ) -> Result<Request, RequestError> {
        let (start, goal, labels) = number(start, goal)?;
        Ok(Request::new(Puzzle::Graph {
            graph,
            start,
            goal,
            labels: labels.into(),
        }))
    }

    /// A level: fewest pushes by default, and players may wait.
    ///
    /// ```
    /// use noyes_puzzle::sokoban::parse_level;
    /// use noyes_solver::{Control, Objective, Request, solve};
    /// let level = parse_level("######\n#@ $.#\n######")?;
    /// let request = Request::sokoban(level).objective(Objective::Moves);
    /// assert_eq!(solve(&request, &Control::new())?.bounds.upper, Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn sokoban(level: impl Into<Arc<Level>>) -> Request {
        Request::new(Puzzle::Sokoban {
            level: level.into(),
            objective: Objective::default(),
            wait: true,
        })
    }

    /// With fewest of these, where the puzzle is a level for one player.
    #[must_use]
    pub fn objective(mut self, wish: Objective) -> Request {
        if let Puzzle::Sokoban { objective, .. } = &mut self.puzzle {
            *objective = wish;
        }
        self
    }

    /// Whether players may wait, where the puzzle is a level.
    #[must_use]
    pub fn wait(mut self, may: bool) -> Request {
        if let Puzzle::Sokoban { wait, .. } = &mut self.puzzle {
            *wait = may;
        }
        self
    }

    /// Whether the first plan will do, where the puzzle is a level; boards have it among the choices of `sat`.
    #[must_use]
    pub fn any(self, any: bool) -> Request {
        Request { any, ..self }
    }

    fn new(puzzle: Puzzle) -> Request {
        Request {
            puzzle,
            engine: Engine::default(),
            heuristic: Heuristic::default(),
            is_guided: false,
            duplicates: 0,
            tables: shared_tables(),
            sat: SatOptions::default(),
            any: false,
        }
    }

    /// By this engine.
    ///
    /// # Errors
    /// If it is not for this kind of puzzle.
    pub fn engine(self, engine: Engine) -> Result<Request, RequestError> {
        match (&self.puzzle, engine) {
            (Puzzle::Graph { .. }, Engine::Human | Engine::Table | Engine::Sat) => {
                Err(RequestError::EngineForBoards { engine })
            }
            (Puzzle::Sokoban { level, .. }, engine)
                if !sokoban::has_engine(engine, level.players().len()) =>
            {
                Err(RequestError::EngineForTiles { engine })
            }
            (Puzzle::Board { start, .. }, Engine::Table)
                // What cannot be solved needs no engine at all.
                if !Positions::fits(start.width(), start.height())
                    && why_unsolvable(&self.puzzle).is_none() =>
            {
                Err(RequestError::FullTable { size: start.size() })
            }
            (Puzzle::Board { .. } | Puzzle::Sokoban { .. }, Engine::Sat) => {
                let sat = self.sat.clone();
                Request { engine, ..self }.sat(sat)
            }
            _ => Ok(Request { engine, ..self }),
        }
    }

    /// With this heuristic, where the engine uses one; `auto` is then IDA* with it.
    ///
    /// # Errors
    /// If it is not for this kind of puzzle, or needs too large a table.
    pub fn heuristic(self, heuristic: Heuristic) -> Result<Request, RequestError> {
        for guide in heuristic.members() {
            match (&self.puzzle, guide) {
                (Puzzle::Sokoban { .. }, _) => {
                    return Err(RequestError::NotForLevels {
                        what: "a heuristic",
                    });
                }
                (_, Guide::Named(Named::Misplaced | Named::Manhattan)) => {}
                (Puzzle::Graph { .. }, guide) => {
                    return Err(RequestError::HeuristicForBoards {
                        heuristic: guide.to_string(),
                    });
                }
                (Puzzle::Board { start, .. }, Guide::Named(Named::Walking))
                    if !Walking::fits(start.width(), start.height()) =>
                {
                    return Err(RequestError::WalkingTable { size: start.size() });
                }
                (Puzzle::Board { .. }, Guide::Named(_)) => {}
                (Puzzle::Board { goal, .. }, Guide::Databases(partition)) => {
                    partition.keys(goal)?;
                }
            }
        }
        if heuristic.members().iter().map(Guide::words).sum::<usize>() > MOST_WORDS {
            return Err(RequestError::TooMany { heuristic });
        }
        Ok(Request {
            heuristic,
            is_guided: true,
            ..self
        })
    }

    /// Skips walks of up to `depth` moves that another walk makes needless, where the engine is IDA* or iterative
    /// deepening. Straight back is always skipped.
    ///
    /// # Errors
    /// If there are too many walks to learn them in a second or two.
    pub fn duplicates(self, depth: usize) -> Result<Request, RequestError> {
        let (cells, edges) = match &self.puzzle {
            Puzzle::Board { start, .. } => {
                let (w, h) = (start.width(), start.height());
                (w * h, (w - 1) * h + w * (h - 1))
            }
            Puzzle::Graph { graph, .. } => (graph.len(), graph.edge_count()),
            Puzzle::Sokoban { .. } => {
                return Err(RequestError::NotForLevels {
                    what: "skipping duplicates",
                });
            }
        };
        // About so many walks are looked at: from each cell, on by all but the way back.
        let ways = (2.0 * edges as f64 / cells as f64 - 1.0).max(1.0);
        if depth > 0 && cells as f64 * ways.powf(depth as f64) > MOST_WALKS {
            return Err(RequestError::Duplicates);
        }
        Ok(Request {
            duplicates: depth,
            ..self
        })
    }

    /// With these choices, where the engine is `sat`.
    ///
    /// # Errors
    /// If it is, and the encoding cannot do the board or level.
    pub fn sat(self, sat: SatOptions) -> Result<Request, RequestError> {
        if let Puzzle::Board { start, .. } = &self.puzzle
            && self.engine == Engine::Sat
            && start.tiles().len() > 1 // a single cell is solved as it is
            && !sat.encoding.fits(start.width(), start.height())
            && why_unsolvable(&self.puzzle).is_none()
        {
            return Err(RequestError::Encoding {
                encoding: sat.encoding,
                size: start.size(),
            });
        }
        if let Puzzle::Sokoban {
            level, objective, ..
        } = &self.puzzle
            && self.engine == Engine::Sat
        {
            fitting(level, *objective, sat.encoding)?;
        }
        Ok(Request { sat, ..self })
    }

    /// With pattern databases from here; without, they are built in memory when they are needed.
    #[must_use]
    pub fn tables(self, tables: Arc<Tables>) -> Request {
        Request { tables, ..self }
    }

    /// The same puzzle by other means, known to fit.
    pub(crate) fn with(&self, engine: Engine, heuristic: Heuristic) -> Request {
        Request {
            engine,
            heuristic,
            ..self.clone()
        }
    }

    /// What is to be solved.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }
}

names! {
    /// A lower bound on the cost left, by its name.
    Named {
        /// The number of tiles that are not in their places.
        Misplaced = "misplaced",
        /// The sum over the tiles of their distances to their places.
        #[default]
        Manhattan = "manhattan",
        /// That, and two for each tile that must step out of its row or column.
        LinearConflict = "linear-conflict",
        /// Rows and columns each solved exactly on their own (X-Y).
        Walking = "walking",
    }
}

impl Named {
    /// Words of its memo.
    fn words(self) -> usize {
        match self {
            Named::Misplaced | Named::Manhattan | Named::LinearConflict => u32::WORDS,
            Named::Walking => WalkingMemo::WORDS,
        }
    }
}

/// One heuristic of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guide {
    /// One with a name alone.
    Named(Named),
    /// Pattern databases: `pdb:` and a partition.
    Databases(Partition),
}

impl Guide {
    /// Words of its memo.
    fn words(&self) -> usize {
        match self {
            Guide::Named(named) => named.words(),
            Guide::Databases(_) => Looked::WORDS,
        }
    }
}

/// A heuristic that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeuristicError {
    /// Not a name of one.
    #[error(transparent)]
    Name(#[from] UnknownName),
    /// Not a partition.
    #[error(transparent)]
    Partition(#[from] PartitionError),
}

impl fmt::Display for Guide {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Guide::Named(named) => named.fmt(f),
            Guide::Databases(partition) => write!(f, "pdb:{partition}"),
        }
    }
}

impl FromStr for Guide {
    type Err = HeuristicError;

    fn from_str(text: &str) -> Result<Guide, HeuristicError> {
        match text.strip_prefix("pdb:") {
            Some(partition) => Ok(Guide::Databases(partition.parse()?)),
            None => match text.parse() {
                Ok(named) => Ok(Guide::Named(named)),
                Err(error) => Err(UnknownName::or(error, "pdb:PATTERNS").into()),
            },
        }
    }
}

/// The heuristics of a request: the maximum of those given, such as `walking` or `walking/pdb:5-5-5+reflect`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heuristic(Vec<Guide>);

impl Heuristic {
    /// Those whose maximum is meant.
    pub fn members(&self) -> &[Guide] {
        &self.0
    }
}

impl From<Guide> for Heuristic {
    fn from(guide: Guide) -> Heuristic {
        Heuristic(vec![guide])
    }
}

impl Default for Heuristic {
    fn default() -> Self {
        Heuristic(vec![Guide::Named(Named::default())])
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&names.join("/"))
    }
}

impl FromStr for Heuristic {
    type Err = HeuristicError;

    fn from_str(text: &str) -> Result<Heuristic, HeuristicError> {
        let mut members: Vec<Guide> = vec![];
        for name in text.split('/') {
            let guide = name.parse()?;
            if !members.contains(&guide) {
                members.push(guide);
            }
        }
        Ok(Heuristic(members))
    }
}

/// Tables in memory that all requests share which name no others.
fn shared_tables() -> Arc<Tables> {
    static SHARED: LazyLock<Arc<Tables>> = LazyLock::new(Arc::default);
    SHARED.clone()
}
