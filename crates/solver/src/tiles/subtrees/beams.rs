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
/// Beams for longer plans before a limit.
const SCOUTS: usize = 2;

/// The beams of a search, and the best plan that they have found.
pub struct Beams<'a> {
    device: &'a dyn Device,
    parts: usize,
    /// The length of a plan that is known.
    upper: u32,
    best: Option<Vec<Direction>>,
    control: &'a Control,
}

impl<'a> Beams<'a> {
    /// Nothing is found yet; plans of fewer moves than `upper` are of use.
    pub fn new(device: &'a dyn Device, parts: usize, upper: u32, control: &'a Control) -> Self {
        Beams {
            device,
            parts,
            upper,
            best: None,
            control,
        }
    }

    /// A plan within the limit of the root, if there is one at hand or a beam finds one. `last` is the number of states expanded
    /// in the limit before. A device that fails says so in the search that follows.
    pub fn within<const PARTS: usize>(
        &mut self,
        root: &Node<PARTS>,
        last: u64,
        counts: &mut Counts,
    ) -> Option<Vec<Direction>> {
        let width = self.device.beam_width(last);
        let limit = u32::from(root.left());
        for width in widths(width) {
            if self.upper <= limit {
                break;
            }
            self.beam(root, width, counts)?;
        }
        for _ in 0..SCOUTS {
            // All plans have the same parity.
            let most = self.upper.saturating_sub(1).min(MOST_MOVES);
            let wanted = most - most.abs_diff(limit) % 2;
            if width < WIDER || wanted <= limit {
                break;
            }
            self.beam(&root.within(wanted as u8), width / WIDER, counts)?;
        }
        self.best.take_if(|plan| plan.len() as u32 <= limit)
    }

    /// The best plan so far.
    pub fn best(self) -> Option<(Vec<Direction>, u32)> {
        let plan = self.best?;
        let length = plan.len() as u32;
        Some((plan, length))
    }

    /// One beam; nothing if the device fails.
    fn beam<const PARTS: usize>(
        &mut self,
        root: &Node<PARTS>,
        width: usize,
        counts: &mut Counts,
    ) -> Option<()> {
        let beamed = beam_on(self.device, root, width, self.parts, self.control).ok()?;
        counts.expanded += beamed.expanded;
        counts.generated += beamed.generated;
        if let Some(path) = beamed.found {
            self.upper = path.len() as u32;
            self.control.reduce_upper(self.upper);
            self.best = Some(plan_of(&path));
        }
        Some(())
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
