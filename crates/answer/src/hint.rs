//! Hints: the next move of a plan, proven optimal where time allows.
//!
//! A small board is looked up in the table of all its positions. Anything else gets the best plan of a short search, and
//! the hint says whether it is proven optimal.

use std::time::Duration;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::{Board, Notation, solvable, write_plan};
use noyes_solver::tiles::Positions;
use noyes_solver::{Answer, Ask, Control, Engine, Plan, Request, SolveError, Status, Unit, solve};

use crate::limits::Limits;
use crate::memory::{Known, Memory};
use crate::record::{Hint, HintBody, SCHEMA, Subject};
use crate::wish::{self, Shelf};
use crate::{Fault, Given, ask};

/// The default time limit: an answer arrives within two seconds.
const USUAL: Duration = Duration::from_millis(1500);

/// A hint that is known, or the search for one.
pub enum Advice {
    Known(Box<Hint>),
    Open(Box<Search>),
}

/// A search for a hint.
pub struct Search {
    puzzle: Searched,
    request: Request,
    time: Duration,
    bytes: usize,
}

enum Searched {
    Board {
        board: Board,
        /// The board and its goal as memory knows them.
        at: (Board, Board),
        remembered: Option<Known>,
        /// For a plan that may not be optimal, where the first search may find none in time.
        anytime: Option<Request>,
    },
    Level(Level),
}

/// Gives a hint from a table or from memory, or says how to search for one.
pub fn advise(
    body: &HintBody,
    shelf: &Shelf,
    memory: &Memory,
    limits: &Limits,
) -> Result<Advice, Fault> {
    let time = limits.hint_time(body.time_limit_s, USUAL)?;
    let open = |(puzzle, request)| Search {
        puzzle,
        request,
        time,
        bytes: limits.search_bytes,
    };
    match wish::puzzle(&body.puzzle)? {
        Given::Board(board) => Ok(match of_board(body, board, shelf, memory)? {
            Ok(hint) => Advice::Known(Box::new(hint)),
            Err(search) => Advice::Open(Box::new(open(search))),
        }),
        Given::Level(level) => Ok(Advice::Open(Box::new(open(of_level(body, *level)?)))),
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

/// A hint for a board, or what to search for.
fn of_board(
    body: &HintBody,
    board: Board,
    shelf: &Shelf,
    memory: &Memory,
) -> Result<Result<Hint, (Searched, Request)>, Fault> {
    let goal = ask::goal(body.goal.as_deref(), board.width(), board.height())?;
    let ask = wish::plain(&board, &goal).cache(shelf.of(&goal).clone());
    let ask = ask::rules(ask, body.objective.as_deref(), body.no_wait)?;
    let is_small = Positions::fits(board.width(), board.height());
    let engine = if is_small {
        Engine::Table
    } else {
        Engine::Auto
    };
    let request = ask::request(ask.clone().engine(engine))?;
    let blank = blank(Subject::board(&board), Unit::Moves);
    if let Err(why) = solvable(&board, &goal) {
        return Ok(Ok(Hint {
            reason: Some(why.to_string()),
            ..blank
        }));
    }
    let at = wish::renamed(&board, &goal);
    if at.0 == at.1 {
        return Ok(Ok(Hint {
            remaining: Some(0),
            proven: true,
            lower: Some(0),
            upper: Some(0),
            plan: Some(String::new()),
            solved: true,
            ..blank
        }));
    }
    if is_small {
        let answer = solve(&request, &Control::new()).map_err(Fault::failed)?;
        return Ok(Ok(filled(&board, known(&answer), blank)));
    }
    let remembered = memory.recall(&at);
    if let Some(known) = &remembered
        && known.plan.len() as u32 == known.lower
    {
        memory.follow(&at, known);
        return Ok(Ok(filled(&board, Ok(known.clone()), blank)));
    }
    let anytime = if (board.width(), board.height()) == (4, 4) {
        Some(ask::request(ask.engine(Engine::Anytime))?)
    } else {
        None
    };
    let searched = Searched::Board {
        board,
        at,
        remembered,
        anytime,
    };
    Ok(Err((searched, request)))
}

/// What to search for in a level: a first plan quickly, and better ones while there is time.
fn of_level(body: &HintBody, level: Level) -> Result<(Searched, Request), Fault> {
    ask::no_goal(body.goal.as_deref())?;
    let ask = Ask::level(level.clone());
    let ask = ask::rules(ask, body.objective.as_deref(), body.no_wait)?;
    let ask = match level.players() {
        [_] => ask.engine(Engine::Anytime),
        _ => ask,
    };
    Ok((Searched::Level(level), ask::request(ask)?))
}

impl Search {
    /// Whether the puzzle is a 4×4 board, whose tables are worth building in advance.
    pub fn is_fifteen(&self) -> bool {
        matches!(
            self.puzzle,
            Searched::Board {
                anytime: Some(_),
                ..
            }
        )
    }

    /// Searches, and remembers what it finds.
    pub fn run(self, memory: &Memory, control: Control) -> Result<Hint, Fault> {
        let control = control.memory_limit(self.bytes);
        let solved = match &self.puzzle {
            Searched::Board {
                anytime: Some(anytime),
                ..
            } => search_twice(&self.request, anytime, self.time, &control),
            _ => solve(&self.request, &control.time_limit(self.time)),
        };
        let answer = solved.map_err(Fault::failed)?;
        Ok(match self.puzzle {
            Searched::Level(level) => of_walks(&level, &answer),
            Searched::Board {
                board,
                at,
                remembered,
                ..
            } => {
                let best = better(known(&answer), remembered);
                if let Ok(known) = &best {
                    memory.follow(&at, known);
                }
                filled(&board, best, blank(Subject::board(&board), Unit::Moves))
            }
        })
    }
}

/// An optimal plan if it is found in two thirds of the time, else the best plan that the rest of the time allows.
fn search_twice(
    request: &Request,
    anytime: &Request,
    time: Duration,
    control: &Control,
) -> Result<Answer, SolveError> {
    let answer = solve(request, &control.clone().time_limit(time * 2 / 3))?;
    if answer.plan.is_some() {
        return Ok(answer);
    }
    let mut second = solve(anytime, &control.clone().time_limit(time / 3))?;
    second.bounds.lower = second.bounds.lower.max(answer.bounds.lower);
    Ok(second)
}

/// What a search has found, or what was remembered if that is better.
fn better(found: Result<Known, u32>, remembered: Option<Known>) -> Result<Known, u32> {
    let Some(mut remembered) = remembered else {
        return found;
    };
    let lower = found.as_ref().map_or_else(|lower| *lower, |k| k.lower);
    remembered.lower = remembered.lower.max(lower);
    match found {
        Ok(found) if found.plan.len() <= remembered.plan.len() => Ok(found),
        _ => Ok(remembered),
    }
}

/// A hint for a level.
fn of_walks(level: &Level, answer: &Answer) -> Hint {
    let hint = Hint {
        proven: answer.status == Status::Optimal,
        lower: (answer.status != Status::Unsolvable).then_some(answer.bounds.lower),
        upper: answer.bounds.upper,
        reason: answer.reason.as_ref().map(ToString::to_string),
        ..blank(Subject::level(level), answer.unit)
    };
    let Some(Plan::Walks(walks)) = &answer.plan else {
        return hint;
    };
    let plan = walks.write(level);
    let first: String = plan.split('\n').filter_map(|w| w.chars().next()).collect();
    Hint {
        solved: walks.is_empty(),
        next: (!walks.is_empty()).then_some(first),
        remaining: Some(walks.len() as u32),
        plan: Some(plan),
        ..hint
    }
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
