//! batsat: MiniSat rewritten in Rust, by Masaki Hara and Simon Cruanes.
//!
//! Small and without inprocessing, which suits small formulas. It checks the limits at every conflict and restart.
//!
//! Eén, Sörensson: An extensible SAT-solver. SAT 2003.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use batsat::{BasicCallbacks, Lit as Theirs, Solver, SolverInterface, SolverOpts, lbool};

use super::solver::{Backend, BackendError};
use super::watch::{Shared, Taken, Verdict, Watch};
use crate::sat::cnf::{Lit, Sink};

/// batsat.
pub struct Batsat {
    solver: Solver<BasicCallbacks>,
    /// What it checks while a question is open.
    watch: Rc<RefCell<Option<Watch>>>,
    variables: usize,
    model: Vec<bool>,
    taken: Rc<Taken>,
}

/// Literals of a learned clause. batsat does not report them: this is more than most clauses have.
const LEARNED: usize = 200;

impl Batsat {
    /// A fresh solver; the variants sometimes decide at random.
    pub fn new(variant: usize, shared: &Arc<Shared>) -> Batsat {
        let watch: Rc<RefCell<Option<Watch>>> = Rc::default();
        let mut callbacks = BasicCallbacks::new();
        let checked = watch.clone();
        let taken = Taken::new(shared);
        let learned = taken.clone();
        callbacks.set_stop(move || {
            learned.clause(LEARNED);
            checked.borrow().as_ref().is_some_and(|w| w.end().is_some())
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
