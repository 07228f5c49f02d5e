//! A joint step: what all players of a level do at once.

use noyes_puzzle::tiles::Direction;

/// What each player does in one step; `None` means that the player waits.
pub type JointStep = Box<[Option<Direction>]>;
