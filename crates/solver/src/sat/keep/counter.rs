//! Counts what an encoding writes into a solver, and lets nothing through once a limit is reached.

use crate::control::Stop;
use crate::sat::backend::{Backend, Watch};
use crate::sat::cnf::{Lit, Sink};

/// The size of a formula.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Size {
    pub variables: u64,
    pub clauses: u64,
    pub lits: u64,
}

impl Size {
    /// About what a solver takes for it.
    pub fn bytes(self) -> usize {
        (self.lits * 4 + self.clauses * 40 + self.variables * 100) as usize
    }
}

/// A solver that is being given a formula.
pub(super) struct Counter<'a> {
    pub solver: &'a mut dyn Backend,
    pub size: &'a mut Size,
    pub watch: &'a Watch,
    /// The limit that was reached.
    pub stopped: Option<Stop>,
}

/// Clauses between two checks of the limits.
const PACE: u64 = 512;

impl Sink for Counter<'_> {
    fn variable(&mut self) -> Lit {
        if self.stopped.is_some() {
            return Lit::of(1);
        }
        self.size.variables += 1;
        self.solver.variable()
    }

    fn clause(&mut self, lits: &[Lit]) {
        if self.stopped.is_some() {
            return;
        }
        self.size.clauses += 1;
        self.size.lits += lits.len() as u64;
        self.solver.clause(lits);
        if self.size.clauses.is_multiple_of(PACE) {
            self.wants_more(0);
        }
    }

    fn wants_more(&mut self, bytes: usize) -> bool {
        if self.stopped.is_none() {
            self.stopped = self.watch.stop(bytes);
        }
        self.stopped.is_none()
    }
}
