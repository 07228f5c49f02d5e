//! `noyes play`: a puzzle played in the terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use crossterm::event::{Event, poll, read};
use crossterm::terminal::{self, Clear, ClearType};
use crossterm::{cursor, queue};
use noyes_answer::shorten;
use noyes_puzzle::tiles::Board;

use crate::args::{Play, Played};
use crate::play::{Advisor, Card, Deck, Game, Key, Maker, Position, View, key, screen};
use crate::puzzle::Given;
use crate::puzzle::made::fresh_seed;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input;
use crate::terminal::limits;
use crate::terminal::screen::Screen;

/// How often the screen follows a search that runs.
const LOOK_AGAIN: Duration = Duration::from_millis(100);
/// Nothing happens until a key is pressed.
const NO_HURRY: Duration = Duration::from_secs(3600);

pub fn run(args: &Play) -> Result<Exit> {
    if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
        return Err(BadInput::new(
            "play needs a terminal for both input and output (noyes solve finds a plan, noyes show prints its steps)",
        )
        .into());
    }
    let deck = deck(args)?;
    limits::stop_flag(); // a signal puts the terminal back
    let _screen = Screen::new()?;
    Ok(Table::new(args, deck).play()?)
}

/// The puzzles that were asked for.
fn deck(args: &Play) -> Result<Deck> {
    let reading = args.reading();
    let goal = reading.goal()?;
    let of_size = |width, height| -> Result<Arc<Board>> {
        Ok(Arc::new(
            goal.of_size(width, height).map_err(BadInput::new)?,
        ))
    };
    let argument = match args.played() {
        Played::Random(width, height) => {
            if args.level.is_some() {
                return Err(BadInput::new(
                    "--level: random boards are made one by one (n gives the next)",
                )
                .into());
            }
            let seed = args.seed.unwrap_or_else(fresh_seed);
            let goal = of_size(width, height)?;
            return Ok(Deck::random(Maker { goal, seed }));
        }
        Played::Given("-") => {
            let why = "noyes play reads keys from standard input: name a file instead of -";
            return Err(BadInput::new(why).into());
        }
        Played::Given(argument) => argument,
    };
    let mut items = vec![];
    input::puzzles(argument, &reading, &mut |item| {
        items.push(item);
        true
    })?;
    let count = items.len();
    if let Some(level) = args.level
        && level as usize > count
    {
        let has = if count == 1 { "is" } else { "are" };
        let what = format!("--level: {level} is asked for, and there {has} {count}");
        return Err(BadInput::new(format!("{}: {what}", shorten(argument))).into());
    }
    let wanted = args.level.map_or(1, |level| level as usize);
    let (mut cards, mut first) = (vec![], None);
    for (i, item) in items.into_iter().enumerate() {
        let title = match item.text.as_str() {
            text if count > 1 && text.starts_with("level ") => text.replacen(
                &format!("level {}", i + 1),
                &format!("level {} of {count}", i + 1),
                1,
            ),
            text if count > 1 => format!("board {} of {count}: {text}", i + 1),
            text => text.to_string(),
        };
        let start = item.puzzle().and_then(|given| match given {
            Given::Board(board) => {
                let goal = of_size(board.width(), board.height())?;
                Ok(Position::Tiles { board, goal })
            }
            Given::Level(level) => match level.players().len() {
                1 => Ok(Position::of_level(*level)),
                players => Err(BadInput::new(format!(
                    "{title}: it has {players} players, and noyes play is for one (noyes show plays a plan for all)"
                ))
                .into()),
            },
        });
        match start {
            Ok(start) => {
                if i + 1 >= wanted && first.is_none() {
                    first = Some(cards.len());
                }
                cards.push(Card { title, start });
            }
            // Other puzzles of the file can be played all the same, unless it is this one that was asked for.
            Err(error) if count == 1 || args.level.is_some_and(|_| i + 1 == wanted) => {
                return Err(error);
            }
            Err(_) => {}
        }
    }
    match first {
        Some(first) => Ok(Deck::of(cards, first)),
        None => Err(BadInput::new(format!(
            "{}: no puzzle in it can be played",
            shorten(argument)
        ))
        .into()),
    }
}

/// A game on the table, with everything around it.
struct Table<'a> {
    args: &'a Play,
    deck: Deck,
    game: Game,
    advisor: Advisor,
    colour: bool,
    /// When the next move of the solution is due.
    due: Instant,
    /// What is on the screen.
    shown: Vec<String>,
}

impl<'a> Table<'a> {
    fn new(args: &'a Play, deck: Deck) -> Table<'a> {
        let game = Game::new(deck.card().start.clone(), args.objective);
        Table {
            args,
            deck,
            advisor: Advisor::new(game.objective()),
            game,
            colour: std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
            due: Instant::now(),
            shown: vec![],
        }
    }

    /// Plays until the player has had enough.
    fn play(&mut self) -> io::Result<Exit> {
        poll(Duration::ZERO)?; // from now on no change of the window's size is missed
        loop {
            // 1. What the advisor knows by now.
            self.advisor.look_into(self.game.question());
            let report = self.advisor.report();
            let is_searching = report.as_ref().is_some_and(|report| !report.is_done);
            let failure = report.as_ref().and_then(|report| report.failure.clone());
            if let Some(report) = report {
                self.game.learn(&report.position, report.known);
            }
            // 2. The screen, and a key or the next move of the solution.
            self.draw(is_searching, failure)?;
            let wait = if is_searching { LOOK_AGAIN } else { NO_HURRY };
            let wait = if self.game.can_play_on() {
                self.due.saturating_duration_since(Instant::now()).min(wait)
            } else {
                wait
            };
            if poll(wait)? {
                match read()? {
                    Event::Key(event) => match key(event) {
                        Some(key) => {
                            if let Some(exit) = self.press(key) {
                                return Ok(exit);
                            }
                        }
                        None if event.is_press() => self.game.stop_solution(),
                        None => {}
                    },
                    Event::Resize(..) => self.shown.clear(),
                    _ => {}
                }
            } else if self.game.can_play_on() && Instant::now() >= self.due {
                self.game.play_on();
                self.due = Instant::now() + self.args.delay;
            }
        }
    }

    /// Does what a key is for; the exit code, if that is to quit.
    fn press(&mut self, key: Key) -> Option<Exit> {
        let was_solving = self.game.is_solving();
        match key {
            Key::Arrow(arrow) => {
                let way = match self.game.now() {
                    Position::Tiles { .. } => self.args.notation.turn(arrow),
                    Position::Level { .. } => arrow,
                };
                self.game.go(way);
            }
            Key::Undo => {
                self.game.undo();
            }
            Key::Redo => {
                self.game.redo();
            }
            Key::Restart => self.game.restart(),
            Key::Hint => self.game.ask_hint(),
            Key::Solution => {
                self.game.ask_solution();
                self.due = Instant::now();
            }
            Key::Optimum => self.game.toggle_optimum(),
            Key::Next => {
                if self.deck.next() {
                    self.deal();
                }
            }
            Key::Previous => {
                if self.deck.previous() {
                    self.deal();
                }
            }
            Key::Quit => return Some(Exit::Answered),
            Key::Interrupt => return Some(Exit::Interrupted),
        }
        // Any key stops the solution.
        if was_solving {
            self.game.stop_solution();
        }
        None
    }

    /// Begins with another puzzle; the optimum stays shown if it was.
    fn deal(&mut self) {
        let shows_optimum = self.game.shows_optimum();
        self.game = Game::new(self.deck.card().start.clone(), self.args.objective);
        if shows_optimum {
            self.game.toggle_optimum();
        }
    }

    fn draw(&mut self, is_searching: bool, failure: Option<String>) -> io::Result<()> {
        let (columns, rows) = match terminal::size() {
            // Some terminals do not know their size and say 0.
            Ok((columns, rows)) if columns > 0 && rows > 0 => (columns.into(), rows.into()),
            _ => (80, 24),
        };
        let view = View {
            columns,
            rows,
            colour: self.colour,
            notation: self.args.notation,
            is_searching,
            failure,
        };
        let lines = screen(&self.game, &self.deck, &view);
        if lines == self.shown {
            return Ok(());
        }
        let mut out = io::stdout().lock();
        for (row, line) in lines.iter().enumerate() {
            queue!(
                out,
                cursor::MoveTo(0, row as u16),
                Clear(ClearType::CurrentLine)
            )?;
            out.write_all(line.as_bytes())?;
        }
        queue!(out, Clear(ClearType::FromCursorDown))?;
        out.flush()?;
        self.shown = lines;
        Ok(())
    }
}
