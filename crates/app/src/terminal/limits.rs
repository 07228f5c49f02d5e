//! The limits of a search as the user set them, and Ctrl-C.

use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use noyes_solver::{Control, Stop};

use crate::args::Limits;
use crate::terminal::exit::{Exit, at_once};
use crate::terminal::print::warn;

static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
/// Work that ends soon after the flag is raised, and then prints what it has.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// The flag that Ctrl-C and SIGTERM raise. If nothing is running, they end the program at once.
pub fn stop_flag() -> Arc<AtomicBool> {
    let flag = STOP.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = flag.clone();
        let installed = ctrlc::set_handler(move || {
            // A second Ctrl-C does not wait.
            if raised.swap(true, SeqCst) || RUNNING.load(SeqCst) == 0 {
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

/// Three quarters of the free memory.
pub fn default_memory() -> Option<usize> {
    free_memory().map(|bytes| bytes / 4 * 3)
}

/// The memory that the system, and our control group, could hand out now; none if it is not known.
fn free_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    let group = free_in_group().unwrap_or(usize::MAX);
    Some((kib * 1024).min(group))
}

/// What the tightest memory limit of our control group and of those around it leaves.
fn free_in_group() -> Option<usize> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let number = |path: &Path| -> Option<usize> {
        std::fs::read_to_string(path).ok()?.trim().parse().ok() // "max" is no number: no limit
    };
    let mut least = None;
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (kind, group) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        let (root, limit, used) = match kind {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            kind if kind.split(',').any(|k| k == "memory") => (
                "/sys/fs/cgroup/memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
            ),
            _ => continue,
        };
        for folder in Path::new(root).join(group).ancestors() {
            if let (Some(limit), Some(used)) =
                (number(&folder.join(limit)), number(&folder.join(used)))
            {
                let cache = reclaimable(&folder.join("memory.stat"));
                let free = limit.saturating_sub(used.saturating_sub(cache));
                least = Some(free.min(least.unwrap_or(usize::MAX)));
            }
            if folder == Path::new(root) {
                break;
            }
        }
    }
    least
}

/// Cached files count as free: they can be read again.
fn reclaimable(stat: &Path) -> usize {
    let text = std::fs::read_to_string(stat).unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("inactive_file "));
    line.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
}

/// Why a search stopped, for the user.
pub fn in_words(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "time limit reached",
        Stop::Memory => "memory limit reached",
        Stop::Interrupted => "interrupted",
        Stop::Budget => "state budget used up",
        Stop::Bound => "there is no plan of at most this length",
    }
}
