//! From wishes to a request: bodies become the solver's [`Ask`], which checks all wishes together.
//!
//! A [`Refusal`] names a field. The command line prints it as a flag and the service as a JSON field; the reason is the
//! same sentence.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::{Board, Goal};
use noyes_solver::sat::backend::BackendName;
use noyes_solver::{Ask, AskError, Engine, Field, HeuristicName, Request, TilesCache};

use crate::Given;
use crate::record::{SolveBody, backend_names};

/// A wish that is refused.
#[derive(Debug)]
pub struct Refusal {
    field: Field,
    reason: String,
}

impl Refusal {
    /// Refuses a field for this reason.
    pub fn new(field: Field, reason: impl fmt::Display) -> Refusal {
        let reason = reason.to_string();
        Refusal { field, reason }
    }

    /// The field that is refused.
    pub fn field(&self) -> Field {
        self.field
    }

    /// Why it is refused.
    pub fn reason(&self) -> &str {
        &self.reason
    }

    /// The text for the command line.
    pub fn by_flag(&self) -> String {
        match self.field {
            Field::Puzzle => self.reason.clone(), // an argument has no flag
            field => format!("{}: {}", field.flag(), self.reason),
        }
    }

    /// The text for the service.
    pub fn by_field(&self) -> String {
        format!("{}: {}", self.field.json(), self.reason)
    }
}

impl From<AskError> for Refusal {
    fn from(error: AskError) -> Refusal {
        Refusal::new(error.field, &error)
    }
}

/// Asks about a puzzle, without wishes. The goal is for boards.
pub fn of(given: &Given, goal: &Goal) -> Ask {
    match given {
        Given::Board(board) => Ask::board(board.clone(), goal.clone()),
        Given::Level(level) => Ask::level(Level::clone(level)),
    }
}

/// The request, if all wishes make sense together.
pub fn request(ask: Ask) -> Result<Request, Refusal> {
    Ok(ask.request()?)
}

/// The names in a body.
pub struct Names {
    pub engine: Engine,
    pub heuristic: Option<HeuristicName>,
    backend: Option<BackendName>,
}

impl Names {
    /// The names of a solve. The service never starts a program as a SAT solver: any client could run anything.
    pub fn of(body: &SolveBody) -> Result<Names, Refusal> {
        let backend = match body.backend.as_deref() {
            None => None,
            Some(name) if backend_names().iter().any(|known| known == name) => {
                parsed(Field::Backend, Some(name))?
            }
            Some(_) => {
                let known = backend_names().join(", ");
                let reason = format!("expected {known}: the service starts no programs");
                return Err(Refusal::new(Field::Backend, reason));
            }
        };
        Ok(Names {
            engine: parsed(Field::Engine, body.engine.as_deref())?.unwrap_or_default(),
            heuristic: parsed(Field::Heuristic, body.heuristic.as_deref())?,
            backend,
        })
    }
}

/// The wishes of a body.
pub fn body(
    ask: Ask,
    body: &SolveBody,
    names: &Names,
    engine: Engine,
    cache: &Arc<TilesCache>,
) -> Result<Request, Refusal> {
    let ask = rules(ask, body.objective.as_deref(), body.no_wait)?
        .engine(engine)
        .heuristic(names.heuristic.clone())
        .any(body.any)
        .encoding(parsed(Field::Encoding, body.encoding.as_deref())?)
        .backend(names.backend.clone())
        .bounds(parsed(Field::Bounds, body.bounds.as_deref())?)
        .keep(parsed(Field::Keep, body.keep.as_deref())?)
        .at_most(body.at_most)
        .from_length(body.from)
        .decompose(body.decompose)
        .cache(cache.clone());
    request(ask)
}

/// What to minimise, and whether players may wait.
pub fn rules(ask: Ask, objective: Option<&str>, no_wait: bool) -> Result<Ask, Refusal> {
    let objective = parsed(Field::Objective, objective)?;
    Ok(ask.objective(objective).no_wait(no_wait))
}

/// The goal of a board of this size, from its name or text.
pub fn goal(text: Option<&str>, width: usize, height: usize) -> Result<Board, Refusal> {
    let goal = Goal::parse(text.unwrap_or("blank-last"), Some((width, height)));
    goal.and_then(|goal| goal.of_size(width, height))
        .map_err(|error| Refusal::new(Field::Goal, error))
}

/// Refuses a goal for a level.
pub fn no_goal(goal: Option<&str>) -> Result<(), Refusal> {
    match goal {
        None => Ok(()),
        Some(_) => Err(Refusal::new(
            Field::Goal,
            "only for boards, and this is a level of Sokoban",
        )),
    }
}

/// A name, if there is one.
pub fn parsed<T: FromStr<Err: fmt::Display>>(
    field: Field,
    text: Option<&str>,
) -> Result<Option<T>, Refusal> {
    text.map(str::parse)
        .transpose()
        .map_err(|error| Refusal::new(field, error))
}
