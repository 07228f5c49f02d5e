//! A joint step: what all players of a level do at once.

use noyes_puzzle::tiles::Direction;

/// What all players do in a step.
pub type JointStep = Box<[Option<Direction>]>;
