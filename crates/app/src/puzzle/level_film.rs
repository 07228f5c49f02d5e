//! A plan of a level, played step by step.

use std::fmt::Write;

use crossterm::style::{Attribute, SetAttribute};
use noyes_puzzle::sokoban::{Level, State, Walks, step, write_xsb};

use crate::terminal::film::{Film, cut, window};
use crate::terminal::print::counted;

/// A state is kept every so often, in steps: going back starts at the last kept one.
const KEEP_EVERY: usize = 128;

/// A plan of a level, and a place in it.
pub struct LevelFilm {
    level: Level,
    walks: Walks,
    /// The plan as it is written, a line for each player.
    letters: Vec<Vec<char>>,
    solved: bool,
    kept: Vec<State>,
    /// After the first `at` steps.
    state: State,
    at: usize,
}

impl LevelFilm {
    /// The film of a legal plan at its start.
    pub fn new(level: Level, walks: Walks, solved: bool) -> LevelFilm {
        let state = State::start(&level);
        let lurd = walks.write(&level);
        let letters = lurd.split('\n').map(|line| line.chars().collect());
        LevelFilm {
            letters: letters.collect(),
            walks,
            solved,
            kept: vec![state.clone()],
            state,
            at: 0,
            level,
        }
    }

    /// The level as it is now.
    fn now(&self) -> Level {
        let now = self.level.with(&self.state.boxes, &self.state.players);
        now.expect("a plan that was checked")
    }
}

impl Film for LevelFilm {
    fn last(&self) -> usize {
        self.walks.len()
    }

    fn at(&self) -> usize {
        self.at
    }

    fn go(&mut self, at: usize) {
        let kept = (at / KEEP_EVERY).min(self.kept.len() - 1);
        if at < self.at || kept * KEEP_EVERY > self.at {
            self.state.clone_from(&self.kept[kept]);
            self.at = kept * KEEP_EVERY;
        }
        while self.at < at {
            let moves = self.walks.step(self.at);
            step(&self.level, &mut self.state, &moves, true).expect("a plan that was checked");
            self.at += 1;
            if self.at == self.kept.len() * KEEP_EVERY {
                self.kept.push(self.state.clone());
            }
        }
    }

    fn heading(&self) -> String {
        let (at, last) = (self.at, self.last());
        let Some(before) = at.checked_sub(1) else {
            return format!("start, {} to go\n", counted(last, "step", "steps"));
        };
        let letters: String = self.letters.iter().map(|line| line[before]).collect();
        let end = match (at == last, self.solved) {
            (true, true) => ": solved",
            (true, false) => ": the plan ends here, not every goal holds a box",
            _ => "",
        };
        format!("step {at} of {last}: {letters}{end}\n")
    }

    fn whole(&self) -> String {
        write_xsb(&self.now())
    }

    /// The part around the first player; the players are highlighted.
    fn cropped(&self, columns: usize, rows: usize) -> String {
        let (level, (row, column)) = (self.now(), self.level.place(self.state.players[0]));
        let across = window(level.width(), columns.max(1), column - 1);
        // A cropped level needs a line for its note.
        let high = if level.height() > rows || across.len() < level.width() {
            rows.saturating_sub(1).max(1)
        } else {
            rows
        };
        let down = window(level.height(), high, row - 1);
        let (on, off) = (
            SetAttribute(Attribute::Reverse),
            SetAttribute(Attribute::Reset),
        );
        let mut text = String::new();
        for line in write_xsb(&level).lines().skip(down.start).take(down.len()) {
            for letter in line.chars().skip(across.start).take(across.len()) {
                let _ = match letter {
                    '@' | '+' => write!(text, "{on}{letter}{off}"),
                    _ => write!(text, "{letter}"),
                };
            }
            text.push('\n');
        }
        if down.len() < level.height() || across.len() < level.width() {
            let note = format!(
                "(rows {}-{} of {}, columns {}-{} of {}: the window is too small for more)\n",
                down.start + 1,
                down.end,
                level.height(),
                across.start + 1,
                across.end,
                level.width()
            );
            text += &cut(&note, columns);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_check::sokoban_after;
    use noyes_puzzle::sokoban::parse_level;

    #[test]
    fn a_film_goes_forward_and_back() {
        let level = parse_level("#######|#@ $ .#|#     #|#######").unwrap();
        let walks = Walks::parse(&("rR".to_string() + &"ldru".repeat(100)), 1).unwrap();
        let (start, steps) = (level.clone(), walks.clone());
        let mut film = LevelFilm::new(level, walks, false);
        for at in [3, 5, 1, 400, 399, 0, 130, 402, 2, 127, 128, 129] {
            film.go(at);
            let first = Walks::new(steps.walks().iter().map(|w| w[..at].to_vec()).collect());
            let (after, _) = sokoban_after(&start, &first, true).unwrap();
            assert_eq!((film.at(), film.now()), (at, after));
        }
    }

    #[test]
    fn a_level_larger_than_the_window_is_cropped_around_the_player() {
        let wide = format!("60#|#@$.{}#|60#", "-".repeat(55));
        let level = parse_level(&wide).unwrap();
        let walks = Walks::parse("R", 1).unwrap();
        let mut film = LevelFilm::new(level, walks, true);
        film.go(1);
        for (columns, rows) in [(80, 20), (20, 10), (7, 3), (1, 1)] {
            let text = film.cropped(columns, rows);
            let plain = text.replace("\u{1b}[7m", "").replace("\u{1b}[0m", "");
            assert!(plain.lines().count() <= rows.max(2), "{plain}");
            assert!(
                plain.lines().all(|l| l.chars().count() <= columns),
                "{plain}"
            );
            assert!(plain.contains('@'), "{plain}");
        }
    }
}
