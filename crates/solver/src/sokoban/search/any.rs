//! Any plan, soon, and then better ones.
//!
//! `first` finds the first plan. Then a greedy search with a smaller weight looks for a
//! better one within a budget of states, and parts of the plan are replaced by better
//! ones; see `improve`. Finally the optimal search
//! runs, which has to look only at what could beat the plan at hand. At every moment
//! there is a lower bound, and a best plan once one has been found. A limit ends the
//! search with both.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::first::{WEIGHT, first};
use super::found::{Costed, Found, Pair};
use super::greedy::Greedy;
use super::improve::improve;
use super::optimal::{fewest_moves, fewest_pushes, optimal, solve, start_bound};
use super::plan::pushes_of;
use super::setup::Setup;
use crate::answer::{Outcome, Status};
use crate::control::{Control, Stop};
use crate::names::Objective;
use crate::sokoban::bound::distance::Distances;
use crate::sokoban::ran::Ran;

/// The weights of the bound, in quarters, in the order in which they are tried.
const WEIGHTS: [u32; 2] = [WEIGHT, 7];
/// A later weight may expand this many times the states that the search before it expanded, and at least `AT_LEAST`.
const PATIENCE: u64 = 20;
const AT_LEAST: u64 = 20_000;
/// States that the optimal search may generate before the plan is improved in windows: about a quarter of a second.
const SOON: u64 = 1_000_000;
/// An optimal search that generates fewer states does without another plan.
const SMALL: u64 = 4_000_000;
/// The most states for a plan to begin an optimal search with.
const PLAN_STATES: u64 = 2_000_000;

/// Finds a plan soon, then better ones, until one is proven optimal or a limit is reached. The first plan is looked for with
/// this number of threads.
pub fn any_plan(
    level: &Level,
    objective: Objective,
    threads: usize,
    control: &Control,
) -> Outcome<Direction> {
    solve(level, control, |setup, counts, memory| {
        control.raise_lower(start_bound(setup));
        let mut best: Option<Costed> = None;
        let mut most = u64::MAX;
        for weight in WEIGHTS {
            let before = (counts.expanded, memory.bytes());
            let found = if best.is_none() {
                first(level, setup, u64::MAX, threads, counts, memory, control)
            } else {
                Distances::from_start(&setup.field, memory).and_then(|from_start| {
                    let mut greedy = Greedy::new(setup, &from_start, weight, false);
                    greedy.run(most, counts, memory, control)
                })
            };
            memory.release(memory.bytes() - before.1);
            most = (PATIENCE * (counts.expanded - before.0)).max(AT_LEAST);
            match found {
                Ok(Some(plan)) => {
                    let cost = cost_of(setup, &plan, objective);
                    if best.as_ref().is_none_or(|(_, known)| cost < *known) {
                        control.reduce_upper(cost.0);
                        best = Some((plan, cost));
                    }
                }
                // The first search is exhaustive: there is no plan. Later weights may run out of their budget.
                Ok(None) if best.is_none() => {
                    return Found {
                        end: Ok(()),
                        lower: 0,
                        best,
                        any: true,
                    };
                }
                Ok(None) | Err(Stop::Budget) => {}
                Err(Stop::Memory) if best.is_some() => {}
                Err(stop) => {
                    return Found {
                        end: Err(stop),
                        lower: start_bound(setup),
                        best,
                        any: true,
                    };
                }
            }
        }
        // Windows are for levels whose optimum takes long.
        let bytes = memory.bytes();
        let soon = control.within(counts.generated + SOON);
        let found = optimal(setup, objective, best, counts, memory, &soon);
        if found.end != Err(Stop::Budget) {
            return found;
        }
        memory.release(memory.bytes() - bytes);
        let improved = improve(level, setup, objective, found.best, counts, memory, control);
        optimal(setup, objective, improved, counts, memory, control)
    })
}

/// Finds an optimal plan. On a large level, finds some plan first with this number of threads, so that there is one when a limit is
/// reached.
pub(crate) fn plan_and_proof(
    level: &Level,
    objective: Objective,
    threads: usize,
    control: &Control,
) -> Ran<Direction> {
    let small = control.within(SMALL.min(control.budget()));
    let ran = match objective {
        Objective::Pushes => fewest_pushes(level, &small),
        Objective::Moves => fewest_moves(level, &small),
    };
    if ran.outcome.status != Status::Limit(Stop::Budget) || control.budget() <= SMALL {
        return ran;
    }
    let (before, lower) = (ran.outcome.counts, ran.outcome.bounds.lower);
    let control = control.after(before);
    let mut outcome = solve(level, &control, |setup, counts, memory| {
        control.raise_lower(lower.max(start_bound(setup)));
        let bytes = memory.bytes();
        let found = first(level, setup, PLAN_STATES, threads, counts, memory, &control);
        memory.release(memory.bytes() - bytes);
        let best = found.ok().flatten().map(|plan| {
            let cost = cost_of(setup, &plan, objective);
            control.reduce_upper(cost.0);
            (plan, cost)
        });
        optimal(setup, objective, best, counts, memory, &control)
    });
    outcome.counts = outcome.counts.after(before);
    Ran {
        engine: ran.engine,
        outcome,
    }
}

/// Finds some plan with this number of threads and stops there.
pub fn first_plan(
    level: &Level,
    objective: Objective,
    threads: usize,
    control: &Control,
) -> Outcome<Direction> {
    solve(level, control, |setup, counts, memory| {
        let found = first(level, setup, u64::MAX, threads, counts, memory, control);
        let lower = start_bound(setup);
        let costed = |plan: Vec<Direction>| {
            let cost = cost_of(setup, &plan, objective);
            (plan, cost)
        };
        let (end, best) = match found {
            Ok(plan) => (Ok(()), plan.map(costed)),
            Err(stop) => (Err(stop), None),
        };
        Found {
            end,
            lower,
            best,
            any: true,
        }
    })
}

/// The cost of a plan from the start.
fn cost_of(setup: &Setup, plan: &[Direction], objective: Objective) -> Pair {
    let pushes = pushes_of(setup, plan).len() as u32;
    let moves = plan.len() as u32;
    match objective {
        Objective::Pushes => (pushes, moves),
        Objective::Moves => (moves, pushes),
    }
}
