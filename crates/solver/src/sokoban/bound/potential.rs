//! Potentials: a lower bound on moves that adds up one number for each box.
//!
//! The pushes that are left say little about the moves: most moves of a plan are walks
//! from one box to the next. So each *duo*, a cell of the player and a cell of a box, has
//! a number, and the potential of a state is the sum over its boxes. If no move
//! lowers the potential by more than one unit, a state needs at least as many moves as
//! its potential lies above that of a solved state, in units. Backward, the start takes
//! the place of the state, and the state that of the solved one. The numbers know that a
//! player has to walk back for the next box and cannot walk through this one.
//!
//! Which numbers are best for many states at once is a linear program; see `program`.
//! Its solution is rounded, and need not be right: whatever the numbers are, the unit is
//! the most by which any move can lower the potential, found here exactly. A move
//! changes all duos, and how much depends on where the boxes are. With k boxes, the
//! most is the sum of the k largest changes.
//!
//! On a symmetric level all images of a duo have one number, so a state and its images
//! have one potential.
//!
//! Potentials are due to Pommerening, Helmert, Röger, Seipp: From non-negative to general
//! operator cost partitioning. AAAI 2015. Sums over states as the objective: Seipp, Pommerening,
//! Helmert: New optimization functions for potential heuristics. ICAPS 2015.

use super::distance::{Distances, Way};
pub(crate) use super::duos::changes;
use super::duos::{Duos, Step};
pub(crate) use super::program::Sample;
use super::program::{MOST, solve};
use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::search::setup::Setup;

/// Numbers are stored as multiples of one part in this many.
const FINE: f64 = 65_536.0;
/// No bound is higher, so that costs do not overflow.
const MOST_MOVES: u64 = 1 << 30;
/// No plan has this duo.
const NEVER: i32 = i32::MIN;
/// Programs with more changes of duos than this take too long.
const MOST_CHANGES: usize = 30_000;

/// Whether the program of a level is small enough.
pub(crate) fn is_possible(setup: &Setup) -> bool {
    cfg!(feature = "potentials") && setup.surplus == 0 && changes(setup) <= MOST_CHANGES
}

/// A lower bound on the moves to the end, or from the start.
pub(crate) struct Potential {
    way: Way,
    cells: usize,
    /// By cell of the player, and then by cell of a box.
    table: Vec<i32>,
    /// The potential of the states that are compared with: the highest of all solved states, or that of the start.
    other: i64,
    unit: i64,
}

impl Potential {
    /// The potential that is about the best for these states on average; none if the method gives no numbers.
    pub(crate) fn new(
        setup: &Setup,
        from_start: &Distances,
        way: Way,
        samples: &[Sample],
        memory: &mut Memory,
    ) -> Result<Option<Potential>, Stop> {
        let field = &setup.field;
        let duos = Duos::new(setup, from_start);
        let solution = solve(&duos, way, samples, memory)?;
        Ok(solution.and_then(|numbers| Potential::of(field, &duos, way, &numbers)))
    }

    /// The potential of these numbers, one for each duo.
    fn of(field: &Field, duos: &Duos, way: Way, numbers: &[f64]) -> Option<Potential> {
        let cells = field.len();
        let rounded = |&x: &f64| (x.clamp(-MOST, MOST) * FINE).round() as i32;
        let numbers: Vec<i32> = numbers.iter().map(rounded).collect();
        let number = |duo: Option<u32>| duo.map_or(NEVER, |duo| numbers[duo as usize]);
        let mut potential = Potential {
            way,
            cells,
            table: duos.numbers().map(number).collect(),
            other: 0,
            unit: 0,
        };
        let other = match way {
            Way::Push => {
                let ends = duos.ends().into_iter();
                ends.filter_map(|p| potential.sum(&field.goals, p)).max()
            }
            Way::Pull => potential.sum(&field.boxes, field.player),
        };
        potential.unit = potential.greatest_loss(duos)?;
        potential.other = other?;
        Some(potential)
    }

    /// The most by which a move can lower the potential; none if no move lowers it.
    fn greatest_loss(&self, duos: &Duos) -> Option<i64> {
        let number = |player: u16, cell: u16| {
            i64::from(self.table[usize::from(player) * self.cells + usize::from(cell)])
        };
        let boxes = duos.field.boxes.len();
        let mut greatest = 0;
        for step in duos.steps() {
            let Step { from, to, .. } = step;
            let sum = |count: usize, except: Option<u16>| {
                let others = step.others.iter().filter(|&&c| Some(c) != except);
                let mut losses: Vec<i64> =
                    others.map(|&c| number(from, c) - number(to, c)).collect();
                losses.sort_unstable_by(|a, b| b.cmp(a));
                (losses.len() >= count).then(|| losses[..count].iter().sum::<i64>())
            };
            let walk = sum(boxes, None);
            let push = step.pushed.and_then(|pushed| {
                let own = number(from, to) - number(to, pushed);
                Some(own + sum(boxes - 1, Some(pushed))?)
            });
            greatest = greatest.max(walk.max(push).unwrap_or(0));
        }
        (greatest > 0).then_some(greatest)
    }

    /// The potential of a state; none if no plan has such a state.
    fn sum(&self, boxes: &[u16], player: u16) -> Option<i64> {
        let row = &self.table[usize::from(player) * self.cells..][..self.cells];
        let mut sum = 0;
        for &cell in boxes {
            let number = row[usize::from(cell)];
            if number == NEVER {
                return None;
            }
            sum += i64::from(number);
        }
        Some(sum)
    }

    /// The moves that are needed at least to the end, or from the start. A solved state counts only right after its last push.
    pub(crate) fn bound(&self, boxes: &[u16], player: u16) -> u32 {
        let gap = match (self.way, self.sum(boxes, player)) {
            (_, None) => 0,
            (Way::Push, Some(sum)) => sum - self.other,
            (Way::Pull, Some(sum)) => self.other - sum,
        };
        match u64::try_from(gap) {
            // The potential of a dead state may be anything.
            Ok(gap) => gap.div_ceil(self.unit as u64).min(MOST_MOVES) as u32,
            Err(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{HashMap, VecDeque};

    use super::*;
    use crate::control::Control;
    use crate::sokoban::search::optimal::counts_suffice;
    use crate::sokoban::test_levels::{crowded_level, pulled_level, random_level, read};
    use noyes_puzzle::sokoban::Level;
    use noyes_puzzle::tiles::Generator;

    /// Levels with more states are left out.
    const MOST_STATES: usize = 4_000;

    /// All states of a level with the moves from the start, and those to the end if there is a plan, by plain search step by
    /// step; none if there are too many.
    fn states(field: &Field) -> Option<Vec<(Sample, u32, Option<u32>)>> {
        let start = (field.boxes.clone(), field.player);
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let (mut all, mut parents) = (vec![(start, 0)], vec![vec![]]);
        let mut at = 0;
        while at < all.len() && all.len() < MOST_STATES {
            let ((boxes, player), moves): (Sample, u32) = all[at].clone();
            for d in 0..4 {
                let to = field.step(player, d);
                let mut next = boxes.clone();
                if let Some(pushed) = next.iter_mut().find(|cell| **cell == to) {
                    *pushed = field.step(to, d);
                    if *pushed == field.wall() || boxes.contains(pushed) {
                        continue;
                    }
                    next.sort_unstable();
                }
                if to == field.wall() {
                    continue;
                }
                let number = *numbers.entry((next.clone(), to)).or_insert(all.len());
                if number == all.len() {
                    all.push(((next, to), moves + 1));
                    parents.push(vec![]);
                }
                parents[number].push(at);
            }
            at += 1;
        }
        if at < all.len() {
            return None;
        }
        let mut left = vec![None; all.len()];
        let mut open: VecDeque<(usize, u32)> = (0..all.len())
            .filter(|&i| all[i].0.0 == field.goals)
            .map(|i| (i, 0))
            .collect();
        while let Some((i, moves)) = open.pop_front() {
            if left[i].is_none() {
                left[i] = Some(moves);
                open.extend(parents[i].iter().map(|&parent| (parent, moves + 1)));
            }
        }
        let rows = all.into_iter().zip(left);
        Some(rows.map(|((s, moves), left)| (s, moves, left)).collect())
    }

    /// Compares the bounds of all states of a level with the moves that they need: bounds by numbers by lot, and by the best
    /// ones, which take longer. Returns the first bound of the start and the moves that it needs.
    fn check(level: &Level, seed: u64, is_best: bool) -> Option<(u32, u32)> {
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let setup = Setup::new(level, &mut memory).expect("no limits");
        let field = &setup.field;
        let all = states(field).filter(|_| setup.surplus == 0 && field.boxes != field.goals)?;
        let from_start = Distances::from_start(field, &mut memory).expect("no limits");
        let duos = Duos::new(&setup, &from_start);
        let samples: Vec<Sample> = all.iter().step_by(37).map(|row| row.0.clone()).collect();
        let mut generator = Generator::new(81, seed);
        let lots: Vec<f64> = (0..duos.count)
            .map(|_| generator.below(40) as f64)
            .collect();
        let mut potentials = vec![];
        for way in [Way::Push, Way::Pull] {
            if is_best {
                let best = Potential::new(&setup, &from_start, way, &samples, &mut memory);
                potentials.extend(best.expect("no limits"));
            }
            potentials.extend(Potential::of(field, &duos, way, &lots));
        }
        let ends = duos.ends();
        for potential in &potentials {
            for ((boxes, player), moves, left) in &all {
                let exact = match potential.way {
                    Way::Push if *left == Some(0) && !ends.contains(player) => None,
                    Way::Push => *left,
                    Way::Pull => left.and(Some(*moves)),
                };
                let bound = potential.bound(boxes, *player);
                assert!(
                    exact.is_none_or(|exact| bound <= exact),
                    "{way:?} {bound} instead of {exact:?}: {level:?} {boxes:?} {player}",
                    way = potential.way,
                );
            }
        }
        let first = potentials.first().filter(|first| first.way == Way::Push)?;
        Some((first.bound(&field.boxes, field.player), all[0].2?))
    }

    #[test]
    fn a_potential_is_never_too_high_whatever_its_numbers_are() {
        let (mut bounds, mut moves, mut compared) = (0, 0, 0);
        for seed in 0..1000 {
            let is_best = seed % 20 == 0;
            for level in [random_level(seed), pulled_level(seed), crowded_level(seed)] {
                let checked = counts_suffice(&level).then(|| check(&level, seed, is_best));
                if let Some((bound, exact)) = checked.flatten() {
                    compared += 1;
                    if is_best {
                        bounds += bound;
                        moves += exact;
                    }
                }
            }
        }
        assert!(compared > 300, "{compared}");
        let is_good = bounds * 2 > moves;
        assert!(
            is_good || cfg!(not(feature = "potentials")),
            "{bounds} of {moves}"
        );
    }

    #[test]
    fn images_of_a_state_have_one_bound() {
        let level = read(&[
            "#######", //
            "#.   .#", "# $ $ #", "#  @  #", "# #   #", "#######",
        ]);
        let symmetric = read(&[
            "#######", //
            "#.   .#", "# $ $ #", "#@    #", "#######",
        ]);
        for level in [level, symmetric] {
            check(&level, 1, true);
        }
    }
}
