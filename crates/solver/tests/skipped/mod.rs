//! A test that lacks something says so. `./test` lists what was skipped, and fails in CI if that is anything.

use std::fs::OpenOptions;
use std::io::{self, Write};

/// Notes that a test was skipped, and why.
pub fn skipped(test: &str, why: &str) {
    let line = format!("{test}: {why}\n");
    // Written to the handle itself, because the test harness hides what `eprintln!` prints.
    let _ = io::stderr().write_all(format!("skipped {line}").as_bytes());
    if let Some(list) = std::env::var_os("NOYES_SKIPPED") {
        let mut list = OpenOptions::new()
            .append(true)
            .open(list)
            .expect("./test makes the list");
        list.write_all(line.as_bytes())
            .expect("the list can be written");
    }
}
