//! Beams on a device before a limit: a plan within it, without searching it (`gpu/beam.rs`).
//!
//! The first beam is narrow, because that finds many plans and takes next to no time, and each one is eight times as wide
//! as the one before, up to the width that the device thinks the limit is worth.

use noyes_puzzle::tiles::Direction;

use super::node::Node;
use crate::control::Control;
use crate::counts::Counts;
use crate::tiles::gpu::{Beamed, Device, DeviceError, push};

/// No beam has fewer nodes in a layer, if more are allowed.
const LEAST_WIDTH: usize = 2_048;

/// Looks for a plan within the limit of the root, after a limit with this number of states expanded. A device that fails
/// says so in the search that follows.
pub fn beams<const PARTS: usize>(
    device: &dyn Device,
    root: &Node<PARTS>,
    parts: usize,
    last: u64,
    counts: &mut Counts,
    control: &Control,
) -> Option<Vec<Direction>> {
    for width in widths(device.beam_width(last)) {
        let beamed = beam_on(device, root, width, parts, control).ok()?;
        counts.expanded += beamed.expanded;
        counts.generated += beamed.generated;
        if let Some(path) = beamed.found {
            return Some(plan_of(&path));
        }
    }
    None
}

/// One beam.
pub fn beam_on<const PARTS: usize>(
    device: &dyn Device,
    root: &Node<PARTS>,
    width: usize,
    parts: usize,
    control: &Control,
) -> Result<Beamed, DeviceError> {
    let mut piece = vec![];
    push(&mut piece, root, &[], 0, parts);
    device.beam(&piece, width, &|| control.poll_stop().is_err())
}

/// The widths of the beams, up to the largest one.
fn widths(most: usize) -> Vec<usize> {
    let mut widths = vec![];
    let mut width = most;
    while width > 0 && (width == most || width >= LEAST_WIDTH) {
        widths.insert(0, width);
        width /= 8;
    }
    widths
}

/// The moves of a path.
pub fn plan_of(path: &[u8]) -> Vec<Direction> {
    let moves = path.iter();
    moves.map(|&d| Direction::ALL[usize::from(d)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beams_grow_eightfold_up_to_the_largest() {
        assert!(widths(0).is_empty());
        assert_eq!(widths(100), [100]);
        assert_eq!(widths(2_048 * 64 + 5), [2_048, 16_384, 2_048 * 64 + 5]);
    }
}
