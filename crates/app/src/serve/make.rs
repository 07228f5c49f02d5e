//! Puzzles made to order.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use noyes_puzzle::tiles::{Board, Generator, random_board};
use noyes_solver::sokoban::{Wish, generate};
use noyes_solver::{AtDistance, Control, DistanceError, TilesCache};

use super::limits::MOST_CELLS;
use super::problem::Problem;
use super::server::Server;
use crate::ask;
use crate::puzzle::made::{self, fresh_seed};
use crate::record::{GenerateBody, GeneratedPuzzle};

/// The largest whole number that a double holds exactly.
const MOST_SEED: u64 = (1 << 53) - 1;
/// The longest search for a puzzle.
const MOST_TIME: Duration = Duration::from_secs(5);

/// Makes a puzzle.
pub async fn make(server: &Arc<Server>, body: GenerateBody) -> Result<GeneratedPuzzle, Problem> {
    match body {
        GenerateBody::Board {
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
            let goal = ask::goal(goal.as_deref(), width, height)?;
            board(server, goal, distance, seeded(seed)?).await
        }
        GenerateBody::Level {
            width,
            height,
            boxes,
            players,
            min_pushes,
            min_steps,
            seed,
        } => {
            let players = players.unwrap_or(1);
            let least = made::least(players, min_pushes, min_steps).map_err(|misplaced| {
                Problem::unprocessable(misplaced.in_words("min_pushes", "min_steps"))
            })?;
            let wish = Wish {
                width,
                height,
                boxes,
                players,
                least,
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
) -> Result<GeneratedPuzzle, Problem> {
    let board = match distance {
        None => random_board(&goal, &mut Generator::new(seed, 0)),
        Some(distance) => {
            let limits = limits(server);
            let (goal, cache) = (goal.clone(), server.tables.of(&goal).clone());
            server
                .making
                .run(move |stop| at_distance(&goal, distance, seed, cache, &limits(stop)))
                .await?
                .map_err(Problem::unprocessable)?
        }
    };
    Ok(made::board(&board, &goal, seed, 0, distance))
}

async fn level(server: &Arc<Server>, wish: Wish, seed: u64) -> Result<GeneratedPuzzle, Problem> {
    let limits = limits(server);
    let made = server
        .making
        .run(move |stop| generate(&wish, &mut Generator::new(seed, 0), &limits(stop)))
        .await?
        .map_err(Problem::unprocessable)?;
    Ok(made::level(&wish, &made, seed, 0))
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
    cache: Arc<TilesCache>,
    control: &Control,
) -> Result<Board, DistanceError> {
    let at = AtDistance::new(goal, distance, control)?.cache(cache);
    Ok(at.draw(&mut Generator::new(seed, 0), control)?.0)
}
