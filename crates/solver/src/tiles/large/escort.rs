//! How many moves it takes to bring one or two tiles home, if all other tiles count as equal.
//!
//! A tile is moved by the blank walking around it, so the number depends on where both
//! are. For one tile it is the blank's walk to one of the tile's four sides, and the
//! way from there, which is in a table of tile × side.
//!
//! Two tiles at the end of a line have to go in together. Near their places a table of
//! both tiles and the blank has the exact number. A tile that is farther away is brought near
//! first, one after the other.
//!
//! Fixed cells are out of bounds. What is left is a rectangle with a part of one more
//! line, where a walk between two cells is as long as their distance, or two longer if the tile is in
//! between.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// The cells of a board that are not fixed yet.
pub(super) struct Field<'a> {
    pub(super) width: usize,
    pub(super) piece_of: &'a [u16],
    pub(super) piece: u16,
}

/// Up, left, right, down; so 3 − side is the opposite side.
const SIDES: usize = 4;

impl Field<'_> {
    fn is_open(&self, cell: usize) -> bool {
        self.piece_of[cell] >= self.piece
    }

    fn next(&self, cell: usize, side: usize) -> Option<usize> {
        next(self.width, self.piece_of.len(), cell, side).filter(|&cell| self.is_open(cell))
    }
}

#[inline]
fn next(width: usize, cells: usize, cell: usize, side: usize) -> Option<usize> {
    match side {
        0 => cell.checked_sub(width),
        1 => (!cell.is_multiple_of(width)).then(|| cell - 1),
        2 => (cell % width + 1 < width).then(|| cell + 1),
        _ => Some(cell + width).filter(|&cell| cell < cells),
    }
}

#[inline]
fn distance(width: usize, a: usize, b: usize) -> u32 {
    ((a / width).abs_diff(b / width) + (a % width).abs_diff(b % width)) as u32
}

/// The moves to bring the tiles of one piece home.
pub(super) struct Escort {
    width: usize,
    ways: Vec<Way>,
    pair: Option<Pair>,
}

impl Escort {
    /// For tiles with these one or two homes.
    pub(super) fn new(field: &Field, homes: &[u16]) -> Escort {
        let homes: Vec<usize> = homes.iter().map(|&cell| usize::from(cell)).collect();
        Escort {
            width: field.width,
            ways: homes.iter().map(|&home| Way::new(field, home)).collect(),
            pair: (homes.len() == 2).then(|| Pair::new(field, [homes[0], homes[1]])),
        }
    }

    /// The moves left, about, with the tiles and the blank on these cells; 0 at home only.
    #[inline]
    pub(super) fn moves(&self, at: [u16; 2], blank: u16) -> u32 {
        let ([a, b], blank) = (at.map(usize::from), usize::from(blank));
        let Some(pair) = &self.pair else {
            return self.ways[0].moves(self.width, a, blank);
        };
        match (pair.number(a), pair.number(b)) {
            (Some(i), Some(j)) => pair.moves(self.width, i, j, blank),
            (None, Some(_)) => pair.most + self.ways[0].moves(self.width, a, blank),
            (Some(_), None) => pair.most + self.ways[1].moves(self.width, b, blank),
            (None, None) => pair.most + pair.second + self.ways[0].moves(self.width, a, blank),
        }
    }

    /// About the bytes of the tables for one piece on a board of this number of cells.
    pub(super) fn bytes(cells: usize) -> usize {
        2 * cells * SIDES * size_of::<u16>() + cells + (NEAR * NEAR).pow(3)
    }

    /// More than any number of moves on a board of this size.
    pub(super) fn most(width: usize, height: usize) -> u32 {
        (18 * (width + height) + 60) as u32
    }
}

/// One tile's way home.
struct Way {
    home: usize,
    /// By the tile's cell and the side on which the blank is.
    from: Vec<u16>,
}

const FAR: u16 = u16::MAX / 2;

impl Way {
    fn new(field: &Field, home: usize) -> Way {
        let mut from = vec![FAR; field.piece_of.len() * SIDES];
        let mut open = BinaryHeap::new();
        for side in 0..SIDES {
            if field.next(home, side).is_some() {
                from[home * SIDES + side] = 0;
                open.push((Reverse(0), home, side));
            }
        }
        // Backwards from home.
        while let Some((Reverse(moves), tile, side)) = open.pop() {
            if from[tile * SIDES + side] < moves {
                continue;
            }
            let mut reach = |moves: u16, tile: usize, side: usize| {
                let least = &mut from[tile * SIDES + side];
                if *least > moves {
                    *least = moves;
                    open.push((Reverse(moves), tile, side));
                }
            };
            let blank = field.next(tile, side).expect("the blank is there");
            reach(moves + 1, blank, 3 - side);
            for turn in (0..SIDES).filter(|&turn| turn != side && turn != 3 - side) {
                let corner = field.next(tile, turn).and_then(|c| field.next(c, side));
                if corner.is_some() {
                    reach(moves + 2, tile, turn);
                }
            }
        }
        Way { home, from }
    }

    #[inline]
    fn moves(&self, width: usize, tile: usize, blank: usize) -> u32 {
        if tile == self.home {
            return 0;
        }
        let (row, column) = (tile / width, tile % width);
        let (blank_row, blank_column) = (blank / width, blank % width);
        let mut least = u32::from(FAR);
        for side in 0..SIDES {
            let way = u32::from(self.from[tile * SIDES + side]);
            if way >= least {
                continue;
            }
            // Not closed, so on the board.
            let (goal, is_behind) = match side {
                0 => (tile - width, blank_column == column && blank_row > row),
                1 => (tile - 1, blank_row == row && blank_column > column),
                2 => (tile + 1, blank_row == row && blank_column < column),
                _ => (tile + width, blank_column == column && blank_row < row),
            };
            let walk = distance(width, blank, goal) + if is_behind { 2 } else { 0 };
            least = least.min(way + walk);
        }
        least
    }
}

/// Two tiles near the end of their line.
struct Pair {
    /// The cells near the homes, which come first.
    cells: Vec<usize>,
    /// The number of each cell of the board among these.
    numbers: Vec<u8>,
    /// Cells over which the blank can come in.
    doors: Vec<usize>,
    /// By the numbers of both tiles and of the blank.
    table: Vec<u8>,
    /// More than all in the table.
    most: u32,
    /// More than one tile needs to come near.
    second: u32,
}

/// Cells less than this away from the end of the line, in both directions, are near.
const NEAR: usize = 4;
const OUTSIDE: u8 = u8::MAX;

impl Pair {
    fn new(field: &Field, homes: [usize; 2]) -> Pair {
        let (width, count) = (field.width, field.piece_of.len());
        let mut cells = homes.to_vec();
        let is_near = |cell: &usize| {
            field.piece_of[*cell] > field.piece
                && (cell / width).abs_diff(homes[1] / width) < NEAR
                && (cell % width).abs_diff(homes[1] % width) < NEAR
        };
        cells.extend((0..count).filter(is_near));
        let mut numbers = vec![OUTSIDE; count];
        for (number, &cell) in cells.iter().enumerate() {
            numbers[cell] = number as u8;
        }
        let near = |cell: usize| {
            let next = (0..SIDES).filter_map(move |side| field.next(cell, side));
            next.map(|cell| numbers[cell]).collect::<Vec<u8>>()
        };
        let near: Vec<Vec<u8>> = cells.iter().map(|&cell| near(cell)).collect();
        let doors = (0..cells.len()).filter(|&i| near[i].contains(&OUTSIDE));
        let doors: Vec<usize> = doors.collect();
        // Backwards from home, wherever the blank is then.
        let n = cells.len();
        let index = |a: usize, b: usize, blank: usize| (a * n + b) * n + blank;
        let mut table = vec![u8::MAX; n * n * n];
        let mut open: VecDeque<[usize; 3]> = (2..n).map(|blank| [0, 1, blank]).collect();
        for &[a, b, blank] in &open {
            table[index(a, b, blank)] = 0;
        }
        let mut most = 0;
        while let Some([a, b, blank]) = open.pop_front() {
            let moves = table[index(a, b, blank)];
            most = moves;
            for &to in near[blank].iter().filter(|&&to| to != OUTSIDE) {
                let to = usize::from(to);
                let pull = |tile: usize| if tile == to { blank } else { tile };
                let (a, b) = (pull(a), pull(b));
                if table[index(a, b, to)] == u8::MAX {
                    table[index(a, b, to)] = moves + 1;
                    open.push_back([a, b, to]);
                }
            }
        }
        Pair {
            cells,
            numbers,
            doors,
            table,
            most: u32::from(most) + 1,
            second: (6 * (width + count / width)) as u32,
        }
    }

    #[inline]
    fn number(&self, cell: usize) -> Option<usize> {
        Some(self.numbers[cell])
            .filter(|&number| number != OUTSIDE)
            .map(usize::from)
    }

    #[inline]
    fn moves(&self, width: usize, a: usize, b: usize, blank: usize) -> u32 {
        let row = (a * self.cells.len() + b) * self.cells.len();
        match self.number(blank) {
            Some(blank) => self.table[row + blank].into(),
            None if (a, b) == (0, 1) => 0,
            None => self
                .doors
                .iter()
                .filter(|&&door| door != a && door != b)
                .map(|&door| {
                    distance(width, blank, self.cells[door]) + u32::from(self.table[row + door])
                })
                .min()
                .unwrap_or(self.most),
        }
    }
}
