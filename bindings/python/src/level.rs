//! `noyes.Level`, and files of levels.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use noyes_answer::level::explained;
use noyes_answer::levels::shipped;
use noyes_puzzle::sokoban::{self, Format, Ground, State, parse_level, step, write_rle};
use noyes_puzzle::tiles::Direction;
use noyes_solver::Ask;
use numpy::ndarray::Array2;
use numpy::{PyArray2, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::attend::alone;
use crate::board::as_type;
use crate::error::{asked, input};
use crate::picture;
use crate::plan::applied;
use crate::puzzle::{Puzzle, file_text, kind, path};
use crate::record::to_dict;
use crate::wishes::Limits;

/// How long an explanation may take unless the caller says so.
const EXPLAIN: Duration = Duration::from_secs(1);
/// The most players whose joint steps are listed.
const MOST_PLAYERS: usize = 5;

/// A level of Sokoban. It never changes.
///
/// `source` is a text: XSB, XSB with run lengths such as "5#|#@$.#|5#", or a map of letters.
#[pyclass(frozen, module = "noyes", from_py_object)]
#[derive(Clone)]
pub struct Level(pub Arc<sokoban::Level>);

#[pymethods]
impl Level {
    #[new]
    fn new(source: &str) -> PyResult<Level> {
        let level = parse_level(source).map_err(input)?;
        Ok(Level(Arc::new(level)))
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

    /// The title, if there is one.
    #[getter]
    fn title(&self) -> Option<&str> {
        self.0.title()
    }

    /// Row and column of each box, from 0.
    #[getter]
    fn boxes(&self) -> Vec<(usize, usize)> {
        self.0
            .boxes()
            .iter()
            .map(|&cell| self.place(cell))
            .collect()
    }

    /// Row and column of each goal, from 0.
    #[getter]
    fn goals(&self) -> Vec<(usize, usize)> {
        self.0.goals().map(|cell| self.place(cell)).collect()
    }

    /// Row and column of each player, from 0.
    #[getter]
    fn players(&self) -> Vec<(usize, usize)> {
        self.0
            .players()
            .iter()
            .map(|&cell| self.place(cell))
            .collect()
    }

    /// Whether every goal holds a box.
    #[getter]
    fn is_solved(&self) -> bool {
        State::start(&self.0).is_solved(&self.0)
    }

    /// What is on each cell, as an array of rows and columns: the sum of WALL, GOAL, BOX, PLAYER and OUTSIDE; 0 is floor.
    #[getter]
    fn array<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<u8>> {
        let level = &self.0;
        let on = |cell: usize| {
            let cell = cell as u16;
            let ground = match level.ground(cell) {
                Ground::Wall => WALL,
                Ground::Floor => 0,
                Ground::Outside => OUTSIDE,
            };
            ground
                | if level.is_goal(cell) { GOAL } else { 0 }
                | if level.boxes().contains(&cell) {
                    BOX
                } else {
                    0
                }
                | if level.players().contains(&cell) {
                    PLAYER
                } else {
                    0
                }
        };
        let shape = (level.height(), level.width());
        let cells = (0..level.cells()).map(on).collect();
        let array = Array2::from_shape_vec(shape, cells).expect("whole rows");
        array.to_pyarray(py)
    }

    /// The same for numpy, in another type of numbers if that is asked for.
    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<&Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if copy == Some(false) {
            return Err(input(
                "the array of a level is always a new one (copy=False)",
            ));
        }
        as_type(self.array(py).into_any(), dtype, None)
    }

    /// The legal moves: u, l, r, d, capitals push a box. With several players, a letter for each of them, "." waits.
    fn moves(&self) -> PyResult<Vec<String>> {
        let players = self.0.players().len();
        if players > MOST_PLAYERS {
            return Err(input(format_args!(
                "{players} players have too many joint steps to list (expected at most {MOST_PLAYERS} players)"
            )));
        }
        let mut choices: Vec<Option<Direction>> = Direction::ALL.map(Some).to_vec();
        if players > 1 {
            choices.push(None);
        }
        let mut joint = vec![vec![]];
        for _ in 0..players {
            let longer = |moves: &Vec<_>| {
                let moves = moves.clone();
                choices.clone().into_iter().map(move |one| {
                    let mut moves = moves.clone();
                    moves.push(one);
                    moves
                })
            };
            joint = joint.iter().flat_map(longer).collect();
        }
        Ok(joint
            .iter()
            .filter_map(|moves| self.written(moves))
            .collect())
    }

    /// The level after some moves: letters as in plans, a line for each player, or a list of moves.
    fn apply(&self, moves: &Bound<'_, PyAny>) -> PyResult<Level> {
        match applied(Puzzle::Level(self.0.clone()), moves)? {
            Puzzle::Level(level) => Ok(Level(level)),
            _ => unreachable!("a level stays one"),
        }
    }

    /// Whether there is a plan: False if it is seen at once that there is no plan, True if the level is solved already, and
    /// None if that takes a search.
    fn is_solvable(&self) -> PyResult<Option<bool>> {
        if self.is_solved() {
            return Ok(Some(true));
        }
        Ok(self.reason()?.map(|_| false))
    }

    /// Why there is no plan, if that is seen at once.
    fn reason(&self) -> PyResult<Option<String>> {
        if self.is_solved() {
            return Ok(None);
        }
        let request = Ask::level(self.0.clone()).request().map_err(asked)?;
        Ok(request.puzzle().why_unsolvable().map(|why| why.to_string()))
    }

    /// Which boxes can never reach a goal, as `noyes explain --json` says it. `time_limit` is in seconds, by default 1.
    #[pyo3(signature = (time_limit=None))]
    fn explain<'py>(
        &self,
        py: Python<'py>,
        time_limit: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let stop = Arc::new(AtomicBool::new(false));
        let limits = match time_limit {
            Some(_) => Limits::new(time_limit, None)?,
            None => Limits {
                time: Some(EXPLAIN),
                memory: None,
            },
        };
        let control = limits.control(1, &stop);
        let record = alone(py, &stop, || explained(&self.0, &control))?;
        to_dict(py, &record)
    }

    /// The level in one line, with run lengths.
    fn to_rle(&self) -> String {
        write_rle(&self.0)
    }

    fn __str__(&self) -> String {
        Format::Xsb.write(&self.0).trim_end_matches('\n').into()
    }

    fn __repr__(&self) -> String {
        format!("Level('{}')", write_rle(&self.0))
    }

    fn __eq__(&self, other: &Level) -> bool {
        self.content() == other.content()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.content().hash(&mut hasher);
        hasher.finish()
    }

    fn __reduce__<'py>(
        this: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (String, Option<String>))> {
        let level = &this.get().0;
        let make = this.get_type().getattr("_titled")?;
        Ok((
            make,
            (Format::Xsb.write(level), level.title().map(Into::into)),
        ))
    }

    /// A level with its title, for pickles.
    #[staticmethod]
    fn _titled(source: &str, title: Option<String>) -> PyResult<Level> {
        let level = Level::new(source)?;
        Ok(Level(Arc::new(
            sokoban::Level::clone(&level.0).titled(title),
        )))
    }

    fn __copy__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __deepcopy__(this: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        this
    }

    /// A picture, for notebooks.
    fn _repr_svg_(&self) -> Option<String> {
        picture::of_level(&self.0, None)
    }

    #[classattr]
    const WALL: u8 = WALL;
    #[classattr]
    const GOAL: u8 = GOAL;
    #[classattr]
    const BOX: u8 = BOX;
    #[classattr]
    const PLAYER: u8 = PLAYER;
    #[classattr]
    const OUTSIDE: u8 = OUTSIDE;
}

const WALL: u8 = 1;
const GOAL: u8 = 2;
const BOX: u8 = 4;
const PLAYER: u8 = 8;
const OUTSIDE: u8 = 16;

impl Level {
    /// Everything but the title.
    fn content(&self) -> sokoban::Level {
        sokoban::Level::clone(&self.0).titled(None)
    }

    /// Row and column of a cell, from 0.
    fn place(&self, cell: u16) -> (usize, usize) {
        let (row, column) = self.0.place(cell);
        (row - 1, column - 1)
    }

    /// A joint step as letters; None if it is not legal, or nobody moves.
    fn written(&self, moves: &[Option<Direction>]) -> Option<String> {
        if moves.iter().all(Option::is_none) {
            return None;
        }
        let mut state = State::start(&self.0);
        step(&self.0, &mut state, moves, true).ok()?;
        let walks = moves.iter().map(|&one| vec![one]).collect();
        let lines = sokoban::Walks::new(walks).write(&self.0);
        Some(lines.replace('\n', ""))
    }
}

/// The levels of a file or of a text, in any format that noyes reads. A text that is the path of a
/// file is one.
#[pyfunction]
pub fn read_levels(source: &Bound<'_, PyAny>) -> PyResult<Vec<Level>> {
    let of_file = |path: &Path| PyResult::Ok((file_text(path)?, format!("{}: ", path.display())));
    let (text, place) = match (path(source), source.cast::<PyString>()) {
        (Some(path), _) => of_file(&path)?,
        (None, Ok(text)) => match text.to_cow()?.into_owned() {
            path if Path::new(&path).is_file() => of_file(path.as_ref())?,
            text if text.lines().count() == 1 => (text, "neither a file nor levels: ".into()),
            text => (text, String::new()),
        },
        (None, Err(_)) => {
            let kind = kind(source);
            let what = format!("expected a path or a text with levels, found {kind}");
            return Err(pyo3::exceptions::PyTypeError::new_err(what));
        }
    };
    let entries = sokoban::read_levels(&text);
    let entries = entries.map_err(|error| input(format_args!("{place}{error}")))?;
    let level = |entry: sokoban::Entry| match entry.level {
        Ok(level) => Ok(Level(Arc::new(level))),
        Err(error) => Err(input(format_args!("{place}{error}"))),
    };
    entries.into_iter().map(level).collect()
}

/// The hundred levels that come with noyes, from easy to hard.
#[pyfunction]
pub fn shipped_levels() -> PyResult<Vec<Level>> {
    let level = |shipped: &noyes_answer::record::ShippedLevel| {
        Level::_titled(&shipped.subject.puzzle, shipped.subject.title.clone())
    };
    shipped().iter().map(level).collect()
}
