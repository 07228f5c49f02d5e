//! Regions: the parts into which boxes divide the floor.
//!
//! The fewer parts there are, the more the player can do. Their number is a feature
//! of a state in `feature_search`, and the lowest cell of the player's own part
//! stands for wherever in it the player is.
//!
//! A move of a box joins the parts next to the cell that it leaves, and may cut the part
//! that it enters. `cuts` knows for each cell what a box there would cut off. So the parts
//! of a state are found once, and those of its children from them.

use super::cuts::{Cuts, Piece};
use crate::sokoban::floor::Floor;

/// Counts regions.
pub(crate) struct Regions {
    seen: Vec<u32>,
    now: u32,
    queue: Vec<u16>,
    /// The regions of the state that was marked.
    marked: Cuts,
}

/// The regions of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// How many there are.
    pub(crate) count: u32,
    /// The lowest cell of the player's own.
    pub(crate) least: u16,
    /// The number of cells of the player's own.
    pub(crate) size: u32,
}

impl Regions {
    pub(crate) fn new(floor: &Floor) -> Regions {
        Regions {
            seen: vec![0; floor.len() + 1],
            now: 0,
            queue: vec![0; floor.len() + 1],
            marked: Cuts::new(floor),
        }
    }

    /// The regions among the boxes; `occupied` is nonzero for boxes and the wall.
    pub(crate) fn parts(&mut self, floor: &Floor, occupied: &[u16], player: u16) -> Parts {
        self.now += 1;
        let (least, size) = self.flood(floor, occupied, player);
        let mut count = 1;
        for cell in 0..floor.wall() {
            if occupied[usize::from(cell)] == 0 && self.seen[usize::from(cell)] != self.now {
                self.flood(floor, occupied, cell);
                count += 1;
            }
        }
        Parts { count, least, size }
    }

    /// The cells of the player's own region.
    pub(crate) fn own(&mut self, floor: &Floor, occupied: &[u16], player: u16) -> &[u16] {
        self.now += 1;
        let (_, size) = self.flood(floor, occupied, player);
        &self.queue[..size as usize]
    }

    /// Marks the regions of a state, so that `after` gives those of its children.
    pub(crate) fn mark(&mut self, floor: &Floor, occupied: &[u16]) {
        self.marked.find(floor, occupied);
    }

    /// The regions of the state that was marked.
    pub(crate) fn marked(&self) -> &Cuts {
        &self.marked
    }

    /// The regions of the state that was marked, given a cell of the player's own.
    pub(crate) fn marked_parts(&self, player: u16) -> Parts {
        let cuts = &self.marked;
        let (size, least) = cuts.subtree(cuts.root(player));
        Parts {
            count: cuts.roots.len() as u32,
            least,
            size,
        }
    }

    /// The regions of a state that differs from the marked one by a box that has gone from one cell to another.
    pub(crate) fn after(
        &mut self,
        floor: &Floor,
        occupied: &[u16],
        (left, taken): (u16, u16),
        player: u16,
    ) -> Parts {
        if left == taken {
            return self.parts(floor, occupied, player);
        }
        let cuts = &self.marked;
        let entered = cuts.root(taken);
        // 1. The region that the box has entered falls into pieces: one above its cell, and those that are cut off.
        let cut_off = cuts.cut_off(floor, taken);
        let (mut pieces, mut below) = (0, 0);
        for child in cut_off {
            pieces += 1;
            below += cuts.subtree(child).0;
        }
        let above = cuts.subtree(entered).0 - 1 - below;
        pieces += usize::from(above > 0);
        // None if the lowest cell is not known.
        let piece = |piece: Piece| match piece.below {
            Some(child) => Some(cuts.subtree(child)),
            None if piece.root != entered => Some(cuts.subtree(piece.root)),
            None => {
                // A root is the lowest cell of its region.
                let is_above = taken != entered;
                is_above.then_some((above, entered))
            }
        };
        // 2. The pieces next to the cell that it has left become one.
        let mut joined: [Option<Piece>; 4] = [None; 4];
        let (mut count, mut size, mut least) = (0, 1, left);
        for cell in floor.next[usize::from(left)] {
            if cell == taken || occupied[usize::from(cell)] != 0 {
                continue;
            }
            let one = cuts.piece(floor, cell, taken);
            if joined.contains(&Some(one)) {
                continue;
            }
            joined[count] = Some(one);
            count += 1;
            let Some((cells, lowest)) = piece(one) else {
                return self.parts(floor, occupied, player);
            };
            size += cells;
            least = least.min(lowest);
        }
        let parts = cuts.roots.len() - 1 + pieces + 1 - count;
        // 3. The player's own.
        if player != left {
            let own = cuts.piece(floor, player, taken);
            if !joined.contains(&Some(own)) {
                let Some(found) = piece(own) else {
                    return self.parts(floor, occupied, player);
                };
                (size, least) = found;
            }
        }
        Parts {
            count: parts as u32,
            least,
            size,
        }
    }

    fn flood(&mut self, floor: &Floor, occupied: &[u16], start: u16) -> (u16, u32) {
        let (seen, queue, now) = (&mut self.seen[..], &mut self.queue[..], self.now);
        seen[usize::from(start)] = now;
        queue[0] = start;
        let (mut next, mut count, mut least) = (0, 1, start);
        while next < count {
            let cell = queue[next];
            next += 1;
            least = least.min(cell);
            for other in floor.next[usize::from(cell)] {
                let o = usize::from(other);
                if seen[o] != now && occupied[o] == 0 {
                    seen[o] = now;
                    queue[count] = other;
                    count += 1;
                }
            }
        }
        (least, count as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::field::enclosure::Field;
    use crate::sokoban::test_levels::random_level;

    #[test]
    fn regions_after_a_move_are_those_of_the_state() {
        let mut compared = 0;
        for seed in 0..500 {
            let field = Field::new(&random_level(seed));
            let mut occupied = vec![0; field.len() + 1];
            occupied[field.len()] = 1;
            for &cell in &field.boxes {
                occupied[usize::from(cell)] = 1;
            }
            let mut regions = Regions::new(&field.floor);
            regions.mark(&field.floor, &occupied);
            let marked = regions.marked_parts(field.player);
            let parts = regions.parts(&field.floor, &occupied, field.player);
            assert_eq!(marked, parts, "seed {seed}");
            for &left in &field.boxes {
                for taken in 0..field.wall() {
                    if occupied[usize::from(taken)] != 0 && taken != left {
                        continue;
                    }
                    regions.mark(&field.floor, &occupied);
                    occupied[usize::from(left)] = 0;
                    occupied[usize::from(taken)] = 1;
                    for player in (0..field.wall()).filter(|&c| occupied[usize::from(c)] == 0) {
                        let moved = (left, taken);
                        let quick = regions.after(&field.floor, &occupied, moved, player);
                        let slow =
                            Regions::new(&field.floor).parts(&field.floor, &occupied, player);
                        assert_eq!(quick, slow, "seed {seed}: {left} to {taken}, {player}");
                        compared += 1;
                    }
                    occupied[usize::from(taken)] = 0;
                    occupied[usize::from(left)] = 1;
                }
            }
        }
        assert!(compared > 10_000, "{compared}");
    }
}
