//! Directions, and plans written as letters.
//!
//! `U L R D` name where the blank goes. Other programs, and many players, name
//! where the tile goes instead, which is the opposite letter: that is the tile
//! notation. In memory a plan always holds the blank's directions.

use std::fmt;
use std::str::FromStr;

/// Where the blank goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Direction {
    /// To the row above.
    Up,
    /// To the column on the left.
    Left,
    /// To the column on the right.
    Right,
    /// To the row below.
    Down,
}

impl Direction {
    /// All four, in the order in which moves are tried: Korf's.
    pub const ALL: [Direction; 4] = [
        Direction::Up,
        Direction::Left,
        Direction::Right,
        Direction::Down,
    ];

    /// The way back.
    #[must_use]
    pub fn opposite(self) -> Direction {
        match self {
            Direction::Up => Direction::Down,
            Direction::Left => Direction::Right,
            Direction::Right => Direction::Left,
            Direction::Down => Direction::Up,
        }
    }

    /// The direction from a cell to a neighbour on a board of this width.
    pub fn between(from: usize, to: usize, width: usize) -> Direction {
        if to == from + width {
            Direction::Down
        } else if from == to + width {
            Direction::Up
        } else if to == from + 1 {
            Direction::Right
        } else {
            Direction::Left
        }
    }

    /// The letter of this direction.
    pub fn letter(self) -> char {
        match self {
            Direction::Up => 'U',
            Direction::Left => 'L',
            Direction::Right => 'R',
            Direction::Down => 'D',
        }
    }

    /// The direction of a letter, small or capital.
    pub fn from_letter(letter: char) -> Option<Direction> {
        Direction::ALL
            .into_iter()
            .find(|d| d.letter() == letter.to_ascii_uppercase())
    }
}

/// What the letters of a plan name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Notation {
    /// The movement of the blank.
    #[default]
    Blank,
    /// The movement of the tile, the opposite.
    Tile,
}

impl Notation {
    /// The direction that a letter of this notation stands for, and back.
    pub fn turn(self, direction: Direction) -> Direction {
        match self {
            Notation::Blank => direction,
            Notation::Tile => direction.opposite(),
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Notation::Blank => "blank",
            Notation::Tile => "tile",
        })
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Notation, NotationError> {
        match text {
            "blank" => Ok(Notation::Blank),
            "tile" => Ok(Notation::Tile),
            _ => Err(NotationError {
                found: text.to_string(),
            }),
        }
    }
}

/// A word that is not a notation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is not a notation (expected blank or tile)")]
pub struct NotationError {
    /// The word.
    pub found: String,
}

/// A letter that no plan has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {at}: {found:?} is no direction (expected L, U, R or D)")]
pub struct PlanError {
    /// The number of the move, from 1.
    pub at: usize,
    /// What was found instead.
    pub found: char,
}

/// Reads a plan: letters, with spaces and commas anywhere.
///
/// ```
/// use noyes_puzzle::tiles::{Notation, parse_plan, write_plan};
/// let plan = parse_plan("R D", Notation::Blank)?;
/// assert_eq!(write_plan(&plan, Notation::Tile), "LU");
/// # Ok::<(), noyes_puzzle::tiles::PlanError>(())
/// ```
///
/// # Errors
/// Names the first letter that is no direction.
pub fn parse_plan(text: &str, notation: Notation) -> Result<Vec<Direction>, PlanError> {
    text.chars()
        .filter(|c| !c.is_whitespace() && *c != ',')
        .enumerate()
        .map(|(i, found)| {
            Direction::from_letter(found)
                .map(|d| notation.turn(d))
                .ok_or(PlanError { at: i + 1, found })
        })
        .collect()
}

/// A plan as letters.
pub fn write_plan(plan: &[Direction], notation: Notation) -> String {
    plan.iter().map(|&d| notation.turn(d).letter()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_first_letter_that_is_none_is_named() {
        let error = parse_plan("UL ,xR", Notation::Blank).unwrap_err();
        assert_eq!(
            error.to_string(),
            "move 3: 'x' is no direction (expected L, U, R or D)"
        );
    }

    #[test]
    fn each_direction_has_an_opposite_and_a_letter() {
        use Direction::{Down, Left, Right, Up};
        assert_eq!(
            Direction::ALL.map(Direction::opposite),
            [Down, Right, Left, Up]
        );
        assert_eq!(Direction::ALL.map(Direction::letter), ['U', 'L', 'R', 'D']);
        for direction in Direction::ALL {
            let letter = direction.letter();
            assert_eq!(Direction::from_letter(letter), Some(direction));
            let small = letter.to_ascii_lowercase();
            assert_eq!(Direction::from_letter(small), Some(direction));
        }
        for other in ['x', '.', '0', ' ', 'ü'] {
            assert_eq!(Direction::from_letter(other), None);
        }
    }

    #[test]
    fn cells_that_touch_lie_in_one_direction_of_each_other() {
        use Direction::{Down, Left, Right, Up};
        // The middle cell of four columns, and its neighbours.
        for (to, direction) in [(1, Up), (4, Left), (6, Right), (9, Down)] {
            assert_eq!(Direction::between(5, to, 4), direction);
            assert_eq!(Direction::between(to, 5, 4), direction.opposite());
        }
        // From the first cell; in a single column all ways are up or down.
        assert_eq!(Direction::between(0, 1, 3), Right);
        assert_eq!(Direction::between(0, 3, 3), Down);
        assert_eq!(Direction::between(0, 1, 1), Down);
        assert_eq!(Direction::between(1, 0, 1), Up);
    }

    #[test]
    fn notations_read_back_by_their_names_and_others_do_not() {
        for (notation, name) in [(Notation::Blank, "blank"), (Notation::Tile, "tile")] {
            assert_eq!(notation.to_string(), name);
            assert_eq!(name.parse(), Ok(notation));
        }
        assert_eq!(
            "Tile".parse::<Notation>(),
            Err(NotationError {
                found: "Tile".into()
            })
        );
    }

    #[test]
    fn a_plan_is_read_and_written_in_either_notation() {
        use Direction::{Down, Left, Right, Up};
        let plan = [Up, Left, Right, Down];
        for text in ["ULRD", "ulrd", " U,L\n R\tD, "] {
            assert_eq!(parse_plan(text, Notation::Blank), Ok(plan.to_vec()));
        }
        assert_eq!(parse_plan("DRLU", Notation::Tile), Ok(plan.to_vec()));
        assert_eq!(write_plan(&plan, Notation::Blank), "ULRD");
        assert_eq!(write_plan(&plan, Notation::Tile), "DRLU");
        assert_eq!(parse_plan("", Notation::Blank), Ok(vec![]));
        for (text, at) in [("x", 1), ("U, Lx", 3)] {
            let error = PlanError { at, found: 'x' };
            assert_eq!(parse_plan(text, Notation::Tile), Err(error));
        }
    }

    proptest! {
        #[test]
        fn plans_read_back_in_both_notations(text in "[LURD]{0,40}", other in "\\PC*") {
            for notation in [Notation::Blank, Notation::Tile] {
                prop_assert_eq!(&write_plan(&parse_plan(&text, notation).unwrap(), notation), &text);
                let _ = parse_plan(&other, notation);
            }
        }
    }
}
