//! Everything that is printed: answers on standard output, errors and warnings on standard error. Progress lines are
//! taken away meanwhile.

use std::fmt;
use std::io::{self, IsTerminal, Write};

use anyhow::Result;

use super::fault::unwritable;
use super::progress;
use super::quiet::is_quiet;

/// Prints to standard output at once.
pub fn print(text: &str) -> Result<()> {
    let print = || {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    };
    let printed = if io::stdout().is_terminal() {
        progress::suspended(print)
    } else {
        print() // elsewhere than the progress lines
    };
    printed.map_err(|error| unwritable("standard output", error))
}

/// Prints an error on standard error, if that can be written.
pub fn complain(text: impl fmt::Display) {
    progress::suspended(|| complain_at_once(text));
}

/// Prints a warning or a note on standard error, unless the user wants quiet.
pub fn warn(text: impl fmt::Display) {
    if !is_quiet() {
        complain(text);
    }
}

/// Prints an error of a program that is about to end; does not wait for the progress lines.
pub fn complain_at_once(text: impl fmt::Display) {
    let _ = io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// A number and what it counts: `1 move`, `2 moves`.
pub fn counted(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
}
