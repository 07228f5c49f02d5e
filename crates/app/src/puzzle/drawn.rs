//! Boards drawn with their tiles in columns.

use std::fmt::Write as _;
use std::ops::Range;

use crossterm::style::{Attribute, SetAttribute};
use noyes_puzzle::tiles::Board;

/// A whole board.
pub fn drawn_whole(board: &Board) -> String {
    drawn(board, 0..board.height(), 0..board.width(), None)
}

/// Some rows and columns of a board, with one cell marked.
pub fn drawn(
    board: &Board,
    rows: Range<usize>,
    columns: Range<usize>,
    marked: Option<usize>,
) -> String {
    let width = tile_width(board);
    let mut text = String::new();
    for row in rows {
        for column in columns.clone() {
            let cell = row * board.width() + column;
            let tile = match board.tiles()[cell] {
                0 => format!("{:>width$}", "_"),
                tile => format!("{tile:>width$}"),
            };
            if column > columns.start {
                text.push(' ');
            }
            if marked == Some(cell) {
                let (on, off) = (
                    SetAttribute(Attribute::Reverse),
                    SetAttribute(Attribute::Reset),
                );
                let _ = write!(text, "{on}{tile}{off}");
            } else {
                text.push_str(&tile);
            }
        }
        text.push('\n');
    }
    text
}

/// The width of the widest tile in characters.
pub fn tile_width(board: &Board) -> usize {
    (board.tiles().len() - 1).to_string().len()
}
