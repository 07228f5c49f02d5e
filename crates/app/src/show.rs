//! `noyes show`: a plan played move by move.
//!
//! On a terminal it plays by itself and listens to keys; elsewhere it prints
//! every frame, one after the other.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use anyhow::Result;
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, poll, read};
use crossterm::style::{Attribute, SetAttribute};
use crossterm::terminal::{self, Clear, ClearType, EnterAlternateScreen, LeaveAlternateScreen};
use crossterm::{cursor, execute, queue};
use noyes_check::replay_board;
use noyes_puzzle::tiles::{Board, Direction, Goal, Notation, parse_plan, write_plan};
use noyes_solver::{Answer, Plan, Request, solve};

use crate::args::Show;
use crate::exit::{BadInput, Exit};
use crate::input;
use crate::limits::{self, Running};
use crate::output::{self, Notated, drawn, print};

pub fn run(args: &Show) -> Result<Exit> {
    let start = input::one_board(&args.puzzle, &args.reading)?;
    let goal = args
        .reading
        .goal
        .of_size(start.width(), start.height())
        .map_err(BadInput::new)?;
    let plan = if let Some(text) = &args.plan {
        parse_plan(&input::text(text)?, args.reading.notation)
            .map_err(|e| BadInput::new(format!("plan: {e}")))?
    } else {
        let answer = optimal(&start, &args.reading.goal)?;
        let Some(Plan::Directions(plan)) = answer.plan else {
            let notation = Notated::Letters(args.reading.notation);
            print(&output::words(&answer, None, &notation))?;
            return Ok(Exit::of(answer.status));
        };
        plan
    };
    let frames =
        replay_board(&start, &plan).map_err(|fault| BadInput::new(format!("plan: {fault}")))?;
    let solved = frames.last() == Some(&goal);
    let film = Film {
        frames,
        plan,
        notation: args.reading.notation,
        solved,
    };
    // Raw keys need a terminal on both sides.
    if io::stdout().is_terminal() && io::stdin().is_terminal() {
        film.play(args.delay)?;
    } else {
        for at in 0..film.frames.len() {
            print(&(film.frame(at, false) + "\n"))?;
        }
    }
    Ok(if solved {
        Exit::Answered
    } else {
        Exit::Unverified
    })
}

fn optimal(start: &Board, goal: &Goal) -> Result<Answer> {
    let request = Request::board(start.clone(), goal).map_err(BadInput::new)?;
    let _running = Running::new();
    let control = limits::control(None, None);
    Ok(limits::watched("searching", &control, || {
        solve(&request, &control)
    })?)
}

struct Film {
    frames: Vec<Board>,
    plan: Vec<Direction>,
    notation: Notation,
    solved: bool,
}

impl Film {
    /// The picture after so many moves; the tile that moved last stands out.
    fn frame(&self, at: usize, on_terminal: bool) -> String {
        let mut text = match at.checked_sub(1) {
            None => format!(
                "start, {} moves to go ({} notation)\n",
                self.plan.len(),
                self.notation
            ),
            Some(last) => {
                let letter = write_plan(&self.plan[last..at], self.notation);
                let end = match (at == self.plan.len(), self.solved) {
                    (true, true) => ": solved",
                    (true, false) => ": the plan ends here, not at the goal",
                    _ => "",
                };
                format!(
                    "move {at} of {}: {letter} ({} notation){end}\n",
                    self.plan.len(),
                    self.notation
                )
            }
        };
        if !on_terminal {
            return text + &drawn(&self.frames[at]);
        }
        // The tile that moved lies where the blank was before.
        let moved = at.checked_sub(1).map(|before| self.frames[before].blank());
        let board = &self.frames[at];
        let width = (board.tiles().len() - 1).to_string().len();
        text.push('\n');
        for (cell, &tile) in board.tiles().iter().enumerate() {
            let label = if tile == 0 {
                format!("{:>width$}", "·")
            } else {
                format!("{tile:>width$}")
            };
            let end = if (cell + 1) % board.width() == 0 {
                "\n"
            } else {
                " "
            };
            if moved == Some(cell) {
                let _ = write!(
                    text,
                    "{}{label}{}{end}",
                    SetAttribute(Attribute::Reverse),
                    SetAttribute(Attribute::Reset)
                );
            } else {
                let _ = write!(text, "{label}{end}");
            }
        }
        text
    }

    fn play(&self, mut delay: Duration) -> io::Result<()> {
        let _screen = Screen::new()?;
        let last = self.frames.len() - 1;
        let (mut at, mut playing) = (0, true);
        let mut due = Instant::now() + delay;
        loop {
            self.draw(at, playing && at < last)?;
            let wait = if playing && at < last {
                due.saturating_duration_since(Instant::now())
            } else {
                Duration::from_secs(3600)
            };
            if !poll(wait)? {
                if playing && at < last {
                    at += 1;
                    due = Instant::now() + delay;
                }
                continue;
            }
            let Event::Key(key) = read()? else { continue };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            match key.code {
                KeyCode::Char('q') | KeyCode::Esc => return Ok(()),
                KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => {
                    return Ok(());
                }
                KeyCode::Char(' ') if at == last => (at, playing) = (0, true),
                KeyCode::Char(' ') => playing = !playing,
                KeyCode::Right | KeyCode::Char('l') => (at, playing) = (last.min(at + 1), false),
                KeyCode::Left | KeyCode::Char('h') => (at, playing) = (at.saturating_sub(1), false),
                KeyCode::Home => (at, playing) = (0, false),
                KeyCode::End => (at, playing) = (last, false),
                KeyCode::Char('+') => delay /= 2,
                KeyCode::Char('-') => {
                    delay = (delay * 2).clamp(Duration::from_millis(10), Duration::from_secs(60));
                }
                _ => continue,
            }
            due = Instant::now() + delay;
        }
    }

    fn draw(&self, at: usize, playing: bool) -> io::Result<()> {
        let hint = if playing { "space pause" } else { "space play" };
        let text = self.frame(at, true) + &format!("\n{hint}   ← → step   + - speed   q quit\n");
        let mut out = io::stdout().lock();
        queue!(out, cursor::MoveTo(0, 0), Clear(ClearType::All))?;
        out.write_all(text.replace('\n', "\r\n").as_bytes())?;
        out.flush()
    }
}

/// The terminal in raw mode on its second screen; put back however the player ends.
struct Screen;

impl Screen {
    fn new() -> io::Result<Screen> {
        terminal::enable_raw_mode()?;
        let screen = Screen;
        execute!(io::stdout(), EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), LeaveAlternateScreen, cursor::Show);
        let _ = terminal::disable_raw_mode();
    }
}
