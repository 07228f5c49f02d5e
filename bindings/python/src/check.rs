//! `noyes.check`: a plan replayed by the independent checker.

use noyes_answer::ask::no_goal;
use noyes_answer::record::Replayed;
use noyes_answer::{graph, level, tiles};
use noyes_puzzle::tiles::{Goal, Notation};
use noyes_solver::{Ask, Plan as Moves};
use pyo3::prelude::*;

use crate::error::{argument, asked, refused};
use crate::plan::read;
use crate::puzzle::{self, Puzzle};
use crate::record::to_dict;
use crate::wishes::GOAL_OF_GRAPH;

/// What a replay found. It is true if the plan solves the puzzle.
#[pyclass(frozen, module = "noyes")]
pub struct Replay(Replayed);

#[pymethods]
impl Replay {
    /// Whether every move is legal.
    #[getter]
    fn legal(&self) -> bool {
        self.0.legal
    }

    /// Whether every move is legal and the goal is reached at the end.
    #[getter]
    fn solved(&self) -> bool {
        self.0.solved
    }

    /// The cost of the plan, solved or not; None if it is not legal.
    #[getter]
    fn cost(&self) -> Option<u32> {
        self.0.cost
    }

    /// What is wrong with the plan; None if it solves the puzzle.
    #[getter]
    fn error(&self) -> Option<&str> {
        self.0.error.as_deref()
    }

    /// The puzzle after the plan, as text; None if the plan is not legal.
    #[getter]
    fn reached(&self) -> Option<&str> {
        self.0.reached.as_deref()
    }

    /// The record that `noyes check --json` prints (docs/json.md).
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_dict(py, &self.0)
    }

    fn __bool__(&self) -> bool {
        self.0.solved
    }

    fn __repr__(&self) -> String {
        match (&self.0.error, self.0.cost) {
            (None, Some(cost)) => format!("<Replay: solved, {cost} {}>", self.0.objective),
            (error, _) => format!("<Replay: {}>", error.as_deref().unwrap_or_default()),
        }
    }
}

/// Replays a plan: a Plan, a text as the command line reads it, or a list of moves.
///
/// `notation` says what the letters of a board's plan move: "blank" or "tile".
#[pyfunction]
#[pyo3(signature = (puzzle, plan, goal=None, notation="blank", no_wait=false))]
pub fn check(
    puzzle: &Bound<'_, PyAny>,
    plan: &Bound<'_, PyAny>,
    goal: Option<&Bound<'_, PyAny>>,
    notation: &str,
    no_wait: bool,
) -> PyResult<Replay> {
    let puzzle = Puzzle::read(puzzle)?;
    let notation: Notation = notation.parse().map_err(|e| argument("notation", e))?;
    let moves = read(&puzzle, plan, notation)?;
    let record = match (&puzzle, &moves) {
        (Puzzle::Board(board), Moves::Directions(moves)) => {
            let goal = puzzle::goal(goal, (board.width(), board.height()))?;
            let ask = Ask::board(board.clone(), Goal::Board(goal.clone()));
            ask.no_wait(no_wait).request().map_err(asked)?;
            tiles::replay(board, &goal, moves, notation)
        }
        (Puzzle::Level(given), Moves::Walks(walks)) => {
            no_goal(goal.map(|_| "")).map_err(refused)?;
            let ask = Ask::level(given.clone()).no_wait(no_wait);
            ask.request().map_err(asked)?;
            let mut puzzle = level::usual(given);
            puzzle.wait = !no_wait;
            level::replay(&puzzle, walks)
        }
        (Puzzle::Graph(given), Moves::Vertices(moves)) => {
            if goal.is_some() {
                return Err(argument("goal", GOAL_OF_GRAPH));
            }
            let (start, goal) = given.ends()?;
            let ask = Ask::graph(given.graph(), start, goal).no_wait(no_wait);
            ask.request().map_err(asked)?;
            graph::replay(&given.name, &given.puzzle()?, moves)
        }
        _ => unreachable!("a plan is of its own puzzle"),
    };
    Ok(Replay(record))
}
