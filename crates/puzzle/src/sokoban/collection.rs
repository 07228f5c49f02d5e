//! Collections: several levels in one text, with titles and comments.
//!
//! A level is a sequence of lines that are rows, all XSB or all letter maps; any
//! other line ends it. A line with bars is a level by itself (see `rle`). Lines
//! that are not rows are text: titles, authors, comments, solutions. Programs
//! disagree on where a title goes, so the whole text decides:
//!
//! - `Title: …` belongs to the level above if such a line follows the last
//!   level, otherwise to the level below;
//! - any other text (`; 7`, `'Corner'`, `Level 3`) is the title of the level
//!   below if there is text before the first level, otherwise of the one above.
//!
//! Text between `Comment:` and `Comment-End:` is skipped. Two levels without an
//! empty line between them look like one level for a crew. They are refused if
//! each is complete by itself; rooms of a crew that share a wall are accepted.

use std::fmt;
use std::str::FromStr;

use super::grid::{self, Row, TextError, TextFault};
use super::{Level, letters, rle, xsb};

/// A way of writing levels down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Format {
    /// Rows of `# @ $ .`.
    #[default]
    Xsb,
    /// The same with counts, in one line.
    Rle,
    /// Rows of `W P B T X`.
    Letters,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 3] = [Format::Xsb, Format::Rle, Format::Letters];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Format::Xsb => "xsb",
            Format::Rle => "rle",
            Format::Letters => "letters",
        }
    }

    /// A level in this format, with a line end.
    pub fn write(self, level: &Level) -> String {
        match self {
            Format::Xsb => xsb::write_xsb(level),
            Format::Rle => rle::write_rle(level) + "\n",
            Format::Letters => letters::write_letters(level),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = FormatError;

    fn from_str(text: &str) -> Result<Format, FormatError> {
        let found = Format::ALL.into_iter().find(|f| f.name() == text);
        found.ok_or_else(|| FormatError {
            found: text.to_string(),
        })
    }
}

/// A word that is not a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is not a format (expected {})", Format::ALL.map(Format::name).join(", "))]
pub struct FormatError {
    /// The word.
    pub found: String,
}

/// A level of a collection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The line of its first row, from 1.
    pub line: usize,
    /// How it is written.
    pub format: Format,
    /// Its title, even if it is not a valid level.
    pub title: Option<String>,
    /// The level with its title, or what is wrong with it.
    pub level: Result<Level, TextError>,
}

/// Reads all levels of a text.
///
/// ```
/// use noyes_puzzle::sokoban::read_levels;
/// let levels = read_levels("; first\n#####\n#@$.#\n#####\n\n; second\n6#|#@-$.#|6#\n")?;
/// assert_eq!(levels[1].level.as_ref().unwrap().title(), Some("second"));
/// # Ok::<(), noyes_puzzle::sokoban::TextError>(())
/// ```
///
/// # Errors
/// If there is no level. An error in one level does not affect the others.
pub fn read_levels(text: &str) -> Result<Vec<Entry>, TextError> {
    let pieces = pieces(text);
    let titles = titles(&pieces);
    let blocks = pieces.into_iter().filter_map(|piece| match piece {
        Piece::Level(block) => Some(block),
        Piece::Text(_) => None,
    });
    let entries: Vec<Entry> = blocks
        .zip(titles)
        .map(|(block, title)| Entry {
            line: block.line,
            format: block.format(),
            level: block.level().map(|level| level.titled(title.clone())),
            title,
        })
        .collect();
    if entries.is_empty() {
        return Err(TextError {
            line: 1,
            column: 1,
            what: TextFault::Empty,
        });
    }
    Ok(entries)
}

/// Reads a text of one level.
///
/// # Errors
/// If there is no level, more than one, or one with an error.
pub fn parse_level(text: &str) -> Result<Level, TextError> {
    let mut entries = read_levels(text)?;
    if let Some(second) = entries.get(1) {
        return Err(TextError {
            line: second.line,
            column: 1,
            what: TextFault::Several,
        });
    }
    entries.pop().expect("one at least").level
}

/// Whether a line can only be part of a level, so that its text holds levels.
pub fn is_level_line(line: &str) -> bool {
    let line = line.strip_prefix('\u{feff}').unwrap_or(line);
    let line = line.trim_end_matches(['\r', '\n']);
    xsb::is_surely_row(line)
        || letters::is_surely_row(line)
        || (line.contains('|') && (xsb::is_row(line) || letters::is_row(line)))
}

/// Whether a line may be part of a level, or else a comment or title.
pub fn may_be_level_line(line: &str) -> bool {
    is_level_line(line) || xsb::is_row(line)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Letters {
    Xsb,
    Map,
}

/// What kind of row a line is, if it is one.
fn kind(line: &str) -> Option<Letters> {
    if xsb::is_row(line) {
        Some(Letters::Xsb)
    } else if letters::is_row(line) {
        Some(Letters::Map)
    } else {
        None
    }
}

/// Whether a line inside a level is a row with nothing in it.
fn is_empty_row(line: &str, kind: Letters) -> bool {
    let line = line.trim();
    !line.is_empty()
        && match kind {
            Letters::Xsb => line.chars().all(xsb::is_blank),
            Letters::Map => line.chars().all(|c| c == 'X'),
        }
}

/// The kind of the level that begins with empty rows here, if these lines are such rows and a level follows. They must
/// look as they are written: a line of many dashes is an ornament, and `XX` may be the title of level 20.
fn kind_below(lines: &[&str]) -> Option<Letters> {
    let (first, row) = (
        lines[0],
        lines.iter().find_map(|line| Some((line, kind(line)?))),
    );
    let (row, below) = row?;
    let is_written = match below {
        Letters::Xsb => first.trim_end() == "-",
        Letters::Map => is_empty_row(first, below) && first.trim().len() == row.trim().len(),
    };
    let rows = lines.iter().take_while(|line| kind(line).is_none());
    (is_written && !row.contains('|') && rows.into_iter().all(|line| *line == first))
        .then_some(below)
}

/// The lines of a level.
struct Block {
    line: usize,
    kind: Letters,
    rows: Result<Vec<Row>, TextError>,
    has_runs: bool,
    /// Whether the last line ended with a bar.
    last_bar: bool,
    /// Whether the next line may go on with it.
    is_open: bool,
}

enum Piece {
    Text(String),
    Level(Block),
}

/// Splits a text into levels and other lines.
fn pieces(text: &str) -> Vec<Piece> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.lines().collect();
    let mut pieces: Vec<Piece> = vec![];
    let mut at = 0;
    // Whether the line above belongs to the last piece.
    let mut adjacent = false;
    while at < lines.len() {
        let line = lines[at];
        let number = at + 1;
        at += 1;
        if has_key(line, "comment")
            && let Some(end) = comment_end(&lines[at..])
        {
            at += end;
            adjacent = false;
            continue;
        }
        let open = match pieces.last_mut() {
            Some(Piece::Level(block)) if adjacent && block.is_open => Some(block),
            _ => None,
        };
        let kind = match (kind(line), &open) {
            (None, Some(block)) if is_empty_row(line, block.kind) => Some(block.kind),
            (None, None) => kind_below(&lines[number - 1..]),
            (kind, _) => kind,
        };
        let Some(kind) = kind else {
            adjacent = false;
            if !line.trim().is_empty() {
                pieces.push(Piece::Text(line.into()));
            }
            continue;
        };
        let is_open = !line.contains('|') || line.trim_end().ends_with('|');
        let rows = rle::rows(line, number);
        let has_runs = rle::has_runs(line);
        // A level in bars is one by itself, even below rows without bars.
        let goes_on = |block: &Block| block.kind == kind && (block.last_bar || !line.contains('|'));
        match open.filter(|block| goes_on(block)) {
            Some(block) => {
                block.is_open = is_open;
                block.has_runs |= has_runs;
                match (&mut block.rows, rows) {
                    (Ok(all), Ok(rows)) => all.extend(rows),
                    (Ok(_), Err(error)) => block.rows = Err(error),
                    (Err(_), _) => {}
                }
                block.last_bar = line.trim_end().ends_with('|');
            }
            None => pieces.push(Piece::Level(Block {
                line: number,
                kind,
                rows,
                has_runs,
                is_open,
                last_bar: line.trim_end().ends_with('|'),
            })),
        }
        adjacent = true;
    }
    pieces
}

/// Whether a line begins with this key and a colon; case does not matter.
fn has_key(line: &str, key: &str) -> bool {
    line.split_once(':')
        .is_some_and(|(before, _)| before.trim().eq_ignore_ascii_case(key))
}

/// The number of lines of a comment up to its end mark, including it; `None` if there is no such mark.
fn comment_end(lines: &[&str]) -> Option<usize> {
    let ends = |line: &&str| has_key(line, "comment-end") || has_key(line, "comment_end");
    let end = lines.iter().position(ends)?;
    let again = lines[..end].iter().any(|line| has_key(line, "comment"));
    (!again).then_some(end + 1)
}

/// The titles of the levels, in order.
fn titles(pieces: &[Piece]) -> Vec<Option<String>> {
    // The lines of text before the first level, between levels, and after the last one.
    let mut gaps: Vec<Vec<&str>> = vec![vec![]];
    for piece in pieces {
        match piece {
            Piece::Text(line) => gaps.last_mut().expect("one at least").push(line),
            Piece::Level(_) => gaps.push(vec![]),
        }
    }
    let keyed = |gap: &[&str], last: bool| {
        let mut found = gap.iter().filter(|line| has_key(line, "title"));
        let line = if last {
            found.next_back()
        } else {
            found.next()
        };
        line.and_then(|line| tidy(line.split_once(':')?.1))
    };
    let plain = |gap: &[&str], last: bool| {
        let mut found = gap
            .iter()
            .filter(|line| !is_keyed(line))
            .filter_map(|l| tidy(l));
        if last {
            found.next_back()
        } else {
            found.next()
        }
    };
    let (first, last) = (&gaps[0], &gaps[gaps.len() - 1]);
    let keyed_above = keyed(last, false).is_some();
    let plain_above = plain(first, true).is_none();
    (1..gaps.len())
        .map(|level| {
            let (above, below) = (&gaps[level - 1], &gaps[level]);
            let by_key = if keyed_above {
                keyed(below, false)
            } else {
                keyed(above, true)
            };
            by_key.or_else(|| {
                if plain_above {
                    plain(below, false)
                } else {
                    plain(above, true)
                }
            })
        })
        .collect()
}

/// Whether a line is `Author: …`, `Collection: …` or the like.
fn is_keyed(line: &str) -> bool {
    let key = line.split_once(':').map(|(key, _)| key.trim());
    key.is_some_and(|key| {
        !key.is_empty()
            && key
                .chars()
                .all(|c| c.is_ascii_alphabetic() || c == '-' || c == '_')
    })
}

/// A title without the marks around it.
fn tidy(line: &str) -> Option<String> {
    let line = line
        .trim()
        .trim_start_matches([';', '\'', '"', '/', '%', '!', '#']);
    let line = line.trim().trim_end_matches(['\'', '"']).trim();
    line.contains(char::is_alphanumeric)
        .then(|| line.to_string())
}

impl Block {
    fn format(&self) -> Format {
        match self.kind {
            _ if self.has_runs => Format::Rle,
            Letters::Xsb => Format::Xsb,
            Letters::Map => Format::Letters,
        }
    }

    /// The level of these rows, if it is one.
    fn level(self) -> Result<Level, TextError> {
        let kind = self.kind;
        let mut rows = self.rows?;
        let is_blank = |row: &Row| row.letters.iter().all(|&(c, _)| xsb::is_blank(c));
        while rows.last().is_some_and(is_blank) {
            rows.pop();
        }
        for row in &mut rows {
            let end = row.letters.iter().rposition(|&(c, _)| !xsb::is_blank(c));
            row.letters.truncate(end.map_or(0, |last| last + 1));
        }
        if kind == Letters::Map {
            rows = rows.into_iter().map(letters::without_blanks).collect();
        }
        let read = |rows: &[Row]| match kind {
            Letters::Xsb => grid::level(rows, &xsb::meaning(rows)),
            Letters::Map => grid::level(rows, &letters::symbol),
        };
        let level = read(&rows)?;
        if level.players().len() > 1 {
            // Two levels meet between two rows with nothing in them; of more such rows, all alike, the first two will do.
            let is_empty = |row: &Row| {
                (row.letters.iter()).all(|&(c, _)| xsb::is_blank(c) || matches!(c, '#' | 'W' | 'X'))
            };
            let alike = |a: usize, b: usize| {
                let letters = |row: usize| rows[row].letters.iter().map(|l| l.0);
                letters(a).eq(letters(b))
            };
            let meet = |&at: &usize| {
                is_empty(&rows[at - 1])
                    && is_empty(&rows[at])
                    && !(at > 1 && alike(at - 2, at - 1) && alike(at - 1, at))
            };
            let is_glued = |&at: &usize| read(&rows[..at]).is_ok() && read(&rows[at..]).is_ok();
            if let Some(at) = (1..rows.len()).filter(meet).find(is_glued) {
                return Err(TextError {
                    line: rows[at].line,
                    column: rows[at].letters.first().map_or(1, |first| first.1),
                    what: TextFault::Glued,
                });
            }
        }
        Ok(level)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::write_xsb;

    const SMALL: &str = "#####\n#@$.#\n#####\n";

    fn titles_of(text: &str) -> Vec<Option<String>> {
        let entries = read_levels(text).unwrap();
        let title = |e: Entry| e.level.unwrap().title().map(Into::into);
        entries.into_iter().map(title).collect()
    }

    fn some(titles: &[&str]) -> Vec<Option<String>> {
        titles.iter().map(|&t| Some(t.to_string())).collect()
    }

    #[test]
    fn titles_stand_before_or_after() {
        let before = format!("; my levels\n\n; 1\n\n{SMALL}\n; 2\n{SMALL}");
        assert_eq!(titles_of(&before), some(&["1", "2"]));
        let after = format!("{SMALL}; one\n\n{SMALL}'two'\n");
        assert_eq!(titles_of(&after), some(&["one", "two"]));
        let keyed =
            format!("Title: All\nAuthor: me\n\n{SMALL}Title: A\nAuthor: x\n\n{SMALL}Title: B\n");
        assert_eq!(titles_of(&keyed), some(&["A", "B"]));
        let keyed = format!("Title: A\n{SMALL}\nTitle: B\n{SMALL}");
        assert_eq!(titles_of(&keyed), some(&["A", "B"]));
        let mixed = format!("; 1\n{SMALL}Title: A\n\n; 2\n{SMALL}");
        assert_eq!(titles_of(&mixed).len(), 2);
        assert_eq!(titles_of(SMALL), [None]);
    }

    #[test]
    fn comments_are_passed_over() {
        let text = format!("{SMALL}Comment:\nlike this:\n####\n#@ #\nComment-End:\n{SMALL}");
        assert_eq!(read_levels(&text).unwrap().len(), 2);
        let text = format!("{SMALL}Comment: short\n{SMALL}");
        assert_eq!(read_levels(&text).unwrap().len(), 2);
    }

    #[test]
    fn line_ends_and_marks_of_all_systems_do_no_harm() {
        let unix = format!("; a\n{SMALL}\n; b\n{SMALL}");
        for text in [
            unix.replace('\n', "\r\n"),
            unix.replace('\n', "\r"),
            format!("\u{feff}{unix}"),
            format!("\u{feff}{SMALL}"),
        ] {
            for entry in read_levels(&text).unwrap() {
                assert_eq!(write_xsb(&entry.level.unwrap()), SMALL);
            }
        }
        assert_eq!(read_levels(&unix).unwrap()[1].line, 7);
    }

    #[test]
    fn ragged_rows_decorations_and_empty_rows_inside() {
        let level = parse_level("  ####\n###  #\n#@$. #\n######\n-\n ###   ##  \n").unwrap();
        assert_eq!(level.height(), 6);
        assert_eq!(parse_level(&write_xsb(&level)), Ok(level));
    }

    #[test]
    fn empty_rows_above_a_level_are_rows_of_it() {
        for text in ["-|5#|#@$.#|5#", "-|-|5#|#@$.#|5#|-|5#"] {
            let level = parse_level(text).unwrap();
            for format in Format::ALL {
                let written = format.write(&level);
                assert_eq!(parse_level(&written).as_ref(), Ok(&level), "{written}");
                let titled = format!("; one\n{written}\n; two\n{written}");
                assert_eq!(titles_of(&titled), some(&["one", "two"]));
            }
        }
        assert_eq!(read_levels(&format!("-\n-\n{SMALL}")).unwrap()[0].line, 1);
        // Ornaments and titles are no rows, nor is a dash with something between it and the level.
        for above in ["-----", "XX", "-\n\n", "-\n; text\n"] {
            let level = parse_level(&format!("{above}\n{SMALL}")).unwrap();
            assert_eq!(write_xsb(&level), SMALL, "{above}");
        }
        let map = "WWWWW\nWPBTW\nWWWWW\n";
        assert_eq!(titles_of(&format!("XX\n{map}")), some(&["XX"]));
    }

    #[test]
    fn formats_may_follow_one_another() {
        let text = format!("{SMALL}\n5#|#@$.#|5#\n5#|#@$.#|5#\nWWWWW\nWPBTW\nWWWWW\n");
        let entries = read_levels(&text).unwrap();
        let formats: Vec<Format> = entries.iter().map(|e| e.format).collect();
        assert_eq!(
            formats,
            [Format::Xsb, Format::Rle, Format::Rle, Format::Letters]
        );
        let lines: Vec<usize> = entries.iter().map(|e| e.line).collect();
        assert_eq!(lines, [1, 5, 6, 7]);
        for entry in entries {
            assert_eq!(write_xsb(&entry.level.unwrap()), SMALL);
        }
    }

    #[test]
    fn every_error_has_its_line_and_column() {
        for (text, said) in [
            ("", "line 1, column 1: no level in it"),
            ("just a text\n", "line 1, column 1: no level in it"),
            ("; t\n\n#####\n# $.#\n#####", "line 3, column 1: no player"),
            ("#####\n#@$ #\n#####", "line 1, column 1: no goal"),
            (
                "#####\n#@$.\n#####",
                "line 2, column 2: the walls have a hole: this player can get out at line 2, column 5",
            ),
            (
                "#####\n#@$. \n#### ",
                "line 2, column 2: the walls have a hole",
            ),
            (
                "#####\n#@*.# $\n#####",
                "line 2, column 7: this box is outside the walls",
            ),
            (
                "  #####\n. #@*.#\n  #####",
                "line 2, column 1: this goal is outside the walls",
            ),
            (
                "#####\n#@x.#\n#####",
                "line 2, column 3: 'x' is no symbol of XSB",
            ),
            (
                "WWWWW\nWPB?W\nWWWWW",
                "line 2, column 4: '?' is no symbol of a letter map",
            ),
            ("5#|#@q.#|5#", "line 1, column 6: 'q' is no symbol"),
            (
                "#####\n#@$.#\n#####\n#####\n#@$.#\n#####",
                "line 4, column 1: a second level begins here",
            ),
            (
                "#####\n#@$.#\n#####\n\n#####\n#@$.#\n#####",
                "line 5, column 1: a second level, expected only one",
            ),
        ] {
            let error = parse_level(text).unwrap_err().to_string();
            assert!(error.starts_with(said), "{text}\n{error}");
        }
    }

    #[test]
    fn one_bad_level_does_not_spoil_the_others() {
        let entries =
            read_levels(&format!("; good\n{SMALL}\n; bad\n###\n# #\n###\n\n{SMALL}")).unwrap();
        let good: Vec<bool> = entries.iter().map(|e| e.level.is_ok()).collect();
        assert_eq!(good, [true, false, true]);
        assert_eq!(entries[1].title.as_deref(), Some("bad"));
    }

    #[test]
    fn rooms_of_a_crew_that_share_a_wall_are_one_level() {
        let level = parse_level("#####\n#@$.#\n#####\n#@$.#\n#####").unwrap();
        assert_eq!(level.players().len(), 2);
    }

    #[test]
    fn levels_are_glued_also_where_walls_are_thick() {
        let text = format!("#####\n#####\n#@$.#\n#####\n-\n#####\n{SMALL}");
        let error = parse_level(&text).unwrap_err();
        assert_eq!((error.line, error.what), (5, TextFault::Glued));
        let room = "#####\n#@$.#\n#   #\n#####\n";
        let error = parse_level(&format!("{room}#####\n#####\n{room}")).unwrap_err();
        assert_eq!((error.line, error.what), (5, TextFault::Glued));
    }

    #[test]
    fn a_level_of_200_by_200_is_read() {
        let rows: Vec<String> = (0..200)
            .map(|row| match row {
                0 | 199 => "#".repeat(200),
                100 => format!("#@$.{}#", " ".repeat(195)),
                _ => format!("#{}#", " ".repeat(198)),
            })
            .collect();
        let level = parse_level(&rows.join("\n")).unwrap();
        assert_eq!((level.width(), level.height()), (200, 200));
        let wide = format!(
            "{}\n#@$.{}#\n{}",
            "#".repeat(60000),
            " ".repeat(59995),
            "#".repeat(60000)
        );
        assert!(
            parse_level(&wide)
                .unwrap_err()
                .to_string()
                .contains("too large")
        );
    }

    #[test]
    fn lines_that_decide() {
        for line in ["#@ #", "  # $ #\r\n", "WXPW", "4#|#@.#|4#", "\u{feff}#*.@#"] {
            assert!(is_level_line(line), "{line}");
        }
        for line in [
            "#####",
            "# boards of Korf",
            "1 2 3/4 0 6/7 5 8",
            "#",
            "# ... #",
            "",
            "W",
        ] {
            assert!(!is_level_line(line), "{line}");
        }
    }
}
