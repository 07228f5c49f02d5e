//! Cuts: what is left connected if one more cell is taken.
//!
//! A depth-first search over the free cells numbers them in the order of the first visit.
//! If a cell is taken, each of the subtrees below it either has a way around it, to a cell
//! with a lower number, or becomes a part of its own. Everything else stays connected. So
//! one search answers for every cell what a box on it would cut off.
//!
//! Tarjan: Depth-first search and linear graph algorithms. SIAM Journal on Computing 1,
//! 1972.

use crate::sokoban::floor::Floor;

/// The free cells of a state as depth-first trees, one for each region.
pub(crate) struct Cuts {
    /// For each cell the number of its first visit, counted from 1; 0 if it is not free.
    enter: Vec<u32>,
    /// The last number in the subtree below a cell, and the lowest that the subtree has a step to.
    leave: Vec<u32>,
    low: Vec<u32>,
    /// The lowest cell of the subtree.
    least: Vec<u16>,
    parent: Vec<u16>,
    /// The root of each free cell's region.
    root_of: Vec<u16>,
    /// The root of each region.
    pub(crate) roots: Vec<u16>,
    /// The cells on the way to the one being visited, each with the next direction to try.
    stack: Vec<(u16, u8)>,
}

/// A part that is left if a cell is taken: the root of its region, and the child of the cell below which it is, or none for
/// the part above the cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) root: u16,
    pub(crate) below: Option<u16>,
}

impl Cuts {
    pub(crate) fn new(floor: &Floor) -> Cuts {
        let len = floor.len() + 1;
        Cuts {
            enter: vec![0; len],
            leave: vec![0; len],
            low: vec![0; len],
            least: vec![0; len],
            parent: vec![0; len],
            root_of: vec![0; len],
            roots: vec![],
            stack: vec![],
        }
    }

    /// Searches the free cells; `occupied` is nonzero for boxes and the wall.
    pub(crate) fn find(&mut self, floor: &Floor, occupied: &[u16]) {
        self.enter.fill(0);
        self.roots.clear();
        let mut count = 0;
        for root in 0..floor.wall() {
            if occupied[usize::from(root)] == 0 && self.enter[usize::from(root)] == 0 {
                self.roots.push(root);
                self.visit(root, floor.wall(), root, &mut count);
                self.descend(floor, occupied, root, &mut count);
            }
        }
    }

    fn visit(&mut self, cell: u16, parent: u16, root: u16, count: &mut u32) {
        *count += 1;
        let c = usize::from(cell);
        (self.enter[c], self.low[c]) = (*count, *count);
        (self.least[c], self.parent[c]) = (cell, parent);
        self.root_of[c] = root;
        self.stack.push((cell, 0));
    }

    /// Visits everything below the root on the stack.
    fn descend(&mut self, floor: &Floor, occupied: &[u16], root: u16, count: &mut u32) {
        while let Some((cell, direction)) = self.stack.last_mut() {
            let (here, d) = (*cell, usize::from(*direction));
            *direction += 1;
            let c = usize::from(here);
            if d == 4 {
                self.stack.pop();
                self.leave[c] = *count;
                let p = usize::from(self.parent[c]);
                if !self.stack.is_empty() {
                    self.low[p] = self.low[p].min(self.low[c]);
                    self.least[p] = self.least[p].min(self.least[c]);
                }
                continue;
            }
            let other = floor.next[c][d];
            let o = usize::from(other);
            if occupied[o] != 0 {
                continue;
            }
            if self.enter[o] == 0 {
                self.visit(other, here, root, count);
            } else if other != self.parent[c] {
                self.low[c] = self.low[c].min(self.enter[o]);
            }
        }
    }

    /// The root of a free cell's region.
    pub(crate) fn root(&self, cell: u16) -> u16 {
        self.root_of[usize::from(cell)]
    }

    /// The number of cells below a cell, with itself, and the lowest of them.
    pub(crate) fn subtree(&self, cell: u16) -> (u32, u16) {
        let c = usize::from(cell);
        (self.leave[c] + 1 - self.enter[c], self.least[c])
    }

    /// Whether a cell is below another one, or is that cell.
    pub(crate) fn is_below(&self, cell: u16, above: u16) -> bool {
        let (c, a) = (usize::from(cell), usize::from(above));
        self.enter[a] <= self.enter[c] && self.enter[c] <= self.leave[a]
    }

    /// The children of a free cell whose subtrees are cut off if it is taken.
    pub(crate) fn cut_off(&self, floor: &Floor, taken: u16) -> impl Iterator<Item = u16> {
        let enter = self.enter[usize::from(taken)];
        let is_cut = move |child: &u16| {
            let c = usize::from(*child);
            self.enter[c] > enter && self.parent[c] == taken && self.low[c] >= enter
        };
        floor.next[usize::from(taken)].into_iter().filter(is_cut)
    }

    /// The part of a free cell once another free cell is taken.
    pub(crate) fn piece(&self, floor: &Floor, cell: u16, taken: u16) -> Piece {
        let below = if self.is_below(cell, taken) {
            (self.cut_off(floor, taken)).find(|&child| self.is_below(cell, child))
        } else {
            None
        };
        Piece {
            root: self.root(cell),
            below,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::field::enclosure::Field;
    use crate::sokoban::field::walk::Walk;
    use crate::sokoban::test_levels::random_level;

    #[test]
    fn cells_are_in_one_piece_if_there_is_a_walk() {
        let mut compared = [0; 2];
        for seed in 0..300 {
            let field = Field::new(&random_level(seed));
            let mut occupied = vec![0; field.len() + 1];
            occupied[field.len()] = 1;
            for &cell in &field.boxes {
                occupied[usize::from(cell)] = 1;
            }
            let mut cuts = Cuts::new(&field.floor);
            cuts.find(&field.floor, &occupied);
            let free = |occupied: &[u16]| -> Vec<u16> {
                let cells = 0..field.wall();
                cells.filter(|&c| occupied[usize::from(c)] == 0).collect()
            };
            for taken in free(&occupied) {
                occupied[usize::from(taken)] = 1;
                for from in free(&occupied) {
                    let mut walk = Walk::new(&field.floor);
                    walk.from(&field.floor, from, &occupied);
                    for to in free(&occupied) {
                        let is_one = cuts.piece(&field.floor, from, taken)
                            == cuts.piece(&field.floor, to, taken);
                        assert_eq!(is_one, walk.reaches(to), "seed {seed}: {taken} {from} {to}");
                        compared[usize::from(is_one)] += 1;
                    }
                }
                occupied[usize::from(taken)] = 0;
            }
        }
        assert!(compared[0] > 1000 && compared[1] > 1000, "{compared:?}");
    }
}
