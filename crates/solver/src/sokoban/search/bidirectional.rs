//! Fewest pushes from both ends: pushes from the start, pulls from the goals.
//!
//! For a bound F on the pushes of a plan, both halves look only at states whose
//! cost so far plus matching bound is at most F. One half goes forward to depth m,
//! the other backward to depth n, with m + n >= F. If there is a plan of at most F
//! pushes, both halves know its state after m pushes. So F starts at the lower
//! bound of the start and grows until the halves meet, and the first meeting that
//! costs F is optimal. F grows by two: each push moves a box to a cell of the other
//! colour of a chessboard, so the numbers of pushes of all plans have the same
//! parity. F is a lower bound all the time. States that cost more than F wait, so
//! no work is done twice. The half with fewer states waiting at its depth goes
//! deeper.
//!
//! The search completes the last bound even after the halves have met. Then they
//! have all states of all plans of fewest pushes, which `ties` needs. If that is
//! not needed, PI-corrals prune. They leave some plan of fewest pushes, all of whose
//! states the other half knows, and the first meeting within the bound is enough.
//!
//! No bound is too high, so no state on a cheapest path costs more, with its bound,
//! than the whole path.
//!
//! The search requires as many boxes as goals: extra boxes could end up anywhere.
//!
//! Barley, Riddle, Linares Lopez, Dobson, Pohl: GBFHS: A generalized breadth-first
//! heuristic search algorithm. Symposium on Combinatorial Search, 2018.

use super::found::Costed;
use super::half::{Meeting, PushHalf};
use super::plan::follow;
use super::setup::Setup;
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::sokoban::bound::distance::{Distances, Way};

use crate::core::words::hash_of;

/// A search for fewest pushes from both ends.
pub(crate) struct Bidirectional<'a> {
    pub(crate) setup: &'a Setup,
    control: &'a Control,
    pub(crate) ends: [PushHalf<'a>; 2],
    /// How deep each half goes: it expands the states that cost less than this.
    pub(crate) depth: [usize; 2],
    /// The lower bound: no plan has fewer pushes.
    pub(crate) lower: u32,
    best: Option<Meeting>,
    /// The pushes of a plan that is known from elsewhere.
    known: u32,
    /// Whether PI-corrals prune, because a single plan of fewest pushes is enough.
    prune: bool,
    /// The search stops once this many states have been expanded in total.
    end: u64,
    pace: Pace,
}

impl<'a> Bidirectional<'a> {
    /// A search that has not begun. `known` is the number of pushes of a plan found elsewhere, `u32::MAX` without one;
    /// `from_start` has the distances from the boxes of the start.
    pub(crate) fn new(
        setup: &'a Setup,
        from_start: &'a Distances,
        known: u32,
        prune: bool,
        control: &'a Control,
    ) -> Self {
        Bidirectional {
            setup,
            control,
            ends: [
                PushHalf::new(setup, &setup.distances, Way::Push, prune),
                PushHalf::new(setup, from_start, Way::Pull, false),
            ],
            depth: [0, 0],
            lower: 0,
            best: None,
            known,
            prune,
            end: u64::MAX,
            pace: setup.field.pace(),
        }
    }

    /// Searches until the best plan is proven optimal or no states are left. The caller knows that no plan has fewer
    /// pushes than `bound`.
    pub(crate) fn run(
        &mut self,
        mut bound: u32,
        most: u64,
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        self.end = counts.expanded.saturating_add(most);
        counts.generated += 1;
        for end in &mut self.ends {
            end.begin(memory)?;
            end.keep_fresh(memory)?;
        }
        let [forward, backward] = &self.ends;
        if forward.seen.len() > 0 {
            let start = forward.seen.state(0);
            let solved = backward.seen.find(start, hash_of(start));
            self.best = solved.map(|met| (0, 0, met));
        }
        while let (Some(a), Some(b)) = (self.ends[0].waiting.least(), self.ends[1].waiting.least())
        {
            // 1. The least bound that is still possible.
            self.lower = bound.max(a).max(b);
            bound = self.lower + 2;
            if self.best_pushes() < self.lower {
                break;
            }
            self.control.raise_lower(self.lower);
            // 2. All states within the bound, as deep as the halves need to meet.
            self.depth = [0, 0];
            while self.depth[0] + self.depth[1] < self.lower as usize {
                let waiting = [0, 1]
                    .map(|side| (self.ends[side].waiting).count(self.depth[side], self.lower));
                let side = usize::from(waiting[1] < waiting[0]);
                self.drain(side, self.depth[side], counts, memory)?;
                if self.prune && self.best_pushes() <= self.lower {
                    return Ok(());
                }
                self.depth[side] += 1;
            }
            if self.best_pushes() <= self.lower {
                break;
            }
        }
        // 3. A half with no states left has seen everything within the pushes of the best plan.
        let pushes = self.best_pushes();
        if pushes < u32::MAX && self.depth[0] + self.depth[1] != pushes as usize {
            self.depth = match self.ends[0].waiting.least() {
                None => [pushes as usize, 0],
                Some(_) => [0, pushes as usize],
            };
        }
        Ok(())
    }

    /// The pushes of the best plan found or known; `u32::MAX` without a plan.
    pub(crate) fn best_pushes(&self) -> u32 {
        self.best.map_or(self.known, |(cost, ..)| cost)
    }

    fn drain(
        &mut self,
        side: usize,
        g: usize,
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        let mut best = self.best_pushes();
        let (one, two) = self.ends.split_at_mut(1);
        let (half, other) = if side == 0 {
            (&mut one[0], &two[0])
        } else {
            (&mut two[0], &one[0])
        };
        while let Some(id) = half.take(g, self.lower, memory) {
            if self.pace.is_due() {
                self.control.poll(counts)?;
            }
            if counts.expanded > self.end {
                return Err(Stop::Budget);
            }
            let met = half.expand(id, &mut best, Some(&other.seen), counts, memory)?;
            half.keep_fresh(memory)?;
            if let Some((cost, here, there)) = met {
                let (first, second) = if side == 0 {
                    (here, there)
                } else {
                    (there, here)
                };
                self.best = Some((cost, first, second));
                self.control.reduce_upper(cost);
                if self.prune && cost <= self.lower {
                    break;
                }
            }
        }
        Ok(())
    }

    /// The best plan found, with its pushes and moves.
    pub(crate) fn plan(&self) -> Option<Costed> {
        let (pushes, first, second) = self.best?;
        let [forward, backward] = &self.ends;
        let there = forward.chain(first);
        let back = backward.chain(second);
        let keys = (there.iter().skip(1).map(|&id| forward.seen.state(id)))
            .chain(back.iter().rev().skip(1).map(|&id| backward.seen.state(id)));
        let plan = follow(self.setup, keys);
        let moves = plan.len() as u32;
        Some((plan, (pushes, moves)))
    }
}
