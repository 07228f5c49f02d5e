//! Beams: plans of at most a given number of pushes, sought by a few states per layer.
//!
//! Once no plan has fewer than F pushes, a plan of F pushes is optimal, and it does not
//! matter how it is found. On levels with many boxes the matching bound is often the
//! optimum. Then nearly every push of a plan brings a box nearer to its goal, and states
//! that waste a push are discarded because their bound exceeds F. What is left is still
//! too much to be searched completely: boxes that have nothing to do with each other can
//! be pushed in any order. But for the same reason many orders lead to a plan.
//!
//! A beam goes from layer to layer and expands only the best states of each. First come
//! those with the most pushes to spare. Among them, forward, those in which the player can
//! make the most pushes come first, and backward those in which the player can walk
//! furthest. A round is a beam from the goals and then one from the start, which ends
//! as soon as it reaches a state of the first.
//!
//! A beam proves nothing. So it takes turns with the layers of `bidirectional`, which
//! prove the bound, and expands about a twentieth as many states. In each round within a bound
//! beams are twice as wide as in the round before.
//!
//! Bisiani: Beam search. Encyclopedia of Artificial Intelligence, 1987. Stern, Puzis,
//! Felner: Potential search: a bounded-cost search algorithm. ICAPS 2011.

use super::found::Costed;
use super::half::PushHalf;
use super::plan::follow;
use super::setup::Setup;
use crate::control::{Control, Stop};
use crate::core::blocks::Id;
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::sokoban::bound::conflicts::Conflicts;
use crate::sokoban::bound::distance::{Distances, Way};
use crate::sokoban::field::position::Position;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;

/// The states of a layer in the first round within a bound.
const FIRST_WIDTH: u32 = 32;
/// Beams may expand this many states, and one more for each `SHARE` states of the layers.
const CREDIT: u64 = 40_000;
const SHARE: u64 = 20;

/// When to send out beams, and how wide.
pub(crate) struct Beams<'a> {
    setup: &'a Setup,
    from_start: &'a Distances,
    conflicts: [Option<&'a Conflicts>; 2],
    /// The bound and the width of the next round.
    bound: u32,
    width: u32,
    /// The states that all rounds have expanded, and those of the whole search when it began.
    spent: u64,
    begun: u64,
}

impl<'a> Beams<'a> {
    /// Beams for a search that begins now.
    pub(crate) fn new(
        setup: &'a Setup,
        from_start: &'a Distances,
        conflicts: [Option<&'a Conflicts>; 2],
    ) -> Beams<'a> {
        Beams {
            setup,
            from_start,
            conflicts,
            bound: 0,
            width: 0,
            spent: 0,
            begun: 0,
        }
    }

    /// A round for plans of at most `most` pushes, if it is due.
    pub(crate) fn round(
        &mut self,
        most: u32,
        counts: &mut Counts,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<Option<Costed>, Stop> {
        if self.begun == 0 {
            self.begun = counts.expanded.max(1);
        }
        if most != self.bound {
            (self.bound, self.width) = (most, FIRST_WIDTH);
        }
        let cost = 2 * u64::from(self.width) * u64::from(most);
        let others = counts.expanded - self.begun - self.spent;
        if self.spent + cost > others / SHARE + CREDIT {
            return Ok(None);
        }
        let before = (counts.expanded, memory.bytes());
        let found = Round::new(self, control).run(most, counts, memory);
        memory.release(memory.bytes() - before.1);
        self.spent += counts.expanded - before.0;
        self.width *= 2;
        match found {
            Err(Stop::Memory) => Ok(None), // the layers may still have enough
            found => found,
        }
    }
}

/// A beam from each end.
struct Round<'a, 'c> {
    setup: &'a Setup,
    control: &'c Control,
    width: usize,
    ends: [PushHalf<'a>; 2],
    position: Position,
    walk: Walk,
}

impl<'a, 'c> Round<'a, 'c> {
    fn new(beams: &Beams<'a>, control: &'c Control) -> Self {
        let Beams {
            setup, from_start, ..
        } = *beams;
        let mut ends = [
            PushHalf::new(setup, &setup.distances, Way::Push, true),
            PushHalf::new(setup, from_start, Way::Pull, false),
        ];
        ends[0].refine(beams.conflicts[0], from_start);
        ends[1].refine(beams.conflicts[1], &setup.distances);
        Round {
            setup,
            control,
            width: beams.width as usize,
            ends,
            position: Position::start(&setup.field),
            walk: Walk::new(&setup.field.floor),
        }
    }

    fn run(
        &mut self,
        most: u32,
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<Option<Costed>, Stop> {
        for end in &mut self.ends {
            end.limit = most;
            end.begin(memory)?;
        }
        for side in [1, 0] {
            if let Some(plan) = self.beam(side, most, counts, memory)? {
                return Ok(Some(plan));
            }
        }
        Ok(None)
    }

    /// A beam from one end. Returns a plan if it meets a state of the other end.
    fn beam(
        &mut self,
        side: usize,
        most: u32,
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<Option<Costed>, Stop> {
        let mut layer: Vec<(u32, u32, Id)> = vec![];
        let mut fresh = std::mem::take(&mut self.ends[side].fresh);
        layer.extend(fresh.iter().map(|&(id, ..)| (0, 0, id)));
        for _ in 0..most {
            layer.sort_unstable();
            layer.truncate(self.width);
            let mut next = vec![];
            for &(.., id) in &layer {
                self.control.poll(counts)?;
                let [forward, backward] = &mut self.ends;
                let (half, other) = match side {
                    0 => (forward, backward),
                    _ => (backward, forward),
                };
                half.fresh = fresh;
                let met = half.expand(id, &mut (most + 1), Some(&other.seen), counts, memory)?;
                fresh = std::mem::take(&mut half.fresh);
                if let Some((cost, here, there)) = met {
                    let [first, second] = if side == 0 {
                        [here, there]
                    } else {
                        [there, here]
                    };
                    return Ok(Some(self.plan(cost, first, second)));
                }
                for &(id, g, h) in &fresh {
                    next.push((g + h, u32::MAX - self.rate(side, id), id));
                }
            }
            layer = next;
        }
        Ok(None)
    }

    /// How good a state seems to be: the pushes that the player can make, or backward the cells to walk to.
    fn rate(&mut self, side: usize, id: Id) -> u32 {
        let Setup { field, packing, .. } = self.setup;
        self.position
            .unpack(packing, self.ends[side].seen.state(id));
        let Position {
            boxes,
            player,
            occupied,
        } = &self.position;
        self.walk.from(&field.floor, *player, occupied);
        if side == 1 {
            return self.walk.reached().len() as u32;
        }
        let can_push = |&(cell, d): &(u16, usize)| {
            occupied[usize::from(field.step(cell, d))] == 0
                && self.walk.reaches(field.step(cell, back(d)))
        };
        let pushes = boxes
            .iter()
            .flat_map(|&cell| [0, 1, 2, 3].map(|d| (cell, d)));
        pushes.filter(can_push).count() as u32
    }

    /// The plan through a state of each end.
    fn plan(&self, pushes: u32, first: Id, second: Id) -> Costed {
        let [forward, backward] = &self.ends;
        let there = forward.chain(first);
        let back = backward.chain(second);
        let keys = (there.iter().skip(1).map(|&id| forward.seen.state(id)))
            .chain(back.iter().rev().skip(1).map(|&id| backward.seen.state(id)));
        let plan = follow(self.setup, keys);
        let moves = plan.len() as u32;
        (plan, (pushes, moves))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Objective;
    use crate::sokoban::search::bfs::bfs;
    use crate::sokoban::search::optimal::counts_suffice;
    use crate::sokoban::test_levels::{pulled_level, random_level};

    /// The pushes of the plan that beams of this width find within a bound.
    fn pushes_within(setup: &Setup, most: u32, width: u32) -> Option<u32> {
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let from_start = Distances::from_start(&setup.field, &mut memory).expect("no limits");
        let both = [&setup.distances, &from_start];
        let to_goals = Conflicts::new(&setup.field, both, Way::Push, &mut memory);
        let conflicts = to_goals.expect("no limits");
        let mut beams = Beams::new(setup, &from_start, [conflicts.as_ref(), None]);
        beams.width = width;
        let found = Round::new(&beams, &control).run(most, &mut Counts::default(), &mut memory);
        found.expect("no limits").map(|(_, cost)| cost.0)
    }

    #[test]
    fn wide_beams_find_a_plan_within_the_optimum_and_none_below() {
        let control = Control::new();
        let (mut found, mut narrow) = (0, 0);
        for level in (0..400).flat_map(|i| {
            [
                random_level(4 * i),
                random_level(4 * i + 1),
                pulled_level(i),
            ]
        }) {
            let mut memory = Memory::new(&control);
            let setup = counts_suffice(&level).then(|| Setup::new(&level, &mut memory));
            let Some(setup) = setup.map(|setup| setup.expect("no limits")) else {
                continue;
            };
            let plain = bfs(&level, Objective::Pushes, false, false, &control);
            let optimum = plain.bounds.lower;
            if setup.surplus > 0 || plain.plan.is_none() || optimum == 0 {
                continue;
            }
            let wide = pushes_within(&setup, optimum, u32::MAX);
            assert_eq!(wide, Some(optimum), "{level:?}");
            if optimum >= 2 {
                let below = pushes_within(&setup, optimum - 2, u32::MAX);
                assert_eq!(below, None, "{level:?}");
            }
            let thin = pushes_within(&setup, optimum + 6, 4);
            assert!(thin.is_none_or(|pushes| pushes >= optimum), "{level:?}");
            found += u32::from(optimum > 5);
            narrow += u32::from(thin.is_some());
        }
        assert!(found > 100, "{found}");
        assert!(narrow > 100, "{narrow}");
    }
}
