//! Any plan, soon: a greedy search from both ends, followed by searches for better
//! plans.
//!
//! The first plan comes from best-first search by g + w·h with a large weight w. It
//! pushes from the start and pulls from the goals, and always continues at the end
//! that has seen fewer states. The two ends meet long before either has seen what an
//! optimal search has to see. PI-corrals prune pushes and dead states, and most
//! levels take a few thousand states. If that is not enough, half of the states
//! expanded from the start are from then on chosen by the order in which goals
//! should be filled; see `guide`.
//!
//! Then a smaller weight looks for a better plan within a budget of states. Finally
//! the optimal search runs, which has to look only at what could beat the plan at
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
use super::optimal::{optimal, solve, start_bound};
use super::plan::follow;
use super::setup::Setup;
use crate::answer::Outcome;
use crate::control::{Control, Stop};
use crate::core::memory::Memory;
use crate::core::queue::{Buckets, Pool};
use crate::counts::Counts;
use crate::names::Objective;
use crate::sokoban::bound::distance::{Distances, Way};

use crate::core::blocks::Id;
use crate::core::words::hash_of;

/// The weights of the bound, in quarters, in the order in which they are tried.
const WEIGHTS: [u32; 2] = [20, 7];
/// A later weight may expand this many times the states that the search before it expanded, and at least `AT_LEAST`.
const PATIENCE: u64 = 20;
const AT_LEAST: u64 = 20_000;
/// After this many states, the search for a first plan also follows a goal order.
const WAIT: u64 = 2_000;

/// Finds a plan soon, then better ones, until one is proven optimal or a limit is reached.
pub fn any_plan(level: &Level, objective: Objective, control: &Control) -> Outcome<Direction> {
    solve(level, control, |setup, counts, memory| {
        control.raise_lower(start_bound(setup));
        let mut best: Option<Costed> = None;
        let mut most = u64::MAX;
        for weight in WEIGHTS {
            let before = (counts.expanded, memory.bytes());
            let guided = best.is_none();
            let found = greedy(setup, weight, guided, most, counts, memory, control);
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
        optimal(setup, objective, best, counts, memory, control)
    })
}

/// Finds some plan and stops there.
pub fn first_plan(level: &Level, objective: Objective, control: &Control) -> Outcome<Direction> {
    solve(level, control, |setup, counts, memory| {
        let found = greedy(setup, WEIGHTS[0], true, u64::MAX, counts, memory, control);
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
    let field = &setup.field;
    let mut boxes = field.boxes.clone();
    let (mut player, mut pushes) = (field.player, 0);
    for &direction in plan {
        let d = direction as usize;
        player = field.step(player, d);
        if let Some(b) = boxes.iter_mut().find(|b| **b == player) {
            *b = field.step(player, d);
            pushes += 1;
        }
    }
    let moves = plan.len() as u32;
    match objective {
        Objective::Pushes => (pushes, moves),
        Objective::Moves => (moves, pushes),
    }
}

/// Finds a plan, if one exists, by weighted best-first search from both ends. With `guided`, a goal order helps.
fn greedy(
    setup: &Setup,
    weight: u32,
    guided: bool,
    most: u64,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Result<Option<Vec<Direction>>, Stop> {
    let from_start = Distances::from_start(&setup.field, memory)?;
    let mut ends = vec![PushHalf::new(setup, &setup.distances, Way::Push, true)];
    if setup.surplus == 0 {
        ends.push(PushHalf::new(setup, &from_start, Way::Pull, false));
    }
    let mut pool = Pool::new();
    let mut open: Vec<Buckets> = ends.iter().map(|_| Buckets::new()).collect();
    let mut due = setup.field.pace();
    let end = counts.expanded.saturating_add(most);
    for (end, open) in ends.iter_mut().zip(&mut open) {
        end.greedy = true;
        end.begin(memory)?;
        for &(id, g, h) in &end.fresh {
            let key = (4 * g + weight * h, h);
            pool.push(open, key, id, memory)?;
        }
    }
    if ends[0].seen.len() == 0 || ends.last().is_none_or(|end| end.seen.len() == 0) {
        return Ok(None);
    }
    let start = ends[0].seen.state(0);
    if ends[0].seen.value(0).h == 0
        && (ends.len() == 1 || ends[1].seen.find(start, hash_of(start)).is_some())
    {
        return Ok(Some(vec![]));
    }
    let begin = counts.expanded + WAIT;
    let mut guide: Option<Guide> = None;
    let mut wanted = guided;
    loop {
        // 1. A search that takes long is also guided by a goal order.
        if wanted && counts.expanded >= begin {
            wanted = false;
            guide = Guide::new(setup, memory)?;
            if let Some(guide) = &mut guide {
                guide.join(&ends[0].seen, &mut pool, &mut open[0], memory)?;
            }
        }
        // 2. The end that has seen fewer states continues.
        let side = usize::from(ends.len() > 1 && ends[1].seen.len() < ends[0].seen.len());
        let next = match &mut guide {
            Some(guide) if side == 0 => guide.take(&mut pool, &mut open[0], memory),
            _ => pool.pop(&mut open[side], memory).map(|(_, id)| id),
        };
        let Some(id) = next else {
            return Ok(None);
        };
        if due.is_due() {
            control.poll(counts)?;
        }
        if counts.expanded > end {
            return Err(Stop::Budget);
        }
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
            return Ok(Some(plan_of(setup, &ends, first, second)));
        }
        for &(id, g, h) in &half.fresh {
            let key = (4 * g + weight * h, h);
            pool.push(&mut open[side], key, id, memory)?;
        }
        if side == 0
            && let Some(guide) = &mut guide
        {
            for &(id, _, h) in &half.fresh {
                guide.push(&half.seen, id, h, &mut pool, memory)?;
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
