//! Names of the encodings of levels, each with its options and by what it counts.

use std::fmt;
use std::str::FromStr;

use crate::names::{Objective, UnknownName};
use crate::sat::forms::{find, forms, unknown};

/// The most cells of floor of a level to encode: distances between all of them are needed at once.
pub const MOST_FLOOR: usize = 3000;

/// How a level is written as clauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LevelEncoding {
    /// A step is a push, of the only player.
    Pushes(ByPushes),
    /// A step is a move of every player.
    Moves(ByMoves),
}

/// An encoding that counts pushes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByPushes {
    /// Tamura's constraint problem.
    Tamura(Blocks),
    /// Our own.
    Own,
}

/// An encoding that counts moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByMoves {
    /// The paper's constraints, with names for boxes and players.
    Paper,
    /// Our own: no names, and what is known of good plans.
    Own,
}

/// Constraints of [`ByPushes::Tamura`] beside the essential ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Blocks {
    /// No box where it is lost.
    pub dead: bool,
    /// No square of boxes and walls that never moves again.
    pub bad: bool,
}

const fn tamura(dead: bool, bad: bool) -> LevelEncoding {
    LevelEncoding::Pushes(ByPushes::Tamura(Blocks { dead, bad }))
}

impl LevelEncoding {
    /// Every one there is, in the order of the help.
    pub const ALL: &[LevelEncoding] = &[
        tamura(false, false),
        tamura(true, false),
        tamura(false, true),
        tamura(true, true),
        LevelEncoding::Pushes(ByPushes::Own),
        LevelEncoding::Moves(ByMoves::Paper),
        LevelEncoding::Moves(ByMoves::Own),
    ];

    /// The names, each with the options that it may have.
    pub fn forms() -> Vec<String> {
        forms(LevelEncoding::ALL)
    }

    /// The names of those that count this, each with the options that it may have.
    pub fn forms_for(objective: Objective) -> Vec<String> {
        let all = LevelEncoding::ALL.iter().copied();
        let counting: Vec<LevelEncoding> = all.filter(|e| e.objective() == objective).collect();
        forms(&counting)
    }

    /// Our own that counts this. Crews count steps, which are moves.
    pub fn default_for(objective: Objective) -> LevelEncoding {
        match objective {
            Objective::Pushes => LevelEncoding::Pushes(ByPushes::Own),
            Objective::Moves => LevelEncoding::Moves(ByMoves::Own),
        }
    }

    /// What it counts.
    pub fn objective(self) -> Objective {
        match self {
            LevelEncoding::Pushes(_) => Objective::Pushes,
            LevelEncoding::Moves(_) => Objective::Moves,
        }
    }
}

impl fmt::Display for LevelEncoding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            LevelEncoding::Pushes(ByPushes::Tamura(blocks)) => write!(f, "tamura{blocks}"),
            LevelEncoding::Pushes(ByPushes::Own) => f.write_str("pushes"),
            LevelEncoding::Moves(ByMoves::Paper) => f.write_str("moves"),
            LevelEncoding::Moves(ByMoves::Own) => f.write_str("moves+lean"),
        }
    }
}

impl fmt::Display for Blocks {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let options = [(self.dead, "+dead"), (self.bad, "+bad")];
        let mut given = options.iter().filter(|option| option.0);
        given.try_for_each(|option| f.write_str(option.1))
    }
}

impl FromStr for LevelEncoding {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<LevelEncoding, UnknownName> {
        find(LevelEncoding::ALL, text).ok_or_else(|| unknown(text, &LevelEncoding::forms()))
    }
}
