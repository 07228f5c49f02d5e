//! Pattern databases, computed here by a plain breadth-first search.
//!
//! A pattern is a few tiles; all others are alike. A table says, for each arrangement of the pattern's tiles and each
//! place of the blank, how many of their moves must go up (away from their goals) before the goal. Moves of other tiles
//! cost nothing, so the blank moves freely within a connected part of the cells without pattern tiles, and only the part
//! counts, not the cell.
//!
//! The search goes backwards from the goal, one move of a pattern tile at a time; a move in reverse is a move. A move
//! changes the sum of the distances to the goals by one, so the fewest moves m from an arrangement with the sum d have
//! (m - d) / 2 moves up.
//!
//! Each move of the puzzle moves one tile, so patterns without a common tile share no moves, and their values add up.
//!
//! R. E. Korf, A. Felner: Disjoint pattern database heuristics. Artificial Intelligence 134, 2002.

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;

/// The most cells of a board with tables.
pub const MOST_CELLS: usize = 16;
/// The most tiles of a pattern.
pub const MOST_TILES: usize = 7;
/// No way from here to the goal.
const NEVER: u8 = 255;

/// What a table is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Columns of the board.
    pub width: usize,
    /// Rows of the board.
    pub height: usize,
    /// The goal cells of the pattern's tiles, in ascending order.
    pub goals: Vec<usize>,
    /// The goal cell of the blank.
    pub blank: usize,
}

/// The values of one pattern.
pub struct Table {
    pattern: Pattern,
    shape: Shape,
    values: Vec<u8>,
}

/// How arrangements are numbered: by the set of cells that tiles are on, then by the order of the tiles on them, then by
/// the part of the other cells that the blank is in.
struct Shape {
    neighbours: Vec<Vec<usize>>,
    /// By set of cells: its first number.
    first: Vec<u32>,
    /// By set of cells: the part that each other cell belongs to.
    parts: Vec<[u8; MOST_CELLS]>,
    /// By set of cells: how many parts there are.
    part_count: Vec<u8>,
    /// How many numbers there are.
    size: usize,
}

impl Table {
    /// Computes a table; nothing if the board or the pattern is too large.
    pub fn compute(pattern: &Pattern, threads: usize) -> Option<Table> {
        let shape = pattern.shape()?;
        let values: Vec<AtomicU8> = (0..shape.size).map(|_| AtomicU8::new(NEVER)).collect();
        let goal = shape.number(&pattern.goals, pattern.blank);
        values[goal].store(0, Relaxed);
        let sets = pattern.sets();
        let share = sets.len().div_ceil(threads.max(1));
        for moves in 0..NEVER - 1 {
            let expand = |sets| pattern.expand(&shape, sets, moves, &values);
            // Each thread takes some sets of cells. It does not matter which of two threads finds a neighbour first.
            let grown = if threads <= 1 {
                expand(&sets) // a browser has no threads
            } else {
                thread::scope(|scope| {
                    let parts: Vec<_> = (sets.chunks(share))
                        .map(|sets| scope.spawn(move || expand(sets)))
                        .collect();
                    (parts.into_iter())
                        .fold(false, |any, part| part.join().expect("no panic") | any)
                })
            };
            if !grown {
                break;
            }
        }
        let mut table = Table {
            pattern: pattern.clone(),
            shape,
            values: values.into_iter().map(AtomicU8::into_inner).collect(),
        };
        table.turn_moves_into_ups(&sets);
        Some(table)
    }

    fn turn_moves_into_ups(&mut self, sets: &[usize]) {
        let tiles = self.pattern.goals.len();
        for &set in sets {
            let parts = usize::from(self.shape.part_count[set]);
            for order in 0..factorial(tiles) {
                let places = places(set, order, tiles);
                let sum = self.pattern.distance(&places[..tiles]);
                let at = self.shape.first[set] as usize + order * parts;
                for value in &mut self.values[at..at + parts] {
                    if *value != NEVER {
                        *value = (*value - sum) / 2;
                    }
                }
            }
        }
    }

    /// How many moves must go up at least, with the pattern's tiles on these cells and the blank on another.
    pub fn ups(&self, places: &[usize], blank: usize) -> usize {
        usize::from(self.values[self.shape.number(places, blank)])
    }

    /// What it is about.
    pub fn pattern(&self) -> &Pattern {
        &self.pattern
    }

    /// All values, for files.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// A table with values from a file, which are believed; nothing if their number is not right.
    pub fn believed(pattern: &Pattern, values: Vec<u8>) -> Option<Table> {
        let shape = pattern.shape()?;
        (values.len() == shape.size).then(|| Table {
            pattern: pattern.clone(),
            shape,
            values,
        })
    }
}

impl Pattern {
    fn cells(&self) -> usize {
        self.width * self.height
    }

    /// The sum of the distances to the goals.
    fn distance(&self, places: &[usize]) -> u8 {
        let away = |a: usize, b: usize| {
            (a % self.width).abs_diff(b % self.width) + (a / self.width).abs_diff(b / self.width)
        };
        let sum: usize = places
            .iter()
            .zip(&self.goals)
            .map(|(&a, &b)| away(a, b))
            .sum();
        sum as u8
    }

    /// All sets of as many cells as there are tiles; a set is a number with a bit for each cell.
    fn sets(&self) -> Vec<usize> {
        let tiles = self.goals.len() as u32;
        (0..1 << self.cells())
            .filter(|set: &usize| set.count_ones() == tiles)
            .collect()
    }

    fn shape(&self) -> Option<Shape> {
        let (cells, tiles) = (self.cells(), self.goals.len());
        let ordered = self.goals.is_sorted_by(|a, b| a < b);
        let known = self
            .goals
            .iter()
            .all(|&goal| goal < cells && goal != self.blank);
        if cells > MOST_CELLS || tiles > MOST_TILES || tiles == 0 || !ordered || !known {
            return None;
        }
        let neighbours: Vec<Vec<usize>> = (0..cells)
            .map(|cell| {
                let (row, column) = (cell / self.width, cell % self.width);
                let mut next = vec![];
                next.extend((row > 0).then(|| cell - self.width));
                next.extend((column > 0).then(|| cell - 1));
                next.extend((column + 1 < self.width).then(|| cell + 1));
                next.extend((row + 1 < self.height).then(|| cell + self.width));
                next
            })
            .collect();
        let mut shape = Shape {
            first: vec![u32::MAX; 1 << cells],
            parts: vec![[u8::MAX; MOST_CELLS]; 1 << cells],
            part_count: vec![0; 1 << cells],
            neighbours,
            size: 0,
        };
        for set in self.sets() {
            shape.first[set] = shape.size as u32;
            let count = shape.divide(set, cells);
            shape.part_count[set] = count;
            shape.size += factorial(tiles) * usize::from(count);
        }
        Some(shape)
    }

    /// Makes all moves from the arrangements that are `moves` moves from the goal; returns whether there are any new ones.
    fn expand(&self, shape: &Shape, sets: &[usize], moves: u8, values: &[AtomicU8]) -> bool {
        let tiles = self.goals.len();
        let mut grown = false;
        for &set in sets {
            let parts = usize::from(shape.part_count[set]);
            let first = shape.first[set] as usize;
            for at in 0..factorial(tiles) * parts {
                if values[first + at].load(Relaxed) != moves {
                    continue;
                }
                let (order, part) = (at / parts, at % parts);
                let mut places = places(set, order, tiles);
                for tile in 0..tiles {
                    let from = places[tile];
                    for &to in &shape.neighbours[from] {
                        // The blank has to be next to the tile, that is, able to get there.
                        if usize::from(shape.parts[set][to]) != part {
                            continue;
                        }
                        // To the side, a tile passes no other on the way through the cells.
                        let order = if from.abs_diff(to) == 1 {
                            order
                        } else {
                            places[tile] = to;
                            let order = self::order(&places[..tiles]);
                            places[tile] = from;
                            order
                        };
                        let next = &values[shape.at(set ^ 1 << from ^ 1 << to, order, from)];
                        if next.load(Relaxed) == NEVER {
                            next.store(moves + 1, Relaxed);
                            grown = true;
                        }
                    }
                }
            }
        }
        grown
    }
}

impl Shape {
    /// Numbers the connected parts of the cells outside a set; returns how many there are.
    fn divide(&mut self, set: usize, cells: usize) -> u8 {
        let mut count = 0;
        for cell in 0..cells {
            if set >> cell & 1 == 1 || self.parts[set][cell] != u8::MAX {
                continue;
            }
            let mut todo = vec![cell];
            while let Some(cell) = todo.pop() {
                if set >> cell & 1 == 0 && self.parts[set][cell] == u8::MAX {
                    self.parts[set][cell] = count;
                    todo.extend(&self.neighbours[cell]);
                }
            }
            count += 1;
        }
        count
    }

    /// The number of an arrangement.
    fn number(&self, places: &[usize], blank: usize) -> usize {
        let set = places.iter().fold(0, |set, &cell| set | 1 << cell);
        self.at(set, order(places), blank)
    }

    /// The same from the set of cells and the number of the order.
    fn at(&self, set: usize, order: usize, blank: usize) -> usize {
        let parts = usize::from(self.part_count[set]);
        self.first[set] as usize + order * parts + usize::from(self.parts[set][blank])
    }
}

fn factorial(n: usize) -> usize {
    (1..=n).product()
}

/// The number of the order in which tiles are on their cells: for each tile, how many later ones are on smaller cells.
fn order(places: &[usize]) -> usize {
    let (mut number, mut radix, mut later) = (0, 1, 0_usize);
    for (i, &place) in places.iter().rev().enumerate() {
        let smaller = later & ((1 << place) - 1);
        number += smaller.count_ones() as usize * radix;
        radix *= i + 1;
        later |= 1 << place;
    }
    number
}

/// The cells of the tiles, from their set and the number of their order.
fn places(set: usize, mut order: usize, tiles: usize) -> [usize; MOST_TILES] {
    let mut smaller = [0; MOST_TILES];
    for i in (0..tiles).rev() {
        smaller[i] = order % (tiles - i);
        order /= tiles - i;
    }
    let mut left = set;
    let mut places = [0; MOST_TILES];
    for (place, &smaller) in places.iter_mut().zip(&smaller[..tiles]) {
        // The tile is on the cell that has this many smaller ones among those left.
        let mut rest = left;
        for _ in 0..smaller {
            rest &= rest - 1;
        }
        *place = rest.trailing_zeros() as usize;
        left &= !(1 << *place);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::{HashMap, VecDeque};

    #[test]
    fn arrangements_and_numbers_are_the_same_thing() {
        let set = 0b1011_0010;
        for number in 0..24 {
            let places = places(set, number, 4);
            assert_eq!(order(&places[..4]), number);
            assert_eq!(places[..4].iter().fold(0, |s, &c| s | 1 << c), set);
        }
    }

    #[test]
    fn values_are_those_of_a_search_with_the_blank_on_a_cell() {
        for (width, height, goals, blank) in [
            (3, 3, vec![0, 1, 3], 8),
            (3, 3, vec![1, 4, 5, 8], 0),
            (4, 2, vec![1, 2, 6], 0),
            (2, 3, vec![0, 1, 2, 3, 4], 5),
        ] {
            let pattern = Pattern {
                width,
                height,
                goals,
                blank,
            };
            let table = Table::compute(&pattern, 2).unwrap();
            let slow = slow(&pattern);
            for ((places, blank), ups) in &slow {
                assert_eq!(table.ups(places, *blank), *ups, "{places:?} {blank}");
            }
        }
    }

    /// The fewest moves up by Dijkstra's algorithm over tiles and blank, cell by cell.
    fn slow(pattern: &Pattern) -> HashMap<(Vec<usize>, usize), usize> {
        let shape = pattern.shape().unwrap();
        let start = (pattern.goals.clone(), pattern.blank);
        let mut moves = HashMap::from([(start.clone(), 0)]);
        let mut queue = VecDeque::from([start]);
        while let Some(state) = queue.pop_front() {
            let so_far = moves[&state];
            for &to in &shape.neighbours[state.1] {
                let mut places = state.0.clone();
                let moved = places.iter().position(|&place| place == to);
                if let Some(tile) = moved {
                    places[tile] = state.1;
                }
                let cost = so_far + usize::from(moved.is_some());
                let next = (places, to);
                if moves.get(&next).is_none_or(|&known| known > cost) {
                    moves.insert(next.clone(), cost);
                    if moved.is_some() {
                        queue.push_back(next);
                    } else {
                        queue.push_front(next);
                    }
                }
            }
        }
        let ups = |(state, moves): ((Vec<usize>, usize), usize)| {
            let sum = usize::from(pattern.distance(&state.0));
            (state, (moves - sum) / 2)
        };
        moves.into_iter().map(ups).collect()
    }
}
