//! Which encoding writes down a puzzle: the one asked for, if it can, or else our own.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Board;

use super::level::name::{LevelEncoding, MOST_FLOOR};
use super::name::EncodingName;
use super::tiles::name::{BoardEncoding, MOST_CELLS};
use crate::names::{Objective, Unit};

/// An encoding that cannot write down a puzzle, or does not count what is wanted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unfit {
    /// An encoding of levels, for a board.
    #[error(
        "the encoding {encoding} is for levels of Sokoban, not for a board of {size} (expected {})",
        BoardEncoding::forms().join(", ")
    )]
    ForLevels {
        /// The encoding.
        encoding: LevelEncoding,
        /// The size of the board.
        size: String,
    },
    /// A board that is too large, or has nothing to move.
    #[error(
        "the encoding {encoding} is for boards of 2 to {MOST_CELLS} cells, not for a board of {size}"
    )]
    Cells {
        /// The encoding.
        encoding: BoardEncoding,
        /// The size of the board.
        size: String,
    },
    /// It counts something else.
    #[error(
        "the encoding {encoding} does not give the fewest {wanted} of a level (expected {})",
        LevelEncoding::forms_for(if *wanted == Unit::Pushes { Objective::Pushes } else { Objective::Moves }).join(", ")
    )]
    Counts {
        /// The encoding.
        encoding: EncodingName,
        /// What the level is to have fewest of.
        wanted: Unit,
    },
    /// The level is too large.
    #[error("the encodings of levels are for up to {MOST_FLOOR} cells of floor, not {floor}")]
    Large {
        /// Its cells of floor.
        floor: usize,
    },
}

/// The encoding to use for a board: the one asked for, or our own.
///
/// # Errors
/// If it is not for boards, or not for boards of this size.
pub fn fit_board(encoding: Option<EncodingName>, start: &Board) -> Result<BoardEncoding, Unfit> {
    let size = || start.size();
    let encoding = match encoding {
        None => BoardEncoding::default(),
        Some(EncodingName::Board(encoding)) => encoding,
        Some(EncodingName::Level(encoding)) => {
            return Err(Unfit::ForLevels {
                encoding,
                size: size(),
            });
        }
    };
    if (2..=MOST_CELLS).contains(&start.tiles().len()) {
        Ok(encoding)
    } else {
        Err(Unfit::Cells {
            encoding,
            size: size(),
        })
    }
}

/// The encoding to use for a level: the one asked for, or our own. Crews count steps, whatever the objective.
///
/// # Errors
/// If it does not count what is wanted, or the level is too large.
pub fn fit_level(
    encoding: Option<EncodingName>,
    level: &Level,
    objective: Objective,
) -> Result<LevelEncoding, Unfit> {
    let floor = (0..level.cells() as u32).filter(|&cell| level.is_floor(cell as u16));
    let floor = floor.count();
    if floor > MOST_FLOOR {
        return Err(Unfit::Large { floor });
    }
    let is_crew = level.players().len() > 1;
    let (counts, wanted) = if is_crew {
        (Objective::Moves, Unit::Steps)
    } else {
        (objective, objective.into())
    };
    match encoding {
        None => Ok(LevelEncoding::default_for(counts)),
        Some(EncodingName::Level(encoding)) if encoding.objective() == counts => Ok(encoding),
        Some(encoding) => Err(Unfit::Counts { encoding, wanted }),
    }
}
