//! Progress on a terminal: one line on standard error, which this file alone draws and clears.
//!
//! Searches that run are entered here, a thread of its own draws the first of them a few times a second, and
//! everything is printed while the line is away. Where standard error is no terminal there is no line.

use std::io::{IsTerminal, Write, stderr};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use noyes_solver::Control;

static LINE: Mutex<Line> = Mutex::new(Line {
    searches: vec![],
    note: None,
    shown: false,
    drawing: false,
});

struct Line {
    searches: Vec<Watched>,
    /// What the line says instead: how far a table is, or a benchmark.
    note: Option<String>,
    shown: bool,
    /// Whether the thread that draws it is there.
    drawing: bool,
}

struct Watched {
    label: &'static str,
    control: Control,
    since: Instant,
}

/// Runs a search and shows how it goes.
pub fn watched<T>(label: &'static str, control: &Control, work: impl FnOnce() -> T) -> T {
    if !there_is_a_line() {
        return work();
    }
    let since = Instant::now();
    {
        let mut line = line();
        line.searches.push(Watched {
            label,
            control: control.clone(),
            since,
        });
        line.start();
    }
    let done = work();
    let mut line = line();
    if let Some(at) = line.searches.iter().position(|s| s.since == since) {
        line.searches.remove(at);
    }
    if line.searches.is_empty() {
        line.clear();
    }
    done
}

/// Tells how far something is that is no search, or that it is done.
pub fn note(text: Option<String>) {
    if there_is_a_line() {
        let mut line = line();
        line.note = text;
        line.clear();
        line.start();
    }
}

/// Prints something while the line is away.
pub fn suspended<T>(print: impl FnOnce() -> T) -> T {
    let mut line = line();
    line.clear();
    print()
}

/// Whether standard error is a terminal that can show it.
pub fn there_is_a_line() -> bool {
    static TERMINAL: LazyLock<bool> = LazyLock::new(|| {
        stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
    });
    *TERMINAL
}

fn line() -> MutexGuard<'static, Line> {
    LINE.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Line {
    fn start(&mut self) {
        if self.drawing {
            return;
        }
        let draw = || {
            loop {
                std::thread::sleep(Duration::from_millis(150));
                line().draw();
            }
        };
        // Without the thread there is no line, and nothing else is lost.
        self.drawing = std::thread::Builder::new().spawn(draw).is_ok();
    }

    fn text(&self) -> Option<String> {
        if self.note.is_some() {
            return self.note.clone();
        }
        let search = self.searches.first()?;
        let (expanded, _) = search.control.nodes();
        let bounds = search.control.bounds();
        let upper = (bounds.upper).map_or(String::new(), |u| format!(", at most {u}"));
        let others = match self.searches.len() {
            1 => String::new(),
            n => format!(", and {} more", n - 1),
        };
        Some(format!(
            "{}: at least {}{upper}, {} states expanded [{} s]{others}",
            search.label,
            bounds.lower,
            grouped(expanded),
            search.since.elapsed().as_secs()
        ))
    }

    fn draw(&mut self) {
        let Some(text) = self.text() else { return };
        // Some terminals do not know their width and say 0.
        let columns = crossterm::terminal::size().map_or(0, |(columns, _)| columns);
        let width = if columns == 0 {
            80
        } else {
            usize::from(columns)
        };
        let text: String = text.chars().take(width.saturating_sub(1)).collect();
        let _ = write!(stderr(), "\r\x1b[2K{text}");
        self.shown = true;
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(stderr(), "\r\x1b[2K");
        }
    }
}

/// A number with its thousands parted.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn thousands_are_parted() {
        for (number, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(super::grouped(number), text);
        }
    }
}
