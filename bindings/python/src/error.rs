//! Exceptions: those of `noyes.errors`, with the sentences of the command line.

use std::fmt::Display;

use noyes_answer::ask::Refusal;
use noyes_solver::{AskError, Field, SolveError};
use pyo3::{PyErr, import_exception};

import_exception!(noyes.errors, InputError);
import_exception!(noyes.errors, Interrupted);
import_exception!(noyes.errors, LimitError);
import_exception!(noyes.errors, ProofError);
import_exception!(noyes.errors, SolverError);

/// What the caller gave makes no sense.
pub fn input(what: impl Display) -> PyErr {
    // Two sentences advise a flag, which is an argument here.
    let words = what.to_string().replace("--size ", "size ");
    InputError::new_err(words.replace("--heuristic ", "heuristic "))
}

/// The same, about one argument.
pub fn argument(name: &str, what: impl Display) -> PyErr {
    input(format_args!("{name}: {what}"))
}

/// A wish is refused.
pub fn refused(refusal: impl Into<Refusal>) -> PyErr {
    let refusal = refusal.into();
    match refusal.field() {
        Field::Puzzle => input(refusal.reason()),
        Field::From => argument("from_length", refusal.reason()), // `from` is a word of Python's own
        field => argument(field.json(), refusal.reason()),
    }
}

/// Wishes that do not go together.
pub fn asked(error: AskError) -> PyErr {
    refused(error)
}

/// There is no answer.
pub fn unsolved(error: &SolveError) -> PyErr {
    SolverError::new_err(error.to_string())
}
