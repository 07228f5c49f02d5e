//! Anytime: a plan at once, then better ones, then the best, with bounds that improve all the time.
//!
//! It begins with a plan from elsewhere, or with a greedy one. Then come rounds
//! of weighted A*, each a little less greedy and only for plans cheaper than the
//! best so far. A round of weight w that finds a plan of cost c proves that the
//! optimum is at least c/w; one that finds none proves the best plan optimal.
//! Rounds that take too many states are cut short. At last IDA* raises the
//! lower bound, in almost no memory, until it meets the upper one.
//!
//! Weights going down: Richter, Thayer, Ruml: The joy of forgetting: faster
//! anytime search via restarting. ICAPS 2010. The bound: Pohl: Heuristic search
//! viewed as path finding in a graph. Artificial Intelligence 1, 1970.

use noyes_puzzle::Space;

use super::astar::{ONE, weighted_a_star};
use super::heuristic::Heuristic;
use super::ida::ida_star_between;
use crate::answer::{Outcome, Status};
use crate::control::{Control, Stop};
use crate::counts::{Bounds, Counts};

/// Weights of the rounds, in quarters.
const WEIGHTS: [u32; 5] = [5 * ONE, 3 * ONE, 2 * ONE, ONE + 2, ONE + 1];
/// States in memory that a round may take, in bytes.
const ROUND_BYTES: usize = 512 << 20;

/// Finds cheaper and cheaper plans until one is optimal or a limit is reached; `first` is a plan to begin with.
pub fn anytime<S: Space, H: Heuristic<S>>(
    space: &S,
    heuristic: &H,
    first: Option<Vec<S::Move>>,
    control: &Control,
) -> Outcome<S::Move> {
    let mut best = Best {
        plan: None,
        upper: u32::MAX,
        lower: 0,
        counts: Counts::default(),
    };
    if let Some(plan) = first {
        let cost = plan.iter().map(|&mv| space.cost(mv)).sum();
        best.improve(plan, cost, control);
    }
    best.lower = heuristic.bound(heuristic.start(&space.start()));
    control.raise_lower(best.lower);
    // 1. Less and less greedy.
    let states = (ROUND_BYTES / space.state_bytes().max(64)) as u64;
    for weight in WEIGHTS {
        if best.lower >= best.upper {
            break;
        }
        let round = weighted_a_star(
            space,
            heuristic,
            weight,
            best.upper,
            &control.after(best.counts).within(states),
        );
        best.counts = round.counts.after(best.counts);
        match (round.status, round.plan, round.bounds.upper) {
            (Status::Limit(Stop::Budget | Stop::Memory), ..) => {}
            (Status::Limit(stop), ..) => return best.told(Some(stop)),
            (_, Some(plan), Some(cost)) => {
                best.improve(plan, cost, control);
                best.raise((cost * ONE).div_ceil(weight), control);
            }
            _ => best.raise(best.upper, control), // nothing cheaper, or nothing at all
        }
    }
    // 2. Up from below.
    if best.lower < best.upper {
        let rest = control.after(best.counts);
        let last = ida_star_between(space, heuristic, best.lower, best.upper, &rest);
        best.counts = last.counts.after(best.counts);
        match (last.status, last.plan, last.bounds.upper) {
            (Status::Limit(stop), ..) => {
                best.raise(last.bounds.lower, control);
                return best.told(Some(stop));
            }
            (_, Some(plan), Some(cost)) => {
                best.improve(plan, cost, control);
                best.raise(cost, control);
            }
            _ => best.raise(best.upper, control),
        }
    }
    best.told(None)
}

struct Best<M> {
    plan: Option<Vec<M>>,
    /// The cost of the plan; the largest number before the first one.
    upper: u32,
    lower: u32,
    counts: Counts,
}

impl<M> Best<M> {
    fn improve(&mut self, plan: Vec<M>, cost: u32, control: &Control) {
        if cost < self.upper {
            (self.plan, self.upper) = (Some(plan), cost);
            control.reduce_upper(cost);
        }
    }

    fn raise(&mut self, lower: u32, control: &Control) {
        if lower > self.lower {
            self.lower = lower;
            control.raise_lower(lower);
        }
    }

    fn told(self, stop: Option<Stop>) -> Outcome<M> {
        let Best {
            plan,
            upper,
            lower,
            counts,
        } = self;
        match (stop, plan) {
            (None, None) => Outcome::unsolvable(lower, counts),
            (None, Some(plan)) => Outcome::optimal(plan, upper, counts),
            (Some(stop), None) => Outcome::stopped(stop, lower, counts),
            (Some(stop), Some(plan)) => {
                let bounds = Bounds {
                    lower,
                    upper: Some(upper),
                };
                Outcome {
                    bounds,
                    plan: Some(plan),
                    ..Outcome::stopped(stop, lower, counts)
                }
            }
        }
    }
}
