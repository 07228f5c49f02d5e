//! Plans of levels by SAT: fewest pushes, fewest moves, or fewest steps of a crew.
//!
//! The bounds are those of boards; what differs is what they count. An encoding by pushes gives the pushes, and the
//! walks between them are put in here. Ties are not broken: of plans with fewest pushes it is any.
//!
//! Bounds never show that a level has no plan at all, since more pushes could always help. What can be seen at once is
//! refused at once (boxes that cannot be assigned to goals), and otherwise the questions go on until a limit, while the
//! lower bound that they raise stays true.

use std::collections::VecDeque;
use std::time::Duration;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::name::{ByMoves, ByPushes, LevelEncoding};
use crate::answer::Outcome;
use crate::control::Control;
use crate::counts::Counts;
use crate::sat::backend::{BackendError, BackendName};
use crate::sat::encoding::{Encoding, LeanMoves, Moves, Push, Pushes, Tamura};
use crate::sat::fit::{Unfit, fit_level};
use crate::sat::options::SatOptions;
use crate::sat::places::Places;
use crate::sat::{Solved, Task, Tell};
use crate::sokoban::{Step, first_plan};

/// What goes wrong with a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelSatError {
    /// The encoding counts something else.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// The solver is another program, and that fails or lies.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Solves a level by SAT. Bounds are in pushes, in moves, or in steps of a crew, where `wait` says whether a player may
/// stand still; the plan is what all players do in each step, the walks included. The encoding must count what is wanted.
///
/// A level without a plan has no end but a limit, unless its boxes cannot even be assigned to goals.
///
/// ```
/// use noyes_puzzle::sokoban::parse_level;
/// use noyes_solver::sat::{LevelEncoding, SatOptions, solve_level};
/// use noyes_solver::{Control, Objective};
/// let level = parse_level("######\n#@ $.#\n######")?;
/// let options = SatOptions::of(LevelEncoding::default_for(Objective::Moves));
/// let outcome = solve_level(&level, true, &options, &Control::new())?;
/// assert_eq!(outcome.bounds.upper, Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the encoding does not fit, or the backend is a program that fails or lies.
pub fn solve_level(
    level: &Level,
    wait: bool,
    options: &SatOptions<LevelEncoding>,
    control: &Control,
) -> Result<Outcome<Step>, LevelSatError> {
    fit_level(
        Some(options.encoding.into()),
        level,
        options.encoding.objective(),
    )?;
    let mut solved = None;
    run(level, wait, options, control, &mut |told| {
        solved = Some(told);
    });
    Ok(solved.expect("told in the end")?.outcome)
}

fn floor(level: &Level) -> usize {
    let cells = 0..level.cells() as u32;
    cells.filter(|&cell| level.is_floor(cell as u16)).count()
}

/// More moves than states would visit one twice. None for more than a solver would ever be asked.
fn most_moves(level: &Level) -> Option<u32> {
    const MOST: u64 = 10_000;
    let (floor, mut states) = (floor(level) as u64, 1u64);
    for i in 0..level.boxes().len() as u64 {
        states = states.checked_mul(floor.saturating_sub(i))? / (i + 1);
    }
    for _ in level.players() {
        states = states.checked_mul(floor)?;
    }
    (states <= MOST).then_some(states as u32)
}

/// The same with an encoding that fits.
pub(crate) fn run(
    level: &Level,
    wait: bool,
    options: &SatOptions<LevelEncoding>,
    control: &Control,
    tell: &mut Tell<'_, Step>,
) {
    let stopped = |stop| Solved::at_once(Outcome::stopped(stop, 0, Counts::of_sat()));
    let places = match Places::within(level, control) {
        Ok(places) => places,
        Err(stop) => return tell(Ok(stopped(stop))),
    };
    let Some(fewest) = places.fewest else {
        return tell(Ok(Solved::at_once(Outcome::unsolvable(
            0,
            Counts::of_sat(),
        ))));
    };
    if level.goals().all(|goal| level.boxes().contains(&goal)) {
        return tell(Ok(Solved::empty()));
    }
    // Only another program needs to be held against a plan that is found at once.
    let objective = options.encoding.objective();
    let surely = match (&options.backend, level.players()) {
        (BackendName::Command(_), [_]) => {
            let soon = Control::new().time_limit(Duration::from_secs(1));
            first_plan(level, objective, &soon).bounds.upper
        }
        _ => None,
    };
    let choices = options.clone().with(());
    let encoding = match options.encoding {
        LevelEncoding::Pushes(encoding) => encoding,
        LevelEncoding::Moves(encoding) => {
            let lean = match LeanMoves::within(level, places.clone(), wait, control) {
                Ok(lean) => lean,
                Err(stop) => return tell(Ok(stopped(stop))),
            };
            let task = Task {
                make: &|_| match encoding {
                    ByMoves::Own => Box::new(lean.clone()),
                    ByMoves::Paper => Box::new(Moves::of(places.clone(), wait)),
                },
                other: &|_| None,
                is_for_one_bound: false,
                lower: lean.lower(),
                stride: 1,
                is_optimal: true,
                surely,
                most: most_moves(level),
            };
            return task.run(&choices, control, tell);
        }
    };
    let task = Task {
        make: &|_| match encoding {
            ByPushes::Tamura(blocks) => Box::new(Tamura::of(level, places.clone(), blocks)),
            ByPushes::Own => Box::new(Pushes::of(level, places.clone())),
        },
        other: &|_| None,
        is_for_one_bound: false,
        lower: fewest,
        stride: places.unit,
        is_optimal: true,
        surely,
        most: most_moves(level),
    };
    task.run(&choices, control, &mut |solved| {
        tell(solved.map(|Solved { outcome, cpu }| Solved {
            outcome: Outcome {
                plan: outcome.plan.map(|plan| walk(level, &plan)),
                status: outcome.status,
                bounds: outcome.bounds,
                counts: outcome.counts,
            },
            cpu,
        }));
    });
}

/// An encoding that counts pushes.
///
/// # Panics
/// If there are several players.
pub fn by_pushes(level: &Level, encoding: ByPushes) -> Box<dyn Encoding<Move = Push>> {
    match encoding {
        ByPushes::Tamura(blocks) => Box::new(Tamura::new(level, blocks)),
        ByPushes::Own => Box::new(Pushes::new(level)),
    }
}

/// An encoding that counts moves.
pub fn by_moves(level: &Level, wait: bool, encoding: ByMoves) -> Box<dyn Encoding<Move = Step>> {
    match encoding {
        ByMoves::Own => Box::new(LeanMoves::new(level, wait)),
        ByMoves::Paper => Box::new(Moves::new(level, wait)),
    }
}

/// The moves of a plan of pushes, with the shortest walks. Ends early where a push cannot be made, which the replay will see.
pub(crate) fn walk(level: &Level, plan: &[Push]) -> Vec<Step> {
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
        let moves = way.into_iter().chain([push.direction]);
        steps.extend(moves.map(|d| Step::from([Some(d)])));
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
