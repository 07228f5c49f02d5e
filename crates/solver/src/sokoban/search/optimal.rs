//! Optimal plans: fewest pushes with ties broken by moves, or fewest moves with ties
//! broken by pushes.
//!
//! Fewest moves take one search, whose states include the player's cell. Fewest
//! pushes take two. The first search counts pushes only, so all cells that the player
//! can walk to are one state. It finds the fewest pushes and some plan that has them.
//! The second search looks for the fewest moves among plans of fewest pushes. If a
//! limit is reached during the second search, the bounds meet, but the plan may not
//! have the fewest moves among plans of fewest pushes.
//!
//! With as many boxes as goals, both kinds of search start from both ends. With more
//! boxes they run forward only, by A*, because the extra boxes could end up anywhere.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::bidirectional::Bidirectional;
use super::forward::{Cost, Forward};
use super::found::{Costed, Found, Pair};
use super::meet::Meet;
use super::setup::Setup;
use super::ties::fewest_moves_of;
use crate::answer::{Outcome, Status};
use crate::control::{Control, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::names::{Engine, Objective};
use crate::sokoban::bound::conflicts::Conflicts;
use crate::sokoban::bound::distance::{Distances, Place, Way};
use crate::sokoban::bound::matching::Matching;
use crate::sokoban::bound::potential::{self, Potential};
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::ran::Ran;

/// After this many states, a search for fewest pushes leaves ties for later.
const PATIENCE: u64 = 1_000_000;
/// The same with at least `MANY` boxes: such a level is rarely solved without pruning.
const LITTLE_PATIENCE: u64 = 20_000;
const MANY: usize = 10;
/// A search for fewest moves gets potentials after this many states for each change in their program, which takes about
/// as long to solve.
const STATES_PER_CHANGE: u64 = 50;

/// Finds a plan of fewest pushes and, among those, of fewest moves, for the level's first player.
pub fn fewest_pushes(level: &Level, control: &Control) -> Ran<Direction> {
    fewest(level, Objective::Pushes, control)
}

/// Finds a plan of fewest moves and, among those, of fewest pushes, for the level's first player.
pub fn fewest_moves(level: &Level, control: &Control) -> Ran<Direction> {
    fewest(level, Objective::Moves, control)
}

fn fewest(level: &Level, objective: Objective, control: &Control) -> Ran<Direction> {
    let mut engine = Engine::Bidirectional;
    let outcome = solve(level, control, |setup, counts, memory| {
        if setup.surplus > 0 {
            engine = Engine::AStar;
        }
        optimal(setup, objective, None, counts, memory, control)
    });
    Ran { engine, outcome }
}

/// An optimal plan by A* from the start, however many boxes there are.
pub(crate) fn a_star(level: &Level, objective: Objective, control: &Control) -> Outcome<Direction> {
    solve(level, control, |setup, counts, memory| {
        forwards(setup, objective, None, counts, memory, control)
    })
}

/// An optimal plan. If a plan is known already, the search looks for better ones.
pub(crate) fn optimal(
    setup: &Setup,
    objective: Objective,
    known: Option<Costed>,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Found {
    if setup.surplus > 0 {
        return forwards(setup, objective, known, counts, memory, control);
    }
    let found = match objective {
        Objective::Pushes => {
            let patience = match setup.field.boxes.len() {
                MANY.. => LITTLE_PATIENCE,
                _ => PATIENCE,
            };
            pushes_from_both_ends(setup, known.as_ref(), patience, counts, memory, control)
        }
        Objective::Moves => {
            let cutoff = worst_useful(known.as_ref());
            moves_from_both_ends(setup, cutoff, None, counts, memory, control)
        }
    };
    let found = found.unwrap_or_else(|stop| Found::proven(Err(stop), 0, None));
    found.or(known)
}

/// The same, searching from the start only.
fn forwards(
    setup: &Setup,
    objective: Objective,
    known: Option<Costed>,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Found {
    let found = match objective {
        Objective::Pushes => pushes_forwards(setup, known.as_ref(), counts, memory, control),
        Objective::Moves => {
            let cutoff = worst_useful(known.as_ref());
            run(setup, Cost::MovesPushes, cutoff, counts, memory, control)
        }
    };
    found.or(known)
}

/// Plans that cost this much or more are of no use.
fn worst_useful(known: Option<&Costed>) -> Pair {
    known.map_or((u32::MAX, u32::MAX), |(_, cost)| *cost)
}

/// Finds the fewest moves from both ends. After `patience` states, or after a number that suits the level, it begins again with potentials.
fn moves_from_both_ends(
    setup: &Setup,
    cutoff: Pair,
    patience: Option<u64>,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Result<Found, Stop> {
    let from_start = Distances::from_start(&setup.field, memory)?;
    let before = memory.bytes();
    let patience = match patience {
        _ if !potential::is_possible(setup) => u64::MAX,
        Some(patience) => patience,
        None => STATES_PER_CHANGE * potential::changes(setup) as u64,
    };
    let mut search = Meet::new(setup, &from_start, cutoff, control);
    let end = search.run(0, patience, counts, memory);
    if end != Err(Stop::Budget) {
        return Ok(Found::proven(end, search.lower, search.plan()));
    }
    let (lower, known) = (search.lower, search.plan());
    // The caller's own budget may be what has ended it.
    if let Err(stop) = control.poll(counts) {
        return Ok(Found::proven(Err(stop), lower, known));
    }
    let samples = [0, 1].map(|side| search.samples(side));
    drop(search);
    memory.release(memory.bytes() - before);
    let mut potential = |way, samples| {
        let potential = Potential::new(setup, &from_start, way, samples, memory);
        // Without memory for the program, the search goes on without it.
        potential.or_else(|stop| match stop {
            Stop::Memory => Ok(None),
            stop => Err(stop),
        })
    };
    let potentials = [
        potential(Way::Push, &samples[0]),
        potential(Way::Pull, &samples[1]),
    ];
    let [Ok(first), Ok(second)] = potentials else {
        let stop = potentials.into_iter().find_map(Result::err);
        return Ok(Found::proven(stop.map_or(Ok(()), Err), lower, known));
    };
    let cutoff = worst_useful(known.as_ref()).min(cutoff);
    let mut search = Meet::new(setup, &from_start, cutoff, control);
    search.refine([first, second]);
    let end = search.run(lower, u64::MAX, counts, memory);
    Ok(Found::proven(
        end,
        search.lower.max(lower),
        search.plan().or(known),
    ))
}

/// Finds the fewest pushes from both ends, then the fewest moves among such plans.
fn pushes_from_both_ends(
    setup: &Setup,
    known: Option<&Costed>,
    patience: u64,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Result<Found, Stop> {
    let cutoff = known.map_or(u32::MAX, |(_, cost)| cost.0);
    let from_start = Distances::from_start(&setup.field, memory)?;
    let mut before = memory.bytes();
    let mut known = cutoff;
    let conflicts: [Option<Conflicts>; 2];
    let mut search = Bidirectional::new(setup, &from_start, known, false, control);
    let mut end = search.run(0, patience, counts, memory);
    let (mut lower, mut best) = (search.lower, search.plan());
    // The caller's own budget may be what has ended it.
    if end == Err(Stop::Budget) && control.poll(counts).is_ok() {
        // A large level: first find the fewest pushes, with pruning, then all states of plans with that many pushes.
        drop(search);
        memory.release(memory.bytes() - before);
        conflicts = conflicts_of(setup, &from_start, memory)?;
        before = memory.bytes();
        search = Bidirectional::new(setup, &from_start, known, true, control);
        search.refine(conflicts.each_ref().map(Option::as_ref), &from_start);
        end = search.run(lower, u64::MAX, counts, memory);
        best = search.plan().or(best);
        (lower, known) = (search.lower, search.best_pushes());
        if end.is_ok() && known < u32::MAX {
            lower = known;
            drop(search);
            memory.release(memory.bytes() - before);
            search = Bidirectional::new(setup, &from_start, known, false, control);
            search.refine(conflicts.each_ref().map(Option::as_ref), &from_start);
            end = search.run(known, u64::MAX, counts, memory);
        }
    }
    let pushes = search.best_pushes();
    if end.is_err() || pushes == u32::MAX {
        return Ok(Found::proven(end, lower, best));
    }
    let tie = fewest_moves_of(search, counts, memory, control);
    memory.release(memory.bytes() - before);
    Ok(match tie {
        Ok(plan) => {
            let cost = (pushes, plan.len() as u32);
            Found::proven(Ok(()), pushes, Some((plan, cost)))
        }
        Err(stop) => Found::proven(Err(stop), pushes, best),
    })
}

/// The conflicts of pairs of boxes, forward and backward. Backward, the start may be any of its images, of which the
/// tables know nothing.
fn conflicts_of(
    setup: &Setup,
    from_start: &Distances,
    memory: &mut Memory,
) -> Result<[Option<Conflicts>; 2], Stop> {
    let both = [&setup.distances, from_start];
    let mut of = |way| match way {
        Way::Pull if !setup.turns.is_empty() => Ok(None),
        _ => Conflicts::new(&setup.field, both, way, memory),
    };
    Ok([of(Way::Push)?, of(Way::Pull)?])
}

/// Finds the fewest pushes from the start, then the fewest moves among such plans.
fn pushes_forwards(
    setup: &Setup,
    known: Option<&Costed>,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Found {
    let cutoff = known.map_or(u32::MAX, |(_, cost)| cost.0);
    let first = run(setup, Cost::Pushes, (cutoff, 0), counts, memory, control);
    let best = first.best.or(known.cloned());
    let (Ok(()), Some((_, cost))) = (first.end, &best) else {
        return Found::proven(first.end, first.lower, best);
    };
    let exact = (cost.0, u32::MAX);
    let second = run(setup, Cost::PushesMoves, exact, counts, memory, control);
    Found::proven(second.end, cost.0, second.best.or(best))
}

/// Searches forward for the cheapest plan that costs less than `limit`.
fn run(
    setup: &Setup,
    cost: Cost,
    limit: Pair,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Found {
    let before = memory.bytes();
    let mut search = Forward::new(setup, cost, limit, *counts, memory, control);
    let end = search.run();
    let (lower, best) = (search.lower, search.plan());
    *counts = search.counts;
    drop(search);
    memory.release(memory.bytes() - before);
    Found::proven(end, lower, best)
}

/// A lower bound on the pushes from the start; 0 if there is no matching.
pub(crate) fn start_bound(setup: &Setup) -> u32 {
    let Setup {
        field, distances, ..
    } = setup;
    let place = |&cell: &u16| distances.place(cell, field.side_of(cell, field.player));
    let places: Vec<Place> = field.boxes.iter().map(place).collect();
    let matching = Matching::new(places.len()).start(distances, &places);
    matching.unwrap_or(0)
}

/// Prepares a level, runs a search, and returns its outcome.
pub(crate) fn solve(
    level: &Level,
    control: &Control,
    search: impl FnOnce(&Setup, &mut Counts, &mut Memory) -> Found,
) -> Outcome<Direction> {
    control.begin();
    let mut counts = Counts::default();
    if !counts_suffice(level) {
        return Outcome::unsolvable(0, counts);
    }
    let mut memory = Memory::new(control);
    let found = match Setup::new(level, &mut memory) {
        Ok(setup) => search(&setup, &mut counts, &mut memory),
        Err(stop) => Found::proven(Err(stop), 0, None),
    };
    counts.peak_bytes = memory.peak();
    let best = found.best.map(|(plan, cost)| (plan, cost.0));
    // A search that has just begun may know less than one before it.
    let lower = found.lower.max(control.bounds().lower);
    let mut outcome = Outcome::ended(found.end, lower, best, counts);
    if found.any && outcome.status == Status::Optimal && Some(lower) != outcome.bounds.upper {
        outcome.status = Status::Solved;
        outcome.bounds.lower = lower;
    }
    control.tell(outcome.bounds, &outcome.counts);
    outcome
}

/// Whether the player's enclosure has a box for each goal, and no goal of another enclosure lacks a box.
pub(crate) fn counts_suffice(level: &Level) -> bool {
    let field = Field::new(level);
    field.boxes.len() >= field.goals.len() && field.sealed_goals.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::search::bfs::bfs;
    use crate::sokoban::test_levels::{pulled_level, random_level, read};

    #[test]
    fn a_bound_that_was_proven_is_not_lost() {
        let control = Control::new();
        let outcome = solve(&pulled_level(1), &control, |_, _, _| {
            control.raise_lower(3);
            Found::proven(Err(Stop::Time), 0, None)
        });
        assert_eq!(outcome.bounds.lower, 3);
        assert_eq!(control.bounds().lower, 3);
    }

    #[test]
    fn searches_from_both_ends_agree_with_forward_search() {
        let control = Control::new();
        let mut compared = 0;
        for level in (0..500).map(pulled_level) {
            if !counts_suffice(&level) {
                continue;
            }
            let mut memory = Memory::new(&control);
            let setup = Setup::new(&level, &mut memory).expect("no limits");
            for (objective, cost) in [
                (Objective::Pushes, Cost::PushesMoves),
                (Objective::Moves, Cost::MovesPushes),
            ] {
                let limit = (u32::MAX, u32::MAX);
                let counts = &mut Counts::default();
                let forwards = run(&setup, cost, limit, counts, &mut memory, &control);
                let both = optimal(&setup, objective, None, counts, &mut memory, &control);
                let cost = |found: Found| found.best.map(|(_, cost)| cost);
                let (forwards, both) = (cost(forwards), cost(both));
                assert_eq!(both, forwards, "{objective:?} {level:?}");
                compared += u32::from(both.is_some_and(|cost| cost.0 > 10));
            }
        }
        assert!(compared > 50, "{compared}");
    }

    /// A level prepared for search, if it has as many boxes as goals.
    fn even(level: &Level) -> Option<Setup> {
        let control = Control::new();
        let setup = counts_suffice(level).then(|| Setup::new(level, &mut Memory::new(&control)))?;
        Some(setup.expect("no limits")).filter(|setup| setup.surplus == 0)
    }

    /// The pushes and moves of the best plan by the method for large levels.
    fn as_if_large(setup: &Setup) -> Option<Pair> {
        let control = Control::new();
        let (counts, mut memory) = (&mut Counts::default(), Memory::new(&control));
        let found = pushes_from_both_ends(setup, None, 0, counts, &mut memory, &control);
        found.expect("no limits").best.map(|(_, cost)| cost)
    }

    #[test]
    fn the_method_for_large_levels_finds_the_same_costs() {
        let control = Control::new();
        let (mut compared, mut unsolvable) = (0, 0);
        for level in (0..4000).map(random_level) {
            let Some(setup) = even(&level) else {
                continue;
            };
            let large = as_if_large(&setup);
            let plain = bfs(&level, Objective::Pushes, false, false, &control);
            let pushes = plain.plan.is_some().then_some(plain.bounds.lower);
            assert_eq!(large.map(|cost| cost.0), pushes, "{level:?}");
            compared += u32::from(pushes.is_some_and(|pushes| pushes > 0));
            unsolvable += u32::from(pushes.is_none());
        }
        assert!(compared > 200, "{compared}");
        assert!(unsolvable > 200, "{unsolvable}");
    }

    #[test]
    fn on_levels_of_four_boxes_it_finds_the_same_pushes_and_moves() {
        let control = Control::new();
        let mut compared = 0;
        for level in (0..2000).map(pulled_level) {
            let Some(setup) = even(&level) else {
                continue;
            };
            let large = as_if_large(&setup);
            let mut memory = Memory::new(&control);
            let (cost, limit) = (Cost::PushesMoves, (u32::MAX, u32::MAX));
            let counts = &mut Counts::default();
            let plain = run(&setup, cost, limit, counts, &mut memory, &control);
            assert_eq!(large, plain.best.map(|(_, cost)| cost), "{level:?}");
            compared += u32::from(large.is_some_and(|cost| cost.0 > 10));
        }
        assert!(compared > 50, "{compared}");
    }

    #[test]
    fn potentials_change_no_cost() {
        let control = Control::new();
        let symmetric = read(&[
            "#########",
            "#.  #  .#",
            "# $   $ #",
            "#   @   #",
            "##  #  ##",
            "#       #",
            "#. $ $ .#",
            "#       #",
            "#########",
        ]);
        let (mut compared, mut fewer) = (0, 0);
        for level in (0..300).map(pulled_level).chain([symmetric]) {
            let Some(setup) = even(&level) else {
                continue;
            };
            let solve = |patience| {
                let (mut counts, mut memory) = (Counts::default(), Memory::new(&control));
                let (limit, counts_) = ((u32::MAX, u32::MAX), &mut counts);
                let found =
                    moves_from_both_ends(&setup, limit, patience, counts_, &mut memory, &control)
                        .expect("no limits");
                (found.best.map(|(_, cost)| cost), counts.expanded)
            };
            let (without, all) = solve(Some(u64::MAX));
            let (with, some) = solve(Some(30));
            assert_eq!(with, without, "{level:?}");
            compared += u32::from(with.is_some() && all > 30);
            fewer += u32::from(some < all);
        }
        assert!(compared > 50, "{compared}");
        assert!(fewer > 20 || cfg!(not(feature = "potentials")), "{fewer}");
    }

    #[test]
    fn pruning_lost_pairs_changes_no_cost() {
        let control = Control::new();
        let mut compared = 0;
        for level in (0..400).flat_map(|seed| [pulled_level(seed), random_level(seed)]) {
            if !counts_suffice(&level) {
                continue;
            }
            let mut memory = Memory::new(&control);
            for objective in [Objective::Pushes, Objective::Moves] {
                let mut solve = |patience: Option<usize>| {
                    let mut setup = Setup::new(&level, &mut memory).expect("no limits");
                    if setup.patience < usize::MAX {
                        setup.patience = patience.unwrap_or(usize::MAX);
                    }
                    let mut counts = Counts::default();
                    let found =
                        optimal(&setup, objective, None, &mut counts, &mut memory, &control);
                    (found.best.map(|(_, cost)| cost), counts.expanded)
                };
                let (without, all) = solve(None);
                for patience in [0, 20] {
                    let (with, fewer) = solve(Some(patience));
                    assert_eq!(with, without, "{objective:?} {level:?}");
                    compared += u32::from(fewer < all && with.is_some());
                }
            }
        }
        assert!(compared > 100, "{compared}");
    }
}
