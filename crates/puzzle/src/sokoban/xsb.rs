//! XSB: one letter a cell, the way most levels are written down.
//!
//! | | on floor | on a goal |
//! |---|---|---|
//! | nothing | blank `-` `_` | `.` `o` |
//! | box | `$` `b` | `*` `B` |
//! | player | `@` `p` | `+` `P` |
//!
//! and `#` for walls. Some write boxes as `o` and `O` instead of goals: that is
//! how they are read where a level has no other box. Several players make a
//! level for a crew; they are numbered as they are read. Blanks to the right of
//! a row need not be written, and a row with nothing in it is written `-`, as
//! an empty line ends a level. Such rows are kept above and inside a level; those
//! below its last wall are dropped.

use super::Level;
use super::grid::{Row, Symbol, TextFault, symbols};

/// The letters, for a message.
const EXPECTED: &str = "# @ + $ * . blank - _";

/// Letters that are read as they are anywhere; the others only in a row that begins with a wall.
const PLAIN: &str = "#@+$*.-_ \t";
const ALL: &str = "#@+$*.-_ \tpPbBoO";

/// Whether a letter means an empty cell.
pub(super) fn is_blank(letter: char) -> bool {
    matches!(letter, '-' | '_' | ' ' | '\t')
}

/// Whether a line is a row of a level, perhaps one with a wrong letter in it.
pub(super) fn is_row(line: &str) -> bool {
    if !line.contains('#') {
        return false;
    }
    if line.chars().all(|c| PLAIN.contains(c)) {
        return true;
    }
    let known = |c: &char| ALL.contains(*c) || c.is_ascii_digit() || *c == '|';
    let solid = || line.chars().filter(|&c| !is_blank(c));
    // What a count counts follows it: this distinguishes `4#` from `#4`.
    let is_count = |c: char| c.is_ascii_digit();
    let first = line
        .chars()
        .find(|&c| !is_blank(c) && !is_count(c) && c != '|');
    first == Some('#')
        && !line.trim_end().ends_with(is_count)
        && 2 * solid().filter(known).count() > solid().count()
}

/// Whether a line is surely a row: a wall at both ends, and something between.
pub(super) fn is_surely_row(line: &str) -> bool {
    let line = line.trim_matches(is_blank);
    is_row(line)
        && line.chars().all(|c| PLAIN.contains(c))
        && line.len() > 1
        && line.starts_with('#')
        && line.ends_with('#')
        && line.contains(['@', '+', '$', '*'])
}

/// What the letters of these rows mean.
pub(super) fn meaning(rows: &[Row]) -> impl Fn(char) -> Result<Symbol, TextFault> + use<> {
    let has = |letters: &str| {
        let all = rows.iter().flat_map(|row| &row.letters);
        all.map(|l| l.0).any(|l| letters.contains(l))
    };
    let round_boxes = has("oO") && !has("$*bB") && (has("O") || has(".+P"));
    move |letter| {
        Ok(match letter {
            '#' => Symbol::Wall,
            letter if is_blank(letter) => Symbol::Floor,
            'o' if round_boxes => Symbol::Box,
            'O' if round_boxes => Symbol::BoxOnGoal,
            '.' | 'o' => Symbol::Goal,
            '$' | 'b' => Symbol::Box,
            '*' | 'B' => Symbol::BoxOnGoal,
            '@' | 'p' => Symbol::Player,
            '+' | 'P' => Symbol::PlayerOnGoal,
            found => {
                return Err(TextFault::Symbol {
                    found,
                    format: "XSB",
                    expected: EXPECTED,
                });
            }
        })
    }
}

/// The letter that is written.
pub(super) fn letter(symbol: Symbol) -> char {
    match symbol {
        Symbol::Floor => ' ',
        Symbol::Wall => '#',
        Symbol::Goal => '.',
        Symbol::Box => '$',
        Symbol::BoxOnGoal => '*',
        Symbol::Player => '@',
        Symbol::PlayerOnGoal => '+',
    }
}

/// A level as XSB, each row with its line end.
///
/// ```
/// use noyes_puzzle::sokoban::{parse_level, write_xsb};
/// let level = parse_level("5#|#@$.#|5#")?;
/// assert_eq!(write_xsb(&level), "#####\n#@$.#\n#####\n");
/// # Ok::<(), noyes_puzzle::sokoban::TextError>(())
/// ```
pub fn write_xsb(level: &Level) -> String {
    let mut text = String::new();
    for row in symbols(level) {
        if row.is_empty() {
            text.push('-');
        }
        text.extend(row.into_iter().map(letter));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::parse_level;

    fn xsb(text: &str) -> String {
        write_xsb(&parse_level(text).unwrap())
    }

    #[test]
    fn every_letter_for_the_same_thing_is_read() {
        let plain = "######\n#@ $.#\n# +*.#\n######\n";
        assert_eq!(xsb(plain), plain);
        assert_eq!(xsb("######\n#p-bo#\n#_PBo#\n######\n"), plain);
    }

    #[test]
    fn round_boxes_are_boxes_where_there_are_no_others() {
        assert_eq!(xsb("#####\n#@o.#\n#####"), "#####\n#@$.#\n#####\n");
        assert_eq!(xsb("#####\n#@oO#\n#####"), "#####\n#@$*#\n#####\n");
        assert_eq!(xsb("#####\n#@$o#\n#####"), "#####\n#@$.#\n#####\n");
        assert!(parse_level("#####\n#@$O#\n#####").is_err());
    }

    #[test]
    fn titles_are_no_rows() {
        for title in [
            "Bob #1",
            "#1",
            "Level #12",
            "# my levels",
            "; #",
            "pop",
            "--",
            "",
        ] {
            assert!(!is_row(title), "{title}");
        }
        for row in [
            "####",
            "#@$.#",
            "  ##",
            "4#",
            "--#",
            "#x@ #",
            "4#|#@$.#|4#",
            "$ ##",
        ] {
            assert!(is_row(row), "{row}");
        }
    }
}
