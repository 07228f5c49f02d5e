//! How to solve: keyword arguments in, a checked request out.

use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use noyes_answer::ask::{no_goal, parsed};
use noyes_puzzle::tiles::{Board, Goal};
use noyes_solver::machine::cache_folder;
use noyes_solver::sat::backend::BackendName;
use noyes_solver::sat::{EncodingName, KeepName, Schedule, Share};
use noyes_solver::tiles::{Keep, Positions};
use noyes_solver::{Ask, Control, Engine, Field, HeuristicName, Objective, Request};
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{argument, asked, refused};
use crate::machine::{cache, usual_memory};
use crate::puzzle::{self, Puzzle};

/// The most threads.
const MOST_THREADS: usize = 1024;
/// A graph has a goal of its own.
pub const GOAL_OF_GRAPH: &str = "only for boards (expected Graph(…, goal=STATE))";

/// Everything that a caller can wish for.
#[allow(clippy::struct_excessive_bools, reason = "one for each keyword")]
pub struct Wishes {
    engine: Engine,
    heuristic: Option<HeuristicName>,
    duplicates: Option<usize>,
    backward: bool,
    goal: Option<Py<PyAny>>,
    pub objective: Option<Objective>,
    pub no_wait: bool,
    any: bool,
    encoding: Option<EncodingName>,
    backend: Option<BackendName>,
    bounds: Option<Schedule>,
    keep: Option<KeepName>,
    at_most: Option<u32>,
    from_length: Option<u32>,
    decompose: bool,
    share: Option<Share>,
    checkpoint: Option<PathBuf>,
    pub limits: Limits,
}

impl Wishes {
    /// The wishes of a call. An unknown keyword is a `TypeError`, as for any function.
    pub fn new(
        engine: &str,
        heuristic: Option<&str>,
        time_limit: Option<&Bound<'_, PyAny>>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Wishes> {
        let options = Options(options);
        options.check()?;
        Ok(Wishes {
            engine: name(Field::Engine, Some(engine.into()))?.unwrap_or_default(),
            heuristic: name(Field::Heuristic, heuristic.map(Into::into))?,
            duplicates: options.get("duplicates")?,
            backward: options.get("backward")?.unwrap_or(false),
            goal: options.get("goal")?,
            objective: name(Field::Objective, options.get("objective")?)?,
            no_wait: options.get("no_wait")?.unwrap_or(false),
            any: options.get("any")?.unwrap_or(false),
            encoding: name(Field::Encoding, options.get("encoding")?)?,
            backend: name(Field::Backend, options.get("backend")?)?,
            bounds: name(Field::Bounds, options.get("bounds")?)?,
            keep: name(Field::Keep, options.get("keep")?)?,
            at_most: options.get("at_most")?,
            from_length: options.get("from_length")?,
            decompose: options.get("decompose")?.unwrap_or(false),
            share: name(Field::Share, options.get("share")?)?,
            checkpoint: options.get("checkpoint")?,
            limits: Limits {
                time: time(time_limit)?,
                memory: options.get("memory_limit")?,
            },
        })
    }

    /// The same for many searches, which cannot share a checkpoint.
    pub fn of_many(self) -> PyResult<Wishes> {
        match self.checkpoint {
            Some(_) => Err(argument(
                "checkpoint",
                "a checkpoint is of one search (expected solve)",
            )),
            None => Ok(self),
        }
    }

    /// The request about a puzzle, and the goal of a board.
    pub fn request(
        &self,
        py: Python<'_>,
        puzzle: &Puzzle,
        threads: usize,
    ) -> PyResult<(Request, Option<Board>)> {
        let goal = self.goal.as_ref().map(|goal| goal.bind(py));
        let goal = match puzzle {
            Puzzle::Board(board) => Some(puzzle::goal(goal, (board.width(), board.height()))?),
            Puzzle::Level(_) => {
                no_goal(goal.map(|_| "")).map_err(refused)?;
                None
            }
            Puzzle::Graph(_) if goal.is_some() => {
                return Err(argument("goal", GOAL_OF_GRAPH));
            }
            Puzzle::Graph(_) => None,
        };
        let ask = match (puzzle, &goal) {
            (Puzzle::Board(board), Some(goal)) => {
                Ask::board(board.clone(), Goal::Board(goal.clone()))
            }
            (Puzzle::Level(level), _) => Ask::level(level.clone()),
            (Puzzle::Graph(graph), _) => {
                let (start, goal) = graph.ends()?;
                Ask::graph(graph.graph(), start, goal)
            }
            (Puzzle::Board(_), None) => unreachable!("a board has a goal"),
        };
        let in_cache = || Some(Keep::Folder(cache_folder()?.join("checkpoints")));
        let request = ask
            .engine(self.engine)
            .heuristic(self.heuristic.clone())
            .duplicates(self.duplicates)
            .backward(self.backward)
            .objective(self.objective)
            .no_wait(self.no_wait)
            .any(self.any)
            .encoding(self.encoding)
            .backend(self.backend.clone())
            .bounds(self.bounds)
            .keep(self.keep)
            .at_most(self.at_most)
            .from_length(self.from_length)
            .decompose(self.decompose)
            .threads(threads)
            .share(self.share)
            .checkpoints(self.checkpoint.clone().map(Keep::File).or_else(in_cache))
            .cache(cache(py))
            .request();
        Ok((request.map_err(asked)?, goal))
    }

    /// How long an answer takes, as far as that is known in advance.
    pub fn pace(&self, puzzle: &Puzzle) -> Pace {
        let Puzzle::Board(board) = puzzle else {
            return Pace::Slow;
        };
        let (width, height) = (board.width(), board.height());
        match (self.engine, &self.heuristic) {
            (Engine::Auto | Engine::Table, None) if Positions::fits(width, height) => Pace::Quick,
            // Auto begins with a search that looks at its limits often.
            (Engine::Auto, None) if width * height <= 16 => Pace::PerhapsQuick,
            _ => Pace::Slow,
        }
    }
}

/// Whether anyone has to wait for an answer.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// It takes a few milliseconds at most.
    Quick,
    /// Easy boards take microseconds.
    PerhapsQuick,
    Slow,
}

/// How long a search may take, and how much memory.
#[derive(Clone, Copy, Default)]
pub struct Limits {
    pub time: Option<Duration>,
    pub memory: Option<usize>,
}

impl Limits {
    /// Limits from arguments.
    pub fn new(time_limit: Option<&Bound<'_, PyAny>>, memory: Option<usize>) -> PyResult<Limits> {
        let time = time(time_limit)?;
        Ok(Limits { time, memory })
    }

    /// The control of one of several searches that run at once; its time starts now.
    pub fn control(self, searches: usize, stop: &Arc<AtomicBool>) -> Control {
        let mut control = Control::new().stop_flag(stop.clone());
        if let Some(time) = self.time {
            control = control.time_limit(time);
        }
        match (self.memory, usual_memory(searches)) {
            (Some(bytes), _) => control.memory_limit(bytes),
            (None, Some((bytes, tables))) => control.memory_limit(bytes).table_limit(tables),
            (None, None) => control,
        }
    }
}

/// Keyword arguments that few calls have.
struct Options<'a, 'py>(Option<&'a Bound<'py, PyDict>>);

impl Options<'_, '_> {
    const NAMES: [&'static str; 16] = [
        "goal",
        "objective",
        "no_wait",
        "any",
        "duplicates",
        "backward",
        "memory_limit",
        "checkpoint",
        "encoding",
        "backend",
        "bounds",
        "keep",
        "at_most",
        "from_length",
        "decompose",
        "share",
    ];

    fn check(&self) -> PyResult<()> {
        for key in self.0.into_iter().flat_map(PyDictMethods::keys) {
            let key: String = key.extract()?;
            if !Self::NAMES.contains(&key.as_str()) {
                let names = Self::NAMES.join(", ");
                return Err(PyTypeError::new_err(format!(
                    "got an unexpected keyword argument '{key}' (options are {names})"
                )));
            }
        }
        Ok(())
    }

    /// The value of a keyword; None counts as not given.
    fn get<T: for<'a, 'py> FromPyObject<'a, 'py>>(&self, name: &str) -> PyResult<Option<T>> {
        debug_assert!(Self::NAMES.contains(&name));
        let Some(options) = self.0 else {
            return Ok(None);
        };
        let Some(value) = options.get_item(name)? else {
            return Ok(None);
        };
        if value.is_none() {
            return Ok(None);
        }
        let kind = value.get_type().name()?;
        value.extract().map(Some).map_err(|error| {
            let what = format!("{name}: the {kind} {value} makes no sense here");
            if Into::<PyErr>::into(error).is_instance_of::<PyOverflowError>(value.py()) {
                PyOverflowError::new_err(what)
            } else {
                PyTypeError::new_err(what)
            }
        })
    }
}

/// A name of the solver's own.
fn name<T: FromStr<Err: std::fmt::Display>>(
    field: Field,
    text: Option<String>,
) -> PyResult<Option<T>> {
    parsed(field, text.as_deref()).map_err(refused)
}

/// A time: seconds, or a `timedelta`. None is no limit.
fn time(given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Duration>> {
    let Some(given) = given else {
        return Ok(None);
    };
    if given.hasattr("total_seconds")? {
        return seconds(given.call_method0("total_seconds")?.extract()?);
    }
    seconds(given.extract()?)
}

/// A number of seconds; more than a clock can count is no limit.
fn seconds(value: f64) -> PyResult<Option<Duration>> {
    if value.is_nan() || value < 0.0 {
        let what = format!("expected seconds from 0, found {value}");
        return Err(argument("time_limit", what));
    }
    Ok(Duration::try_from_secs_f64(value).ok())
}

/// A number of threads; by default, one.
pub fn threads(given: Option<i64>) -> PyResult<usize> {
    let threads = given.unwrap_or(1);
    match usize::try_from(threads) {
        Ok(threads @ 1..=MOST_THREADS) => Ok(threads),
        _ => Err(argument(
            "threads",
            format_args!("expected 1 to {MOST_THREADS}, found {threads}"),
        )),
    }
}
