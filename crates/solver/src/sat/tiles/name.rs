//! Names of the encodings of boards, each with its options.

use std::fmt;
use std::str::FromStr;

use crate::names::UnknownName;
use crate::sat::forms::{find, forms, unknown};

/// The most cells of a board to encode: the formulas grow with the cube of it, in each step.
pub const MOST_CELLS: usize = 100;

/// How a board is written as clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BoardEncoding {
    /// Edixhoven's constraint problem, 2016.
    Edixhoven(Extras),
    /// Clausecker and Kaiser's rotated grid, 2021.
    Rotated,
    /// Stalzer's transition formulas, 2019.
    Transitions {
        /// Whether an exchange of two cells is written twice, once from either cell.
        repeated: bool,
    },
    /// Our own. CaDiCaL learns from pattern databases as it goes, unless the formula is to be `fixed`: written down
    /// beforehand, as it always is for other solvers and for files.
    Lean {
        /// Whether it is written down beforehand for CaDiCaL, too.
        fixed: bool,
    },
}

/// Constraints of [`BoardEncoding::Edixhoven`] beside the essential ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Extras {
    /// No move undoes the one before.
    pub no_undo: bool,
    /// The moves left are never fewer than the Manhattan distance.
    pub manhattan: bool,
    /// Complete rows and columns stay so; gives up optimality.
    pub blocks: bool,
}

const fn edixhoven(no_undo: bool, manhattan: bool, blocks: bool) -> BoardEncoding {
    BoardEncoding::Edixhoven(Extras {
        no_undo,
        manhattan,
        blocks,
    })
}

impl BoardEncoding {
    /// Every one there is, in the order of the help.
    pub const ALL: &[BoardEncoding] = &[
        edixhoven(false, false, false),
        edixhoven(true, false, false),
        edixhoven(false, true, false),
        edixhoven(true, true, false),
        edixhoven(false, false, true),
        edixhoven(true, false, true),
        edixhoven(false, true, true),
        edixhoven(true, true, true),
        BoardEncoding::Rotated,
        BoardEncoding::Transitions { repeated: false },
        BoardEncoding::Transitions { repeated: true },
        BoardEncoding::Lean { fixed: false },
        BoardEncoding::Lean { fixed: true },
    ];

    /// The names, each with the options that it may have.
    pub fn forms() -> Vec<String> {
        forms(BoardEncoding::ALL)
    }

    /// Whether each bound needs a formula of its own.
    pub fn is_for_one_bound(self) -> bool {
        matches!(self, BoardEncoding::Lean { .. })
    }

    /// Whether it has all optimal plans among its models.
    pub fn is_optimal(self) -> bool {
        !matches!(self, BoardEncoding::Edixhoven(Extras { blocks: true, .. }))
    }
}

impl Default for BoardEncoding {
    fn default() -> Self {
        BoardEncoding::Lean { fixed: false }
    }
}

impl fmt::Display for BoardEncoding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            BoardEncoding::Edixhoven(extras) => write!(f, "edixhoven{extras}"),
            BoardEncoding::Rotated => f.write_str("rotated"),
            BoardEncoding::Transitions { repeated: false } => f.write_str("transitions"),
            BoardEncoding::Transitions { repeated: true } => f.write_str("transitions+repeated"),
            BoardEncoding::Lean { fixed: false } => f.write_str("lean"),
            BoardEncoding::Lean { fixed: true } => f.write_str("lean+static"),
        }
    }
}

impl fmt::Display for Extras {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let options = [
            (self.no_undo, "+no-undo"),
            (self.manhattan, "+manhattan"),
            (self.blocks, "+blocks"),
        ];
        let mut given = options.iter().filter(|option| option.0);
        given.try_for_each(|option| f.write_str(option.1))
    }
}

impl FromStr for BoardEncoding {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<BoardEncoding, UnknownName> {
        find(BoardEncoding::ALL, text).ok_or_else(|| unknown(text, &BoardEncoding::forms()))
    }
}
