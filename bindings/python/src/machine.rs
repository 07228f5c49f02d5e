//! What all searches of this process share: tables, and how much memory there is.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use noyes_answer::limits::in_words;
use noyes_solver::machine::{default_memory, table_folder};
use noyes_solver::tiles::pdb::{Note, Tables};
use noyes_solver::{Stop, TilesCache};
use pyo3::exceptions::PyRuntimeWarning;
use pyo3::prelude::*;

use crate::error::LimitError;

/// How long the amount of free memory is believed: asking the system takes longer than an easy board.
const BELIEVED: Duration = Duration::from_secs(1);

/// Pattern databases, from the folder that the command line uses, too.
///
/// A process that was forked has those of its parent, unless a thread of the parent was at work on them: that thread does not
/// exist here, so nobody would give its locks back. The lock here is held only with the interpreter's lock, and
/// so never during a fork.
pub fn cache(_py: Python<'_>) -> Arc<TilesCache> {
    static CACHE: Mutex<Option<(u32, Arc<TilesCache>)>> = Mutex::new(None);
    let process = std::process::id();
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    match &mut *cache {
        Some((owner, tables)) if *owner == process || !tables.is_in_use() => {
            *owner = process;
            tables.clone()
        }
        _ => {
            let tables = table_folder().map_or_else(Tables::in_memory, Tables::in_folder);
            let tables = Arc::new(TilesCache::new(tables.noting(note)));
            *cache = Some((process, tables.clone()));
            tables
        }
    }
}

/// Warns about files that cannot be used.
fn note(note: Note) {
    let words = match note {
        Note::Building { .. } | Note::Built { .. } => return,
        Note::Refused { path, why } => format!("{}: {why}; rebuilding it", path.display()),
        Note::NotSaved { path, why } => {
            format!(
                "the table is not saved: cannot write {}: {why}",
                path.display()
            )
        }
    };
    // Nobody reads a warning of an interpreter that is ending.
    let _ = Python::try_attach(|py| {
        let category = py.get_type::<PyRuntimeWarning>();
        let words = std::ffi::CString::new(words).unwrap_or_default();
        // A warning that is an error here has nobody to raise it to.
        let _ = PyErr::warn(py, &category, &words, 1);
    });
}

/// The memory limit of each of several searches, and of their tables together, unless the caller sets one.
pub fn usual_memory(searches: usize) -> Option<(usize, usize)> {
    static KNOWN: Mutex<Option<(Instant, Option<usize>)>> = Mutex::new(None);
    // Tables in memory are not free any more, so this is asked only once.
    static AT_FIRST: LazyLock<Option<usize>> = LazyLock::new(default_memory);
    let at_first = *AT_FIRST;
    // Nobody waits for it: in a process that was forked it may be held forever.
    let known = KNOWN.try_lock().ok();
    let free = match known.as_deref() {
        Some(Some((since, free))) if since.elapsed() < BELIEVED => *free,
        _ => {
            let free = default_memory();
            if let Some(mut known) = known {
                *known = Some((Instant::now(), free));
            }
            free
        }
    };
    Some((free? / searches, at_first?))
}

/// An error if this many bytes do not fit into memory.
pub fn has_room(bytes: usize) -> PyResult<()> {
    match usual_memory(1) {
        Some((free, _)) if bytes > free => Err(LimitError::new_err(in_words(Stop::Memory))),
        _ => Ok(()),
    }
}
