//! One player's part of a level: its floor, where the player walks on it, and states on it in few words.

pub(super) mod enclosure;
pub(super) mod packing;
pub(super) mod position;
mod sides;
pub(super) mod walk;
