//! A level by SAT, or a stage of it: what is known beforehand, the encoding, and the loop.
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
use crate::sat::encoding::{Encoding, Question};
use crate::sat::options::SatOptions;
use crate::sokoban::{JointStep, first_plan};

/// A part of the way.
#[derive(Clone, Copy)]
pub(super) struct Stage<'a> {
    /// The goals that have a box at its end.
    pub goals: &'a [u16],
    /// The greatest length that is asked for.
    pub most: u32,
}

/// A level until some goals have a box, or all.
pub(super) fn solve_stage(
    level: &Level,
    stage: Option<Stage>,
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
    if stage.is_none() && level.goals().all(|goal| level.boxes().contains(&goal)) {
        return Solved::empty();
    }
    let mut surely = surely(level, options);
    let mut most = most_moves(level, places.floor.cells.len());
    let mut places = places;
    if let Some(stage) = stage {
        surely = None;
        most = Some(most.map_or(stage.most, |most| most.min(stage.most)));
        if stage.goals.len() < level.goals().count() {
            places = places.stage(stage.goals);
        }
    }
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
            let make = |question: Question| -> Box<dyn Encoding<Move = JointStep>> {
                match encoding {
                    ByMoves::Own => Box::new(own.clone()),
                    ByMoves::Paper => {
                        let paper = Moves::of(places.clone(), wait);
                        Box::new(paper.knowing(question.least))
                    }
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
    first_plan(level, objective, 1, &soon).bounds.upper
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
