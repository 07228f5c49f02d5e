//! Letter maps: `W` wall, `B` box, `P` player, `T` target, `X` floor.
//!
//! This is how the maps of the NTU report "Puzzle Solving with Modern SAT
//! Engine" are written, several `P` for several players. It has no letter for
//! a box or a player on a target; as in XSB we read and write `*` and `+`. A
//! blank is ground outside; a map with a blank after each letter, as the
//! report prints its states, is read as well.

use super::Level;
use super::grid::{Row, Symbol, TextFault, symbols};

const EXPECTED: &str = "W B P T X * +";

/// Whether a line is a row of a letter map, perhaps one with a wrong letter in it.
pub(super) fn is_row(line: &str) -> bool {
    let line = line.trim();
    let known = |c: &char| is_known(*c) || c.is_ascii_digit() || *c == '|';
    let solid = || line.chars().filter(|c| !c.is_whitespace());
    let (all, right) = (solid().count(), solid().filter(known).count());
    let walled = line.trim_matches(|c: char| c.is_ascii_digit());
    let is_map = all > 2 && line.contains('W') && !line.ends_with(|c: char| c.is_ascii_digit());
    // A word such as WOW is not a row.
    let is_nearly_map =
        all > 3 && 2 * right > all && walled.starts_with('W') && walled.ends_with('W');
    is_map && (right == all || is_nearly_map)
}

/// Whether a line is surely a row: nothing else in it, and a wall at both ends.
pub(super) fn is_surely_row(line: &str) -> bool {
    let line = line.trim();
    line.len() > 2
        && line.starts_with('W')
        && line.ends_with('W')
        && line.chars().all(|c| is_known(c) || c == ' ')
}

fn is_known(letter: char) -> bool {
    "WBPTX*+".contains(letter)
}

/// A row without the blanks after each letter, if there is one after each.
pub(super) fn without_blanks(row: Row) -> Row {
    let is_spaced = row.letters.len() > 2
        && (row.letters.iter().enumerate()).all(|(i, &(c, _))| (c == ' ') == (i % 2 == 1));
    if !is_spaced {
        return row;
    }
    Row {
        letters: row.letters.into_iter().step_by(2).collect(),
        ..row
    }
}

/// What a letter means.
pub(super) fn symbol(letter: char) -> Result<Symbol, TextFault> {
    Ok(match letter {
        'W' => Symbol::Wall,
        'X' | ' ' | '\t' => Symbol::Floor,
        'T' => Symbol::Goal,
        'B' => Symbol::Box,
        '*' => Symbol::BoxOnGoal,
        'P' => Symbol::Player,
        '+' => Symbol::PlayerOnGoal,
        found => {
            return Err(TextFault::Symbol {
                found,
                format: "a letter map",
                expected: EXPECTED,
            });
        }
    })
}

/// A level as a letter map, each row with its line end; what is outside is floor, too.
pub fn write_letters(level: &Level) -> String {
    let mut text = String::new();
    for row in symbols(level) {
        let letters = row.iter().map(|symbol| match symbol {
            Symbol::Floor => 'X',
            Symbol::Wall => 'W',
            Symbol::Goal => 'T',
            Symbol::Box => 'B',
            Symbol::BoxOnGoal => '*',
            Symbol::Player => 'P',
            Symbol::PlayerOnGoal => '+',
        });
        text.extend(letters.chain(std::iter::repeat('X')).take(level.width()));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::parse_level;

    #[test]
    fn maps_read_back() {
        let map = "WWWWWXX\nWPBTWWW\nWX*+XBW\nWWWWWWW\n";
        assert_eq!(write_letters(&parse_level(map).unwrap()), map);
        assert_eq!(parse_level(map).unwrap().players().len(), 2);
    }

    #[test]
    fn words_are_no_rows() {
        assert!(!is_row("WOW") && !is_row("World 1") && !is_row("W") && !is_row("BPT"));
        assert!(is_row("WWW") && is_row("WPBQW"));
    }

    #[test]
    fn a_map_printed_with_blanks_is_the_same_map() {
        let map = parse_level("W W W W W\nW P B T W\nW W W W W").unwrap();
        assert_eq!(write_letters(&map), "WWWWW\nWPBTW\nWWWWW\n");
    }
}
