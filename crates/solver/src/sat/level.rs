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
use super::encoding::{Encoding, EncodingName, LeanMoves, Moves, Push, Pushes, Tamura};
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

/// What an encoding cannot do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LevelSatError {
    /// It is for boards, or counts something else.
    #[error(
        "the encoding {encoding} does not give the fewest {objective} of a level (expected tamura or pushes for pushes, moves for moves)"
    )]
    Encoding {
        /// The encoding.
        encoding: EncodingName,
        /// What was asked for.
        objective: Objective,
    },
    /// It is for one player.
    #[error("the encoding {encoding} is for one player, not {players} (expected moves)")]
    Players {
        /// The encoding.
        encoding: EncodingName,
        /// How many there are.
        players: usize,
    },
    /// The solver is another program, and that fails or lies.
    #[error(transparent)]
    Backend(#[from] BackendError),
}

/// Solves a level by SAT with the encoding of the options, which must count the objective; one that counts pushes is for
/// one player. `wait` says whether a player of a crew may stand still. Bounds are in pushes, or in moves that all players
/// make at once; the plan always is what they do, the walks included.
///
/// Without a plan there is no end but a limit, unless the level is one that `places` show to have none.
///
/// # Errors
/// If the encoding does not fit, or the backend is a program that fails or lies.
pub fn solve_level(
    level: &Level,
    objective: Objective,
    wait: bool,
    options: &SatOptions,
    control: &Control,
) -> Result<Outcome<Step>, LevelSatError> {
    let encoding = options.encoding;
    check(level, objective, encoding)?;
    let places = Places::new(level);
    let Some(fewest) = places.fewest else {
        let counts = Counts {
            sat: Some(SatCounts::default()),
            ..Counts::default()
        };
        return Ok(Outcome::unsolvable(0, counts));
    };
    if level.goals().all(|goal| level.boxes().contains(&goal)) {
        return Ok(Solved::empty().outcome);
    }
    match objective {
        Objective::Pushes => {
            let task = Task {
                make: &|| by_pushes(level, encoding),
                lower: fewest,
                stride: places.unit,
                is_optimal: true,
                surely: None,
            };
            let outcome = task.run(options, control)?.outcome;
            let steps = |plan: Vec<Push>| walk(level, &plan).into_iter().map(|d| vec![Some(d)]);
            Ok(turned(outcome, |plan| steps(plan).collect()))
        }
        Objective::Moves => {
            let task = Task {
                make: &|| by_moves(level, wait, encoding),
                lower: LeanMoves::new(level, wait).lower(),
                stride: 1,
                is_optimal: true,
                surely: None,
            };
            Ok(task.run(options, control)?.outcome)
        }
    }
}

/// Whether the encoding can do it.
pub(super) fn check(
    level: &Level,
    objective: Objective,
    encoding: EncodingName,
) -> Result<(), LevelSatError> {
    let players = level.players().len();
    if encoding.objective() != Some(objective) {
        return Err(LevelSatError::Encoding {
            encoding,
            objective,
        });
    }
    if objective == Objective::Pushes && players > 1 {
        return Err(LevelSatError::Players { encoding, players });
    }
    Ok(())
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
) -> Box<dyn Encoding<Move = Step>> {
    match encoding {
        EncodingName::Moves { lean: true } => Box::new(LeanMoves::new(level, wait)),
        EncodingName::Moves { lean: false } => Box::new(Moves::new(level, wait)),
        _ => unreachable!("{encoding} does not count moves"),
    }
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

/// The moves of a plan of pushes, with the shortest walks. Ends early where a push cannot be made, which the replay will see.
fn walk(level: &Level, plan: &[Push]) -> Vec<Direction> {
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
