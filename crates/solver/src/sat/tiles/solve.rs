//! Plans of boards by SAT.

use std::sync::Arc;

use noyes_puzzle::tiles::{Board, Direction};

use super::lean::Facts;
#[cfg(feature = "cadical")]
use super::lean::Lean;
use super::make::of_board;
use super::name::BoardEncoding;
use crate::control::Control;
use crate::sat::ask::{Solved, Task};
use crate::sat::backend::BackendName;
use crate::sat::keep::Keep;
use crate::sat::options::SatOptions;
#[cfg(feature = "cadical")]
use crate::sat::options::is_lazy;

/// The most that building tables leaves behind in the allocator; more growth comes from other solves.
const MOST_KEPT: usize = 64 << 20;

/// A board that can be solved, and what is known of it beforehand.
pub(crate) struct KnownBoard<'a> {
    pub start: &'a Board,
    pub goal: &'a Board,
    /// No plan is shorter.
    pub lower: u32,
    /// The length of some plan.
    pub surely: Option<u32>,
    /// By how much the process grew while the tables were built: the allocator may keep more than the tables take.
    pub built: usize,
    /// What lean looks up as it goes.
    pub facts: Option<Arc<Facts>>,
}

impl KnownBoard<'_> {
    /// Solves it.
    pub(crate) fn solve(
        &self,
        options: &SatOptions<BoardEncoding>,
        control: &Control,
    ) -> Solved<Direction> {
        let &KnownBoard { start, goal, .. } = self;
        let lower = of_parity(start, goal, self.lower);
        if start == goal {
            control.raise_lower(lower);
            return Solved::empty();
        }
        let encoding = options.encoding;
        let make = |question| of_board(encoding, start, goal, question);
        #[cfg(not(feature = "cadical"))]
        let other = |_: &BackendName| -> Option<Box<dyn Keep<Direction>>> { None };
        #[cfg(feature = "cadical")]
        let other = |backend: &BackendName| -> Option<Box<dyn Keep<Direction>>> {
            let lean = || Lean::new(start, goal, self.facts.clone());
            is_lazy(encoding, backend).then(|| Box::new(lean()) as _)
        };
        let task = Task {
            other: Some(&other),
            is_for_one_bound: encoding.is_for_one_bound(),
            is_optimal: encoding.is_optimal(),
            surely: self.surely,
            table_bytes: self.facts.as_ref().map_or(0, |facts| {
                let bytes = facts.table_bytes();
                bytes.max(self.built.min(bytes + MOST_KEPT))
            }),
            ..Task::new(&make, lower, 2)
        };
        task.run(&options.clone().with(()), control)
    }
}

/// The bound, raised to the parity that all plans have: that of the blank's distance from its goal.
fn of_parity(start: &Board, goal: &Board, lower: u32) -> u32 {
    let side = |b: &Board| b.blank() % b.width() + b.blank() / b.width();
    lower + (side(start) + side(goal) + lower as usize) as u32 % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_get_the_parity_of_plans() {
        let board: Board = "1 2 3/4 0 6/7 5 8".parse().unwrap();
        let goal = Board::blank_last(3, 3);
        assert_eq!(of_parity(&board, &goal, 1), 2);
        assert_eq!(of_parity(&board, &goal, 2), 2);
    }
}
