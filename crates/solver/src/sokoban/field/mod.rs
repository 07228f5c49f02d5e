//! One player's part of a level: its floor, the player's walks on it, and states packed into machine words.

pub(super) mod enclosure;
pub(super) mod near;
pub(super) mod packing;
pub(super) mod position;
mod sides;
pub(super) mod walk;
