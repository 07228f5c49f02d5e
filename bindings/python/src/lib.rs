//! noyes for Python: the module `noyes._noyes`, which the package `noyes` re-exports.
//!
//! Questions go through the front door of the solver, as on the command line, and answers are the same records. What is
//! here translates between Python's objects and the library's, waits for searches so that Ctrl-C is heard, and draws.

mod answer;
mod attend;
mod board;
mod certify;
mod check;
mod encode;
mod error;
mod generate;
mod graph;
mod heuristics;
mod level;
mod machine;
mod many;
mod picture;
mod plan;
mod puzzle;
mod record;
mod solve;
mod tables;
mod wishes;

/// The classes and functions of the package.
#[pyo3::pymodule]
mod _noyes {
    use noyes_answer::record::backend_names;
    use noyes_solver::sat::EncodingName;
    use noyes_solver::{Engine, SimpleHeuristic};
    use pyo3::prelude::*;
    use pyo3::types::PyTuple;

    #[pymodule_export]
    use crate::answer::Answer;
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::certify::{Certificate, certify, verify};
    #[pymodule_export]
    use crate::check::{Replay, check};
    #[pymodule_export]
    use crate::encode::{Formula, encode};
    #[pymodule_export]
    use crate::generate::generate;
    #[pymodule_export]
    use crate::graph::Graph;
    #[pymodule_export]
    use crate::heuristics::evaluate;
    #[pymodule_export]
    use crate::level::{Level, read_levels, shipped_levels};
    #[pymodule_export]
    use crate::many::{Answers, solve_many};
    #[pymodule_export]
    use crate::plan::Plan;
    #[pymodule_export]
    use crate::solve::{Progress, solve};
    #[pymodule_export]
    use crate::tables::pattern_database;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        let py = module.py();
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add(
            "ENGINES",
            PyTuple::new(py, Engine::ALL.iter().map(|e| e.name()))?,
        )?;
        let heuristics = SimpleHeuristic::ALL.iter().map(|h| h.name());
        module.add("HEURISTICS", PyTuple::new(py, heuristics)?)?;
        let encodings: Vec<String> = EncodingName::all().map(|e| e.to_string()).collect();
        module.add("ENCODINGS", PyTuple::new(py, encodings)?)?;
        module.add("BACKENDS", PyTuple::new(py, backend_names())?)
    }
}
