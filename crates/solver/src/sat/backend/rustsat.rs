//! Glucose and MiniSat through the crate `rustsat`, each behind a feature of its name.
//!
//! They are built from source, which needs libclang and cmake (on Debian `apt install libclang-dev cmake`), so they are
//! not part of the plain build. Every question gets a fresh solver with the assumptions as clauses, and a second thread
//! checks the limits and interrupts it. Kissat is missing: it and CaDiCaL 3 both contain the small solver `kitten` under
//! the same names, so they cannot be linked into one program. `cmd:kissat` runs it as a program.
//!
//! Jabs: RustSAT, a library for SAT solving in Rust. SAT 2025.

use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use rustsat::solvers::{Interrupt, InterruptSolver, Solve, SolverResult};
use rustsat::types::{Clause, Lit as Theirs, TernaryVal};

use super::solver::{Backend, BackendError};
use super::watch::{Shared, Taken, Verdict, Watch};
use crate::sat::cnf::{Cnf, Lit, Sink};

/// A solver that rustsat wraps.
pub struct Through<S> {
    fresh: fn() -> S,
    name: &'static str,
    cnf: Cnf,
    model: Vec<bool>,
    taken: Rc<Taken>,
}

impl<S> Through<S> {
    /// The solver of this name; `fresh` makes one.
    pub fn new(name: &'static str, fresh: fn() -> S, shared: &Arc<Shared>) -> Through<S> {
        Through {
            fresh,
            name,
            cnf: Cnf::default(),
            model: vec![],
            taken: Taken::new(shared),
        }
    }

    fn failed(&self, why: impl ToString) -> BackendError {
        BackendError::Garbage {
            program: self.name.into(),
            why: why.to_string(),
        }
    }
}

fn theirs(lit: Lit) -> Theirs {
    Theirs::new(lit.var() as u32 - 1, !lit.is_positive())
}

impl<S> Sink for Through<S> {
    fn variable(&mut self) -> Lit {
        self.taken.variable();
        self.cnf.variable()
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.taken.clause(lits.len());
        self.cnf.clause(lits);
    }
}

impl<S: Solve + Interrupt> Backend for Through<S> {
    fn solve(&mut self, assumptions: &[Lit], watch: &Watch) -> Result<Verdict, BackendError> {
        if let Some(end) = watch.end() {
            return Ok(end);
        }
        let mut solver = (self.fresh)();
        let units = assumptions.iter().map(std::slice::from_ref);
        for clause in self.cnf.clauses().chain(units) {
            let clause: Clause = clause.iter().map(|&lit| theirs(lit)).collect();
            solver.add_clause(clause).map_err(|e| self.failed(e))?;
        }
        let interrupter = solver.interrupter();
        let (check, is_done) = (watch.clone(), AtomicBool::new(false));
        let result = thread::scope(|scope| {
            let (interrupter, is_done) = (&interrupter, &is_done);
            scope.spawn(move || {
                // Until it is done: the solver ignores an interruption before it has begun.
                while !is_done.load(Relaxed) {
                    if check.end().is_some() {
                        interrupter.interrupt();
                    }
                    thread::sleep(Watch::PERIOD);
                }
            });
            let result = solver.solve();
            is_done.store(true, Relaxed);
            result
        });
        Ok(match result.map_err(|e| self.failed(e))? {
            SolverResult::Unsat => Verdict::Unsatisfiable,
            SolverResult::Interrupted => watch.why(),
            SolverResult::Sat => {
                self.model = (1..=self.cnf.variables())
                    .map(|v| matches!(solver.lit_val(theirs(Lit::of(v))), Ok(TernaryVal::True)))
                    .collect();
                Verdict::Satisfiable
            }
        })
    }

    fn holds(&mut self, lit: Lit) -> bool {
        lit.holds_in(&self.model)
    }

    /// They do not report them.
    fn counts(&self) -> (u64, u64) {
        (0, 0)
    }
}
