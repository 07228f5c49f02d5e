//! How far a board can be from its goal: known for small sizes, bounded for all others.
//!
//! The bound comes from a simple way of solving a board, line by line. Take a free
//! rectangle, `a` cells along the line to fill next and `b` ≥ 3 cells deep, with
//! nothing solved in it.
//!
//! 1. Fill the line up to the cell before its last. The tile wanted is `d` steps
//!    from its cell: along its own row, then up its column, or straight along the
//!    line. The blank first goes to the cell in front of the tile: `a + b − 2` steps,
//!    and at most 4 more around the tile and the filled cells. Each further step of
//!    the tile costs at most 5 moves: 4 of the blank around it on a free side, and
//!    the slide. That makes `a + b + 2 + 5d`, and `d` is at most `b − 1` plus the
//!    way along the line.
//! 2. Bring the last tile below its cell in the same way, within the other `b − 1`
//!    lines, and the blank next to it: `a + b + 4 + 5(a + b − 3)`. Now both are in
//!    the 2×3 corner, where any two tiles can be put anywhere in 21 moves, its
//!    radius. The other three may end in any order, so the parity is never wrong.
//! 3. What is left is a smaller rectangle, in the end one whose radius is known.
//!
//! `each_tile_of_a_line_costs_no_more_than_the_bound` checks this by exhaustive search on small sizes.

use noyes_puzzle::tiles::Board;

/// The distance of the farthest boards from a goal with its blank in a corner, found by exhaustive search.
/// Only sizes with width ≥ height. 4×4: Brüngger, Marzetta, Fukuda, Nievergelt, The parallel search bench ZRAM
/// and its applications, 1999; the others are listed by the `SlidingTilesSolver` project.
const RADIUS: [((usize, usize), u32); 11] = [
    ((2, 2), 6),
    ((3, 2), 21),
    ((4, 2), 36),
    ((5, 2), 55),
    ((6, 2), 80),
    ((7, 2), 108),
    ((8, 2), 140),
    ((3, 3), 31),
    ((4, 3), 53),
    ((5, 3), 84),
    ((4, 4), 80),
];

/// No board is farther from the goal than this: the radius for a blank in the corner, known or bounded, plus the moves
/// that take the goal's blank to a corner.
pub(crate) fn farthest_at_most(goal: &Board) -> u32 {
    let farthest = radius_at_most(goal.width(), goal.height()) + u64::from(moves_to_corner(goal));
    farthest.try_into().unwrap_or(u32::MAX)
}

/// The moves that take the blank to the nearest corner.
pub(crate) fn moves_to_corner(board: &Board) -> u32 {
    let (width, height) = (board.width(), board.height());
    let (row, column) = (board.blank() / width, board.blank() % width);
    (row.min(height - 1 - row) + column.min(width - 1 - column)) as u32
}

/// A bound on the distance from a goal with its blank in a corner; sides of two cells at least.
fn radius_at_most(width: usize, height: usize) -> u64 {
    let (mut long, mut short) = (width.max(height), width.min(height));
    let mut moves = 0;
    loop {
        match RADIUS.iter().find(|(known, _)| *known == (long, short)) {
            Some((_, radius)) => return moves + u64::from(*radius),
            None => moves += line_at_most(short as u64, long as u64),
        }
        (long, short) = (short.max(long - 1), short.min(long - 1));
    }
}

/// The moves that fill a line of `a` cells in a free rectangle `b` deep.
fn line_at_most(a: u64, b: u64) -> u64 {
    let tiles: u64 = (1..a).map(|j| tile_at_most(a, b, j)).sum();
    tiles + last_tile_at_most(a, b) + 21
}

/// The moves that bring the tile of the `j`th cell of the line home, from 1, before the last.
fn tile_at_most(a: u64, b: u64, j: u64) -> u64 {
    a + b + 2 + 5 * ((j - 1).max(a - j) + b - 1)
}

/// The moves that bring the last tile of the line below its cell, and the blank next to it.
fn last_tile_at_most(a: u64, b: u64) -> u64 {
    a + b + 4 + 5 * (a + b - 3)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::search::layer;
    use noyes_puzzle::{Nibbles, SlideSpace, Space};
    use std::collections::{HashMap, VecDeque};

    /// The moves that take a tile to a cell, at most, from wherever it and the blank are among the free cells;
    /// with `beside`, the blank must end next to it. Cells are (row, column), from 0.
    fn flooded(
        free: &[(usize, usize)],
        target: (usize, usize),
        from: impl Fn((usize, usize)) -> bool,
        beside: bool,
    ) -> u64 {
        let near =
            |p: (usize, usize), q: (usize, usize)| p.0.abs_diff(q.0) + p.1.abs_diff(q.1) == 1;
        let ends = free
            .iter()
            .filter(|&&b| b != target && (!beside || near(b, target)));
        let mut open: VecDeque<_> = ends.map(|&blank| (target, blank)).collect();
        let mut moves: HashMap<_, u64> = open.iter().map(|&pair| (pair, 0)).collect();
        while let Some((tile, blank)) = open.pop_front() {
            for &next in free.iter().filter(|&&cell| near(cell, blank)) {
                let child = if next == tile {
                    (blank, next)
                } else {
                    (tile, next)
                };
                if !moves.contains_key(&child) {
                    moves.insert(child, moves[&(tile, blank)] + 1);
                    open.push_back(child);
                }
            }
        }
        let tiles = free.iter().filter(|&&tile| from(tile));
        let pairs =
            tiles.flat_map(|&t| free.iter().filter(move |&&b| b != t).map(move |&b| (t, b)));
        pairs.map(|pair| moves[&pair]).max().unwrap()
    }

    #[test]
    fn each_tile_of_a_line_costs_no_more_than_the_bound() {
        for (a, b) in (2..=6).flat_map(|a| (3..=6).map(move |b| (a, b))) {
            let cells: Vec<_> = (0..b).flat_map(|r| (0..a).map(move |c| (r, c))).collect();
            let (wide, deep) = (a as u64, b as u64);
            for j in 1..a {
                let free: Vec<_> = cells
                    .iter()
                    .copied()
                    .filter(|&(r, c)| r > 0 || c + 1 >= j)
                    .collect();
                let worst = flooded(&free, (0, j - 1), |_| true, false);
                assert!(
                    worst <= tile_at_most(wide, deep, j as u64),
                    "{a}×{b}, cell {j}: {worst}"
                );
            }
            let free: Vec<_> = cells
                .iter()
                .copied()
                .filter(|&(r, c)| r > 0 || c + 1 == a)
                .collect();
            let worst = flooded(&free, (1, a - 1), |(row, _)| row > 0, true);
            assert!(
                worst <= last_tile_at_most(wide, deep),
                "{a}×{b}, last cell: {worst}"
            );
        }
    }

    #[test]
    fn the_bound_by_lines_holds_where_the_radius_is_known() {
        for ((long, short), radius) in RADIUS.into_iter().filter(|((long, _), _)| *long > 2) {
            let rest = (short.max(long - 1), short.min(long - 1));
            let by_lines = line_at_most(short as u64, long as u64) + radius_at_most(rest.0, rest.1);
            assert!(by_lines >= radius.into(), "{long}×{short}");
        }
        assert!(radius_at_most(5, 5) < 600);
        assert!(radius_at_most(256, 256) < 1 << 28);
        assert!(radius_at_most(2, 1 << 15) < 1 << 34);
    }

    #[test]
    fn two_tiles_of_a_3x2_corner_can_be_put_anywhere_in_21_moves() {
        let goal = Board::blank_last(2, 3);
        let space = SlideSpace::<Nibbles>::on_board(&goal, &goal);
        let mut seen = HashMap::new(); // where tiles 1 and 2 and the blank are
        let mut depth = 0;
        while seen.len() < 6 * 5 * 4 {
            let (states, _) = layer(&space, depth, &Control::new()).unwrap();
            for state in states {
                let of = |tile| (0..6).find(|&c| state.tile(c) == tile).unwrap();
                seen.entry((of(1), of(2), state.blank())).or_insert(depth);
            }
            depth += 1;
        }
        assert!(depth - 1 <= 21);
        assert!(space.is_goal(&space.start()));
    }
}
