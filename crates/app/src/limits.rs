//! The limits of a search as the user set them, Ctrl-C, and progress on a terminal.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use indicatif::{HumanCount, ProgressBar, ProgressStyle};
use noyes_solver::{Control, Stop};

use crate::args::Search;
use crate::exit::Exit;

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
                std::process::exit(Exit::Interrupted.code().into());
            }
        });
        if let Err(error) = installed {
            eprintln!("noyes: Ctrl-C will end the program without bounds: {error}");
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

/// The memory limit of each of so many searches at once.
pub fn memory_limit(search: &Search, searches: usize) -> Option<usize> {
    search
        .memory_limit
        .or_else(|| free_memory().map(|bytes| bytes / 4 * 3 / searches))
}

/// What the system could hand out now, where it says so.
fn free_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
    line.split_whitespace()
        .nth(1)?
        .parse::<usize>()
        .ok()
        .map(|kib| kib * 1024)
}

/// Runs a search and shows how it goes, on a terminal only.
pub fn watched<T>(label: &str, control: &Control, work: impl FnOnce() -> T) -> T {
    let bar = ProgressBar::new_spinner();
    if bar.is_hidden() {
        return work();
    }
    bar.set_style(
        ProgressStyle::with_template("{spinner} {msg} [{elapsed}]").expect("a valid template"),
    );
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(SeqCst) {
                std::thread::park_timeout(Duration::from_millis(150));
                let (expanded, _) = control.nodes();
                let bounds = control.bounds();
                let upper = bounds
                    .upper
                    .map_or(String::new(), |u| format!(", at most {u}"));
                bar.set_message(format!(
                    "{label}: at least {}{upper}, {} states expanded",
                    bounds.lower,
                    HumanCount(expanded)
                ));
                bar.tick();
            }
            bar.finish_and_clear();
        });
        let result = work();
        done.store(true, SeqCst);
        watcher.thread().unpark();
        result
    })
}

/// What a limit says to the user.
pub fn in_words(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "time limit reached",
        Stop::Memory => "memory limit reached",
        Stop::Interrupted => "interrupted",
        Stop::Budget => "budget of states spent",
    }
}
