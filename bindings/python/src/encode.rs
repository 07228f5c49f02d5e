//! `noyes.encode`: a puzzle as clauses.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use noyes_answer::ask::{Refusal, no_goal};
use noyes_check::{board_plan, sokoban_plan};
use noyes_puzzle::tiles::Goal;
use noyes_solver::sat::cnf::Cnf;
use noyes_solver::sat::dimacs::{DimacsError, Instance, LevelInstance, MOST_STEPS};
use noyes_solver::sat::{EncodingName, fit_board, fit_level};
use noyes_solver::{Ask, Field, Objective, Plan as Moves};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::attend::alone;
use crate::error::{LimitError, SolverError, argument, asked, input, refused};
use crate::plan::Plan;
use crate::puzzle::{self, Puzzle, at_path, items};
use crate::wishes::Limits;

/// A formula that is satisfiable exactly if there is a plan of at most some length.
///
/// `clauses` are lists of numbers, as PySAT and DIMACS have them: the variable, negative for its negation.
#[pyclass(frozen, module = "noyes")]
pub struct Formula {
    puzzle: Puzzle,
    made: Made,
}

enum Made {
    Board(Box<Instance>),
    Level(Box<LevelInstance>),
}

#[pymethods]
impl Formula {
    /// The clauses.
    #[getter]
    fn clauses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let lists = self.cnf().clauses().map(|clause| {
            let numbers = clause.iter().map(|lit| lit.dimacs());
            PyList::new(py, numbers.collect::<Vec<i32>>())
        });
        PyList::new(py, lists.collect::<PyResult<Vec<_>>>()?)
    }

    /// The number of variables: they are 1 to this.
    #[getter]
    fn variables(&self) -> usize {
        self.cnf().variables()
    }

    /// The puzzle.
    #[getter]
    fn puzzle(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.puzzle.clone().into_object(py)
    }

    /// The name of the encoding.
    #[getter]
    fn encoding(&self) -> String {
        match &self.made {
            Made::Board(made) => made.encoding.to_string(),
            Made::Level(made) => made.encoding.to_string(),
        }
    }

    /// The greatest length of a plan: moves, pushes or steps, whatever the encoding counts.
    #[getter]
    fn steps(&self) -> u32 {
        match &self.made {
            Made::Board(made) => made.steps,
            Made::Level(made) => made.steps,
        }
    }

    /// The formula as DIMACS, with comments that `noyes decode` reads.
    fn to_dimacs(&self, py: Python<'_>) -> PyResult<String> {
        let text = py.detach(|| {
            let mut bytes = vec![];
            match &self.made {
                Made::Board(made) => made.write(&mut bytes)?,
                Made::Level(made) => made.write(&mut bytes)?,
            }
            std::io::Result::Ok(String::from_utf8(bytes).expect("DIMACS is text"))
        });
        Ok(text?)
    }

    /// Writes the same to a file.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        std::fs::write(&path, self.to_dimacs(py)?).map_err(|error| at_path(&path, error))
    }

    /// The plan of a model: literals as a solver returns them. The model is checked against the clauses, and the plan is
    /// replayed.
    fn decode(&self, model: &Bound<'_, PyAny>) -> PyResult<Plan> {
        let values = self.values(model)?;
        if let Some(clause) = self.cnf().violated(|lit| lit.holds_in(&values)) {
            let what = format!("the solver's model is wrong: clause {clause} does not hold");
            return Err(SolverError::new_err(what));
        }
        let wrong = |fault: &dyn std::fmt::Display| {
            let what = "the plan found does not pass the check, please report this";
            SolverError::new_err(format!("{what}: {fault}"))
        };
        let moves = match &self.made {
            Made::Board(made) => {
                let plan = made.decode(&values);
                board_plan(&made.start, &made.goal, &plan).map_err(|fault| wrong(&fault))?;
                Moves::Directions(plan)
            }
            Made::Level(made) => {
                let plan = made.decode(&values);
                sokoban_plan(&made.level, &plan, made.wait).map_err(|fault| wrong(&fault))?;
                Moves::Walks(plan)
            }
        };
        // The players of a formula are in the order of their cells.
        let puzzle = match &self.made {
            Made::Board(_) => self.puzzle.clone(),
            Made::Level(made) => Puzzle::Level(made.level.clone().into()),
        };
        Ok(Plan { puzzle, moves })
    }

    fn __len__(&self) -> usize {
        self.cnf().clauses().len()
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.clauses(py)?.try_iter()?.into_any())
    }

    fn __repr__(&self) -> String {
        let (variables, clauses) = (self.variables(), self.__len__());
        format!(
            "<Formula: {} of at most {}, {variables} variables, {clauses} clauses>",
            self.encoding(),
            self.steps()
        )
    }
}

impl Formula {
    fn cnf(&self) -> &Cnf {
        match &self.made {
            Made::Board(made) => made.cnf(),
            Made::Level(made) => made.cnf(),
        }
    }

    /// The value of each variable. Solvers leave out those that occur in no clause.
    fn values(&self, model: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
        let variables = self.variables();
        let mut values = vec![None; variables];
        for (at, literal) in items(model)?.enumerate() {
            if at % 65536 == 65535 {
                model.py().check_signals()?;
            }
            let literal: i64 = literal?.extract()?;
            let variable = usize::try_from(literal.unsigned_abs()).unwrap_or(usize::MAX);
            if variable == 0 {
                return Err(argument("model", "0 is no literal"));
            }
            // A solver may have variables of its own.
            if let Some(value) = values.get_mut(variable - 1) {
                if value.is_some_and(|known| known != (literal > 0)) {
                    let what = format!("both {variable} and -{variable}");
                    return Err(argument("model", what));
                }
                *value = Some(literal > 0);
            }
        }
        let occurring = self.cnf().clauses().flatten().map(|lit| lit.var());
        if let Some(missing) = occurring.filter(|v| values[v - 1].is_none()).min() {
            let what = format!("it has no value for variable {missing} (expected all {variables})");
            return Err(argument("model", what));
        }
        Ok(values.into_iter().map(Option::unwrap_or_default).collect())
    }
}

/// Writes the question whether there is a plan of at most `steps` as clauses.
///
/// `encoding` is one of `noyes.ENCODINGS`; the default is that of the command line. For levels, what `steps` counts follows from it.
#[pyfunction]
#[pyo3(signature = (puzzle, steps, encoding=None, goal=None, no_wait=false))]
pub fn encode(
    py: Python<'_>,
    puzzle: &Bound<'_, PyAny>,
    steps: u32,
    encoding: Option<&str>,
    goal: Option<&Bound<'_, PyAny>>,
    no_wait: bool,
) -> PyResult<Formula> {
    if steps > MOST_STEPS {
        let what = format!("expected at most {MOST_STEPS}, found {steps}");
        return Err(argument("steps", what));
    }
    let puzzle = Puzzle::read(puzzle)?;
    let encoding: Option<EncodingName> =
        noyes_answer::ask::parsed(Field::Encoding, encoding).map_err(refused)?;
    let unfit = |error| refused(Refusal::new(Field::Encoding, error));
    let unmade = |error| match error {
        DimacsError::Stopped(_) => LimitError::new_err(error.to_string()),
        error => input(error),
    };
    let stop = Arc::new(AtomicBool::new(false));
    let control = Limits::default().control(1, &stop);
    let made = match &puzzle {
        Puzzle::Board(board) => {
            let goal = puzzle::goal(goal, (board.width(), board.height()))?;
            let ask = Ask::board(board.clone(), Goal::Board(goal.clone()));
            ask.no_wait(no_wait).request().map_err(asked)?;
            let encoding = fit_board(encoding, board).map_err(unfit)?;
            let made = alone(py, &stop, || {
                Instance::within(board, &goal, encoding, steps, &control)
            })?;
            Made::Board(Box::new(made.map_err(unmade)?))
        }
        Puzzle::Level(level) => {
            no_goal(goal.map(|_| "")).map_err(refused)?;
            let ask = Ask::level(level.clone()).no_wait(no_wait);
            ask.request().map_err(asked)?;
            let objective = match encoding {
                Some(EncodingName::Level(encoding)) => encoding.objective(),
                _ => Objective::default(),
            };
            let encoding = fit_level(encoding, level, objective).map_err(unfit)?;
            let made = alone(py, &stop, || {
                LevelInstance::within(level, encoding, steps, !no_wait, &control)
            })?;
            Made::Level(Box::new(made.map_err(unmade)?))
        }
        Puzzle::Graph(_) => {
            return Err(input(
                "a graph has no encoding (expected a board or a level)",
            ));
        }
    };
    Ok(Formula { puzzle, made })
}
