//! Boards at an exact distance from their goal, for puzzles of a chosen difficulty.
//!
//! Small sizes: every board at that distance is listed and one is drawn, each
//! with the same chance. Larger sizes: a random walk leads away from the goal
//! until its optimal way back is long enough; the board on that way which is
//! exactly so far is the answer, since every rest of an optimal plan is optimal.
//! Such boards are not drawn with equal chances.

use noyes_puzzle::tiles::{Board, Generator, Goal, random_walk};
use noyes_puzzle::{Nibbles, SlideSpace};

use crate::answer::{Plan, Status};
use crate::control::{Control, Stop};
use crate::request::Request;
use crate::search::layer;
use crate::solve::{Unverified, solve};

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
    Unverified(#[from] Unverified),
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
        } else if let Some(farthest) = farthest_at_most(goal)
            && distance > farthest
        {
            return Err(too_far(farthest));
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
        let goal = Goal::Board(self.goal.clone());
        let mut steps = self.distance as usize;
        loop {
            let mut board = random_walk(&self.goal, steps, generator);
            let request = Request::board(board.clone(), &goal).expect("one size");
            let answer = solve(&request, control)?;
            if let Status::Limit(stop) = answer.status {
                return Err(DistanceError::Stopped {
                    size: self.goal.size(),
                    distance: self.distance,
                    stop,
                });
            }
            let Some(Plan::Directions(plan)) = answer.plan else {
                unreachable!("a walk can be walked back")
            };
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

/// A single row or column with its blank elsewhere.
fn with_blank(goal: &Board, blank: usize) -> Vec<u16> {
    let mut tiles: Vec<u16> = goal.tiles().iter().copied().filter(|&t| t != 0).collect();
    tiles.insert(blank, 0);
    tiles
}

/// The known radius, plus the blank's way from a corner where the goal has it elsewhere.
fn farthest_at_most(goal: &Board) -> Option<u32> {
    let (width, height) = (goal.width(), goal.height());
    let size = (width.max(height), width.min(height));
    let (_, radius) = RADIUS.iter().find(|(known, _)| *known == size)?;
    let (row, column) = (goal.blank() / width, goal.blank() % width);
    let to_corner = row.min(height - 1 - row) + column.min(width - 1 - column);
    Some(radius + to_corner as u32)
}
