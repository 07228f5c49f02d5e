//! Puzzles from the command line, from files and from standard input.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::string::FromUtf8Error;

use anyhow::Result;
use noyes_puzzle::tiles::Board;

use crate::args::Reading;
use crate::exit::BadInput;

/// No line that means anything is longer: 65,536 tiles of five digits.
const LONGEST_LINE: usize = 1 << 20;

/// A board, or what is wrong with it, and where it comes from.
pub struct Item {
    /// Empty for an argument, else `file:line`.
    pub place: String,
    /// The beginning of what was read, fit for a message.
    pub text: String,
    pub board: Result<Board, String>,
}

impl Item {
    /// The board; the error names the place.
    pub fn board(self) -> Result<Board> {
        let place = if self.place.is_empty() {
            String::new()
        } else {
            format!("{}: ", self.place)
        };
        self.board
            .map_err(|what| BadInput::new(format!("{place}{what}")).into())
    }
}

/// Whether an argument is a board written out, not the name of a file.
pub fn is_board(argument: &str) -> bool {
    argument != "-"
        && argument
            .chars()
            .all(|c| c.is_ascii_digit() || c.is_whitespace() || "_,/".contains(c))
}

/// Whether something that is no board, and no file either, was meant as a board.
fn looks_like_a_board(argument: &str) -> bool {
    argument.starts_with(|c: char| c.is_numeric() || c == '_')
        && argument.contains(|c: char| c.is_whitespace() || "/,".contains(c))
}

fn parse(text: &str, size: Option<(usize, usize)>) -> Result<Board, String> {
    Board::parse(text, size).map_err(|e| e.to_string())
}

/// Hands over the boards of an argument one by one, as they are read, until `see` says no.
pub fn boards(argument: &str, reading: &Reading, see: &mut dyn FnMut(Item) -> bool) -> Result<()> {
    if is_board(argument) || (looks_like_a_board(argument) && !Path::new(argument).exists()) {
        see(Item {
            place: String::new(),
            text: shorten(argument),
            board: parse(argument, reading.size),
        });
        return Ok(());
    }
    let (name, source) = open(argument)?;
    boards_of(&name, source, reading.size, see)
}

/// Hands over the boards of a source, one a line.
fn boards_of(
    name: &str,
    source: impl Read,
    size: Option<(usize, usize)>,
    see: &mut dyn FnMut(Item) -> bool,
) -> Result<()> {
    let mut found = false;
    for (number, line) in Lines::new(source).enumerate() {
        let place = format!("{name}:{}", number + 1);
        let mut shown = String::new();
        let board = match line {
            Ok(line) => {
                let line = match number {
                    0 => line.strip_prefix('\u{feff}').unwrap_or(&line),
                    _ => &line,
                };
                let text = line.split('#').next().unwrap_or_default().trim();
                if text.is_empty() {
                    continue;
                }
                shown = shorten(text);
                parse(text, size)
            }
            Err(LineError::Io(error)) => {
                return Err(BadInput::new(format!("{name}: {error}")).into());
            }
            Err(error) => Err(error.to_string()),
        };
        found = true;
        let item = Item {
            place,
            text: shown,
            board,
        };
        if !see(item) {
            return Ok(());
        }
    }
    if found {
        Ok(())
    } else {
        Err(BadInput::new(format!(
            "{name}: no board in it (expected one a line, such as 1 2 3/4 5 6/7 8 0)"
        ))
        .into())
    }
}

/// The one board of an argument.
pub fn one_board(argument: &str, reading: &Reading) -> Result<Board> {
    let mut items = vec![];
    boards(argument, reading, &mut |item| {
        items.push(item);
        items.len() < 2
    })?;
    if items.len() > 1 {
        return Err(BadInput::new(format!("{argument}: several boards, expected one")).into());
    }
    items
        .pop()
        .expect("an argument without a board is an error")
        .board()
}

/// A text given as it is, or - for standard input.
pub fn text(argument: &str) -> Result<String> {
    if argument == "-" {
        read_all("-")
    } else {
        Ok(argument.into())
    }
}

/// The whole text of a file or of standard input.
pub fn read_all(argument: &str) -> Result<String> {
    const MOST: u64 = 64 << 20;
    let (name, source) = open(argument)?;
    let mut bytes = vec![];
    source
        .take(MOST + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| BadInput::new(format!("{name}: {e}")))?;
    if bytes.len() as u64 > MOST {
        return Err(BadInput::new(format!("{name}: more than {} MiB", MOST >> 20)).into());
    }
    String::from_utf8(bytes)
        .map_err(|e| BadInput::new(format!("{name}: {}", not_a_text(&e, ""))).into())
}

/// Where bytes stop being a text; `of_what` they are bytes, in words.
fn not_a_text(error: &FromUtf8Error, of_what: &str) -> String {
    let at = error.utf8_error().valid_up_to();
    let byte = error.as_bytes()[at];
    format!("not a text: byte {}{of_what} is {byte:#04x}", at + 1)
}

/// Refuses to read standard input twice.
pub fn only_one_dash<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Result<()> {
    if arguments.into_iter().filter(|&a| a == "-").count() > 1 {
        return Err(
            BadInput::new("standard input can be read only once, but - is given twice").into(),
        );
    }
    Ok(())
}

fn open(argument: &str) -> Result<(String, Box<dyn Read + Send>)> {
    if argument == "-" {
        return Ok(("standard input".into(), Box::new(io::stdin())));
    }
    match File::open(argument) {
        Ok(file) => Ok((argument.into(), Box::new(file))),
        Err(error) => {
            let hint = if error.kind() == io::ErrorKind::NotFound {
                " (expected a board such as \"1 2 3/4 5 6/7 8 0\", a file, or -)"
            } else {
                ""
            };
            Err(BadInput::new(format!("{}: {error}{hint}", shorten(argument))).into())
        }
    }
}

/// The beginning of a text that may be long or odd, fit for a message.
pub fn shorten(text: &str) -> String {
    let short: String = text
        .chars()
        .take(60)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    if short.chars().count() < text.chars().count() {
        format!("{short}…")
    } else {
        short
    }
}

/// Lines of a source that may be anything.
struct Lines<R>(BufReader<R>);

enum LineError {
    Io(io::Error),
    Long,
    NotText(FromUtf8Error),
}

impl std::fmt::Display for LineError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            LineError::Io(error) => error.fmt(f),
            LineError::Long => write!(
                f,
                "a line of more than {LONGEST_LINE} bytes, which no board needs"
            ),
            LineError::NotText(error) => f.write_str(&not_a_text(error, " of the line")),
        }
    }
}

impl<R: Read> Lines<R> {
    fn new(source: R) -> Self {
        Lines(BufReader::new(source))
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = Result<String, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = vec![];
        match self
            .0
            .by_ref()
            .take(LONGEST_LINE as u64 + 1)
            .read_until(b'\n', &mut line)
        {
            Ok(0) => None,
            Err(error) => Some(Err(LineError::Io(error))),
            Ok(length) if length > LONGEST_LINE && line.last() != Some(&b'\n') => {
                // Pass over the rest of it without keeping it.
                match self.0.skip_until(b'\n') {
                    Ok(_) => Some(Err(LineError::Long)),
                    Err(error) => Some(Err(LineError::Io(error))),
                }
            }
            Ok(_) => Some(String::from_utf8(line).map_err(LineError::NotText)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// What is read from these bytes: boards as they print, or what is wrong.
    fn read(bytes: &[u8]) -> Vec<Result<String, String>> {
        let mut seen = vec![];
        let _ = boards_of("it", bytes, None, &mut |item| {
            let read = item.board().map(|board| board.to_string());
            seen.push(read.map_err(|error| error.to_string()));
            true
        });
        seen
    }

    #[test]
    fn a_byte_order_mark_before_the_first_board_does_no_harm() {
        let board = Ok("1 2/3 0".to_string());
        let bom = "\u{feff}1 2/3 0\n1 2/3 0\n";
        assert_eq!(read(bom.as_bytes()), [board.clone(), board]);
        assert!(read("1 2/3 0\n\u{feff}1 2/3 0\n".as_bytes())[1].is_err());
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            near in proptest::collection::vec(proptest::sample::select(&b"0123 /,_#\r\n\xff\xef\xbb\xbf"[..]), 0..80),
        ) {
            for bytes in [bytes, near] {
                for found in read(&bytes) {
                    match found {
                        Ok(board) => prop_assert_eq!(read(board.as_bytes()), [Ok(board)]),
                        Err(error) => prop_assert!(
                            error.starts_with("it:") && !error.contains(char::is_control), "{:?}", error
                        ),
                    }
                }
            }
        }
    }

    #[test]
    fn boards_and_file_names_are_told_apart() {
        assert!(
            is_board("1 2 3/4 0 6/7 5 8") && is_board("1,2,3,_") && is_board("123") && is_board("")
        );
        assert!(!is_board("-") && !is_board("boards.txt") && !is_board("./123"));
    }

    #[test]
    fn odd_lines_do_not_end_the_reading() {
        let text = [
            b"1 2\n".as_slice(),
            &b"9".repeat(3 << 20),
            b"\n\xff\xfe\n3 4\r\n",
        ]
        .concat();
        let lines: Vec<_> = Lines::new(text.as_slice())
            .map(|l| l.map_err(|e| e.to_string()))
            .collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0], Ok("1 2\n".into()));
        assert!(
            lines[1]
                .as_ref()
                .unwrap_err()
                .contains("more than 1048576 bytes")
        );
        assert_eq!(
            lines[2],
            Err("not a text: byte 1 of the line is 0xff".into())
        );
        assert_eq!(lines[3], Ok("3 4\r\n".into()));
    }
}
