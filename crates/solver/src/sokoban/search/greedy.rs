//! A greedy search from both ends: best-first by g + w·h with a large weight w.
//!
//! It pushes from the start and pulls from the goals, and always continues at the end
//! that has seen fewer states. The two ends meet long before either has seen what an
//! optimal search has to see. PI-corrals prune pushes and dead states. After some
//! thousand states, half of those expanded from the start are chosen by the order in
//! which goals should be filled; see `guide`.
//!
//! With more boxes than goals, the extra boxes could end up anywhere. Then there is
//! no other end to search from.
//!
//! The weight is due to Pohl: First results on the effect of error in heuristic
//! search. Machine Intelligence 5, 1970.

use noyes_puzzle::tiles::Direction;

use super::guide::Guide;
use super::half::PushHalf;
use super::plan::{follow, follow_from};
use super::setup::Setup;
use crate::control::{Control, Pace, Stop};
use crate::core::blocks::Id;
use crate::core::memory::Memory;
use crate::core::queue::{Buckets, Pool};
use crate::core::words::hash_of;
use crate::counts::Counts;
use crate::sokoban::bound::distance::{Distances, Way};

/// After this many states, the search for a first plan also follows a goal order.
const WAIT: u64 = 2_000;

/// A weighted best-first search from both ends, which can be continued after a budget is used up.
pub(super) struct Greedy<'a> {
    setup: &'a Setup,
    weight: u32,
    pub(super) ends: Vec<PushHalf<'a>>,
    pool: Pool,
    open: Vec<Buckets>,
    due: Pace,
    guide: Option<Guide<'a>>,
    /// The number of states after which a goal order helps, in addition to the bound.
    wait: u64,
    expanded: u64,
}

impl<'a> Greedy<'a> {
    /// A search that has not begun; `from_start` has the distances from the boxes of the start. With `guided`, a goal
    /// order helps.
    pub(super) fn new(
        setup: &'a Setup,
        from_start: &'a Distances,
        weight: u32,
        guided: bool,
    ) -> Greedy<'a> {
        let mut ends = vec![PushHalf::new(setup, &setup.distances, Way::Push, true)];
        if setup.surplus == 0 {
            ends.push(PushHalf::new(setup, from_start, Way::Pull, false));
        }
        for end in &mut ends {
            end.greedy = true;
        }
        Greedy {
            setup,
            weight,
            pool: Pool::new(),
            open: ends.iter().map(|_| Buckets::new()).collect(),
            ends,
            due: setup.field.pace(),
            guide: None,
            wait: if guided { WAIT } else { u64::MAX },
            expanded: 0,
        }
    }

    /// Opens the states to begin from; false if there is no plan.
    fn begin(&mut self, memory: &mut Memory) -> Result<bool, Stop> {
        for (end, open) in self.ends.iter_mut().zip(&mut self.open) {
            end.begin(memory)?;
            for &(id, g, h) in &end.fresh {
                let key = (4 * g + self.weight * h, h);
                self.pool.push(open, key, id, memory)?;
            }
        }
        Ok(self.ends.iter().all(|end| end.seen.len() > 0))
    }

    /// Searches until this many more states have been expanded. None if there is no plan.
    pub(super) fn run(
        &mut self,
        most: u64,
        counts: &mut Counts,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<Option<Vec<Direction>>, Stop> {
        if self.ends[0].seen.len() == 0 {
            if !self.begin(memory)? {
                return Ok(None);
            }
            let [first, ..] = &self.ends[..] else {
                return Ok(None);
            };
            let start = first.seen.state(0);
            let is_end = |end: &PushHalf| end.seen.find(start, hash_of(start)).is_some();
            if first.seen.value(0).h == 0 && self.ends.get(1).is_none_or(is_end) {
                return Ok(Some(vec![]));
            }
        }
        let end = self.expanded.saturating_add(most);
        loop {
            // 1. A search that takes long is also guided by a goal order.
            if self.expanded >= self.wait {
                self.wait = u64::MAX;
                self.guide = Guide::new(self.setup, memory)?;
                if let Some(guide) = &mut self.guide {
                    let (pool, open) = (&mut self.pool, &mut self.open[0]);
                    guide.join(&self.ends[0].seen, pool, open, memory)?;
                }
            }
            if self.expanded >= end {
                return Err(Stop::Budget);
            }
            // 2. The end that has seen fewer states continues.
            let ends = &mut self.ends;
            let side = usize::from(ends.len() > 1 && ends[1].seen.len() < ends[0].seen.len());
            let next = match &mut self.guide {
                Some(guide) if side == 0 => guide.take(&mut self.pool, &mut self.open[0], memory),
                _ => (self.pool.pop(&mut self.open[side], memory)).map(|(_, id)| id),
            };
            let Some(id) = next else {
                return Ok(None);
            };
            if self.due.is_due() {
                control.poll(counts)?;
            }
            self.expanded += 1;
            // 3. Its pushes or pulls. If the two ends meet, there is a plan.
            let (one, two) = ends.split_at_mut(1);
            let (half, other) = match side {
                0 => (&mut one[0], two.first()),
                _ => (&mut two[0], one.first()),
            };
            let met = half.expand(
                id,
                &mut u32::MAX.clone(),
                other.map(|o| &o.seen),
                counts,
                memory,
            )?;
            let solved = half.fresh.iter().find(|fresh| fresh.2 == 0);
            let plan = match (met, solved) {
                (Some((_, here, there)), _) => Some(if side == 0 {
                    (here, Some(there))
                } else {
                    (there, Some(here))
                }),
                (None, Some(&(id, ..))) if other.is_none() => Some((id, None)),
                _ => None,
            };
            if let Some((first, second)) = plan {
                return Ok(Some(plan_of(self.setup, &self.ends, first, second)));
            }
            for &(id, g, h) in &half.fresh {
                let key = (4 * g + self.weight * h, h);
                self.pool.push(&mut self.open[side], key, id, memory)?;
            }
            if side == 0
                && let Some(guide) = &mut self.guide
            {
                for &(id, _, h) in &half.fresh {
                    guide.push(&half.seen, id, h, &mut self.pool, memory)?;
                }
            }
        }
    }

    /// The pushes between one end of the search and a state that it has seen.
    pub(super) fn pushes_to(&self, side: usize, id: Id) -> Vec<(u16, usize)> {
        let Setup { field, packing, .. } = self.setup;
        let seen = &self.ends[side].seen;
        let mut chain = self.ends[side].chain(id);
        let (mut boxes, mut player) = (field.boxes.clone(), field.player);
        if side == 1 {
            chain.reverse();
            player = packing.unpack(seen.state(id), &mut boxes);
        }
        let states = chain.iter().skip(1).map(|&id| seen.state(id));
        follow_from(self.setup, &boxes, player, states)
    }
}

/// The plan through a state of each end, or through a solved state of the first.
fn plan_of(setup: &Setup, ends: &[PushHalf], first: Id, second: Option<Id>) -> Vec<Direction> {
    let there = ends[0].chain(first);
    let back = second.map_or(vec![], |second| ends[1].chain(second));
    let keys = (there.iter().skip(1).map(|&id| ends[0].seen.state(id)))
        .chain(back.iter().rev().skip(1).map(|&id| ends[1].seen.state(id)));
    follow(setup, keys)
}
