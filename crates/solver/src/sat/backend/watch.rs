//! What a solver looks up to while it works: limits, the stop flag, and other threads that have made its question
//! pointless.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::control::{Control, Stop};

/// What a solver says to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All clauses can hold, and the values are there to be asked for.
    Satisfiable,
    /// They cannot all hold with the assumptions.
    Unsatisfiable,
    /// A limit came first.
    Stopped(Stop),
    /// Nobody wants to know any more.
    Overtaken,
}

/// The bounds that all threads of a solve share.
#[derive(Debug)]
pub struct Shared {
    /// No plan is shorter.
    pub lower: AtomicU32,
    /// A plan is this long; `u32::MAX` for none.
    pub upper: AtomicU32,
}

/// What a solver looks up to while it works on one question.
#[derive(Clone, Debug)]
pub struct Watch {
    control: Control,
    shared: Arc<Shared>,
    /// The question.
    k: u32,
    /// Bytes in use when the solve began.
    used: usize,
    /// When memory was looked at last: the system takes its time to tell.
    looked: Cell<Option<Instant>>,
    /// What the solver can have taken, if it is known.
    taken: Option<Taken>,
}

/// The most that a solver in this process can have taken: for what it was given, and for all that it ever learnt.
///
/// The system tells the memory of the process alone, and others work in it, too. So a solve is held against what
/// the process has grown by since it began, but never against more than this.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taken(Arc<AtomicUsize>);

impl Taken {
    /// One more variable: its places in a few dozen tables.
    pub fn variable(&self) {
        self.0.fetch_add(600, Relaxed);
    }

    /// One more clause: itself, what the allocator keeps beside it, and where it is looked for.
    pub fn clause(&self, lits: usize) {
        self.0.fetch_add(160 + 4 * lits, Relaxed);
    }

    fn bytes(&self) -> usize {
        self.0.load(Relaxed)
    }
}

impl Watch {
    /// How often solvers that cannot look up themselves are looked after.
    pub const PERIOD: Duration = Duration::from_millis(5);

    /// A watch over the question k.
    pub(crate) fn new(control: &Control, shared: Arc<Shared>, k: u32, used: usize) -> Watch {
        Watch {
            control: control.clone(),
            shared,
            k,
            used,
            looked: Cell::new(None),
            taken: None,
        }
    }

    /// The same, over a solver that tells what it can have taken.
    pub(crate) fn over(&self, taken: &Taken) -> Watch {
        Watch {
            taken: Some(taken.clone()),
            ..self.clone()
        }
    }

    /// Why the solver should end, if it should.
    pub fn end(&self) -> Option<Verdict> {
        if self.k < self.shared.lower.load(Relaxed) || self.k >= self.shared.upper.load(Relaxed) {
            return Some(Verdict::Overtaken);
        }
        if let Err(stop) = self.control.poll_stop() {
            return Some(Verdict::Stopped(stop));
        }
        let period = Duration::from_millis(20);
        if self.control.most_bytes() < usize::MAX
            && self.looked.get().is_none_or(|at| at.elapsed() > period)
        {
            self.looked.set(Some(Instant::now()));
            let grown = memory_in_use().saturating_sub(self.used);
            let bytes = self.taken.as_ref().map_or(grown, |t| t.bytes().min(grown));
            if let Err(stop) = self.control.allow_bytes(bytes) {
                return Some(Verdict::Stopped(stop));
            }
        }
        None
    }

    /// Why a solver ended without an answer.
    pub(crate) fn why(&self) -> Verdict {
        // It ended because it was told to; by now the reason may be gone only if another thread overtook.
        self.looked.set(None);
        self.end().unwrap_or(Verdict::Overtaken)
    }
}

/// The memory of this process, where the system tells it. Solvers do not tell theirs while they work.
pub(crate) fn memory_in_use() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm
        .split_whitespace()
        .nth(1)
        .and_then(|n| n.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}
