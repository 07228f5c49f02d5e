//! What comes back from a solve: bounds at least, a plan at best.

use std::time::Duration;

use noyes_puzzle::sokoban::Walks;
use noyes_puzzle::tiles::Direction;

use crate::control::Stop;
use crate::counts::{Bounds, Counts};
use crate::names::Engine;
use crate::request::Heuristic;
use crate::sat::EncodingName;

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A plan, and no cheaper one exists.
    Optimal,
    /// A plan; whether a cheaper one exists is not known.
    Solved,
    /// No plan exists.
    Unsolvable,
    /// A limit came first; the bounds say how far it got.
    Limit(Stop),
}

impl Status {
    /// The word for it, as in the JSON output.
    pub fn word(self) -> &'static str {
        match self {
            Status::Optimal => "optimal",
            Status::Solved => "solved",
            Status::Unsolvable => "unsolvable",
            Status::Limit(_) => "limit",
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

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A step of the human method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number in the method, 1 to 6; steps that repeat others have one number for all repetitions.
    pub number: u8,
    /// The tiles that are home afterwards.
    pub tiles: Vec<u16>,
    /// Its part of the plan.
    pub moves: Vec<Direction>,
    /// After how many of its moves the last two tiles are in set-up position, if they need one.
    pub setup: Option<usize>,
}

/// The answer to a request.
#[derive(Clone, Debug)]
pub struct Answer {
    /// How it ended.
    pub status: Status,
    /// What is known of the optimum.
    pub bounds: Bounds,
    /// The best plan found, already replayed by the checker.
    pub plan: Option<Plan>,
    /// Why no plan exists, in words, if it is so; or what is not proven of an optimal one, beside its cost.
    pub reason: Option<String>,
    /// The plan in steps, if the engine makes it so; put together they are the plan.
    pub steps: Vec<Step>,
    /// The engine that ran, never `Auto`.
    pub engine: Engine,
    /// The heuristic it used, if it uses one.
    pub heuristic: Option<Heuristic>,
    /// How it wrote the puzzle as clauses, if it did.
    pub encoding: Option<EncodingName>,
    /// Its counts.
    pub counts: Counts,
    /// Time that passed.
    pub wall: Duration,
    /// Processor time of the solving threads; that of other programs is not known.
    pub cpu: Duration,
}

/// What an engine hands back: the same, in moves of the space.
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

    /// How a search ended that had this plan at best: with nothing left to look at, or by a limit.
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
