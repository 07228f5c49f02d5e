//! `noyes.heuristics`: lower bounds on arrays of boards.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noyes_puzzle::tiles::{Board as Tiles, BoardError, MAX_CELLS};
use noyes_solver::{EvaluateError, Field, HeuristicName};
use numpy::{Element, PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::attend::alone;
use crate::board::Board;
use crate::error::{LimitError, argument, asked, input, refused};
use crate::machine::cache;
use crate::puzzle;
use crate::wishes::Limits;

/// The bound of a heuristic on each board of an array of shape (n, rows, columns) or (n, cells), of whole numbers of any type, or
/// of a list of boards.
///
/// `heuristic` is a name of the command line: manhattan, linear-conflict, walking, misplaced, pdb:PATTERNS, or several of them,
/// separated by slashes, for their maximum. `size` (columns, rows) is for boards of shape (n, cells) that are not square.
#[pyfunction]
#[pyo3(signature = (heuristic, boards, goal=None, size=None))]
pub fn evaluate<'py>(
    heuristic: &str,
    boards: &Bound<'py, PyAny>,
    goal: Option<&Bound<'py, PyAny>>,
    size: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyArray1<i32>>> {
    let heuristic: Option<HeuristicName> =
        noyes_answer::ask::parsed(Field::Heuristic, Some(heuristic)).map_err(refused)?;
    let heuristic = heuristic.expect("it is given");
    let given = array(boards)?;
    let size = size.map(puzzle::size).transpose()?;
    let size = size_of(given.shape(), goal, size)?;
    let goal = puzzle::goal(goal, size)?;
    macro_rules! by_type {
        ($($type:ty),*) => {
            $(if let Ok(array) = given.cast::<PyArrayDyn<$type>>() {
                return bounds(&heuristic, &goal, array);
            })*
        };
    }
    by_type!(i64, u16, u8, i32, u32, u64, i16, i8);
    let kind = given.dtype();
    let what = format!("boards: expected whole numbers, found {kind}");
    Err(PyTypeError::new_err(what))
}

/// The boards as an array without gaps, where the processor wants it.
fn array<'py>(boards: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyUntypedArray>> {
    let numpy = boards.py().import("numpy")?;
    // A single board looks like an array of its rows.
    if boards.cast::<Board>().is_ok() {
        return Err(PyTypeError::new_err(SHAPE));
    }
    let array = numpy.call_method1("require", (boards, boards.py().None(), "CAE"))?;
    let kind = array.getattr("dtype")?;
    if kind.getattr("isnative")?.is_truthy()? {
        return Ok(array.cast_into()?);
    }
    // From a file of another machine.
    let native = kind.call_method1("newbyteorder", ("=",))?;
    Ok(array.call_method1("astype", (native,))?.cast_into()?)
}

const SHAPE: &str =
    "boards: expected an array of shape (n, rows, columns) or (n, cells), or a list of boards";

/// Columns and rows.
fn size_of(
    shape: &[usize],
    goal: Option<&Bound<'_, PyAny>>,
    size: Option<(usize, usize)>,
) -> PyResult<(usize, usize)> {
    let of_goal = || {
        let board = goal?.cast::<Board>().ok()?;
        Some((board.get().0.width(), board.get().0.height()))
    };
    let cells = shape.iter().skip(1).copied().reduce(usize::saturating_mul);
    if cells.is_some_and(|cells| cells > MAX_CELLS) {
        return Err(argument("boards", BoardError::TooLarge));
    }
    match *shape {
        [_, height, width] if width * height > 0 => match size {
            Some(other) if other != (width, height) => {
                let what = format!("the boards are {width}x{height}");
                Err(argument("size", what))
            }
            _ => Ok((width, height)),
        },
        [_, cells] if cells > 0 => {
            let side = cells.isqrt();
            let known = size.or_else(of_goal).unwrap_or((side, side));
            if known.0 * known.1 == cells {
                return Ok(known);
            }
            let (width, height) = known;
            let error = if size.is_none() && of_goal().is_none() {
                BoardError::NotSquare { count: cells }
            } else {
                BoardError::Count {
                    found: cells,
                    width,
                    height,
                    expected: width * height,
                }
            };
            Err(argument("boards", error))
        }
        _ => Err(input(format_args!("{SHAPE}, found shape {shape:?}"))),
    }
}

fn bounds<'py, T: Element + Copy + Display + TryInto<u16> + Sync>(
    heuristic: &HeuristicName,
    goal: &Tiles,
    boards: &Bound<'py, PyArrayDyn<T>>,
) -> PyResult<Bound<'py, PyArray1<i32>>> {
    let py = boards.py();
    let boards = boards.readonly();
    let boards = boards.as_slice().expect("without gaps");
    let stop = Arc::new(AtomicBool::new(false));
    let control = Limits::default().control(1, &stop);
    let cache = cache(py);
    let bounds = alone(py, &stop, || {
        let bounds = noyes_solver::evaluate(heuristic, goal, boards, &cache, &control)?;
        Ok(bounds
            .into_iter()
            .map(|bound| bound as i32)
            .collect::<Vec<i32>>())
    })?;
    let bounds = bounds.map_err(|error| match error {
        EvaluateError::Ask(error) => asked(error),
        error @ EvaluateError::Board { .. } => input(error),
        EvaluateError::Stopped(stop) => LimitError::new_err(stop.to_string()),
    })?;
    Ok(PyArray1::from_vec(py, bounds))
}
