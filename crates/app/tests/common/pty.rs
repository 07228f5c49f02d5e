//! The program on a pseudo terminal, which Python makes. Without Python these tests are skipped.

use std::process::Command;

use serde_json::Value;

use crate::skipped::skipped;

pub const ENTER: &str = "\u{1b}[?1049h";
const LEAVE: &str = "\u{1b}[?1049l";

/// Runs the program on a terminal with these variables; nothing where there is no Python.
pub fn on_terminal(
    size: &str,
    piped: &str,
    script: &Value,
    args: &[&str],
    variables: &[(&str, &str)],
) -> Option<Value> {
    let program = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/terminal.py");
    let run = Command::new("python3")
        .args([program, size, piped, &script.to_string()])
        .arg(env!("CARGO_BIN_EXE_noyes"))
        .args(args)
        .env("TERM", "xterm")
        .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR"))
        .env_remove("NO_COLOR")
        .envs(variables.iter().copied())
        .output();
    match run {
        Ok(run) if run.status.success() => Some(serde_json::from_slice(&run.stdout).unwrap()),
        _ => {
            skipped(
                "terminal and play",
                "there is no Python 3 with pseudo terminals",
            );
            None
        }
    }
}

/// Asserts that a run used the second screen, ended with this code, took the whole script and left the terminal as it
/// was; gives what it showed, or nothing where there was no run.
pub fn assert_restored(run: Option<Value>, code: i32) -> String {
    let Some(run) = run else {
        return String::new();
    };
    let out = run["out"].as_str().unwrap().to_string();
    assert_eq!(run["code"], code, "{out:?}");
    assert_eq!(
        (&run["restored"], &run["left"]),
        (&true.into(), &0.into()),
        "{out:?}"
    );
    assert!(out.contains(ENTER) && out.contains(LEAVE), "{out:?}");
    out
}
