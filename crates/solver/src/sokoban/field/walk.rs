//! A walk: the cells that the player can reach among the boxes, and how far away they are.

use noyes_puzzle::tiles::Direction;

use crate::sokoban::floor::{Floor, back};

/// The cells that the player can reach among the boxes, and how far away they are.
pub(crate) struct Walk {
    /// For each cell its distance, plus 2¹⁶ times the number of the last walk that reached it.
    far: Vec<u64>,
    /// The number of this walk times 2¹⁶.
    now: u64,
    /// The cells reached, nearest first; entries from `count` on are left over from earlier walks.
    queue: Vec<u16>,
    count: usize,
    /// The two lowest cells reached, once `find_least` has run.
    least: [u16; 2],
}

/// Eight bits say which cells around a cell belong to a region, clockwise from the one above. The table says for each
/// such mask whether the region's cells at the four sides are connected through its cells at the corners.
pub(crate) const RING: [bool; 256] = {
    let mut table = [false; 256];
    let mut mask = 0;
    while mask < 256 {
        // Two neighbouring sides are linked if the corner between them also belongs to the region.
        let (mut sides, mut links, mut i) = (0, 0, 0);
        while i < 4 {
            let (side, corner, next) = (1 << (2 * i), 1 << (2 * i + 1), 1 << ((2 * i + 2) % 8));
            sides += (mask & side != 0) as u32;
            links += (mask & side != 0 && mask & corner != 0 && mask & next != 0) as u32;
            i += 1;
        }
        // A chain of n links joins n + 1 sides; four links make a ring.
        table[mask] = sides <= 1 || links + 1 >= sides;
        mask += 1;
    }
    table
};

/// The cells around a cell that belong to a region, as an index of `RING`.
#[inline]
pub(crate) fn ring(floor: &Floor, cell: u16, belongs: impl Fn(u16) -> bool) -> usize {
    let [up, west, east, down] = floor.next[usize::from(cell)];
    let mut mask = 0;
    for (i, (side, turn)) in [(up, 2), (east, 3), (down, 1), (west, 0)]
        .into_iter()
        .enumerate()
    {
        if belongs(side) {
            mask |= 1 << (2 * i);
            if belongs(floor.step(side, turn)) {
                mask |= 1 << (2 * i + 1);
            }
        }
    }
    mask
}

impl Walk {
    /// A walk that has reached nothing yet.
    pub(crate) fn new(floor: &Floor) -> Walk {
        Walk {
            far: vec![0; floor.len() + 1],
            now: 0,
            queue: vec![0; floor.len() + 1],
            count: 0,
            least: [0; 2],
        }
    }

    /// Walks over all free cells; `occupied` is nonzero for boxes and the wall.
    pub(crate) fn from(&mut self, floor: &Floor, start: u16, occupied: &[u16]) {
        self.now += 1 << 16;
        let (far, queue) = (&mut self.far[..], &mut self.queue[..]);
        far[usize::from(start)] = self.now;
        queue[0] = start;
        let (mut next, mut count) = (0, 1);
        while next < count {
            let cell = usize::from(queue[next]);
            next += 1;
            let step = far[cell] + 1;
            for other in floor.next[cell] {
                let o = usize::from(other);
                if far[o] < self.now && occupied[o] == 0 {
                    far[o] = step;
                    queue[count] = other;
                    count += 1;
                }
            }
        }
        self.count = count;
    }

    /// The cells reached, nearest first.
    pub(crate) fn reached(&self) -> &[u16] {
        &self.queue[..self.count]
    }

    /// Notes the two lowest cells reached, for `least_after`.
    pub(crate) fn find_least(&mut self) {
        let (mut first, mut second) = (u16::MAX, u16::MAX);
        for &cell in self.reached() {
            if cell < first {
                (first, second) = (cell, first);
            } else if cell < second {
                second = cell;
            }
        }
        self.least = [first, second];
    }

    /// The lowest cell that the player reaches after a box has moved from cell `left` to cell `taken`, if the cells
    /// around these two are enough to tell.
    ///
    /// If the reached cells around the box's new cell are connected without it, the whole reached region stays
    /// connected. The old cell joins the region if it touches it. If that opens up nothing else, the answer is known.
    pub(crate) fn least_after(
        &self,
        floor: &Floor,
        occupied: &[u16],
        left: u16,
        taken: u16,
    ) -> Option<u16> {
        let within = |cell: u16| cell != taken && self.reaches(cell);
        let around = floor.next[usize::from(left)];
        let joins = around.iter().any(|&c| within(c));
        if joins {
            let opens = |&c: &u16| c != taken && occupied[usize::from(c)] == 0 && !self.reaches(c);
            if around.iter().any(opens) {
                return None;
            }
        }
        if self.reaches(taken) {
            let belongs = |c: u16| within(c) || joins && c == left;
            let mask = ring(floor, taken, belongs);
            if !RING[mask] {
                return None;
            }
        }
        let old = self.least[usize::from(self.least[0] == taken)];
        Some(if joins { old.min(left) } else { old })
    }

    /// Whether the player reaches a cell.
    #[inline]
    pub(crate) fn reaches(&self, cell: u16) -> bool {
        self.far[usize::from(cell)] >= self.now
    }

    /// The number of steps to a cell that is reached.
    #[inline]
    pub(crate) fn steps(&self, cell: u16) -> u32 {
        (self.far[usize::from(cell)] - self.now) as u32
    }

    /// A shortest path to a cell that is reached.
    pub(crate) fn path(&self, floor: &Floor, mut to: u16) -> Vec<Direction> {
        let mut path = vec![];
        while self.steps(to) > 0 {
            let nearer = |d: &usize| {
                let before = floor.step(to, back(*d));
                self.reaches(before) && self.steps(before) + 1 == self.steps(to)
            };
            let d = (0..4).find(nearer).expect("some step led here");
            path.push(Direction::ALL[d]);
            to = floor.step(to, back(d));
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::super::enclosure::Field;
    use super::*;
    use crate::sokoban::test_levels::random_level;

    #[test]
    fn the_shortcut_agrees_with_a_full_walk() {
        let (mut known, mut all) = (0, 0);
        for seed in 0..300 {
            let field = Field::new(&random_level(seed));
            let (mut walk, mut after) = (Walk::new(&field.floor), Walk::new(&field.floor));
            let mut occupied = vec![0; field.len()];
            occupied.push(u16::MAX);
            for &b in &field.boxes {
                occupied[usize::from(b)] = 1;
            }
            walk.from(&field.floor, field.player, &occupied);
            walk.find_least();
            for &b in &field.boxes {
                for d in 0..4 {
                    let (behind, ahead) = (field.step(b, back(d)), field.step(b, d));
                    let far = field.step(behind, back(d));
                    // A push and a pull.
                    for (to, player, room) in [(ahead, b, ahead), (behind, far, far)] {
                        if !walk.reaches(behind) || occupied[usize::from(room)] != 0 {
                            continue;
                        }
                        occupied[usize::from(b)] = 0;
                        occupied[usize::from(to)] = 1;
                        after.from(&field.floor, player, &occupied);
                        let least = after.reached().iter().copied().min();
                        let quick = walk.least_after(&field.floor, &occupied, b, to);
                        assert!(quick.is_none() || quick == least, "seed {seed}, {b} {d}");
                        known += u32::from(quick.is_some());
                        all += 1;
                        occupied[usize::from(to)] = 0;
                        occupied[usize::from(b)] = 1;
                    }
                }
            }
        }
        assert!(known > all / 4, "{known} of {all}");
    }
}
