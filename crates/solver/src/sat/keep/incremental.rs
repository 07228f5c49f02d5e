//! Incremental: one solver for all bounds.
//!
//! The formula grows with the largest bound asked so far. A question is one assumption: the literal that says the goal
//! is reached by then. What the solver learned about one bound helps with the next (Puzzle Solving with Modern SAT
//! Engine, section III, where it did not pay; here it halves the conflicts: docs/measured.md).

use super::asked::{Asked, Keep, Rest};
use super::counter::{Counter, Size};
use crate::control::{Control, Stop};
use crate::counts::SatCounts;
use crate::sat::backend::{Backend, BackendError, Verdict, Watch};
use crate::sat::cnf::{Lit, Sink};
use crate::sat::encoding::{Encoding, Question};

/// A solver and its formula.
pub(crate) struct Incremental<M> {
    encoding: Box<dyn Encoding<Move = M>>,
    solver: Box<dyn Backend>,
    size: Size,
}

impl<M> Incremental<M> {
    pub fn new(encoding: Box<dyn Encoding<Move = M>>, solver: Box<dyn Backend>) -> Incremental<M> {
        Incremental {
            encoding,
            solver,
            size: Size::default(),
        }
    }

    /// Makes the formula as long as the question needs; limits are checked inside each step, too.
    fn unroll(&mut self, k: u32, watch: &Watch) -> Result<(), Stop> {
        let mut counter = Counter {
            solver: &mut *self.solver,
            size: &mut self.size,
            watch,
            stopped: None,
        };
        while counter.wants_more(0) && self.encoding.steps() < k.max(1) {
            self.encoding.step(&mut counter);
        }
        counter.stopped.map_or(Ok(()), Err)
    }

    /// Asks about this bound and no other: the question is a clause, so that the solver can simplify with it.
    pub fn ask_once(&mut self, k: u32, watch: &Watch) -> Result<Asked<M>, BackendError> {
        if let Err(stop) = self.unroll(k, watch) {
            return Ok(Asked::Stopped(stop));
        }
        self.size.clauses += 1;
        self.size.lits += 1;
        self.solver.clause(&[self.encoding.solved_by(k)]);
        self.answer(k, &[], watch)
    }

    fn answer(
        &mut self,
        k: u32,
        assumptions: &[Lit],
        watch: &Watch,
    ) -> Result<Asked<M>, BackendError> {
        Ok(match self.solver.solve(assumptions, watch)? {
            Verdict::Satisfiable => Asked::Plan(self.plan(k)),
            Verdict::Unsatisfiable => Asked::No,
            Verdict::Stopped(stop) => Asked::Stopped(stop),
            Verdict::Overtaken => Asked::Overtaken,
        })
    }

    fn plan(&mut self, k: u32) -> Vec<M> {
        let solver = std::cell::RefCell::new(&mut self.solver);
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
        if let Err(stop) = self.unroll(k, watch) {
            return Ok(Asked::Stopped(stop));
        }
        let solved = self.encoding.solved_by(k);
        let answer = self.answer(k, &[solved], watch)?;
        if let Asked::No = answer {
            // Longer plans are not solved by then: that the formula knows it saves the solver from finding it again.
            self.solver.clause(&[-solved]);
        }
        Ok(answer)
    }

    fn counts(&self) -> SatCounts {
        let (conflicts, decisions) = self.solver.counts();
        SatCounts {
            conflicts,
            decisions,
            variables: self.size.variables,
            clauses: self.size.clauses,
            shared_clauses: self.solver.taken_clauses(),
            ..SatCounts::default()
        }
    }

    fn bytes(&self) -> usize {
        self.size.bytes()
    }

    fn leave(self: Box<Self>) -> Rest {
        Rest::of(*self)
    }
}
