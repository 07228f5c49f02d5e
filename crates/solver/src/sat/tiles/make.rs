//! The encoding of a board by its name.

use noyes_puzzle::tiles::{Board, Direction};

use super::edixhoven::Edixhoven;
use super::lean::Fixed;
use super::name::BoardEncoding;
use super::rotated::Rotated;
use super::transitions::Transitions;
use crate::sat::encoding::{Encoding, Question};

/// The encoding of a board and its goal, which have the same size, for this question first or,
/// if it [is for one bound](BoardEncoding::is_for_one_bound), for this one only.
pub fn of_board(
    encoding: BoardEncoding,
    start: &Board,
    goal: &Board,
    question: Question,
) -> Box<dyn Encoding<Move = Direction>> {
    match encoding {
        BoardEncoding::Edixhoven(extras) => Box::new(Edixhoven::new(start, goal, extras)),
        BoardEncoding::Rotated => Box::new(Rotated::new(start, goal)),
        BoardEncoding::Transitions { repeated } => {
            Box::new(Transitions::new(start, goal, repeated))
        }
        BoardEncoding::Lean { .. } => Box::new(Fixed::new(start, goal, question)),
    }
}
