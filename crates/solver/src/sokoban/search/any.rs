//! Any plan, soon, and then better ones.
//!
//! The greedy search looks for a plan at once. A level that takes longer is searched for
//! its optimum for a moment, which gives a good lower bound, and then `first` finds the
//! first plan. A greedy search with a smaller weight looks for a better one within a
//! budget of states, and parts of the plan are replaced by better ones; see `improve`.
//! Finally the optimal search runs, which has to look only at what could beat the plan at
//! hand. At every moment there is a lower bound, and a best plan once one has been found.
//! A limit ends the search with both.
//!
//! `auto` does the same in another order: it begins with a short optimal search, because
//! most levels are proven by it, and a longer one comes before the search for a plan may
//! take long.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::first::{first, soon};
use super::found::{Costed, Found, Pair};
use super::greedy::Greedy;
use super::improve::improve;
use super::optimal::{optimal, solve, start_bound};
use super::plan::pushes_of;
use super::setup::Setup;
use crate::answer::Outcome;
use crate::control::{Control, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::names::{Engine, Objective};
use crate::sokoban::bound::distance::Distances;
use crate::sokoban::ran::Ran;

/// The weight of the bound in the second greedy search, in quarters.
const LATER_WEIGHT: u32 = 7;
/// It may expand this many times the states that the search before it expanded, and at least `AT_LEAST`.
const PATIENCE: u64 = 20;
const AT_LEAST: u64 = 20_000;
/// States that the optimal search may generate before the plan is improved in windows: about a quarter of a second.
const SOON: u64 = 1_000_000;
/// On boards with more cells than this, a short search generates fewer states.
const CELLS: u64 = 300;

/// What searches may do before another one has its turn.
struct Turns {
    /// The states that an optimal search may generate before a plan is looked for.
    short: u64,
    /// The same before the search for a plan takes longer, and before the plan is improved.
    long: u64,
    /// The most states for a plan to begin the proof with.
    plan: u64,
}

/// A short search takes about a tenth of a second.
const TURNS: Turns = Turns {
    short: 400_000,
    long: 4_000_000,
    plan: 2_000_000,
};

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
        let expanded = counts.expanded;
        let begun = begin(level, setup, objective, threads, counts, memory, control);
        let (Ok(()), Some(mut best), true) = (begun.end, begun.best.clone(), begun.any) else {
            return begun;
        };
        control.reduce_upper(best.1.0);
        let most = PATIENCE * (counts.expanded - expanded);
        if let Err(stop) = tighten(setup, objective, &mut best, most, counts, memory, control) {
            return Found {
                end: Err(stop),
                lower: start_bound(setup),
                best: Some(best),
                any: true,
            };
        }
        let best = Some(best);
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

/// Finds the first plan. A level that takes longer has a better lower bound meanwhile, and perhaps a proof.
fn begin(
    level: &Level,
    setup: &Setup,
    objective: Objective,
    threads: usize,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Found {
    let bytes = memory.bytes();
    let mut plan = soon(level, setup, counts, memory, control);
    if plan == Err(Stop::Budget) && counts.generated < control.budget() {
        memory.release(memory.bytes() - bytes);
        let part = control.within(counts.generated.saturating_add(TURNS.short_on(setup)));
        let found = optimal(setup, objective, None, counts, memory, &part);
        if found.end.is_ok() {
            return found;
        }
        control.raise_lower(found.lower);
        memory.release(memory.bytes() - bytes);
        plan = match found.best {
            Some((plan, _)) => Ok(Some(plan)),
            None => first(level, setup, u64::MAX, threads, counts, memory, control),
        };
    }
    memory.release(memory.bytes() - bytes);
    let (end, best) = match plan {
        Ok(plan) => (Ok(()), plan),
        Err(stop) => (Err(stop), None),
    };
    // The search is exhaustive: if it finds no plan, no plan exists.
    let is_proof = end.is_ok() && best.is_none();
    Found {
        end,
        lower: if is_proof { 0 } else { start_bound(setup) },
        best: best.map(|plan| {
            let cost = cost_of(setup, &plan, objective);
            (plan, cost)
        }),
        any: true,
    }
}

/// Replaces a plan by a better one, if a greedy search with a smaller weight finds one within about `most` states.
fn tighten(
    setup: &Setup,
    objective: Objective,
    best: &mut Costed,
    most: u64,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Result<(), Stop> {
    let bytes = memory.bytes();
    let found = Distances::from_start(&setup.field, memory).and_then(|from_start| {
        let mut greedy = Greedy::new(setup, &from_start, LATER_WEIGHT, false);
        greedy.run(most.max(AT_LEAST), counts, memory, control)
    });
    memory.release(memory.bytes() - bytes);
    let plan = match found {
        Ok(plan) => plan,
        Err(Stop::Budget | Stop::Memory) => None,
        Err(stop) => return Err(stop),
    };
    if let Some(plan) = plan {
        let cost = cost_of(setup, &plan, objective);
        if cost < best.1 {
            control.reduce_upper(cost.0);
            *best = (plan, cost);
        }
    }
    Ok(())
}

impl Turns {
    /// The states of a short search. Those of large boards take longer.
    fn short_on(&self, setup: &Setup) -> u64 {
        (self.short * CELLS / (setup.field.len() as u64).max(CELLS)).max(1)
    }
}

/// Finds an optimal plan. On a large level, finds some plan meanwhile with this number of threads, so that there is one when a
/// limit is reached.
pub(crate) fn plan_and_proof(
    level: &Level,
    objective: Objective,
    threads: usize,
    control: &Control,
) -> Ran<Direction> {
    proof_in_turns(level, objective, threads, &TURNS, control)
}

fn proof_in_turns(
    level: &Level,
    objective: Objective,
    threads: usize,
    turns: &Turns,
    control: &Control,
) -> Ran<Direction> {
    let mut engine = Engine::Bidirectional;
    let outcome = solve(level, control, |setup, counts, memory| {
        if setup.surplus > 0 {
            engine = Engine::AStar;
        }
        let mut best: Option<Costed> = None;
        for (states, is_patient) in [(turns.short_on(setup), false), (turns.long, true)] {
            // 1. Most levels are proven at once.
            let bytes = memory.bytes();
            let part = control.within(counts.generated.saturating_add(states));
            let found = optimal(setup, objective, best, counts, memory, &part);
            let is_out_of_memory = found.end == Err(Stop::Memory) && found.best.is_none();
            let goes_on = found.end == Err(Stop::Budget) && counts.generated < control.budget();
            if !goes_on && !is_out_of_memory {
                return found;
            }
            control.raise_lower(found.lower);
            best = found.best;
            memory.release(memory.bytes() - bytes);
            // 2. The others need a plan first. A plan also tells the proof what it has to beat.
            if best.is_none() {
                let expanded = counts.expanded;
                let plan = if is_patient || is_out_of_memory {
                    first(level, setup, turns.plan, threads, counts, memory, control)
                } else {
                    soon(level, setup, counts, memory, control)
                };
                memory.release(memory.bytes() - bytes);
                best = plan.ok().flatten().map(|plan| {
                    let cost = cost_of(setup, &plan, objective);
                    control.reduce_upper(cost.0);
                    (plan, cost)
                });
                if let Some(best) = &mut best {
                    let most = PATIENCE * (counts.expanded - expanded);
                    // A limit that ends this ends what follows as well.
                    let _ = tighten(setup, objective, best, most, counts, memory, control);
                }
            }
            if is_out_of_memory {
                let lower = found.lower;
                return Found::proven(found.end, lower, None).or(best);
            }
        }
        // 3. The better the plan, the shorter the proof.
        let part = control.within(counts.generated.saturating_add(turns.long));
        let improved = improve(level, setup, objective, best, counts, memory, &part);
        optimal(setup, objective, improved, counts, memory, control)
    });
    Ran { engine, outcome }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Status;
    use crate::sokoban::search::bfs::bfs;
    use crate::sokoban::test_levels::{crowded_level, pulled_level, random_level, read};

    /// A hall whose plans are many: the first one is easy, and the proof is not.
    const HALL: [&str; 14] = [
        "##############",
        "#  .     $   #",
        "#      $     #",
        "#  $ .    .  #",
        "# $      $   #",
        "#       $.   #",
        "# @  .  .  $ #",
        "# $ .      . #",
        "#    . $    .#",
        "#   .   $    #",
        "# $     .  $ #",
        "#     $  .   #",
        "#            #",
        "##############",
    ];

    #[test]
    fn a_plan_does_not_wait_for_the_proof() {
        let level = read(&HALL);
        for objective in [Objective::Pushes, Objective::Moves] {
            let budget = Control::new().within(2_000_000);
            let found = plan_and_proof(&level, objective, 1, &budget).outcome;
            assert_eq!(found.status, Status::Limit(Stop::Budget), "{objective:?}");
            let upper = found.bounds.upper.expect("a plan");
            assert!(found.bounds.lower <= upper, "{objective:?}");
        }
    }

    #[test]
    fn any_plan_has_the_bound_of_a_short_optimal_search() {
        let level = read(&HALL);
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let setup = Setup::new(&level, &mut memory).expect("no limits");
        let moves = Objective::Moves;
        let short = control.within(TURNS.short_on(&setup));
        let found = optimal(
            &setup,
            moves,
            None,
            &mut Counts::default(),
            &mut memory,
            &short,
        );
        assert!(found.lower > start_bound(&setup));
        let budget = Control::new().within(2_000_000);
        let any = any_plan(&level, moves, 1, &budget);
        assert!(any.bounds.lower >= found.lower, "{:?}", any.bounds);
    }

    /// So small that even tiny levels go through all turns.
    const TINY: [Turns; 2] = [
        Turns {
            short: 1,
            long: 60,
            plan: 2,
        },
        Turns {
            short: 30,
            long: 300,
            plan: 40,
        },
    ];

    #[test]
    fn turns_change_no_answer() {
        let control = Control::new();
        let (mut solved, mut unsolvable) = (0, 0);
        let levels = (0..600).map(random_level);
        let levels = levels.chain((0..150).map(crowded_level));
        for level in levels.chain((0..120).map(pulled_level)) {
            for objective in [Objective::Pushes, Objective::Moves] {
                let plain = bfs(&level, objective, false, false, &control);
                let cost = plain.plan.is_some().then_some(plain.bounds.lower);
                for turns in &TINY {
                    let found = proof_in_turns(&level, objective, 1, turns, &control).outcome;
                    let plan = found.plan.is_some().then_some(found.bounds.lower);
                    assert_eq!(plan, cost, "{objective:?} {level:?}");
                    let is_proof = matches!(found.status, Status::Optimal | Status::Unsolvable);
                    assert!(is_proof, "{objective:?} {level:?}");
                }
                solved += u32::from(cost.is_some_and(|cost| cost > 3));
                unsolvable += u32::from(cost.is_none());
            }
        }
        assert!(solved > 200 && unsolvable > 100, "{solved} {unsolvable}");
    }
}
