//! What all formats of levels share: rows of symbols, each with its place in the text.

use super::level::LevelError;
use super::{Level, MAX_CELLS};

/// What a cell holds, in any format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Symbol {
    Floor,
    Wall,
    Goal,
    Box,
    BoxOnGoal,
    Player,
    PlayerOnGoal,
}

/// What is wrong with the text of a level, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {what}")]
pub struct TextError {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
    /// What it is.
    pub what: TextFault,
}

/// What can be wrong with the text of a level.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextFault {
    /// No level.
    #[error(
        "no level in it (expected XSB such as #@$.#, RLE such as 5#|#@$.#|5#, or a map of W B P T X)"
    )]
    Empty,
    /// Several levels where one is expected.
    #[error("a second level, expected only one")]
    Several,
    /// A letter that means nothing.
    #[error("{found:?} is no symbol of {format} (expected one of {expected})")]
    Symbol {
        /// The letter.
        found: char,
        /// The format of the level.
        format: &'static str,
        /// What there is.
        expected: &'static str,
    },
    /// A count of nothing, or of more cells than a level has.
    #[error("a count is from 1 to {MAX_CELLS}")]
    Count,
    /// No player.
    #[error("no player in this level (expected @ or + in XSB, P in a letter map)")]
    NoPlayer,
    /// No goal.
    #[error("no goal in this level: there is nothing to do")]
    NoGoal,
    /// Too many cells.
    #[error("{width}x{height} is too large a level (at most {MAX_CELLS} cells)")]
    TooLarge {
        /// Cells in a row.
        width: usize,
        /// Rows.
        height: usize,
    },
    /// The player can leave the level.
    #[error("the walls have a hole: this player can get out at line {line}, column {column}")]
    Open {
        /// The line of the hole, from 1.
        line: usize,
        /// Its column, from 1; beyond the end of a row that is too short.
        column: usize,
    },
    /// A box or a goal outside.
    #[error("this {thing} is outside the walls")]
    Outside {
        /// Box or goal.
        thing: &'static str,
    },
    /// Two levels with no empty line between.
    #[error(
        "a second level begins here: separate levels with an empty line (rooms of a crew share one row of walls)"
    )]
    Glued,
}

/// A row of a level: its line, and its letters with their columns, from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub line: usize,
    pub letters: Vec<(char, usize)>,
}

impl Row {
    /// Where a cell of the row is, or would be, in the text.
    fn column(&self, at: usize) -> usize {
        match (self.letters.get(at), self.letters.last()) {
            (Some(&(_, column)), _) => column,
            (None, Some(&(_, last))) => last + 1 + at - self.letters.len(),
            (None, None) => at + 1,
        }
    }
}

/// The level that rows make, with this meaning of letters.
pub(super) fn level(
    rows: &[Row],
    symbol: &dyn Fn(char) -> Result<Symbol, TextFault>,
) -> Result<Level, TextError> {
    use Symbol::{Box, BoxOnGoal, Goal, Player, PlayerOnGoal, Wall};
    let at = |row: usize, column: usize, what: TextFault| TextError {
        line: rows[row].line,
        column: rows[row].column(column),
        what,
    };
    let (width, height) = (
        rows.iter().map(|r| r.letters.len()).max().unwrap_or(0),
        rows.len(),
    );
    if width.saturating_mul(height) > MAX_CELLS {
        return Err(at(0, 0, TextFault::TooLarge { width, height }));
    }
    let (mut walls, mut goals) = (vec![false; width * height], vec![false; width * height]);
    let (mut boxes, mut players) = (vec![], vec![]);
    for (r, row) in rows.iter().enumerate() {
        for (c, &(letter, _)) in row.letters.iter().enumerate() {
            let cell = r * width + c;
            let symbol = symbol(letter).map_err(|what| at(r, c, what))?;
            walls[cell] = symbol == Wall;
            goals[cell] = matches!(symbol, Goal | BoxOnGoal | PlayerOnGoal);
            match symbol {
                Box | BoxOnGoal => boxes.push(cell as u16),
                Player | PlayerOnGoal => players.push(cell as u16),
                _ => {}
            }
        }
    }
    Level::new(width, &walls, &goals, &boxes, &players).map_err(|error| {
        let (row, column, what) = match error {
            LevelError::NoPlayer => (1, 1, TextFault::NoPlayer),
            LevelError::NoGoal => (1, 1, TextFault::NoGoal),
            LevelError::TooLarge { width, height } => (1, 1, TextFault::TooLarge { width, height }),
            LevelError::Crowded { .. } => unreachable!("a letter is one thing"),
            LevelError::Open {
                what: "player",
                from_row,
                from_column,
                row,
                column,
            } => {
                let hole = TextFault::Open {
                    line: rows[row - 1].line,
                    column: rows[row - 1].column(column - 1),
                };
                (from_row, from_column, hole)
            }
            LevelError::Open {
                what: thing,
                from_row,
                from_column,
                ..
            } => (from_row, from_column, TextFault::Outside { thing }),
        };
        at(row - 1, column - 1, what)
    })
}

/// The symbols of a level, row by row, without the floor to the right of the last wall.
pub(super) fn symbols(level: &Level) -> Vec<Vec<Symbol>> {
    let mut symbols: Vec<Symbol> = (0..level.cells())
        .map(|cell| {
            let cell = cell as u16;
            match (level.ground(cell), level.is_goal(cell)) {
                (super::Ground::Wall, _) => Symbol::Wall,
                (_, true) => Symbol::Goal,
                _ => Symbol::Floor,
            }
        })
        .collect();
    let mut put = |cells: &[u16], on_floor, on_goal| {
        for &cell in cells {
            let symbol = &mut symbols[usize::from(cell)];
            *symbol = if *symbol == Symbol::Goal {
                on_goal
            } else {
                on_floor
            };
        }
    };
    put(level.boxes(), Symbol::Box, Symbol::BoxOnGoal);
    put(level.players(), Symbol::Player, Symbol::PlayerOnGoal);
    let trimmed = |row: &[Symbol]| {
        let end = row.iter().rposition(|&s| s != Symbol::Floor);
        row[..end.map_or(0, |last| last + 1)].to_vec()
    };
    symbols.chunks(level.width()).map(trimmed).collect()
}
