//! `noyes show`: a plan played move by move.
//!
//! Only one board is kept, and stepped to and fro, so a plan of a million moves
//! costs no more than its letters.

use std::time::Duration;

use anyhow::Result;
use noyes_check::board_after;
use noyes_puzzle::tiles::{Board, Direction, Goal, Notation, write_plan};
use noyes_solver::{Answer, Plan, Request, Status, solve};

use crate::args::Show;
use crate::command::check::read_plan;
use crate::puzzle::level;
use crate::puzzle::tiles::{self, drawn, drawn_whole, tile_width};
use crate::record::Notated;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::film::{self, Film, cut, window};
use crate::terminal::input::{self, Given};
use crate::terminal::limits::{self, Running};
use crate::terminal::print::complain;
use crate::terminal::print::{counted, print};
use crate::terminal::progress::watched;

pub fn run(args: &Show) -> Result<Exit> {
    limits::stop_flag(); // a signal puts the terminal back
    input::only_one_dash([
        args.puzzle.as_str(),
        args.plan.as_deref().unwrap_or_default(),
    ])?;
    let start = match input::one_puzzle(&args.puzzle, &args.reading)? {
        Given::Board(board) => board,
        Given::Level(level) => return level::show(args, *level),
    };
    let named = args.reading.goal()?;
    let goal = named
        .of_size(start.width(), start.height())
        .map_err(BadInput::new)?;
    let plan = if let Some(text) = &args.plan {
        read_plan(&input::plan(text)?, &start, args.reading.notation())?
    } else {
        let answer = optimal(&start, &named, args.time_limit)?;
        let Some(Plan::Directions(plan)) = answer.plan.clone() else {
            let notation = Notated::Letters(args.reading.notation());
            print(&tiles::words(&answer, None, &notation))?;
            return Ok(Exit::of(answer.status));
        };
        if answer.status != Status::Optimal {
            let notation = Notated::Letters(args.reading.notation());
            complain(tiles::words(&answer, None, &notation).trim_end());
        }
        plan
    };
    let end =
        board_after(&start, &plan).map_err(|fault| BadInput::new(format!("plan: {fault}")))?;
    let solved = end == goal;
    let mut film = BoardFilm {
        board: start.clone(),
        at: 0,
        start,
        end,
        plan,
        notation: args.reading.notation(),
        solved,
    };
    if film::show(&mut film, args.delay)? == Exit::Interrupted {
        return Ok(Exit::Interrupted);
    }
    Ok(if solved {
        Exit::Answered
    } else {
        Exit::Unverified
    })
}

fn optimal(start: &Board, goal: &Goal, time_limit: Option<Duration>) -> Result<Answer> {
    let request = Request::board(start.clone(), goal).map_err(BadInput::new)?;
    let _running = Running::new();
    let control = limits::control(time_limit, None);
    Ok(watched("searching", &control, || {
        solve(&request, &control)
    })?)
}

struct BoardFilm {
    start: Board,
    end: Board,
    plan: Vec<Direction>,
    notation: Notation,
    solved: bool,
    /// The board after the first `at` moves.
    board: Board,
    at: usize,
}

impl Film for BoardFilm {
    fn last(&self) -> usize {
        self.plan.len()
    }

    fn at(&self) -> usize {
        self.at
    }

    /// Far away from either end, else step by step.
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

    fn whole(&self) -> String {
        drawn_whole(&self.board)
    }

    /// Around the blank; the tile that moved last stands out.
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::tiles::parse_plan;

    fn film(size: usize, letters: &str) -> BoardFilm {
        let start = Board::blank_last(size, size);
        let plan = parse_plan(letters, Notation::Blank).unwrap();
        BoardFilm {
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
