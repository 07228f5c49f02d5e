//! Hints: the next move of a plan, proven optimal where time allows.
//!
//! A small board is looked up in the table of all its positions. On 4×4 the largest tables are used once they are built,
//! which happens in the background after the first such board. Anything else gets the best plan of a short search, and
//! the hint says whether it is proven optimal.

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

/// The default time limit: an answer arrives within two seconds.
const USUAL: Duration = Duration::from_millis(1500);

/// Gives a hint.
pub async fn hint(server: &Arc<Server>, body: HintBody) -> Result<Hint, Problem> {
    let time = server.limits.hint_time(body.time_limit_s, USUAL)?;
    let read = move |_| (wish::puzzle(&body.puzzle), body);
    let (puzzle, body) = server.reading.run(read).await?;
    match puzzle? {
        Given::Board(board) => of_board(server, &body, &board, time).await,
        Given::Level(level) => of_level(server, &body, *level, time).await,
    }
}

/// A hint that says nothing yet.
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
    // 1. From a table or from memory.
    if is_small {
        let answer = solve(&request, &Control::new()).map_err(failed)?;
        return Ok(filled(board, known(&answer), blank));
    }
    let remembered = server.hints.recall(&at);
    if let Some(known) = &remembered
        && known.plan.len() as u32 == known.lower
    {
        server.hints.follow(&at, known);
        return Ok(filled(board, Ok(known.clone()), blank));
    }
    // 2. By a search. On 4×4, if the first finds no plan in time, a second one finds a good plan that may not be optimal.
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
    Ok(filled(board, best, blank))
}

/// An optimal plan if it is found in two thirds of the time, else the best plan that the rest of the time allows.
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

/// A hint for a level, from the best plan that a short search finds.
async fn of_level(
    server: &Arc<Server>,
    body: &HintBody,
    level: Level,
    time: Duration,
) -> Result<Hint, Problem> {
    ask::no_goal(body.goal.as_deref())?;
    let ask = Ask::level(level.clone());
    let ask = ask::rules(ask, body.objective.as_deref(), body.no_wait)?;
    // A first plan quickly, and better ones while there is time.
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

/// The plan of an answer, or else its lower bound.
fn known(answer: &Answer) -> Result<Known, u32> {
    match &answer.plan {
        Some(Plan::Directions(plan)) => Ok(Known {
            plan: plan.clone(),
            lower: answer.bounds.lower,
        }),
        _ => Err(answer.bounds.lower),
    }
}

/// A hint with what is known: a plan, or a lower bound alone.
fn filled(board: &Board, known: Result<Known, u32>, blank: Hint) -> Hint {
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
