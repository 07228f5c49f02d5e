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

use super::backend::{BackendError, BackendName};
use super::encoding::{Encoding, EncodingName, LeanMoves, Moves, Push, Pushes, Tamura};
use super::places::Places;
use super::{SatOptions, Solved, Task, Tell};
use crate::answer::Outcome;
use crate::control::Control;
use crate::counts::Counts;
use crate::sokoban::{JointStep, Objective, first_plan};

/// The most cells of floor of a level to encode: distances between all of them are needed at once.
pub const MOST_FLOOR: usize = 3000;

/// An encoding that does not give what was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfit {
    /// It counts something else.
    #[error(
        "the encoding {encoding} does not give the fewest {wanted} of a level (expected tamura or pushes for the pushes of one player, moves for moves and for steps of a crew)"
    )]
    Counts {
        /// The encoding.
        encoding: EncodingName,
        /// What was asked for.
        wanted: &'static str,
    },
    /// The level is too large.
    #[error("the encodings of levels are for up to {MOST_FLOOR} cells of floor, not {floor}")]
    Large {
        /// Its cells of floor.
        floor: usize,
    },
}

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

/// The encoding to use, if it can do what is wanted: our own instead of the default, which is for boards. Crews
/// count steps, whatever the objective.
///
/// # Errors
/// If it cannot.
pub fn fitting(
    level: &Level,
    objective: Objective,
    encoding: EncodingName,
) -> Result<EncodingName, Unfit> {
    let floor = floor(level);
    if floor > MOST_FLOOR {
        return Err(Unfit::Large { floor });
    }
    let crew = level.players().len() > 1;
    let counts = if crew { Objective::Moves } else { objective };
    let wanted = if crew { "steps" } else { objective.name() };
    match (encoding, counts) {
        _ if encoding.objective() == Some(counts) => Ok(encoding),
        _ if encoding != EncodingName::default() => Err(Unfit::Counts { encoding, wanted }),
        (_, Objective::Pushes) => Ok(EncodingName::Pushes),
        (_, Objective::Moves) => Ok(EncodingName::Moves { lean: true }),
    }
}

/// Solves a level by SAT. Bounds are in pushes, in moves, or in steps of a crew, where `wait` says whether a player may
/// stand still; the plan is what all players do in each step, the walks included. The encoding is the [`fitting`] one.
///
/// A level without a plan has no end but a limit, unless its boxes cannot even be assigned to goals.
///
/// ```
/// use noyes_puzzle::sokoban::parse_level;
/// use noyes_solver::sat::{SatOptions, solve_level};
/// use noyes_solver::{Control, Objective};
/// let level = parse_level("######\n#@ $.#\n######")?;
/// let outcome = solve_level(&level, Objective::Moves, true, &SatOptions::default(), &Control::new())?;
/// assert_eq!(outcome.bounds.upper, Some(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the encoding does not fit, or the backend is a program that fails or lies.
pub fn solve_level(
    level: &Level,
    objective: Objective,
    wait: bool,
    options: &SatOptions,
    control: &Control,
) -> Result<Outcome<JointStep>, LevelSatError> {
    let encoding = fitting(level, objective, options.encoding)?;
    let mut solved = None;
    run(level, wait, encoding, options, control, &mut |told| {
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
    encoding: EncodingName,
    options: &SatOptions,
    control: &Control,
    tell: &mut Tell<'_, JointStep>,
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
    let objective = encoding.objective().unwrap_or_default();
    let surely = match (&options.backend, level.players()) {
        (BackendName::Command(_), [_]) => {
            let soon = Control::new().time_limit(Duration::from_secs(1));
            first_plan(level, objective, &soon).bounds.upper
        }
        _ => None,
    };
    if objective == Objective::Moves {
        let lean = match LeanMoves::within(level, places.clone(), wait, control) {
            Ok(lean) => lean,
            Err(stop) => return tell(Ok(stopped(stop))),
        };
        let task = Task {
            make: &|_| match encoding {
                EncodingName::Moves { lean: true } => Box::new(lean.clone()),
                _ => Box::new(Moves::of(places.clone(), wait)),
            },
            other: &|_| None,
            is_for_one_bound: false,
            lower: lean.lower(),
            stride: 1,
            is_optimal: true,
            surely,
            most: most_moves(level),
        };
        return task.run(options, control, tell);
    }
    let task = Task {
        make: &|_| match encoding {
            EncodingName::Tamura(blocks) => Box::new(Tamura::of(level, places.clone(), blocks)),
            _ => Box::new(Pushes::of(level, places.clone())),
        },
        other: &|_| None,
        is_for_one_bound: false,
        lower: fewest,
        stride: places.unit,
        is_optimal: true,
        surely,
        most: most_moves(level),
    };
    task.run(options, control, &mut |solved| {
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
/// If it is another, or there are several players.
pub fn by_pushes(level: &Level, encoding: EncodingName) -> Box<dyn Encoding<Move = Push>> {
    match encoding {
        EncodingName::Tamura(blocks) => Box::new(Tamura::new(level, blocks)),
        EncodingName::Pushes => Box::new(Pushes::new(level)),
        _ => unreachable!("{encoding} does not count pushes"),
    }
}

/// An encoding that counts moves.
///
/// # Panics
/// If it is another.
pub fn by_moves(
    level: &Level,
    wait: bool,
    encoding: EncodingName,
) -> Box<dyn Encoding<Move = JointStep>> {
    match encoding {
        EncodingName::Moves { lean: true } => Box::new(LeanMoves::new(level, wait)),
        EncodingName::Moves { lean: false } => Box::new(Moves::new(level, wait)),
        _ => unreachable!("{encoding} does not count moves"),
    }
}

/// The moves of a plan of pushes, with the shortest walks. Ends early where a push cannot be made, which the replay will see.
pub(super) fn walk(level: &Level, plan: &[Push]) -> Vec<JointStep> {
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
        steps.extend(moves.map(|d| JointStep::from([Some(d)])));
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
