//! Plans of levels by SAT: fewest pushes, fewest moves, or fewest steps of a crew.
//!
//! The bounds are those of boards; what differs is what they count. An encoding by pushes gives the pushes, and the
//! walks between them are put in here. Bounds never show that a level has no plan at all, since more pushes could always
//! help: what can be seen at once is refused at once (fewer boxes than goals, boxes that cannot be assigned to goals),
//! and otherwise the questions go on until a limit, while the lower bound that they raise stays true.

use std::collections::VecDeque;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::backend::BackendError;
use super::encoding::{Push, Pushes, Walks};
use super::places::Places;
use super::{SatCounts, SatOptions, Solved, Task};
use crate::answer::{Counts, Outcome};
use crate::control::Control;
use crate::request::names;

names! {
    /// What is counted.
    Objective {
        /// Pushes, however far the player walks between them.
        #[default]
        Pushes = "pushes",
        /// Moves of one player, or steps of a crew.
        Moves = "moves",
    }
}

/// What every player does at once: which way it goes, or that it waits.
pub type Step = Vec<Option<Direction>>;

/// Solves a level by SAT.
///
/// # Errors
/// If the backend is a program that fails or lies.
pub fn solve_level(
    level: &Level,
    objective: Objective,
    wait: bool,
    options: &SatOptions,
    control: &Control,
) -> Result<Outcome<Step>, BackendError> {
    let places = Places::new(level);
    let Some(fewest) = places.fewest else {
        let counts = Counts {
            sat: Some(SatCounts::default()),
            ..Counts::default()
        };
        return Ok(Outcome::unsolvable(0, counts));
    };
    let _ = wait;
    if level.goals().all(|goal| level.boxes().contains(&goal)) {
        return Ok(Solved::empty().outcome);
    }
    if objective == Objective::Moves {
        let task = Task {
            make: &|_| Box::new(Walks::new(level)),
            other: &|_| None,
            is_for_one_bound: false,
            lower: Walks::new(level).lower(),
            stride: 1,
            is_optimal: true,
            surely: None,
        };
        let outcome = task.run(options, control)?.outcome;
        return Ok(turned(outcome, |plan| {
            plan.into_iter().map(|d| vec![Some(d)]).collect()
        }));
    }
    let task = Task {
        make: &|_| Box::new(Pushes::new(level)),
        other: &|_| None,
        is_for_one_bound: false,
        lower: fewest,
        stride: places.unit,
        is_optimal: true,
        surely: None,
    };
    let outcome = task.run(options, control)?.outcome;
    Ok(turned(outcome, |plan| {
        walk(level, &plan)
            .into_iter()
            .map(|d| vec![Some(d)])
            .collect()
    }))
}

/// An outcome in other words.
fn turned<M>(outcome: Outcome<M>, plan: impl FnOnce(Vec<M>) -> Vec<Step>) -> Outcome<Step> {
    Outcome {
        plan: outcome.plan.map(plan),
        status: outcome.status,
        bounds: outcome.bounds,
        counts: outcome.counts,
    }
}

/// The pushes of a plan of moves.
pub(super) fn pushes(level: &Level, plan: &[Direction]) -> Vec<Push> {
    let mut boxes = vec![false; level.cells()];
    level
        .boxes()
        .iter()
        .for_each(|&b| boxes[usize::from(b)] = true);
    let mut player = level.players()[0];
    let mut pushes = vec![];
    for &direction in plan {
        player = level
            .neighbour(player, direction)
            .expect("a plan stays on the floor");
        if std::mem::take(&mut boxes[usize::from(player)]) {
            let to = level
                .neighbour(player, direction)
                .expect("a box stays on the floor");
            boxes[usize::from(to)] = true;
            pushes.push(Push {
                cell: player,
                direction,
            });
        }
    }
    pushes
}

/// The moves of a plan of pushes, with the shortest walks. Ends early where a push cannot be made, which the replay will see.
pub(super) fn walk(level: &Level, plan: &[Push]) -> Vec<Direction> {
    let mut boxes = vec![false; level.cells()];
    level
        .boxes()
        .iter()
        .for_each(|&b| boxes[usize::from(b)] = true);
    let mut player = level.players()[0];
    let mut steps = vec![];
    for push in plan {
        let behind = level.neighbour(push.cell, push.direction.opposite());
        let way = behind.and_then(|behind| way(level, &boxes, player, behind));
        let to = level.neighbour(push.cell, push.direction);
        let (Some(way), Some(to)) = (way, to) else {
            break;
        };
        steps.extend(way.into_iter().chain([push.direction]));
        boxes[usize::from(push.cell)] = false;
        boxes[usize::from(to)] = true;
        player = push.cell;
    }
    steps
}

/// A shortest walk between boxes.
fn way(level: &Level, boxes: &[bool], from: u16, to: u16) -> Option<Vec<Direction>> {
    let mut came: Vec<Option<Direction>> = vec![None; level.cells()];
    let mut queue = VecDeque::from([from]);
    while let Some(cell) = queue.pop_front() {
        if cell == to {
            let (mut way, mut at) = (vec![], to);
            while at != from {
                let direction = came[usize::from(at)].expect("on the way");
                way.push(direction);
                at = level
                    .neighbour(at, direction.opposite())
                    .expect("it came from there");
            }
            way.reverse();
            return Some(way);
        }
        for direction in Direction::ALL {
            if let Some(next) = level.neighbour(cell, direction)
                && next != from
                && !boxes[usize::from(next)]
                && came[usize::from(next)].is_none()
            {
                came[usize::from(next)] = Some(direction);
                queue.push_back(next);
            }
        }
    }
    None
}
