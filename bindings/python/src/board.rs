//! `noyes.Board`.

use noyes_puzzle::tiles::{self, Direction, solvable};
use numpy::ndarray::ArrayView2;
use numpy::npyffi::NPY_ARRAY_WRITEABLE;
use numpy::{PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;

use crate::error::input;
use crate::picture;
use crate::plan::applied;
use crate::puzzle::{self, Puzzle};

/// A sliding-tile board: tiles, and the blank 0. It never changes.
///
/// `source` is a text such as "1 2 3/4 0 6/7 5 8", a list of tiles or of rows, or a numpy array. `size` (columns, rows) is
/// for boards that do not say where rows end and are not square.
#[pyclass(frozen, eq, hash, module = "noyes", from_py_object)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Board(pub tiles::Board);

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (source, size=None))]
    fn new(source: &Bound<'_, PyAny>, size: Option<&Bound<'_, PyAny>>) -> PyResult<Board> {
        let size = size.map(puzzle::size).transpose()?;
        puzzle::board(source, size).map(Board)
    }

    /// The goal of a size: the blank last, or first.
    #[staticmethod]
    #[pyo3(signature = (size, name="blank-last"))]
    fn goal(size: &Bound<'_, PyAny>, name: &str) -> PyResult<Board> {
        let name = name.into_pyobject(size.py())?.into_any();
        puzzle::goal(Some(&name), puzzle::size(size)?).map(Board)
    }

    /// Columns.
    #[getter]
    fn width(&self) -> usize {
        self.0.width()
    }

    /// Rows.
    #[getter]
    fn height(&self) -> usize {
        self.0.height()
    }

    /// Rows and columns, as numpy counts.
    #[getter]
    fn shape(&self) -> (usize, usize) {
        (self.0.height(), self.0.width())
    }

    /// Row and column of the blank, from 0.
    #[getter]
    fn blank(&self) -> (usize, usize) {
        let (cell, width) = (self.0.blank(), self.0.width());
        (cell / width, cell % width)
    }

    /// The tiles as an array of rows and columns: a view of this board that cannot be written.
    #[getter]
    fn array<'py>(this: &Bound<'py, Self>) -> Bound<'py, PyArray2<u16>> {
        let board = &this.get().0;
        let shape = (board.height(), board.width());
        let view = ArrayView2::from_shape(shape, board.tiles()).expect("whole rows");
        // SAFETY: the array keeps the board alive. The board is frozen, so its tiles never move or change, and the view is
        // made read-only before anyone else sees it.
        let array = unsafe { PyArray2::borrow_from_array(&view, this.clone().into_any()) };
        // SAFETY: the array is new, and nobody else has it.
        // Not by a borrow, which fails while a heuristic reads another view of this board.
        unsafe { (*array.as_array_ptr()).fields.flags &= !NPY_ARRAY_WRITEABLE };
        array
    }

    /// The same for numpy, in another type of numbers if that is asked for.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        this: &Bound<'py, Self>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        as_type(Board::array(this).into_any(), dtype, copy)
    }

    /// The directions in which the blank can go: some of U, L, R, D.
    fn moves(&self) -> Vec<char> {
        let blank = self.0.blank();
        let can = |d: &Direction| self.0.neighbour(blank, *d).is_some();
        let moves = Direction::ALL.into_iter().filter(can);
        moves.map(Direction::letter).collect()
    }

    /// The board after some moves: letters U, L, R, D that say where the blank goes.
    fn apply(&self, moves: &Bound<'_, PyAny>) -> PyResult<Board> {
        match applied(Puzzle::Board(self.0.clone()), moves)? {
            Puzzle::Board(board) => Ok(Board(board)),
            _ => unreachable!("a board stays one"),
        }
    }

    /// Whether the goal can be reached.
    #[pyo3(signature = (goal=None))]
    fn is_solvable(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<bool> {
        Ok(self.reason(goal)?.is_none())
    }

    /// Why the goal cannot be reached; None if it can.
    #[pyo3(signature = (goal=None))]
    fn reason(&self, goal: Option<&Bound<'_, PyAny>>) -> PyResult<Option<String>> {
        let goal = puzzle::goal(goal, (self.0.width(), self.0.height()))?;
        Ok(solvable(&self.0, &goal).err().map(|why| why.to_string()))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        format!("Board('{}')", self.0)
    }

    fn __reduce__<'py>(this: &Bound<'py, Self>) -> (Bound<'py, PyAny>, (String,)) {
        (this.get_type().into_any(), (this.get().0.to_string(),))
    }

    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }

    /// A picture, for notebooks.
    fn _repr_svg_(&self) -> Option<String> {
        picture::of_board(&self.0, &[])
    }
}

/// What `__array__` returns: the array, converted or copied as numpy asks.
pub fn as_type<'py>(
    array: Bound<'py, PyAny>,
    dtype: Option<&Bound<'py, PyAny>>,
    copy: Option<bool>,
) -> PyResult<Bound<'py, PyAny>> {
    let same = match dtype {
        None => true,
        Some(dtype) => array.getattr("dtype")?.eq(dtype)?,
    };
    match (same, copy) {
        (true, Some(true)) => array.call_method0("copy"),
        (true, _) => Ok(array),
        (false, Some(false)) => Err(input("another type of numbers takes a copy (copy=False)")),
        (false, _) => array.call_method1("astype", (dtype,)),
    }
}
