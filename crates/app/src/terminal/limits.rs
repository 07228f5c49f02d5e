//! The limits of a search as the user set them, and Ctrl-C.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use noyes_solver::{Control, Stop};

use crate::args::Search;
use crate::terminal::exit::{Exit, at_once};
use crate::terminal::print::complain;

static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
/// Searches that will end by themselves, with their bounds, once the flag is up.
static RUNNING: AtomicUsize = AtomicUsize::new(0);

/// The flag that Ctrl-C and SIGTERM raise. Where nothing is running they end the program at once.
pub fn stop_flag() -> Arc<AtomicBool> {
    let flag = STOP.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let raised = flag.clone();
        let installed = ctrlc::set_handler(move || {
            // A second Ctrl-C does not wait for anyone.
            if raised.swap(true, SeqCst) || RUNNING.load(SeqCst) == 0 {
                at_once(Exit::Interrupted);
            }
        });
        if let Err(error) = installed {
            complain(format_args!(
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

/// Held while a search runs or its answer is not printed yet.
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

/// Whether any search is still to answer.
pub fn running() -> bool {
    RUNNING.load(SeqCst) > 0
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

/// The memory limit of each of several searches at once.
pub fn memory_limit(search: &Search, searches: usize) -> Option<usize> {
    search
        .memory_limit
        .or_else(|| default_memory().map(|bytes| bytes / searches))
}

/// Three quarters of the free memory.
pub fn default_memory() -> Option<usize> {
    free_memory().map(|bytes| bytes / 4 * 3)
}

/// What the system could hand out now, where it says so: to anyone, and to the group of processes this one is in.
fn free_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    let group = free_in_group().unwrap_or(usize::MAX);
    Some((kib * 1024).min(group))
}

/// What the narrowest memory limit of our control group, or of one around it, leaves.
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

/// Files in memory that can be read again count as free.
fn reclaimable(stat: &Path) -> usize {
    let text = std::fs::read_to_string(stat).unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("inactive_file "));
    line.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
}

/// What a limit says to the user.
pub fn in_words(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "time limit reached",
        Stop::Memory => "memory limit reached",
        Stop::Interrupted => "interrupted",
        Stop::Budget => "budget of states spent",
        Stop::Bound => "there is no plan of at most this length",
    }
}
