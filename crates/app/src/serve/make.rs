//! Puzzles made to order.

use std::sync::Arc;
use std::time::Duration;

use noyes_puzzle::tiles::{Board, Generator, random_board};
use noyes_solver::{AtDistance, Control, DistanceError};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Server;
use super::bounds::MOST_CELLS;
use super::problem::Problem;
use super::wish;
use crate::generate::fresh_seed;

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
        #[schema(maximum = 9007199254740991_i64, example = 1)]
        seed: Option<u64>,
        /// The moves of an optimal plan.
        #[schema(example = 20)]
        distance: Option<u32>,
        /// blank-last (the default), blank-first or a board.
        #[schema(example = "blank-last")]
        goal: Option<String>,
    },
}

/// A puzzle that was made.
#[derive(Serialize, ToSchema)]
pub struct Made {
    /// The puzzle.
    pub puzzle: String,
    /// The seed that makes it again.
    pub seed: u64,
    /// The moves of an optimal plan, where they were asked for.
    pub distance: Option<u32>,
}

/// Makes a puzzle.
pub async fn make(server: &Arc<Server>, body: GenerateBody) -> Result<Made, Problem> {
    let GenerateBody::Tiles {
        width,
        height,
        seed,
        distance,
        goal,
    } = body;
    if width == 0 || height == 0 || width.saturating_mul(height) > MOST_CELLS {
        return Err(Problem::unprocessable(format_args!(
            "a board has at least one cell and, here, at most {MOST_CELLS}"
        )));
    }
    if seed.is_some_and(|seed| seed > MOST_SEED) {
        return Err(Problem::unprocessable(format_args!(
            "seed: at most {MOST_SEED}, as larger numbers are not the same to every reader of JSON"
        )));
    }
    let goal = wish::goal(goal.as_deref(), width, height)?;
    let seed = seed.unwrap_or_else(fresh_seed);
    let board = match distance {
        None => random_board(&goal, &mut Generator::new(seed, 0)),
        Some(distance) => {
            let (time, bytes) = (
                server.limits.time.min(MOST_TIME),
                server.limits.search_bytes,
            );
            server
                .quick
                .run(move |stop| {
                    let control = Control::new().stop_flag(stop).memory_limit(bytes);
                    at_distance(&goal, distance, seed, &control.time_limit(time))
                })
                .await?
                .map_err(Problem::unprocessable)?
        }
    };
    Ok(Made {
        puzzle: board.to_string(),
        seed,
        distance,
    })
}

fn at_distance(
    goal: &Board,
    distance: u32,
    seed: u64,
    control: &Control,
) -> Result<Board, DistanceError> {
    AtDistance::new(goal, distance, control)?.draw(&mut Generator::new(seed, 0), control)
}
