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
    enter: Vec<u16>,
    nodes: Vec<Node>,
    /// The root of each region.
    pub(crate) roots: Vec<u16>,
    /// The cells on the way to the one being visited.
    stack: Vec<Visit>,
}

/// A free cell in its tree.
#[derive(Clone, Copy, Default)]
struct Node {
    parent: u16,
    root: u16,
    /// The last number in the subtree below the cell, and the lowest that the subtree has a step to.
    leave: u16,
    low: u16,
    /// The lowest cell of the subtree.
    least: u16,
}

/// A cell being visited, with the next direction to try and what is known of its subtree.
struct Visit {
    cell: u16,
    direction: u8,
    low: u16,
    least: u16,
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
            nodes: vec![Node::default(); len],
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
                count = self.visit(floor, occupied, root, count);
            }
        }
    }

    /// Visits everything that a root is connected with, after this many other cells. Returns the number of cells visited.
    fn visit(&mut self, floor: &Floor, occupied: &[u16], root: u16, mut count: u16) -> u16 {
        let (enter, nodes) = (&mut self.enter[..], &mut self.nodes[..]);
        let first = |cell, number| Visit {
            cell,
            direction: 0,
            low: number,
            least: cell,
        };
        count += 1;
        enter[usize::from(root)] = count;
        nodes[usize::from(root)].root = root;
        let mut here = first(root, count);
        loop {
            let around = floor.next[usize::from(here.cell)];
            if let Some(&other) = around.get(usize::from(here.direction)) {
                here.direction += 1;
                let o = usize::from(other);
                if occupied[o] != 0 {
                    continue;
                }
                if enter[o] != 0 {
                    // A step to the parent is harmless: the parent's own subtree has that number already.
                    here.low = here.low.min(enter[o]);
                    continue;
                }
                count += 1;
                enter[o] = count;
                (nodes[o].parent, nodes[o].root) = (here.cell, root);
                self.stack
                    .push(std::mem::replace(&mut here, first(other, count)));
            } else {
                let node = &mut nodes[usize::from(here.cell)];
                (node.leave, node.low, node.least) = (count, here.low, here.least);
                let Some(above) = self.stack.pop() else {
                    return count;
                };
                here = Visit {
                    low: above.low.min(here.low),
                    least: above.least.min(here.least),
                    ..above
                };
            }
        }
    }

    /// The root of a free cell's region.
    pub(crate) fn root(&self, cell: u16) -> u16 {
        self.nodes[usize::from(cell)].root
    }

    /// The number of cells below a cell, with itself, and the lowest of them.
    pub(crate) fn subtree(&self, cell: u16) -> (u32, u16) {
        let c = usize::from(cell);
        let Node { leave, least, .. } = self.nodes[c];
        (u32::from(leave + 1 - self.enter[c]), least)
    }

    /// Whether a cell is below another one, or is that cell.
    pub(crate) fn is_below(&self, cell: u16, above: u16) -> bool {
        let (c, a) = (usize::from(cell), usize::from(above));
        self.enter[a] <= self.enter[c] && self.enter[c] <= self.nodes[a].leave
    }

    /// The children of a free cell whose subtrees are cut off if it is taken.
    pub(crate) fn cut_off(&self, floor: &Floor, taken: u16) -> impl Iterator<Item = u16> {
        let enter = self.enter[usize::from(taken)];
        let is_cut = move |child: &u16| {
            let c = usize::from(*child);
            let node = &self.nodes[c];
            self.enter[c] > enter && node.parent == taken && node.low >= enter
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
