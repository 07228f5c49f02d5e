//! Groups: a few boxes near each other that waste pushes together.
//!
//! Remove all boxes but a few that are near each other. Suppose that there is no plan for
//! these in which every push brings its box nearer to the goal that the box ends on. Then
//! in any plan for all boxes, the pushes of this group exceed the push distances to
//! whatever goals by at least two. So a group is in conflict just as a pair is (see
//! `conflicts`). If the caller allows only some goals for each box, the same holds for
//! plans that use these goals. Backward the same holds with the boxes of the start in
//! place of goals.
//!
//! A search over the states of the group decides. It knows the goals to which all pushes
//! of a box have been on a shortest way, and makes no push that leaves no such goal. A
//! box that gets away from the others is removed, which only makes things easier, so
//! the search is small. If it exceeds a limit, the group counts as free. From a group in
//! conflict, each box is dropped without which the others are in conflict as well.
//!
//! The same groups appear in many states. So what was found is kept, by the cells of the
//! group and of the player. What a group can do depends only on the part of the floor that
//! it leaves to the player, so a second table has the lowest cell of that part. On some
//! levels groups rule out next to nothing. So searches have a credit that grows with what
//! they achieve.
//!
//! Junghanns, Schaeffer: Sokoban: Enhancing general single-agent search methods using
//! domain knowledge. Artificial Intelligence 129, 2001, find penalties by such searches.

use rustc_hash::{FxHashMap, FxHashSet};

use super::distance::{Distances, NEVER, Place, Way};
use crate::core::memory::Memory;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::near::{Near, within};
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;

/// The most boxes of a group.
const MOST_BOXES: usize = 6;
/// The most states of a search.
const MOST_STATES: usize = 300;
/// All searches together may look at this many states at first, at one more for this many groups that are looked up, and at
/// this many more for each state that a group rules out.
const FIRST_CREDIT: usize = 50_000;
const LOOK_UPS: usize = 16;
const REWARD: usize = 16;
/// Without credit, groups are looked up in one of this many states.
const RESTS: usize = 8;
/// How far from the group a box may go before it is removed.
const STEPS: usize = 3;
/// The most goals, because sets of goals are bits, and the most cells, because a state of a group is a single number.
const MOST_GOALS: usize = 64;
const MOST_CELLS: usize = 1000;
/// The most groups that are kept, and the bytes of one in both tables, which grow by doubling.
const MOST_KNOWN: usize = 1 << 20;
const BYTES: usize = 4 * size_of::<(Key, Cells)>();
/// No box.
const NONE: u16 = u16::MAX;

/// The cells of a group in ascending order, and `NONE` after them.
type Cells = [u16; MOST_BOXES];
/// Sets of goals, as bits.
type Goals = u64;
/// A group, the player, and the goals that each box may end on.
type Key = (Cells, u16, [Goals; MOST_BOXES]);

/// Finds groups in conflict, and keeps what it has found.
pub(crate) struct Groups<'a> {
    field: &'a Field,
    distances: &'a Distances,
    way: Way,
    near: Near,
    /// The part of a group that is in conflict, by any cell of the player.
    known: FxHashMap<Key, Cells>,
    /// The same by the lowest cell of the player.
    by_region: FxHashMap<Key, Cells>,
    occupied: Vec<u16>,
    walk: Walk,
    zone: Vec<bool>,
    seen: FxHashSet<u128>,
    /// The states that the search may still look at.
    left: usize,
    /// The states that all searches may still look at.
    credit: usize,
    look_ups: usize,
    states: usize,
}

/// A box of a group.
#[derive(Clone, Copy)]
struct Member {
    /// `NONE` once it has got away.
    cell: u16,
    place: Place,
    pushes: u8,
    /// The goals to which all its pushes were on a shortest way.
    goals: Goals,
}

impl<'a> Groups<'a> {
    /// Groups on the way to the goals (`Push`) or back to the start; none if there are too many goals or cells.
    pub(crate) fn new(field: &'a Field, distances: &'a Distances, way: Way) -> Option<Groups<'a>> {
        if distances.targets() > MOST_GOALS || field.len() > MOST_CELLS {
            return None;
        }
        let mut occupied = vec![0; field.len() + 1];
        occupied[field.len()] = u16::MAX;
        Some(Groups {
            field,
            distances,
            way,
            near: Near::new(&field.floor),
            known: FxHashMap::default(),
            by_region: FxHashMap::default(),
            occupied,
            walk: Walk::new(&field.floor),
            zone: vec![false; field.len() + 1],
            seen: FxHashSet::default(),
            left: 0,
            credit: FIRST_CREDIT,
            look_ups: 0,
            states: 0,
        })
    }

    /// The part of the boxes near the one on `cell` that is in conflict; empty if there is no conflict or none is known.
    /// `allowed` has the goals of each box that count, by the numbers that `occupied` gives them; without it, all do.
    pub(super) fn near(
        &mut self,
        occupied: &[u16],
        cell: u16,
        player: u16,
        allowed: Option<&[Goals]>,
        memory: &mut Memory,
    ) -> impl Iterator<Item = u16> + Clone + use<> {
        self.look_ups += 1;
        if self.look_ups.is_multiple_of(LOOK_UPS) {
            self.credit += 1;
        }
        let (mut group, count) = self.near.group::<MOST_BOXES>(occupied, cell);
        group[..count].sort_unstable();
        group[count..].fill(NONE);
        let part = if count > 1 {
            let mut goals = [Goals::MAX; MOST_BOXES];
            if let Some(allowed) = allowed {
                for (goals, &c) in goals.iter_mut().zip(&group[..count]) {
                    *goals = allowed[usize::from(occupied[usize::from(c)]) - 1];
                }
            }
            self.look_up((group, player, goals), count, memory)
        } else {
            [NONE; MOST_BOXES]
        };
        part.into_iter().take_while(|&c| c != NONE)
    }

    /// Whether to do without groups in this state, because they rule out too little; some states are still looked at.
    pub(super) fn rest(&mut self) -> bool {
        self.states += 1;
        self.credit < MOST_STATES && !self.states.is_multiple_of(RESTS)
    }

    /// Rewards a group that has ruled out a state.
    pub(super) fn reward(&mut self) {
        self.credit += REWARD;
    }

    fn look_up(&mut self, key: Key, count: usize, memory: &mut Memory) -> Cells {
        if let Some(&part) = self.known.get(&key) {
            return part;
        }
        if self.credit < MOST_STATES
            || self.known.len() >= MOST_KNOWN
            || memory.claim(BYTES).is_err()
        {
            return [NONE; MOST_BOXES];
        }
        let (group, player, goals) = key;
        self.credit -= 1;
        let region = (group, self.least(&group[..count], player), goals);
        let part = if let Some(&part) = self.by_region.get(&region) {
            part
        } else {
            let part = self.part_in_conflict(&group[..count], player, &goals[..count]);
            self.by_region.insert(region, part);
            part
        };
        self.known.insert(key, part);
        part
    }

    /// The lowest cell that the player can walk to if there are no boxes but these.
    fn least(&mut self, boxes: &[u16], player: u16) -> u16 {
        for &b in boxes {
            self.occupied[usize::from(b)] = 1;
        }
        self.walk.from(&self.field.floor, player, &self.occupied);
        for &b in boxes {
            self.occupied[usize::from(b)] = 0;
        }
        self.walk.reached().iter().copied().min().unwrap_or(player)
    }

    /// The smallest part of a group that is found to be in conflict.
    fn part_in_conflict(&mut self, group: &[u16], player: u16, goals: &[Goals]) -> Cells {
        for cell in within(&self.field.floor, group, STEPS) {
            self.zone[usize::from(cell)] = true;
        }
        let mut part: Vec<(u16, Goals)> =
            group.iter().copied().zip(goals.iter().copied()).collect();
        let mut cells = [NONE; MOST_BOXES];
        if self.is_in_conflict(&part, player) {
            let mut i = 0;
            while i < part.len() {
                let one = part.remove(i);
                if !self.is_in_conflict(&part, player) {
                    part.insert(i, one);
                    i += 1;
                }
            }
            for (cell, (c, _)) in cells.iter_mut().zip(part) {
                *cell = c;
            }
        }
        self.zone.fill(false);
        cells
    }

    /// Whether these boxes alone waste pushes on the way to their goals, whatever they do.
    fn is_in_conflict(&mut self, boxes: &[(u16, Goals)], player: u16) -> bool {
        let mut members = vec![];
        for &(cell, allowed) in boxes {
            let place = (self.distances).place(cell, self.field.side_of(cell, player));
            let row = (0..).zip(self.distances.row(place));
            let reached = row.filter(|(_, far)| **far != NEVER);
            let goals: Goals = reached.map(|(goal, _)| 1 << goal).sum();
            members.push(Member {
                cell,
                place,
                pushes: 0,
                goals: goals & allowed,
            });
            self.occupied[usize::from(cell)] = 1;
        }
        self.seen.clear();
        self.left = MOST_STATES;
        let is_free = self.get_home(&mut members, player);
        self.credit = self.credit.saturating_sub(MOST_STATES - self.left);
        for &(cell, _) in boxes {
            self.occupied[usize::from(cell)] = 0;
        }
        !is_free
    }

    /// Whether the members may get to goals or away without wasting pushes. True if the search exceeds its limit.
    fn get_home(&mut self, members: &mut [Member], player: u16) -> bool {
        let (field, distances) = (self.field, self.distances);
        // 1. The state, if it is new.
        let is_home = |member: &Member| {
            let mut row = (0..).zip(distances.row(member.place));
            member.cell == NONE || row.any(|(g, &far)| far == 0 && member.goals >> g & 1 != 0)
        };
        if members.iter().all(is_home) {
            return true;
        }
        self.walk.from(&field.floor, player, &self.occupied);
        let region = self.walk.reached().iter().copied().min();
        let region = region.unwrap_or(player);
        // The pushes of a box say which goals are left to it, and the region on which side of it the player is.
        let key = members.iter().fold(u128::from(region), |key, member| {
            let cell = u128::from(member.cell) & 0x3ff;
            key << 16 | cell << 6 | u128::from(member.pushes)
        });
        if !self.seen.insert(key) {
            return false;
        }
        if self.left == 0 {
            return true;
        }
        self.left -= 1;
        // 2. Its pushes or pulls.
        let mut moves = [(0, 0); 4 * MOST_BOXES];
        let mut count = 0;
        let boxes = members.iter().enumerate();
        for (i, member) in boxes.filter(|(_, member)| member.cell != NONE) {
            for d in 0..4 {
                let behind = field.step(member.cell, back(d));
                let free = match self.way {
                    Way::Push => field.step(member.cell, d),
                    Way::Pull => field.step(behind, back(d)),
                };
                if self.occupied[usize::from(free)] == 0 && self.walk.reaches(behind) {
                    moves[count] = (i, d);
                    count += 1;
                }
            }
        }
        // 3. The states after those that waste nothing.
        for &(i, d) in &moves[..count] {
            let before = members[i];
            let behind = field.step(before.cell, back(d));
            let (to, player) = match self.way {
                Way::Push => (field.step(before.cell, d), before.cell),
                Way::Pull => (behind, field.step(behind, back(d))),
            };
            let place = distances.place(to, back(d));
            let rows = distances.row(before.place).iter().zip(distances.row(place));
            let nearer = (0..).zip(rows).filter(|(_, (old, new))| **new < **old);
            let goals = before.goals & nearer.map(|(goal, _)| 1 << goal).sum::<Goals>();
            if goals == 0 {
                continue;
            }
            let has_left = !self.zone[usize::from(to)];
            let pushes = before.pushes + 1;
            if pushes == 1 << 6 {
                return true;
            }
            members[i] = Member {
                cell: if has_left { NONE } else { to },
                place,
                pushes: if has_left { 0 } else { pushes },
                goals,
            };
            self.occupied[usize::from(before.cell)] = 0;
            self.occupied[usize::from(to)] = u16::from(!has_left);
            let is_free = self.get_home(members, player);
            self.occupied[usize::from(to)] = 0;
            self.occupied[usize::from(before.cell)] = 1;
            members[i] = before;
            if is_free {
                return true;
            }
        }
        false
    }
}
