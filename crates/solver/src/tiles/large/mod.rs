//! Short plans on large boards: a beam search that sorts all tiles at once, and fixes the border piece by piece.

mod escort;
mod guide;
mod improve;
mod peel;

pub(super) use improve::{fits, improve};
