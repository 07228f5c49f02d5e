//! Control: the limits of a solve, the flag that stops it, and its progress.
//!
//! An engine polls every few thousand states, or more often if they are large. Meanwhile another thread may read the
//! bounds or raise the flag.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::clock::Instant;
use crate::counts::{Bounds, Counts};

/// Why a solve ended before its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time limit.
    Time,
    /// The memory limit.
    Memory,
    /// The stop flag.
    Interrupted,
    /// The limit on generated states.
    Budget,
    /// The most moves that a plan may have: every plan has more.
    Bound,
}

impl Stop {
    /// The name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Stop::Time => "time",
            Stop::Memory => "memory",
            Stop::Interrupted => "interrupted",
            Stop::Budget => "budget",
            Stop::Bound => "bound",
        }
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Stop::Time => "time limit",
            Stop::Memory => "memory limit",
            Stop::Interrupted => "interrupted",
            Stop::Budget => "budget of states",
            Stop::Bound => "every plan is longer",
        })
    }
}

/// Limits, stop flag and progress of one solve.
///
/// ```
/// use std::time::Duration;
/// use noyes_solver::Control;
/// let control = Control::new().time_limit(Duration::from_secs(60)).memory_limit(1 << 30);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Control {
    deadline: Option<Instant>,
    memory_limit: Option<usize>,
    table_limit: Option<usize>,
    budget: Option<u64>,
    stop: Arc<AtomicBool>,
    /// Raised when another thread has made this part of the work pointless.
    over: Option<Arc<AtomicBool>>,
    /// States expanded and generated before this part of the work.
    done: (u64, u64),
    progress: Arc<Progress>,
}

/// How far a limit of IDA* is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitShare {
    /// The share of its subtrees that is done, from 0 to 1.
    pub done: f64,
    /// About how long the rest takes, once a subtree is done.
    pub left: Option<Duration>,
}

/// The subtrees of a limit: since when they are searched, how many were done then and are now, and how many there are.
#[derive(Clone, Copy, Debug)]
struct Subtrees {
    since: Instant,
    first: usize,
    done: usize,
    of: usize,
}

#[derive(Debug)]
struct Progress {
    lower: AtomicU32,
    upper: AtomicU32, // u32::MAX: none yet
    expanded: AtomicU64,
    generated: AtomicU64,
    conflicts: AtomicU64,
    /// How far the present limit of a search by subtrees is.
    limit: Mutex<Option<Subtrees>>,
    /// Processor time of threads that helped, in nanoseconds.
    helped: AtomicU64,
    /// The limit at which a search was resumed; 0: it was not.
    resumed: AtomicU32,
}

impl Default for Progress {
    fn default() -> Self {
        Progress {
            lower: 0.into(),
            upper: u32::MAX.into(),
            expanded: 0.into(),
            generated: 0.into(),
            conflicts: 0.into(),
            limit: Mutex::default(),
            helped: 0.into(),
            resumed: 0.into(),
        }
    }
}

impl Control {
    /// No limits.
    pub fn new() -> Control {
        Control::default()
    }

    /// Whether time is limited.
    pub fn has_deadline(&self) -> bool {
        self.deadline.is_some()
    }

    /// Stops the solve this long from now.
    #[must_use]
    pub fn time_limit(self, limit: Duration) -> Control {
        Control {
            deadline: Instant::now().checked_add(limit),
            ..self
        }
    }

    /// Stops the solve before its stored states take more bytes than this.
    #[must_use]
    pub fn memory_limit(self, bytes: usize) -> Control {
        Control {
            memory_limit: Some(bytes),
            ..self
        }
    }

    /// The most bytes of pattern databases, which all searches of a process share; by default the memory limit.
    #[must_use]
    pub fn table_limit(self, bytes: usize) -> Control {
        Control {
            table_limit: Some(bytes),
            ..self
        }
    }

    /// Stops the solve when this flag is raised.
    #[must_use]
    pub fn stop_flag(self, stop: Arc<AtomicBool>) -> Control {
        Control { stop, ..self }
    }

    /// The same control for a part of the work that may generate this number of states.
    pub(crate) fn within(&self, generated: u64) -> Control {
        Control {
            budget: Some(generated.min(self.budget())),
            ..self.clone()
        }
    }

    /// What a part of the work may do: the states it may generate, or how often a SAT solver may look at its limits.
    pub(crate) fn budget(&self) -> u64 {
        self.budget.unwrap_or(u64::MAX)
    }

    /// The same control for the next part of the work: its counts are added to those so far.
    pub(crate) fn after(&self, done: Counts) -> Control {
        Control {
            done: (self.done.0 + done.expanded, self.done.1 + done.generated),
            ..self.clone()
        }
    }

    /// The same control for a part of the work that others can end by raising this flag.
    pub(crate) fn until(&self, over: Arc<AtomicBool>) -> Control {
        Control {
            over: Some(over),
            ..self.clone()
        }
    }

    /// The same limits for work on the side, which does not report its progress.
    pub(crate) fn aside(&self) -> Control {
        Control {
            progress: Arc::default(),
            ..self.clone()
        }
    }

    /// The bounds so far.
    pub fn bounds(&self) -> Bounds {
        let upper = self.progress.upper.load(Relaxed);
        Bounds {
            lower: self.progress.lower.load(Relaxed),
            upper: (upper != u32::MAX).then_some(upper),
        }
    }

    /// The states expanded and generated so far.
    pub fn nodes(&self) -> (u64, u64) {
        (
            self.progress.expanded.load(Relaxed),
            self.progress.generated.load(Relaxed),
        )
    }

    /// The conflicts of SAT solvers in the questions answered so far.
    pub fn conflicts(&self) -> u64 {
        self.progress.conflicts.load(Relaxed)
    }

    /// The most bytes that may be stored, if there is a limit.
    pub(crate) fn most_bytes(&self) -> usize {
        self.memory_limit.unwrap_or(usize::MAX)
    }

    /// A new solve begins: forgets the progress of the one before.
    pub(crate) fn begin(&self) {
        self.tell(Bounds::default(), &Counts::default());
        *self.limit() = None;
        self.progress.helped.store(0, Relaxed);
        self.resume(0);
    }

    /// Reports what is known; at the end of a solve, what its answer says.
    pub(crate) fn tell(&self, bounds: Bounds, counts: &Counts) {
        let upper = bounds.upper.unwrap_or(u32::MAX);
        self.progress.lower.store(bounds.lower, Relaxed);
        self.progress.upper.store(upper, Relaxed);
        self.progress.expanded.store(counts.expanded, Relaxed);
        self.progress.generated.store(counts.generated, Relaxed);
        let conflicts = counts.sat.map_or(0, |sat| sat.conflicts);
        self.progress.conflicts.store(conflicts, Relaxed);
    }

    /// Reports that another machine has proven that no plan is cheaper than this.
    pub fn tell_lower(&self, lower: u32) {
        self.raise_lower(lower);
    }

    /// Reports how many parts of the present limit other machines have searched.
    pub fn tell_parts(&self, done: usize, of: usize) {
        if done == 0 {
            self.begin_limit(0, of);
        }
        self.tell_done(done);
    }

    /// Reports that this number of the present limit's subtrees is done from the start.
    pub(crate) fn begin_limit(&self, done: usize, of: usize) {
        *self.limit() = Some(Subtrees {
            since: Instant::now(),
            first: done,
            done,
            of,
        });
    }

    /// Reports how many subtrees of the present limit are done.
    pub(crate) fn tell_done(&self, done: usize) {
        if let Some(subtrees) = &mut *self.limit() {
            subtrees.done = done;
        }
    }

    fn limit(&self) -> MutexGuard<'_, Option<Subtrees>> {
        let limit = self.progress.limit.lock();
        limit.unwrap_or_else(PoisonError::into_inner)
    }

    /// Reports that a search goes on at a limit where an earlier run stopped.
    pub(crate) fn resume(&self, limit: u32) {
        self.progress.resumed.store(limit, Relaxed);
    }

    /// How far the present limit of IDA* is, if that is known.
    pub fn share(&self) -> Option<LimitShare> {
        let Subtrees {
            since,
            first,
            done,
            of,
        } = (*self.limit())?;
        let new = done.saturating_sub(first);
        let rest = of.saturating_sub(done) as f64;
        let left = (new > 0).then(|| since.elapsed().mul_f64(rest / new as f64));
        let done = done as f64 / of as f64;
        (of > 1).then_some(LimitShare { done, left })
    }

    /// The limit at which the search was resumed from a checkpoint, if it was.
    pub fn resumed(&self) -> Option<u32> {
        let limit = self.progress.resumed.load(Relaxed);
        (limit > 0).then_some(limit)
    }

    /// Reports the processor time of a thread that helped.
    pub(crate) fn add_help(&self, cpu: Duration) {
        self.progress
            .helped
            .fetch_add(cpu.as_nanos() as u64, Relaxed);
    }

    /// The processor time of all threads that helped.
    pub(crate) fn help(&self) -> Duration {
        Duration::from_nanos(self.progress.helped.load(Relaxed))
    }

    /// Reports this number of additional conflicts.
    pub(crate) fn add_conflicts(&self, more: u64) {
        self.progress.conflicts.fetch_add(more, Relaxed);
    }

    /// Reports that no plan is cheaper than this.
    pub(crate) fn raise_lower(&self, lower: u32) {
        self.progress.lower.fetch_max(lower, Relaxed);
    }

    /// Reports that a plan of this cost was found.
    pub(crate) fn reduce_upper(&self, upper: u32) {
        self.progress.upper.fetch_min(upper, Relaxed);
    }

    /// Reports how far the search is; an error if it has to end.
    pub(crate) fn poll(&self, counts: &Counts) -> Result<(), Stop> {
        let (expanded, generated) = self.done;
        let (expanded, generated) = (expanded + counts.expanded, generated + counts.generated);
        self.progress.expanded.store(expanded, Relaxed);
        self.progress.generated.store(generated, Relaxed);
        self.poll_stop()?;
        if self.budget.is_some_and(|budget| counts.generated > budget) {
            Err(Stop::Budget)
        } else {
            Ok(())
        }
    }

    /// Whether the work may go on.
    ///
    /// # Errors
    /// If the stop flag is up or the time is over.
    pub fn poll_stop(&self) -> Result<(), Stop> {
        let is_raised = |flag: &Arc<AtomicBool>| flag.load(Relaxed);
        if is_raised(&self.stop) || self.over.as_ref().is_some_and(is_raised) {
            Err(Stop::Interrupted)
        } else if self
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            Err(Stop::Time)
        } else {
            Ok(())
        }
    }

    /// The most bytes that tables may take.
    pub(crate) fn most_table_bytes(&self) -> usize {
        self.table_limit.unwrap_or(self.most_bytes())
    }

    /// An error if this number of bytes is too much for tables.
    pub(crate) fn allow_table_bytes(&self, bytes: usize) -> Result<(), Stop> {
        if bytes > self.most_table_bytes() {
            Err(Stop::Memory)
        } else {
            Ok(())
        }
    }

    /// The time left, if it is limited.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let deadline = self.deadline?;
        Some(deadline.saturating_duration_since(Instant::now()))
    }

    /// An error if this number of bytes exceeds the limit.
    pub(crate) fn allow_bytes(&self, bytes: usize) -> Result<(), Stop> {
        if self.memory_limit.is_some_and(|limit| bytes > limit) {
            Err(Stop::Memory)
        } else {
            Ok(())
        }
    }
}

/// When to poll, by the bytes of the states handled: at once, then about every millisecond.
pub(crate) struct Pace {
    state_bytes: usize,
    handled: usize,
}

impl Pace {
    const BYTES: usize = 1 << 20;

    /// The pace of a search whose states have this number of bytes.
    pub(crate) fn new(state_bytes: usize) -> Pace {
        Pace {
            state_bytes,
            handled: Pace::BYTES,
        }
    }

    /// Counts one more state; true if it is time to poll.
    #[inline]
    pub(crate) fn is_due(&mut self) -> bool {
        self.handled += self.state_bytes;
        let due = self.handled >= Pace::BYTES;
        if due {
            self.handled = 0;
        }
        due
    }
}

/// The expansions between two polls, minus one: about a tenth of a millisecond.
pub(crate) const POLL_MASK: u64 = 0x3fff;
