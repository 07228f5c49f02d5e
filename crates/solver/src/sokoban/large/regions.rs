//! Regions: the parts into which boxes divide the floor.
//!
//! The fewer parts there are, the more the player can do. Their number is a feature
//! of a state in `feature_search`, and the lowest cell of the player's own part
//! stands for wherever in it the player is.

use crate::sokoban::floor::Floor;

/// Counts regions.
pub(crate) struct Regions {
    seen: Vec<u32>,
    now: u32,
    queue: Vec<u16>,
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
