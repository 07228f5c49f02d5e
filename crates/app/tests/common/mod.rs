//! Runs the program, for all command-line tests.

pub mod http;
pub mod nats;
pub mod pty;
pub mod relay;

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

pub const HARDEST: &str = "8 6 7/2 5 4/3 0 1";
pub const EASY: &str = "1 2 3/4 0 6/7 5 8";
pub const FAR: &str = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0";
pub const PUZZLE_14_15: &str = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0";

/// The result of a run.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

pub fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_noyes"));
    command
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR")); // do not use the user's tables
    command
}

pub fn run_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = command(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input)); // the program may not read all of it
    let done = child.wait_with_output().unwrap();
    let _ = writer.join();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run {
        code: done.status.code().unwrap(),
        out: text(done.stdout),
        err: text(done.stderr),
    }
}

pub fn noyes(args: &[&str]) -> Run {
    run_with(args, b"")
}

pub fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|e| panic!("{e} in {line}"))
}

/// Asserts that a call ends at this memory limit, with bounds, and that the process took at most a quarter more, plus
/// 16 MB for the program itself.
#[cfg(target_os = "linux")]
pub fn assert_stays_within(mb: u64, args: &[&str]) {
    let limit = format!("{mb}MB");
    let args = [args, &["--json", "--memory-limit", &limit]].concat();
    let mut child = command(&args).spawn().unwrap();
    // The operating system's own count for a child includes the memory of the process that started it, so we watch the
    // peak of the program itself.
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        peak = kib.map_or(peak, |kib| kib * 1024 / 1_000_000);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    let done = child.wait_with_output().unwrap();
    let out = String::from_utf8(done.stdout).unwrap();
    assert_eq!(done.status.code(), Some(3), "{args:?}: {out}");
    let record = json(&out);
    assert_eq!(record["stop"], "memory", "{args:?}: {out}");
    assert!(record["lower"].as_u64() > Some(0), "{args:?}: {out}");
    assert!(
        peak > 0 && peak <= mb * 5 / 4 + 16,
        "{args:?} took {peak} MB"
    );
}

/// Asserts that a run ends with exit code 2, an empty standard output, and a message that contains `said`.
pub fn assert_refused(args: &[&str], input: &[u8], said: &str) {
    let run = run_with(args, input);
    assert_eq!(run.code, 2, "{args:?}: {}", run.err);
    assert!(
        run.err.contains(said),
        "{args:?} should say {said:?}: {}",
        run.err
    );
    assert_eq!(run.out, "", "{args:?}");
}
