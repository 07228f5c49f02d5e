//! A puzzle read from text: a board or a level.

use noyes_puzzle::sokoban::{Level, may_be_level_line, parse_level};
use noyes_puzzle::tiles::Board;

/// A puzzle that was read.
#[derive(Clone)]
pub enum Given {
    Board(Board),
    Level(Box<Level>),
}

impl Given {
    /// Reads a text that holds one puzzle.
    pub fn read(text: &str) -> Result<Given, String> {
        if is_board(text) {
            let board = Board::parse(text, None).map_err(|e| e.to_string())?;
            return Ok(Given::Board(board));
        }
        if !text.lines().any(may_be_level_line) {
            return Err("expected a board such as \"1 2 3/4 0 6/7 5 8\" or a level of Sokoban such as \"#####\\n#@$.#\\n#####\"".into());
        }
        let level = parse_level(text).map_err(|e| e.to_string())?;
        Ok(Given::Level(Box::new(level)))
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        match self {
            Given::Board(board) => board.tiles().len(),
            Given::Level(level) => level.cells(),
        }
    }
}

/// Whether a text can only be a board: digits, blanks and separators.
pub fn is_board(text: &str) -> bool {
    text != "-"
        && text
            .chars()
            .all(|c| c.is_ascii_digit() || c.is_whitespace() || "_,/".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_and_file_names_differ() {
        assert!(
            is_board("1 2 3/4 0 6/7 5 8") && is_board("1,2,3,_") && is_board("123") && is_board("")
        );
        assert!(!is_board("-") && !is_board("boards.txt") && !is_board("./123"));
    }
}
