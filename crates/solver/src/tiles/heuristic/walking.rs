//! Walking distance, also called X-Y: rows and columns each solved on their own, exactly.
//!
//! For the vertical moves, ignore everything about a tile except its row and its goal
//! row. An abstract state then says how many tiles of each goal row are in each row,
//! and the row of the blank: there are 24,964 such states for 4×4, 105 for 3×3. A move
//! exchanges the blank with any tile of the row above or below. Breadth-first search
//! from the goal gives the fewest vertical moves; columns and horizontal moves
//! likewise. No move is both, so the sum of the two is a lower bound, and never lower
//! than Manhattan distance.
//!
//! Each move is a move of exactly one of the two abstractions, and turns the row or
//! column of the blank from odd to even or back. So it changes one of the two
//! distances by exactly one, and the bound is consistent.
//!
//! For each abstract state and each move out of it (to the line before or behind, with
//! a tile of which goal line) the table has the next state and whether it is farther.
//! A move is one look-up, and a state is named by its place in the table. The table
//! depends only on the size and on the goal line of the blank, so a square board with
//! its blank on the diagonal has one table for both. Its size grows fast with the
//! number of lines: 4×4 and 5×3 are small, 5×5 is out of reach.
//!
//! Takahashi's walking distance; as X-Y in Edixhoven: Attacking the n-puzzle using SAT
//! solvers, Leiden 2016, section 3.3.

use std::sync::Arc;

use noyes_puzzle::{Cells, Position, Slide, SlideSpace};
use rustc_hash::FxHashMap;

use super::max::SmallMemo;
use crate::search::Heuristic;

/// The most entries of the tables: 32 MiB.
const MOST_ENTRIES: usize = 1 << 23;

/// Walking distance, on boards.
pub struct Walking {
    /// By the place of an abstract state + the move out of it: twice the place of the next state, plus one if it is farther.
    next: Vec<u32>,
    /// By axis (0: rows, 1: columns).
    axes: [Axis; 2],
    /// By the number of a slide: where the place of its axis begins in a memo.
    shift: Vec<u8>,
    /// By slide and tile: the number of the move out of a state.
    ways: Vec<u8>,
}

/// What is needed to find the abstract state of a position.
struct Axis {
    lines: usize,
    /// The goal line of each tile.
    home: Vec<u32>,
    /// The place and distance of each state.
    found: Arc<FxHashMap<u128, (u32, u32)>>,
    shape: Shape,
}

/// The places of the two abstract states in the table, and the sum of their distances: 23, 23 and 18 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalkingMemo(u64);

const PLACE_BITS: u32 = MOST_ENTRIES.trailing_zeros();
const PLACE: u64 = MOST_ENTRIES as u64 - 1;
const ONE_FARTHER: u64 = 1 << (2 * PLACE_BITS);

impl SmallMemo for WalkingMemo {
    const WORDS: usize = 2;

    fn write(self, words: &mut [u32]) {
        (words[0], words[1]) = (self.0 as u32, (self.0 >> 32) as u32);
    }

    fn read(words: &[u32]) -> WalkingMemo {
        WalkingMemo(u64::from(words[0]) | u64::from(words[1]) << 32)
    }
}

impl Walking {
    /// Whether the tables for boards of a size are small enough to be made.
    pub fn fits(width: usize, height: usize) -> bool {
        let entries = |lines, length| Some(count(lines, length)? * 2 * lines);
        match (entries(height, width), entries(width, height)) {
            (Some(rows), Some(columns)) => rows + columns <= MOST_ENTRIES,
            _ => false,
        }
    }

    /// The heuristic of a board of this width.
    ///
    /// # Panics
    /// If its tables do not fit.
    pub fn new<C: Cells>(space: &SlideSpace<C>, width: usize) -> Walking {
        let height = space.cells() / width;
        assert!(
            Walking::fits(width, height),
            "the tables would be too large"
        );
        let line = |axis: usize, cell: usize| [cell / width, cell % width][axis] as u32;
        let mut next = vec![];
        let mut axes: Vec<Axis> = vec![];
        for (axis, lines, length) in [(0, height, width), (1, width, height)] {
            let mut home = vec![0; space.cells()];
            for cell in 0..space.cells() {
                home[usize::from(space.goal().tile(cell as u16))] = line(axis, cell);
            }
            let shape = Shape::new(lines, length);
            let goal = shape.state(&home, |tile| home[tile]);
            let found = match axes.first() {
                Some(rows) if lines == length && home[0] == rows.home[0] => rows.found.clone(),
                _ => Arc::new(flood(shape, goal, home[0], &mut next)),
            };
            axes.push(Axis {
                lines,
                home,
                found,
                shape,
            });
        }
        let mut shift = vec![];
        let mut ways = vec![];
        for slide in space.slides() {
            let (from, to) = (usize::from(slide.from), usize::from(slide.to));
            let Axis { lines, home, .. } = &axes[usize::from(from / width == to / width)];
            shift.push(if from / width == to / width {
                PLACE_BITS
            } else {
                0
            } as u8);
            let behind = if to > from { *lines as u32 } else { 0 };
            ways.extend(home.iter().map(|home| (behind + home) as u8));
        }
        Walking {
            next,
            axes: axes.try_into().ok().expect("two axes"),
            shift,
            ways,
        }
    }

    /// The number of abstract states for rows and for columns.
    #[cfg(test)]
    fn states(&self) -> [usize; 2] {
        [self.axes[0].found.len(), self.axes[1].found.len()]
    }
}

impl<C: Cells> Heuristic<SlideSpace<C>> for Walking {
    type Memo = WalkingMemo;

    fn start(&self, state: &Position<C>) -> WalkingMemo {
        let cells = self.axes[0].home.len();
        let mut cell_of = vec![0; cells];
        for cell in 0..cells {
            cell_of[usize::from(state.tile(cell as u16))] = cell;
        }
        let width = self.axes[1].lines;
        let [rows, columns] = [0, 1].map(|axis| {
            let Axis {
                home, found, shape, ..
            } = &self.axes[axis];
            let line = |tile: usize| [cell_of[tile] / width, cell_of[tile] % width][axis] as u32;
            // Only a board of one row or column that has no plan can be missing, and no search starts there: any bound holds.
            let state = shape.state(home, line);
            found.get(&state).copied().unwrap_or_default()
        });
        WalkingMemo(
            u64::from(rows.0)
                + (u64::from(columns.0) << PLACE_BITS)
                + u64::from(rows.1 + columns.1) * ONE_FARTHER,
        )
    }

    #[inline]
    fn after(&self, memo: WalkingMemo, state: &Position<C>, slide: Slide) -> WalkingMemo {
        let index = slide.index as usize;
        let cells = self.axes[0].home.len();
        let way = self.ways[index * cells + usize::from(state.tile(slide.to))];
        let shift = self.shift[index];
        let place = memo.0 >> shift & PLACE;
        let next = u64::from(self.next[place as usize + usize::from(way)]);
        let farther = (2 * (next & 1)).wrapping_sub(1).wrapping_mul(ONE_FARTHER);
        let moved = memo.0 ^ ((place ^ (next >> 1)) << shift);
        WalkingMemo(moved.wrapping_add(farther))
    }

    #[inline]
    fn bound(&self, memo: WalkingMemo) -> u32 {
        (memo.0 / ONE_FARTHER) as u32
    }
}

/// How an abstract state is written as a number: for each line and goal line, the number of tiles.
#[derive(Clone, Copy)]
struct Shape {
    lines: usize,
    /// Of each number.
    bits: u32,
}

impl Shape {
    fn new(lines: usize, length: usize) -> Shape {
        Shape {
            lines,
            bits: usize::BITS - length.leading_zeros(),
        }
    }

    fn fits(self) -> bool {
        self.lines
            .saturating_pow(2)
            .saturating_mul(self.bits as usize)
            <= 128
    }

    fn one(self, line: usize, home: usize) -> u128 {
        1 << ((line * self.lines + home) as u32 * self.bits)
    }

    fn count(self, state: u128, line: usize, home: usize) -> u128 {
        let first = (line * self.lines + home) as u32 * self.bits;
        state >> first & ((1 << self.bits) - 1)
    }

    /// The state of tiles with these goal lines, the blank being tile 0.
    fn state(self, home: &[u32], line: impl Fn(usize) -> u32) -> u128 {
        (1..home.len())
            .map(|tile| self.one(line(tile) as usize, home[tile] as usize))
            .sum()
    }
}

/// Every abstract state with its place and distance from the goal; the successors of each are added to `next`.
fn flood(shape: Shape, goal: u128, blank: u32, next: &mut Vec<u32>) -> FxHashMap<u128, (u32, u32)> {
    let Shape { lines, .. } = shape;
    let ways = 2 * lines as u32;
    let first = next.len() as u32;
    let mut found = FxHashMap::from_iter([(goal, (first, 0))]);
    // In the order of their places.
    let mut states = vec![(goal, blank, 0)];
    let mut i = 0;
    while i < states.len() {
        let (state, blank, distance) = states[i];
        i += 1;
        for behind in [false, true] {
            let other = if behind {
                blank.checked_add(1).filter(|&line| line < lines as u32)
            } else {
                blank.checked_sub(1)
            };
            for home in 0..lines {
                let other = other.filter(|&line| shape.count(state, line as usize, home) > 0);
                let Some(other) = other else {
                    next.push(u32::MAX); // no such tile there: never read
                    continue;
                };
                let child =
                    state - shape.one(other as usize, home) + shape.one(blank as usize, home);
                let (place, child_distance) = *found.entry(child).or_insert_with(|| {
                    states.push((child, other, distance + 1));
                    (first + (states.len() as u32 - 1) * ways, distance + 1)
                });
                next.push(2 * place + u32::from(child_distance > distance));
            }
        }
    }
    found
}

/// The number of abstract states for some lines of a length; `None` if far too large.
///
/// The line of the blank has one tile less, and so has its goal line. Which lines these are does not change the
/// number of ways to fill the rest.
fn count(lines: usize, length: usize) -> Option<usize> {
    if !Shape::new(lines, length).fits() {
        return None;
    }
    if length == 1 {
        return Some(lines); // the tiles keep their order
    }
    let mut rest = vec![length; lines];
    rest[0] -= 1;
    let most = MOST_ENTRIES / (2 * lines * lines);
    let fillings = fill(lines, length - 1, 0, length, &mut rest, most)?;
    Some(fillings * lines)
}

/// The ways to fill the lines left, the first of them from goal line `home` on, with the tiles left of each goal
/// line; `None` if there are more than `most`.
fn fill(
    lines: usize,
    in_line: usize,
    home: usize,
    length: usize,
    rest: &mut [usize],
    most: usize,
) -> Option<usize> {
    if lines == 1 {
        return (most > 0).then_some(1); // the last line takes what is left
    }
    if home == rest.len() {
        return if in_line == 0 {
            fill(lines - 1, length, 0, length, rest, most)
        } else {
            Some(0)
        };
    }
    // The last goal line gives what the others did not.
    let least = if home + 1 == rest.len() { in_line } else { 0 };
    let mut ways = 0;
    for taken in least..=in_line.min(rest[home]) {
        rest[home] -= taken;
        let more = fill(lines, in_line - taken, home + 1, length, rest, most - ways);
        rest[home] += taken;
        ways += more?;
    }
    Some(ways)
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::tiles::Board;

    fn on(goal: &Board) -> Walking {
        let space = SlideSpace::<[u8; 32]>::on_board(goal, goal);
        Walking::new(&space, goal.width())
    }

    #[test]
    fn abstract_states_are_105_for_3x3_and_24964_for_4x4() {
        assert_eq!(on(&Board::blank_last(3, 3)).states(), [105, 105]);
        assert_eq!(on(&Board::blank_first(3, 3)).states(), [105, 105]);
        assert_eq!(on(&Board::blank_last(4, 4)).states(), [24_964, 24_964]);
        let middle: Board = "1 2 3 4/5 6 7 8/9 10 0 11/12 13 14 15".parse().unwrap();
        assert_eq!(on(&middle).states(), [24_964, 24_964]);
    }

    #[test]
    fn the_count_before_is_the_count_after() {
        for (width, height) in [
            (1, 1),
            (2, 1),
            (1, 7),
            (2, 2),
            (3, 2),
            (2, 3),
            (4, 2),
            (2, 5),
            (2, 6),
            (4, 3),
            (5, 3),
            (9, 3),
            (15, 2),
        ] {
            let counted = [count(height, width), count(width, height)];
            assert!(Walking::fits(width, height) == counted.iter().all(Option::is_some));
            if Walking::fits(width, height) {
                let made = on(&Board::blank_last(width, height)).states();
                assert_eq!(made.map(Some), counted, "{width}x{height}");
            }
        }
    }

    #[test]
    fn what_is_too_large_is_known_at_once() {
        for (width, height) in [
            (5, 5),
            (7, 7),
            (100, 100),
            (256, 256),
            (20_000, 3),
            (3, 20_000),
            (65_536, 1),
        ] {
            assert!(!Walking::fits(width, height), "{width}x{height}");
        }
        assert!(Walking::fits(5, 3) && Walking::fits(3, 5) && Walking::fits(6, 2));
    }

    #[test]
    fn memos_go_through_words_and_back() {
        let memo = WalkingMemo((80 * ONE_FARTHER) | (1 << PLACE_BITS) | PLACE);
        let mut words = [0; 2];
        memo.write(&mut words);
        assert_eq!(WalkingMemo::read(&words), memo);
    }
}
