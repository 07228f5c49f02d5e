//! The self-test: a card that does not count as the CPU does is not used.
//!
//! The first limit of some random boards is searched to its end on both. A wrong bit in a table or in a kernel shows in the
//! counts: they are sums over thousands of states.

use noyes_puzzle::tiles::{Board, Generator, random_board};

use super::device::{Device, DeviceError};
use crate::control::Control;
use crate::tiles::subtrees::{Deepening, Run, Searched};

/// The boards, and the most states of each on the CPU.
const BOARDS: u64 = 4;
const MOST_STATES: u64 = 2_000_000;

/// Compares the counts of a device with those of the CPU.
///
/// # Errors
/// If they differ, or the device fails.
pub fn self_test(
    deepening: &Deepening,
    goal: &Board,
    device: &dyn Device,
) -> Result<(), DeviceError> {
    for i in 0..BOARDS {
        let board = random_board(goal, &mut Generator::new(20, i));
        let control = Control::new().within(MOST_STATES);
        let first_limit = |device: Option<&dyn Device>| -> Option<Searched> {
            let run = Run {
                upper: deepening.bound(&board) + 2,
                device,
                ..Run::new(&control)
            };
            let mut first = None;
            let outcome = deepening.searched(&board, run, &mut |limit| first = Some(limit));
            // Without checkpoints there is no error; a plan within the first limit leaves nothing to compare.
            outcome.ok().and(first)
        };
        let Some(expected) = first_limit(None) else {
            continue;
        };
        let counted = first_limit(Some(device));
        if counted != Some(expected) {
            return Err(DeviceError(format!(
                "the self-test failed on {board}: {expected:?} on the CPU, {counted:?} on the card"
            )));
        }
    }
    Ok(())
}
