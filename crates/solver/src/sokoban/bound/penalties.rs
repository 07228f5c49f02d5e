//! Penalties: what conflicts of pairs and groups add to the matching bound, given what
//! other goals would cost.
//!
//! Boxes are often in conflict only on their way to some goals, but other goals are worse
//! for the matching as a whole. The prices of the matching say by how much. Its bound is
//! the sum of the prices of all boxes and goals. A box that goes to a goal costs its
//! *rest* more than the prices of both, which is 0 in the matching and never negative. So
//! in any plan, two boxes cost at least the least sum of both rests and of the extra for
//! these two goals (see `conflicts`) more than their prices: their *penalty*. For a group
//! it is two, if it is in conflict whatever goals with rests below two it takes (see
//! `groups`). If no box is counted twice, penalties can be added to the bound.
//!
//! If frozen boxes are walls, the rests count pushes around them. An extra compares with
//! distances without frozen boxes, so detours around these count only once.
//!
//! All plans of a state have the same parity of pushes, so an odd sum is rounded up.
//!
//! Penalties take about as long as the matching of all boxes. So a search finds them when it
//! expands a state, not when it reaches one.
//!
//! Prices as bounds on pairs are in Lawler: The quadratic assignment problem. Management
//! Science 9, 1963.

use super::choices::{Choices, Pairs};
use super::conflicts::{Conflicts, MOST_EXTRA};
use super::groups::Groups;
use super::matching::Matching;
use crate::core::memory::Memory;
use crate::sokoban::field::position::Position;

/// Goals with smaller rests are those that a group may choose.
const SMALL: u8 = 2;

/// If penalties rule out fewer than one of `FEW` states, only one of `RESTS` is looked at. `ENOUGH` states decide.
const FEW: u64 = 8;
const RESTS: u64 = 8;
const ENOUGH: u64 = 4096;

/// The penalties of one state.
pub(crate) struct Penalties<'a> {
    conflicts: Option<&'a Conflicts>,
    groups: Option<Groups<'a>>,
    /// The rests by box and goal; `MOST_EXTRA` if they are larger.
    rests: Vec<u8>,
    /// The goals of each box with rests below `MOST_EXTRA`, the smallest rest first.
    near: Vec<Vec<(u8, u16)>>,
    /// The goals of each box with small rests, as bits.
    small: Vec<u64>,
    /// The extras of pairs by goals, by the box on the lower cell and then by the other.
    extras: Vec<Option<&'a [u8]>>,
    /// The penalties of pairs, the largest first.
    pairs: Vec<(u8, usize, usize)>,
    is_counted: Vec<bool>,
    /// For each cell the number of its box plus one, as in a position, without boxes that are counted.
    uncounted: Vec<u16>,
    /// The states so far, those that were looked at of late, and those of them that were ruled out.
    states: u64,
    looked_at: u64,
    ruled_out: u64,
    /// What groups have added to the bound of the last state.
    from_groups: u32,
    choices: Choices,
}

impl<'a> Penalties<'a> {
    /// Penalties by these conflicts and these groups.
    pub(crate) fn new(
        conflicts: Option<&'a Conflicts>,
        groups: Option<Groups<'a>>,
    ) -> Penalties<'a> {
        Penalties {
            conflicts,
            groups,
            rests: vec![],
            near: vec![],
            small: vec![],
            extras: vec![],
            pairs: vec![],
            is_counted: vec![],
            uncounted: vec![],
            states: 0,
            looked_at: 0,
            ruled_out: 0,
            from_groups: 0,
            choices: Choices::default(),
        }
    }

    /// What penalties add to the bound of a state that `matching` has just matched. `detour` says how many more pushes
    /// a box needs to a goal because of frozen boxes.
    pub(crate) fn of(
        &mut self,
        matching: &Matching,
        position: &Position,
        detour: impl Fn(usize, usize) -> u8,
        memory: &mut Memory,
    ) -> u32 {
        let count = position.boxes.len();
        self.rests.clear();
        if self.rest() {
            return 0;
        }
        matching.write_rests(MOST_EXTRA, &mut self.rests);
        if self.rests.is_empty() {
            return 0;
        }
        // 1. The goals that each box may choose.
        self.near.resize_with(count, Vec::new);
        self.small.clear();
        for (near, rests) in self.near.iter_mut().zip(self.rests.chunks(count)) {
            near.clear();
            let goals = (0..).zip(rests).filter(|&(_, &rest)| rest < MOST_EXTRA);
            near.extend(goals.map(|(goal, &rest)| (rest, goal)));
            near.sort_unstable();
            let small = near.iter().take_while(|near| near.0 < SMALL);
            let bits = small.map(|&(_, goal)| 1_u64.checked_shl(goal.into()).unwrap_or(0));
            self.small.push(bits.sum());
        }
        self.is_counted.clear();
        self.is_counted.resize(count, false);
        // 2. Pairs and groups of which no two share a box.
        let pairs = self.of_pairs(position, &detour);
        self.from_groups = self.of_groups(position, &detour, memory);
        (pairs + self.from_groups).next_multiple_of(2)
    }

    /// Whether to do without penalties in this state, because they rule out few; some states are still looked at.
    fn rest(&mut self) -> bool {
        self.states += 1;
        if self.looked_at >= 2 * ENOUGH {
            self.looked_at /= 2;
            self.ruled_out /= 2;
        }
        let are_few = self.looked_at >= ENOUGH && FEW * self.ruled_out < self.looked_at;
        let rests = are_few && !self.states.is_multiple_of(RESTS);
        self.looked_at += u64::from(!rests);
        rests
    }

    /// Notes that the state that `of` has looked at last exceeds the limit of the search by this much.
    pub(crate) fn note_excess(&mut self, excess: u32) {
        self.ruled_out += u64::from(!self.rests.is_empty());
        if let Some(groups) = &mut self.groups
            && excess <= self.from_groups
        {
            groups.reward();
        }
    }

    /// Whether every plan of the state that `of` has looked at exceeds the matching by more than `most`.
    pub(crate) fn exceed(
        &mut self,
        matching: &Matching,
        most: u32,
        detour: &dyn Fn(usize, usize) -> u8,
    ) -> bool {
        let is_small = most < MOST_EXTRA.into() && !self.rests.is_empty();
        if self.conflicts.is_none() || !is_small || !self.choices.may_begin() {
            return false;
        }
        for (number, near) in self.near.iter_mut().enumerate() {
            let own = matching.goal(number);
            let own = near.iter().position(|&(_, goal)| usize::from(goal) == own);
            near[..=own.unwrap_or(0)].rotate_right(1);
        }
        let pairs = Pairs {
            near: &self.near,
            extras: &self.extras,
            detour,
        };
        self.choices.exceed(&pairs, most as u8)
    }

    /// The penalties of pairs, the largest first.
    fn of_pairs(&mut self, position: &Position, detour: &impl Fn(usize, usize) -> u8) -> u32 {
        let Some(conflicts) = self.conflicts else {
            return 0;
        };
        let Position { boxes, player, .. } = position;
        self.pairs.clear();
        self.extras.clear();
        self.extras.resize(boxes.len() * boxes.len(), None);
        for i in 0..boxes.len() {
            for j in 0..i {
                let (low, high) = if boxes[i] < boxes[j] { (i, j) } else { (j, i) };
                let extras = conflicts.by_targets(boxes[low], boxes[high], *player);
                self.extras[low * boxes.len() + high] = extras;
                let penalty = extras.map_or(0, |extras| self.of_pair(low, high, extras, detour));
                if penalty > 0 {
                    self.pairs.push((penalty, i, j));
                }
            }
        }
        self.pairs.sort_unstable_by(|a, b| b.cmp(a));
        let mut total = 0;
        for &(penalty, i, j) in &self.pairs {
            if !self.is_counted[i] && !self.is_counted[j] {
                self.is_counted[i] = true;
                self.is_counted[j] = true;
                total += u32::from(penalty);
            }
        }
        total
    }

    /// The penalty of two boxes, given their extras by goals.
    fn of_pair(
        &self,
        low: usize,
        high: usize,
        extras: &[u8],
        detour: &impl Fn(usize, usize) -> u8,
    ) -> u8 {
        let mut least = MOST_EXTRA;
        for &(rest, goal) in &self.near[low] {
            if rest >= least {
                break;
            }
            for &(other_rest, other) in &self.near[high] {
                if rest + other_rest >= least {
                    break;
                }
                if goal == other {
                    continue;
                }
                let (goal, other) = (usize::from(goal), usize::from(other));
                let mut extra = extras[goal * self.near.len() + other];
                if extra > 0 {
                    let detours = detour(low, goal).saturating_add(detour(high, other));
                    extra = extra.saturating_sub(detours);
                }
                least = least.min(rest + other_rest + extra);
            }
        }
        least
    }

    /// The penalties of groups of boxes that are not counted yet.
    fn of_groups(
        &mut self,
        position: &Position,
        detour: &impl Fn(usize, usize) -> u8,
        memory: &mut Memory,
    ) -> u32 {
        let Some(groups) = self.groups.as_mut() else {
            return 0;
        };
        if groups.rest() {
            return 0;
        }
        let Position { boxes, player, .. } = position;
        self.uncounted.clone_from(&position.occupied);
        for (&cell, _) in boxes.iter().zip(&self.is_counted).filter(|b| *b.1) {
            self.uncounted[usize::from(cell)] = 0;
        }
        let mut total = 0;
        for &cell in boxes {
            for allowed in [None, Some(&self.small[..])] {
                if self.uncounted[usize::from(cell)] == 0 {
                    break;
                }
                let group = groups.near(&self.uncounted, cell, *player, allowed, memory);
                let has_detours = |cell: u16| {
                    let i = usize::from(position.occupied[usize::from(cell)]) - 1;
                    let mut small = self.near[i].iter().take_while(|near| near.0 < SMALL);
                    small.any(|&(_, goal)| detour(i, goal.into()) > 0)
                };
                if group.clone().any(has_detours) {
                    continue;
                }
                if group.clone().next().is_some() {
                    total += u32::from(SMALL);
                }
                for cell in group {
                    self.uncounted[usize::from(cell)] = 0;
                }
            }
        }
        total
    }
}
