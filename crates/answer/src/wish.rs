//! What a body asks for, within the limits: a checked request, made before any work starts.
//!
//! Tables that a request names are built for it alone and dropped afterwards, except a few common ones
//! (`noyes_solver::tiles::policy`).

use std::sync::Arc;
use std::time::Duration;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::{Board, Goal, Notation, solvable};
use noyes_solver::tiles::{Positions, policy};
use noyes_solver::{Answer, Ask, Engine, Field, Request, TilesCache};

use crate::ask::{self, Names, Refusal};
use crate::limits::{Limits, MOST_CELLS};
use crate::record::{Answered, SolveBody, Subject};
use crate::sent::Question;
use crate::{Fault, Given, level, tiles};

/// The tables that all requests share. Those of small boards take milliseconds to build and have their own place, so that
/// they never wait for large ones.
#[derive(Default)]
pub struct Shelf {
    pub small: Arc<TilesCache>,
    pub large: Arc<TilesCache>,
}

impl Shelf {
    /// The tables for boards of this size.
    pub fn of(&self, board: &Board) -> &Arc<TilesCache> {
        if Positions::fits(board.width(), board.height()) {
            &self.small
        } else {
            &self.large
        }
    }
}

/// A wish that can be fulfilled.
pub struct Wish {
    pub request: Request,
    pub puzzle: Given,
    /// The goal of a board.
    goal: Option<Board>,
    pub time: Duration,
    pub bytes: usize,
    /// The same for another machine.
    pub question: Question,
    /// Whether it takes so little time that it needs no job.
    pub is_quick: bool,
}

impl Wish {
    /// The wish of a body, if it makes sense and is within the limits.
    pub fn new(body: &SolveBody, limits: &Limits, shelf: &Shelf) -> Result<Wish, Fault> {
        let time = limits.time(body.time_limit_s)?;
        let bytes = limits.bytes(body.memory_limit_bytes)?;
        let puzzle = puzzle(&body.puzzle)?;
        let (request, goal, is_quick) = match &puzzle {
            Given::Level(level) => (of_level(body, level)?, None, false),
            Given::Board(start) => {
                let goal = ask::goal(body.goal.as_deref(), start.width(), start.height())?;
                let (request, is_quick) = of_board(body, start, &goal, shelf)?;
                (request, Some(goal), is_quick)
            }
        };
        Ok(Wish {
            request,
            puzzle,
            goal,
            time,
            bytes,
            question: Question {
                time_limit_s: Some(time.as_secs_f64()),
                ..Question::of_body(body)
            },
            is_quick,
        })
    }

    /// The wish that another machine has noted.
    pub fn of_question(
        question: &Question,
        puzzle: &str,
        limits: &Limits,
        shelf: &Shelf,
    ) -> Result<Wish, Fault> {
        Wish::new(&question.body(puzzle), limits, shelf)
    }

    /// The puzzle as text.
    pub fn text(&self) -> String {
        self.puzzle.text()
    }

    /// The record of an answer.
    pub fn record(&self, answer: &Answer) -> Answered {
        let record = match &self.puzzle {
            Given::Board(board) => tiles::record(board, answer, Notation::Blank),
            Given::Level(level) => level::record(level, answer),
        };
        record.with_goal(self.goal.as_ref())
    }

    /// The record after a failure of this program.
    pub fn failed(&self, error: String) -> Answered {
        let subject = match &self.puzzle {
            Given::Board(board) => Subject::board(board),
            Given::Level(level) => Subject::level(level),
        };
        Answered::failed(subject, error)
    }
}

fn of_level(body: &SolveBody, level: &Level) -> Result<Request, Refusal> {
    ask::no_goal(body.goal.as_deref())?;
    let names = Names::of(body)?;
    let ask = Ask::level(level.clone());
    ask::body(ask, body, &names, names.engine, &TilesCache::shared())
}

/// The request, and whether it needs no job.
fn of_board(
    body: &SolveBody,
    start: &Board,
    goal: &Board,
    shelf: &Shelf,
) -> Result<(Request, bool), Refusal> {
    let names = Names::of(body)?;
    let is_plain = names.heuristic.is_none();
    let is_quick = is_plain
        && matches!(names.engine, Engine::Auto | Engine::Table)
        && Positions::fits(start.width(), start.height());
    let cache = match &names.heuristic {
        Some(heuristic) if !policy::is_common(heuristic, goal) => Arc::default(),
        _ => shelf.of(goal).clone(),
    };
    let ask = if is_plain && names.engine == Engine::Auto {
        plain(start, goal)
    } else {
        Ask::board(start.clone(), Goal::Board(goal.clone()))
    };
    let engine = if is_quick {
        Engine::Table
    } else {
        names.engine
    };
    let request = ask::body(ask.clone(), body, &names, engine, &cache);
    // A refusal speaks of the engine that was named.
    let request = request.or_else(|_| ask::body(ask, body, &names, names.engine, &cache))?;
    Ok((request, is_quick))
}

/// A puzzle within the limits, from its text.
pub fn puzzle(text: &str) -> Result<Given, Refusal> {
    let given = Given::read(text).map_err(|what| Refusal::new(Field::Puzzle, what))?;
    let cells = given.cells();
    if cells > MOST_CELLS {
        let what = match &given {
            Given::Board(board) => format!("a {} board", board.size()),
            Given::Level(_) => "the level".into(),
        };
        let reason = format!("{what} has {cells} cells, and the limit here is {MOST_CELLS}");
        return Err(Refusal::new(Field::Puzzle, reason));
    }
    Ok(given)
}

/// The same puzzle with its tiles renamed by their goal cells, so that the tables of one goal serve all goals with the blank
/// in the same place. Plans stay the same.
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

/// Asks about a board so that it shares its tables with as many other goals as possible.
pub fn plain(start: &Board, goal: &Board) -> Ask {
    let (start, goal) = match solvable(start, goal) {
        Ok(()) => renamed(start, goal),
        Err(_) => (start.clone(), goal.clone()), // the reason should name the user's tiles
    };
    Ask::board(start, Goal::Board(goal))
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
