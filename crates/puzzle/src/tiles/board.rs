//! A board: w×h cells, the tiles 1 to w·h−1 and one blank.
//!
//! Written row by row: `1 2 3/4 5 6/7 8 0`. Blanks and commas part the tiles, a
//! slash or a line end parts the rows, `0` or `_` is the blank. Without a slash
//! the board is taken as square; a board of one row ends in a slash (`1 2 0/`),
//! so that what is printed reads back as the same board.

use std::fmt;
use std::str::FromStr;

use super::Direction;

/// The most cells a board may have: a tile is a 16-bit number.
pub const MAX_CELLS: usize = 1 << 16;

/// A w×h board with every tile on its place.
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
    /// Nothing there.
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
    /// No slashes, and no square number of tiles.
    #[error(
        "{count} tiles make no square: part the rows by slashes, as in 1 2 3/4 5 0 (a single row ends in one: 1 2 0/)"
    )]
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
    #[error("more than {MAX_CELLS} cells, which is the largest board there is")]
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
    /// A tile that stands twice, so that another is missing.
    #[error("{} stands twice, at row {row}, column {column} and before; {} is missing", name(*tile), name(*missing))]
    Twice {
        /// The tile.
        tile: u16,
        /// The row of its second place, from 1.
        row: usize,
        /// The column of its second place, from 1.
        column: usize,
        /// The smallest tile that is nowhere.
        missing: u16,
    },
}

/// How a tile is called in a sentence.
fn name(tile: u16) -> String {
    if tile == 0 {
        "the blank 0".into()
    } else {
        format!("tile {tile}")
    }
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
        let mut seen = vec![false; tiles.len()];
        for (cell, &tile) in tiles.iter().enumerate() {
            let (row, column) = (cell / width + 1, cell % width + 1);
            match seen.get_mut(tile as usize) {
                None => {
                    let last = tiles.len() - 1;
                    return Err(BoardError::OutOfRange {
                        tile: tile.to_string(),
                        row,
                        column,
                        width,
                        height,
                        last,
                    });
                }
                Some(seen) if *seen => {
                    let missing = (0..=u16::MAX).find(|t| !tiles.contains(t)).unwrap_or(0);
                    return Err(BoardError::Twice {
                        tile,
                        row,
                        column,
                        missing,
                    });
                }
                Some(seen) => *seen = true,
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

    /// The cell next to `cell` in that direction, if the board goes on there.
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

    /// Moves the blank one cell; false, and nothing moved, at the border.
    pub fn step(&mut self, direction: Direction) -> bool {
        let blank = self.blank();
        let next = self.neighbour(blank, direction);
        if let Some(next) = next {
            self.tiles.swap(blank, next);
        }
        next.is_some()
    }

    /// Reads a board; with a size, rows need not be parted.
    ///
    /// # Errors
    /// Names the first thing that is wrong and where.
    pub fn parse(text: &str, size: Option<(usize, usize)>) -> Result<Board, BoardError> {
        let rows = read_rows(text)?;
        let count: usize = rows.iter().map(Vec::len).sum();
        let parted = rows.len() > 1 || text.trim_end().ends_with('/');
        let width = match size {
            _ if parted => {
                let expected = rows[0].len();
                for (i, row) in rows.iter().enumerate() {
                    match row.len() {
                        0 => return Err(BoardError::EmptyRow { row: i + 1 }),
                        found if found != expected => {
                            return Err(BoardError::Ragged {
                                row: i + 1,
                                found,
                                expected,
                            });
                        }
                        _ => {}
                    }
                }
                expected
            }
            Some((width, _)) => width,
            None if count.isqrt().pow(2) == count => count.isqrt(),
            None => return Err(BoardError::NotSquare { count }),
        };
        if let Some((width, height)) = size
            && (count != cells(width, height) || (parted && (rows[0].len() != width)))
        {
            return Err(BoardError::Count {
                found: count,
                width,
                height,
                expected: width * height,
            });
        }
        let mut tiles = Vec::with_capacity(count);
        for (cell, digits) in rows.concat().iter().enumerate() {
            let tile = if *digits == "_" {
                Some(0)
            } else {
                digits.parse().ok()
            };
            tiles.push(
                tile.filter(|&t: &u16| usize::from(t) < count)
                    .ok_or_else(|| BoardError::OutOfRange {
                        tile: shorten(digits),
                        row: cell / width + 1,
                        column: cell % width + 1,
                        width,
                        height: count / width,
                        last: count - 1,
                    })?,
            );
        }
        Board::new(width, tiles)
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

/// The words of the text, row by row.
fn read_rows(text: &str) -> Result<Vec<Vec<&str>>, BoardError> {
    let text = text.trim();
    if text.is_empty() {
        return Err(BoardError::Empty);
    }
    let mut rows = vec![Vec::new()];
    let mut count = 0;
    let mut word = None; // where the number being read starts
    for (i, c) in text.char_indices().chain([(text.len(), '\n')]) {
        if c.is_ascii_digit() {
            word.get_or_insert(i);
            continue;
        }
        if let Some(from) = word.take() {
            rows.last_mut().expect("never empty").push(&text[from..i]);
            count += 1;
        }
        match c {
            '_' => {
                rows.last_mut().expect("never empty").push("_");
                count += 1;
            }
            '/' | '\n' => rows.push(Vec::new()),
            c if c == ',' || c.is_whitespace() => {}
            found => {
                return Err(BoardError::Symbol {
                    at: text[..i].chars().count() + 1,
                    found,
                });
            }
        }
        if count > MAX_CELLS || rows.len() > MAX_CELLS + 2 {
            return Err(BoardError::TooLarge);
        }
    }
    rows.pop(); // the line end put behind the text
    if rows.len() > 1 && rows.last().is_some_and(Vec::is_empty) {
        rows.pop(); // a single row is closed by a slash, and others may be
    }
    if count == 0 {
        Err(BoardError::Empty)
    } else {
        Ok(rows)
    }
}

/// A number of any length as it can be shown.
fn shorten(digits: &str) -> String {
    if digits.len() <= 12 {
        digits.into()
    } else {
        format!("{}…", &digits[..12])
    }
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
    fn a_bad_board_is_told_where_it_is_bad() {
        assert_eq!(
            error(""),
            "no board here: expected tiles such as 1 2 3/4 5 6/7 8 0"
        );
        assert_eq!(error("/"), error(""));
        assert!(error("1 2 3/4 x 6/7 5 8").starts_with("character 9: 'x'"));
        assert_eq!(
            error("1 2 3/4 5/6 7 0"),
            "not a rectangle: row 2 has 2 tiles, row 1 has 3"
        );
        assert_eq!(error("1 2//3 0"), "row 2 is empty");
        assert!(error("1 2 3 4 5 0").starts_with("6 tiles make no square"));
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
            "tile 2 stands twice, at row 2, column 2 and before; tile 8 is missing"
        );
        assert_eq!(
            error("1 0 3/4 2 6/7 5 0"),
            "the blank 0 stands twice, at row 3, column 3 and before; tile 8 is missing"
        );
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
        fn no_text_makes_the_parser_panic(text in "\\PC*", digits in "[0-9 /,_\n]{0,60}") {
            let _ = text.parse::<Board>();
            if let Ok(board) = digits.parse::<Board>() {
                prop_assert_eq!(board.to_string().parse::<Board>(), Ok(board));
            }
        }
    }
}
