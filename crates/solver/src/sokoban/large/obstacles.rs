//! Obstacles: what stands in the way of the next box.
//!
//! The cheapest way of a box to one of the next goals is found as if other boxes could
//! be passed through at a price. The price counts boxes on the way, boxes where the
//! player would have to stand, and boxes between the player and the first push. A move
//! that clears the way lowers it, so that a search knows which boxes to move aside.
//! Turns of the player around the box are ignored. The cell that the box leaves counts as
//! taken, so most ways have one obstacle too many; counting right solved fewer levels.

use crate::sokoban::bound::distance::Way;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::floor::{Floor, back};

/// The price of an obstacle, in pushes.
pub(crate) const PRICE: u32 = 20;
/// More than any price of one push.
const RING: usize = 64;

/// What has no way.
pub(crate) const NO_WAY: u32 = 2000;

/// Finds the cheapest way to a goal.
#[derive(Clone)]
pub(crate) struct Obstacles {
    /// Whether boxes are pushed or pulled.
    way: Way,
    /// The price from each cell.
    far: Vec<u32>,
    ring: Vec<Vec<u16>>,
    /// Whether each cell has one of the boxes that may go to a goal.
    may_go: Vec<bool>,
    walk: Layers,
}

/// The number of boxes between the player and each cell, as far as they have been needed.
#[derive(Clone)]
struct Layers {
    /// The number for each cell; `NO_WAY` if it is at least `count`.
    between: Vec<u32>,
    /// The cells of the next layer, and its number.
    now: Vec<u16>,
    later: Vec<u16>,
    count: u32,
}

impl Obstacles {
    pub(crate) fn new(floor: &Floor, way: Way) -> Obstacles {
        Obstacles {
            way,
            far: vec![NO_WAY; floor.len() + 1],
            ring: vec![vec![]; RING],
            may_go: vec![false; floor.len() + 1],
            walk: Layers {
                between: vec![NO_WAY; floor.len() + 1],
                now: vec![],
                later: vec![],
                count: 0,
            },
        }
    }

    /// The price of the cheapest way of one of the boxes to one of the goals, in pushes. Cells that are `fixed` are walls.
    ///
    /// The way is looked for from the goals back. A box next to a cell that is found may begin there. Once all cells that
    /// are left cost more than the best way, that way is the cheapest.
    pub(crate) fn price(
        &mut self,
        field: &Field,
        occupied: &[u16],
        fixed: &[bool],
        goals: impl Iterator<Item = u16>,
        boxes: &[u16],
        player: u16,
    ) -> u32 {
        for &b in boxes {
            self.may_go[usize::from(b)] = true;
        }
        self.walk.begin(player);
        self.far.fill(NO_WAY);
        let mut waiting = 0;
        for goal in goals {
            self.far[usize::from(goal)] = 0;
            self.ring[0].push(goal);
            waiting += 1;
        }
        let is_box = |c: u16| u32::from(occupied[usize::from(c)] != 0);
        let (mut price, mut least) = (0, NO_WAY);
        while waiting > 0 && price + 1 < least {
            let Some(to) = self.ring[price as usize % RING].pop() else {
                price += 1;
                continue;
            };
            waiting -= 1;
            if self.far[usize::from(to)] != price {
                continue;
            }
            for e in 0..4 {
                let from = field.step(to, e);
                let (behind, stand) = match self.way {
                    Way::Push => (field.step(from, e), field.step(from, e)),
                    Way::Pull => (field.step(to, back(e)), to),
                };
                if from == field.wall() || behind == field.wall() {
                    continue;
                }
                if self.may_go[usize::from(from)] {
                    let own = price + 1 + PRICE * is_box(to);
                    let most = least.saturating_sub(own).div_ceil(PRICE);
                    let between = (self.walk).between(field, occupied, fixed, stand, most);
                    least = least.min(own + PRICE * between);
                }
                if fixed[usize::from(from)] || fixed[usize::from(behind)] {
                    continue;
                }
                let more = price + 1 + PRICE * (is_box(to) + is_box(behind));
                if more < self.far[usize::from(from)] {
                    self.far[usize::from(from)] = more;
                    self.ring[more as usize % RING].push(from);
                    waiting += 1;
                }
            }
        }
        if waiting > 0 {
            self.ring.iter_mut().for_each(Vec::clear);
        }
        for &b in boxes {
            self.may_go[usize::from(b)] = false;
        }
        least
    }
}

impl Layers {
    fn begin(&mut self, player: u16) {
        self.between.fill(NO_WAY);
        self.between[usize::from(player)] = 0;
        self.now.clear();
        self.later.clear();
        self.now.push(player);
        self.count = 0;
    }

    /// The number of boxes between the player and a cell; `NO_WAY` if it is this high or higher.
    fn between(
        &mut self,
        field: &Field,
        occupied: &[u16],
        fixed: &[bool],
        cell: u16,
        most: u32,
    ) -> u32 {
        while self.between[usize::from(cell)] == NO_WAY && self.count < most && !self.now.is_empty()
        {
            self.find_layer(field, occupied, fixed);
        }
        self.between[usize::from(cell)]
    }

    /// Finds the cells of the next layer, and the boxes of the one after it.
    fn find_layer(&mut self, field: &Field, occupied: &[u16], fixed: &[bool]) {
        while let Some(cell) = self.now.pop() {
            for other in field.floor.next[usize::from(cell)] {
                let o = usize::from(other);
                if self.between[o] != NO_WAY || fixed[o] || other == field.wall() {
                    continue;
                }
                if occupied[o] == 0 {
                    self.between[o] = self.count;
                    self.now.push(other);
                } else {
                    self.between[o] = self.count + 1;
                    self.later.push(other);
                }
            }
        }
        std::mem::swap(&mut self.now, &mut self.later);
        self.count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::test_levels::{pulled_level, random_level, read};

    fn price(rows: &[&str]) -> u32 {
        let level = read(rows);
        let field = Field::new(&level);
        let mut occupied = vec![0; field.len() + 1];
        for &cell in &field.boxes {
            occupied[usize::from(cell)] = 1;
        }
        let fixed = vec![false; field.len() + 1];
        let goals = field.goals.iter().copied();
        Obstacles::new(&field.floor, Way::Push).price(
            &field,
            &occupied,
            &fixed,
            goals,
            &field.boxes[..1],
            field.player,
        )
    }

    #[test]
    fn boxes_in_the_way_have_a_price() {
        let free = price(&["#########", "#@ $   .#", "#       #", "#########"]);
        let blocked = price(&["#########", "#@ $ $ .#", "#      .#", "#########"]);
        // The box on the way counts twice: once for the box, once for the player behind it.
        assert_eq!((free, blocked), (4 + PRICE, 4 + 3 * PRICE));
        let no_access = price(&[
            "#########",
            "#  $   .#",
            "####$####",
            "#  @   .#",
            "#########",
        ]);
        assert_eq!(
            no_access,
            4 + 3 * PRICE,
            "the player has to get past two boxes"
        );
    }

    /// The same price by the prices of all cells and the boxes between the player and all cells, one round after another
    /// until nothing changes.
    fn slow(
        field: &Field,
        way: Way,
        occupied: &[u16],
        fixed: &[bool],
        goals: &[u16],
        boxes: &[u16],
    ) -> u32 {
        let is_box = |c: u16| u32::from(occupied[usize::from(c)] != 0);
        let is_wall = |c: u16| c == field.wall();
        let mut far = vec![NO_WAY; field.len() + 1];
        let mut walk = far.clone();
        walk[usize::from(field.player)] = 0;
        for &goal in goals {
            far[usize::from(goal)] = 0;
        }
        for _ in 0..4 * field.len() {
            for to in 0..field.wall() {
                for e in 0..4 {
                    let from = field.step(to, e);
                    let f = usize::from(from);
                    if is_wall(from) || fixed[f] {
                        continue;
                    }
                    walk[f] = walk[f].min(walk[usize::from(to)] + is_box(from));
                    let behind = match way {
                        Way::Push => field.step(from, e),
                        Way::Pull => field.step(to, back(e)),
                    };
                    if !is_wall(behind) && !fixed[usize::from(behind)] {
                        let more = 1 + PRICE * (is_box(to) + is_box(behind));
                        far[f] = far[f].min(far[usize::from(to)] + more);
                    }
                }
            }
        }
        let mut least = NO_WAY;
        for &b in boxes {
            for e in 0..4 {
                let to = field.step(b, back(e));
                let (behind, stand) = match way {
                    Way::Push => (field.step(b, e), field.step(b, e)),
                    Way::Pull => (field.step(to, back(e)), to),
                };
                if !is_wall(to) && !is_wall(behind) {
                    let walk = walk[usize::from(stand)];
                    least = least.min(far[usize::from(to)] + 1 + PRICE * (is_box(to) + walk));
                }
            }
        }
        least
    }

    #[test]
    fn prices_are_those_of_a_search_to_the_end() {
        let mut found = [0; 2];
        let levels = (0..500).map(random_level).chain((0..200).map(pulled_level));
        for (seed, level) in levels.enumerate() {
            let field = Field::new(&level);
            let mut occupied = vec![0; field.len() + 1];
            occupied[field.len()] = 1;
            for &cell in &field.boxes {
                occupied[usize::from(cell)] = 1;
            }
            let mut fixed = vec![false; field.len() + 1];
            let is_fixed = |b: &u16| usize::from(*b) % 3 == seed % 3;
            let boxes: Vec<u16> = (field.boxes.iter().copied())
                .filter(|b| !is_fixed(b))
                .collect();
            for &b in field.boxes.iter().filter(|b| is_fixed(b)) {
                fixed[usize::from(b)] = true;
            }
            let goals = field.goals.iter().copied();
            let goals: Vec<u16> = goals.filter(|&g| !fixed[usize::from(g)]).collect();
            for way in [Way::Push, Way::Pull] {
                let mut obstacles = Obstacles::new(&field.floor, way);
                for goals in [&goals[..], &goals[..goals.len() / 2]] {
                    let slow = slow(&field, way, &occupied, &fixed, goals, &boxes);
                    let goals = goals.iter().copied();
                    let player = field.player;
                    let quick = obstacles.price(&field, &occupied, &fixed, goals, &boxes, player);
                    assert_eq!(quick, slow, "{way:?} {level:?}");
                    found[usize::from(quick < NO_WAY)] += 1;
                }
            }
        }
        assert!(found[0] > 500 && found[1] > 500, "{found:?}");
    }
}
