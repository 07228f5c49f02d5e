//! A puzzle read from text: a board or a level.

use noyes_puzzle::sokoban::{Level, may_be_level_line, parse_level, write_rle};
use noyes_puzzle::tiles::{Board, is_board_text};

/// A puzzle that was read.
#[derive(Clone)]
pub enum Given {
    Board(Board),
    Level(Box<Level>),
}

impl Given {
    /// Reads a text that holds one puzzle.
    pub fn read(text: &str) -> Result<Given, String> {
        if is_board_text(text) {
            let board = Board::parse(text, None).map_err(|e| e.to_string())?;
            return Ok(Given::Board(board));
        }
        if !text.lines().any(may_be_level_line) {
            return Err("expected a board such as \"1 2 3/4 0 6/7 5 8\" or a level of Sokoban such as \"#####\\n#@$.#\\n#####\"".into());
        }
        let level = parse_level(text).map_err(|e| e.to_string())?;
        Ok(Given::Level(Box::new(level)))
    }

    /// The puzzle as text that [`Given::read`] reads.
    pub fn text(&self) -> String {
        match self {
            Given::Board(board) => board.to_string(),
            Given::Level(level) => write_rle(level),
        }
    }

    /// The number of cells.
    pub fn cells(&self) -> usize {
        match self {
            Given::Board(board) => board.tiles().len(),
            Given::Level(level) => level.cells(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_text_is_a_board_in_any_form_or_a_level() {
        for text in [
            "1 2 3/4 0 6/7 5 8",
            "123406758",
            "[[1,2,3],[4,0,6],[7,5,8]]",
            "1,2,3;4,0,6;7,5,8",
            "1 2 3\n4 0 6\n7 5 8\n",
            "1 2 3|4 0 6|7 5 8",
        ] {
            match Given::read(text) {
                Ok(Given::Board(board)) => assert_eq!(board.to_string(), "1 2 3/4 0 6/7 5 8"),
                Ok(Given::Level(_)) => panic!("{text}: a level"),
                Err(error) => panic!("{text}: {error}"),
            }
        }
        for text in ["5#|#@$.#|5#", "#####\n#@$.#\n#####", "5#|#@*-#|5#"] {
            let Ok(given @ Given::Level(_)) = Given::read(text) else {
                panic!("{text}");
            };
            let again = Given::read(&given.text()).unwrap();
            assert_eq!(again.text(), given.text());
        }
        for text in ["hello", "...", "3x3", "1.5"] {
            let error = Given::read(text).err().unwrap();
            assert!(error.starts_with("expected a board"), "{text}: {error}");
        }
    }
}
