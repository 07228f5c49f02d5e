//! Boards at an exact distance from their goal, for puzzles of a chosen difficulty.
//!
//! Small sizes: every board at that distance is listed and one is drawn, each
//! with the same chance. Larger sizes: a random walk leads away from the goal
//! until its optimal way back is long enough; the board on that way which is
//! exactly so far is the answer, since every rest of an optimal plan is optimal.
//! Such boards are not drawn with equal chances.
//!
//! How far boards of a size can be at all is known for small sizes, and bounded
//! for all others by a way of solving them that is good enough: line by line.
//! Take a free rectangle, `a` cells along the line to fill next and `b` ≥ 3 cells
//! deep, all of it unsolved.
//!
//! 1. Fill the line up to its last cell but one. The tile wanted is `d` steps from
//!    its cell: along its own row, then up its column, or straight along the line.
//!    The blank first goes to the cell before the tile, `a + b − 2` steps and at
//!    most 4 more around the tile and the filled cells; each further step of the
//!    tile costs at most 5 moves, 4 of the blank around it on a side that is free,
//!    and the slide. That makes `a + b + 2 + 5d`, and `d` is at most `b − 1` plus
//!    the way along the line.
//! 2. The last tile is brought likewise below its cell, within the `b − 1` lines
//!    that are left, and the blank comes next to it: `a + b + 4 + 5(a + b − 3)`.
//!    Then both lie in the 2×3 corner, where any two tiles can be put anywhere in
//!    21 moves, its radius: the other three may be in any order, so the parity fits.
//! 3. The rest is a smaller rectangle, in the end one whose radius is known.
//!
//! `each_tile_of_a_line_costs_no_more_than_the_bound` floods this for small sizes.

use noyes_puzzle::tiles::{Board, Generator, Goal, Walk};
use noyes_puzzle::{Nibbles, SlideSpace};

use crate::answer::{Plan, Status};
use crate::ask::Ask;
use crate::control::{Control, Stop};
use crate::names::Engine;
use crate::search::layer;
use crate::solve::{SolveError, solve};

/// The farthest any board is from a goal with its blank in a corner, found by exhaustive search.
/// Sizes of width ≥ height. 4×4: Brüngger, Marzetta, Fukuda, Nievergelt, The parallel search bench ZRAM
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

/// Boards of so many cells are listed: 10!/2 states at most.
const LISTED_CELLS: usize = 10;

/// Why there is no board at a distance.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DistanceError {
    /// No board of the size is so far from this goal.
    #[error("no {size} board is {distance} moves from this goal: none is farther than {farthest}")]
    TooFar {
        /// The size.
        size: String,
        /// The distance asked for.
        distance: u32,
        /// The largest there is, or an upper bound on it.
        farthest: u32,
    },
    /// A limit came first.
    #[error("no {size} board at distance {distance} found yet ({stop})")]
    Stopped {
        /// The size.
        size: String,
        /// The distance asked for.
        distance: u32,
        /// Which limit.
        stop: Stop,
    },
    /// A plan did not pass the check.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Draws boards whose optimum is one given number.
pub struct AtDistance {
    goal: Board,
    distance: u32,
    /// All of them, in the order of their tiles, where they are few.
    listed: Option<Vec<Vec<u16>>>,
}

impl AtDistance {
    /// Prepares to draw boards that need exactly `distance` moves to `goal`.
    ///
    /// # Errors
    /// If there are none, or a limit comes before all are listed.
    pub fn new(
        goal: &Board,
        distance: u32,
        control: &Control,
    ) -> Result<AtDistance, DistanceError> {
        let too_far = |farthest| DistanceError::TooFar {
            size: goal.size(),
            distance,
            farthest,
        };
        let mut listed = None;
        if goal.width().min(goal.height()) == 1 {
            let last = goal.tiles().len() - 1;
            let farthest = goal.blank().max(last - goal.blank()) as u32;
            if distance > farthest {
                return Err(too_far(farthest));
            }
            let boards = [
                goal.blank().checked_sub(distance as usize),
                Some(goal.blank() + distance as usize),
            ];
            let mut boards: Vec<_> = boards
                .into_iter()
                .flatten()
                .filter(|&b| b <= last)
                .map(|b| with_blank(goal, b))
                .collect();
            boards.dedup();
            listed = Some(boards);
        } else if goal.tiles().len() <= LISTED_CELLS {
            let space = SlideSpace::<Nibbles>::on_board(goal, goal);
            let stopped = |stop| DistanceError::Stopped {
                size: goal.size(),
                distance,
                stop,
            };
            let (states, depth) = layer(&space, distance, control).map_err(stopped)?;
            if depth < distance {
                return Err(too_far(depth));
            }
            let cells = goal.tiles().len() as u16;
            let mut boards: Vec<Vec<u16>> = states
                .iter()
                .map(|s| (0..cells).map(|c| s.tile(c)).collect())
                .collect();
            boards.sort_unstable();
            listed = Some(boards);
        } else if distance > farthest_at_most(goal) {
            return Err(too_far(farthest_at_most(goal)));
        }
        Ok(AtDistance {
            goal: goal.clone(),
            distance,
            listed,
        })
    }

    /// A board at that distance.
    ///
    /// # Errors
    /// If a limit comes first.
    pub fn draw(
        &self,
        generator: &mut Generator,
        control: &Control,
    ) -> Result<Board, DistanceError> {
        if let Some(boards) = &self.listed {
            let tiles = boards[generator.below(boards.len())].clone();
            return Ok(Board::new(self.goal.width(), tiles).expect("moves keep a board a board"));
        }
        let stopped = |stop| DistanceError::Stopped {
            size: self.goal.size(),
            distance: self.distance,
            stop,
        };
        let goal = Goal::Board(self.goal.clone());
        let mut steps = self.distance as usize;
        loop {
            let mut board = walk(&self.goal, steps, generator, control).map_err(stopped)?;
            // Which optimal plan is found decides the board, so the engine is always the same.
            let request = Ask::board(board.clone(), goal.clone())
                .engine(Engine::IdaStar)
                .request()
                .expect("one size; the engine is for every board");
            let answer = solve(&request, control)?;
            if let Status::Limit(stop) = answer.status {
                return Err(stopped(stop));
            }
            let plan = answer.plan.as_ref().and_then(Plan::directions);
            let plan = plan.expect("a walk can be walked back");
            if let Some(excess) = plan.len().checked_sub(self.distance as usize) {
                for &direction in &plan[..excess] {
                    board.step(direction);
                }
                return Ok(board);
            }
            steps += self.distance as usize - plan.len(); // too near: walk on longer ways
        }
    }
}

/// A random walk that ends when it must.
///
/// # Errors
/// If a limit of `control` comes first.
pub fn walk(
    goal: &Board,
    steps: usize,
    generator: &mut Generator,
    control: &Control,
) -> Result<Board, Stop> {
    const PIECE: usize = 1 << 16;
    let mut walk = Walk::new(goal);
    for done in (0..steps).step_by(PIECE) {
        control.poll_stop()?;
        walk.go(PIECE.min(steps - done), generator);
    }
    Ok(walk.board())
}

/// A single row or column with its blank elsewhere.
fn with_blank(goal: &Board, blank: usize) -> Vec<u16> {
    let mut tiles: Vec<u16> = goal.tiles().iter().copied().filter(|&t| t != 0).collect();
    tiles.insert(blank, 0);
    tiles
}

/// No board is farther from the goal: the radius known or bounded for a blank in the corner, plus the blank's way
/// to a corner where the goal has it elsewhere.
fn farthest_at_most(goal: &Board) -> u32 {
    let (width, height) = (goal.width(), goal.height());
    let (row, column) = (goal.blank() / width, goal.blank() % width);
    let to_corner = row.min(height - 1 - row) + column.min(width - 1 - column);
    let farthest = radius_at_most(width, height) + to_corner as u64;
    farthest.try_into().unwrap_or(u32::MAX)
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
    use noyes_puzzle::Space;
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

    #[test]
    fn a_seed_gives_the_same_boards_at_a_distance_for_ever() {
        let draw = |goal: Board, distance| {
            let at = AtDistance::new(&goal, distance, &Control::new()).unwrap();
            at.draw(&mut Generator::new(1, 0), &Control::new())
                .unwrap()
                .to_string()
        };
        assert_eq!(draw(Board::blank_last(3, 3), 20), "0 1 7/8 5 3/4 6 2");
        assert_eq!(
            draw(Board::blank_last(4, 4), 30),
            "2 4 0 11/1 5 10 7/9 8 6 12/13 14 15 3"
        );
        assert_eq!(
            draw(Board::blank_first(5, 5), 25),
            "5 2 3 8 4/1 20 7 13 9/6 0 11 12 14/10 16 17 18 19/15 21 22 23 24"
        );
    }

    #[test]
    fn a_long_walk_ends_with_the_stop_flag() {
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        let control = Control::new().stop_flag(stop);
        let goal = Board::blank_last(4, 4);
        let walked = walk(&goal, usize::MAX, &mut Generator::new(1, 0), &control);
        assert_eq!(walked, Err(Stop::Interrupted));
    }
}
