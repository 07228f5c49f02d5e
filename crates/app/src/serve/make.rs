//! Puzzles made to order.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use noyes_puzzle::tiles::{Board, Generator, random_board};
use noyes_solver::sokoban::{GenerateError, Wish, generate};
use noyes_solver::{AtDistance, Control, DistanceError, TilesCache};

use super::limits::MOST_CELLS;
use super::problem::Problem;
use super::server::Server;
use crate::ask;
use crate::puzzle::made::{self, fresh_seed};
use crate::record::{GenerateBody, GeneratedPuzzle};

/// The largest seed: JSON readers that use doubles hold it exactly.
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
            for (field, side) in [("width", width), ("height", height)] {
                if side == 0 {
                    return Err(refused(field, "a board has at least one cell"));
                }
            }
            if width.saturating_mul(height) > MOST_CELLS {
                let reason = format!(
                    "a {width}x{height} board is too large: the limit here is {MOST_CELLS} cells"
                );
                return Err(refused("width", reason));
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
            "seed: expected at most {MOST_SEED}, because some JSON readers round larger numbers"
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
                .map_err(|error| refused("distance", error))?
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
        .map_err(|error| refused(field(&error, &wish), error))?;
    Ok(made::level(&wish, &made, seed, 0))
}

/// A refusal of one field.
fn refused(field: &str, reason: impl Display) -> Problem {
    Problem::unprocessable(format_args!("{field}: {reason}"))
}

/// The field that has to change before there is such a level.
fn field(error: &GenerateError, wish: &Wish) -> &'static str {
    match error {
        GenerateError::Size { .. } => "width",
        GenerateError::Crowd { .. } => "boxes",
        _ if wish.players == 1 => "min_pushes",
        _ => "min_steps",
    }
}

/// The limits of the search for a puzzle; its time counts from now on.
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
