//! Puzzles from the command line, from files and from standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use anyhow::Result;
use noyes_answer::shorten;
use noyes_puzzle::sokoban::{is_level_line, may_be_level_line, read_levels};
use noyes_puzzle::tiles::{Board, is_board_text};

use crate::args::Reading;
use crate::puzzle::Given;
use crate::terminal::fault::BadInput;
use crate::terminal::lines::{LineError, Lines, not_text};
use crate::terminal::rows::{Line, Rows};

/// How many bytes of a source are read to find out what it holds.
const LONGEST_LOOK: usize = 1 << 20;
/// The longest source that is read as a whole.
const MOST_BYTES: usize = 64 << 20;
/// Why a level takes no goal, size or notation.
const NOT_FOR_LEVELS: &str = "only for boards, and this is a level of Sokoban";

/// A puzzle, or what is wrong with it, and where it comes from.
pub struct Item {
    /// `file:line` of a board, or the file of a level, whose errors name the line themselves. Empty for an argument.
    pub place: String,
    /// The beginning of a board, or the number and title of a level, fit for a message.
    pub text: String,
    /// The 1-based index of a level in its source, or the line of a board.
    pub number: usize,
    pub puzzle: Result<Given, String>,
}

impl Item {
    /// The puzzle; the error names the place.
    pub fn puzzle(self) -> Result<Given> {
        let place = if self.place.is_empty() {
            String::new()
        } else {
            format!("{}: ", self.place)
        };
        self.puzzle
            .map_err(|what| BadInput::new(format!("{place}{what}")).into())
    }
}

/// Whether an argument that is neither a board nor a file was meant as a board.
fn looks_like_a_board(argument: &str) -> bool {
    argument.starts_with(|c: char| c.is_numeric() || "_[({".contains(c))
        && argument.contains(char::is_numeric)
        && argument.contains(|c: char| c.is_whitespace() || "/,;|".contains(c))
        && !is_level(argument)
}

fn parse(text: &str, size: Option<(usize, usize)>) -> Result<Given, String> {
    let board = Board::parse(text, size).map_err(|e| e.to_string())?;
    Ok(Given::Board(board))
}

/// Whether an argument is a level and not the name of a file.
pub fn is_level(argument: &str) -> bool {
    argument.contains(['\n', '\r', '|'])
        && argument.split(['\n', '\r']).any(may_be_level_line)
        && !Path::new(argument).exists()
}

/// Hands over the puzzles of an argument one by one, as they are read, until `see` returns false.
pub fn puzzles(argument: &str, reading: &Reading, see: &mut dyn FnMut(Item) -> bool) -> Result<()> {
    if is_board_text(argument) || (looks_like_a_board(argument) && !Path::new(argument).exists()) {
        no_levels_asked_for(reading, argument)?;
        see(Item {
            place: String::new(),
            text: shorten(argument),
            number: 1,
            puzzle: parse(argument, reading.size),
        });
        return Ok(());
    }
    if is_level(argument) {
        return levels_of("", argument, reading, see);
    }
    let (name, source) = open(argument, reading.only_levels)?;
    puzzles_of(&name, source, reading, see)
}

/// Hands over the puzzles of a source: boards, one per line, or levels. The first unambiguous line decides.
pub fn puzzles_of(
    name: &str,
    source: impl Read,
    reading: &Reading,
    see: &mut dyn FnMut(Item) -> bool,
) -> Result<()> {
    let mut lines = Lines::new(source);
    let (mut held, mut bytes) = (vec![], 0);
    let mut has_levels = has_level_name(name).then_some(true);
    while has_levels.is_none() && bytes < LONGEST_LOOK {
        let Some(line) = lines.next() else {
            let maybe = |line: &Result<String, LineError>| {
                line.as_ref()
                    .is_ok_and(|l| l.trim().len() > 2 && may_be_level_line(l.trim_end()))
            };
            has_levels = Some(held.iter().any(maybe));
            break;
        };
        match &line {
            Ok(line) if is_level_line(line) => has_levels = Some(true),
            Ok(line) if is_board_line(line) => has_levels = Some(false),
            Ok(line) => bytes += line.len() + 1,
            Err(error @ LineError::Binary(..)) => {
                let number = held.len() + 1;
                return Err(BadInput::new(format!("{name}:{number}: {error}")).into());
            }
            Err(LineError::NotText(_)) => bytes += 1,
            Err(LineError::Io(_) | LineError::Long) => has_levels = Some(false),
        }
        held.push(line);
    }
    if reading.only_levels && has_levels == Some(false) {
        let is_board =
            |line: &Result<String, LineError>| line.as_ref().is_ok_and(|l| is_board_line(l));
        let what = if held.iter().any(is_board) {
            "boards, expected levels of Sokoban"
        } else {
            "no level of Sokoban found (expected XSB, run lengths, or a map of W B P T X)"
        };
        return Err(BadInput::new(format!("{name}: {what}")).into());
    }
    let lines = held.into_iter().chain(lines);
    if has_levels == Some(true) {
        levels_of(name, &whole(name, lines)?, reading, see)
    } else {
        no_levels_asked_for(reading, name)?;
        boards_of(name, lines, reading, see)
    }
}

/// Refuses `--level` for a source without levels.
fn no_levels_asked_for(reading: &Reading, name: &str) -> Result<()> {
    match reading.level {
        None => Ok(()),
        Some(_) => Err(BadInput::new(format!(
            "--level: {} holds no level of Sokoban",
            shorten(name)
        ))
        .into()),
    }
}

/// Whether the name of a file says that it holds levels.
fn has_level_name(name: &str) -> bool {
    let extension = Path::new(name).extension().and_then(|e| e.to_str());
    extension.is_some_and(|e| {
        ["xsb", "sok", "rle"]
            .iter()
            .any(|known| e.eq_ignore_ascii_case(known))
    })
}

/// Whether a line can only be a board. A lone number may be a title, and so may something like `(1)`.
fn is_board_line(line: &str) -> bool {
    let text = line.trim_start_matches('\u{feff}');
    let text = text.split('#').next().unwrap_or_default().trim();
    let is_plain = |c: char| c.is_ascii_digit() || c.is_whitespace() || "_,/".contains(c);
    is_board_text(text)
        && text.contains(|c: char| !c.is_ascii_digit())
        && text.contains(char::is_numeric)
        && (text.chars().all(is_plain)
            || Board::parse(text, None).is_ok_and(|board| board.tiles().len() > 1))
}

/// Whether a line among levels is a board: other numbers may be a title or a comment.
fn is_surely_board(line: &str) -> bool {
    let text = line.split('#').next().unwrap_or_default();
    is_board_line(line) && Board::parse(text.trim(), None).is_ok_and(|b| b.tiles().len() > 3)
}

/// Whether a line among boards is a row of a level and not a comment: it has a wall and a box or a player.
fn is_surely_level(line: &str) -> bool {
    is_level_line(line) && line.contains(['$', '@', '*', '+'])
}

/// All lines as one text. Bytes that are not UTF-8, such as those of old titles, are replaced.
fn whole(name: &str, lines: impl Iterator<Item = Result<String, LineError>>) -> Result<String> {
    let mut text = String::new();
    for (number, line) in lines.enumerate() {
        match line {
            Ok(line) => text.push_str(&line),
            Err(LineError::NotText(bytes)) => {
                text.push_str(&String::from_utf8_lossy(bytes.as_bytes()));
            }
            Err(error) => {
                return Err(BadInput::new(format!("{name}:{}: {error}", number + 1)).into());
            }
        }
        if text.len() > MOST_BYTES {
            return Err(
                BadInput::new(format!("{name}: more than {} MiB", MOST_BYTES >> 20)).into(),
            );
        }
    }
    Ok(text)
}

/// Hands over the chosen levels of a text.
fn levels_of(
    name: &str,
    text: &str,
    reading: &Reading,
    see: &mut dyn FnMut(Item) -> bool,
) -> Result<()> {
    let place = if name.is_empty() {
        String::new()
    } else {
        format!("{name}: ")
    };
    if let Some(flag) = reading.given_for_boards() {
        return Err(BadInput::new(format!("{place}{flag}: {NOT_FOR_LEVELS}")).into());
    }
    if let Some(line) = text.lines().position(is_surely_board) {
        let line = line + 1;
        let place = if name.is_empty() { "the level" } else { name };
        return Err(BadInput::new(format!(
            "{place}:{line}: a board among levels of Sokoban (expected one or the other)"
        ))
        .into());
    }
    let entries = read_levels(text).map_err(|e| BadInput::new(format!("{place}{e}")))?;
    let count = entries.len();
    let (first, last) = reading.level.unwrap_or((1, count));
    if last > count {
        return Err(BadInput::new(format!(
            "{place}--level: there is no level {last} (expected 1 to {count})"
        ))
        .into());
    }
    for (i, entry) in entries.into_iter().enumerate() {
        let number = i + 1;
        if !(first..=last).contains(&number) {
            continue;
        }
        let title = entry
            .title
            .map_or(String::new(), |t| format!(": {}", shorten(&t)));
        let item = Item {
            place: name.into(),
            text: format!("level {number}{title}"),
            number,
            puzzle: (entry.level)
                .map(|level| Given::Level(Box::new(level)))
                .map_err(|error| error.to_string()),
        };
        if !see(item) {
            break;
        }
    }
    Ok(())
}

/// Hands over the boards of a source: one per line, or with a row on each line (see `rows`).
fn boards_of(
    name: &str,
    lines: impl Iterator<Item = Result<String, LineError>>,
    reading: &Reading,
    see: &mut dyn FnMut(Item) -> bool,
) -> Result<()> {
    let mut found = false;
    let mut fault = None;
    let mut rows = Rows::new(reading.size);
    for (number, line) in lines.enumerate() {
        let text = match line {
            Ok(line) if is_surely_level(&line) => {
                fault = Some(format!(
                    "{name}:{}: a level of Sokoban among boards (expected one or the other)",
                    number + 1
                ));
                break;
            }
            Ok(line) => {
                let line = match number {
                    0 => line.strip_prefix('\u{feff}').unwrap_or(&line),
                    _ => &line,
                };
                let text = line.split('#').next().unwrap_or_default();
                // A tab at the end may be next to an empty cell.
                let text = text.trim_matches(|c: char| c.is_whitespace() && c != '\t');
                if text.trim().is_empty() {
                    if line.trim().is_empty()
                        && let Some(board) = rows.gap()
                        && !see(item(name, board))
                    {
                        return Ok(());
                    }
                    continue;
                }
                Ok(text.to_string())
            }
            Err(LineError::Io(error)) => {
                fault = Some(format!("{name}: {error}"));
                break;
            }
            Err(error @ LineError::Binary(..)) => {
                return Err(BadInput::new(format!("{name}:{}: {error}", number + 1)).into());
            }
            Err(error) => Err(error.to_string()),
        };
        found = true;
        for line in rows.push(number + 1, text) {
            if !see(item(name, line)) {
                return Ok(());
            }
        }
    }
    for line in rows.finish() {
        if !see(item(name, line)) {
            return Ok(());
        }
    }
    if !found && fault.is_none() {
        fault = Some(format!(
            "{name}: no puzzle found (expected boards, one per line, such as 1 2 3/4 5 6/7 8 0, or levels of Sokoban)"
        ));
    }
    fault.map_or(Ok(()), |what| Err(BadInput::new(what).into()))
}

fn item(name: &str, line: Line) -> Item {
    Item {
        place: format!("{name}:{}", line.number),
        text: shorten(line.text.trim()),
        number: line.number,
        puzzle: line.board.map(Given::Board),
    }
}

/// The one puzzle of an argument.
pub fn one_puzzle(argument: &str, reading: &Reading) -> Result<Given> {
    let mut items = vec![];
    puzzles(argument, reading, &mut |item| {
        items.push(item);
        items.len() < 2
    })?;
    if items.len() > 1 {
        let (what, hint) = match items[1].puzzle {
            Ok(Given::Board(_)) => ("boards", ""),
            _ if items[1].text.starts_with("level ") => ("levels", ": choose one with --level N"),
            _ => ("boards", ""),
        };
        let name = shorten(argument);
        return Err(BadInput::new(format!("{name}: several {what}, expected one{hint}")).into());
    }
    items
        .pop()
        .expect("an argument without a puzzle is an error")
        .puzzle()
}

/// An argument that is the text itself, or - for standard input.
pub fn text(argument: &str) -> Result<String> {
    if argument == "-" {
        read_all("-")
    } else {
        Ok(argument.into())
    }
}

/// A plan: the argument itself, a file, or - for standard input. The letters of a plan are never a file name.
pub fn plan(argument: &str) -> Result<String> {
    let is_letter = |c: char| c.is_ascii_digit() || c.is_whitespace() || "lurdLURD.,/".contains(c);
    let is_file = !argument.chars().all(is_letter) && Path::new(argument).exists();
    if argument == "-" || is_file {
        read_all(argument)
    } else {
        Ok(argument.into())
    }
}

/// The whole text of a file or of standard input.
pub fn read_all(argument: &str) -> Result<String> {
    let (name, source) = open(argument, false)?;
    let mut bytes = vec![];
    source
        .take(MOST_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| BadInput::new(format!("{name}: {e}")))?;
    if bytes.len() > MOST_BYTES {
        return Err(BadInput::new(format!("{name}: more than {} MiB", MOST_BYTES >> 20)).into());
    }
    String::from_utf8(bytes)
        .map_err(|e| BadInput::new(format!("{name}: {}", not_text(&e, ""))).into())
}

/// Refuses arguments that read standard input twice.
pub fn only_one_dash<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Result<()> {
    if arguments.into_iter().filter(|&a| a == "-").count() > 1 {
        return Err(
            BadInput::new("standard input can be read only once, but - is given twice").into(),
        );
    }
    Ok(())
}

fn open(argument: &str, only_levels: bool) -> Result<(String, Box<dyn Read + Send>)> {
    if argument == "-" {
        return Ok(("standard input".into(), Box::new(io::stdin())));
    }
    match File::open(argument) {
        Ok(file) => Ok((argument.into(), Box::new(file))),
        Err(error) => {
            let hint = match (error.kind(), only_levels) {
                (io::ErrorKind::NotFound, true) => {
                    " (expected a level such as '5#|#@$.#|5#', a file, or -)"
                }
                (io::ErrorKind::NotFound, false) => {
                    " (expected a board such as \"1 2 3/4 5 6/7 8 0\", a level such as '5#|#@$.#|5#', a file, or -)"
                }
                _ => "",
            };
            Err(BadInput::new(format!("{}: {error}{hint}", shorten(argument))).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::sokoban::write_xsb;
    use proptest::prelude::*;

    /// The puzzles of these bytes as they print, or what is wrong with them.
    fn read(bytes: &[u8]) -> Vec<Result<String, String>> {
        let mut seen = vec![];
        let reading = Reading::default();
        let _ = puzzles_of("it", bytes, &reading, &mut |item| {
            let read = item.puzzle().map(|puzzle| match puzzle {
                Given::Board(board) => board.to_string(),
                Given::Level(level) => write_xsb(&level),
            });
            seen.push(read.map_err(|error| error.to_string()));
            true
        });
        seen
    }

    #[test]
    fn lines_may_end_with_a_carriage_return_alone() {
        let boards = read(b"1 2/3 0\r# comment\r1 0/2 3\r");
        assert_eq!(boards, [Ok("1 2/3 0".into()), Ok("1 0/2 3".into())]);
        let level = read(b"#####\r#@$.#\r#####\r");
        assert_eq!(level, [Ok("#####\n#@$.#\n#####\n".into())]);
        assert_eq!(read(b"1 2/3 0\r\n1 0/2 3\r\n").len(), 2);
    }

    #[test]
    fn a_byte_order_mark_before_the_first_board_does_no_harm() {
        let board = Ok("1 2/3 0".to_string());
        let bom = "\u{feff}1 2/3 0\n1 2/3 0\n";
        assert_eq!(read(bom.as_bytes()), [board.clone(), board]);
        assert!(read("1 2/3 0\n\u{feff}1 2/3 0\n".as_bytes())[1].is_err());
    }

    #[test]
    fn a_binary_file_is_one_error() {
        let mut seen = 0;
        let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\n1 2\n3\0\n\0\n";
        let done = puzzles_of("it", &picture[..], &Reading::default(), &mut |_| {
            seen += 1;
            true
        });
        let error = done.unwrap_err().to_string();
        assert_eq!(
            (seen, error.starts_with("it:3: not a text file")),
            (0, true),
            "{error}"
        );
    }

    proptest! {
        #[test]
        fn no_bytes_make_the_reader_panic(
            bytes in proptest::collection::vec(any::<u8>(), 0..200),
            near in proptest::collection::vec(proptest::sample::select(&b"0123 /,_#\r\n\xff\xef\xbb\xbf@$.W|"[..]), 0..80),
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
    fn the_first_line_that_can_only_be_one_of_them_decides() {
        let level = "#####\n#@$.#\n#####\n";
        let rows = |text: &str| read(text.as_bytes());
        assert_eq!(rows(level), [Ok(level.to_string())]);
        assert_eq!(rows(&format!("1\n\n{level}\n2\n{level}")).len(), 2);
        assert_eq!(
            rows(&format!("##########\n# my own #\n1 2/3 0\n{level}")),
            [Ok("1 2/3 0".into())]
        );
        assert_eq!(
            read(&[b"; caf\xe9\n", level.as_bytes()].concat()),
            [Ok(level.to_string())]
        );
        assert!(
            rows("####\n#  #\n####\n")[0]
                .as_ref()
                .unwrap_err()
                .contains("line 1, column 1: no player")
        );
    }
}
