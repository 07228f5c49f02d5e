//! Incremental: one solver for all bounds.
//!
//! The formula grows with the largest bound asked so far; a question is one assumption, the literal that says the goal
//! is reached by then, and what the solver learned about one bound serves the next (Puzzle Solving
//! with Modern SAT Engine, section III, where it did not pay; here it halves the conflicts: docs/measured.md).

use noyes_puzzle::tiles::{Board, Direction};

use super::backend::{Backend, BackendError, BackendName, Order, Verdict, Watch};
use super::cnf::{Counted, Lit};
use super::encoding::{Encoding, EncodingName, Question};
use super::{Asked, Keep, SatCounts};
use crate::control::{Control, Stop};

/// A solver and its formula.
pub(crate) struct Incremental {
    encoding: Box<dyn Encoding>,
    solver: Counted<Box<dyn Backend>>,
}

impl Incremental {
    pub fn new(
        start: &Board,
        goal: &Board,
        encoding: EncodingName,
        backend: &BackendName,
        variant: usize,
        first: Question,
    ) -> Incremental {
        let order = if encoding.is_for_one_bound() {
            Order::Forward
        } else {
            Order::Free
        };
        Incremental {
            encoding: encoding.of(start, goal, first),
            solver: Counted::new(backend.fresh(variant, order)),
        }
    }

    /// Makes the formula as long as the question needs.
    fn unroll(&mut self, k: u32, control: &Control) -> Result<(), Stop> {
        while self.encoding.steps() < k.max(1) {
            control.poll_stop()?;
            self.encoding.step(&mut self.solver);
            control.allow_bytes(self.solver.bytes())?;
        }
        Ok(())
    }

    fn plan(&mut self, k: u32) -> Vec<Direction> {
        let solver = std::cell::RefCell::new(&mut self.solver.sink);
        let holds = |lit: Lit| solver.borrow_mut().holds(lit);
        self.encoding.decode(k, &holds)
    }
}

impl Keep for Incremental {
    fn ask(
        &mut self,
        question: Question,
        control: &Control,
        watch: &Watch,
    ) -> Result<Asked, BackendError> {
        let k = question.k;
        if let Err(stop) = self.unroll(k, control) {
            return Ok(Asked::Stopped(stop));
        }
        let solved = self.encoding.solved_by(k);
        Ok(match self.solver.sink.solve(&[solved], watch)? {
            Verdict::Satisfiable => Asked::Plan(self.plan(k)),
            Verdict::Unsatisfiable => Asked::No,
            Verdict::Stopped(stop) => Asked::Stopped(stop),
            Verdict::Overtaken => Asked::Overtaken,
        })
    }

    fn counts(&self) -> SatCounts {
        let (conflicts, decisions) = self.solver.sink.counts();
        SatCounts {
            conflicts,
            decisions,
            variables: self.solver.variables,
            clauses: self.solver.clauses,
            ..SatCounts::default()
        }
    }

    fn bytes(&self) -> usize {
        self.solver.bytes()
    }
}
