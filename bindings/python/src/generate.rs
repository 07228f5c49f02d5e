//! `noyes.generate`: random puzzles.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noyes_answer::made::{self, Levels, fresh_seed};
use noyes_puzzle::tiles::{self, Generator, random_board};
use noyes_solver::sokoban::{GenerateError, Wish};
use noyes_solver::{AtDistance, DistanceError, Stop, walk};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::attend::alone;
use crate::board::Board;
use crate::error::{LimitError, argument, input};
use crate::level::Level;
use crate::machine::{cache, has_room};
use crate::puzzle::{goal, size};
use crate::wishes::Limits;

/// Makes random puzzles: boards of a size such as "4x4", or levels for "sokoban". Without `count` it is one puzzle, otherwise
/// a list.
///
/// The same seed gives the same puzzles everywhere, those of `noyes generate`. Boards: `distance` is the number of moves of an
/// optimal plan, or a pair of the fewest and the most; `walk` is a number of random moves from the goal. Levels: `size` is
/// the largest size with walls, and every plan has at least `min_pushes` (one player) or `min_steps` (several).
#[pyfunction]
#[pyo3(signature = (
    what, count=None, *, seed=None, distance=None, walk=None, goal=None, size=None, boxes=None, players=None,
    min_pushes=None, min_steps=None, time_limit=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a wish")]
pub fn generate<'py>(
    py: Python<'py>,
    what: &Bound<'py, PyAny>,
    count: Option<usize>,
    seed: Option<u64>,
    distance: Option<&Bound<'py, PyAny>>,
    walk: Option<usize>,
    goal: Option<&Bound<'py, PyAny>>,
    size: Option<&Bound<'py, PyAny>>,
    boxes: Option<usize>,
    players: Option<usize>,
    min_pushes: Option<u32>,
    min_steps: Option<u32>,
    time_limit: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let seed = seed.unwrap_or_else(fresh_seed);
    let limits = Limits::new(time_limit, None)?;
    let is_level = what.cast::<PyString>().is_ok_and(|what| what == "sokoban");
    if is_level {
        for (is_given, name) in [
            (distance.is_some(), "distance"),
            (walk.is_some(), "walk"),
            (goal.is_some(), "goal"),
        ] {
            if is_given {
                return Err(argument(name, "only for boards, not for levels"));
            }
        }
        let (width, height) = size.map_or(Ok((8, 8)), self::size)?;
        let players = players.unwrap_or(1);
        let least = made::least(players, min_pushes, min_steps)
            .map_err(|misplaced| input(misplaced.in_words("min_pushes", "min_steps")))?;
        let wish = Wish {
            width,
            height,
            boxes: boxes.unwrap_or(3),
            players,
            least,
        };
        has_room_for(count, 4 * width * height)?;
        let levels = levels(py, wish, seed, count.unwrap_or(1), limits)?;
        return one_or_all(py, levels, count);
    }
    for (is_given, name) in [
        (boxes.is_some(), "boxes"),
        (players.is_some(), "players"),
        (min_pushes.is_some(), "min_pushes"),
        (min_steps.is_some(), "min_steps"),
        (size.is_some(), "size"),
    ] {
        if is_given {
            return Err(argument(
                name,
                "only for levels (expected generate(\"sokoban\", …))",
            ));
        }
    }
    let goal = self::goal(goal, self::size(what)?)?;
    let how = match (distance, walk) {
        (None, None) => How::Random,
        (Some(distance), None) => How::At(distances(distance)?),
        (None, Some(steps)) => How::Walk(steps),
        (Some(_), Some(_)) => {
            return Err(argument(
                "distance",
                "it does not go with walk (expected one of them)",
            ));
        }
    };
    has_room_for(count, 2 * goal.tiles().len())?;
    let boards = boards(py, &goal, how, seed, count.unwrap_or(1), limits)?;
    one_or_all(py, boards, count)
}

/// An error if a list of puzzles of about this size does not fit into memory.
fn has_room_for(count: Option<usize>, bytes: usize) -> PyResult<()> {
    const OBJECT: usize = 200;
    has_room(count.unwrap_or(1).saturating_mul(bytes + OBJECT))
}

/// A number of moves, or the fewest and the most.
fn distances(given: &Bound<'_, PyAny>) -> PyResult<RangeInclusive<u32>> {
    if let Ok((least, most)) = given.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>() {
        let (least, most): (u32, u32) = (least.extract()?, most.extract()?);
        if least > most {
            let what = format!("the range is empty (expected ({most}, {least}))");
            return Err(argument("distance", what));
        }
        return Ok(least..=most);
    }
    let moves = given.extract()?;
    Ok(moves..=moves)
}

enum How {
    Random,
    At(RangeInclusive<u32>),
    Walk(usize),
}

fn boards(
    py: Python<'_>,
    goal: &tiles::Board,
    how: How,
    seed: u64,
    count: usize,
    limits: Limits,
) -> PyResult<Vec<Board>> {
    let stop = Arc::new(AtomicBool::new(false));
    let control = limits.control(1, &stop);
    let cache = cache(py);
    let made = alone(py, &stop, || -> Result<Vec<Board>, DistanceOr> {
        let at = match &how {
            How::At(distances) => {
                Some(AtDistance::in_range(goal, distances.clone(), &control)?.cache(cache))
            }
            _ => None,
        };
        let board = |index: usize| {
            control.poll_stop()?;
            let random = &mut Generator::new(seed, index as u64);
            let board = match (&at, &how) {
                (Some(at), _) => at.draw(random, &control)?.0,
                (None, How::Walk(steps)) => walk(goal, *steps, random, &control)?,
                (None, _) => random_board(goal, random),
            };
            Ok(Board(board))
        };
        (0..count).map(board).collect()
    })?;
    made.map_err(|error| match error {
        DistanceOr::Distance(error @ DistanceError::TooFar { .. }) => argument("distance", error),
        DistanceOr::Distance(error) => LimitError::new_err(error.to_string()),
        DistanceOr::Stop(stop) => LimitError::new_err(noyes_answer::limits::in_words(stop)),
    })
}

/// Why there is no board.
enum DistanceOr {
    Distance(DistanceError),
    Stop(Stop),
}

impl From<DistanceError> for DistanceOr {
    fn from(error: DistanceError) -> DistanceOr {
        DistanceOr::Distance(error)
    }
}

impl From<Stop> for DistanceOr {
    fn from(stop: Stop) -> DistanceOr {
        DistanceOr::Stop(stop)
    }
}

fn levels(
    py: Python<'_>,
    wish: Wish,
    seed: u64,
    count: usize,
    limits: Limits,
) -> PyResult<Vec<Level>> {
    let stop = Arc::new(AtomicBool::new(false));
    let control = limits.control(1, &stop);
    let made = alone(py, &stop, || {
        let mut levels = Levels::new(wish, seed);
        let level = |_| {
            let (made, index) = levels.draw(&control)?;
            let title = format!("seed {seed}, number {index}");
            Ok(Level(Arc::new(made.level.titled(Some(title)))))
        };
        (0..count)
            .map(level)
            .collect::<Result<Vec<Level>, GenerateError>>()
    })?;
    made.map_err(|error| match error {
        GenerateError::Stopped { .. } | GenerateError::NotFound { .. } => {
            LimitError::new_err(error.to_string())
        }
        error => input(error),
    })
}

/// A list, or the one puzzle in it.
fn one_or_all<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    puzzles: Vec<T>,
    count: Option<usize>,
) -> PyResult<Bound<'py, PyAny>> {
    let list = PyList::new(py, puzzles)?;
    match count {
        None => list.get_item(0),
        Some(_) => Ok(list.into_any()),
    }
}
