//! batsat: MiniSat rewritten in Rust, by Masaki Hara and Simon Cruanes.
//!
//! No inprocessing and small, which suits small formulas. It looks up at every conflict and restart.
//!
//! Eén, Sörensson: An extensible SAT-solver. SAT 2003.

use std::cell::RefCell;
use std::rc::Rc;

use batsat::{BasicCallbacks, Lit as Theirs, Solver, SolverInterface, SolverOpts, lbool};

use super::solver::{Backend, BackendError};
use super::watch::{Taken, Verdict, Watch};
use crate::sat::cnf::{Lit, Sink};

/// batsat.
pub struct Batsat {
    solver: Solver<BasicCallbacks>,
    /// What it looks up to, while a question is open.
    watch: Rc<RefCell<Option<Watch>>>,
    variables: usize,
    model: Vec<bool>,
    taken: Taken,
}

/// At every conflict it looks up and learns a clause. Of how many literals it does not tell: this is more than most have.
const LEARNT: usize = 200;

impl Batsat {
    /// A fresh one; the variants decide at random now and then.
    pub fn new(variant: usize) -> Batsat {
        let watch: Rc<RefCell<Option<Watch>>> = Rc::default();
        let mut callbacks = BasicCallbacks::new();
        let looks = watch.clone();
        let taken = Taken::default();
        let learnt = taken.clone();
        callbacks.set_stop(move || {
            learnt.clause(LEARNT);
            looks.borrow().as_ref().is_some_and(|w| w.end().is_some())
        });
        let opts = SolverOpts {
            random_var_freq: if variant == 0 { 0.0 } else { 0.01 },
            random_seed: 91_648_253.0 + variant as f64,
            ..SolverOpts::default()
        };
        Batsat {
            solver: Solver::new(opts, callbacks),
            watch,
            variables: 0,
            model: vec![],
            taken,
        }
    }

    fn theirs(&mut self, lit: Lit) -> Theirs {
        let variable = self.solver.var_of_int(lit.var() as u32 - 1);
        Theirs::new(variable, lit.is_positive())
    }
}

impl Sink for Batsat {
    fn variable(&mut self) -> Lit {
        self.taken.variable();
        self.variables += 1;
        self.solver.new_var_default();
        Lit::of(self.variables)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.taken.clause(lits.len());
        let mut clause: Vec<Theirs> = lits.iter().map(|&lit| self.theirs(lit)).collect();
        self.solver.add_clause_reuse(&mut clause);
    }
}

impl Backend for Batsat {
    fn solve(&mut self, assumptions: &[Lit], watch: &Watch) -> Result<Verdict, BackendError> {
        let watch = watch.over(&self.taken);
        if let Some(end) = watch.end() {
            return Ok(end);
        }
        *self.watch.borrow_mut() = Some(watch.clone());
        let assumptions: Vec<Theirs> = assumptions.iter().map(|&lit| self.theirs(lit)).collect();
        let status = self.solver.solve_limited(&assumptions);
        *self.watch.borrow_mut() = None;
        Ok(if status == lbool::TRUE {
            let model = self.solver.get_model();
            self.model = model.iter().map(|&value| value == lbool::TRUE).collect();
            Verdict::Satisfiable
        } else if status == lbool::FALSE {
            Verdict::Unsatisfiable
        } else {
            watch.why()
        })
    }

    fn holds(&mut self, lit: Lit) -> bool {
        let value = self.model.get(lit.var() - 1);
        value.copied().unwrap_or(false) == lit.is_positive()
    }

    fn counts(&self) -> (u64, u64) {
        (self.solver.num_conflicts(), self.solver.num_decisions())
    }
}
