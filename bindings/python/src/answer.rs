//! `noyes.Answer`.

use std::time::Duration;

use noyes_answer::record::Answered;
use noyes_answer::{graph, level, tiles};
use noyes_puzzle::tiles::{Board, Notation};
use noyes_solver::{Bounds, Objective, Status};
use pyo3::prelude::*;

use crate::certify::{Certificate, Proving};
use crate::plan::Plan;
use crate::puzzle::Puzzle;
use crate::record::to_dict;

/// What was asked, as far as the answer needs it.
#[derive(Clone)]
pub struct Asked {
    pub puzzle: Puzzle,
    /// The goal of a board.
    pub goal: Option<Board>,
    pub objective: Option<Objective>,
    pub no_wait: bool,
}

/// The bounds at one moment.
pub struct Moment {
    elapsed_s: f64,
    bounds: Bounds,
}

impl Moment {
    pub fn new(elapsed: Duration, bounds: Bounds) -> Moment {
        let elapsed_s = elapsed.as_secs_f64();
        Moment { elapsed_s, bounds }
    }

    pub fn bounds(&self) -> Bounds {
        self.bounds
    }
}

/// The answer to a solve: a plan that was replayed, or at least bounds.
#[pyclass(frozen, module = "noyes")]
pub struct Answer {
    asked: Asked,
    answer: noyes_solver::Answer,
    history: Vec<Moment>,
}

#[pymethods]
impl Answer {
    /// The puzzle.
    #[getter]
    fn puzzle(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        self.asked.puzzle.clone().into_object(py)
    }

    /// How it ended: "optimal", "solved" (a plan, not proven optimal), "unsolvable" or "limit".
    #[getter]
    fn status(&self) -> &'static str {
        self.answer.status.name()
    }

    /// Whether there is a plan that is proven optimal.
    #[getter]
    fn is_optimal(&self) -> bool {
        self.answer.status == Status::Optimal
    }

    /// Why the search stopped before its answer: "time", "memory", "interrupted", "budget" or "bound".
    #[getter]
    fn stop(&self) -> Option<&'static str> {
        self.answer.status.stop().map(noyes_solver::Stop::name)
    }

    /// Why there is no plan.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.answer.reason.as_ref().map(ToString::to_string)
    }

    /// The cost of the plan.
    #[getter]
    fn cost(&self) -> Option<u32> {
        self.answer.bounds.upper
    }

    /// What costs count: "moves", "pushes" or "steps".
    #[getter]
    fn objective(&self) -> &'static str {
        self.answer.unit.name()
    }

    /// No plan costs less; None if there is no plan at all.
    #[getter]
    fn lower(&self) -> Option<u32> {
        let is_solvable = self.answer.status != Status::Unsolvable;
        is_solvable.then_some(self.answer.bounds.lower)
    }

    /// Some plan costs this; None if no plan is known.
    #[getter]
    fn upper(&self) -> Option<u32> {
        self.answer.bounds.upper
    }

    /// The lower and the upper bound.
    #[getter]
    fn bounds(&self) -> (Option<u32>, Option<u32>) {
        (self.lower(), self.upper())
    }

    /// The bounds over time: seconds, lower bound, upper bound, whenever one of them was seen to change.
    #[getter]
    fn history(&self) -> Vec<(f64, u32, Option<u32>)> {
        let moment = |m: &Moment| (m.elapsed_s, m.bounds.lower, m.bounds.upper);
        self.history.iter().map(moment).collect()
    }

    /// The plan, if there is one.
    #[getter]
    fn plan(&self) -> Option<Plan> {
        let moves = self.answer.plan.clone()?;
        let puzzle = self.asked.puzzle.clone();
        Some(Plan { puzzle, moves })
    }

    /// The engine that ran; None if none had to.
    #[getter]
    fn engine(&self) -> Option<&'static str> {
        let engine = self.answer.engine;
        (engine != noyes_solver::Engine::Auto).then(|| engine.name())
    }

    /// The heuristic that it used.
    #[getter]
    fn heuristic(&self) -> Option<String> {
        self.answer.heuristic.as_ref().map(ToString::to_string)
    }

    /// How it wrote the puzzle as clauses.
    #[getter]
    fn encoding(&self) -> Option<String> {
        self.answer.encoding.as_ref().map(ToString::to_string)
    }

    /// Whether it is proven that no plan of the same cost is better in the other measure (levels of one player).
    #[getter]
    fn ties_proven(&self) -> Option<bool> {
        self.answer
            .ties
            .map(|ties| ties == noyes_solver::Ties::Proven)
    }

    /// What was counted: expanded and generated states, and the counts of the SAT solver.
    #[getter]
    fn counts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let record = to_dict(py, &self.record()?)?;
        let counts = pyo3::types::PyDict::new(py);
        for name in COUNTS {
            counts.set_item(name, record.get_item(name)?)?;
        }
        Ok(counts.into_any())
    }

    /// Seconds that passed.
    #[getter]
    fn wall_s(&self) -> f64 {
        self.answer.wall.as_secs_f64()
    }

    /// Seconds of processor time.
    #[getter]
    fn cpu_s(&self) -> f64 {
        self.answer.cpu.as_secs_f64()
    }

    /// The record that `noyes solve --json` prints (docs/json.md).
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_dict(py, &self.record()?)
    }

    /// A certificate: the plan, and a proof that no cheaper one exists, or that there is no plan.
    #[pyo3(signature = (axioms="auto", prover="search", time_limit=None, memory_limit=None))]
    fn proof(
        &self,
        py: Python<'_>,
        axioms: &str,
        prover: &str,
        time_limit: Option<&Bound<'_, PyAny>>,
        memory_limit: Option<usize>,
    ) -> PyResult<Certificate> {
        let proving = Proving::new(axioms, prover, time_limit, memory_limit)?;
        proving.of_answer(py, &self.asked, &self.answer)
    }

    fn __repr__(&self) -> String {
        let stop = self
            .stop()
            .map_or(String::new(), |stop| format!(" ({stop})"));
        let unit = self.objective();
        let bounds = match (self.lower(), self.upper()) {
            (Some(lower), Some(upper)) if lower == upper => format!(", {upper} {unit}"),
            (Some(lower), Some(upper)) => format!(", {lower} to {upper} {unit}"),
            (Some(lower), None) => format!(", at least {lower} {unit}"),
            (None, _) => String::new(),
        };
        format!("<Answer: {}{stop}{bounds}>", self.status())
    }

    /// The film of the plan, for notebooks.
    fn _repr_svg_(&self) -> Option<String> {
        self.plan()?.film()
    }
}

/// The counts of a record.
const COUNTS: [&str; 10] = [
    "expanded",
    "generated",
    "conflicts",
    "decisions",
    "variables",
    "clauses",
    "lazy_clauses",
    "lookups",
    "shared_clauses",
    "peak_bytes",
];

impl Answer {
    /// An answer, with the bounds that were seen on the way.
    pub fn new(asked: Asked, answer: noyes_solver::Answer, mut history: Vec<Moment>) -> Answer {
        history.push(Moment::new(answer.wall, answer.bounds));
        Answer {
            asked,
            answer,
            history,
        }
    }

    fn record(&self) -> PyResult<Answered> {
        Ok(match &self.asked.puzzle {
            Puzzle::Board(board) => tiles::record(board, &self.answer, Notation::Blank)
                .with_goal(self.asked.goal.as_ref()),
            Puzzle::Level(given) => level::record(given, &self.answer),
            Puzzle::Graph(given) => graph::record(&given.name, &given.puzzle()?, &self.answer),
        })
    }
}
