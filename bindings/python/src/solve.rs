//! `noyes.solve`: one puzzle, with the interpreter's lock released.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use noyes_answer::record;
use noyes_solver::{Control, Status, Stop};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::answer::{Answer, Asked, Moment};
use crate::attend::{attended, caught, with_finds};
use crate::error::unsolved;
use crate::puzzle::{Puzzle, kind};
use crate::wishes::{Pace, Wishes, threads};

/// How long a board that may be easy is tried before another thread takes over: starting one takes a fifth of it.
const TRY: Duration = Duration::from_micros(300);

/// How far a search is.
#[pyclass(frozen, get_all, module = "noyes")]
pub struct Progress {
    /// No plan costs less.
    lower: u32,
    /// The best plan so far costs this.
    upper: Option<u32>,
    /// States whose successors were generated.
    expanded: u64,
    /// States that were reached.
    generated: u64,
    /// Conflicts of the SAT solver in the questions it has answered.
    conflicts: u64,
    /// Seconds since the search began.
    elapsed_s: f64,
    /// The share of the present limit of IDA* that is done, from 0 to 1, if it is known.
    share: Option<f64>,
    /// About how many seconds the rest of that limit takes.
    left_s: Option<f64>,
}

#[pymethods]
impl Progress {
    fn __repr__(&self) -> String {
        let upper = self.upper.map_or("None".into(), |upper| upper.to_string());
        format!(
            "Progress(lower={}, upper={upper}, generated={}, elapsed_s={:.3})",
            self.lower, self.generated, self.elapsed_s
        )
    }
}

impl Progress {
    fn of(control: &Control, since: Instant) -> Progress {
        let at = record::Progress::of(control, since.elapsed().as_secs_f64());
        Progress {
            lower: at.lower,
            upper: at.upper,
            expanded: at.expanded,
            generated: at.generated,
            conflicts: at.conflicts,
            elapsed_s: at.elapsed_s,
            share: at.share,
            left_s: at.left_s,
        }
    }
}

/// Solves a puzzle: a Board, a Level, a Graph, or what makes one.
///
/// By default noyes picks an engine that suits the puzzle, and looks for an optimal plan for as long as it takes. The answer
/// has a plan that an independent checker has replayed, or at least bounds. Ctrl-C raises `noyes.Interrupted`, a
/// `KeyboardInterrupt` with the answer so far.
///
/// `time_limit` is in seconds, `memory_limit` in bytes. `threads` is for one search; see `solve_many` for many puzzles.
/// `on_progress` is called with a `Progress` now and then; what it raises ends the search. All other names and values are those
/// of the command line (`noyes solve --help`).
#[pyfunction]
#[pyo3(
    signature = (puzzle, engine="auto", heuristic=None, time_limit=None, threads=None, on_progress=None, **options),
    text_signature = "(puzzle, engine='auto', heuristic=None, time_limit=None, threads=None, on_progress=None, *, goal=None, objective=None, no_wait=False, any=False, duplicates=None, backward=False, memory_limit=None, checkpoint=None, encoding=None, backend=None, bounds=None, keep=None, at_most=None, from_length=None, decompose=False, share=None)"
)]
#[expect(clippy::too_many_arguments, reason = "the names that callers use most")]
pub fn solve(
    py: Python<'_>,
    puzzle: &Bound<'_, PyAny>,
    engine: &str,
    heuristic: Option<&str>,
    time_limit: Option<&Bound<'_, PyAny>>,
    threads: Option<i64>,
    on_progress: Option<Py<PyAny>>,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Answer> {
    let wishes = Wishes::new(engine, heuristic, time_limit, options)?;
    if let Some(call) = on_progress.as_ref().map(|call| call.bind(py))
        && !call.is_callable()
    {
        let what = format!("on_progress: expected a function, found {}", kind(call));
        return Err(PyTypeError::new_err(what));
    }
    let puzzle = Puzzle::read(puzzle)?;
    let (request, goal) = wishes.request(py, &puzzle, self::threads(threads)?)?;
    let pace = if on_progress.is_none() {
        wishes.pace(&puzzle)
    } else {
        Pace::Slow
    };
    let asked = Asked {
        puzzle,
        goal,
        objective: wishes.objective,
        no_wait: wishes.no_wait,
    };
    let stop = Arc::new(AtomicBool::new(false));
    let control = wishes.limits.control(1, &stop);
    let first = match pace {
        Pace::Quick => Some(control.clone()),
        Pace::PerhapsQuick if wishes.limits.time.is_none_or(|limit| limit > TRY) => {
            Some(control.clone().time_limit(TRY))
        }
        _ => None,
    };
    if let Some(first) = first {
        let answer = py.detach(|| caught(|| noyes_solver::solve(&request, &first)))?;
        let answer = answer.map_err(|error| unsolved(&error))?;
        if pace == Pace::Quick || answer.status != Status::Limit(Stop::Time) {
            return Ok(Answer::new(asked, answer, vec![]));
        }
    }
    let since = Instant::now();
    let mut history: Vec<Moment> = vec![];
    let (answer, raised) = attended(
        py,
        &stop,
        || noyes_solver::solve(&request, &control),
        |py| {
            let bounds = control.bounds();
            if history.last().is_none_or(|last| last.bounds() != bounds) {
                history.push(Moment::new(since.elapsed(), bounds));
            }
            if let Some(call) = &on_progress {
                call.call1(py, (Progress::of(&control, since),))?;
            }
            Ok(())
        },
    )?;
    let answer = answer.map(|answer| Answer::new(asked, answer, history));
    match raised {
        None => answer.map_err(|error| unsolved(&error)),
        Some(error) => Err(with_finds(py, error, "answer", || {
            let answer = answer.map_err(|error| unsolved(&error))?;
            Ok(Py::new(py, answer)?.into_any())
        })),
    }
}
