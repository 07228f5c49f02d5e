//! A plan of any puzzle, played step by step.
//!
//! On a terminal it plays and listens to keys; elsewhere it prints every frame.

use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::Result;
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::terminal::{self, Clear, ClearType};
use crossterm::{cursor, queue};

use crate::terminal::exit::Exit;
use crate::terminal::print::print;
use crate::terminal::screen::Screen;

/// A plan and a place in it.
pub trait Film {
    /// The number of steps.
    fn last(&self) -> usize;
    /// The number of steps made so far.
    fn at(&self) -> usize;
    /// Goes to the position after this many steps.
    fn go(&mut self, at: usize);
    /// The line above the picture, with its line end.
    fn heading(&self) -> String;
    /// The picture.
    fn whole(&self) -> String;
    /// The part of the picture that fits a window of this size.
    fn cropped(&self, columns: usize, rows: usize) -> String;
}

/// Plays a film until the user quits. On a terminal, a note about the plan stands below the heading.
pub fn show(film: &mut dyn Film, note: Option<&str>, delay: Duration) -> Result<Exit> {
    if io::stdout().is_terminal() && keys_can_be_read() {
        return Ok(play(film, note, delay)?);
    }
    for at in 0..=film.last() {
        film.go(at);
        print(&(film.heading() + &film.whole() + "\n"))?;
    }
    Ok(Exit::Answered)
}

/// Whether keys can be read: from standard input, or else from the terminal itself.
fn keys_can_be_read() -> bool {
    io::stdin().is_terminal() || (cfg!(unix) && std::fs::File::open("/dev/tty").is_ok())
}

fn play(film: &mut dyn Film, note: Option<&str>, mut delay: Duration) -> io::Result<Exit> {
    let _screen = Screen::new()?;
    let last = film.last();
    let mut playing = true;
    let mut due = Instant::now() + delay;
    loop {
        draw(film, note, playing && film.at() < last)?;
        let wait = if playing && film.at() < last {
            due.saturating_duration_since(Instant::now())
        } else {
            Duration::from_secs(3600)
        };
        if !poll(wait)? {
            if playing && film.at() < last {
                film.go(film.at() + 1);
                due = Instant::now() + delay;
            }
            continue;
        }
        let Event::Key(key) = read()? else { continue };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        match key.code {
            KeyCode::Char('q') | KeyCode::Esc => return Ok(Exit::Answered),
            KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                return Ok(Exit::Interrupted);
            }
            KeyCode::Char(' ') if film.at() == last => {
                film.go(0);
                playing = true;
            }
            KeyCode::Char(' ') => playing = !playing,
            KeyCode::Right | KeyCode::Char('l') => {
                film.go(last.min(film.at() + 1));
                playing = false;
            }
            KeyCode::Left | KeyCode::Char('h') => {
                film.go(film.at().saturating_sub(1));
                playing = false;
            }
            KeyCode::Home => {
                film.go(0);
                playing = false;
            }
            KeyCode::End => {
                film.go(last);
                playing = false;
            }
            KeyCode::Char('+') => delay = faster(delay),
            KeyCode::Char('-') => delay = slower(delay),
            _ => continue,
        }
        due = Instant::now() + delay;
    }
}

fn draw(film: &dyn Film, note: Option<&str>, playing: bool) -> io::Result<()> {
    let (columns, rows) = terminal::size().unwrap_or((80, 24));
    let (columns, rows) = (usize::from(columns), usize::from(rows));
    let hint = if playing { "space pause" } else { "space play" };
    let hint = format!("\n{hint}   ← → step   + - speed   q quit");
    let note = note.map_or(String::new(), |note| cut(note, columns) + "\n");
    let taken = 4 + note.lines().count();
    let text = cut(&film.heading(), columns)
        + &note
        + "\n"
        + &film.cropped(columns, rows.saturating_sub(taken).max(1))
        + &cut(&hint, columns + 1);
    let mut out = io::stdout().lock();
    queue!(out, cursor::MoveTo(0, 0), Clear(ClearType::All))?;
    out.write_all(text.replace('\n', "\r\n").as_bytes())?;
    out.flush()
}

/// Half the time between two moves.
fn faster(delay: Duration) -> Duration {
    delay / 2
}

/// Twice the time between two moves, up to a minute; never less than it was.
fn slower(delay: Duration) -> Duration {
    let twice = (delay * 2).clamp(Duration::from_millis(10), Duration::from_secs(60));
    delay.max(twice)
}

/// The range of `room` cells out of `all`, with `this` one about in the middle.
pub fn window(all: usize, room: usize, this: usize) -> Range<usize> {
    let room = room.min(all);
    let first = this.saturating_sub(room / 2).min(all - room);
    first..first + room
}

/// A line cut to the width of a window; it keeps its line end.
pub fn cut(line: &str, columns: usize) -> String {
    let end = if line.ends_with('\n') { "\n" } else { "" };
    let short: String = line.trim_end().chars().take(columns).collect();
    short + end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minus_is_never_faster() {
        for seconds in [0.0, 0.001, 0.4, 59.0, 61.0, 3600.0] {
            let delay = Duration::from_secs_f64(seconds);
            assert!(slower(delay) >= delay && faster(delay) <= delay);
        }
        assert!(slower(Duration::ZERO) > Duration::ZERO);
    }
}
