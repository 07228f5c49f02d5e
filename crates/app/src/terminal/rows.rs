//! Lines of boards: a board on each line, or boards with a row on each line and empty
//! lines between them.
//!
//! A source is read line by line, and its boards are answered as they come. So what
//! it holds must be decided early. It holds one board a line once a line is a board
//! of more than four cells or with row separators, or two lines are boards: two
//! boards have two blanks, so together they cannot be one. (Up to four cells may
//! also be a row, such as `0 1 2 3` of a 4×4 board.) Until then lines are held
//! back. If the source ends first, all its lines together are the board if they
//! make one. They are also taken together if they have the shape of one and none
//! could be a board by itself, so that the message is about that board and not
//! about each of its rows.

use noyes_puzzle::tiles::{Board, BoardError};

/// A source whose first board comes after this many bytes has one a line.
const LONGEST_BOARD: usize = 1 << 20;
/// A board of up to this many cells may also be a row.
const MOST_CELLS_OF_ROW: usize = 4;

/// What separates rows within a line.
const ROW_ENDS: [char; 3] = ['/', ';', '|'];

/// What was read from a line, and the board it holds, or what is wrong with it.
pub struct Line {
    pub number: usize,
    pub text: String,
    pub board: Result<Board, String>,
}

/// Lines that may turn out to be rows.
pub struct Rows {
    size: Option<(usize, usize)>,
    held: Vec<Line>,
    bytes: usize,
    boards: usize,
    is_decided: bool,
}

impl Rows {
    pub fn new(size: Option<(usize, usize)>) -> Rows {
        Rows {
            size,
            held: vec![],
            bytes: 0,
            boards: 0,
            is_decided: false,
        }
    }

    /// Takes a line, or what is wrong with it, and gives back those that are boards by themselves.
    pub fn push(&mut self, number: usize, text: Result<String, String>) -> Vec<Line> {
        self.is_decided |= text.is_err();
        let (text, board) = match text {
            Ok(text) => {
                let board = Board::parse(&text, self.size);
                if let Ok(board) = &board {
                    self.boards += 1;
                    self.is_decided |= self.boards > 1
                        || board.tiles().len() > MOST_CELLS_OF_ROW
                        || text.contains(ROW_ENDS);
                }
                (text, board.map_err(|error| error.to_string()))
            }
            Err(error) => (String::new(), Err(error)),
        };
        self.bytes += text.len();
        self.is_decided |= self.bytes > LONGEST_BOARD;
        self.held.push(Line {
            number,
            text,
            board,
        });
        if self.is_decided {
            std::mem::take(&mut self.held)
        } else {
            vec![]
        }
    }

    /// Takes an empty line, which ends a board of several rows.
    pub fn gap(&mut self) -> Option<Line> {
        let rows: Vec<&str> = self.held.iter().map(|line| line.text.as_str()).collect();
        let [_, _, ..] = rows[..] else { return None };
        let board = Board::parse(&rows.join("\n"), self.size).ok()?;
        let line = Line {
            number: self.held[0].number,
            text: rows.join("/"),
            board: Ok(board),
        };
        *self = Rows::new(self.size);
        Some(line)
    }

    /// What is left at the end: one board, or lines.
    pub fn finish(&mut self) -> Vec<Line> {
        let [first, _, ..] = &self.held[..] else {
            return std::mem::take(&mut self.held);
        };
        let texts: Vec<&str> = self.held.iter().map(|line| line.text.as_str()).collect();
        let text = texts.join("\n");
        let board = Board::parse(&text, self.size);
        let is_one = match &board {
            Ok(_) => true,
            Err(error) => self.are_rows() && is_about_tiles(error),
        };
        if is_one {
            return vec![Line {
                number: first.number,
                text: texts.join("/"),
                board: board.map_err(|error| error.to_string()),
            }];
        }
        std::mem::take(&mut self.held)
    }

    /// Whether no line is meant as a board: it is too short for a square, or there are as many lines as columns.
    fn are_rows(&self) -> bool {
        let columns = |line: &Line| {
            let words = line.text.split(|c: char| !c.is_ascii_digit());
            words.filter(|word| !word.is_empty()).count()
        };
        let is_row = |line: &Line| {
            let columns = columns(line);
            !line.text.contains(ROW_ENDS)
                && (columns == self.held.len() || columns.isqrt().pow(2) != columns)
        };
        self.boards == 0 && self.held.iter().all(is_row)
    }
}

/// Whether the rows have the shape of a board, and only its tiles are wrong.
fn is_about_tiles(error: &BoardError) -> bool {
    matches!(
        error,
        BoardError::Duplicate { .. } | BoardError::NoBlank | BoardError::OutOfRange { .. }
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is handed over after each line, and at the end: boards as they print, or the line of an error.
    fn read(text: &str) -> (Vec<usize>, Vec<Result<String, usize>>) {
        let mut rows = Rows::new(None);
        let (mut counts, mut all) = (vec![], vec![]);
        for (i, line) in text.lines().enumerate() {
            let lines = match line {
                "" => rows.gap().into_iter().collect(),
                _ => rows.push(i + 1, Ok(line.into())),
            };
            counts.push(lines.len());
            all.extend(lines);
        }
        all.extend(rows.finish());
        let shown = |line: Line| line.board.map(|b| b.to_string()).map_err(|_| line.number);
        (counts, all.into_iter().map(shown).collect())
    }

    fn one(text: &str) -> Vec<Result<String, usize>> {
        vec![Ok(text.to_string())]
    }

    #[test]
    fn rows_on_lines_are_one_board() {
        assert_eq!(read("1 2 3\n4 5 6\n7 8 0").1, one("1 2 3/4 5 6/7 8 0"));
        assert_eq!(read("123\n456\n780").1, one("1 2 3/4 5 6/7 8 0"));
        assert_eq!(read("[[1, 2],\n [3, 0]]").1, one("1 2/3 0"));
        assert_eq!(read("[\n[1, 2],\n[3, 0]\n]").1, one("1 2/3 0"));
        assert_eq!(read("1 2\n0 3").1, one("1 2/0 3"));
        // Its first row is a board of 2×2, but the rest is not.
        let korf = "0 1 2 3\n4 5 6 7\n8 9 10 11\n12 13 14 15";
        assert_eq!(read(korf).1, one(&korf.replace('\n', "/")));
    }

    #[test]
    fn empty_lines_separate_boards_in_rows() {
        let three = "1 2 3\n4 5 6\n7 8 0\n\n123\n456\n708\n\n\n1 2\n0 3\n";
        let (counts, boards) = read(three);
        assert_eq!(counts[3], 1);
        let boards: Vec<String> = boards.into_iter().map(Result::unwrap).collect();
        assert_eq!(
            boards,
            ["1 2 3/4 5 6/7 8 0", "1 2 3/4 5 6/7 0 8", "1 2/0 3"]
        );
        // An empty line between rows ends nothing.
        assert_eq!(read("1 2 3\n\n4 5 6\n\n7 8 0").1, one("1 2 3/4 5 6/7 8 0"));
    }

    #[test]
    fn boards_on_lines_come_one_by_one() {
        let (counts, boards) = read("1 2 3/4 5 6/7 8 0\n1 2 3 4 5 6 7 0 8\nx\n123456780");
        assert_eq!(counts, [1, 1, 1, 1]);
        assert_eq!(boards[2], Err(3));
        assert_eq!(boards.iter().filter(|b| b.is_ok()).count(), 3);
        // Two small ones are two, whatever is between them.
        let (counts, boards) = read("1 2 3 0\n1 2 3\n1 0 3 2\n0");
        assert_eq!(counts, [0, 0, 3, 1]);
        assert_eq!(boards[1], Err(2));
        assert_eq!(read("1 2/3 0").1, one("1 2/3 0"));
    }

    #[test]
    fn a_bad_board_in_rows_has_one_message() {
        assert_eq!(read("1 2 3\n4 5 6\n7 8 8").1, [Err(1)]);
        assert_eq!(
            read("1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 15").1,
            [Err(1)]
        );
        // Rows of different lengths are no board, nor is a board with something else.
        assert_eq!(read("1 2 3\n4 5").1, [Err(1), Err(2)]);
        assert_eq!(read("1 2/3 0\n4 5").1, [Ok("1 2/3 0".into()), Err(2)]);
        // Bad boards, each on a line, have a message each.
        assert_eq!(read("1 2/3 3\n1 2/3 3").1, [Err(1), Err(2)]);
        let line = "1 2 3 4 5 6 7 8 8";
        assert_eq!(read(&format!("{line}\n{line}")).1, [Err(1), Err(2)]);
    }
}
