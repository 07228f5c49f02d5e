//! `noyes.Plan`: moves that were replayed, with the puzzle they belong to.

use std::mem::discriminant;
use std::ops::Range;
use std::sync::Arc;

use noyes_answer::graph::names;
use noyes_answer::{graph, level, tiles};
use noyes_check::{board_after, graph_after, sokoban_after};
use noyes_puzzle::sokoban::Walks;
use noyes_puzzle::tiles::{Notation, write_plan};
use noyes_solver::Plan as Moves;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::error::argument;
use crate::picture;
use crate::puzzle::{Puzzle, items};

/// The moves of a plan, from the start of a puzzle on.
///
/// Iterating over it gives the moves; str() writes them as the command line does. `moves` is a text or a list of moves.
#[pyclass(frozen, module = "noyes")]
pub struct Plan {
    pub puzzle: Puzzle,
    pub moves: Moves,
}

#[pymethods]
impl Plan {
    #[new]
    fn new(puzzle: &Bound<'_, PyAny>, moves: &Bound<'_, PyAny>) -> PyResult<Plan> {
        let puzzle = Puzzle::read(puzzle)?;
        let moves = read(&puzzle, moves, Notation::Blank)?;
        let plan = Plan { puzzle, moves };
        plan.end()?;
        Ok(plan)
    }

    /// The puzzle at the start.
    #[getter]
    fn puzzle(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.puzzle.clone().into_object(py)
    }

    /// The moves one by one.
    #[getter]
    fn moves(&self) -> Vec<String> {
        match &self.puzzle {
            Puzzle::Graph(_) => self
                .__str__()
                .split(' ')
                .filter(|v| !v.is_empty())
                .map(Into::into)
                .collect(),
            Puzzle::Board(_) => self.__str__().chars().map(Into::into).collect(),
            Puzzle::Level(_) => {
                let text = self.__str__();
                let lines: Vec<Vec<char>> =
                    text.lines().map(|line| line.chars().collect()).collect();
                let step = |at| lines.iter().map(|line| line[at]).collect();
                (0..self.moves.len()).map(step).collect()
            }
        }
    }

    /// The positions on the way: the start, and the puzzle after each move.
    fn states(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let mut here = self.puzzle.clone();
        let mut states = vec![here.clone().into_object(py)?];
        for at in 0..self.moves.len() {
            let moves = part(&self.moves, at..at + 1);
            here = Plan {
                puzzle: here,
                moves,
            }
            .end()?;
            states.push(here.clone().into_object(py)?);
        }
        Ok(states)
    }

    /// The plan as text; for boards, `notation` "tile" names where the tiles go instead of the blank.
    #[pyo3(signature = (notation="blank"))]
    fn to_text(&self, notation: &str) -> PyResult<String> {
        let notation: Notation = notation.parse().map_err(|e| argument("notation", e))?;
        Ok(self.written(notation))
    }

    fn __len__(&self) -> usize {
        self.moves.len()
    }

    /// A move, or a list of moves for a slice.
    fn __getitem__<'py>(&self, index: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.moves().into_pyobject(index.py())?.get_item(index)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.moves().into_pyobject(py)?.try_iter()?.into_any())
    }

    fn __str__(&self) -> String {
        self.written(Notation::Blank)
    }

    fn __repr__(&self) -> String {
        format!("Plan('{}')", self.__str__().replace('\n', "\\n"))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        match (other.cast::<Plan>(), other.cast::<PyString>()) {
            (Ok(other), _) => other.get().__str__() == self.__str__(),
            (_, Ok(text)) => text.to_cow().is_ok_and(|text| text == self.__str__()),
            _ => false,
        }
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyString::new(py, &self.__str__()).hash()
    }

    fn __reduce__<'py>(
        this: &Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Py<PyAny>, String))> {
        let plan = this.get();
        Ok((
            this.get_type().into_any(),
            (plan.puzzle(this.py())?, plan.__str__()),
        ))
    }

    /// A small film, for notebooks.
    fn _repr_svg_(&self) -> Option<String> {
        self.film()
    }
}

impl Plan {
    /// The plan as a film, unless it is too large.
    pub fn film(&self) -> Option<String> {
        match (&self.puzzle, &self.moves) {
            (Puzzle::Board(board), Moves::Directions(moves)) => picture::of_board(board, moves),
            (Puzzle::Level(level), Moves::Walks(walks)) => picture::of_level(level, Some(walks)),
            _ => None,
        }
    }

    /// The plan as text.
    pub fn written(&self, notation: Notation) -> String {
        match (&self.puzzle, &self.moves) {
            (_, Moves::Directions(moves)) => write_plan(moves, notation),
            (Puzzle::Level(level), Moves::Walks(walks)) => walks.write(level),
            (Puzzle::Graph(graph), Moves::Vertices(moves)) => names(&graph.graph(), moves),
            _ => unreachable!("a plan is of its own puzzle"),
        }
    }

    /// The puzzle after the moves.
    fn end(&self) -> PyResult<Puzzle> {
        let illegal = |fault: &dyn std::fmt::Display| argument("plan", fault);
        Ok(match (&self.puzzle, &self.moves) {
            (Puzzle::Board(board), Moves::Directions(moves)) => {
                let after = board_after(board, moves);
                Puzzle::Board(after.map_err(|fault| illegal(&fault))?)
            }
            (Puzzle::Level(level), Moves::Walks(walks)) => {
                let after = sokoban_after(level, walks, true);
                let (after, _) = after.map_err(|fault| illegal(&fault))?;
                Puzzle::Level(Arc::new(after))
            }
            (Puzzle::Graph(graph), Moves::Vertices(moves)) => {
                let puzzle = graph.puzzle()?;
                let after = graph_after(&puzzle.graph, &puzzle.start, moves);
                Puzzle::Graph(graph.at(&puzzle, &after.map_err(|fault| illegal(&fault))?)?)
            }
            _ => unreachable!("a plan is of its own puzzle"),
        })
    }
}

/// Some of the moves.
fn part(moves: &Moves, of: Range<usize>) -> Moves {
    match moves {
        Moves::Directions(moves) => Moves::Directions(moves[of].to_vec()),
        Moves::Vertices(moves) => Moves::Vertices(moves[of].to_vec()),
        Moves::Walks(walks) => {
            let walks = walks.walks().iter().map(|walk| walk[of.clone()].to_vec());
            Moves::Walks(Walks::new(walks.collect()))
        }
    }
}

/// The moves that an object stands for: a plan, a text as the command line reads it, or a list of moves.
pub fn read(puzzle: &Puzzle, given: &Bound<'_, PyAny>, notation: Notation) -> PyResult<Moves> {
    let text = if let Ok(plan) = given.cast::<Plan>() {
        if discriminant(&plan.get().puzzle) != discriminant(puzzle) {
            return Err(argument("plan", "it is of another kind of puzzle"));
        }
        plan.get().written(notation)
    } else if let Ok(text) = given.cast::<PyString>() {
        text.to_cow()?.into_owned()
    } else {
        let moves = items(given)?.map(|item| item?.extract());
        let moves: Vec<String> = moves.collect::<PyResult<_>>()?;
        match puzzle {
            Puzzle::Level(level) if level.players().len() > 1 => {
                by_player(&moves, level.players().len())?
            }
            _ => moves.join(" "),
        }
    };
    let moves = match puzzle {
        Puzzle::Board(board) => tiles::read_plan(&text, board, notation).map(Moves::Directions),
        Puzzle::Level(level) => level::read_plan(&text, level).map(Moves::Walks),
        Puzzle::Graph(given) => graph::read_plan(&text, &given.graph()).map(Moves::Vertices),
    };
    moves.map_err(|what| argument("plan", what))
}

/// The walk of each player in a line of its own, from joint steps with a letter for each player.
fn by_player(steps: &[String], players: usize) -> PyResult<String> {
    let is_wrong = |step: &String| step.chars().count() != players;
    if let Some(at) = steps.iter().position(is_wrong) {
        let (number, step) = (at + 1, &steps[at]);
        let what = format!(
            "step {number} is {step:?} (expected a letter for each of {players} players, . waits)"
        );
        return Err(argument("plan", what));
    }
    let walk = |player| {
        steps
            .iter()
            .filter_map(move |step| step.chars().nth(player))
            .collect()
    };
    let walks: Vec<String> = (0..players).map(walk).collect();
    Ok(walks.join("\n"))
}

/// The puzzle after some moves.
pub fn applied(puzzle: Puzzle, moves: &Bound<'_, PyAny>) -> PyResult<Puzzle> {
    let moves = read(&puzzle, moves, Notation::Blank)?;
    Plan { puzzle, moves }.end()
}
