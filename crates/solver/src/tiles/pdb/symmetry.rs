//! The symmetries of a board: turned and mirrored it is the same puzzle.
//!
//! One table serves all goals that are symmetric to each other, so it is built and
//! kept for one of them only. A symmetry that leaves the goal's blank in its place
//! also gives a second look-up in the same table: the reflected board has the same
//! distance, but other tiles are in each pattern.

/// A rotation or reflection of a board: where each cell goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// Columns afterwards.
    pub width: usize,
    /// Rows afterwards.
    pub height: usize,
    to: Vec<u8>,
}

impl Symmetry {
    /// The one that changes nothing.
    pub fn identity(width: usize, height: usize) -> Symmetry {
        let to = (0..width * height).map(|cell| cell as u8).collect();
        Symmetry { width, height, to }
    }

    /// All eight; four of them exchange width and height.
    pub fn all(width: usize, height: usize) -> Vec<Symmetry> {
        let mut all = vec![];
        for code in 0..8 {
            let (flip_row, flip_column, transpose) = (code & 1 == 1, code & 2 == 2, code & 4 == 4);
            let to = (0..width * height).map(|cell| {
                let (mut row, mut column) = (cell / width, cell % width);
                if flip_row {
                    row = height - 1 - row;
                }
                if flip_column {
                    column = width - 1 - column;
                }
                (if transpose {
                    column * height + row
                } else {
                    row * width + column
                }) as u8
            });
            let to = to.collect();
            let (width, height) = if transpose {
                (height, width)
            } else {
                (width, height)
            };
            all.push(Symmetry { width, height, to });
        }
        all
    }

    /// Where a cell goes.
    #[inline]
    pub fn cell(&self, cell: usize) -> usize {
        usize::from(self.to[cell])
    }

    /// This symmetry followed by another.
    #[must_use]
    pub fn then(&self, next: &Symmetry) -> Symmetry {
        let to = self
            .to
            .iter()
            .map(|&cell| next.to[usize::from(cell)])
            .collect();
        Symmetry {
            width: next.width,
            height: next.height,
            to,
        }
    }

    /// The one that undoes it.
    #[must_use]
    pub fn inverse(&self, width: usize, height: usize) -> Symmetry {
        let mut to = vec![0; self.to.len()];
        for (cell, &image) in self.to.iter().enumerate() {
            to[usize::from(image)] = cell as u8;
        }
        Symmetry { width, height, to }
    }

    /// The one that takes a board to the frame of its tables: no higher than wide, the blank as near the first cell as
    /// possible.
    pub fn frame(width: usize, height: usize, blank: usize) -> Symmetry {
        let order = |s: &Symmetry| (std::cmp::Reverse(s.width), s.cell(blank));
        Symmetry::all(width, height)
            .into_iter()
            .min_by_key(order)
            .expect("the identity at least")
    }

    /// The mirror that keeps the size and this cell, if the board has one.
    pub fn keeping(width: usize, height: usize, cell: usize) -> Option<Symmetry> {
        let stays = |s: &Symmetry| s.width == width && s.cell(cell) == cell;
        let moves = |s: &Symmetry| (0..width * height).any(|c| s.cell(c) != c);
        // The diagonal before the others: a transposed board shares the least with the board itself.
        Symmetry::all(width, height)
            .into_iter()
            .rev()
            .find(|s| stays(s) && moves(s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetries_keep_neighbours_and_are_undone() {
        for (width, height) in [(3, 3), (4, 2), (5, 3)] {
            for symmetry in Symmetry::all(width, height) {
                for cell in 0..width * height {
                    if cell % width + 1 < width {
                        let (a, b) = (symmetry.cell(cell), symmetry.cell(cell + 1));
                        let touch = a.abs_diff(b) == symmetry.width
                            || (a.abs_diff(b) == 1 && a / symmetry.width == b / symmetry.width);
                        assert!(touch, "{symmetry:?} tears {cell} from its neighbour");
                    }
                    assert_eq!(
                        symmetry.then(&symmetry.inverse(width, height)).cell(cell),
                        cell
                    );
                }
            }
        }
    }

    #[test]
    fn a_square_has_its_diagonal_mirror() {
        let mirror = Symmetry::keeping(4, 4, 0).unwrap();
        assert_eq!((mirror.cell(1), mirror.cell(7)), (4, 13));
        assert_eq!(Symmetry::keeping(4, 4, 15).unwrap().cell(15), 15);
        assert_eq!(Symmetry::keeping(4, 3, 0), None);
        assert!(Symmetry::keeping(3, 2, 1).is_some());
    }
}
