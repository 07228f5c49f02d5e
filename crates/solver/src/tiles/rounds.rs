//! Rounds: a plan at once, then better ones, and a lower bound that meets them, on boards whose tables fit into memory.
//!
//! A first plan is known. Then beam search (`subtrees/beam.rs`) and IDA* (`subtrees/search.rs`) take turns with the
//! same tables: each round has a wider beam for a shorter plan, and time for IDA*, which raises the lower bound. When the beam is as wide as it gets, IDA* goes on alone until both bounds meet.

use noyes_puzzle::tiles::Direction;

use super::subtrees::{CheckpointError, Deepening, Run};
use crate::answer::{Outcome, Status};
use crate::control::{Control, Stop};
use crate::counts::{Bounds, Counts};
use crate::puzzle::BoardPuzzle;
use crate::request::Descent;

/// Nodes in a layer of the beam, round by round, and how many states IDA* may generate for each of the beam's. It takes a
/// third of the time for a state, so it has as much time as the beam from the fourth round on.
const ROUNDS: [(usize, u64); 6] = [
    (100, 1),
    (1_000, 1),
    (10_000, 1),
    (50_000, 3),
    (200_000, 3),
    (400_000, 3),
];

/// Finds shorter and shorter plans until one is optimal or a limit is reached.
///
/// # Errors
/// If a checkpoint cannot be used.
pub fn rounds(
    board: &BoardPuzzle,
    deepening: &Deepening,
    known: Known,
    descent: &Descent,
    control: &Control,
) -> Result<Outcome<Direction>, CheckpointError> {
    let start = &board.start;
    let lower = known.lower.max(deepening.bound(start));
    control.raise_lower(lower);
    let mut best = Best {
        plan: None,
        bounds: Bounds { lower, upper: None },
        counts: Counts {
            peak_bytes: deepening.bytes(),
            ..Counts::default()
        },
    };
    best.improve(known.plan, control);
    for (width, pace) in ROUNDS {
        // 1. A shorter plan.
        let upper = best.upper();
        if best.bounds.lower >= upper {
            break;
        }
        let found = deepening.beam(start, width, upper, &control.after(best.counts));
        let states = found.counts.generated;
        best.counts = found.counts.after(best.counts);
        best.improve(found.plan, control);
        match found.stop {
            None => {}
            Some(Stop::Memory) => break,
            Some(stop) => return Ok(best.told(Some(stop))),
        }
        // 2. A better bound.
        let within = control.after(best.counts).within(pace * states);
        if let Some(outcome) = best.deepen(start, deepening, None, descent, &within)? {
            return Ok(outcome);
        }
    }
    let rest = control.after(best.counts);
    let keep = descent.checkpoints.as_ref();
    let outcome = best.deepen(start, deepening, keep, descent, &rest)?;
    Ok(outcome.unwrap_or_else(|| best.told(None)))
}

/// What is known before the first round.
#[derive(Default)]
pub struct Known {
    pub lower: u32,
    pub plan: Option<Vec<Direction>>,
}

/// What is known.
struct Best {
    plan: Option<Vec<Direction>>,
    bounds: Bounds,
    counts: Counts,
}

impl Best {
    fn upper(&self) -> u32 {
        self.bounds.upper.unwrap_or(u32::MAX)
    }

    fn improve(&mut self, plan: Option<Vec<Direction>>, control: &Control) {
        if let Some(plan) = plan
            && (plan.len() as u32) < self.upper()
        {
            control.reduce_upper(plan.len() as u32);
            self.bounds.upper = Some(plan.len() as u32);
            self.plan = Some(plan);
        }
    }

    /// Raises the lower bound by IDA*; an outcome if the search has ended.
    fn deepen(
        &mut self,
        start: &noyes_puzzle::tiles::Board,
        deepening: &Deepening,
        checkpoints: Option<&super::subtrees::Keep>,
        descent: &Descent,
        control: &Control,
    ) -> Result<Option<Outcome<Direction>>, CheckpointError> {
        if self.bounds.lower >= self.upper() {
            return Ok(Some(self.told(None)));
        }
        let run = Run {
            lower: self.bounds.lower,
            upper: self.upper(),
            threads: descent.threads,
            device: None,
            checkpoints,
            control,
        };
        let outcome = deepening.solve(start, run)?;
        self.counts = outcome.counts.after(self.counts);
        self.bounds.lower = self.bounds.lower.max(outcome.bounds.lower);
        Ok(match outcome.status {
            Status::Optimal => {
                self.improve(outcome.plan, control);
                Some(self.told(None))
            }
            Status::Limit(Stop::Bound) => Some(self.told(None)),
            Status::Limit(Stop::Budget) => None,
            Status::Limit(stop) => Some(self.told(Some(stop))),
            Status::Unsolvable | Status::Solved => unreachable!("a board that can be solved"),
        })
    }

    fn told(&mut self, stop: Option<Stop>) -> Outcome<Direction> {
        let Best { bounds, counts, .. } = *self;
        let plan = self.plan.take();
        match (stop, plan) {
            (None, Some(plan)) => Outcome::optimal(plan, bounds.lower, counts),
            (stop, plan) => Outcome {
                bounds,
                plan,
                ..Outcome::stopped(stop.unwrap_or(Stop::Bound), bounds.lower, counts)
            },
        }
    }
}
