//! Plans of levels by SAT: fewest pushes, fewest moves, or fewest steps of a crew.
//!
//! The bounds are those of boards; what differs is what they count. An encoding by pushes gives the pushes, and the
//! walks between them are put in here. Ties are not broken: of plans with fewest pushes it is any.
//!
//! Bounds never show that a level has no plan at all, since more pushes could always help. What can be seen at once is
//! refused at once (boxes that cannot be assigned to goals), and otherwise the questions go on until a limit, while the
//! lower bound that they raise stays true.

use std::time::Duration;

use noyes_puzzle::sokoban::Level;

use super::boxes::Push;
use super::decompose::decompose;
use super::moves::Moves;
use super::name::{ByMoves, ByPushes, LevelEncoding};
use super::nameless::Nameless;
use super::places::BoxPlaces;
use super::pushes::Pushes;
use super::tamura::Tamura;
use super::walk::walk;
use crate::answer::Outcome;
use crate::control::Control;
use crate::counts::Counts;
use crate::sat::ask::{Solved, Task};
use crate::sat::encoding::Encoding;
use crate::sat::options::SatOptions;
use crate::sokoban::{JointStep, first_plan};

/// Solves a level by SAT. Bounds are in pushes, in moves, or in steps of a crew, where `wait` says whether a player may
/// stand still; the plan is what all players do in each step, the walks included.
///
/// A level without a plan has no end but a limit, unless its boxes cannot even be assigned to goals or it has few states.
///
/// ```
/// use noyes_puzzle::sokoban::parse_level;
/// use noyes_solver::sat::{LevelEncoding, SatOptions, solve_level};
/// use noyes_solver::{Control, Objective};
/// let level = parse_level("######\n#@ $.#\n######")?;
/// let options = SatOptions::of(LevelEncoding::default_for(Objective::Moves));
/// let outcome = solve_level(&level, true, &options, &Control::new()).outcome?;
/// assert_eq!(outcome.bounds.upper, Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// If the encoding counts pushes and there are several players: see [`fit_level`](crate::sat::fit_level).
pub fn solve_level(
    level: &Level,
    wait: bool,
    options: &SatOptions<LevelEncoding>,
    control: &Control,
) -> Solved<JointStep> {
    if options.decompose {
        return decompose(level, wait, options, control);
    }
    let whole = Stage {
        cover: level.goals().count(),
        most: None,
    };
    cover_goals(level, whole, wait, options, control)
}

/// The goals that have a box.
pub(super) fn covered(level: &Level) -> usize {
    let has_box = |goal: &u16| level.boxes().contains(goal);
    level.goals().filter(has_box).count()
}

/// A part of the way.
#[derive(Clone, Copy)]
pub(super) struct Stage {
    /// How many goals have a box at its end.
    pub cover: usize,
    /// The greatest length that is asked for.
    pub most: Option<u32>,
}

/// A level until enough goals have a box.
pub(super) fn cover_goals(
    level: &Level,
    stage: Stage,
    wait: bool,
    options: &SatOptions<LevelEncoding>,
    control: &Control,
) -> Solved<JointStep> {
    let stopped = |stop| Solved::at_once(Outcome::stopped(stop, 0, Counts::of_sat()));
    let places = match BoxPlaces::within(level, control) {
        Ok(places) => places,
        Err(stop) => return stopped(stop),
    };
    if places.fewest.is_none() {
        return Solved::at_once(Outcome::unsolvable(0, Counts::of_sat()));
    }
    if covered(level) >= stage.cover {
        return Solved::empty();
    }
    let surely = match stage.most {
        None => surely(level, options),
        Some(_) => None,
    };
    let states = most_moves(level, places.floor.cells.len());
    let most = states.into_iter().chain(stage.most).min();
    let places = if stage.cover < places.cover {
        places.stage(stage.cover)
    } else {
        places
    };
    let fewest = places.fewest.unwrap_or(0);
    let choices = options.clone().with(());
    match options.encoding {
        LevelEncoding::Pushes(encoding) => {
            let make = |_| -> Box<dyn Encoding<Move = Push>> {
                match encoding {
                    ByPushes::Tamura(blocks) => Box::new(Tamura::of(level, places.clone(), blocks)),
                    ByPushes::Own => {
                        Box::new(Pushes::of(level, places.clone()).asked_from(options.from))
                    }
                }
            };
            let task = Task {
                surely,
                most,
                ..Task::new(&make, fewest, places.unit)
            };
            let solved = task.run(&choices, control);
            solved.map(|plan| walk(level, &plan))
        }
        LevelEncoding::Moves(encoding) => {
            let own = match Nameless::within(level, places.clone(), wait, control) {
                Ok(own) => own.asked_from(options.from),
                Err(stop) => return stopped(stop),
            };
            let make = |_| -> Box<dyn Encoding<Move = JointStep>> {
                match encoding {
                    ByMoves::Own => Box::new(own.clone()),
                    ByMoves::Paper => Box::new(Moves::of(places.clone(), wait)),
                }
            };
            let task = Task {
                surely,
                most,
                ..Task::new(&make, own.lower(), 1)
            };
            task.run(&choices, control)
        }
    }
}

/// The length of some plan. Only another program needs to be held against one that is found at once.
fn surely(level: &Level, options: &SatOptions<LevelEncoding>) -> Option<u32> {
    if !options.backend.is_program() || level.players().len() > 1 {
        return None;
    }
    let soon = Control::new().time_limit(Duration::from_secs(1));
    let objective = options.encoding.objective();
    first_plan(level, objective, &soon).bounds.upper
}

/// More moves than states would visit one twice. None for more than a solver would ever be asked.
fn most_moves(level: &Level, floor: usize) -> Option<u32> {
    const MOST: u64 = 10_000;
    let (floor, mut states) = (floor as u64, 1u64);
    for i in 0..level.boxes().len() as u64 {
        states = states.checked_mul(floor.saturating_sub(i))? / (i + 1);
    }
    for _ in level.players() {
        states = states.checked_mul(floor)?;
    }
    (states <= MOST).then_some(states as u32)
}
