//! The encoding of a level by its name.

use noyes_puzzle::sokoban::Level;

use super::boxes::Push;
use super::moves::Moves;
use super::name::{ByMoves, ByPushes};
use super::nameless::Nameless;
use super::pushes::Pushes;
use super::tamura::Tamura;
use crate::sat::encoding::Encoding;
use crate::sokoban::JointStep;

/// An encoding that counts pushes.
///
/// # Panics
/// If there are several players.
pub fn by_pushes(level: &Level, encoding: ByPushes) -> Box<dyn Encoding<Move = Push>> {
    match encoding {
        ByPushes::Tamura(blocks) => Box::new(Tamura::new(level, blocks)),
        ByPushes::Own => Box::new(Pushes::new(level)),
    }
}

/// An encoding that counts moves.
pub fn by_moves(
    level: &Level,
    wait: bool,
    encoding: ByMoves,
) -> Box<dyn Encoding<Move = JointStep>> {
    match encoding {
        ByMoves::Own => Box::new(Nameless::new(level, wait)),
        ByMoves::Paper => Box::new(Moves::new(level, wait)),
    }
}
