//! Learned deadlocks: groups of boxes around an area that the player cannot reach, or
//! near each other.
//!
//! Take only the boxes of such a group and remove all others. A plan for all boxes
//! is then also a plan for these, and the player walks at least as freely. So if this
//! group alone cannot get to goals, every state with these boxes is dead, as long as
//! the player is in the same part of the floor that the group leaves. A small search
//! over pushes of the group decides. A box that gets away from the others is removed,
//! which again only makes things easier, so that the search stays small. If it exceeds
//! a limit, nothing is known, and the group counts as alive.
//!
//! A dead group is made smaller: each box without which the others are dead as well is
//! dropped. What is left is stored, and from then on a lookup finds it in any state
//! that contains it. A push can complete a group only by the box that it moves: the
//! player's part of the floor, as seen by a group, changes only when one of its own
//! boxes moves. All of this requires that every box has to reach a goal.
//!
//! Junghanns, Schaeffer: Sokoban: Enhancing general single-agent search methods using
//! domain knowledge. Artificial Intelligence 129, 2001, learn deadlocks by such pattern
//! searches.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::sokoban::bound::distance::Distances;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::near::{Near, within};
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;
use crate::sokoban::prune::freeze::Freeze;
use crate::sokoban::prune::zone_walk::ZoneWalk;

/// The most boxes of a group.
const MOST_BOXES: usize = 10;
/// The most states of a search.
const MOST_STATES: usize = 400;
/// The most boxes near a box that are examined together, and how far from them they may go.
const NEAR_BOXES: usize = 6;
const NEAR_STEPS: usize = 3;
/// Keep the hashes of the two kinds of groups apart.
const AREA_KEY: u64 = 0x2545_f491_4f6c_dd1d;
const NEAR_KEY: u64 = 0xd6e8_feb8_6659_fd93;
/// The most groups that are stored.
const MOST_GROUPS: usize = 1 << 16;

/// A group of boxes that is dead with the player on certain cells.
struct Group {
    boxes: Vec<u16>,
    /// The cells of the player, as bits.
    players: Vec<u64>,
}

/// Dead groups, and the searches that find them.
pub(crate) struct Learned {
    groups: Vec<Group>,
    /// The groups that a cell belongs to.
    by_cell: Vec<Vec<u32>>,
    /// Groups that have been examined, as hashes, and whether they are dead.
    examined: FxHashMap<u64, bool>,
    /// Where the small searches put their boxes.
    occupied: Vec<u16>,
    walk: Walk,
    zone_walk: ZoneWalk,
    freeze: Freeze,
    area: Vec<bool>,
    zone: Vec<bool>,
    near: Near,
}

impl Learned {
    pub(crate) fn new(field: &Field) -> Learned {
        let mut occupied = vec![0; field.len() + 1];
        occupied[field.len()] = u16::MAX;
        Learned {
            groups: vec![],
            by_cell: vec![vec![]; field.len() + 1],
            examined: FxHashMap::default(),
            occupied,
            walk: Walk::new(&field.floor),
            zone_walk: ZoneWalk::new(&field.floor),
            freeze: Freeze::strict(field),
            area: vec![false; field.len() + 1],
            zone: vec![false; field.len() + 1],
            near: Near::new(&field.floor),
        }
    }

    /// The bytes of what has been learned.
    pub(crate) fn bytes(&self) -> usize {
        let player_bytes = 8 * self.by_cell.len().div_ceil(64);
        // A group has a number of four bytes for each of its boxes, and a cell of two.
        self.groups.len() * (size_of::<Group>() + player_bytes + 6 * MOST_BOXES)
            + self.examined.capacity() * size_of::<(u64, bool)>()
    }

    /// Whether the box on a cell completes a group that is known to be dead.
    pub(crate) fn completes(&self, occupied: &[u16], cell: u16, player: u16) -> bool {
        self.by_cell[usize::from(cell)].iter().any(|&group| {
            let Group { boxes, players } = &self.groups[group as usize];
            players[usize::from(player / 64)] >> (player % 64) & 1 != 0
                && boxes.iter().all(|&b| occupied[usize::from(b)] != 0)
        })
    }

    /// Examines the areas that the player does not reach. Whether one of them has a dead group around it.
    pub(crate) fn examine(
        &mut self,
        field: &Field,
        distances: &Distances,
        occupied: &[u16],
        boxes: &[u16],
        walk: &Walk,
    ) -> bool {
        if walk.reached().len() + boxes.len() == field.len() {
            return false;
        }
        let player = walk.reached()[0];
        let mut cells = vec![];
        let mut dead = false;
        for &b in boxes {
            for start in field.floor.next[usize::from(b)] {
                if occupied[usize::from(start)] != 0
                    || self.area[usize::from(start)]
                    || walk.reaches(start)
                {
                    continue;
                }
                // 1. The area, and the boxes around it.
                let first = cells.len();
                let mut fence: Vec<u16> = vec![];
                self.area[usize::from(start)] = true;
                cells.push(start);
                let mut at = first;
                while let Some(&cell) = cells.get(at) {
                    at += 1;
                    for other in field.floor.next[usize::from(cell)] {
                        let o = usize::from(other);
                        if other == field.wall() || self.area[o] {
                            continue;
                        }
                        if occupied[o] == 0 {
                            self.area[o] = true;
                            cells.push(other);
                        } else if !fence.contains(&other) {
                            fence.push(other);
                        }
                    }
                }
                // 2. Whether they are dead.
                if fence.len() <= MOST_BOXES && !dead {
                    let inside = cells[first..].to_vec();
                    dead = self.is_dead(field, distances, fence, &inside, player);
                }
            }
        }
        for cell in cells {
            self.area[usize::from(cell)] = false;
        }
        dead
    }

    /// Examines the boxes near a box that has just been moved. Whether some of them are dead.
    pub(crate) fn examine_near(
        &mut self,
        field: &Field,
        distances: &Distances,
        occupied: &[u16],
        cell: u16,
        player: u16,
    ) -> bool {
        let (mut group, count) = self.near.group::<NEAR_BOXES>(occupied, cell);
        if count < 2 {
            return false;
        }
        let group = &mut group[..count];
        group.sort_unstable();
        let hash = hash_of(NEAR_KEY, group.iter().chain([&player]));
        if let Some(&dead) = self.examined.get(&hash) {
            return dead;
        }
        let zone = within(&field.floor, group, NEAR_STEPS);
        let inside: Vec<u16> = zone.into_iter().filter(|c| !group.contains(c)).collect();
        let dead =
            !inside.is_empty() && self.is_dead(field, distances, group.to_vec(), &inside, player);
        self.examined.insert(hash, dead);
        dead
    }

    /// Whether a group around an area is dead. If so, learns the part of it that matters.
    fn is_dead(
        &mut self,
        field: &Field,
        distances: &Distances,
        mut fence: Vec<u16>,
        inside: &[u16],
        player: u16,
    ) -> bool {
        let is_goal = |&c: &u16| field.floor.is_goal[usize::from(c)];
        if fence.iter().all(is_goal) && !inside.iter().any(is_goal) {
            return false;
        }
        fence.sort_unstable();
        // What the group can do depends on the part of the floor that it leaves to the player.
        let least = self.least(field, &fence, player);
        let hash = hash_of(AREA_KEY, fence.iter().chain([&inside[0], &least]));
        if let Some(&dead) = self.examined.get(&hash) {
            return dead;
        }
        for &cell in inside.iter().chain(&fence) {
            self.zone[usize::from(cell)] = true;
        }
        self.zone_walk.set_zone(&field.floor, &self.zone);
        let dead = !self.may_live(field, distances, &fence, player);
        if dead && self.groups.len() < MOST_GROUPS {
            let mut i = 0;
            while i < fence.len() && fence.len() > 1 {
                let one = fence.remove(i);
                if self.may_live(field, distances, &fence, player) {
                    fence.insert(i, one);
                    i += 1;
                }
            }
            self.store(field, fence.clone(), player);
        }
        self.zone.fill(false);
        self.examined.insert(hash, dead);
        dead
    }

    /// The lowest cell that the player can walk to if there are no boxes but these.
    fn least(&mut self, field: &Field, boxes: &[u16], player: u16) -> u16 {
        for &b in boxes {
            self.occupied[usize::from(b)] = 1;
        }
        self.walk.from(&field.floor, player, &self.occupied);
        for &b in boxes {
            self.occupied[usize::from(b)] = 0;
        }
        self.walk.reached().iter().copied().min().unwrap_or(player)
    }

    fn store(&mut self, field: &Field, boxes: Vec<u16>, player: u16) {
        for &b in &boxes {
            self.occupied[usize::from(b)] = 1;
        }
        self.walk.from(&field.floor, player, &self.occupied);
        let mut players = vec![0; field.len().div_ceil(64)];
        for &cell in self.walk.reached() {
            players[usize::from(cell / 64)] |= 1 << (cell % 64);
        }
        for &b in &boxes {
            self.occupied[usize::from(b)] = 0;
            self.by_cell[usize::from(b)].push(self.groups.len() as u32);
        }
        self.groups.push(Group { boxes, players });
    }

    /// Whether a group alone may get to goals, or away from the zone. True if the search exceeds its limit.
    fn may_live(
        &mut self,
        field: &Field,
        distances: &Distances,
        group: &[u16],
        player: u16,
    ) -> bool {
        let mut seen: FxHashSet<(Vec<u16>, u32)> = FxHashSet::default();
        let mut open = vec![(group.to_vec(), player)];
        let mut states = 0;
        while let Some((boxes, player)) = open.pop() {
            if boxes.iter().all(|&b| field.floor.is_goal[usize::from(b)]) {
                return true;
            }
            for &b in &boxes {
                self.occupied[usize::from(b)] = 1;
            }
            let least = self.zone_walk.from(&field.floor, player, &self.occupied);
            if seen.insert((boxes.clone(), least)) {
                states += 1;
                self.pushes(field, distances, &boxes, &mut open);
            }
            for &b in &boxes {
                self.occupied[usize::from(b)] = 0;
            }
            if states > MOST_STATES {
                return true;
            }
        }
        false
    }

    /// Opens the states one push further.
    fn pushes(
        &mut self,
        field: &Field,
        distances: &Distances,
        boxes: &[u16],
        open: &mut Vec<(Vec<u16>, u16)>,
    ) {
        for (i, &cell) in boxes.iter().enumerate() {
            for d in 0..4 {
                let (from, to) = (field.step(cell, back(d)), field.step(cell, d));
                if from == field.wall()
                    || !self.zone_walk.reaches(from)
                    || self.occupied[usize::from(to)] != 0
                    || distances.is_dead(distances.place(to, back(d)))
                {
                    continue;
                }
                let mut next = boxes.to_vec();
                if self.zone[usize::from(to)] {
                    next[i] = to;
                    self.occupied[usize::from(cell)] = 0;
                    self.occupied[usize::from(to)] = 1;
                    let occupied = &self.occupied;
                    let frozen = self.freeze.cluster(field, distances, occupied, to);
                    let is_lost = frozen.iter().any(|&c| !field.floor.is_goal[usize::from(c)])
                        || self.completes(&self.occupied, to, cell);
                    self.occupied[usize::from(to)] = 0;
                    self.occupied[usize::from(cell)] = 1;
                    if is_lost {
                        continue;
                    }
                    next.sort_unstable();
                } else {
                    next.remove(i); // it got away
                }
                open.push((next, cell));
            }
        }
    }
}

/// A hash of a list of cells.
fn hash_of<'a>(key: u64, cells: impl Iterator<Item = &'a u16>) -> u64 {
    cells.fold(key, |hash, &cell| {
        let hash = (hash ^ (u64::from(cell) + 1)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^ hash >> 29
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::core::memory::Memory;
    use crate::sokoban::all_states::{State, states};
    use crate::sokoban::field::position::Position;
    use crate::sokoban::test_levels::{pulled_level, random_level};
    use noyes_puzzle::sokoban::Level;

    /// Checks every state of a level. Returns how many dead states were found by search, and how many by lookup.
    fn check(level: &Level) -> (u32, u32) {
        let field = Field::new(level);
        if field.boxes.len() != field.goals.len() {
            return (0, 0);
        }
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let distances = Distances::to_goals(&field, &mut memory).expect("no limits");
        let Some(all) = states(&field) else {
            return (0, 0);
        };
        let mut learned = Learned::new(&field);
        let mut position = Position::start(&field);
        let mut walk = Walk::new(&field.floor);
        let (mut found, mut known) = (0, 0);
        for State {
            boxes,
            player,
            left,
            ..
        } in all
        {
            position.set(&boxes, player);
            let occupied = &position.occupied;
            walk.from(&field.floor, player, occupied);
            let completes = boxes
                .iter()
                .any(|&b| learned.completes(occupied, b, player));
            let mut is_dead = learned.examine(&field, &distances, occupied, &boxes, &walk);
            for &b in &boxes {
                is_dead |= learned.examine_near(&field, &distances, occupied, b, player);
            }
            assert!(
                left.is_none() || !completes && !is_dead,
                "{level:?} {boxes:?} {player}"
            );
            found += u32::from(is_dead);
            known += u32::from(completes);
        }
        (found, known)
    }

    #[test]
    fn no_state_with_a_plan_is_taken_for_dead() {
        let (mut found, mut known) = (0, 0);
        for level in (0..3000)
            .map(random_level)
            .chain((0..1000).map(pulled_level))
        {
            let (more_found, more_known) = check(&level);
            found += more_found;
            known += more_known;
        }
        assert!(found > 100 && known > 100, "{found} found, {known} known");
    }
}
