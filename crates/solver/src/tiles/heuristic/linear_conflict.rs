//! Linear conflict: Manhattan distance plus two for each tile that must step out of its line.
//!
//! Two tiles in their goal row, in the wrong order, cannot pass: one must leave
//! the row and come back, two moves that Manhattan distance does not count. In each
//! row we remove the fewest tiles that leave no conflict, so that no tile is counted
//! twice; the tiles that stay are a longest increasing subsequence of the goal
//! places. Columns likewise. Steps out of a row are vertical and steps out of a
//! column horizontal, so the two do not overlap.
//!
//! It is consistent, and therefore never too high: a horizontal slide of a tile
//! keeps the order in every row. It takes the tile from one column to another,
//! which changes the bound only if one of them is its goal column. If it leaves
//! that column, Manhattan distance grows by one and the conflicts shrink by two or
//! nothing; if it enters, it is the other way round; otherwise only Manhattan distance
//! changes. Vertical slides are the same with rows. So every move changes the
//! bound by exactly one, and on the goal it is 0.
//!
//! A move affects at most one line. For lines of up to six cells, the contents of
//! a line written as digits (0 for a foreign tile, otherwise its goal place + 1) are
//! the index of a table; longer lines are counted each time.
//!
//! Hansson, Mayer, Yung: Criticizing solutions to relaxed models yields powerful
//! admissible heuristics. Information Sciences 63, 1992.

use noyes_puzzle::{Cells, Position, Slide, SlideSpace};

use super::manhattan::GraphDistance;
use crate::search::Heuristic;

/// The longest line whose contents are all in a table: (6 + 1)⁶ bytes.
const LONGEST_LISTED: usize = 6;
/// The most cells of boards with such tables.
const MOST_CELLS_LISTED: usize = 64;

/// Manhattan distance and linear conflicts, on boards.
pub struct LinearConflict<'a> {
    distances: GraphDistance<'a>,
    /// By axis (0: rows, 1: columns) and tile: the goal line. The blank has no goal line.
    home: [Vec<u32>; 2],
    /// By axis.
    lines: [Lines; 2],
    /// By the number of a slide.
    slides: Vec<Crossing>,
}

/// The lines of one axis.
struct Lines {
    /// Cells in each.
    length: usize,
    /// From the first cell of a line to the first of the next one.
    apart: usize,
    /// From cell to cell within a line.
    stride: usize,
    /// By the contents of a line: how many tiles must leave it. Empty if lines are long.
    leaving: Vec<u8>,
    /// By cell and tile: what the tile there adds to the index of that table.
    shares: Vec<u32>,
}

/// The effect of a slide on the tile: it goes from one line to the next, at the same place.
#[derive(Clone, Copy)]
struct Crossing {
    axis: u8,
    old: u32,
    new: u32,
    place: u32,
}

impl<'a> LinearConflict<'a> {
    /// The heuristic of a board of this width.
    pub fn new<C: Cells>(space: &SlideSpace<C>, width: usize) -> LinearConflict<'a> {
        let mut home = [vec![u32::MAX; space.cells()], vec![u32::MAX; space.cells()]];
        for cell in 0..space.cells() {
            let tile = usize::from(space.goal().tile(cell as u16));
            if tile != 0 {
                home[0][tile] = (cell / width) as u32;
                home[1][tile] = (cell % width) as u32;
            }
        }
        let crossing = |slide: &Slide| {
            let (from, to) = (usize::from(slide.from), usize::from(slide.to));
            let axis = usize::from(from / width == to / width); // horizontal: from column to column
            let line = |cell: usize| [cell / width, cell % width][axis] as u32;
            Crossing {
                axis: axis as u8,
                old: line(to),
                new: line(from),
                place: [from % width, from / width][axis] as u32,
            }
        };
        LinearConflict {
            distances: GraphDistance::on_board(space, width),
            lines: [
                Lines::new(width, width, 1, &home[0], &home[1]),
                Lines::new(space.cells() / width, 1, width, &home[1], &home[0]),
            ],
            home,
            slides: space.slides().iter().map(crossing).collect(),
        }
    }

    /// The contents of a line from its first cell: 0 for a tile that belongs elsewhere, otherwise its goal place + 1.
    #[inline]
    fn content<'s, C: Cells>(
        &'s self,
        axis: usize,
        line: u32,
        state: &'s Position<C>,
    ) -> impl Iterator<Item = u32> + 's {
        let Lines {
            length,
            apart,
            stride,
            ..
        } = self.lines[axis];
        let first = line as usize * apart;
        (0..length).map(move |place| {
            let tile = usize::from(state.tile((first + place * stride) as u16));
            if self.home[axis][tile] == line {
                self.home[1 - axis][tile] + 1
            } else {
                0
            }
        })
    }

    /// How many tiles must leave a line: with the tile that moves, and without it.
    #[inline]
    fn leaving<C: Cells>(
        &self,
        state: &Position<C>,
        crossing: Crossing,
        line: u32,
        tile: usize,
    ) -> (u32, u32) {
        let axis = usize::from(crossing.axis);
        let Lines {
            length,
            apart,
            stride,
            leaving,
            shares,
        } = &self.lines[axis];
        let place = crossing.place as usize;
        if leaving.is_empty() {
            let mut content: Vec<u32> = self.content(axis, line, state).collect();
            content[place] = self.home[1 - axis][tile] + 1;
            let with = must_leave(&content);
            content[place] = 0;
            return (with, must_leave(&content));
        }
        let cells = self.home[0].len();
        let first = line as usize * apart;
        let share = |cell: usize, tile: usize| shares[cell * cells + tile];
        let index: u32 = (0..*length)
            .map(|place| first + place * stride)
            .map(|cell| share(cell, usize::from(state.tile(cell as u16))))
            .sum();
        // The line holds either the tile or, in its place, the blank.
        let own = share(first + place * stride, tile);
        let (with, without) = if line == crossing.old {
            (index, index - own)
        } else {
            (index + own, index)
        };
        (
            leaving[with as usize].into(),
            leaving[without as usize].into(),
        )
    }
}

impl Lines {
    /// The lines of the axis in which the tiles have these goal lines, and these goal places in them.
    fn new(length: usize, apart: usize, stride: usize, home: &[u32], place: &[u32]) -> Lines {
        let cells = home.len();
        let mut lines = Lines {
            length,
            apart,
            stride,
            leaving: vec![],
            shares: vec![],
        };
        if length > LONGEST_LISTED || cells > MOST_CELLS_LISTED {
            return lines;
        }
        let digits = length as u32 + 1;
        let weight = |place: usize| digits.pow(place as u32);
        let content = |index: u32| {
            let digit = |place| index / weight(place) % digits;
            (0..length).map(digit).collect::<Vec<u32>>()
        };
        lines.leaving = (0..weight(length))
            .map(|index| must_leave(&content(index)) as u8)
            .collect();
        for cell in 0..cells {
            let (line, at) = (cell / apart % (cells / length), cell / stride % length);
            lines.shares.extend((0..cells).map(|tile| {
                if home[tile] == line as u32 {
                    (place[tile] + 1) * weight(at)
                } else {
                    0
                }
            }));
        }
        lines
    }
}

/// The fewest tiles to take from a line so that the rest is in order: all but a longest increasing subsequence.
fn must_leave(content: &[u32]) -> u32 {
    // By length − 1 of an increasing subsequence so far: its smallest last digit.
    let mut ends: Vec<u32> = vec![];
    let mut tiles = 0;
    for &digit in content.iter().filter(|&&digit| digit != 0) {
        tiles += 1;
        let at = ends.partition_point(|&end| end < digit);
        match ends.get_mut(at) {
            Some(end) => *end = digit,
            None => ends.push(digit),
        }
    }
    tiles - ends.len() as u32
}

impl<C: Cells> Heuristic<SlideSpace<C>> for LinearConflict<'_> {
    type Memo = u32;

    fn start(&self, state: &Position<C>) -> u32 {
        let conflicts: u32 = [0, 1]
            .into_iter()
            .flat_map(|axis| {
                let lines = self.home[0].len() / self.lines[axis].length;
                (0..lines).map(move |line| (axis, line as u32))
            })
            .map(|(axis, line)| must_leave(&self.content(axis, line, state).collect::<Vec<u32>>()))
            .sum();
        self.distances.start(state) + 2 * conflicts
    }

    #[inline]
    fn after(&self, memo: u32, state: &Position<C>, slide: Slide) -> u32 {
        let crossing = self.slides[slide.index as usize];
        let tile = usize::from(state.tile(slide.to));
        let home = self.home[usize::from(crossing.axis)][tile];
        if home == crossing.old {
            let (with, without) = self.leaving(state, crossing, home, tile);
            memo + 1 + 2 * without - 2 * with
        } else if home == crossing.new {
            let (with, without) = self.leaving(state, crossing, home, tile);
            memo - 1 + 2 * with - 2 * without
        } else if (home < crossing.old) == (crossing.new < crossing.old) {
            memo - 1
        } else {
            memo + 1
        }
    }

    #[inline]
    fn bound(&self, memo: u32) -> u32 {
        memo
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::Space;
    use noyes_puzzle::tiles::{Board, Generator, random_board};
    use proptest::prelude::*;

    /// The fewest tiles to remove, by trying every set of them.
    fn by_trying_all(content: &[u32]) -> u32 {
        let keeps_order = |set: &u32| {
            let kept: Vec<u32> = (0..content.len())
                .filter(|i| set >> i & 1 == 0)
                .map(|i| content[i])
                .filter(|&digit| digit != 0)
                .collect();
            kept.windows(2).all(|pair| pair[0] < pair[1])
        };
        (0..1u32 << content.len())
            .filter(keeps_order)
            .map(u32::count_ones)
            .min()
            .unwrap()
    }

    proptest! {
        #[test]
        fn the_longest_increasing_subsequence_may_stay(
            order in Just((1..=8u32).collect::<Vec<_>>()).prop_shuffle(), foreign in any::<u8>()
        ) {
            let content: Vec<u32> =
                (0..8).map(|i| if foreign >> i & 1 == 1 { 0 } else { order[i] }).collect();
            prop_assert_eq!(must_leave(&content), by_trying_all(&content));
        }
    }

    fn of(board: &str, goal: &str) -> u32 {
        let (start, goal): (Board, Board) = (board.parse().unwrap(), goal.parse().unwrap());
        let space = SlideSpace::<[u8; 32]>::on_board(&start, &goal);
        LinearConflict::new(&space, start.width()).start(&space.start())
    }

    #[test]
    fn two_swapped_tiles_in_their_row_cost_two_more() {
        let goal = "0 1 2/3 4 5/6 7 8";
        assert_eq!(of("0 2 1/3 5 4/6 7 8", goal), 4 + 4);
        assert_eq!(of("0 1 2/3 7 5/6 4 8", goal), 2 + 2);
    }

    #[test]
    fn three_tiles_in_reverse_count_twice_not_three_times() {
        assert_eq!(of("3 2 1/4 5 6/7 8 0", "1 2 3/4 5 6/7 8 0"), 4 + 4);
    }

    #[test]
    fn long_lines_are_carried_along_as_short_ones_are() {
        for (width, height) in [(7, 2), (8, 3), (2, 9), (10, 10)] {
            let goal = Board::blank_first(width, height);
            let start = random_board(&goal, &mut Generator::new(1, 0));
            let space = SlideSpace::<Box<[u16]>>::on_board(&start, &goal);
            let heuristic = LinearConflict::new(&space, width);
            let mut state = space.start();
            let mut memo = heuristic.start(&state);
            let mut generator = Generator::new(1, 1);
            for _ in 0..3000 {
                let moves: Vec<Slide> = space.moves(&state).collect();
                let slide = moves[generator.below(moves.len())];
                memo = heuristic.after(memo, &state, slide);
                space.apply(&mut state, slide);
                assert_eq!(memo, heuristic.start(&state), "{width}x{height}");
            }
        }
    }
}
