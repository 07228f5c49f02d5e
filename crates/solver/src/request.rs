//! A request: what to solve and how, checked before any work starts.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use noyes_puzzle::graph::{Arrangement, Graph, GraphError, number};
use noyes_puzzle::tiles::{Board, Goal, GoalError};

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
}

/// What to solve, and how.
///
/// ```
/// use noyes_puzzle::tiles::Goal;
/// use noyes_solver::{Engine, Request};
/// let request = Request::board("1 2 3/4 0 6/7 5 8".parse()?, &Goal::BlankLast)?.engine(Engine::Bfs);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Request {
    pub(crate) puzzle: Puzzle,
    pub(crate) engine: Engine,
    pub(crate) heuristic: Heuristic,
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

    fn new(puzzle: Puzzle) -> Request {
        Request {
            puzzle,
            engine: Engine::default(),
            heuristic: Heuristic::default(),
        }
    }

    /// By this engine.
    #[must_use]
    pub fn engine(self, engine: Engine) -> Request {
        Request { engine, ..self }
    }

    /// With this heuristic, where the engine uses one.
    #[must_use]
    pub fn heuristic(self, heuristic: Heuristic) -> Request {
        Request { heuristic, ..self }
    }

    /// What is to be solved.
    pub fn puzzle(&self) -> &Puzzle {
        &self.puzzle
    }
}

/// Declares an enum of names that read and print as themselves.
macro_rules! names {
    ($(#[$doc:meta])* $type:ident { $($(#[$each:meta])* $variant:ident = $name:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
        pub enum $type { $($(#[$each])* $variant),* }

        impl $type {
            /// All of them.
            pub const ALL: &[$type] = &[$($type::$variant),*];

            /// Its name on the command line.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name),* }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.pad(self.name())
            }
        }

        impl FromStr for $type {
            type Err = String;

            fn from_str(text: &str) -> Result<$type, String> {
                $type::ALL.iter().copied().find(|x| x.name() == text).ok_or_else(|| {
                    let known: Vec<_> = $type::ALL.iter().map(|x| x.name()).collect();
                    format!("{text:?} is not known here (expected {})", known.join(", "))
                })
            }
        }
    };
}

names! {
    /// A way of finding plans.
    Engine {
        /// Whatever suits the puzzle.
        #[default]
        Auto = "auto",
        /// Breadth-first search.
        Bfs = "bfs",
        /// Iterative-deepening A*.
        IdaStar = "idastar",
    }
}

impl Engine {
    /// Whether it is guided by a heuristic.
    pub fn uses_heuristic(self) -> bool {
        self != Engine::Bfs
    }
}

names! {
    /// A lower bound on the cost left, by its name.
    Named {
        /// The sum over the tiles of their distances to their places.
        #[default]
        Manhattan = "manhattan",
    }
}

/// The heuristics of a request: the maximum of those named, such as `manhattan` or `walking/linear-conflict`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heuristic(Vec<Named>);

impl Heuristic {
    /// Manhattan distance alone.
    pub fn manhattan() -> Heuristic {
        Heuristic(vec![Named::Manhattan])
    }

    /// Those whose maximum is meant.
    pub fn members(&self) -> &[Named] {
        &self.0
    }
}

impl Default for Heuristic {
    fn default() -> Self {
        Heuristic(vec![Named::default()])
    }
}

impl fmt::Display for Heuristic {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let names: Vec<String> = self.0.iter().map(ToString::to_string).collect();
        f.write_str(&names.join("/"))
    }
}

impl FromStr for Heuristic {
    type Err = String;

    fn from_str(text: &str) -> Result<Heuristic, String> {
        text.split('/')
            .map(str::parse)
            .collect::<Result<_, _>>()
            .map(Heuristic)
    }
}
