//! The self-test: a card that does not count as the CPU does is not used.
//!
//! The first limits of some random boards are searched to their ends on both. A wrong bit in a table or in a kernel shows in
//! the counts: they are sums over hundreds of thousands of states.

use noyes_puzzle::tiles::{Board, Generator, random_board};

use super::device::{Device, DeviceError};
use crate::control::Control;
use crate::tiles::subtrees::{Deepening, Run, Searched};

/// The boards, and about how many states of each the CPU counts: a tenth of a second.
const BOARDS: u64 = 3;
const STATES: u64 = 500_000;

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
        let limits = |upper: u32, device: Option<&dyn Device>, control: &Control| {
            let run = Run {
                upper,
                device,
                ..Run::new(control)
            };
            let mut limits: Vec<Searched> = vec![];
            // Without checkpoints there is no error.
            let _ = deepening.searched(&board, run, &mut |limit| limits.push(limit));
            limits
        };
        let control = Control::new();
        let expected = limits(u32::MAX, None, &control.within(STATES));
        let Some(last) = expected.last() else {
            continue;
        };
        let counted = limits(last.limit + 1, Some(device), &control);
        if let Some(error) = device.failure() {
            return Err(error);
        }
        if counted != expected {
            let both = expected.iter().zip(&counted);
            let right = both.take_while(|(cpu, card)| cpu == card).count();
            let limit = expected.get(right).unwrap_or(last).limit;
            return Err(DeviceError(format!(
                "the self-test failed: on {board}, the card does not count the states within {limit} moves as the CPU does. \
                 Its answers cannot be trusted (expected a search without --device gpu)"
            )));
        }
    }
    Ok(())
}
