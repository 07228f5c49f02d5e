//! A puzzle as Python gives it: an object of ours, a text, or rows of tiles.

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use noyes_answer::Given;
use noyes_puzzle::sokoban;
use noyes_puzzle::tiles;
use pyo3::exceptions::{PyOSError, PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyIterator, PyString};

use crate::board::Board;
use crate::error::{InputError, argument, input};
use crate::graph::Graph;
use crate::level::Level;

/// Any puzzle.
#[derive(Clone)]
pub enum Puzzle {
    Board(tiles::Board),
    Level(Arc<sokoban::Level>),
    Graph(Graph),
}

impl Puzzle {
    /// The puzzle of an object.
    pub fn read(given: &Bound<'_, PyAny>) -> PyResult<Puzzle> {
        if let Ok(board) = given.cast::<Board>() {
            return Ok(Puzzle::Board(board.get().0.clone()));
        }
        if let Ok(level) = given.cast::<Level>() {
            return Ok(Puzzle::Level(level.get().0.clone()));
        }
        if let Ok(graph) = given.cast::<Graph>() {
            return Ok(Puzzle::Graph(graph.get().clone()));
        }
        let Ok(text) = given.cast::<PyString>() else {
            return board(given, None).map(Puzzle::Board);
        };
        Ok(match Given::read(text.to_cow()?.as_ref()).map_err(input)? {
            Given::Board(board) => Puzzle::Board(board),
            Given::Level(level) => Puzzle::Level(Arc::new(*level)),
        })
    }

    /// The same as an object of ours.
    pub fn into_object(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self {
            Puzzle::Board(board) => Py::new(py, Board(board))?.into_any(),
            Puzzle::Level(level) => Py::new(py, Level(level))?.into_any(),
            Puzzle::Graph(graph) => Py::new(py, graph)?.into_any(),
        })
    }
}

/// A board from an object: a board, a text, or tiles or rows of tiles in anything that can be listed.
pub fn board(given: &Bound<'_, PyAny>, size: Option<(usize, usize)>) -> PyResult<tiles::Board> {
    if let Ok(board) = given.cast::<Board>() {
        return Ok(board.get().0.clone());
    }
    let text = match given.cast::<PyString>() {
        Ok(text) => text.to_cow()?.into_owned(),
        Err(_) => as_text(given)?,
    };
    tiles::Board::parse(&text, size).map_err(input)
}

/// Tiles or rows of tiles as a text, so that all boards are read in one place.
fn as_text(given: &Bound<'_, PyAny>) -> PyResult<String> {
    if is_bytes(given) {
        return Err(unlike(given));
    }
    // Before anything is copied: what is far too large may not fit into memory.
    let size = given.getattr("size").and_then(|size| size.extract());
    room(size.unwrap_or(0), 0)?;
    let listed = if given.hasattr("tolist")? {
        given.call_method0("tolist")?
    } else {
        given.clone()
    };
    let mut text = String::new();
    let length = |row: &Bound<'_, PyAny>| match row.len() {
        Err(error) if error.is_instance_of::<PyOverflowError>(row.py()) => Ok(usize::MAX),
        length => length.map_err(|_| unlike(given)),
    };
    room(length(&listed)?, 0)?;
    if let Some(row) = numbers(&listed)? {
        write_row(&mut text, &row);
        return Ok(text);
    }
    let rows: Vec<Bound<'_, PyAny>> = listed.extract().map_err(|_| unlike(given))?;
    let mut cells = 0;
    for row in rows {
        if is_bytes(&row) {
            return Err(unlike(given));
        }
        cells = room(length(&row)?, cells)?;
        write_row(&mut text, &numbers(&row)?.ok_or_else(|| unlike(given))?);
        text.push('/');
    }
    Ok(text)
}

/// The whole numbers in a list; None if there is something else in it.
fn numbers(row: &Bound<'_, PyAny>) -> PyResult<Option<Vec<i64>>> {
    match row.extract() {
        Ok(numbers) => Ok(Some(numbers)),
        Err(error) if PyErr::is_instance_of::<PyOverflowError>(&error, row.py()) => {
            let most = tiles::MAX_CELLS - 1;
            Err(input(format_args!(
                "a tile is out of range (expected 0 to {most} at most)"
            )))
        }
        Err(_) => Ok(None),
    }
}

/// The number of cells, with these that come to it; an error if no board has as many.
fn room(more: usize, cells: usize) -> PyResult<usize> {
    let cells = cells.saturating_add(more);
    if cells > tiles::MAX_CELLS {
        return Err(input(tiles::BoardError::TooLarge));
    }
    Ok(cells)
}

/// Whether an object is numbers to Python, but rarely tiles.
fn is_bytes(given: &Bound<'_, PyAny>) -> bool {
    given.cast::<PyBytes>().is_ok() || given.cast::<PyByteArray>().is_ok()
}

/// The items of a sequence, one by one: its length is not believed, so that `range(10**15)` does not end the process.
pub fn items<'py>(given: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyIterator>> {
    // SAFETY: it only looks at the type of an object that is alive.
    let is_sequence = unsafe { pyo3::ffi::PySequence_Check(given.as_ptr()) } == 1;
    if !is_sequence || given.cast::<PyString>().is_ok() {
        let what = format!("expected a list, found {}", kind(given));
        return Err(PyTypeError::new_err(what));
    }
    given.try_iter()
}

/// What is no puzzle.
fn unlike(given: &Bound<'_, PyAny>) -> PyErr {
    let kind = kind(given);
    PyTypeError::new_err(format!(
        "expected a Board, a Level, a Graph, a text, or whole numbers in a list of tiles or of rows, found {kind}"
    ))
}

/// The name of the type of an object.
pub fn kind(given: &Bound<'_, PyAny>) -> String {
    let name = given.get_type().name();
    name.map_or_else(|_| "something else".into(), |name| name.to_string())
}

fn write_row(text: &mut String, row: &[i64]) {
    for tile in row {
        let _ = write!(text, "{tile} ");
    }
}

/// The board to reach: a name, or a board in any form.
pub fn goal(
    given: Option<&Bound<'_, PyAny>>,
    (width, height): (usize, usize),
) -> PyResult<tiles::Board> {
    let py = given.map(Bound::py);
    let of_goal = |error: PyErr| match py {
        Some(py) if error.is_instance_of::<InputError>(py) => argument("goal", error.value(py)),
        _ => error,
    };
    let goal = match given {
        None => tiles::Goal::default(),
        Some(given) => match given.cast::<PyString>() {
            Ok(text) => tiles::Goal::parse(&text.to_cow()?, Some((width, height)))
                .map_err(|error| argument("goal", error))?,
            Err(_) => tiles::Goal::Board(board(given, Some((width, height))).map_err(of_goal)?),
        },
    };
    goal.of_size(width, height)
        .map_err(|error| argument("goal", error))
}

/// A size: a text such as `"4x3"`, or columns and rows.
pub fn size(given: &Bound<'_, PyAny>) -> PyResult<(usize, usize)> {
    let expected = || argument("size", "expected columns x rows, such as \"4x4\" or (4, 4)");
    let size = if let Ok(text) = given.cast::<PyString>() {
        let text = text.to_cow()?;
        let parts = text.split_once(['x', 'X', '×']);
        let parts = parts.and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        parts.ok_or_else(expected)?
    } else {
        given.extract().map_err(|_| expected())?
    };
    let (width, height): (usize, usize) = size;
    let most = tiles::MAX_CELLS;
    if (1..=most).contains(&width.saturating_mul(height)) {
        Ok(size)
    } else {
        let what = format!("a board has 1 to {most} cells");
        Err(argument("size", what))
    }
}

/// A path, if the object is one.
pub fn path(given: &Bound<'_, PyAny>) -> Option<PathBuf> {
    if given.cast::<PyString>().is_ok() {
        return None;
    }
    given.extract().ok()
}

/// What the system says about a file, with its path, as Python's own `open` says it.
pub fn at_path(path: &Path, error: io::Error) -> PyErr {
    let Some(code) = error.raw_os_error() else {
        return error.into();
    };
    let words = error.to_string();
    let words = words.split(" (os error").next().unwrap_or_default();
    PyOSError::new_err((code, words.to_owned(), path.as_os_str().to_owned()))
}

/// The text of a file.
pub fn file_text(path: &Path) -> PyResult<String> {
    let bytes = std::fs::read(path).map_err(|error| at_path(path, error))?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = bytes[..at].split(|&b| b == b'\n').count();
        let path = path.display();
        input(format_args!(
            "{path}: line {line} is not text (expected UTF-8)"
        ))
    })
}
