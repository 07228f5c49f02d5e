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
    /// The number of boxes between the player and each cell.
    walk: Vec<u32>,
    ring: Vec<Vec<u16>>,
    now: Vec<u16>,
    later: Vec<u16>,
}

impl Obstacles {
    pub(crate) fn new(floor: &Floor, way: Way) -> Obstacles {
        Obstacles {
            way,
            far: vec![NO_WAY; floor.len() + 1],
            walk: vec![NO_WAY; floor.len() + 1],
            ring: vec![vec![]; RING],
            now: vec![],
            later: vec![],
        }
    }

    /// The price of the cheapest way of one of the boxes to one of the goals, in pushes. Cells that are `fixed` are walls.
    pub(crate) fn price(
        &mut self,
        field: &Field,
        occupied: &[u16],
        fixed: &[bool],
        goals: impl Iterator<Item = u16>,
        boxes: &[u16],
        player: u16,
    ) -> u32 {
        self.walk_from(field, occupied, fixed, player);
        self.far.fill(NO_WAY);
        let mut waiting = 0;
        for goal in goals {
            self.far[usize::from(goal)] = 0;
            self.ring[0].push(goal);
            waiting += 1;
        }
        let is_box = |c: u16| u32::from(occupied[usize::from(c)] != 0);
        let mut price = 0;
        while waiting > 0 {
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
                let behind = match self.way {
                    Way::Push => field.step(from, e),
                    Way::Pull => field.step(to, back(e)),
                };
                if from == field.wall()
                    || behind == field.wall()
                    || fixed[usize::from(from)]
                    || fixed[usize::from(behind)]
                {
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
        let mut least = NO_WAY;
        for &b in boxes {
            for e in 0..4 {
                let to = field.step(b, back(e));
                let (behind, stand) = match self.way {
                    Way::Push => (field.step(b, e), field.step(b, e)),
                    Way::Pull => (field.step(to, back(e)), to),
                };
                if to == field.wall() || behind == field.wall() {
                    continue;
                }
                let price = self.far[usize::from(to)]
                    + 1
                    + PRICE * (is_box(to) + self.walk[usize::from(stand)]);
                least = least.min(price);
            }
        }
        least
    }

    /// The number of boxes between the player and each cell.
    fn walk_from(&mut self, field: &Field, occupied: &[u16], fixed: &[bool], player: u16) {
        self.walk.fill(NO_WAY);
        self.walk[usize::from(player)] = 0;
        self.now.push(player);
        let mut count = 0;
        while !self.now.is_empty() {
            while let Some(cell) = self.now.pop() {
                if self.walk[usize::from(cell)] != count {
                    continue;
                }
                for other in field.floor.next[usize::from(cell)] {
                    let o = usize::from(other);
                    if other == field.wall() || fixed[o] {
                        continue;
                    }
                    let more = count + u32::from(occupied[o] != 0);
                    if more < self.walk[o] {
                        self.walk[o] = more;
                        if more == count {
                            self.now.push(other);
                        } else {
                            self.later.push(other);
                        }
                    }
                }
            }
            std::mem::swap(&mut self.now, &mut self.later);
            count += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::test_levels::read;

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
}
