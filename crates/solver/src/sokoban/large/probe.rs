//! Probes: small searches over single pushes from a state of another search.
//!
//! A search that sorts states by progress is drawn to those that are furthest, and these
//! are often dead without looking so. The search over single pushes from such a state
//! is fast, and small if the state is dead. So a probe with a budget of states often
//! proves that a state is dead, and sometimes finds the rest of a plan.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::control::{Pace, Stop};
use crate::core::blocks::Id;
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::sokoban::bound::distance::Way;
use crate::sokoban::search::half::PushHalf;
use crate::sokoban::search::plan::follow_from;
use crate::sokoban::search::setup::Setup;

/// What a probe finds out.
pub(crate) enum Verdict {
    /// The pushes that lead on to a solved state.
    Solved(Vec<(u16, usize)>),
    Dead,
    Unknown,
}

/// Searches from states over single pushes.
pub(crate) struct Probe<'a> {
    setup: &'a Setup,
    half: PushHalf<'a>,
    open: BinaryHeap<Reverse<(u32, Id)>>,
    pace: Pace,
}

impl<'a> Probe<'a> {
    pub(crate) fn new(setup: &'a Setup) -> Probe<'a> {
        let mut half = PushHalf::new(setup, &setup.distances, Way::Push, true);
        half.greedy = true;
        Probe {
            setup,
            half,
            open: BinaryHeap::new(),
            pace: setup.field.pace(),
        }
    }

    /// Searches from a state until this many states have been expanded.
    pub(crate) fn run(
        &mut self,
        boxes: &[u16],
        player: u16,
        most: u64,
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<Verdict, Stop> {
        let bytes = memory.bytes();
        self.half.begin_at(boxes, player, memory)?;
        self.open.clear();
        let end = counts.expanded + most;
        let verdict = loop {
            for &(id, g, h) in &self.half.fresh {
                self.open.push(Reverse((g + 5 * h, id)));
            }
            let solved = self.half.fresh.iter().find(|fresh| fresh.2 == 0);
            if let Some(&(id, ..)) = solved {
                let states = self.half.chain(id).into_iter().skip(1);
                let states = states.map(|id| self.half.seen.state(id));
                break Verdict::Solved(follow_from(self.setup, boxes, player, states));
            }
            let Some(Reverse((_, id))) = self.open.pop() else {
                break Verdict::Dead;
            };
            if counts.expanded >= end {
                break Verdict::Unknown;
            }
            if self.pace.is_due() {
                memory.poll_stop()?;
            }
            self.half
                .expand(id, &mut u32::MAX.clone(), None, counts, memory)?;
        };
        memory.release(memory.bytes() - bytes);
        Ok(verdict)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::sokoban::field::enclosure::Field;
    use crate::sokoban::search::optimal::fewest_pushes;
    use crate::sokoban::search::plan::walked;
    use crate::sokoban::test_levels::{pulled_level, random_level};

    #[test]
    fn a_probe_ends_when_it_is_stopped() {
        let free = Control::new();
        let setup = Setup::new(&pulled_level(1), &mut Memory::new(&free)).expect("no limits");
        let (boxes, player) = (&setup.field.boxes, setup.field.player);
        let stopped = Control::new().stop_flag(std::sync::Arc::new(true.into()));
        let mut memory = Memory::new(&stopped);
        let verdict =
            Probe::new(&setup).run(boxes, player, 5000, &mut Counts::default(), &mut memory);
        assert_eq!(verdict.err(), Some(Stop::Interrupted));
    }

    #[test]
    fn probes_agree_with_the_optimal_search() {
        let control = Control::new();
        let mut found = [0; 2];
        for level in (0..300).map(random_level).chain((0..100).map(pulled_level)) {
            let field = Field::new(&level);
            if field.boxes.len() != field.goals.len() || !field.sealed_goals.is_empty() {
                continue;
            }
            let mut memory = Memory::new(&control);
            let setup = Setup::new(&level, &mut memory).expect("no limits");
            let has_plan = fewest_pushes(&level, &control).outcome.plan.is_some();
            let mut probe = Probe::new(&setup);
            let (boxes, player) = (setup.field.boxes.clone(), setup.field.player);
            // The second run has to forget the first.
            for _ in 0..2 {
                let verdict = probe.run(&boxes, player, 5000, &mut Counts::default(), &mut memory);
                match verdict.expect("no limits") {
                    Verdict::Solved(pushes) => {
                        assert!(has_plan && walked(&setup, &pushes).is_some(), "{level:?}");
                        found[0] += 1;
                    }
                    Verdict::Dead => {
                        assert!(!has_plan, "{level:?}");
                        found[1] += 1;
                    }
                    Verdict::Unknown => {}
                }
            }
        }
        assert!(found[0] > 100 && found[1] > 100, "{found:?}");
    }
}
