//! What a body asks for, as a request of the solver: everything is checked here, before any work starts.
//!
//! What would be dangerous from afar is refused: programs as SAT solvers, and tables kept for the asking. Tables
//! that a request names itself are built for it alone and forgotten afterwards, save the few that everyone uses.

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use noyes_puzzle::sokoban::{Level, may_be_level_line, parse_level};
use noyes_puzzle::tiles::{Board, Goal, Notation, solvable};
use noyes_solver::sat::EncodingName;
use noyes_solver::sat::backend::BackendName;
use noyes_solver::tiles::Positions;
use noyes_solver::tiles::pdb::Tables;
use noyes_solver::{Answer, Engine, Guide, Heuristic, Objective, Request, SatOptions};
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use utoipa::ToSchema;

use super::limits::{Limits, MOST_CELLS};
use super::problem::Problem;
use crate::puzzle::level;
use crate::puzzle::tiles::letters;
use crate::record::{Notated, Record};
use crate::terminal::input::is_board;

/// Partitions whose tables are kept for all, towards the usual goals of 4×4.
const COMMON: [&str; 8] = [
    "5-5-5",
    "5-5-5+reflect",
    "6-6-3",
    "6-6-3+reflect",
    "7-7-1",
    "7-7-1+reflect",
    "7-8",
    "7-8+reflect",
];

/// The tables that all share. Those of small boards take milliseconds to build and are apart, so that nobody waits for
/// the large ones to get one.
pub struct Shelf {
    pub small: Arc<Tables>,
    pub large: Arc<Tables>,
}

impl Shelf {
    fn of(&self, board: &Board) -> &Arc<Tables> {
        if Positions::fits(board.width(), board.height()) {
            &self.small
        } else {
            &self.large
        }
    }
}

/// The body of a solve. Names are those of the command line.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveBody {
    /// A board, tiles parted by blanks and rows by slashes, 0 or _ for the blank; or a level of Sokoban as XSB text.
    #[schema(example = "8 6 7/2 5 4/3 0 1")]
    pub puzzle: String,
    /// blank-last (the default), blank-first or a board.
    #[schema(example = "blank-last")]
    pub goal: Option<String>,
    /// The way of searching; auto by default.
    #[schema(example = "auto")]
    pub engine: Option<String>,
    /// The lower bound that guides it, such as walking or pdb:5-5-5.
    #[schema(example = "manhattan")]
    pub heuristic: Option<String>,
    /// How the engine sat writes the puzzle as clauses.
    pub encoding: Option<String>,
    /// What solves them: cadical or batsat.
    pub backend: Option<String>,
    /// Which length the engine sat asks for next: up, doubling or binary.
    pub bounds: Option<String>,
    /// What the engine sat keeps from one length to the next: incremental or restart.
    pub keep: Option<String>,
    /// The first plan will do: of a level, or of the engine sat.
    #[serde(default)]
    pub any: bool,
    /// What a plan should have fewest of: moves of a board; pushes (the default) or moves of a level.
    pub objective: Option<String>,
    /// Levels of several players: nobody may wait.
    #[serde(default)]
    pub no_wait: bool,
    /// Ask the engine sat only whether there is a plan of at most so many moves.
    pub at_most: Option<u32>,
    /// Stop the search after this time; the server's limit by default.
    #[schema(minimum = 0)]
    pub time_limit_s: Option<f64>,
    /// Stop the search before its states take more; the server's limit by default.
    pub memory_limit_bytes: Option<u64>,
    /// Wait so long for the answer before a job is handed out, at most and by default 2.
    #[schema(minimum = 0, maximum = 2)]
    pub wait_s: Option<f64>,
}

/// A wish that can be fulfilled.
pub struct Wish {
    pub request: Request,
    pub puzzle: Asked,
    pub time: Duration,
    pub bytes: usize,
    /// Whether it takes less time than handing it to another thread.
    pub is_quick: bool,
}

/// A puzzle as it was asked for, for the record of its answer.
pub enum Asked {
    Board(Board),
    Level(Level),
}

impl Asked {
    /// A puzzle, read from its text.
    pub fn read(text: &str) -> Result<Asked, Problem> {
        if is_board(text) {
            return board(text).map(Asked::Board);
        }
        if !text.lines().any(may_be_level_line) {
            return Err(Problem::unprocessable(
                "puzzle: expected a board such as \"1 2 3/4 0 6/7 5 8\" or a level of Sokoban such as \"#####\\n#@$.#\\n#####\"",
            ));
        }
        level(text).map(Asked::Level)
    }

    /// The record of an answer, with the name of its job.
    pub fn record(&self, id: &str, request: &Request, answer: &Answer) -> Box<RawValue> {
        match self {
            Asked::Board(board) => {
                let puzzle = board.to_string();
                let plan = letters(answer, Notation::Blank);
                let notation = Notated::Letters(Notation::Blank);
                let record = Record {
                    size: Some(board.size()),
                    ..Record::answer(&puzzle, answer, plan, &notation)
                };
                named(id, &record)
            }
            Asked::Level(_) => named(id, &level::record(request, answer)),
        }
    }

    /// The record of a puzzle that could not be solved by a fault of ours.
    pub fn failed(&self, id: &str, error: String) -> Box<RawValue> {
        match self {
            Asked::Board(board) => named(id, &Record::error(&board.to_string(), error)),
            Asked::Level(_) => named(id, &Record::error("sokoban", error)),
        }
    }
}

/// A record with the name of its job.
#[derive(Serialize)]
struct Named<'a, T: Serialize> {
    id: &'a str,
    #[serde(flatten)]
    record: &'a T,
}

fn named(id: &str, record: &impl Serialize) -> Box<RawValue> {
    to_raw_value(&Named { id, record }).expect("plain fields")
}

/// A level within the limits, from its text.
pub fn level(text: &str) -> Result<Level, Problem> {
    let level =
        parse_level(text).map_err(|e| Problem::unprocessable(format_args!("puzzle: {e}")))?;
    if level.cells() > MOST_CELLS {
        return Err(Problem::unprocessable(format_args!(
            "puzzle: the level has {} cells, and the limit here is {MOST_CELLS}",
            level.cells()
        )));
    }
    Ok(level)
}

/// A request for a level.
pub fn level_request(
    level: &Level,
    objective: Option<&str>,
    no_wait: bool,
    goal: Option<&str>,
) -> Result<Request, Problem> {
    if goal.is_some() {
        return Err(Problem::unprocessable(
            "goal: a level of Sokoban has its goals in it",
        ));
    }
    let objective: Objective = parsed("objective", objective)?.unwrap_or_default();
    Ok(Request::sokoban(level.clone())
        .objective(objective)
        .wait(!no_wait))
}

/// What is about levels is not about boards.
pub fn no_level_choices(no_wait: bool, objective: Option<&str>) -> Result<(), Problem> {
    if no_wait {
        return Err(Problem::unprocessable(
            "no_wait is about levels of Sokoban, not about boards",
        ));
    }
    match objective {
        Some(text) if text != "moves" => Err(Problem::unprocessable(format_args!(
            "objective: {text:?} is not known for boards (expected moves)"
        ))),
        _ => Ok(()),
    }
}

/// A board within the limits, from its text.
pub fn board(text: &str) -> Result<Board, Problem> {
    let board = Board::parse(text, None)
        .map_err(|e| Problem::unprocessable(format_args!("puzzle: {e}")))?;
    if board.tiles().len() > MOST_CELLS {
        return Err(Problem::unprocessable(format_args!(
            "puzzle: a {} board has {} cells, and the limit here is {MOST_CELLS}",
            board.size(),
            board.tiles().len()
        )));
    }
    Ok(board)
}

/// The goal of a board of this size.
pub fn goal(text: Option<&str>, width: usize, height: usize) -> Result<Board, Problem> {
    let goal = Goal::parse(text.unwrap_or("blank-last"), Some((width, height)));
    goal.and_then(|goal| goal.of_size(width, height))
        .map_err(Problem::unprocessable)
}

/// The same puzzle with its tiles named by their goal cells, so that what is kept for a goal serves all with the blank
/// in that place. Plans are the same.
pub fn renamed(start: &Board, goal: &Board) -> (Board, Board) {
    let mut name = vec![0; goal.tiles().len()];
    let tiles = goal.tiles().iter().filter(|&&tile| tile != 0);
    for (i, &tile) in tiles.enumerate() {
        name[usize::from(tile)] = i as u16 + 1;
    }
    let rename = |board: &Board| {
        let tiles = board.tiles().iter().map(|&t| name[usize::from(t)]);
        Board::new(board.width(), tiles.collect()).expect("other names for the same tiles")
    };
    (rename(start), rename(goal))
}

/// A request for a board, by whatever suits it and the tables of all.
pub fn plain(start: &Board, goal: &Board, tables: &Shelf) -> Request {
    let tables = tables.of(goal);
    let (start, goal) = match solvable(start, goal) {
        Ok(()) => renamed(start, goal),
        Err(_) => (start.clone(), goal.clone()), // so that the reason names its tiles
    };
    Request::board(start, &Goal::Board(goal))
        .expect("of one size")
        .tables(tables.clone())
}

impl SolveBody {
    /// The wish, if it makes sense and is within the limits.
    pub fn wish(&self, limits: &Limits, tables: &Shelf) -> Result<Wish, Problem> {
        let time = limits.time(self.time_limit_s)?;
        let bytes = limits.bytes(self.memory_limit_bytes)?;
        let engine: Engine = parsed("engine", self.engine.as_deref())?.unwrap_or_default();
        let heuristic: Option<Heuristic> = parsed("heuristic", self.heuristic.as_deref())?;
        let puzzle = Asked::read(&self.puzzle)?;
        let sat = self.sat(engine, matches!(puzzle, Asked::Level(_)))?;
        let mut is_quick = false;
        let request = match &puzzle {
            Asked::Board(start) => {
                no_level_choices(self.no_wait, self.objective.as_deref())?;
                let goal = goal(self.goal.as_deref(), start.width(), start.height())?;
                is_quick = matches!(engine, Engine::Auto | Engine::Table)
                    && heuristic.is_none()
                    && Positions::fits(start.width(), start.height());
                if engine == Engine::Auto && heuristic.is_none() {
                    plain(start, &goal, tables)
                } else {
                    let tables = match &heuristic {
                        Some(heuristic) if !is_common(heuristic, &goal) => Arc::default(),
                        _ => tables.of(&goal).clone(),
                    };
                    Request::board(start.clone(), &Goal::Board(goal))
                        .map_err(Problem::unprocessable)?
                        .tables(tables)
                }
            }
            Asked::Level(level) => level_request(
                level,
                self.objective.as_deref(),
                self.no_wait,
                self.goal.as_deref(),
            )?
            .any(self.any),
        };
        let engine = if is_quick { Engine::Table } else { engine };
        let request = request
            .sat(sat)
            .and_then(|request| request.engine(engine))
            .and_then(|request| match heuristic {
                Some(heuristic) => request.heuristic(heuristic),
                None => Ok(request),
            })
            .map_err(Problem::unprocessable)?;
        Ok(Wish {
            request,
            puzzle,
            time,
            bytes,
            is_quick,
        })
    }

    fn sat(
        &self,
        engine: Engine,
        is_level: bool,
    ) -> Result<SatOptions<Option<EncodingName>>, Problem> {
        let given = [
            (self.encoding.is_some(), "encoding"),
            (self.backend.is_some(), "backend"),
            (self.bounds.is_some(), "bounds"),
            (self.keep.is_some(), "keep"),
            (self.any && !is_level, "any"),
            (self.at_most.is_some(), "at_most"),
        ];
        if let Some((_, name)) = given.iter().find(|g| g.0 && engine != Engine::Sat) {
            return Err(Problem::unprocessable(format_args!(
                "{name} is about the engine sat, not {engine}"
            )));
        }
        if self.at_most.is_some() && (self.bounds.is_some() || self.any) {
            return Err(Problem::unprocessable(
                "at_most is one question: it does not go with bounds or any",
            ));
        }
        let backend = parsed("backend", self.backend.as_deref())?.unwrap_or_default();
        if matches!(backend, BackendName::Command(_)) {
            return Err(Problem::unprocessable(
                "backend: programs cannot be started from here (expected cadical or batsat)",
            ));
        }
        Ok(SatOptions {
            encoding: parsed("encoding", self.encoding.as_deref())?,
            backend,
            bounds: parsed("bounds", self.bounds.as_deref())?.unwrap_or_default(),
            keep: parsed("keep", self.keep.as_deref())?.unwrap_or_default(),
            any: self.any,
            threads: 1,
            at_most: self.at_most,
        })
    }
}

/// A name, if one was given.
fn parsed<T: FromStr<Err: std::fmt::Display>>(
    field: &str,
    text: Option<&str>,
) -> Result<Option<T>, Problem> {
    text.map(str::parse)
        .transpose()
        .map_err(|e| Problem::unprocessable(format_args!("{field}: {e}")))
}

/// Whether the tables of a heuristic are worth keeping.
fn is_common(heuristic: &Heuristic, goal: &Board) -> bool {
    let usual = [Board::blank_last(4, 4), Board::blank_first(4, 4)].contains(goal);
    heuristic.members().iter().all(|guide| match guide {
        Guide::Named(_) => true,
        Guide::Databases(partition) => usual && COMMON.contains(&partition.to_string().as_str()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renamed_tiles_have_the_same_plans() {
        let (start, goal) = ("3 1/0 2".parse().unwrap(), "2 0/1 3".parse().unwrap());
        let (renamed_start, renamed_goal) = renamed(&start, &goal);
        assert_eq!(renamed_goal.to_string(), "1 0/2 3");
        assert_eq!(renamed_start.to_string(), "3 2/0 1");
    }

    #[test]
    fn the_usual_goals_keep_their_names() {
        for goal in [Board::blank_last(4, 3), Board::blank_first(4, 3)] {
            assert_eq!(renamed(&goal, &goal), (goal.clone(), goal));
        }
    }
}
