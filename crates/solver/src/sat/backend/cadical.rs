//! CaDiCaL, by Armin Biere and others, through the crate `cadical-sys`, which builds it from source.
//!
//! The crate's interface is safe: it keeps what it hands to C++ alive, and checks what C++ would abort on. CaDiCaL asks
//! its terminator every few conflicts and inside all of its inprocessing, so a question ends within milliseconds of a
//! limit.
//!
//! Biere, Faller, Fazekas, Fleury, Froleyks, Pollitt: CaDiCaL 2.0. CAV 2024.

use std::rc::Rc;
use std::sync::Arc;

use cadical_sys::{CaDiCal, Learner, Status, Terminator};

use super::solver::{Backend, BackendError, Order};
use super::watch::{Shared, Taken, Verdict, Watch};
use crate::sat::cnf::{Lit, Sink};

/// CaDiCaL.
pub struct Cadical {
    solver: CaDiCal,
    variables: usize,
    taken: Rc<Taken>,
}

impl Cadical {
    /// A fresh solver; the variants are its own configurations, then seeds.
    pub fn new(variant: usize, order: Order, shared: &Arc<Shared>) -> Cadical {
        let mut solver = CaDiCal::new();
        solver.set("factor", 0);
        match variant % 4 {
            0 if order == Order::Forward => {
                for (option, value) in FORWARD {
                    assert!(solver.set(option, value), "{option} is an option");
                }
            }
            1 => {
                solver.configure("unsat");
            }
            2 => {
                solver.configure("sat");
            }
            3 => {
                solver.set("inprocessing", 0);
            }
            _ => {}
        }
        if variant >= 4 {
            solver.set("seed", variant as i32);
        }
        let taken = Taken::new(shared);
        solver.connect_learner(Learns(taken.clone()));
        Cadical {
            solver,
            variables: 0,
            taken,
        }
    }
}

/// Variables are decided in their order if nothing ever changes it. The other options are off because they do not pay then.
const FORWARD: [(&str, i32); 9] = [
    ("reverse", 1),
    ("bump", 0),
    ("stabilize", 0),
    ("phase", 1),
    ("restart", 0),
    ("chrono", 0),
    ("inprocessing", 0),
    ("lucky", 0),
    ("walk", 0),
];

/// The watch as CaDiCaL checks it.
pub(crate) struct Looks(pub Rc<Watch>);

impl Terminator for Looks {
    fn terminated(&mut self) -> bool {
        self.0.end().is_some()
    }
}

/// Counts what CaDiCaL learns.
pub(crate) struct Learns(pub Rc<Taken>);

impl Learner for Learns {
    fn learning(&mut self, size: i32) -> bool {
        self.0.clause(size.max(0) as usize);
        false // the clause itself does not matter
    }

    fn learn(&mut self, _: i32) {}
}

impl Sink for Cadical {
    fn variable(&mut self) -> Lit {
        self.taken.variable();
        self.variables += 1;
        Lit::of(self.variables)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.taken.clause(lits.len());
        for &lit in lits {
            self.solver.add(lit.dimacs());
        }
        self.solver.add(0);
    }
}

impl Backend for Cadical {
    fn solve(&mut self, assumptions: &[Lit], watch: &Watch) -> Result<Verdict, BackendError> {
        let watch = Rc::new(watch.clone());
        if let Some(end) = watch.end() {
            return Ok(end);
        }
        self.solver.connect_terminator(Looks(watch.clone()));
        for &lit in assumptions {
            self.solver.assume(lit.dimacs());
        }
        let status = self.solver.solve();
        self.solver.disconnect_terminator();
        Ok(match status {
            Status::SATISFIABLE => Verdict::Satisfiable,
            Status::UNSATISFIABLE => Verdict::Unsatisfiable,
            Status::UNKNOWN => watch.why(),
        })
    }

    fn holds(&mut self, lit: Lit) -> bool {
        // CaDiCaL does not know a variable that is in no clause. It may have any value: we take false.
        let variable = lit.var() as i32;
        let value = variable <= self.solver.vars() && self.solver.val(variable) > 0;
        value == lit.is_positive()
    }

    fn counts(&self) -> (u64, u64) {
        let count = |name| self.solver.get_statistic_value(name).max(0) as u64;
        (count("conflicts"), count("decisions"))
    }
}
