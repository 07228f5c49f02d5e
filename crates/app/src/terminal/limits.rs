//! The limits of a search as the user set them, and Ctrl-C.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

pub use noyes_answer::limits::in_words;
use noyes_solver::Control;
pub use noyes_solver::machine::default_memory;

use crate::args::Limits;
use crate::terminal::exit::{Exit, at_once};
use crate::terminal::print::warn;

static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
/// Work that ends soon after the flag is raised, and then prints what it has.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// A signal that comes so soon after the first one is the same wish: `timeout` sends one to the program and another one to its
/// process group.
const SAME_SIGNAL: Duration = Duration::from_secs(1);

/// The flag that Ctrl-C and SIGTERM raise. If nothing is running, they end the program at once.
pub fn stop_flag() -> Arc<AtomicBool> {
    let flag = STOP.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = flag.clone();
        let mut first: Option<Instant> = None;
        let installed = ctrlc::set_handler(move || {
            let waited = first.map(|first| first.elapsed());
            first.get_or_insert_with(Instant::now);
            raised.store(true, SeqCst);
            let is_over = match waited {
                None => RUNNING.load(SeqCst) == 0,
                // A second Ctrl-C does not wait.
                Some(waited) => waited >= SAME_SIGNAL,
            };
            if is_over {
                at_once(Exit::Interrupted);
            }
        });
        if let Err(error) = installed {
            warn(format_args!(
                "noyes: Ctrl-C will end the program without bounds: {error}"
            ));
        }
        flag
    });
    flag.clone()
}

/// Whether Ctrl-C was pressed.
pub fn interrupted() -> bool {
    STOP.get().is_some_and(|flag| flag.load(SeqCst))
}

/// Held while a search runs, or until its answer is printed.
pub struct Running;

impl Running {
    pub fn new() -> Running {
        RUNNING.fetch_add(1, SeqCst);
        Running
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.fetch_sub(1, SeqCst);
    }
}

/// Whether anything runs besides the caller's own.
pub fn others_running(_own: &Running) -> bool {
    RUNNING.load(SeqCst) > 1
}

/// The control of one search; its time starts now.
pub fn control(time: Option<Duration>, memory: Option<usize>) -> Control {
    let mut control = Control::new().stop_flag(stop_flag());
    if let Some(limit) = time {
        control = control.time_limit(limit);
    }
    if let Some(bytes) = memory {
        control = control.memory_limit(bytes);
    }
    control
}

/// The control of one of several searches that run at once: they share the memory, and the tables count once.
pub fn shared_control(limits: &Limits, searches: usize) -> Control {
    // Tables in memory are not free any more, so this is asked only once.
    static AT_FIRST: LazyLock<Option<usize>> = LazyLock::new(default_memory);
    let control = control(limits.time_limit, memory_limit(limits, searches));
    match limits.memory_limit.or(*AT_FIRST) {
        Some(bytes) => control.table_limit(bytes),
        None => control,
    }
}

/// The memory limit of each search, when this many run at once.
pub fn memory_limit(limits: &Limits, searches: usize) -> Option<usize> {
    limits
        .memory_limit
        .or_else(|| default_memory().map(|bytes| bytes / searches))
}
