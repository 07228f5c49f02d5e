//! `noyes.pattern_database`: the values of a pattern as a numpy array.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noyes_solver::tiles::pdb::{DenseError, dense};
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;

use crate::attend::alone;
use crate::board::Board;
use crate::error::{LimitError, input};
use crate::puzzle;
use crate::wishes::Limits;

/// The pattern database of some tiles as an array of bytes with an axis for each tile: entry [c1, c2, …] is the fewest moves of
/// these tiles that bring them home if the first is on cell c1, and so on, over all places of the blank. Cells are
/// counted row by row from 0.
///
/// With `blank=True` there is one more axis, last: the cell of the blank, whose place then counts. 255 is what is no placement, or
/// cannot get home. The values of patterns without common tiles can be added.
///
/// The goal is that of `size`, or a board.
#[pyfunction]
#[pyo3(signature = (tiles, size=None, *, goal=None, blank=false, memory_limit=None))]
pub fn pattern_database<'py>(
    py: Python<'py>,
    tiles: &Bound<'py, PyAny>,
    size: Option<&Bound<'py, PyAny>>,
    goal: Option<&Bound<'py, PyAny>>,
    blank: bool,
    memory_limit: Option<usize>,
) -> PyResult<Bound<'py, PyArrayDyn<u8>>> {
    let tiles = puzzle::items(tiles)?.map(|tile| tile?.extract());
    let tiles: Vec<u16> = tiles.collect::<PyResult<_>>()?;
    let size = match (size, goal.map(|goal| goal.cast::<Board>())) {
        (Some(size), _) => puzzle::size(size)?,
        (None, Some(Ok(goal))) => (goal.get().0.width(), goal.get().0.height()),
        (None, _) => (4, 4),
    };
    let goal = puzzle::goal(goal, size)?;
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits::new(None, memory_limit)?;
    let control = limits.control(1, &stop);
    let values = alone(py, &stop, || dense(&goal, &tiles, blank, &control))?;
    let values = values.map_err(|error| match error {
        DenseError::Pattern(error) => input(error),
        DenseError::Table(error) => LimitError::new_err(error.to_string()),
    })?;
    let axes = tiles.len() + usize::from(blank);
    let shape = vec![goal.tiles().len(); axes];
    PyArray1::from_vec(py, values).reshape(shape)
}
