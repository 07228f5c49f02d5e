//! Boards at an exact distance from their goal, for puzzles of a chosen difficulty.
//!
//! Every distance is proven by a solve. How a board is drawn depends on the size:
//!
//! - Up to 10 cells, and single rows and columns: all boards at the distance are
//!   listed and one is drawn, each with the same chance.
//! - Larger sizes: a random walk leads away from the goal until its optimal way
//!   back is long enough. The board on that way at exactly the distance is the
//!   answer, since every rest of an optimal plan is optimal.
//! - 4×4 beyond 62 moves: random boards are hardly ever that far, so the random
//!   walk starts from one of the 17 hardest boards (`hardest.rs`). A move changes
//!   the distance by exactly one, so a walk of 80 − d moves from there ends at
//!   distance d or more. Longer walks are tried first, for variety.
//!
//! Only listed boards have equal chances.
//!
//! A seed has to give the same board for ever, so the way back is always the same
//! optimal plan: at each step the first direction, in the order of
//! [`Direction::ALL`], that leads nearer. IDA* with Manhattan distance finds this
//! plan, but takes hours on hard boards of 4×4. There pattern databases find the
//! length, and a solve of each earlier neighbour shows whether it is nearer.

use std::ops::RangeInclusive;
use std::sync::{Arc, OnceLock};

use noyes_puzzle::tiles::{Board, Direction, Generator, Goal, Walk};
use noyes_puzzle::{Nibbles, SlideSpace};

use super::cache::TilesCache;
use super::farthest::{farthest_at_most, moves_to_corner};
use super::hardest::{HARDEST, MOST_MOVES, hardest};
use crate::answer::{Plan, Status};
use crate::ask::Ask;
use crate::control::{Control, Stop};
use crate::names::Engine;
use crate::search::layer;
use crate::solve::{SolveError, solve};

/// Boards of up to this number of cells are listed: 10!/2 states at most.
const LISTED_CELLS: usize = 10;
/// On 4×4, walks from the goal find boards up to this distance in a second or two.
const WALKED_MOVES: u32 = 62;

/// Why there is no board at a distance.
#[derive(Clone, Debug, thiserror::Error)]
pub enum DistanceError {
    /// No board of the size is that far from this goal.
    #[error("no {size} board is {distance} moves from this goal: none is farther than {farthest}")]
    TooFar {
        /// The size.
        size: String,
        /// The distance asked for.
        distance: u32,
        /// The largest distance, or an upper bound on it.
        farthest: u32,
    },
    /// A limit was reached first.
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

/// Draws boards whose optimum is a given number, or in a given range.
pub struct AtDistance {
    goal: Board,
    distances: RangeInclusive<u32>,
    cache: Arc<TilesCache>,
    /// Up to 10 cells: all boards at each distance of the range, in the order of their tiles, once they are needed.
    listed: Vec<OnceLock<Vec<Vec<u16>>>>,
}

impl AtDistance {
    /// Prepares to draw boards that need exactly `distance` moves to `goal`.
    ///
    /// # Errors
    /// If there are no such boards, or a limit is reached before they are listed.
    pub fn new(
        goal: &Board,
        distance: u32,
        control: &Control,
    ) -> Result<AtDistance, DistanceError> {
        AtDistance::in_range(goal, distance..=distance, control)
    }

    /// The same for a range of distances: each board is at one of them, drawn with equal chances.
    ///
    /// # Errors
    /// If there are no boards at the largest distance, or a limit is reached before they are listed.
    ///
    /// # Panics
    /// If the range is empty.
    pub fn in_range(
        goal: &Board,
        distances: RangeInclusive<u32>,
        control: &Control,
    ) -> Result<AtDistance, DistanceError> {
        assert!(!distances.is_empty(), "some distance");
        let most = *distances.end();
        let mut at = AtDistance {
            goal: goal.clone(),
            distances,
            cache: TilesCache::shared(),
            listed: vec![],
        };
        let mut farthest = if at.is_line() {
            goal.blank().max(goal.tiles().len() - 1 - goal.blank()) as u32
        } else {
            farthest_at_most(goal)
        };
        if most <= farthest && at.is_small() {
            let (boards, depth) = at.list(most, control)?;
            farthest = depth;
            if most <= farthest {
                at.listed = at.distances.clone().map(|_| OnceLock::new()).collect();
                at.listed.last().expect("some distance").set(boards).ok();
            }
        }
        if most > farthest {
            return Err(DistanceError::TooFar {
                size: goal.size(),
                distance: most,
                farthest,
            });
        }
        Ok(at)
    }

    /// Uses the pattern databases of this cache. The boards are the same with any cache.
    #[must_use]
    pub fn cache(self, cache: Arc<TilesCache>) -> AtDistance {
        AtDistance { cache, ..self }
    }

    /// A board and its distance.
    ///
    /// # Errors
    /// If a limit is reached first.
    pub fn draw(
        &self,
        generator: &mut Generator,
        control: &Control,
    ) -> Result<(Board, u32), DistanceError> {
        let (least, most) = (*self.distances.start(), *self.distances.end());
        let offset = match most - least {
            0 => 0, // draws no number: the board of a seed depends on it
            range => generator.below(range as usize + 1) as u32,
        };
        let distance = least + offset;
        let board = if self.is_line() {
            self.on_line(distance, generator)
        } else if self.is_small() {
            self.draw_listed(distance, generator, control)?
        } else if self.is_fifteen() && distance > WALKED_MOVES {
            self.walk_from_hardest(distance, generator, control)?
        } else {
            self.walk_from_goal(distance, generator, control)?
        };
        Ok((board, distance))
    }

    fn is_line(&self) -> bool {
        self.goal.width().min(self.goal.height()) == 1
    }

    fn is_small(&self) -> bool {
        !self.is_line() && self.goal.tiles().len() <= LISTED_CELLS
    }

    fn is_fifteen(&self) -> bool {
        (self.goal.width(), self.goal.height()) == (4, 4)
    }

    /// One of the two places of the blank, or the only one.
    fn on_line(&self, distance: u32, generator: &mut Generator) -> Board {
        let (blank, distance) = (self.goal.blank(), distance as usize);
        let mut blanks: Vec<usize> = [blank.checked_sub(distance), Some(blank + distance)]
            .into_iter()
            .flatten()
            .filter(|&blank| blank < self.goal.tiles().len())
            .collect();
        blanks.dedup();
        let tiles = with_blank(&self.goal, blanks[generator.below(blanks.len())]);
        self.board(tiles)
    }

    fn draw_listed(
        &self,
        distance: u32,
        generator: &mut Generator,
        control: &Control,
    ) -> Result<Board, DistanceError> {
        let listed = &self.listed[(distance - self.distances.start()) as usize];
        let boards = if let Some(boards) = listed.get() {
            boards
        } else {
            let (boards, _) = self.list(distance, control)?;
            listed.get_or_init(|| boards)
        };
        Ok(self.board(boards[generator.below(boards.len())].clone()))
    }

    /// All boards at a distance, and that distance; at the largest one if no board is that far away.
    fn list(
        &self,
        distance: u32,
        control: &Control,
    ) -> Result<(Vec<Vec<u16>>, u32), DistanceError> {
        let space = SlideSpace::<Nibbles>::on_board(&self.goal, &self.goal);
        let (states, depth) =
            layer(&space, distance, control).map_err(|stop| self.stopped(distance, stop))?;
        let cells = self.goal.tiles().len() as u16;
        let tiles = |state: &noyes_puzzle::Position<Nibbles>| -> Vec<u16> {
            (0..cells).map(|cell| state.tile(cell)).collect()
        };
        let mut boards: Vec<Vec<u16>> = states.iter().map(tiles).collect();
        boards.sort_unstable();
        Ok((boards, depth))
    }

    /// Longer and longer walks from the goal.
    fn walk_from_goal(
        &self,
        distance: u32,
        generator: &mut Generator,
        control: &Control,
    ) -> Result<Board, DistanceError> {
        let mut steps = distance as usize;
        loop {
            let board = walk(&self.goal, steps, generator, control)
                .map_err(|stop| self.stopped(distance, stop))?;
            let plan = self.optimal_plan(&board, distance, control)?;
            match (distance as usize).checked_sub(plan.len()) {
                None | Some(0) => return self.nearer(board, plan, distance, control),
                Some(missing) => steps += missing,
            }
        }
    }

    /// Walks from the hardest boards, on 4×4.
    fn walk_from_hardest(
        &self,
        distance: u32,
        generator: &mut Generator,
        control: &Control,
    ) -> Result<Board, DistanceError> {
        // After this number of moves the board is certainly far enough, unless the goal has its blank elsewhere than in
        // a corner and the distance is one of the very largest.
        let start_distance = MOST_MOVES - moves_to_corner(&self.goal);
        let certain = start_distance.saturating_sub(distance) as usize;
        let detour = if distance <= start_distance {
            certain
        } else {
            4
        };
        loop {
            let start = hardest(generator.below(HARDEST.len()), &self.goal);
            let steps = certain + generator.below(detour + 1);
            let board = walk(&start, steps, generator, control)
                .map_err(|stop| self.stopped(distance, stop))?;
            let plan = self.optimal_plan(&board, distance, control)?;
            if plan.len() >= distance as usize {
                return self.nearer(board, plan, distance, control);
            }
        }
    }

    /// The board at the distance on the way home.
    fn nearer(
        &self,
        mut board: Board,
        mut plan: Vec<Direction>,
        distance: u32,
        control: &Control,
    ) -> Result<Board, DistanceError> {
        while plan.len() > distance as usize {
            if self.is_fifteen() {
                (board, plan) = self.first_step(&board, plan, distance, control)?;
            } else {
                board.step(plan.remove(0)); // the plan of IDA* is the one we want
            }
        }
        Ok(board)
    }

    /// The first neighbour that is nearer, and its plan.
    fn first_step(
        &self,
        board: &Board,
        mut plan: Vec<Direction>,
        distance: u32,
        control: &Control,
    ) -> Result<(Board, Vec<Direction>), DistanceError> {
        let planned = plan.remove(0);
        for direction in Direction::ALL {
            let mut next = board.clone();
            if direction == planned {
                next.step(direction);
                return Ok((next, plan));
            }
            if next.step(direction) {
                let rest = self.optimal_plan(&next, distance, control)?;
                if rest.len() == plan.len() {
                    return Ok((next, rest));
                }
            }
        }
        unreachable!("a plan begins with some direction")
    }

    /// An optimal plan from a board.
    fn optimal_plan(
        &self,
        board: &Board,
        distance: u32,
        control: &Control,
    ) -> Result<Vec<Direction>, DistanceError> {
        let engine = if self.is_fifteen() {
            Engine::Auto
        } else {
            Engine::IdaStar
        };
        let request = Ask::board(board.clone(), Goal::Board(self.goal.clone()))
            .engine(engine)
            .cache(self.cache.clone())
            .request()
            .expect("one size; the engine is for every board");
        let answer = solve(&request, control)?;
        if let Status::Limit(stop) = answer.status {
            return Err(self.stopped(distance, stop));
        }
        let plan = answer.plan.as_ref().and_then(Plan::directions);
        Ok(plan.expect("moves can be undone").to_vec())
    }

    fn stopped(&self, distance: u32, stop: Stop) -> DistanceError {
        DistanceError::Stopped {
            size: self.goal.size(),
            distance,
            stop,
        }
    }

    fn board(&self, tiles: Vec<u16>) -> Board {
        Board::new(self.goal.width(), tiles).expect("moves keep a board a board")
    }
}

/// The board after a random walk from another one, never straight back.
///
/// # Errors
/// If a limit of `control` is reached first.
pub fn walk(
    start: &Board,
    steps: usize,
    generator: &mut Generator,
    control: &Control,
) -> Result<Board, Stop> {
    const PIECE: usize = 1 << 16;
    let mut walk = Walk::new(start);
    for done in (0..steps).step_by(PIECE) {
        control.poll_stop()?;
        walk.go(PIECE.min(steps - done), generator);
    }
    Ok(walk.board())
}

/// A single row or column with its blank on another cell.
fn with_blank(goal: &Board, blank: usize) -> Vec<u16> {
    let mut tiles: Vec<u16> = goal.tiles().iter().copied().filter(|&t| t != 0).collect();
    tiles.insert(blank, 0);
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draw(goal: &Board, distance: u32, seed: u64) -> Board {
        let control = Control::new();
        let at = AtDistance::new(goal, distance, &control).unwrap();
        let drawn = at.draw(&mut Generator::new(seed, 0), &control).unwrap();
        assert_eq!(drawn.1, distance);
        drawn.0
    }

    fn optimum(board: &Board, goal: &Board) -> Option<u32> {
        let request = Ask::board(board.clone(), Goal::Board(goal.clone()))
            .request()
            .unwrap();
        solve(&request, &Control::new()).unwrap().bounds.upper
    }

    #[test]
    fn a_seed_gives_the_same_boards_at_a_distance_for_ever() {
        for (goal, distance, board) in [
            (Board::blank_last(3, 3), 20, "0 1 7/8 5 3/4 6 2"),
            (
                Board::blank_last(4, 4),
                30,
                "2 4 0 11/1 5 10 7/9 8 6 12/13 14 15 3",
            ),
            (
                Board::blank_first(5, 5),
                25,
                "5 2 3 8 4/1 20 7 13 9/6 0 11 12 14/10 16 17 18 19/15 21 22 23 24",
            ),
        ] {
            assert_eq!(draw(&goal, distance, 1).to_string(), board);
        }
    }

    /// How boards of 4×4 were drawn at first: slow, but it defines the board of a seed up to 62 moves.
    fn by_manhattan(goal: &Board, distance: usize, seed: u64) -> Board {
        let generator = &mut Generator::new(seed, 0);
        let mut steps = distance;
        loop {
            let mut board = walk(goal, steps, generator, &Control::new()).unwrap();
            let request = Ask::board(board.clone(), Goal::Board(goal.clone()))
                .engine(Engine::IdaStar)
                .request()
                .unwrap();
            let answer = solve(&request, &Control::new()).unwrap();
            let plan = answer.plan.as_ref().and_then(Plan::directions).unwrap();
            if let Some(excess) = plan.len().checked_sub(distance) {
                for &direction in &plan[..excess] {
                    board.step(direction);
                }
                return board;
            }
            steps += distance - plan.len();
        }
    }

    fn assert_as_by_manhattan(distances: &[u32], seeds: u64) {
        for goal in [
            Board::blank_last(4, 4),
            "9 1 2 3/4 0 6 7/8 5 10 11/12 13 15 14".parse().unwrap(),
        ] {
            for &distance in distances {
                for seed in 0..seeds {
                    let expected = by_manhattan(&goal, distance as usize, seed);
                    assert_eq!(draw(&goal, distance, seed), expected);
                }
            }
        }
    }

    #[test]
    fn pattern_databases_do_not_change_the_board_of_a_seed() {
        // With tables in memory no plan comes from Manhattan distance.
        let goal = Board::blank_last(4, 4);
        draw(&goal, 50, 1);
        assert_as_by_manhattan(&[1, 12, 25, 34], 5);
    }

    #[test]
    #[ignore = "searches by Manhattan distance: minutes with --release"]
    fn pattern_databases_do_not_change_the_board_of_a_seed_on_hard_boards() {
        draw(&Board::blank_last(4, 4), 50, 1);
        assert_as_by_manhattan(&[40, 46, 49], 8);
    }

    #[test]
    fn hard_boards_of_4x4_for_any_goal() {
        for (goal, distance) in [
            ("1 2 3 4/5 6 7 8/9 10 11 12/13 14 15 0", 58),
            ("0 1 2 3/4 5 6 7/8 9 10 11/12 13 14 15", 63),
            ("7 3 5 0/1 2 4 6/8 9 15 11/12 13 14 10", 66),
            ("9 1 2 3/4 0 6 7/8 5 10 11/12 13 15 14", 65),
        ] {
            let goal: Board = goal.parse().unwrap();
            let boards: Vec<Board> = (0..2).map(|seed| draw(&goal, distance, seed)).collect();
            assert_ne!(boards[0], boards[1]);
            for board in &boards {
                assert_eq!(optimum(board, &goal), Some(distance), "{board} to {goal}");
            }
            assert_eq!(draw(&goal, distance, 0), boards[0]);
        }
    }

    #[test]
    #[ignore = "every distance of 4×4: a minute with --release"]
    fn every_distance_of_4x4() {
        let goal = Board::blank_last(4, 4);
        for distance in 1..=80 {
            let begun = std::time::Instant::now();
            let board = draw(&goal, distance, 1);
            println!(
                "{distance}: {board}, {:.2} s",
                begun.elapsed().as_secs_f64()
            );
            assert_eq!(optimum(&board, &goal), Some(distance));
        }
    }

    #[test]
    fn a_range_gives_all_its_distances_and_no_others() {
        for (goal, range, seeds) in [
            (Board::blank_last(3, 3), 28..=31, 40),
            (Board::blank_last(6, 1), 0..=3, 40),
            (Board::blank_last(4, 4), 20..=22, 20),
        ] {
            let control = Control::new();
            let at = AtDistance::in_range(&goal, range.clone(), &control).unwrap();
            let mut seen = std::collections::BTreeSet::new();
            for seed in 0..seeds {
                let (board, distance) = at.draw(&mut Generator::new(seed, 0), &control).unwrap();
                assert_eq!(optimum(&board, &goal), Some(distance));
                seen.insert(distance);
            }
            assert!(seen.into_iter().eq(range));
        }
        let too_far = AtDistance::in_range(&Board::blank_last(3, 3), 30..=32, &Control::new());
        let error = too_far.err().unwrap().to_string();
        assert!(
            error.contains("32 moves") && error.contains("than 31"),
            "{error}"
        );
    }

    #[test]
    fn limits_hold_on_hard_boards() {
        let goal = Board::blank_last(4, 4);
        let at = AtDistance::new(&goal, 80, &Control::new()).unwrap();
        let control = Control::new().time_limit(std::time::Duration::ZERO);
        let drawn = at.draw(&mut Generator::new(1, 0), &control);
        assert!(matches!(
            drawn,
            Err(DistanceError::Stopped {
                stop: Stop::Time,
                distance: 80,
                ..
            })
        ));
    }

    #[test]
    fn a_long_walk_ends_with_the_stop_flag() {
        let stop = Arc::new(std::sync::atomic::AtomicBool::new(true));
        let control = Control::new().stop_flag(stop);
        let goal = Board::blank_last(4, 4);
        let walked = walk(&goal, usize::MAX, &mut Generator::new(1, 0), &control);
        assert_eq!(walked, Err(Stop::Interrupted));
    }
}
