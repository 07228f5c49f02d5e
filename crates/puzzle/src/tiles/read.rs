//! Boards as people write them: the text between a clipboard and a [`Board`].
//!
//! | form | example |
//! |---|---|
//! | slashes, semicolons, bars or line ends between rows | `1 2 3/4 5 6/7 8 0` |
//! | one list of tiles, for a square board | `1,2,3,4,5,6,7,8,0` |
//! | digits without separators, up to ten cells | `123456780`, `123/456/780` |
//! | lists of JSON, Python, numpy, MATLAB, C | `[[1,2],[3,0]]`, `[1 2; 3 0]`, `{1,2},{3,0}` |
//!
//! Spaces, tabs and commas separate tiles. The blank is `0` or `_`, or a `.` or `x`
//! that stands alone, or the one empty place between commas or tabs if the text has
//! no other blank. No text has two readings: digits are split only up to ten cells,
//! and a larger board would need more digits than that. Bars must not
//! separate single tiles, because then they may mean columns as well as rows.

use super::Board;
use super::board::{BoardError, MAX_CELLS};

/// The most cells whose tiles all have one digit.
const MOST_DIGITS: usize = 10;

/// Whether a text can only be meant as a board: it holds nothing but tiles and what separates them.
///
/// ```
/// use noyes_puzzle::tiles::is_board_text;
/// assert!(is_board_text("[[1, 2], [3, 0]]") && is_board_text("1 2 3/4 . 6/7 5 8"));
/// assert!(!is_board_text("boards.txt") && !is_board_text("-") && !is_board_text("3x3"));
/// ```
pub fn is_board_text(text: &str) -> bool {
    !matches!(
        scan(text),
        Err(BoardError::Symbol { .. } | BoardError::Unclosed { .. })
    )
}

/// Whether a text says where its rows end.
pub(super) fn has_rows(text: &str) -> bool {
    scan(text).is_ok_and(|scanned| scanned.has_rows)
}

impl Board {
    /// Reads a board. With a size, rows need no separators.
    ///
    /// # Errors
    /// Names the first thing that is wrong and where.
    pub fn parse(text: &str, size: Option<(usize, usize)>) -> Result<Board, BoardError> {
        let Scanned { rows, has_rows, .. } = scan(text)?;
        let words = || rows.iter().flatten();
        let count = words().count();
        let written = has_rows.then(|| width_of(&rows)).transpose()?;
        if !words().any(|&word| is_blank(word)) && !has_duplicate(words()) {
            return Err(BoardError::NoBlank);
        }
        let width = match (written, size) {
            (Some(width), _) | (None, Some((width, _))) => width,
            _ if count.isqrt().pow(2) == count => count.isqrt(),
            _ => return Err(BoardError::NotSquare { count }),
        };
        if let Some((columns, height)) = size
            && (count != columns.saturating_mul(height) || width != columns)
        {
            return Err(BoardError::Count {
                found: count,
                width: columns,
                height,
                expected: columns.saturating_mul(height),
            });
        }
        let tile = |(cell, &word): (usize, &&str)| {
            let tile = if is_blank(word) { Ok(0) } else { word.parse() };
            tile.ok()
                .filter(|&tile: &u16| usize::from(tile) < count)
                .ok_or_else(|| BoardError::OutOfRange {
                    tile: shorten(word),
                    row: cell / width + 1,
                    column: cell % width + 1,
                    width,
                    height: count / width,
                    last: count - 1,
                })
        };
        let tiles = words().enumerate().map(tile).collect::<Result<_, _>>()?;
        Board::new(width, tiles)
    }
}

/// The words of a text, row by row.
struct Scanned<'a> {
    rows: Vec<Vec<&'a str>>,
    has_rows: bool,
}

fn is_blank(word: &str) -> bool {
    matches!(word, "_" | "." | "x" | "X") || word.bytes().all(|b| b == b'0')
}

fn has_duplicate<'a>(words: impl Iterator<Item = &'a &'a str>) -> bool {
    let mut words: Vec<&str> = words.map(|word| word.trim_start_matches('0')).collect();
    words.sort_unstable();
    words.windows(2).any(|pair| pair[0] == pair[1])
}

/// The length of all rows.
fn width_of(rows: &[Vec<&str>]) -> Result<usize, BoardError> {
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
    Ok(expected)
}

/// Cuts a text into rows of words.
fn scan(text: &str) -> Result<Scanned<'_>, BoardError> {
    // A tab at either end may be next to an empty cell.
    let text = text.trim_matches(|c: char| c.is_whitespace() && c != '\t');
    let mut scanner = Scanner {
        text,
        ..Scanner::default()
    };
    for (at, c) in text.char_indices() {
        scanner.see(at, c)?;
    }
    scanner.finish()
}

/// What has been read so far.
#[derive(Default)]
struct Scanner<'a> {
    text: &'a str,
    rows: Vec<Vec<&'a str>>,
    row: Vec<&'a str>,
    count: usize,
    /// Where the number being read starts.
    number: Option<usize>,
    /// The brackets that are open: where each is, and what closes it.
    open: Vec<(usize, char)>,
    before: Before,
    /// Rows and columns of cells with nothing in them.
    empty: Vec<(usize, usize)>,
    has_rows: bool,
    /// Whether anything separates two tiles of a row.
    has_gaps: bool,
    /// Where the first dot or letter for the blank is.
    first_letter: Option<usize>,
    first_bar: Option<usize>,
    /// Whether slashes, semicolons or line ends separate rows.
    has_other_ends: bool,
}

/// The last thing that was read, spaces aside.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Before {
    #[default]
    Start,
    Tile,
    Comma,
    RowEnd,
    Bracket,
}

impl<'a> Scanner<'a> {
    fn see(&mut self, at: usize, c: char) -> Result<(), BoardError> {
        if c.is_ascii_digit() {
            self.number.get_or_insert(at);
            return Ok(());
        }
        self.end_number(at);
        match c {
            '_' => self.word(&self.text[at..=at]),
            '.' | 'x' | 'X' if self.stands_alone(at) => {
                self.first_letter.get_or_insert(at);
                self.word(&self.text[at..=at]);
            }
            ',' | '\t' => self.comma(),
            '\n' if self.open.is_empty() => {
                if self.before == Before::Tile || self.before == Before::Comma {
                    self.has_other_ends = true;
                    self.end_row();
                }
            }
            '/' | ';' | '|' => {
                // After a bracket the row has ended already.
                if self.before != Before::Bracket {
                    self.has_rows = true;
                    self.end_row();
                }
                if c == '|' {
                    self.first_bar.get_or_insert(at);
                } else {
                    self.has_other_ends = true;
                }
            }
            '[' | '(' | '{' if self.row.is_empty() && self.open.len() < 2 => {
                self.empty.retain(|&(row, _)| row < self.rows.len());
                let close = match c {
                    '[' => ']',
                    '(' => ')',
                    _ => '}',
                };
                self.open.push((at, close));
                self.before = Before::Start;
            }
            ']' | ')' | '}' if self.open.last().is_some_and(|open| open.1 == c) => {
                self.open.pop();
                if self.before == Before::Tile || self.before == Before::Comma {
                    // The comma after the last of several rows stands before nothing.
                    if !self.row.is_empty() {
                        self.end_row();
                    }
                    self.has_rows |= !self.open.is_empty();
                }
                self.before = Before::Bracket;
            }
            c if c.is_whitespace() => {}
            _ => return Err(self.symbol(at)),
        }
        if self.count > MAX_CELLS || self.rows.len() > MAX_CELLS {
            return Err(BoardError::TooLarge);
        }
        Ok(())
    }

    fn end_number(&mut self, at: usize) {
        if let Some(from) = self.number.take() {
            self.word(&self.text[from..at]);
        }
    }

    fn word(&mut self, word: &'a str) {
        let start = word.as_ptr() as usize - self.text.as_ptr() as usize;
        let touches = self.text[..start].ends_with(|c: char| c.is_ascii_digit() || c == '_');
        self.has_gaps |= self.before == Before::Comma || (!self.row.is_empty() && !touches);
        self.row.push(word);
        self.count += 1;
        self.before = Before::Tile;
    }

    /// A comma or tab: between two of them, or at the end of a row, there may be the blank.
    fn comma(&mut self) {
        if self.before != Before::Tile && self.before != Before::Bracket {
            self.empty.push((self.rows.len(), self.row.len()));
        }
        if self.before != Before::Bracket {
            self.before = Before::Comma;
        }
    }

    fn end_row(&mut self) {
        if self.before == Before::Comma {
            self.empty.push((self.rows.len(), self.row.len()));
        }
        self.rows.push(std::mem::take(&mut self.row));
        self.before = Before::RowEnd;
    }

    /// Whether the character is a word by itself, and not the beginning of a path.
    fn stands_alone(&self, at: usize) -> bool {
        let belongs = |c: char| c.is_alphanumeric() || "._-".contains(c);
        let (before, after) = (&self.text[..at], &self.text[at + 1..]);
        let is_path = before.is_empty() && after.starts_with('/');
        !before.ends_with(belongs) && !after.starts_with(belongs) && !is_path
    }

    /// Refuses the character at a byte of the text.
    fn symbol(&self, at: usize) -> BoardError {
        let (at, found) = self.place(at);
        BoardError::Symbol { at, found }
    }

    /// The number of a character, from 1, and the character.
    fn place(&self, at: usize) -> (usize, char) {
        let found = self.text[at..].chars().next().unwrap_or_default();
        (self.text[..at].chars().count() + 1, found)
    }

    fn finish(mut self) -> Result<Scanned<'a>, BoardError> {
        self.end_number(self.text.len());
        if let Some(&(at, _)) = self.open.first() {
            let (at, found) = self.place(at);
            return Err(BoardError::Unclosed { at, found });
        }
        // Without a number the text is no board but something else.
        if let Some(at) = self.first_letter
            && !self.text.contains(|c: char| c.is_ascii_digit())
        {
            return Err(self.symbol(at));
        }
        // A single row is closed by a slash, and others may be.
        if self.before == Before::Tile || self.before == Before::Comma {
            self.end_row();
        }
        if self.count == 0 {
            return Err(BoardError::Empty);
        }
        if self.count > MAX_CELLS {
            return Err(BoardError::TooLarge);
        }
        self.has_rows |= self.rows.len() > 1;
        if self.has_gaps {
            self.put_blank();
        } else {
            self.split_digits()?;
        }
        if let Some(bar) = self.first_bar
            && (self.has_other_ends || self.rows.iter().all(|row| row.len() == 1))
        {
            return Err(self.symbol(bar));
        }
        Ok(Scanned {
            rows: self.rows,
            has_rows: self.has_rows,
        })
    }

    /// Puts the blank where nothing is, if that is one place and the blank is nowhere else.
    fn put_blank(&mut self) {
        let has_blank = self.rows.iter().flatten().any(|&word| is_blank(word));
        if let (false, &[(row, column)]) = (has_blank, &self.empty[..])
            && let Some(row) = self.rows.get_mut(row)
        {
            row.insert(column, "_");
        }
    }

    /// Takes every digit as a tile where nothing separates them and there are few enough.
    fn split_digits(&mut self) -> Result<(), BoardError> {
        let longest = self.rows.iter().flatten().max_by_key(|word| word.len());
        let Some(&longest) = longest.filter(|word| word.len() > 1) else {
            return Ok(());
        };
        let letters: usize = self.rows.iter().flatten().map(|word| word.len()).sum();
        if letters <= MOST_DIGITS {
            for row in &mut self.rows {
                let words = std::mem::take(row);
                row.extend(words.into_iter().flat_map(digits));
            }
        } else if longest.len() > MAX_CELLS.to_string().len() {
            let digits = shorten(longest);
            return Err(BoardError::Unseparated { digits });
        }
        Ok(())
    }
}

/// Every digit as a word.
fn digits(word: &str) -> impl Iterator<Item = &str> {
    (0..word.len()).map(|i| &word[i..=i])
}

/// A number of any length as it can be shown.
fn shorten(digits: &str) -> String {
    if digits.len() <= 12 {
        digits.into()
    } else {
        format!("{}…", &digits[..12])
    }
}
