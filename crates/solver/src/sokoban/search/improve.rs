//! Better plans from a plan: parts of it are replaced by optimal ones.
//!
//! A plan of a large level is far from optimal, and the optimum is out of reach. But a
//! window of some dozen pushes is a small level of its own: the boxes are where the plan
//! has them before the window, and the goals are where it has them after it. The optimal
//! search solves that level within a budget of states. If its plan is cheaper and the
//! rest of the whole plan can still be made after it, it replaces the window. The new
//! plan is kept only if it costs less as a whole.
//!
//! Windows overlap by half. When no window of one size helps any more, or their budgets
//! are used up, the next size is twice as long with twice the budget, until a window is
//! the whole plan or too many of them exceed their budgets.
//!
//! Windows of this kind are in the optimizers of YASS and of `JSoko`.

use noyes_puzzle::sokoban::Level;

use super::found::{Costed, Pair};
use super::optimal::optimal;
use super::part::{part_of, pushes_in_whole};
use super::plan::{pushes_of, walked};
use super::setup::Setup;
use crate::control::{Control, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::names::Objective;

/// The pushes of the first windows.
const FIRST: usize = 12;
/// The states that a search of the first windows may generate.
const BUDGET: u64 = 20_000;
/// The largest budget.
const MOST: u64 = 320_000;

/// A cheaper plan if windows of the plan can be improved. Stops at a limit without an error: the caller will notice.
pub(crate) fn improve(
    level: &Level,
    setup: &Setup,
    objective: Objective,
    best: Option<Costed>,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Option<Costed> {
    let mut best = best?;
    if setup.surplus > 0 {
        return Some(best);
    }
    let (mut length, mut budget) = (FIRST, BUDGET);
    loop {
        let pushes = pushes_of(setup, &best.0).len();
        let mut windows = Windows {
            level,
            setup,
            objective,
            counts,
            memory,
            control,
        };
        let Ok((used_up, all)) = windows.slide(&mut best, length, budget) else {
            return Some(best);
        };
        if length >= pushes || 2 * used_up > all || budget >= MOST {
            return Some(best);
        }
        (length, budget) = (2 * length, 2 * budget);
    }
}

struct Windows<'a, 'm> {
    level: &'a Level,
    setup: &'a Setup,
    objective: Objective,
    counts: &'a mut Counts,
    memory: &'a mut Memory<'m>,
    control: &'a Control,
}

impl Windows<'_, '_> {
    /// Tries all windows of a length, from the last to the first. Returns how many exceeded the budget, and how many
    /// there were.
    fn slide(
        &mut self,
        best: &mut Costed,
        length: usize,
        budget: u64,
    ) -> Result<(usize, usize), Stop> {
        let mut pushes = pushes_of(self.setup, &best.0);
        let (mut used_up, mut all) = (0, 0);
        let mut end = pushes.len();
        loop {
            let begin = end.saturating_sub(length);
            all += 1;
            match self.window(&pushes, begin, end, budget) {
                Ok(Some(shorter)) => {
                    let plan = walked(self.setup, &shorter);
                    if let Some(plan) = plan {
                        let cost = self.cost(shorter.len(), plan.len());
                        if cost < best.1 {
                            self.control.reduce_upper(cost.0);
                            *best = (plan, cost);
                            pushes = shorter;
                        }
                    }
                }
                Ok(None) => {}
                Err(Stop::Budget) => used_up += 1,
                Err(stop) => return Err(stop),
            }
            if begin == 0 {
                return Ok((used_up, all));
            }
            end = (begin + length / 2).min(pushes.len());
        }
    }

    fn cost(&self, pushes: usize, moves: usize) -> Pair {
        let (pushes, moves) = (pushes as u32, moves as u32);
        match self.objective {
            Objective::Pushes => (pushes, moves),
            Objective::Moves => (moves, pushes),
        }
    }

    /// All pushes, with those of one window replaced by an optimal plan; none if that is no better.
    fn window(
        &mut self,
        pushes: &[(u16, usize)],
        begin: usize,
        end: usize,
        budget: u64,
    ) -> Result<Option<Vec<(u16, usize)>>, Stop> {
        let field = &self.setup.field;
        // 1. The boxes before and after the window.
        let mut boxes = field.boxes.clone();
        let mut player = field.player;
        let (mut before, mut start) = (boxes.clone(), player);
        for (i, &(cell, d)) in pushes[..end].iter().enumerate() {
            if i == begin {
                before.clone_from(&boxes);
                start = player;
            }
            for b in &mut boxes {
                if *b == cell {
                    *b = field.step(cell, d);
                }
            }
            player = cell;
        }
        // 2. The level between them.
        let small = part_of(self.level, field, &before, &boxes, start);
        let bytes = self.memory.bytes();
        let control = (self.control.aside()).within(self.counts.generated.saturating_add(budget));
        let found = Setup::new(&small, self.memory).map(|setup| {
            let found = optimal(
                &setup,
                self.objective,
                None,
                self.counts,
                self.memory,
                &control,
            );
            (setup, found)
        });
        self.memory.release(self.memory.bytes() - bytes);
        let (setup, found) = found?;
        // 3. Its plan in place of the window. Without a proof, a plan may still be better.
        let plan = found.best.map(|(plan, _)| {
            let mut all = pushes[..begin].to_vec();
            all.extend(pushes_in_whole(&setup, &plan, field));
            all.extend_from_slice(&pushes[end..]);
            all
        });
        match (plan, found.end) {
            (Some(plan), _) => Ok(Some(plan)),
            (None, Err(stop)) => Err(stop),
            (None, Ok(())) => Ok(None),
        }
    }
}
