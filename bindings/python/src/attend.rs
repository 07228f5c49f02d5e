//! Waiting for work so that Ctrl-C is heard.
//!
//! Python runs signal handlers in its main thread only, and only while that thread holds the interpreter's lock. So the work
//! is done in a thread of its own without the lock, and the caller's thread looks up now and then.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::error::{Interrupted, SolverError};

/// The first and the longest time between two looks.
const FIRST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(50);

/// Does some work. `look` is called meanwhile, with the lock; an error of it, or of a signal handler, raises the flag, and is
/// returned beside the result once the work has ended. It is an error if there is no result: no thread could be started,
/// or the work panicked.
pub fn attended<T: Send>(
    py: Python<'_>,
    stop: &Arc<AtomicBool>,
    work: impl FnOnce() -> T + Send,
    mut look: impl FnMut(Python<'_>) -> PyResult<()> + Send,
) -> PyResult<(T, Option<PyErr>)> {
    py.detach(|| {
        thread::scope(|scope| {
            let (done, end) = sync_channel(1);
            thread::Builder::new().spawn_scoped(scope, move || {
                // The caller waits for it as long as it takes.
                let _ = done.send(caught(work));
            })?;
            let (mut pause, mut raised) = (FIRST, None);
            loop {
                match end.recv_timeout(pause) {
                    Ok(result) => return Ok((result?, raised)),
                    Err(RecvTimeoutError::Disconnected) => unreachable!("it sends its result"),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if raised.is_none() {
                    // An interpreter that is ending has nothing to say.
                    let looked =
                        Python::try_attach(|py| py.check_signals().and_then(|()| look(py)));
                    raised = looked.and_then(Result::err);
                    stop.fetch_or(raised.is_some(), Relaxed);
                }
                pause = (pause * 3 / 2).min(LONGEST);
            }
        })
    })
}

/// Does some work that should not panic. Python programs do not expect the exception of a panic, which passes every
/// `except Exception`.
pub fn caught<T>(work: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| SolverError::new_err("internal error, please report it"))
}

/// As `attended`, for work without anything to report: an error ends it, and nothing is kept.
pub fn alone<T: Send>(
    py: Python<'_>,
    stop: &Arc<AtomicBool>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    match attended(py, stop, work, |_| Ok(()))? {
        (done, None) => Ok(done),
        (_, Some(error)) => Err(error),
    }
}

/// As `alone`, for work that looks at the flag too rarely: after an error nobody waits for it, and it ends by itself.
pub fn left_alone<T: Send + 'static>(
    py: Python<'_>,
    stop: &Arc<AtomicBool>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, end) = sync_channel(1);
    thread::Builder::new().spawn(move || {
        // Nobody may be there to take it.
        let _ = done.send(caught(work));
    })?;
    py.detach(move || {
        let mut pause = FIRST;
        loop {
            match end.recv_timeout(pause) {
                Ok(result) => return result,
                Err(RecvTimeoutError::Disconnected) => unreachable!("it sends its result"),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let raised = Python::try_attach(|py| py.check_signals().err()).flatten();
            if let Some(error) = raised {
                stop.store(true, Relaxed);
                return Err(error);
            }
            pause = (pause * 3 / 2).min(LONGEST);
        }
    })
}

/// The error of a search that was stopped, with what it had found: as `Interrupted` if it was Ctrl-C.
pub fn with_finds(
    py: Python<'_>,
    error: PyErr,
    name: &str,
    finds: impl FnOnce() -> PyResult<Py<PyAny>>,
) -> PyErr {
    let error = if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        Interrupted::new_err("interrupted")
    } else {
        error
    };
    // An exception class that takes no attributes is raised without.
    if let Ok(finds) = finds() {
        let _ = error.value(py).setattr(name, finds);
    }
    error
}
