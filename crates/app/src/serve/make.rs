//! Puzzles made to order.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use noyes_puzzle::sokoban::write_xsb;
use noyes_puzzle::tiles::{Board, Generator, random_board};
use noyes_solver::sokoban::{Wish, generate};
use noyes_solver::{AtDistance, Control, DistanceError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Server;
use super::limits::MOST_CELLS;
use super::problem::Problem;
use super::wish;
use crate::command::generate::fresh_seed;

/// The largest whole number that a double holds exactly.
const MOST_SEED: u64 = (1 << 53) - 1;
/// The longest search for a puzzle.
const MOST_TIME: Duration = Duration::from_secs(5);

/// What puzzle to make.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum GenerateBody {
    /// A board of tiles that can be solved.
    Tiles {
        /// Columns.
        #[schema(minimum = 1, maximum = 4096, example = 4)]
        width: usize,
        /// Rows.
        #[schema(minimum = 1, maximum = 4096, example = 4)]
        height: usize,
        /// The same seed makes the same board.
        #[schema(maximum = 9_007_199_254_740_991_i64, example = 1)]
        seed: Option<u64>,
        /// The moves of an optimal plan.
        #[schema(example = 20)]
        distance: Option<u32>,
        /// blank-last (the default), blank-first or a board.
        #[schema(example = "blank-last")]
        goal: Option<String>,
    },
    /// A level of Sokoban whose optimum is known.
    Sokoban {
        /// Cells in a row at most, walls included.
        #[schema(minimum = 5, maximum = 40, example = 8)]
        width: usize,
        /// Rows at most, walls included.
        #[schema(minimum = 5, maximum = 40, example = 8)]
        height: usize,
        /// Boxes, and as many goals.
        #[schema(minimum = 1, example = 2)]
        boxes: usize,
        /// Players; one by default.
        #[schema(minimum = 1, example = 1)]
        players: Option<usize>,
        /// The least that an optimal plan has: pushes for one player, steps for several.
        #[schema(example = 5)]
        min_pushes: Option<u32>,
        /// The same seed makes the same level.
        #[schema(maximum = 9_007_199_254_740_991_i64, example = 1)]
        seed: Option<u64>,
    },
}

/// A puzzle that was made.
#[derive(Serialize, ToSchema)]
pub struct Made {
    /// The puzzle.
    pub puzzle: String,
    /// The seed that makes it again.
    pub seed: u64,
    /// The moves of an optimal plan of a board, where they were asked for.
    pub distance: Option<u32>,
    /// The pushes of an optimal plan of a level.
    pub pushes: Option<u32>,
    /// The steps of an optimal plan of a level with several players.
    pub steps: Option<u32>,
}

/// Makes a puzzle.
pub async fn make(server: &Arc<Server>, body: GenerateBody) -> Result<Made, Problem> {
    match body {
        GenerateBody::Tiles {
            width,
            height,
            seed,
            distance,
            goal,
        } => {
            if width == 0 || height == 0 || width.saturating_mul(height) > MOST_CELLS {
                return Err(Problem::unprocessable(format_args!(
                    "a board has at least one cell and, here, at most {MOST_CELLS}"
                )));
            }
            let goal = wish::goal(goal.as_deref(), width, height)?;
            board(server, goal, distance, seeded(seed)?).await
        }
        GenerateBody::Sokoban {
            width,
            height,
            boxes,
            players,
            min_pushes,
            seed,
        } => {
            let wish = Wish {
                width,
                height,
                boxes,
                players: players.unwrap_or(1),
                least: min_pushes.unwrap_or(1),
            };
            level(server, wish, seeded(seed)?).await
        }
    }
}

/// The seed that was given, or a fresh one.
fn seeded(seed: Option<u64>) -> Result<u64, Problem> {
    match seed {
        Some(seed) if seed > MOST_SEED => Err(Problem::unprocessable(format_args!(
            "seed: at most {MOST_SEED}, as larger numbers are not the same to every reader of JSON"
        ))),
        seed => Ok(seed.unwrap_or_else(fresh_seed)),
    }
}

async fn board(
    server: &Arc<Server>,
    goal: Board,
    distance: Option<u32>,
    seed: u64,
) -> Result<Made, Problem> {
    let board = match distance {
        None => random_board(&goal, &mut Generator::new(seed, 0)),
        Some(distance) => {
            let limits = limits(server);
            server
                .making
                .run(move |stop| at_distance(&goal, distance, seed, &limits(stop)))
                .await?
                .map_err(Problem::unprocessable)?
        }
    };
    Ok(Made {
        puzzle: board.to_string(),
        seed,
        distance,
        pushes: None,
        steps: None,
    })
}

async fn level(server: &Arc<Server>, wish: Wish, seed: u64) -> Result<Made, Problem> {
    let limits = limits(server);
    let made = server
        .making
        .run(move |stop| generate(&wish, &mut Generator::new(seed, 0), &limits(stop)))
        .await?
        .map_err(Problem::unprocessable)?;
    let is_crew = wish.players > 1;
    Ok(Made {
        puzzle: write_xsb(&made.level),
        seed,
        distance: None,
        pushes: (!is_crew).then_some(made.optimum),
        steps: is_crew.then_some(made.optimum),
    })
}

/// The limits of the search for a puzzle, once it starts.
fn limits(server: &Server) -> impl FnOnce(Arc<AtomicBool>) -> Control + Send + use<> {
    let time = server.limits.time.min(MOST_TIME);
    let bytes = server.limits.search_bytes;
    move |stop| {
        Control::new()
            .stop_flag(stop)
            .memory_limit(bytes)
            .time_limit(time)
    }
}

fn at_distance(
    goal: &Board,
    distance: u32,
    seed: u64,
    control: &Control,
) -> Result<Board, DistanceError> {
    AtDistance::new(goal, distance, control)?.draw(&mut Generator::new(seed, 0), control)
}
