//! What comes back from a solve: bounds at least, a plan at best.

use std::fmt;
use std::time::Duration;

use noyes_puzzle::graph::Disconnected;
use noyes_puzzle::sokoban::Walks;
use noyes_puzzle::tiles::{self, Direction};

use crate::control::Stop;
use crate::counts::{Bounds, Counts};
use crate::names::{Engine, Unit};
use crate::sat::EncodingName;
use crate::sokoban::Hopeless;
use crate::tiles::heuristic::HeuristicName;

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A plan, and no cheaper one exists.
    Optimal,
    /// A plan; whether a cheaper one exists is not known.
    Solved,
    /// No plan exists.
    Unsolvable,
    /// A limit was reached first; the bounds say how far the search got.
    Limit(Stop),
}

impl Status {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Status::Optimal => "optimal",
            Status::Solved => "solved",
            Status::Unsolvable => "unsolvable",
            Status::Limit(_) => "limit",
        }
    }

    /// Why it stopped before its answer, if it did.
    pub fn stop(self) -> Option<Stop> {
        match self {
            Status::Limit(stop) => Some(stop),
            _ => None,
        }
    }
}

/// Whether an optimal plan of one player is also the best among those of its cost.
///
/// Plans of fewest pushes are compared by their moves, plans of fewest moves by their pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ties {
    /// It is: no plan of this cost has fewer of the other.
    Proven,
    /// Not known: its cost alone is proven.
    Open,
}

/// Why no plan exists.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// A board whose parity is wrong, or a single line out of order.
    Board(tiles::Unsolvable),
    /// A graph on which the goal lies in another class of states.
    Graph(Disconnected),
    /// A level with fewer boxes than goals.
    Boxes {
        /// Its boxes.
        boxes: usize,
        /// Its goals.
        goals: usize,
    },
    /// A level that can be seen to be unsolvable.
    Level(Hopeless),
    /// Every state that can be reached was looked at.
    Exhausted,
    /// What another machine says.
    Elsewhere(String),
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let s = |n: usize, more: &'static str| if n == 1 { "" } else { more };
        match *self {
            Reason::Board(ref why) => why.fmt(f),
            Reason::Graph(ref why) => why.fmt(f),
            Reason::Boxes { boxes, goals } => write!(
                f,
                "{boxes} box{} for {goals} goal{}, and every goal needs a box",
                s(boxes, "es"),
                s(goals, "s")
            ),
            Reason::Level(ref why) => f.write_str(&why.words),
            Reason::Elsewhere(ref words) => f.write_str(words),
            Reason::Exhausted => f.write_str("no way leads from the start to a solved state"),
        }
    }
}

/// A plan in the words of its puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// On a board: where the blank goes.
    Directions(Vec<Direction>),
    /// On a graph: the vertices the blank goes to.
    Vertices(Vec<u16>),
    /// In a level: what each player does in each step.
    Walks(Walks),
}

impl Plan {
    /// The number of moves, or steps of all players together.
    pub fn len(&self) -> usize {
        match self {
            Plan::Directions(plan) => plan.len(),
            Plan::Vertices(plan) => plan.len(),
            Plan::Walks(plan) => plan.len(),
        }
    }

    /// The plan of a board.
    pub fn directions(&self) -> Option<&[Direction]> {
        match self {
            Plan::Directions(plan) => Some(plan),
            _ => None,
        }
    }

    /// The plan of a level.
    pub fn walks(&self) -> Option<&Walks> {
        match self {
            Plan::Walks(walks) => Some(walks),
            _ => None,
        }
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A step of the human method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HumanStep {
    /// Its number in the method, 1 to 6; steps that repeat others have one number for all repetitions.
    pub number: u8,
    /// The tiles that are home afterwards.
    pub tiles: Vec<u16>,
    /// Its part of the plan.
    pub moves: Vec<Direction>,
    /// After how many of its moves the last two tiles are in set-up position, if they need one.
    pub setup: Option<usize>,
}

/// The answer to a request. Engines hand it back with plans of their own kind `P`.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Answer<P = Plan> {
    /// How it ended.
    pub status: Status,
    /// What is known of the optimum.
    pub bounds: Bounds,
    /// What the bounds count.
    pub unit: Unit,
    /// The best plan found, already replayed by the checker.
    pub plan: Option<P>,
    /// Whether ties are broken, where the plan is optimal and of one player.
    pub ties: Option<Ties>,
    /// Why no plan exists, if none does.
    pub reason: Option<Reason>,
    /// The plan in steps, if the engine makes it so; put together they are the plan.
    pub steps: Vec<HumanStep>,
    /// The engine that ran; `Auto` only where none had to.
    pub engine: Engine,
    /// The heuristic it used, if it uses one.
    pub heuristic: Option<HeuristicName>,
    /// How it wrote the puzzle as clauses, if it did.
    pub encoding: Option<EncodingName>,
    /// Its counts.
    pub counts: Counts,
    /// Time that passed.
    pub wall: Duration,
    /// Processor time of the solving threads; that of other programs is not known.
    pub cpu: Duration,
}

impl<M> Answer<Vec<M>> {
    /// The answer of an engine with this outcome; the caller adds the rest.
    pub(crate) fn new(engine: Engine, outcome: Outcome<M>) -> Answer<Vec<M>> {
        Answer {
            status: outcome.status,
            bounds: outcome.bounds,
            unit: Unit::Moves,
            plan: outcome.plan,
            ties: None,
            reason: None,
            steps: vec![],
            engine,
            heuristic: None,
            encoding: None,
            counts: outcome.counts,
            wall: Duration::ZERO,
            cpu: Duration::ZERO,
        }
    }

    /// There is no plan, which is known without a search.
    pub(crate) fn unsolvable(reason: Reason) -> Answer<Vec<M>> {
        Answer {
            reason: Some(reason),
            ..Answer::new(Engine::Auto, Outcome::unsolvable(0, Counts::default()))
        }
    }
}

impl<P> Answer<P> {
    /// The same with its plan in other words.
    pub(crate) fn map<Q>(self, words: impl FnOnce(P) -> Q) -> Answer<Q> {
        Answer {
            plan: self.plan.map(words),
            status: self.status,
            bounds: self.bounds,
            unit: self.unit,
            ties: self.ties,
            reason: self.reason,
            steps: self.steps,
            engine: self.engine,
            heuristic: self.heuristic,
            encoding: self.encoding,
            counts: self.counts,
            wall: self.wall,
            cpu: self.cpu,
        }
    }

    /// The same, counting what was done before it, too.
    #[must_use]
    pub(crate) fn after(self, done: Counts) -> Answer<P> {
        Answer {
            counts: self.counts.after(done),
            ..self
        }
    }
}

/// What an engine hands back: how it ended, with a plan in moves of its space.
#[derive(Clone, Debug)]
pub struct Outcome<M> {
    /// How it ended.
    pub status: Status,
    /// What is known of the optimum.
    pub bounds: Bounds,
    /// The best plan found.
    pub plan: Option<Vec<M>>,
    /// Its counts.
    pub counts: Counts,
}

impl<M> Outcome<M> {
    pub(crate) fn optimal(plan: Vec<M>, cost: u32, counts: Counts) -> Self {
        Outcome {
            status: Status::Optimal,
            bounds: Bounds {
                lower: cost,
                upper: Some(cost),
            },
            plan: Some(plan),
            counts,
        }
    }

    pub(crate) fn unsolvable(lower: u32, counts: Counts) -> Self {
        Outcome {
            status: Status::Unsolvable,
            bounds: Bounds { lower, upper: None },
            plan: None,
            counts,
        }
    }

    pub(crate) fn stopped(stop: Stop, lower: u32, counts: Counts) -> Self {
        Outcome {
            status: Status::Limit(stop),
            bounds: Bounds { lower, upper: None },
            plan: None,
            counts,
        }
    }

    /// The outcome of a search with this best plan, that saw everything or was stopped by a limit.
    pub(crate) fn ended(
        end: Result<(), Stop>,
        lower: u32,
        best: Option<(Vec<M>, u32)>,
        counts: Counts,
    ) -> Self {
        match (end, best) {
            (Ok(()), Some((plan, cost))) => Outcome::optimal(plan, cost, counts),
            (Ok(()), None) => Outcome::unsolvable(lower, counts),
            (Err(stop), None) => Outcome::stopped(stop, lower, counts),
            (Err(stop), Some((plan, cost))) => Outcome {
                bounds: Bounds {
                    lower,
                    upper: Some(cost),
                },
                plan: Some(plan),
                ..Outcome::stopped(stop, lower, counts)
            },
        }
    }
}
