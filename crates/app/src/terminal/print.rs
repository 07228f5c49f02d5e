//! Everything that is printed: results on standard output, complaints on standard error, both while the progress line is
//! away.

use std::fmt;
use std::io::{self, Write};

use anyhow::Result;

use super::fault::unwritable;
use super::progress;

/// Prints to standard output at once.
pub fn print(text: &str) -> Result<()> {
    let print = || {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    };
    progress::suspended(print).map_err(|error| unwritable("standard output", error))
}

/// Says something on standard error, if that can be written; nothing depends on it.
pub fn complain(text: impl fmt::Display) {
    progress::suspended(|| complain_at_once(text));
}

/// The same for a program that is about to end: it waits for nobody who draws the progress line.
pub fn complain_at_once(text: impl fmt::Display) {
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// A number and what it counts: `1 move`, `2 moves`.
pub fn counted(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}
