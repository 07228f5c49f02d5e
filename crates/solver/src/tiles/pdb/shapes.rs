//! Shapes: the goal cells of patterns of given sizes.
//!
//! Compact patterns have larger values than long ones, because tiles that are close at home get in each other's way.
//! For usual sizes there is a list of good partitions. Those of 5×5 with up to six tiles were found by a local search
//! that judges partitions by their values with `+reflect`, such as `cargo bench -p noyes-solver --bench shapes -- 5x5
//! 5-5-5-5-4 6-6-6-6 40` (docs/measured.md, "Shapes"). 7-7-7-3 is the best of a list that was judged the same way; 8-8-8,
//! whose tables need 22 GB each to be built, was not judged.
//!
//! Everything else gets patterns that are connected where possible, with short borders between them.

use super::blocks::bits;
use super::symmetry::Symmetry;

/// A good partition of a board with the blank in the first cell.
struct Good {
    width: usize,
    height: usize,
    sizes: &'static [usize],
    patterns: &'static [&'static [u8]],
}

const GOOD: [Good; 11] = [
    Good {
        width: 4,
        height: 4,
        sizes: &[5, 5, 5],
        patterns: &[&[1, 2, 4, 5, 8], &[3, 6, 7, 10, 11], &[9, 12, 13, 14, 15]],
    },
    Good {
        width: 4,
        height: 4,
        sizes: &[6, 6, 3],
        patterns: &[&[1, 2, 4, 5, 8, 9], &[3, 6, 7, 10, 11, 15], &[12, 13, 14]],
    },
    Good {
        width: 4,
        height: 4,
        sizes: &[7, 8],
        patterns: &[&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 11, 12, 13, 14, 15]],
    },
    Good {
        width: 4,
        height: 4,
        sizes: &[7, 7, 1],
        patterns: &[&[1, 4, 5, 8, 9, 12, 13], &[2, 6, 7, 10, 11, 14, 15], &[3]],
    },
    Good {
        width: 4,
        height: 4,
        sizes: &[7, 6, 2],
        patterns: &[&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 12, 13, 14], &[11, 15]],
    },
    Good {
        width: 4,
        height: 4,
        sizes: &[4, 4, 4, 3],
        patterns: &[
            &[1, 4, 5, 8],
            &[2, 3, 6, 7],
            &[9, 12, 13, 14],
            &[10, 11, 15],
        ],
    },
    Good {
        width: 5,
        height: 5,
        sizes: &[6, 6, 6, 6],
        patterns: &[
            &[1, 2, 5, 6, 10, 11],
            &[3, 4, 7, 8, 9, 12],
            &[13, 14, 18, 19, 23, 24],
            &[15, 16, 17, 20, 21, 22],
        ],
    },
    Good {
        width: 5,
        height: 5,
        sizes: &[7, 7, 7, 3],
        patterns: &[
            &[1, 2, 5, 6, 7, 10, 11],
            &[8, 13, 14, 18, 19, 23, 24],
            &[12, 15, 16, 17, 20, 21, 22],
            &[3, 4, 9],
        ],
    },
    Good {
        width: 5,
        height: 5,
        sizes: &[8, 8, 8],
        patterns: &[
            &[3, 4, 8, 9, 13, 14, 18, 19],
            &[1, 2, 5, 6, 7, 10, 11, 12],
            &[15, 16, 17, 20, 21, 22, 23, 24],
        ],
    },
    Good {
        width: 5,
        height: 5,
        sizes: &[5, 5, 5, 5, 4],
        patterns: &[
            &[1, 2, 5, 6, 10],
            &[7, 8, 11, 12, 13],
            &[3, 4, 9, 14, 19],
            &[17, 18, 22, 23, 24],
            &[15, 16, 20, 21],
        ],
    },
    Good {
        width: 5,
        height: 5,
        sizes: &[4, 4, 4, 4, 4, 4],
        patterns: &[
            &[1, 2, 5, 6],
            &[3, 4, 8, 9],
            &[7, 12, 16, 17],
            &[10, 11, 15, 20],
            &[13, 14, 18, 19],
            &[21, 22, 23, 24],
        ],
    },
];

/// The goal cells of patterns of these sizes, which together have all cells but the blank's.
pub fn laid_out(sizes: &[usize], width: usize, height: usize, blank: usize) -> Vec<Vec<u8>> {
    // In the frame of the tables, so that goals that are symmetric to each other share them.
    let frame = Symmetry::frame(width, height, blank);
    let first = frame.cell(blank);
    let fits = |good: &&Good| {
        (good.width, good.height, good.sizes) == (frame.width, frame.height, sizes) && first == 0
    };
    let patterns: Vec<u32> = if let Some(good) = GOOD.iter().find(fits) {
        let set = |cells: &&[u8]| cells.iter().map(|&cell| 1 << cell).sum();
        good.patterns.iter().map(set).collect()
    } else if width == height && width <= 4 {
        // Row by row: good enough for small tables, and files of them exist.
        let mut cells = (0..width * height).filter(|&cell| cell != blank);
        let mut piece = |&size: &usize| cells.by_ref().take(size).map(|c| 1 << frame.cell(c)).sum();
        sizes.iter().map(&mut piece).collect()
    } else {
        let (width, height) = (frame.width, frame.height);
        Sheet { width, height }.compact(sizes, first)
    };
    let back = frame.inverse(width, height);
    let home = |&pattern: &u32| {
        let cells = bits(pattern).map(|cell| back.cell(cell) as u8);
        cells.collect()
    };
    patterns.iter().map(home).collect()
}

/// A board, for patterns that are sets of its cells.
struct Sheet {
    width: usize,
    height: usize,
}

/// How bad patterns are: pieces, the length of their borders, and the squares of the distances between their cells.
type Cost = (u32, u32, u32);

impl Sheet {
    /// Compact patterns: paths through the board are cut into pieces, and then cells change places while that makes
    /// the patterns better. The best result counts.
    fn compact(&self, sizes: &[usize], blank: usize) -> Vec<u32> {
        let path = |strip: usize, turned: bool| {
            let mut cells = self.path(strip, turned).filter(|&cell| cell != blank);
            let piece = |&size: &usize| cells.by_ref().take(size).map(|cell| 1 << cell).sum();
            let mut patterns: Vec<u32> = sizes.iter().map(piece).collect();
            self.improve(&mut patterns);
            patterns
        };
        (1..=3)
            .flat_map(|strip| [path(strip, false), path(strip, true)])
            .min_by_key(|patterns| self.cost(patterns))
            .expect("six paths")
    }

    /// A path to and fro through strips of a few rows, or columns if it is turned.
    fn path(&self, strip: usize, turned: bool) -> impl Iterator<Item = usize> {
        let mut cells: Vec<usize> = (0..self.width * self.height).collect();
        cells.sort_by_key(|cell| {
            let (row, column) = (cell / self.width, cell % self.width);
            let (line, place) = if turned { (column, row) } else { (row, column) };
            let to_and_fro = |back: bool, i: usize| if back { usize::MAX - i } else { i };
            let place_on_the_way = to_and_fro(line / strip % 2 == 1, place);
            (
                line / strip,
                place_on_the_way,
                to_and_fro(place % 2 == 1, line),
            )
        });
        cells.into_iter()
    }

    /// Exchanges two cells of different patterns while that lowers the cost.
    fn improve(&self, patterns: &mut [u32]) {
        loop {
            let before = self.cost(patterns);
            for i in 0..patterns.len() {
                for j in 0..i {
                    self.improve_pair(patterns, i, j);
                }
            }
            if self.cost(patterns) == before {
                return;
            }
        }
    }

    fn improve_pair(&self, patterns: &mut [u32], i: usize, j: usize) {
        for a in bits(patterns[i]) {
            for b in bits(patterns[j]) {
                let (one, other) = (patterns[i], patterns[j]);
                // An earlier exchange may have taken one of the two.
                if one >> a & other >> b & 1 == 0 {
                    continue;
                }
                let both = 1 << a | 1 << b;
                if self.cost(&[one ^ both, other ^ both]) < self.cost(&[one, other]) {
                    (patterns[i], patterns[j]) = (one ^ both, other ^ both);
                }
            }
        }
    }

    fn cost(&self, patterns: &[u32]) -> Cost {
        let mut cost = (0, 0, 0);
        for &pattern in patterns {
            cost.0 += self.pieces(pattern);
            // Each cell has four sides; where two cells of the pattern meet, two sides are no border.
            let meet = pattern & self.right(pattern);
            let meet = meet.count_ones() + (pattern & pattern << self.width).count_ones();
            cost.1 += 4 * pattern.count_ones() - 2 * meet;
            // The sum over all pairs, by the sums of the coordinates and of their squares.
            let (mut squares, mut rows, mut columns) = (0, 0, 0);
            for cell in bits(pattern) {
                let (row, column) = ((cell / self.width) as u32, (cell % self.width) as u32);
                squares += row * row + column * column;
                rows += row;
                columns += column;
            }
            cost.2 += pattern.count_ones() * squares - rows * rows - columns * columns;
        }
        cost
    }

    /// The cells to the right of a set.
    fn right(&self, set: u32) -> u32 {
        set << 1 & !self.first_column()
    }

    fn first_column(&self) -> u32 {
        (0..self.height).map(|row| 1 << (row * self.width)).sum()
    }

    /// The number of connected pieces of a pattern.
    fn pieces(&self, pattern: u32) -> u32 {
        let (mut left, mut pieces) = (pattern, 0);
        while left != 0 {
            let mut piece = left & left.wrapping_neg();
            loop {
                let around = self.right(piece)
                    | (piece & !self.first_column()) >> 1
                    | piece << self.width
                    | piece >> self.width;
                let next = piece | around & left;
                if next == piece {
                    break;
                }
                piece = next;
            }
            left &= !piece;
            pieces += 1;
        }
        pieces
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_is_in_one_pattern_of_the_size_asked_for() {
        for (width, height) in [
            (3, 3),
            (4, 4),
            (5, 5),
            (5, 3),
            (3, 5),
            (4, 5),
            (6, 3),
            (2, 10),
            (12, 2),
        ] {
            for blank in 0..width * height {
                for largest in 1..=8 {
                    let last = width * height - 1;
                    let mut sizes = vec![largest; last / largest];
                    sizes.extend((last % largest > 0).then_some(last % largest));
                    let patterns = laid_out(&sizes, width, height, blank);
                    let lengths: Vec<usize> = patterns.iter().map(Vec::len).collect();
                    assert_eq!(lengths, sizes);
                    let mut cells = patterns.concat();
                    cells.push(blank as u8);
                    cells.sort_unstable();
                    assert_eq!(cells, (0..=last as u8).collect::<Vec<u8>>());
                }
            }
        }
    }

    #[test]
    fn patterns_are_connected() {
        for (width, height, blank, sizes) in [
            (5, 5, 0, vec![6, 6, 6, 6]),
            (5, 5, 24, vec![7, 7, 7, 3]),
            (5, 5, 20, vec![8, 8, 8]),
            (5, 5, 0, vec![5, 5, 5, 5, 4]),
            (5, 5, 4, vec![4; 6]),
            (5, 5, 12, vec![6, 6, 6, 6]),
            (5, 5, 12, vec![5, 5, 5, 5, 4]),
            (5, 5, 7, vec![3; 8]),
            (5, 5, 0, vec![3, 7, 7, 7]),
            (5, 5, 0, vec![2; 12]),
            (3, 5, 0, vec![7, 7]),
            (5, 4, 19, vec![4, 4, 4, 4, 3]),
            (4, 5, 9, vec![6, 6, 7]),
            (6, 3, 8, vec![5, 6, 6]),
            (2, 10, 0, vec![5, 5, 5, 4]),
            (3, 3, 8, vec![4, 4]),
        ] {
            let sheet = Sheet { width, height };
            for cells in laid_out(&sizes, width, height, blank) {
                let pattern = cells.iter().map(|&cell| 1 << cell).sum();
                assert_eq!(sheet.pieces(pattern), 1, "{cells:?} of {sizes:?}");
            }
        }
    }

    #[test]
    fn every_good_partition_has_its_sizes() {
        for good in &GOOD {
            let lengths: Vec<usize> = good.patterns.iter().map(|p| p.len()).collect();
            assert_eq!(lengths, good.sizes);
            let last: usize = good.sizes.iter().sum();
            assert_eq!(last, good.width * good.height - 1);
        }
    }
}
