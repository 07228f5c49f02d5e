//! A plan of a board, played move by move.
//!
//! Only one board is kept and moved forward and back, so a plan of a million moves takes no more memory than its letters.

use noyes_puzzle::tiles::{Board, Direction, Notation, write_plan};

use super::drawn::{drawn, drawn_whole, tile_width};
use crate::terminal::film::{Film, cut, window};
use crate::terminal::print::counted;

/// A plan of a board whose moves are all legal, and a place in it.
pub struct BoardFilm {
    start: Board,
    end: Board,
    plan: Vec<Direction>,
    notation: Notation,
    solved: bool,
    /// The board after the first `at` moves.
    board: Board,
    at: usize,
}

impl BoardFilm {
    /// The film of a plan at its start; `solved` says whether it ends at the goal.
    pub fn new(
        start: Board,
        end: Board,
        plan: Vec<Direction>,
        notation: Notation,
        solved: bool,
    ) -> BoardFilm {
        BoardFilm {
            board: start.clone(),
            at: 0,
            start,
            end,
            plan,
            notation,
            solved,
        }
    }
}

impl Film for BoardFilm {
    fn last(&self) -> usize {
        self.plan.len()
    }

    fn at(&self) -> usize {
        self.at
    }

    /// Jumps to either end, and otherwise goes step by step.
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

    /// The part around the blank; the tile that moved last is highlighted.
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
    use noyes_check::board_after;
    use noyes_puzzle::tiles::parse_plan;

    fn film(size: usize, letters: &str) -> BoardFilm {
        let start = Board::blank_last(size, size);
        let plan = parse_plan(letters, Notation::Blank).unwrap();
        let end = board_after(&start, &plan).unwrap();
        BoardFilm::new(start, end, plan, Notation::Blank, false)
    }

    #[test]
    fn a_film_goes_forward_and_back() {
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
