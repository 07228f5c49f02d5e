//! Sides: how a single box on a cell divides the floor around it.
//!
//! Two sides of a cell c are connected without c exactly if the edges from c to
//! them lie in the same block (biconnected component) of the floor. Tarjan's
//! depth-first search finds the blocks for all cells at once in linear time. Its
//! entry times also show which side of c a distant player is on: if the player is
//! in the search subtree of c's child v, the player is on v's side, and otherwise
//! on the side of c's parent.
//!
//! Tarjan: Depth-first search and linear graph algorithms. SIAM Journal on
//! Computing 1, 1972.

use crate::sokoban::floor::{Floor, back};

/// Marks a cell that divides the floor.
const SEVERAL: u8 = 4;

/// The sides of all cells of a floor.
pub(crate) struct Sides {
    /// For each side of a cell, the first side in the same block.
    first: Vec<[u8; 4]>,
    /// The number that all sides of a cell share, or `SEVERAL` if they are not all connected.
    only: Vec<u8>,
    /// The times when the search entered and left each cell.
    enter: Vec<u32>,
    leave: Vec<u32>,
    /// The side from which the search entered each cell.
    parent: Vec<u8>,
}

impl Sides {
    /// Finds out for every cell which of its sides are connected without it.
    pub(crate) fn new(floor: &Floor) -> Sides {
        let mut sides = Sides {
            first: vec![[0, 1, 2, 3]; floor.len()],
            only: vec![SEVERAL; floor.len()],
            enter: vec![0; floor.len()],
            leave: vec![0; floor.len()],
            parent: vec![0; floor.len()],
        };
        sides.find_blocks(floor);
        sides
    }

    /// The number of a side of a cell. Sides that are connected without passing through the cell share one number.
    #[inline]
    pub(crate) fn side(&self, cell: u16, direction: usize) -> usize {
        self.first[usize::from(cell)][direction].into()
    }

    /// Which side of a cell the player is on, given the player's own cell.
    #[inline]
    pub(crate) fn of(&self, floor: &Floor, cell: u16, player: u16) -> usize {
        if self.only[usize::from(cell)] != SEVERAL {
            return self.only[usize::from(cell)].into();
        }
        let sides = self.first[usize::from(cell)];
        let next = floor.next[usize::from(cell)];
        let (time, enter) = (self.enter[usize::from(player)], &self.enter);
        for d in 0..4 {
            let child = usize::from(next[d]);
            if next[d] != floor.wall()
                && enter[child] > enter[usize::from(cell)]
                && usize::from(self.parent[child]) == back(d)
                && (enter[child]..self.leave[child]).contains(&time)
            {
                return sides[d].into();
            }
        }
        sides[usize::from(self.parent[usize::from(cell)])].into()
    }

    /// Tarjan's search for blocks, without recursion.
    fn find_blocks(&mut self, floor: &Floor) {
        const UNSEEN: u32 = u32::MAX;
        let mut low = vec![0; floor.len()];
        let mut block = vec![[u32::MAX; 4]; floor.len()]; // of each edge, at both ends
        self.enter.fill(UNSEEN);
        let (mut time, mut blocks) = (0, 0);
        let mut path: Vec<(u16, usize)> = vec![]; // cells and the side to look at next
        let mut edges: Vec<(u16, usize)> = vec![];
        for root in 0..floor.wall() {
            if self.enter[usize::from(root)] != UNSEEN {
                continue;
            }
            self.enter[usize::from(root)] = time;
            low[usize::from(root)] = time;
            path.push((root, 0));
            while let Some(&mut (cell, ref mut side)) = path.last_mut() {
                let (c, d) = (usize::from(cell), *side);
                *side += 1;
                if d < 4 {
                    let other = floor.next[c][d];
                    let o = usize::from(other);
                    if o == floor.len() {
                        continue;
                    }
                    if self.enter[o] == UNSEEN {
                        time += 1;
                        self.enter[o] = time;
                        low[o] = time;
                        self.parent[o] = back(d) as u8;
                        edges.push((cell, d));
                        path.push((other, 0));
                    } else if self.enter[o] < self.enter[c] {
                        // An edge up the tree, to the parent or beyond.
                        if d != usize::from(self.parent[c]) {
                            edges.push((cell, d));
                            low[c] = low[c].min(self.enter[o]);
                        }
                    }
                    continue;
                }
                self.leave[c] = time + 1;
                path.pop();
                let Some(&(up, _)) = path.last() else { break };
                low[usize::from(up)] = low[usize::from(up)].min(low[c]);
                if low[c] >= self.enter[usize::from(up)] {
                    let first = (up, back(self.parent[c].into()));
                    while let Some((from, d)) = edges.pop() {
                        let to = floor.step(from, d);
                        block[usize::from(from)][d] = blocks;
                        block[usize::from(to)][back(d)] = blocks;
                        if (from, d) == first {
                            break;
                        }
                    }
                    blocks += 1;
                }
            }
            time += 1;
        }
        for (cell, block) in block.iter().enumerate() {
            let (next, wall) = (floor.next[cell], floor.wall());
            let open = |d: &usize| next[*d] != wall;
            let any = (0..4).find(open).unwrap_or(0); // stands in for sides that are walls
            for d in 0..4 {
                let d_or_any = if open(&d) { d } else { any };
                let first = (0..4).find(|&e| block[e] == block[d_or_any]);
                self.first[cell][d] = first.expect("at least the side itself") as u8;
            }
            let only = self.first[cell][any];
            let is_only = self.first[cell].iter().all(|&side| side == only);
            self.only[cell] = if is_only { only } else { SEVERAL };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::walk::Walk;
    use super::*;
    use crate::sokoban::test_levels::random_level;

    #[test]
    fn sides_agree_with_flood_fill() {
        for seed in 0..200 {
            let level = random_level(seed);
            let floor = Floor::around(&level, level.players()[0]);
            let sides = Sides::new(&floor);
            let mut walk = Walk::new(&floor);
            let mut occupied = vec![0; floor.len()];
            occupied.push(u16::MAX);
            for cell in 0..floor.wall() {
                occupied[usize::from(cell)] = 1;
                for d in (0..4).filter(|&d| floor.step(cell, d) != floor.wall()) {
                    walk.from(&floor, floor.step(cell, d), &occupied);
                    for e in (0..4).filter(|&e| floor.step(cell, e) != floor.wall()) {
                        let same = sides.side(cell, d) == sides.side(cell, e);
                        assert_eq!(walk.reaches(floor.step(cell, e)), same, "{seed} {cell}");
                    }
                    for player in (0..floor.wall()).filter(|&p| p != cell) {
                        let same = sides.of(&floor, cell, player) == sides.side(cell, d);
                        assert_eq!(walk.reaches(player), same, "{seed} {cell} {player}");
                    }
                }
                occupied[usize::from(cell)] = 0;
            }
        }
    }
}
