//! What is near: the cells within some steps of others, and the boxes around a box.

use crate::sokoban::floor::Floor;

/// Boxes are near each other if they are this many steps apart.
const STEPS: usize = 2;

/// The cells near each cell.
pub(crate) struct Near(Vec<Vec<u16>>);

impl Near {
    pub(crate) fn new(floor: &Floor) -> Near {
        let others = |cell| within(floor, &[cell], STEPS)[1..].to_vec();
        Near((0..floor.wall()).map(others).collect())
    }

    /// The box on a cell and those near it, near these and so on, at most `MOST`, and how many they are.
    pub(crate) fn group<const MOST: usize>(
        &self,
        occupied: &[u16],
        cell: u16,
    ) -> ([u16; MOST], usize) {
        let mut group = [cell; MOST];
        let (mut count, mut at) = (1, 0);
        while at < count && count < MOST {
            for &c in &self.0[usize::from(group[at])] {
                if occupied[usize::from(c)] != 0 && !group[..count].contains(&c) {
                    group[count] = c;
                    count += 1;
                    if count == MOST {
                        break;
                    }
                }
            }
            at += 1;
        }
        (group, count)
    }
}

/// The cells within some steps of others, boxes or not, nearest first.
pub(crate) fn within(floor: &Floor, from: &[u16], steps: usize) -> Vec<u16> {
    let mut is_known = vec![false; floor.len() + 1];
    let mut cells = from.to_vec();
    for &cell in from {
        is_known[usize::from(cell)] = true;
    }
    let mut first = 0;
    for _ in 0..steps {
        let end = cells.len();
        for i in first..end {
            for other in floor.next[usize::from(cells[i])] {
                if other != floor.wall() && !is_known[usize::from(other)] {
                    is_known[usize::from(other)] = true;
                    cells.push(other);
                }
            }
        }
        first = end;
    }
    cells
}
