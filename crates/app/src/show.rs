//! `noyes show`: a plan played move by move.
//!
//! On a terminal it plays by itself and listens to keys; elsewhere it prints
//! every frame, one after the other. Only one board is kept, and stepped to and
//! fro, so a plan of a million moves costs no more than its letters.

use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use std::time::{Duration, Instant};

use anyhow::Result;
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::terminal::{self, Clear, ClearType};
use crossterm::{cursor, queue};
use noyes_check::board_after;
use noyes_puzzle::tiles::{Board, Direction, Goal, Notation, parse_plan, write_plan};
use noyes_solver::{Answer, Plan, Request, Status, solve};

use crate::args::Show;
use crate::exit::{BadInput, Exit, complain};
use crate::input;
use crate::limits::{self, Running};
use crate::output::{self, Notated, counted, drawn, drawn_whole, print, tile_width};
use crate::progress::watched;
use crate::screen::Screen;

pub fn run(args: &Show) -> Result<Exit> {
    limits::stop_flag(); // a signal puts the terminal back
    input::only_one_dash([
        args.puzzle.as_str(),
        args.plan.as_deref().unwrap_or_default(),
    ])?;
    let start = input::one_board(&args.puzzle, &args.reading)?;
    let named = args.reading.goal()?;
    let goal = named
        .of_size(start.width(), start.height())
        .map_err(BadInput::new)?;
    let plan = if let Some(text) = &args.plan {
        parse_plan(&input::text(text)?, args.reading.notation)
            .map_err(|e| BadInput::new(format!("plan: {e}")))?
    } else {
        let answer = optimal(&start, &named, args.time_limit)?;
        let Some(Plan::Directions(plan)) = answer.plan.clone() else {
            let notation = Notated::Letters(args.reading.notation);
            print(&output::words(&answer, None, &notation))?;
            return Ok(Exit::of(answer.status));
        };
        if answer.status != Status::Optimal {
            let notation = Notated::Letters(args.reading.notation);
            complain(output::words(&answer, None, &notation).trim_end());
        }
        plan
    };
    let end =
        board_after(&start, &plan).map_err(|fault| BadInput::new(format!("plan: {fault}")))?;
    let solved = end == goal;
    let mut film = Film {
        board: start.clone(),
        at: 0,
        start,
        end,
        plan,
        notation: args.reading.notation,
        solved,
    };
    if io::stdout().is_terminal() && keys_can_be_read() {
        if film.play(args.delay)? == Exit::Interrupted {
            return Ok(Exit::Interrupted);
        }
    } else {
        for at in 0..=film.plan.len() {
            film.go(at);
            print(&(film.heading() + &drawn_whole(&film.board) + "\n"))?;
        }
    }
    Ok(if solved {
        Exit::Answered
    } else {
        Exit::Unverified
    })
}

/// Whether there is a keyboard: on standard input, or else on the terminal itself.
fn keys_can_be_read() -> bool {
    io::stdin().is_terminal() || (cfg!(unix) && std::fs::File::open("/dev/tty").is_ok())
}

fn optimal(start: &Board, goal: &Goal, time_limit: Option<Duration>) -> Result<Answer> {
    let request = Request::board(start.clone(), goal).map_err(BadInput::new)?;
    let _running = Running::new();
    let control = limits::control(time_limit, None);
    Ok(watched("searching", &control, || {
        solve(&request, &control)
    })?)
}

struct Film {
    start: Board,
    end: Board,
    plan: Vec<Direction>,
    notation: Notation,
    solved: bool,
    /// The board after the first `at` moves.
    board: Board,
    at: usize,
}

impl Film {
    /// Goes to the board after so many moves: far away from either end, else step by step.
    fn go(&mut self, at: usize) {
        if at == 0 {
            self.board.clone_from(&self.start);
            self.at = 0;
        } else if at == self.plan.len() {
            self.board.clone_from(&self.end);
            self.at = at;
        }
        while self.at < at {
            self.board.step(self.plan[self.at]);
            self.at += 1;
        }
        while self.at > at {
            self.at -= 1;
            self.board.step(self.plan[self.at].opposite());
        }
    }

    /// The line above the board.
    fn heading(&self) -> String {
        let (at, moves) = (self.at, self.plan.len());
        let Some(last) = at.checked_sub(1) else {
            return format!(
                "start, {} to go ({} notation)\n",
                counted(moves, "move", "moves"),
                self.notation
            );
        };
        let letter = write_plan(&self.plan[last..at], self.notation);
        let end = match (at == moves, self.solved) {
            (true, true) => ": solved",
            (true, false) => ": the plan ends here, not at the goal",
            _ => "",
        };
        format!(
            "move {at} of {moves}: {letter} ({} notation){end}\n",
            self.notation
        )
    }

    /// As much of the board as a window of so many columns and rows has room for, around the blank; the tile that
    /// moved last stands out.
    fn cropped(&self, columns: usize, rows: usize) -> String {
        let board = &self.board;
        let blank = board.blank();
        // The tile that moved lies where the blank was before.
        let moved = self
            .at
            .checked_sub(1)
            .and_then(|last| board.neighbour(blank, self.plan[last].opposite()));
        let wide = ((columns + 1) / (tile_width(board) + 1)).max(1);
        let across = window(board.width(), wide, blank % board.width());
        // A cropped board needs a line for its note.
        let high = if board.height() > rows || across.len() < board.width() {
            rows.saturating_sub(1).max(1)
        } else {
            rows
        };
        let down = window(board.height(), high, blank / board.width());
        let mut text = drawn(board, down.clone(), across.clone(), moved);
        if down.len() < board.height() || across.len() < board.width() {
            text += &cut(
                &format!(
                    "(rows {}-{} of {}, columns {}-{} of {}: the window is too small for more)\n",
                    down.start + 1,
                    down.end,
                    board.height(),
                    across.start + 1,
                    across.end,
                    board.width()
                ),
                columns,
            );
        }
        text
    }

    fn play(&mut self, mut delay: Duration) -> io::Result<Exit> {
        let _screen = Screen::new()?;
        let last = self.plan.len();
        let mut playing = true;
        let mut due = Instant::now() + delay;
        loop {
            self.draw(playing && self.at < last)?;
            let wait = if playing && self.at < last {
                due.saturating_duration_since(Instant::now())
            } else {
                Duration::from_secs(3600)
            };
            if !poll(wait)? {
                if playing && self.at < last {
                    self.go(self.at + 1);
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
                KeyCode::Char(' ') if self.at == last => {
                    self.go(0);
                    playing = true;
                }
                KeyCode::Char(' ') => playing = !playing,
                KeyCode::Right | KeyCode::Char('l') => {
                    self.go(last.min(self.at + 1));
                    playing = false;
                }
                KeyCode::Left | KeyCode::Char('h') => {
                    self.go(self.at.saturating_sub(1));
                    playing = false;
                }
                KeyCode::Home => {
                    self.go(0);
                    playing = false;
                }
                KeyCode::End => {
                    self.go(last);
                    playing = false;
                }
                KeyCode::Char('+') => delay = faster(delay),
                KeyCode::Char('-') => delay = slower(delay),
                _ => continue,
            }
            due = Instant::now() + delay;
        }
    }

    fn draw(&self, playing: bool) -> io::Result<()> {
        let (columns, rows) = terminal::size().unwrap_or((80, 24));
        let (columns, rows) = (usize::from(columns), usize::from(rows));
        let hint = if playing { "space pause" } else { "space play" };
        let hint = format!("\n{hint}   ← → step   + - speed   q quit");
        let text = cut(&self.heading(), columns)
            + "\n"
            + &self.cropped(columns, rows.saturating_sub(4).max(1))
            + &cut(&hint, columns + 1);
        let mut out = io::stdout().lock();
        queue!(out, cursor::MoveTo(0, 0), Clear(ClearType::All))?;
        out.write_all(text.replace('\n', "\r\n").as_bytes())?;
        out.flush()
    }
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

/// So many of `all` cells in a row that there is room for, this one among them, about in the middle.
fn window(all: usize, room: usize, this: usize) -> Range<usize> {
    let room = room.min(all);
    let first = this.saturating_sub(room / 2).min(all - room);
    first..first + room
}

/// A line that fits a window; its end stays.
fn cut(line: &str, columns: usize) -> String {
    let end = if line.ends_with('\n') { "\n" } else { "" };
    let short: String = line.trim_end().chars().take(columns).collect();
    short + end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film(size: usize, letters: &str) -> Film {
        let start = Board::blank_last(size, size);
        let plan = parse_plan(letters, Notation::Blank).unwrap();
        Film {
            board: start.clone(),
            at: 0,
            end: board_after(&start, &plan).unwrap(),
            start,
            plan,
            notation: Notation::Blank,
            solved: false,
        }
    }

    #[test]
    fn a_film_goes_to_and_fro() {
        let mut film = film(3, "ULLDRRUU");
        for at in [3, 5, 1, 8, 7, 0, 2, 8, 0, 8, 4] {
            film.go(at);
            let there = board_after(&film.start, &film.plan[..at]).unwrap();
            assert_eq!((film.at, &film.board), (at, &there));
        }
    }

    #[test]
    fn minus_is_never_faster() {
        for seconds in [0.0, 0.001, 0.4, 59.0, 61.0, 3600.0] {
            let delay = Duration::from_secs_f64(seconds);
            assert!(slower(delay) >= delay && faster(delay) <= delay);
        }
        assert!(slower(Duration::ZERO) > Duration::ZERO);
    }

    #[test]
    fn a_board_larger_than_the_window_is_cropped_with_a_note() {
        let mut film = film(30, "UUULL");
        film.go(5);
        for (columns, rows) in [(80, 20), (20, 10), (7, 3), (1, 1), (200, 30)] {
            let text = film.cropped(columns, rows);
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines.len() <= rows.max(2), "{columns}×{rows}: {text}");
            let plain = text.replace("\u{1b}[7m", "").replace("\u{1b}[0m", "");
            assert!(plain.lines().all(|l| l.chars().count() <= columns.max(3)));
            assert!(plain.contains('_'));
            assert_eq!(text.contains("(rows"), columns < 200 && columns > 5);
        }
    }
}
