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
//! A search that prunes also dives: within each bound it takes some states of every
//! layer, all the way to the other end, before and while it completes the layers. If the
//! bound is the optimum, that often finds a plan long before the halves meet.
//!
//! A long search that prunes also sends out beams in turns with all this; see `beam`.
//!
//! In a long search each half also tells the other how far off its bound is; see
//! `errors`.
//!
//! No bound is too high, so no state on a cheapest path costs more, with its bound,
//! than the whole path.
//!
//! The search requires as many boxes as goals: extra boxes could end up anywhere.
//!
//! Barley, Riddle, Linares Lopez, Dobson, Pohl: GBFHS: A generalized breadth-first
//! heuristic search algorithm. Symposium on Combinatorial Search, 2018.

use super::beam::Beams;
use super::errors::Window;
use super::found::Costed;
use super::half::{Meeting, PushHalf};
use super::plan::follow;
use super::setup::Setup;
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::sokoban::bound::conflicts::Conflicts;
use crate::sokoban::bound::distance::{Distances, Way};

use crate::core::words::hash_of;

/// A search that prunes dives each time it has expanded this many states of a layer.
const TURN: u64 = 20_000;
/// Between dives that find nothing within a bound, there is one turn more each time, up to this many.
const MOST_PAUSE: u32 = 8;
/// The states that a dive takes from each half.
const DIVE: u64 = 3_000;

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
    /// Beams, in a long search that prunes, and the plan that they have found.
    beams: Option<Beams<'a>>,
    from_beam: Option<Costed>,
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
            beams: None,
            from_beam: None,
            known,
            prune,
            end: u64::MAX,
            pace: setup.field.pace(),
        }
    }

    /// Refines the bounds of both halves for a long search.
    pub(crate) fn refine(
        &mut self,
        conflicts: [Option<&'a Conflicts>; 2],
        from_start: &'a Distances,
    ) {
        self.ends[0].refine(conflicts[0], from_start);
        self.ends[1].refine(conflicts[1], &self.setup.distances);
        if self.prune {
            self.beams = Some(Beams::new(self.setup, from_start, conflicts));
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
            self.lower = bound.max(a.total).max(b.total);
            bound = self.lower + 2;
            if self.best_pushes() < self.lower {
                break;
            }
            self.control.raise_lower(self.lower);
            for end in &mut self.ends {
                end.limit = self.lower;
            }
            if self.dive(counts, memory)? {
                return Ok(());
            }
            // 2. All states within the bound, as deep as the halves need to meet.
            self.depth = [0, 0];
            let (mut turns, mut pause) = (0, 1);
            while self.depth[0] + self.depth[1] < self.lower as usize {
                let windows = [0, 1].map(|side| self.window(side));
                let waiting = [0, 1].map(|side| {
                    let layer = self.depth[side];
                    (self.ends[side].waiting).count(layer, |state| windows[side].has(state))
                });
                let side = usize::from(waiting[1] < waiting[0]);
                let layer = self.depth[side];
                while self.drain(side, layer, &windows[side], TURN, counts, memory)? == TURN {
                    turns += 1;
                    if turns < pause {
                        continue;
                    }
                    (turns, pause) = (0, (pause + 1).min(MOST_PAUSE));
                    if self.dive(counts, memory)? {
                        return Ok(());
                    }
                }
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
        let known = match &self.from_beam {
            Some((_, cost)) => cost.0,
            None => self.known,
        };
        self.best.map_or(known, |(cost, ..)| cost.min(known))
    }

    /// What one half has to expand at its depth.
    fn window(&self, side: usize) -> Window {
        let other = &self.ends[1 - side].waiting;
        Window::new(self.lower, other.keys(self.depth[1 - side]))
    }

    /// Sends out beams if they are due, and takes some states of each layer, from both ends. Whether that found a plan
    /// within the bound.
    fn dive(&mut self, counts: &mut Counts, memory: &mut Memory) -> Result<bool, Stop> {
        if !self.prune {
            return Ok(false);
        }
        if let Some(beams) = &mut self.beams
            && let Some(plan) = beams.round(self.lower, counts, memory, self.control)?
        {
            self.control.reduce_upper(plan.1.0);
            self.from_beam = Some(plan);
            return Ok(true);
        }
        let each = (DIVE / u64::from(self.lower.max(1))).max(1);
        let window = Window::wide(self.lower);
        for side in [0, 1] {
            for layer in 0..self.lower as usize {
                self.drain(side, layer, &window, each, counts, memory)?;
                if self.best_pushes() <= self.lower {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Expands states of a layer, at most as many as `most`. Returns how many it has expanded. A search that prunes
    /// stops at a plan within the bound.
    fn drain(
        &mut self,
        side: usize,
        layer: usize,
        window: &Window,
        most: u64,
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<u64, Stop> {
        let mut best = self.best_pushes();
        let (one, two) = self.ends.split_at_mut(1);
        let (half, other) = if side == 0 {
            (&mut one[0], &two[0])
        } else {
            (&mut two[0], &one[0])
        };
        let mut done = 0;
        while done < most
            && let Some(id) = half.take(layer, window, memory)
        {
            if self.pace.is_due() {
                self.control.poll(counts)?;
            }
            if counts.expanded > self.end {
                return Err(Stop::Budget);
            }
            let before = counts.generated;
            let met = half.expand(id, &mut best, Some(&other.seen), counts, memory)?;
            // A state that turns out to cost more than the bound goes on waiting.
            done += u64::from(counts.generated > before);
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
        Ok(done)
    }

    /// The best plan found, with its pushes and moves.
    pub(crate) fn plan(&self) -> Option<Costed> {
        if let Some(plan) = &self.from_beam {
            return Some(plan.clone()); // the search has ended with it
        }
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
