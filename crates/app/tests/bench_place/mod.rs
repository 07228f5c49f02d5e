//! A folder with a suite of its own, for tests of the benchmark.
#![allow(dead_code, reason = "each file uses some of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{Run, command, json, noyes};

/// Two boards by two configurations.
pub const SMALL: &str = r#"
title = "two boards, two ways"
[[instances]]
name = "board"
puzzles = ["1 2 3/4 0 6/7 5 8", "8 6 7/2 5 4/3 0 1"]
[[configurations]]
name = "search"
command = "solve --engine astar"
[[configurations]]
name = "sat"
command = "solve --engine sat --encoding lean"
"#;

/// A board that takes all of its three seconds, after one that takes none.
pub const SLOW: &str = r#"
title = "one quick, one slow"
time-limit = "3s"
[[instances]]
name = "board"
puzzles = ["1 2 3/4 0 6/7 5 8", "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0"]
[[configurations]]
name = "first"
command = "solve --engine idastar --heuristic misplaced"
[[configurations]]
name = "second"
command = "solve --engine iddfs"
"#;

/// A folder with a suite in it.
pub struct Place {
    folder: TempDir,
}

impl Place {
    pub fn new(suite: &str) -> Place {
        let folder = TempDir::new().unwrap();
        fs::write(folder.path().join("own.toml"), suite).unwrap();
        Place { folder }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn arguments(&self, more: &[&str]) -> Vec<String> {
        let suite = self.path("own.toml").display().to_string();
        let output = self.path("out").display().to_string();
        let mut words = vec!["bench".into(), "run".into(), suite];
        if !more.contains(&"-o") {
            words.extend(["-o".into(), output]);
        }
        words.extend(more.iter().map(ToString::to_string));
        words
    }

    pub fn run(&self, more: &[&str]) -> Run {
        let words = self.arguments(more);
        noyes(&words.iter().map(String::as_str).collect::<Vec<_>>())
    }

    pub fn start(&self) -> Child {
        let words = self.arguments(&[]);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let mut command = command(&words);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    }

    pub fn results(&self) -> PathBuf {
        self.path("out/own.full.jsonl")
    }

    pub fn lines(&self) -> Vec<Value> {
        lines(&self.results())
    }

    /// Waits until this many runs are done.
    pub fn wait_for(&self, runs: usize) {
        let begin = Instant::now();
        let count = || {
            let text = fs::read_to_string(self.results()).unwrap_or_default();
            text.matches('\n').count()
        };
        while count() < runs {
            assert!(begin.elapsed() < Duration::from_secs(120), "no run is made");
            sleep(Duration::from_millis(5));
        }
    }
}

pub fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(json).collect()
}

/// What tells runs apart.
pub fn names(lines: &[Value]) -> Vec<String> {
    let name = |line: &Value| {
        format!(
            "{} {} {}",
            line["instance"], line["configuration"], line["repetition"]
        )
    };
    lines.iter().map(name).collect()
}
