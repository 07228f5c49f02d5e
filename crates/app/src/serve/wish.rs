//! What a body asks for, within the limits of this server: a request of the solver, made before any work starts.
//!
//! Tables that a request names itself are built for it alone and dropped afterwards, except the few that many use
//! (`noyes_solver::tiles::policy`).

use std::sync::Arc;
use std::time::Duration;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::{Board, Goal, Notation, solvable};
use noyes_solver::tiles::{Positions, policy};
use noyes_solver::{Answer, Ask, Engine, Field, Request, TilesCache};

use super::limits::{Limits, MOST_CELLS};
use super::problem::Problem;
use crate::ask::{self, Names, Refusal};
use crate::puzzle::{Given, level, tiles};
use crate::record::{Answered, SolveBody, Subject};

/// The tables that all share. Those of small boards take milliseconds to build and are apart, so that nobody waits for
/// the large ones to get one.
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
    pub time: Duration,
    pub bytes: usize,
    /// Whether it takes less time than handing it to another thread.
    pub is_quick: bool,
}

impl Wish {
    /// The wish of a body, if it makes sense and is within the limits.
    pub fn new(body: &SolveBody, limits: &Limits, shelf: &Shelf) -> Result<Wish, Problem> {
        let time = limits.time(body.time_limit_s)?;
        let bytes = limits.bytes(body.memory_limit_bytes)?;
        let puzzle = puzzle(&body.puzzle)?;
        let (request, is_quick) = request(body, &puzzle, shelf)?;
        Ok(Wish {
            request,
            puzzle,
            time,
            bytes,
            is_quick,
        })
    }

    /// The record of an answer.
    pub fn record(&self, answer: &Answer) -> Answered {
        match &self.puzzle {
            Given::Board(board) => tiles::record(board, answer, Notation::Blank),
            Given::Level(level) => level::record(level, answer),
        }
    }

    /// The record where there is no answer by a fault of ours.
    pub fn failed(&self, error: String) -> Answered {
        let subject = match &self.puzzle {
            Given::Board(board) => Subject::board(board),
            Given::Level(level) => Subject::level(level),
        };
        Answered::failed(subject, error)
    }
}

fn request(body: &SolveBody, puzzle: &Given, shelf: &Shelf) -> Result<(Request, bool), Refusal> {
    let mut names = Names::of(body)?;
    let (ask, cache, is_quick) = match puzzle {
        Given::Level(level) => {
            ask::no_goal(body.goal.as_deref())?;
            (Ask::level(Level::clone(level)), TilesCache::shared(), false)
        }
        Given::Board(start) => {
            let goal = ask::goal(body.goal.as_deref(), start.width(), start.height())?;
            let is_plain = names.heuristic.is_none();
            let is_quick = is_plain
                && matches!(names.engine, Engine::Auto | Engine::Table)
                && Positions::fits(start.width(), start.height());
            let cache = match &names.heuristic {
                Some(heuristic) if !policy::is_common(heuristic, &goal) => Arc::default(),
                _ => shelf.of(&goal).clone(),
            };
            let ask = if is_plain && names.engine == Engine::Auto {
                plain(start, &goal)
            } else {
                Ask::board(start.clone(), Goal::Board(goal))
            };
            (ask, cache, is_quick)
        }
    };
    let mut request = ask::body(ask.clone(), body, &names, &cache)?;
    if is_quick {
        names.engine = Engine::Table; // which is at hand
        request = ask::body(ask, body, &names, &cache)?;
    }
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

/// Asks about a board in a way that shares tables with as many others as possible.
pub fn plain(start: &Board, goal: &Board) -> Ask {
    let (start, goal) = match solvable(start, goal) {
        Ok(()) => renamed(start, goal),
        Err(_) => (start.clone(), goal.clone()), // so that the reason names its tiles
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
