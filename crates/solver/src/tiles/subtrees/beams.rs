//! Beams on a device before a limit: a plan within it, without searching it (`gpu/beam.rs`).
//!
//! The first beam is narrow, because that finds many plans and takes next to no time, and each one is eight times as wide
//! as the one before, up to the width that the device thinks the limit is worth.
//!
//! If none finds a plan, narrower ones look for a longer plan: a search that is stopped then has an upper bound, too, and a
//! search whose limits arrive at that bound is done.

use noyes_puzzle::tiles::Direction;

use super::node::Node;
use crate::control::Control;
use crate::counts::Counts;
use crate::tiles::gpu::{Beamed, Device, DeviceError, push};

/// No beam has fewer nodes in a layer, if more are allowed.
const LEAST_WIDTH: usize = 2_048;
/// Each beam is this number of times as wide as the one before, and as those that look for longer plans.
const WIDER: usize = 8;
/// No plan that is looked for has more moves: a byte holds them.
const MOST_MOVES: u32 = 255;

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

/// Looks for plans beyond the limit of the root: some plan at first, then a shorter one, as long as one is found. `known` is the
/// length of the plan known so far, or more than any.
pub fn scout<const PARTS: usize>(
    device: &dyn Device,
    root: &Node<PARTS>,
    parts: usize,
    last: u64,
    known: u32,
    counts: &mut Counts,
    control: &Control,
) -> Option<Vec<Direction>> {
    let width = device.beam_width(last) / WIDER;
    let limit = u32::from(root.left());
    let mut best: Option<Vec<Direction>> = None;
    if width == 0 {
        return None;
    }
    loop {
        let shorter = best.as_ref().map_or(known, |plan| plan.len() as u32);
        // All plans have the same parity.
        let wanted = shorter
            .saturating_sub(2)
            .min(MOST_MOVES - (MOST_MOVES - limit) % 2);
        if wanted <= limit {
            return best;
        }
        let beamed = beam_on(device, &root.within(wanted as u8), width, parts, control);
        let Ok(beamed) = beamed else { return best };
        counts.expanded += beamed.expanded;
        counts.generated += beamed.generated;
        let Some(path) = beamed.found else {
            return best;
        };
        control.reduce_upper(path.len() as u32);
        best = Some(plan_of(&path));
    }
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
        width /= WIDER;
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
