//! Calls of the program, for all files of command-line tests.
#![allow(dead_code, reason = "each file uses some of it")]

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::Value;

pub const HARDEST: &str = "8 6 7/2 5 4/3 0 1";
pub const EASY: &str = "1 2 3/4 0 6/7 5 8";
pub const FAR: &str = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0";
pub const PUZZLE_14_15: &str = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0";

/// How a call ended.
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
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR")); // not the user's own tables
    command
}

pub fn run_with(args: &[&str], input: &[u8]) -> Run {
    let mut child = command(args).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || stdin.write_all(&input)); // it may not be read to the end
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

/// Asserts that a call is refused with exit code 2, nothing on standard output, and a message that says this.
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
