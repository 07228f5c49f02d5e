//! What a solver is: it takes clauses and answers under assumptions.

use super::watch::{Verdict, Watch};
use crate::sat::cnf::{Lit, Sink};

/// A solver.
pub trait Backend: Sink {
    /// Whether all clauses so far can hold together with the assumptions.
    ///
    /// # Errors
    /// If the solver is another program, and that fails.
    fn solve(&mut self, assumptions: &[Lit], watch: &Watch) -> Result<Verdict, BackendError>;

    /// Whether a literal holds in the model found last.
    fn holds(&mut self, lit: Lit) -> bool;

    /// Conflicts and decisions so far, where they are known.
    fn counts(&self) -> (u64, u64);

    /// The clauses taken from other solvers so far.
    fn taken_clauses(&self) -> u64 {
        0
    }
}

/// What can go wrong with a program used as a solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// It cannot be started.
    #[error("the solver {program} cannot be started: {why}")]
    Start {
        /// Its name.
        program: String,
        /// What the system says.
        why: String,
    },
    /// The file with the formula cannot be written.
    #[error("the formula for {program} cannot be written: {why}")]
    File {
        /// Its name.
        program: String,
        /// What the system says.
        why: String,
    },
    /// It ended in a way that means nothing.
    #[error(
        "the solver {program} ended with {ended} (expected exit code 10 for satisfiable or 20 for unsatisfiable){said}"
    )]
    Exit {
        /// Its name.
        program: String,
        /// How it ended.
        ended: String,
        /// The beginning of what it said, if anything.
        said: String,
    },
    /// Its output is not that of a solver.
    #[error("the solver {program} printed what is no answer: {why}")]
    Garbage {
        /// Its name.
        program: String,
        /// What is wrong.
        why: String,
    },
    /// Its model does not satisfy the formula.
    #[error("the model of the solver {program} is wrong: {why}")]
    WrongModel {
        /// Its name.
        program: String,
        /// What does not hold.
        why: String,
    },
    /// It said no where there is a plan.
    #[error(
        "the solver {program} is wrong: it says that there is no plan of {k} moves or fewer, but there is one"
    )]
    WrongNo {
        /// Its name.
        program: String,
        /// The question.
        k: u32,
    },
}

/// What a solver decides first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// As the solver likes.
    #[default]
    Free,
    /// Variables in the order of their numbers, true first, where it has such an option.
    Forward,
}
