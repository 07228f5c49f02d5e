//! A board: w×h cells, the tiles 1 to w·h−1 and one blank.
//!
//! It is written row by row, `1 2 3/4 5 6/7 8 0`, and read in many more forms (see
//! `read`). A board of one row ends in a slash (`1 2 0/`), so that what is printed
//! reads back as the same board.

use std::fmt;
use std::str::FromStr;

use super::Direction;

/// The most cells a board may have: a tile is a 16-bit number.
pub const MAX_CELLS: usize = 1 << 16;

/// A w×h board and where each tile lies.
///
/// ```
/// use noyes_puzzle::tiles::Board;
/// let board: Board = "1 2 3/4 0 6/7 5 8".parse()?;
/// assert_eq!((board.width(), board.height()), (3, 3));
/// assert_eq!(board.to_string(), "1 2 3/4 0 6/7 5 8");
/// # Ok::<(), noyes_puzzle::tiles::BoardError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Board {
    width: usize,
    tiles: Vec<u16>,
}

/// What is wrong with a text that should be a board.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The text holds no tiles.
    #[error("no board here: expected tiles such as 1 2 3/4 5 6/7 8 0")]
    Empty,
    /// A character no board has.
    #[error(
        "character {at}: {found:?} does not belong to a board (expected numbers, 0 or _ for the blank, / between rows)"
    )]
    Symbol {
        /// Its place in the text, from 1.
        at: usize,
        /// The character.
        found: char,
    },
    /// A bracket without its partner.
    #[error("character {at}: this {found} is never closed")]
    Unclosed {
        /// Its place in the text, from 1.
        at: usize,
        /// The bracket.
        found: char,
    },
    /// More digits without separators than a board of one-digit tiles has.
    #[error(
        "{digits}: it is unclear where one tile ends and the next begins (put spaces between tiles)"
    )]
    Unseparated {
        /// The digits, or the first of them.
        digits: String,
    },
    /// A row without tiles between two others.
    #[error("row {row} is empty")]
    EmptyRow {
        /// The row, from 1.
        row: usize,
    },
    /// Rows of different lengths.
    #[error("not a rectangle: row {row} has {found} tiles, row 1 has {expected}")]
    Ragged {
        /// The row, from 1.
        row: usize,
        /// Its tiles.
        found: usize,
        /// The tiles of the first row.
        expected: usize,
    },
    /// Nothing separates rows, and the number of tiles is not a square.
    #[error("{count} tiles make no square board: use slashes between rows, or --size {}", sizes(*count))]
    NotSquare {
        /// How many there are.
        count: usize,
    },
    /// Not the number of tiles that the size asks for.
    #[error("{found} tiles given, but a {width}×{height} board has {expected} cells")]
    Count {
        /// How many there are.
        found: usize,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// Cells of that size.
        expected: usize,
    },
    /// More cells than a board may have.
    #[error("more than {MAX_CELLS} cells, which is the most that a board may have")]
    TooLarge,
    /// A tile with a number that this size does not have.
    #[error("row {row}, column {column}: {tile} is out of range, a {width}×{height} board has {}", if *last == 0 { "the blank 0 alone".into() } else { format!("the tiles 1 to {last} and the blank 0") })]
    OutOfRange {
        /// The number as written.
        tile: String,
        /// Its row, from 1.
        row: usize,
        /// Its column, from 1.
        column: usize,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// The largest tile.
        last: usize,
    },
    /// No blank among the tiles, which all differ.
    #[error("the blank (0) is missing")]
    NoBlank,
    /// The same tile in two cells, so another is missing.
    #[error("duplicate {} ({}); {} is missing", if *tile == 0 { "blank".into() } else { name(*tile) }, both(*first, *second), name(*missing))]
    Duplicate {
        /// The tile.
        tile: u16,
        /// Row and column of its first place, from 1.
        first: (usize, usize),
        /// Row and column of its second place.
        second: (usize, usize),
        /// The smallest tile that is missing.
        missing: u16,
    },
}

/// A tile in a sentence.
fn name(tile: u16) -> String {
    if tile == 0 {
        "the blank (0)".into()
    } else {
        format!("tile {tile}")
    }
}

/// Two places in a sentence.
fn both(first: (usize, usize), second: (usize, usize)) -> String {
    if first.0 == second.0 {
        format!("row {}, columns {} and {}", first.0, first.1, second.1)
    } else {
        format!("rows {} and {}", first.0, second.0)
    }
}

/// The sizes of boards with this many cells, the squarest first; those of a single row only if there are no others.
fn sizes(cells: usize) -> String {
    const MOST: usize = 4;
    let divisors = || {
        (1..=cells.isqrt())
            .rev()
            .filter(|&d| cells.is_multiple_of(d))
    };
    let several = divisors().filter(|&d| d > 1).count();
    let shorter = divisors().take(several.max(1));
    let sizes = shorter.flat_map(|d| [(d, cells / d), (cells / d, d)]);
    let names = sizes.map(|(width, height)| format!("{width}x{height}"));
    names.take(MOST).collect::<Vec<_>>().join(", ")
}

impl Board {
    /// A board from its tiles, row by row.
    ///
    /// # Errors
    /// If the count is not a multiple of the width, or the tiles are not 0 to count−1, each once.
    pub fn new(width: usize, tiles: Vec<u16>) -> Result<Board, BoardError> {
        if tiles.is_empty() || width == 0 {
            return Err(BoardError::Empty);
        }
        if tiles.len() > MAX_CELLS {
            return Err(BoardError::TooLarge);
        }
        let height = tiles.len().div_ceil(width);
        if tiles.len() != width * height {
            return Err(BoardError::Count {
                found: tiles.len(),
                width,
                height,
                expected: width * height,
            });
        }
        let place = |cell: usize| (cell / width + 1, cell % width + 1);
        let mut cell_of = vec![None; tiles.len()];
        for (cell, &tile) in tiles.iter().enumerate() {
            match cell_of.get_mut(tile as usize) {
                None => {
                    let last = tiles.len() - 1;
                    let (row, column) = place(cell);
                    return Err(BoardError::OutOfRange {
                        tile: tile.to_string(),
                        row,
                        column,
                        width,
                        height,
                        last,
                    });
                }
                Some(Some(first)) => {
                    let missing = (0..=u16::MAX).find(|t| !tiles.contains(t)).unwrap_or(0);
                    return Err(BoardError::Duplicate {
                        tile,
                        first: place(*first),
                        second: place(cell),
                        missing,
                    });
                }
                Some(first) => *first = Some(cell),
            }
        }
        Ok(Board { width, tiles })
    }

    /// The board 1 2 3 … with the blank in the last cell.
    pub fn blank_last(width: usize, height: usize) -> Board {
        let cells = cells(width, height);
        Board {
            width,
            tiles: (1..cells).chain([0]).map(|t| t as u16).collect(),
        }
    }

    /// The board 0 1 2 … with the blank in the first cell.
    pub fn blank_first(width: usize, height: usize) -> Board {
        Board {
            width,
            tiles: (0..cells(width, height)).map(|t| t as u16).collect(),
        }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.tiles.len() / self.width
    }

    /// The size as it is written: `4x4`.
    pub fn size(&self) -> String {
        format!("{}x{}", self.width(), self.height())
    }

    /// The tiles row by row; 0 is the blank.
    pub fn tiles(&self) -> &[u16] {
        &self.tiles
    }

    /// The cell of the blank.
    pub fn blank(&self) -> usize {
        self.tiles
            .iter()
            .position(|&t| t == 0)
            .expect("every board has a blank")
    }

    /// Where each tile lies: entry `t` is the cell of tile `t`.
    pub fn places(&self) -> Vec<u16> {
        let mut places = vec![0; self.tiles.len()];
        for (cell, &tile) in self.tiles.iter().enumerate() {
            places[tile as usize] = cell as u16;
        }
        places
    }

    /// The cell next to `cell` in that direction, unless that is beyond the border.
    pub fn neighbour(&self, cell: usize, direction: Direction) -> Option<usize> {
        let (row, column) = (cell / self.width, cell % self.width);
        match direction {
            Direction::Up if row > 0 => Some(cell - self.width),
            Direction::Left if column > 0 => Some(cell - 1),
            Direction::Right if column + 1 < self.width => Some(cell + 1),
            Direction::Down if row + 1 < self.height() => Some(cell + self.width),
            _ => None,
        }
    }

    /// Moves the blank one cell. At the border nothing moves, and the result is false.
    pub fn step(&mut self, direction: Direction) -> bool {
        let blank = self.blank();
        let next = self.neighbour(blank, direction);
        if let Some(next) = next {
            self.tiles.swap(blank, next);
        }
        next.is_some()
    }
}

/// Cells of a size the caller has checked.
fn cells(width: usize, height: usize) -> usize {
    let cells = width.saturating_mul(height);
    assert!(
        (1..=MAX_CELLS).contains(&cells),
        "a board has 1 to {MAX_CELLS} cells"
    );
    cells
}

impl FromStr for Board {
    type Err = BoardError;

    fn from_str(text: &str) -> Result<Board, BoardError> {
        Board::parse(text, None)
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (i, tile) in self.tiles.iter().enumerate() {
            let before = match i {
                0 => "",
                _ if i % self.width == 0 => "/",
                _ => " ",
            };
            write!(f, "{before}{tile}")?;
        }
        if self.height() == 1 && self.width > 1 {
            f.write_str("/")
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn error(text: &str) -> String {
        text.parse::<Board>().unwrap_err().to_string()
    }

    #[test]
    fn every_form_reads_as_the_same_board() {
        let board: Board = "1 2 3/4 0 6/7 5 8".parse().unwrap();
        for text in [
            "1 2 3 4 0 6 7 5 8",
            "1,2,3,4,_,6,7,5,8",
            " 1 2 3 / 4 _ 6 / 7 5 8 /",
            "1 2 3\r\n4 0 6\r\n7 5 8\r\n",
            "1,2,3/4,0,6/7,5,8",
            "1\t2 3/4 0 6/7 5 8",
        ] {
            assert_eq!(text.parse::<Board>().as_ref(), Ok(&board), "{text:?}");
        }
    }

    #[test]
    fn rows_and_columns_of_one_read_back() {
        for text in ["0", "1 2 0/", "1/2/0", "1 0 2 3/", "1 2 3/4 5 0"] {
            assert_eq!(text.parse::<Board>().unwrap().to_string(), text);
        }
        let row: Board = "1 2 0/".parse().unwrap();
        assert_eq!((row.width(), row.height()), (3, 1));
        assert_eq!(
            Board::parse("1 2 3 4 5 0", Some((2, 3)))
                .unwrap()
                .to_string(),
            "1 2/3 4/5 0"
        );
    }

    #[test]
    fn messages_name_the_place_and_what_was_expected() {
        assert_eq!(
            error(""),
            "no board here: expected tiles such as 1 2 3/4 5 6/7 8 0"
        );
        assert_eq!(error("/"), error(""));
        assert!(error("1 2 3/4 y 6/7 5 8").starts_with("character 9: 'y'"));
        assert_eq!(
            error("1 2 3/4 5/6 7 0"),
            "not a rectangle: row 2 has 2 tiles, row 1 has 3"
        );
        assert_eq!(error("1 2//3 0"), "row 2 is empty");
        assert_eq!(
            error("1 2 3 4 5 0"),
            "6 tiles make no square board: use slashes between rows, or --size 2x3, 3x2"
        );
        assert_eq!(
            error("1 2 3 4 5 6 7 8 9 10 11 0"),
            "12 tiles make no square board: use slashes between rows, or --size 3x4, 4x3, 2x6, 6x2"
        );
        assert!(error("1 2 3 4 0").ends_with("--size 1x5, 5x1"));
        assert!(
            error("1 2 3/4 9 6/7 5 0").starts_with(
                "row 2, column 2: 9 is out of range, a 3×3 board has the tiles 1 to 8"
            )
        );
        assert!(
            error("1 2 3/4 99999999999999999999999 6/7 5 0")
                .contains("999999999999… is out of range")
        );
        assert_eq!(
            error("1 2 3/4 2 6/7 5 0"),
            "duplicate tile 2 (rows 1 and 2); tile 8 is missing"
        );
        assert_eq!(
            error("1 0 3/4 2 6/7 5 0"),
            "duplicate blank (rows 1 and 3); tile 8 is missing"
        );
        assert_eq!(
            error("1 2 3/4 5 1/7 8 1"),
            "duplicate tile 1 (rows 1 and 2); the blank (0) is missing"
        );
        assert_eq!(
            error("1 2 2/4 0 6/7 5 8"),
            "duplicate tile 2 (row 1, columns 2 and 3); tile 3 is missing"
        );
        assert_eq!(error("1 2 3/4 5 6/7 8 9"), "the blank (0) is missing");
        assert_eq!(error("1 2 3 4 5 6 7 8"), "the blank (0) is missing");
        assert!(Board::parse("1 2 3 0", Some((3, 1))).is_err());
    }

    #[test]
    fn a_line_of_ten_megabytes_is_refused() {
        assert_eq!(
            "1 ".repeat(5_000_000).parse::<Board>(),
            Err(BoardError::TooLarge)
        );
        assert_eq!(
            "/".repeat(10_000_000).parse::<Board>(),
            Err(BoardError::TooLarge)
        );
        assert!("7".repeat(10_000_000).parse::<Board>().is_err());
    }

    #[test]
    fn large_boards_read_back() {
        let board = Board::blank_last(100, 100);
        assert_eq!(board.to_string().parse(), Ok(board));
    }

    proptest! {
        #[test]
        fn no_text_makes_the_parser_panic(text in "\\PC*", digits in "[0-9 /,;|.x_\\[\\](){}\t\n]{0,60}") {
            let _ = text.parse::<Board>();
            if let Ok(board) = digits.parse::<Board>() {
                prop_assert_eq!(board.to_string().parse::<Board>(), Ok(board));
            }
        }
    }
}
