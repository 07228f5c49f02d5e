//! Hints: the next move of a plan, proven optimal where time allows.
//!
//! A small board is looked up in the table of all its positions, on the spot. On 4×4 the largest tables are used
//! once they are there; they are built in the background when the first such board is seen. Anything else gets the
//! best plan of a short search, and whether it is proven optimal is said.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::{Board, Notation, solvable, write_plan};
use noyes_solver::tiles::Positions;
use noyes_solver::{Answer, Ask, Control, Engine, Plan, Request, SolveError, Status, Unit, solve};

use super::hints::Known;
use super::problem::Problem;
use super::server::Server;
use super::wish;
use crate::ask;
use crate::puzzle::Given;
use crate::record::{Hint, HintBody, SCHEMA, Subject};

/// So that the answer is there within two seconds.
const USUAL: Duration = Duration::from_millis(1500);

/// Gives a hint.
pub async fn hint(server: &Arc<Server>, body: &HintBody) -> Result<Hint, Problem> {
    let time = server.limits.hint_time(body.time_limit_s, USUAL)?;
    match wish::puzzle(&body.puzzle)? {
        Given::Board(board) => of_board(server, body, &board, time).await,
        Given::Level(level) => of_level(server, body, *level, time).await,
    }
}

/// A hint of which nothing is known yet.
fn blank(subject: Subject, unit: Unit) -> Hint {
    Hint {
        schema: SCHEMA,
        subject,
        next: None,
        tile: None,
        remaining: None,
        proven: false,
        objective: unit.name(),
        lower: None,
        upper: None,
        plan: None,
        solved: false,
        reason: None,
    }
}

/// A hint for a board.
async fn of_board(
    server: &Arc<Server>,
    body: &HintBody,
    board: &Board,
    time: Duration,
) -> Result<Hint, Problem> {
    let goal = ask::goal(body.goal.as_deref(), board.width(), board.height())?;
    let ask = wish::plain(board, &goal).cache(server.tables.of(&goal).clone());
    let ask = ask::rules(ask, body.objective.as_deref(), body.no_wait)?;
    let is_small = Positions::fits(board.width(), board.height());
    let engine = if is_small {
        Engine::Table
    } else {
        Engine::Auto
    };
    let request = ask::request(ask.clone().engine(engine))?;
    let blank = blank(Subject::board(board), Unit::Moves);
    if let Err(why) = solvable(board, &goal) {
        return Ok(Hint {
            reason: Some(why.to_string()),
            ..blank
        });
    }
    let at = wish::renamed(board, &goal);
    if at.0 == at.1 {
        return Ok(Hint {
            remaining: Some(0),
            proven: true,
            lower: Some(0),
            upper: Some(0),
            plan: Some(String::new()),
            solved: true,
            ..blank
        });
    }
    // 1. At once.
    if is_small {
        let answer = solve(&request, &Control::new()).map_err(failed)?;
        return Ok(told(board, known(&answer), blank));
    }
    let remembered = server.hints.recall(&at);
    if let Some(known) = &remembered
        && known.plan.len() as u32 == known.lower
    {
        server.hints.follow(&at, known);
        return Ok(told(board, Ok(known.clone()), blank));
    }
    // 2. By a search; on 4×4, a second one at least finds a plan that is better than people find.
    let bytes = server.limits.search_bytes;
    let answer = if (board.width(), board.height()) == (4, 4) {
        server.hints.warm(&server.tables.large, &server.stopping);
        let anytime = ask::request(ask.engine(Engine::Anytime))?;
        let work = move |stop| search_twice(&request, &anytime, time, bytes, stop);
        server.quick.run(work).await?
    } else {
        let work = move |stop| {
            let control = Control::new().stop_flag(stop).memory_limit(bytes);
            solve(&request, &control.time_limit(time))
        };
        server.quick.run(work).await?
    };
    let mut best = known(&answer.map_err(failed)?);
    if let Some(mut remembered) = remembered {
        let lower = best.as_ref().map_or_else(|lower| *lower, |k| k.lower);
        remembered.lower = remembered.lower.max(lower);
        match &best {
            Ok(found) if found.plan.len() <= remembered.plan.len() => {}
            _ => best = Ok(remembered),
        }
    }
    if let Ok(known) = &best {
        server.hints.follow(&at, known);
    }
    Ok(told(board, best, blank))
}

/// An optimal plan, or nothing where the tables are not there yet; then the best that is found in the rest of the time.
fn search_twice(
    request: &Request,
    anytime: &Request,
    time: Duration,
    bytes: usize,
    stop: Arc<AtomicBool>,
) -> Result<Answer, SolveError> {
    let control = Control::new().stop_flag(stop).memory_limit(bytes);
    let answer = solve(request, &control.clone().time_limit(time * 2 / 3))?;
    if answer.plan.is_some() {
        return Ok(answer);
    }
    let mut second = solve(anytime, &control.time_limit(time / 3))?;
    second.bounds.lower = second.bounds.lower.max(answer.bounds.lower);
    Ok(second)
}

/// A hint for a level: of the best plan that a short search finds.
async fn of_level(
    server: &Arc<Server>,
    body: &HintBody,
    level: Level,
    time: Duration,
) -> Result<Hint, Problem> {
    ask::no_goal(body.goal.as_deref())?;
    let ask = Ask::level(level.clone());
    let ask = ask::rules(ask, body.objective.as_deref(), body.no_wait)?;
    // A plan at once, and better ones while there is time.
    let ask = match level.players() {
        [_] => ask.engine(Engine::Anytime),
        _ => ask,
    };
    let request = ask::request(ask)?;
    let bytes = server.limits.search_bytes;
    let answer = server
        .quick
        .run(move |stop| {
            let control = Control::new().stop_flag(stop).memory_limit(bytes);
            solve(&request, &control.time_limit(time))
        })
        .await?
        .map_err(failed)?;
    let hint = Hint {
        proven: answer.status == Status::Optimal,
        lower: (answer.status != Status::Unsolvable).then_some(answer.bounds.lower),
        upper: answer.bounds.upper,
        reason: answer.reason.as_ref().map(ToString::to_string),
        ..blank(Subject::level(&level), answer.unit)
    };
    let Some(Plan::Walks(walks)) = &answer.plan else {
        return Ok(hint);
    };
    let plan = walks.write(&level);
    let first: String = plan.split('\n').filter_map(|w| w.chars().next()).collect();
    Ok(Hint {
        solved: walks.is_empty(),
        next: (!walks.is_empty()).then_some(first),
        remaining: Some(walks.len() as u32),
        plan: Some(plan),
        ..hint
    })
}

fn failed(error: SolveError) -> Problem {
    Problem::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, error)
}

/// The plan of an answer, or at least a bound.
fn known(answer: &Answer) -> Result<Known, u32> {
    match &answer.plan {
        Some(Plan::Directions(plan)) => Ok(Known {
            plan: plan.clone(),
            lower: answer.bounds.lower,
        }),
        _ => Err(answer.bounds.lower),
    }
}

fn told(board: &Board, known: Result<Known, u32>, blank: Hint) -> Hint {
    let known = match known {
        Ok(known) => known,
        Err(lower) => {
            return Hint {
                lower: Some(lower),
                ..blank
            };
        }
    };
    let first = known.plan[0];
    let upper = known.plan.len() as u32;
    Hint {
        next: Some(first.letter().to_string()),
        tile: board
            .neighbour(board.blank(), first)
            .map(|cell| board.tiles()[cell]),
        remaining: Some(upper),
        proven: known.lower == upper,
        lower: Some(known.lower),
        upper: Some(upper),
        plan: Some(write_plan(&known.plan, Notation::Blank)),
        ..blank
    }
}
