//! A run in its own process, within limits.
//!
//! The process runs this program. If its command has flags for limits, it keeps to them itself and ends with bounds;
//! we kill it if it does not, a few seconds and a quarter of the memory later. Without such flags we kill it at the limit.
//! It never outlives us, however we end (see [`end_with_parent`]). Processor time and peak memory are what the system
//! reports when it has ended, including its own children.
//!
//! A process leads its own group, and the group is killed. The crates for this, `process-wrap` and `command-group`, wait
//! for the child themselves and return only its exit status; here `wait4` needs the child, for its times and memory. They
//! would only save the one call in `kill`.

use std::io::Read;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use wait4::Wait4;

use super::jobs::{Job, Limits};
use crate::terminal::limits::interrupted;

/// How a process ended.
pub struct Exited {
    pub status: ExitStatus,
    pub out: String,
    pub err: String,
    pub wall_s: f64,
    pub cpu_s: f64,
    pub peak_bytes: u64,
    /// Why we killed it, if we did.
    pub killed: Option<Killed>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Killed {
    Time,
    Memory,
    /// By Ctrl-C, or by the client of a worker.
    Interrupted,
}

/// The variable that tells a process the id of its parent, which it must not outlive.
const BOUND: &str = "NOYES_BENCH_RUN";
/// The most that a process may print; the rest is dropped.
const MOST_OUTPUT: u64 = 16 << 20;
/// How often the memory of a process is checked.
const LOOK: Duration = Duration::from_millis(20);

/// Runs a command of this program to its end, or until it is killed.
pub fn run(words: &[String], limits: Limits, knows_limits: bool) -> Result<Exited> {
    run_until(words, limits, knows_limits, &interrupted)
}

/// The same, until someone else says that it is to end.
pub fn run_until(
    words: &[String],
    limits: Limits,
    knows_limits: bool,
    is_stopped: &dyn Fn() -> bool,
) -> Result<Exited> {
    let exe = std::env::current_exe().context("the program cannot find itself")?;
    let mut command = Command::new(exe);
    command
        .args(words)
        .env(BOUND, std::process::id().to_string())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0); // we handle Ctrl-C for it; solvers that it starts are killed with it
    }
    let began = Instant::now();
    let mut child = command.spawn().context("no process can be started")?;
    let id = child.id();
    let out = reader(child.stdout.take());
    let err = reader(child.stderr.take());
    let (done, ended) = mpsc::channel();
    thread::Builder::new()
        .spawn(move || wait(&mut child, began, &done))
        .context("no thread can be started")?;
    let (time, memory) = most(limits, knows_limits);
    let mut killed = None;
    let (usage, wall) = loop {
        match ended.recv_timeout(LOOK) {
            Ok(done) => break done.context("a process cannot be waited for")?,
            Err(RecvTimeoutError::Disconnected) => {
                anyhow::bail!("a process cannot be waited for");
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if killed.is_none() {
            killed = if is_stopped() {
                Some(Killed::Interrupted)
            } else if began.elapsed().as_secs_f64() > time {
                Some(Killed::Time)
            } else if resident(id).is_some_and(|bytes| bytes > memory) {
                Some(Killed::Memory)
            } else {
                None
            };
            if killed.is_some() {
                kill(id);
            }
        }
    };
    Ok(Exited {
        status: usage.status,
        out: out.join().unwrap_or_default(),
        err: err.join().unwrap_or_default(),
        wall_s: wall.as_secs_f64(),
        cpu_s: (usage.rusage.utime + usage.rusage.stime).as_secs_f64(),
        peak_bytes: usage.rusage.maxrss,
        killed,
    })
}

impl Job {
    /// Runs it in its own process.
    pub fn run_fresh(&self, is_stopped: &dyn Fn() -> bool) -> Result<Exited> {
        run_until(&self.words, self.limits, self.knows_limits, is_stopped)
    }
}

type Waited = std::io::Result<(wait4::ResUse, Duration)>;

fn wait(child: &mut Child, began: Instant, done: &mpsc::Sender<Waited>) {
    let usage = child.wait4();
    let wall = began.elapsed();
    let _ = done.send(usage.map(|usage| (usage, wall)));
}

/// The limits at which we kill it: time in seconds, memory in bytes.
fn most(limits: Limits, knows_limits: bool) -> (f64, u64) {
    let (time, memory) = (limits.time_s, limits.memory_bytes);
    if knows_limits {
        (time + 5.0 + time / 10.0, memory + memory / 4 + (64 << 20))
    } else {
        (time, memory)
    }
}

fn reader(source: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = vec![];
        if let Some(mut source) = source {
            let _ = source.by_ref().take(MOST_OUTPUT).read_to_end(&mut bytes);
            let _ = std::io::copy(&mut source, &mut std::io::sink()); // a full pipe would block it
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

/// The memory that a process uses now.
fn resident(id: u32) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{id}/status")).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kib * 1024)
}

/// Kills a process and those that it has started.
fn kill(id: u32) {
    #[cfg(unix)]
    if let Some(group) = rustix::process::Pid::from_raw(id as i32) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    let _ = id; // it ends at its own limits
}

/// Called at the start of the program: makes a run of a benchmark end when the benchmark is killed, so that it does not
/// disturb the next one.
pub fn end_with_parent() {
    #[cfg(target_os = "linux")]
    if let Some(parent) = std::env::var_os(BOUND) {
        use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
        let _ = set_parent_process_death_signal(Some(Signal::KILL));
        // The parent may have ended before the call above.
        let now = getppid().map(|id| Pid::as_raw(Some(id)).to_string());
        if now.is_none_or(|now| *parent != *now) {
            std::process::exit(1);
        }
    }
}
