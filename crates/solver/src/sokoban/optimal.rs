//! Optimal plans: fewest pushes, ties by moves, and fewest moves, ties by pushes.
//!
//! Moves are found by one search, whose states know where the player is. Pushes
//! take two. The first one counts pushes alone, where all places that the player
//! can walk to are one state and pruning may change the order of pushes. It ends
//! with the fewest pushes and some plan of so many. The second one counts pushes
//! and then moves and looks only at states that lie on such plans by what the
//! bound knows. If a limit comes during the second search, the plan has fewest
//! pushes but perhaps not fewest moves, and its bounds meet.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::bidirectional::Bidirectional;
use super::distance::Distances;
use super::field::Field;
use super::forward::{Cost, Forward, Pair};
use super::meet::Meet;
use super::setup::Setup;
use super::ties::fewest_moves_with;
use crate::answer::{Bounds, Counts, Outcome, Status};
use crate::control::{Control, Stop};
use crate::search::memory::Memory;

/// Finds a plan of fewest pushes and, among those, fewest moves. For the level's first player.
pub fn fewest_pushes(level: &Level, control: &Control) -> Outcome<Direction> {
    solve(level, control, |setup, counts, memory| {
        if setup.surplus == 0 {
            return both_ends(setup, counts, memory, control);
        }
        let limit = (u32::MAX, u32::MAX);
        let pushes = run(setup, Cost::Pushes, limit, counts, memory, control);
        let (Ok(()), Some((_, cost))) = (&pushes.end, &pushes.best) else {
            return pushes;
        };
        let exact = (cost.0, u32::MAX);
        let moves = run(setup, Cost::PushesMoves, exact, counts, memory, control);
        Found {
            lower: cost.0,
            best: moves.best.or(pushes.best),
            ..moves
        }
    })
}

/// Finds a plan of fewest moves and, among those, fewest pushes. For the level's first player.
pub fn fewest_moves(level: &Level, control: &Control) -> Outcome<Direction> {
    solve(level, control, |setup, counts, memory| {
        if setup.surplus == 0 {
            return moves_from_both_ends(setup, counts, memory, control);
        }
        let limit = (u32::MAX, u32::MAX);
        run(setup, Cost::MovesPushes, limit, counts, memory, control)
    })
}

/// How far a search came.
pub(crate) struct Found {
    pub(crate) end: Result<(), Stop>,
    pub(crate) lower: u32,
    pub(crate) best: Option<(Vec<Direction>, Pair)>,
}

/// Searches until the cheapest plan below a limit is proven cheapest.
pub(crate) fn run(
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
    let best = search.plan();
    *counts = search.counts;
    let lower = search.lower;
    drop(search);
    memory.release(memory.bytes() - before);
    Found { end, lower, best }
}

/// Searches from both ends for fewest pushes, then among those for fewest moves.
fn both_ends(setup: &Setup, counts: &mut Counts, memory: &mut Memory, control: &Control) -> Found {
    let mut found = Found {
        end: Ok(()),
        lower: 0,
        best: None,
    };
    let from_start = match Distances::from_start(&setup.field, memory) {
        Ok(distances) => distances,
        Err(stop) => {
            found.end = Err(stop);
            return found;
        }
    };
    let before = memory.bytes();
    let mut search = Bidirectional::new(setup, &from_start, control);
    found.end = search.run(counts, memory);
    found.lower = search.lower;
    let best = search.plan();
    drop(search);
    memory.release(memory.bytes() - before);
    if let Some((plan, pushes)) = best {
        found.best = Some((plan, (pushes, 0)));
        if found.end.is_ok() {
            found.lower = pushes;
            let before = memory.bytes();
            match fewest_moves_with(pushes, setup, &from_start, counts, memory, control) {
                Ok(plan) => found.best = Some((plan, (pushes, 0))),
                Err(stop) => found.end = Err(stop),
            }
            memory.release(memory.bytes() - before);
        }
    }
    found
}

/// Searches from both ends for fewest moves.
fn moves_from_both_ends(
    setup: &Setup,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Found {
    let from_start = match Distances::from_start(&setup.field, memory) {
        Ok(distances) => distances,
        Err(stop) => {
            return Found {
                end: Err(stop),
                lower: 0,
                best: None,
            };
        }
    };
    let mut search = Meet::new(setup, &from_start, control);
    let end = search.run(counts, memory);
    Found {
        end,
        lower: search.lower,
        best: search.plan(),
    }
}

/// Prepares a level, searches, and says how it ended.
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
        Err(stop) => Found {
            end: Err(stop),
            lower: 0,
            best: None,
        },
    };
    counts.peak_bytes = memory.peak();
    let best = found.best.map(|(plan, cost)| (plan, cost.0));
    let outcome = Outcome::ended(found.end, found.lower, best, counts);
    control.tell(outcome.bounds, &outcome.counts);
    outcome
}

/// Whether the player's enclosure has a box for each goal, and no other one lacks a box.
fn counts_suffice(level: &Level) -> bool {
    let field = Field::new(level);
    field.boxes.len() >= field.goals.len() && field.sealed_goals.is_empty()
}
