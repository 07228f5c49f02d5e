//! Incremental: one solver for all bounds.
//!
//! The formula grows with the largest bound asked so far; a question is one assumption, the literal that says the goal
//! is reached by then, and what the solver learned about one bound serves the next (Puzzle Solving
//! with Modern SAT Engine, section III, where it did not pay; here it halves the conflicts: docs/measured.md).

use super::asked::{Asked, Keep, Rest};
use crate::control::{Control, Stop};
use crate::counts::SatCounts;
use crate::sat::backend::{Backend, BackendError, BackendName, Order, Verdict, Watch};
use crate::sat::cnf::{Counter, Lit, Sink};
use crate::sat::encoding::{Encoding, Question};

/// A solver and its formula.
pub(crate) struct Incremental<M> {
    encoding: Box<dyn Encoding<Move = M>>,
    solver: Counter<Box<dyn Backend>>,
}

impl<M> Incremental<M> {
    pub fn new(
        encoding: Box<dyn Encoding<Move = M>>,
        backend: &BackendName,
        variant: usize,
        order: Order,
        control: &Control,
    ) -> Incremental<M> {
        Incremental {
            encoding,
            solver: Counter::new(backend.fresh(variant, order), control),
        }
    }

    /// Makes the formula as long as the question needs; limits act inside of a step, too.
    fn unroll(&mut self, k: u32) -> Result<(), Stop> {
        while self.solver.wants_more(0) && self.encoding.steps() < k.max(1) {
            self.encoding.step(&mut self.solver);
        }
        self.solver.stopped.map_or(Ok(()), Err)
    }

    fn plan(&mut self, k: u32) -> Vec<M> {
        let solver = std::cell::RefCell::new(&mut self.solver.sink);
        let holds = |lit: Lit| solver.borrow_mut().holds(lit);
        self.encoding.decode(k, &holds)
    }
}

impl<M: 'static> Keep<M> for Incremental<M> {
    fn ask(
        &mut self,
        question: Question,
        _: &Control,
        watch: &Watch,
    ) -> Result<Asked<M>, BackendError> {
        let k = question.k;
        if let Err(stop) = self.unroll(k) {
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

    fn leave(self: Box<Self>) -> Rest {
        Rest::of(*self)
    }
}
