//! Run lengths: `4#|#@.#|4#`, a count before a letter, `|` at the end of a row.
//!
//! Counts and bars may stand in any format, and rows in lines of their own may
//! have counts as well. A line that ends with a bar goes on in the next one.
//! What is written is one line of XSB with `-` for floor.

use std::fmt::Write;

use super::grid::{Row, Symbol, TextError, TextFault, symbols};
use super::xsb::letter;
use super::{Level, MAX_CELLS};

/// Whether a line has counts or bars.
pub(super) fn has_runs(line: &str) -> bool {
    line.contains(|c: char| c == '|' || c.is_ascii_digit())
}

/// The rows of a line: counts and tabs expanded, split at bars. A bar at the end begins no row.
pub(super) fn rows(line: &str, number: usize) -> Result<Vec<Row>, TextError> {
    const TAB: usize = 8;
    let error = |column: usize| TextError {
        line: number,
        column,
        what: TextFault::Count,
    };
    let mut rows = vec![vec![]];
    let mut cells = 0;
    let mut count: Option<usize> = None;
    for (at, c) in line.chars().enumerate() {
        let column = at + 1;
        let row: &mut Vec<(char, usize)> = rows.last_mut().expect("one at least");
        if let Some(digit) = c.to_digit(10) {
            let longer = count.unwrap_or(0) * 10 + digit as usize;
            count = Some(longer).filter(|&n| n <= MAX_CELLS);
            count.ok_or_else(|| error(column))?;
            continue;
        }
        let run = match (c, count) {
            (_, Some(0)) => return Err(error(column)),
            ('\t', _) => TAB - row.len() % TAB,
            _ => count.unwrap_or(1),
        };
        count = None;
        cells += run;
        if c == '|' {
            rows.extend(std::iter::repeat_n(vec![], run));
        } else {
            row.extend(std::iter::repeat_n((c, column), run));
        }
        // A level has no more cells; one row more than that is enough to say so.
        if cells > 2 * MAX_CELLS {
            return Err(error(column));
        }
    }
    if rows.len() > 1 && rows.last().is_some_and(Vec::is_empty) {
        rows.pop();
    }
    let row = |letters| Row {
        line: number,
        letters,
    };
    Ok(rows.into_iter().map(row).collect())
}

/// A level in one line.
///
/// ```
/// use noyes_puzzle::sokoban::{parse_level, write_rle};
/// let level = parse_level("#####\n#@$.#\n#####")?;
/// assert_eq!(write_rle(&level), "5#|#@$.#|5#");
/// # Ok::<(), noyes_puzzle::sokoban::TextError>(())
/// ```
pub fn write_rle(level: &Level) -> String {
    let rows: Vec<String> = symbols(level).iter().map(|row| write_row(row)).collect();
    rows.join("|")
}

fn write_row(row: &[Symbol]) -> String {
    if row.is_empty() {
        return "-".into();
    }
    let mut text = String::new();
    for run in row.chunk_by(|a, b| a == b) {
        if run.len() > 1 {
            write!(text, "{}", run.len()).expect("a string has room");
        }
        text.push(match run[0] {
            Symbol::Floor => '-',
            symbol => letter(symbol),
        });
    }
    text
}

#[cfg(test)]
mod tests {
    use crate::sokoban::{TextFault, parse_level, write_rle, write_xsb};

    #[test]
    fn bars_or_lines_separate_rows_and_rows_may_have_counts() {
        let xsb = "####\n#@ ###\n# $ .#\n######\n";
        for text in [
            "4#|#@-3#|#-$-.#|6#",
            "4#|#@-3#|\n#-$-.#|6#|",
            "4#\n#@ 3#\n# $ .#\n6#",
            "####|#@ ###|# $ .#|######",
        ] {
            assert_eq!(write_xsb(&parse_level(text).unwrap()), xsb, "{text}");
        }
        assert_eq!(write_rle(&parse_level(xsb).unwrap()), "4#|#@-3#|#-$-.#|6#");
    }

    #[test]
    fn counts_without_end_are_refused() {
        for text in ["99999999999999999999999#|#@$.#|5#", "65536#|65536#|65536#"] {
            let error = parse_level(text).unwrap_err();
            assert_eq!((error.line, &error.what), (1, &TextFault::Count), "{text}");
        }
        assert!(parse_level("0#").is_err() && parse_level("5#|#@$0-.#|5#").is_err());
        for text in ["60000#|#@$.#|5#", "5#|65536|#"] {
            let error = parse_level(text).unwrap_err();
            assert!(matches!(error.what, TextFault::TooLarge { .. }), "{error}");
        }
    }

    #[test]
    fn a_tab_goes_to_the_next_eighth_column() {
        let level = parse_level("#########\n#@$.\t#\n#########").unwrap();
        assert_eq!(write_xsb(&level), "#########\n#@$.    #\n#########\n");
        let level = parse_level("\t#####\n\t#@$.#\n\t#####").unwrap();
        assert_eq!(level.width(), 13);
    }
}
