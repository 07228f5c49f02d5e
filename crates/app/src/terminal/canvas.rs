//! Standard error as `indicatif` draws on it.
//!
//! The library leaves the cursor at the right margin. There, the `^C` that a terminal echoes would start a new line and
//! upset the count of lines to clear. This canvas takes the cursor back to the left margin after each drawing.

use std::fmt::Write as _;
use std::io::{self, Write as _, stderr};
use std::sync::{Mutex, PoisonError};

use indicatif::TermLike;

/// A buffered terminal on standard error.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    drawn: Mutex<String>,
}

impl Canvas {
    fn add(&self, text: std::fmt::Arguments) -> io::Result<()> {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.write_fmt(text).map_err(io::Error::other)
    }

    /// Moves the cursor by this many cells in the direction of an escape code; zero would mean one.
    fn go(&self, cells: usize, code: char) -> io::Result<()> {
        match cells {
            0 => Ok(()),
            n => self.add(format_args!("\x1b[{n}{code}")),
        }
    }
}

/// Columns and rows. Some terminals do not know their size and say 0.
fn size() -> (u16, u16) {
    match crossterm::terminal::size() {
        Ok((columns @ 1.., rows @ 1..)) => (columns, rows),
        _ => (80, 24),
    }
}

impl TermLike for Canvas {
    fn width(&self) -> u16 {
        size().0
    }

    fn height(&self) -> u16 {
        size().1
    }

    fn move_cursor_up(&self, n: usize) -> io::Result<()> {
        self.go(n, 'A')
    }

    fn move_cursor_down(&self, n: usize) -> io::Result<()> {
        self.go(n, 'B')
    }

    fn move_cursor_right(&self, n: usize) -> io::Result<()> {
        self.go(n, 'C')
    }

    fn move_cursor_left(&self, n: usize) -> io::Result<()> {
        self.go(n, 'D')
    }

    fn write_line(&self, text: &str) -> io::Result<()> {
        self.add(format_args!("{text}\n"))
    }

    fn write_str(&self, text: &str) -> io::Result<()> {
        self.add(format_args!("{text}"))
    }

    fn clear_line(&self) -> io::Result<()> {
        self.add(format_args!("\r\x1b[2K"))
    }

    fn flush(&self) -> io::Result<()> {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let text = std::mem::take(&mut *drawn);
        match text.as_str() {
            "" => Ok(()),
            text => stderr().write_all(format!("{text}\r").as_bytes()),
        }
    }
}
