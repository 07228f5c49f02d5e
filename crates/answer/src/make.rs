//! Puzzles made to order.

use std::time::Duration;

use noyes_puzzle::tiles::{Board, Generator, random_board};
use noyes_solver::sokoban::{GenerateError, Wish, generate};
use noyes_solver::{AtDistance, Control};

use crate::limits::{Limits, MOST_CELLS};
use crate::made::{self, fresh_seed};
use crate::record::{GenerateBody, GeneratedPuzzle};
use crate::wish::Shelf;
use crate::{Fault, ask};

/// The largest seed: JSON readers that use doubles hold it exactly.
const MOST_SEED: u64 = (1 << 53) - 1;
/// The longest search for a puzzle.
const MOST_TIME: Duration = Duration::from_secs(5);

/// An order that can be made, as far as it can be known in advance.
pub struct Order {
    what: What,
    seed: u64,
}

enum What {
    Board { goal: Board, distance: Option<u32> },
    Level(Wish),
}

impl Order {
    /// The order of a body, if it makes sense.
    pub fn new(body: GenerateBody) -> Result<Order, Fault> {
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
                        return Err(Fault::field(field, "a board has at least one cell"));
                    }
                }
                if width.saturating_mul(height) > MOST_CELLS {
                    let reason = format!(
                        "a {width}x{height} board is too large: the limit here is {MOST_CELLS} cells"
                    );
                    return Err(Fault::field("width", reason));
                }
                let goal = ask::goal(goal.as_deref(), width, height)?;
                Ok(Order {
                    what: What::Board { goal, distance },
                    seed: seeded(seed)?,
                })
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
                    Fault::unfit(misplaced.in_words("min_pushes", "min_steps"))
                })?;
                let wish = Wish {
                    width,
                    height,
                    boxes,
                    players,
                    least,
                };
                Ok(Order {
                    what: What::Level(wish),
                    seed: seeded(seed)?,
                })
            }
        }
    }

    /// Whether it takes no search.
    pub fn is_quick(&self) -> bool {
        matches!(self.what, What::Board { distance: None, .. })
    }

    /// Makes the puzzle.
    pub fn make(
        &self,
        shelf: &Shelf,
        limits: &Limits,
        control: Control,
    ) -> Result<GeneratedPuzzle, Fault> {
        let control = control
            .memory_limit(limits.search_bytes)
            .time_limit(limits.time.min(MOST_TIME));
        let random = &mut Generator::new(self.seed, 0);
        match &self.what {
            What::Board { goal, distance } => {
                let board = match *distance {
                    None => random_board(goal, random),
                    Some(distance) => AtDistance::new(goal, distance, &control)
                        .and_then(|at| {
                            Ok(at.cache(shelf.of(goal).clone()).draw(random, &control)?.0)
                        })
                        .map_err(|error| Fault::field("distance", error))?,
                };
                Ok(made::board(&board, goal, self.seed, 0, *distance))
            }
            What::Level(wish) => {
                let made = generate(wish, random, &control)
                    .map_err(|error| Fault::field(field(&error, wish), error))?;
                Ok(made::level(wish, &made, self.seed, 0))
            }
        }
    }
}

/// The seed that was given, or a fresh one.
fn seeded(seed: Option<u64>) -> Result<u64, Fault> {
    match seed {
        Some(seed) if seed > MOST_SEED => Err(Fault::field(
            "seed",
            format_args!(
                "expected at most {MOST_SEED}, because some JSON readers round larger numbers"
            ),
        )),
        seed => Ok(seed.unwrap_or_else(fresh_seed)),
    }
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
