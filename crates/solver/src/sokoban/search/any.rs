//! Any plan, soon: a greedy search from both ends, followed by searches for better
//! plans.
//!
//! The first plan comes from best-first search by g + w·h with a large weight w. It
//! pushes from the start and pulls from the goals, and always continues at the end
//! that has seen fewer states. The two ends meet long before either has seen what an
//! optimal search has to see. PI-corrals prune pushes and dead states, and most
//! levels take a few thousand states. If that is not enough, half of the states
//! expanded from the start are from then on chosen by the order in which goals
//! should be filled; see `guide`. After tens of thousands of states, feature-space
//! searches over macro moves take turns with it; see `large`. Each of them has about
//! half of the time, so that one bad guess does not cost the level.
//!
//! Then a smaller weight looks for a better plan within a budget of states, and parts
//! of the plan are replaced by better ones; see `improve`. Finally the optimal search runs, which has to look only at what could beat the plan at
//! hand. At every moment there is a lower bound, and a best plan once one has been
//! found. A limit ends the search with both.
//!
//! With more boxes than goals, the extra boxes could end up anywhere. Then there is
//! no other end to search from.
//!
//! The weight is due to Pohl: First results on the effect of error in heuristic
//! search. Machine Intelligence 5, 1970.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::found::{Costed, Found, Pair};
use super::guide::Guide;
use super::half::PushHalf;
use super::improve::improve;
use super::optimal::{fewest_moves, fewest_pushes, optimal, solve, start_bound};
use super::plan::{follow, pushes_of, walked};
use super::setup::Setup;
use crate::answer::{Outcome, Status};
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::core::queue::{Buckets, Pool};
use crate::counts::Counts;
use crate::names::Objective;
use crate::sokoban::bound::distance::{Distances, Way};
use crate::sokoban::large::feature_search::{FeatureSearch, STYLES};
use crate::sokoban::ran::Ran;

use crate::core::blocks::Id;
use crate::core::words::hash_of;

/// The weights of the bound, in quarters, in the order in which they are tried.
const WEIGHTS: [u32; 2] = [20, 7];
/// A later weight may expand this many times the states that the search before it expanded, and at least `AT_LEAST`.
const PATIENCE: u64 = 20;
const AT_LEAST: u64 = 20_000;
/// After this many states, the search for a first plan also follows a goal order.
const WAIT: u64 = 2_000;
/// After this many states, feature-space searches take turns with it.
const ALONE: u64 = 60_000;
/// The first turn of a feature-space search, in states. A turn of the greedy search is `PER_MOVE` times as long, which
/// takes about as much time.
const TURN: u64 = 2_000;
const PER_MOVE: u64 = 10;
/// States that the optimal search may generate before the plan is improved in windows: about a quarter of a second.
const SOON: u64 = 1_000_000;
/// An optimal search that generates fewer states does without another plan.
const SMALL: u64 = 4_000_000;
/// The most states for a plan to begin an optimal search with.
const PLAN_STATES: u64 = 2_000_000;

/// Finds a plan soon, then better ones, until one is proven optimal or a limit is reached.
pub fn any_plan(level: &Level, objective: Objective, control: &Control) -> Outcome<Direction> {
    solve(level, control, |setup, counts, memory| {
        control.raise_lower(start_bound(setup));
        let mut best: Option<Costed> = None;
        let mut most = u64::MAX;
        for weight in WEIGHTS {
            let before = (counts.expanded, memory.bytes());
            let found = if best.is_none() {
                first(setup, u64::MAX, counts, memory, control)
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

/// Finds an optimal plan. On a large level, finds some plan first, so that there is one when a limit is reached.
pub(crate) fn plan_and_proof(
    level: &Level,
    objective: Objective,
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
    let before = ran.outcome.counts;
    let control = control.after(before);
    let mut outcome = solve(level, &control, |setup, counts, memory| {
        control.raise_lower(start_bound(setup));
        let bytes = memory.bytes();
        let found = first(setup, PLAN_STATES, counts, memory, &control);
        memory.release(memory.bytes() - bytes);
        let best = found.ok().flatten().map(|plan| {
            let cost = cost_of(setup, &plan, objective);
            control.reduce_upper(cost.0);
            (plan, cost)
        });
        optimal(setup, objective, best, counts, memory, &control)
    });
    outcome.counts.expanded += before.expanded;
    outcome.counts.generated += before.generated;
    Ran {
        engine: ran.engine,
        outcome,
    }
}

/// Finds some plan and stops there.
pub fn first_plan(level: &Level, objective: Objective, control: &Control) -> Outcome<Direction> {
    solve(level, control, |setup, counts, memory| {
        let found = first(setup, u64::MAX, counts, memory, control);
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

/// Finds some plan; none if no plan exists. The greedy search and feature-space searches take turns until about `most`
/// states have been expanded.
fn first(
    setup: &Setup,
    most: u64,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Result<Option<Vec<Direction>>, Stop> {
    let from_start = Distances::from_start(&setup.field, memory)?;
    let mut greedy = Greedy::new(setup, &from_start, WEIGHTS[0], true);
    let alone = if setup.surplus > 0 { most } else { ALONE };
    match greedy.run(alone, counts, memory, control) {
        Err(Stop::Budget) => {}
        found => return found,
    }
    let mut searches = [const { None }; STYLES.len()];
    let mut turn = TURN;
    let end = counts.expanded.saturating_add(most);
    loop {
        if setup.surplus > 0 || counts.expanded >= end {
            return Err(Stop::Budget);
        }
        for (style, search) in STYLES.iter().zip(&mut searches) {
            if search.is_none() {
                *search = Some(FeatureSearch::new(setup, *style, memory)?);
            }
            let search = search.as_mut().expect("it is there");
            match search.run(turn.min(most), counts, memory, control) {
                Ok(Some(pushes)) => {
                    let plan = walked(setup, &pushes).expect("each push is possible");
                    return Ok(Some(plan));
                }
                Ok(None) | Err(Stop::Budget) => {}
                Err(stop) => return Err(stop),
            }
            match greedy.run(turn * PER_MOVE, counts, memory, control) {
                Err(Stop::Budget) => {}
                found => return found,
            }
        }
        turn *= 2;
    }
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

/// A weighted best-first search from both ends, which can be continued after a budget is used up.
struct Greedy<'a> {
    setup: &'a Setup,
    weight: u32,
    ends: Vec<PushHalf<'a>>,
    pool: Pool,
    open: Vec<Buckets>,
    due: Pace,
    guide: Option<Guide<'a>>,
    /// The number of states after which a goal order helps, in addition to the bound.
    wait: u64,
    expanded: u64,
}

impl<'a> Greedy<'a> {
    /// A search that has not begun; `from_start` has the distances from the boxes of the start. With `guided`, a goal
    /// order helps.
    fn new(setup: &'a Setup, from_start: &'a Distances, weight: u32, guided: bool) -> Greedy<'a> {
        let mut ends = vec![PushHalf::new(setup, &setup.distances, Way::Push, true)];
        if setup.surplus == 0 {
            ends.push(PushHalf::new(setup, from_start, Way::Pull, false));
        }
        for end in &mut ends {
            end.greedy = true;
        }
        Greedy {
            setup,
            weight,
            pool: Pool::new(),
            open: ends.iter().map(|_| Buckets::new()).collect(),
            ends,
            due: setup.field.pace(),
            guide: None,
            wait: if guided { WAIT } else { u64::MAX },
            expanded: 0,
        }
    }

    /// Opens the states to begin from; false if there is no plan.
    fn begin(&mut self, memory: &mut Memory) -> Result<bool, Stop> {
        for (end, open) in self.ends.iter_mut().zip(&mut self.open) {
            end.begin(memory)?;
            for &(id, g, h) in &end.fresh {
                let key = (4 * g + self.weight * h, h);
                self.pool.push(open, key, id, memory)?;
            }
        }
        Ok(self.ends.iter().all(|end| end.seen.len() > 0))
    }

    /// Searches until this many more states have been expanded. None if there is no plan.
    fn run(
        &mut self,
        most: u64,
        counts: &mut Counts,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<Option<Vec<Direction>>, Stop> {
        if self.ends[0].seen.len() == 0 {
            if !self.begin(memory)? {
                return Ok(None);
            }
            let [first, ..] = &self.ends[..] else {
                return Ok(None);
            };
            let start = first.seen.state(0);
            let is_end = |end: &PushHalf| end.seen.find(start, hash_of(start)).is_some();
            if first.seen.value(0).h == 0 && self.ends.get(1).is_none_or(is_end) {
                return Ok(Some(vec![]));
            }
        }
        let end = self.expanded.saturating_add(most);
        loop {
            // 1. A search that takes long is also guided by a goal order.
            if self.expanded >= self.wait {
                self.wait = u64::MAX;
                self.guide = Guide::new(self.setup, memory)?;
                if let Some(guide) = &mut self.guide {
                    let (pool, open) = (&mut self.pool, &mut self.open[0]);
                    guide.join(&self.ends[0].seen, pool, open, memory)?;
                }
            }
            if self.expanded >= end {
                return Err(Stop::Budget);
            }
            // 2. The end that has seen fewer states continues.
            let ends = &mut self.ends;
            let side = usize::from(ends.len() > 1 && ends[1].seen.len() < ends[0].seen.len());
            let next = match &mut self.guide {
                Some(guide) if side == 0 => guide.take(&mut self.pool, &mut self.open[0], memory),
                _ => (self.pool.pop(&mut self.open[side], memory)).map(|(_, id)| id),
            };
            let Some(id) = next else {
                return Ok(None);
            };
            if self.due.is_due() {
                control.poll(counts)?;
            }
            self.expanded += 1;
            // 3. Its pushes or pulls. If the two ends meet, there is a plan.
            let (one, two) = ends.split_at_mut(1);
            let (half, other) = match side {
                0 => (&mut one[0], two.first()),
                _ => (&mut two[0], one.first()),
            };
            let met = half.expand(
                id,
                &mut u32::MAX.clone(),
                other.map(|o| &o.seen),
                counts,
                memory,
            )?;
            let solved = half.fresh.iter().find(|fresh| fresh.2 == 0);
            let plan = match (met, solved) {
                (Some((_, here, there)), _) => Some(if side == 0 {
                    (here, Some(there))
                } else {
                    (there, Some(here))
                }),
                (None, Some(&(id, ..))) if other.is_none() => Some((id, None)),
                _ => None,
            };
            if let Some((first, second)) = plan {
                return Ok(Some(plan_of(self.setup, &self.ends, first, second)));
            }
            for &(id, g, h) in &half.fresh {
                let key = (4 * g + self.weight * h, h);
                self.pool.push(&mut self.open[side], key, id, memory)?;
            }
            if side == 0
                && let Some(guide) = &mut self.guide
            {
                for &(id, _, h) in &half.fresh {
                    guide.push(&half.seen, id, h, &mut self.pool, memory)?;
                }
            }
        }
    }
}

fn plan_of(setup: &Setup, ends: &[PushHalf], first: Id, second: Option<Id>) -> Vec<Direction> {
    let there = ends[0].chain(first);
    let back = second.map_or(vec![], |second| ends[1].chain(second));
    let keys = (there.iter().skip(1).map(|&id| ends[0].seen.state(id)))
        .chain(back.iter().rev().skip(1).map(|&id| ends[1].seen.state(id)));
    follow(setup, keys)
}
