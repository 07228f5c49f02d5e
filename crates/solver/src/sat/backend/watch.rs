//! What a solver checks while it works: the limits, the stop flag, and whether another thread has made its question
//! pointless.
//!
//! # Memory
//!
//! CaDiCaL does not report its memory, and garbage collection and inprocessing can make it grow by a third between two
//! checks. So a solve stops at 7/8 of its limit, measured as follows.
//!
//! The operating system knows the memory of the whole process only, and other solves run in the same process. So we
//! charge a solve with the growth of the process since it began, but never with more than its solvers can have taken
//! ([`Taken`]). Where the system reports nothing, this estimate alone counts. Tables in use are charged in full.
//!
//! What else was measured: a solver's memory cannot be predicted from its clauses well enough to rely on that alone.
//! Boards take 85 to 135 bytes per clause in CaDiCaL once the formula is written, up to twice as much in the search,
//! and 35 to 60 in batsat.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

#[cfg(feature = "cadical")]
use super::exchange::Exchange;
use crate::clock::Instant;
use crate::control::{Control, Stop};

/// What a solver says to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All clauses can hold, and the model can be read.
    Satisfiable,
    /// They cannot all hold with the assumptions.
    Unsatisfiable,
    /// A limit came first.
    Stopped(Stop),
    /// Another thread has made the question pointless.
    Overtaken,
}

/// What all threads of a solve share.
#[derive(Debug)]
pub struct Shared {
    /// No plan is shorter.
    pub lower: AtomicU32,
    /// A plan is this long; `u32::MAX` for none.
    pub upper: AtomicU32,
    /// The bytes of the tables in use.
    tables: usize,
    /// The most bytes that all solvers of this solve can have taken.
    taken: AtomicUsize,
    /// The least memory of the process since the solve began: others may have freed some.
    pub(super) least: AtomicUsize,
    /// Where solvers leave clauses for each other, if they do.
    #[cfg(feature = "cadical")]
    pub(super) exchange: Option<Exchange>,
}

impl Shared {
    /// For a solve that begins now, with this lower bound and this many bytes of tables.
    pub(crate) fn new(lower: u32, tables: usize) -> Shared {
        Shared {
            lower: lower.into(),
            upper: u32::MAX.into(),
            tables,
            taken: 0.into(),
            least: memory_in_use().unwrap_or(0).into(),
            #[cfg(feature = "cadical")]
            exchange: None,
        }
    }

    /// The same, where solvers give each other what they learn.
    #[cfg(feature = "cadical")]
    pub(crate) fn with_exchange(self) -> Shared {
        Shared {
            exchange: Some(Exchange::default()),
            ..self
        }
    }

    /// The bytes charged to this solve.
    fn bytes(&self, besides: usize) -> usize {
        let taken = self.taken.load(Relaxed) + besides;
        let grown = memory_in_use().map_or(usize::MAX, |now| {
            now - self.least.fetch_min(now, Relaxed).min(now)
        });
        self.tables + taken.min(grown)
    }
}

/// The most that one solver in this process can have taken: for what it was given, and for all that it ever learned.
#[derive(Debug)]
pub(crate) struct Taken {
    shared: Arc<Shared>,
    bytes: Cell<usize>,
}

impl Taken {
    /// Nothing yet, by a solver of this solve.
    pub fn new(shared: &Arc<Shared>) -> Rc<Taken> {
        Rc::new(Taken {
            shared: shared.clone(),
            bytes: Cell::new(0),
        })
    }

    /// One more variable: its places in a few dozen tables.
    pub fn variable(&self) {
        self.add(800);
    }

    /// One more clause: itself, its copy while garbage is collected, and its watches.
    pub fn clause(&self, lits: usize) {
        self.add(200 + 12 * lits);
    }

    /// Memory for anything else.
    pub fn add(&self, bytes: usize) {
        self.bytes.set(self.bytes.get() + bytes);
        self.shared.taken.fetch_add(bytes, Relaxed);
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.shared.taken.fetch_sub(self.bytes.get(), Relaxed);
    }
}

/// What a solver checks while it works on one question.
#[derive(Clone, Debug)]
pub struct Watch {
    control: Control,
    shared: Arc<Shared>,
    /// The question.
    k: u32,
    /// When memory was checked last: the system takes a few microseconds for it.
    checked: Cell<Option<Instant>>,
    /// How often the solver has looked: in proportion to its conflicts, so a budget of looks ends every run alike.
    looks: Cell<u64>,
}

impl Watch {
    /// How often memory is checked, and how often we check for solvers that cannot do it themselves.
    pub(super) const PERIOD: Duration = Duration::from_millis(5);

    /// A watch over the question k.
    pub(crate) fn new(control: &Control, shared: Arc<Shared>, k: u32) -> Watch {
        Watch {
            control: control.clone(),
            shared,
            k,
            checked: Cell::new(None),
            looks: Cell::new(0),
        }
    }

    /// What the threads of this solve share.
    pub(crate) fn shared(&self) -> &Arc<Shared> {
        &self.shared
    }

    /// Why the solver should end, if it should.
    pub fn end(&self) -> Option<Verdict> {
        if self.k < self.shared.lower.load(Relaxed) || self.k >= self.shared.upper.load(Relaxed) {
            return Some(Verdict::Overtaken);
        }
        self.looks.set(self.looks.get() + 1);
        if self.looks.get() > self.control.budget() {
            return Some(Verdict::Stopped(Stop::Budget));
        }
        self.stop(0).map(Verdict::Stopped)
    }

    /// The limit that is reached, if one is. `besides` is the memory that writing the formula takes.
    pub(crate) fn stop(&self, besides: usize) -> Option<Stop> {
        if let Err(stop) = self.control.poll_stop() {
            return Some(stop);
        }
        let is_fresh = |at: Instant| at.elapsed() < Watch::PERIOD;
        let most = self.control.most_bytes();
        if most == usize::MAX || self.checked.get().is_some_and(is_fresh) {
            return None;
        }
        self.checked.set(Some(Instant::now()));
        (self.shared.bytes(besides) > most / 8 * 7).then_some(Stop::Memory)
    }

    /// Why a solver ended without an answer.
    pub(crate) fn why(&self) -> Verdict {
        // It ended because of a check; by now the reason can be gone only if another thread overtook.
        self.checked.set(None);
        self.end().unwrap_or(Verdict::Overtaken)
    }
}

/// The memory of this process, if the system reports it.
pub(crate) fn memory_in_use() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let resident = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kib: usize = resident.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}
