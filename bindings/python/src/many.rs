//! `noyes.solve_many`: many puzzles on several threads, answered in order.
//!
//! Puzzles are taken from the caller's iterable one by one, by the thread that asks for answers, and only as many as keep the
//! workers busy. Workers know nothing of Python, so they never wait for its lock.

use std::collections::{BTreeMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use noyes_solver::{Request, SolveError};
use pyo3::exceptions::{PyKeyboardInterrupt, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyIterator, PyString};

use crate::answer::{Answer, Asked};
use crate::attend::with_finds;
use crate::error::SolverError;
use crate::puzzle::Puzzle;
use crate::wishes::{Limits, Wishes, threads};

/// How long to wait before the next look at signals.
const PAUSE: Duration = Duration::from_millis(50);
/// The most answers that wait for an earlier one, for each thread.
const MOST_WAITING: usize = 64;

/// A question for a worker.
struct Question {
    index: usize,
    request: Request,
    asked: Asked,
}

/// What a worker hands back: an answer, or what went wrong.
type Reply = (usize, Asked, Result<noyes_solver::Answer, String>);

/// The answers to many puzzles, one by one: an iterator that can be closed.
#[pyclass(frozen, module = "noyes")]
pub struct Answers {
    /// Held by the thread that waits for an answer. Nobody waits for the lock itself.
    crew: Mutex<Crew>,
    stop: Arc<AtomicBool>,
    is_closed: AtomicBool,
    process: u32,
}

/// The workers, and what they have to do.
struct Crew {
    /// Where puzzles come from; None at the end.
    puzzles: Option<Py<PyIterator>>,
    wishes: Wishes,
    threads: usize,
    ordered: bool,
    /// The puzzles taken so far, and the answers given so far.
    taken: usize,
    given: usize,
    /// Questions that workers have not answered yet.
    open: usize,
    ready: BTreeMap<usize, PyResult<Answer>>,
    /// In the order in which they came.
    order: VecDeque<usize>,
    questions: Option<Sender<Question>>,
    /// None once nobody wants them.
    replies: Option<Receiver<Reply>>,
    stop: Arc<AtomicBool>,
}

#[pymethods]
impl Answers {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Answer>> {
        if self.process != std::process::id() {
            let what =
                "these answers are being made in another process: call solve_many after the fork";
            return Err(SolverError::new_err(what));
        }
        let Some(mut crew) = self.crew() else {
            // As of a generator that is asked for an answer by two threads, or by the puzzles that it reads.
            let what = "these answers are being waited for already (expected one thread at a time)";
            return Err(PyValueError::new_err(what));
        };
        crew.next(py, &self.is_closed)
    }

    /// Stops all searches. There are no more answers afterwards, also for a thread that waits for one.
    fn close(&self) {
        self.is_closed.store(true, Relaxed);
        self.stop.store(true, Relaxed);
        if let Some(mut crew) = self.crew() {
            crew.close();
        }
    }

    fn __enter__(this: Py<Self>) -> Py<Self> {
        this
    }

    #[pyo3(signature = (*_error))]
    fn __exit__(&self, _error: &Bound<'_, PyAny>) {
        self.close();
    }
}

impl Answers {
    /// The workers, unless a thread waits for them.
    fn crew(&self) -> Option<MutexGuard<'_, Crew>> {
        match self.crew.try_lock() {
            Ok(crew) => Some(crew),
            Err(TryLockError::Poisoned(crew)) => Some(crew.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        self.stop.store(true, Relaxed);
    }
}

impl Crew {
    /// The next answer, once it is known.
    fn next(&mut self, py: Python<'_>, is_closed: &AtomicBool) -> PyResult<Option<Answer>> {
        loop {
            self.collect(py, Duration::ZERO);
            if is_closed.load(Relaxed) {
                self.close();
            }
            if let Some(answer) = self.next_ready() {
                self.given += 1;
                return answer.map(Some);
            }
            let waiting = self.taken - self.given;
            let is_hungry = self.open < 2 * self.threads && waiting < MOST_WAITING * self.threads;
            if self.puzzles.is_some() && is_hungry {
                if let Err(error) = self.take(py) {
                    return Err(self.interrupted(py, error));
                }
                continue;
            }
            if self.open == 0 {
                self.close();
                return Ok(None);
            }
            self.collect(py, PAUSE);
            if let Err(error) = py.check_signals() {
                return Err(self.interrupted(py, error));
            }
        }
    }

    /// Stops all searches.
    fn close(&mut self) {
        self.stop.store(true, Relaxed);
        self.puzzles = None;
        self.questions = None;
        self.replies = None; // those of searches that were stopped come late
        self.ready.clear();
        self.order.clear();
        (self.open, self.given) = (0, self.taken);
    }

    /// Takes the next puzzle and hands it to a worker. What is wrong with the puzzle is raised in its turn; only an
    /// interruption is an error here.
    fn take(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some(puzzles) = &self.puzzles else {
            return Ok(());
        };
        let index = self.taken;
        let question = match puzzles.bind(py).clone().next() {
            None => {
                self.puzzles = None;
                return Ok(());
            }
            Some(Ok(given)) => self.question(&given),
            Some(Err(error)) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
                return Err(error);
            }
            Some(Err(error)) => {
                self.puzzles = None; // an iterator that failed has no more
                Err(error)
            }
        };
        self.taken += 1;
        match question {
            Ok((request, asked)) => {
                let question = Question {
                    index,
                    request,
                    asked,
                };
                let questions = self.questions.as_ref().expect("not closed");
                questions
                    .send(question)
                    .expect("workers wait for questions");
                self.open += 1;
            }
            Err(error) => self.keep(index, Err(error)),
        }
        Ok(())
    }

    fn question(&self, given: &Bound<'_, PyAny>) -> PyResult<(Request, Asked)> {
        let puzzle = Puzzle::read(given)?;
        let (request, goal) = self.wishes.request(given.py(), &puzzle, 1)?;
        let asked = Asked {
            puzzle,
            goal,
            objective: self.wishes.objective,
            no_wait: self.wishes.no_wait,
        };
        Ok((request, asked))
    }

    /// Keeps the replies of workers, after waiting for the first one.
    fn collect(&mut self, py: Python<'_>, pause: Duration) {
        let Some(replies) = &mut self.replies else {
            return;
        };
        let come = |replies: &mut Receiver<Reply>| match replies.recv_timeout(pause) {
            Ok(reply) => std::iter::once(reply).chain(replies.try_iter()).collect(),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => vec![],
        };
        let replies: Vec<Reply> = if pause.is_zero() {
            come(replies)
        } else {
            py.detach(|| come(replies))
        };
        for (index, asked, answer) in replies {
            self.open -= 1;
            let answer = answer.map(|answer| Answer::new(asked, answer, vec![]));
            self.keep(index, answer.map_err(SolverError::new_err));
        }
    }

    fn keep(&mut self, index: usize, answer: PyResult<Answer>) {
        self.ready.insert(index, answer);
        self.order.push_back(index);
    }

    fn next_ready(&mut self) -> Option<PyResult<Answer>> {
        if self.ordered {
            return self.ready.remove(&self.given);
        }
        let index = self.order.pop_front()?;
        self.ready.remove(&index)
    }

    /// Stops all searches and returns the error, with what they had found and nobody has seen yet.
    fn interrupted(&mut self, py: Python<'_>, error: PyErr) -> PyErr {
        self.stop.store(true, Relaxed);
        while self.open > 0 {
            self.collect(py, PAUSE);
        }
        let found = std::mem::take(&mut self.ready);
        self.close();
        with_finds(py, error, "answers", || {
            let answers = found.into_values().filter_map(Result::ok);
            let answers = answers.map(|answer| Py::new(py, answer));
            let answers: Vec<Py<Answer>> = answers.collect::<PyResult<_>>()?;
            Ok(answers.into_pyobject(py)?.into_any().unbind())
        })
    }
}

/// Answers questions until there are no more.
fn work(
    questions: &Mutex<Receiver<Question>>,
    replies: &Sender<Reply>,
    limits: Limits,
    searches: usize,
    stop: &Arc<AtomicBool>,
) {
    loop {
        let next = questions.lock().expect("no worker panics").recv();
        let Ok(Question {
            index,
            request,
            asked,
        }) = next
        else {
            return;
        };
        let control = limits.control(searches, stop);
        let solved = catch_unwind(AssertUnwindSafe(|| noyes_solver::solve(&request, &control)));
        let answer = match solved {
            Ok(answer) => answer.map_err(|error: SolveError| error.to_string()),
            Err(_) => Err("internal error, please report it".into()),
        };
        if replies.send((index, asked, answer)).is_err() {
            return;
        }
    }
}

/// Solves many puzzles and yields their answers in order, each as soon as it and those before it are known; with
/// `ordered=False`, in the order in which they become known.
///
/// `puzzles` is any iterable. It is read as the answers are asked for, so it may be endless. `threads` is the number of puzzles
/// that are solved at once, the limits are for each puzzle, and everything else is as for `solve`. A puzzle that makes no sense
/// raises its error in its turn; the iterator can go on after it. Ctrl-C raises `noyes.Interrupted`, a `KeyboardInterrupt`, with
/// an answer for each puzzle that was taken and not yet answered in `answers`.
#[pyfunction]
#[pyo3(
    signature = (puzzles, engine="auto", heuristic=None, time_limit=None, threads=None, ordered=true, **options),
    text_signature = "(puzzles, engine='auto', heuristic=None, time_limit=None, threads=None, ordered=True, *, goal=None, objective=None, no_wait=False, any=False, duplicates=None, backward=False, memory_limit=None, checkpoint=None, encoding=None, backend=None, bounds=None, keep=None, at_most=None, from_length=None, decompose=False, share=None)"
)]
pub fn solve_many(
    puzzles: &Bound<'_, PyAny>,
    engine: &str,
    heuristic: Option<&str>,
    time_limit: Option<&Bound<'_, PyAny>>,
    threads: Option<i64>,
    ordered: bool,
    options: Option<&Bound<'_, PyDict>>,
) -> PyResult<Answers> {
    if puzzles.cast::<PyString>().is_ok() {
        let what = "expected puzzles, found a single text (expected solve, or a list)";
        return Err(PyTypeError::new_err(what));
    }
    let puzzles = puzzles.try_iter()?.unbind();
    let wishes = Wishes::new(engine, heuristic, time_limit, options)?.of_many()?;
    let threads = self::threads(threads)?;
    let stop = Arc::new(AtomicBool::new(false));
    let (questions, queue) = channel();
    let (reply, replies) = channel();
    let queue = Arc::new(Mutex::new(queue));
    for _ in 0..threads {
        let (queue, reply, stop) = (queue.clone(), reply.clone(), stop.clone());
        let limits = wishes.limits;
        thread::Builder::new().spawn(move || work(&queue, &reply, limits, threads, &stop))?;
    }
    Ok(Answers {
        stop: stop.clone(),
        is_closed: AtomicBool::new(false),
        process: std::process::id(),
        crew: Mutex::new(Crew {
            puzzles: Some(puzzles),
            wishes,
            threads,
            ordered,
            taken: 0,
            given: 0,
            open: 0,
            ready: BTreeMap::new(),
            order: VecDeque::new(),
            questions: Some(questions),
            replies: Some(replies),
            stop,
        }),
    })
}
