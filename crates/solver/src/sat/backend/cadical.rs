//! CaDiCaL, by Armin Biere and others, through the crate `cadical-sys`, which builds it from source.
//!
//! The crate's interface is safe: it keeps what it hands to C++ alive, and checks what C++ would abort on. CaDiCaL asks
//! its terminator every few conflicts and inside all of its inprocessing, so a question ends within milliseconds of a
//! limit.
//!
//! Where solvers share what they learn ([`exchange`](super::exchange)), a question is asked in rounds. CaDiCaL takes clauses only
//! between two calls, so each round ends after a number of conflicts, and the clauses of the others are added before the
//! next. Rounds become longer, since CaDiCaL begins its schedule of restarts and phases anew with each.
//!
//! Biere, Faller, Fazekas, Fleury, Froleyks, Pollitt: CaDiCaL 2.0. CAV 2024.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use cadical_sys::{CaDiCal, Learner, Status, Terminator};

use super::exchange::{Exchange, MOST_LITS, Port};
use super::solver::{Backend, BackendError, Order};
use super::watch::{Shared, Taken, Verdict, Watch};
use crate::sat::cnf::{Lit, Sink};

/// CaDiCaL.
pub struct Cadical {
    solver: CaDiCal,
    variables: usize,
    taken: Rc<Taken>,
    /// Where it gives and takes clauses, if it does.
    sharing: Option<Rc<Sharing>>,
    taken_clauses: u64,
}

/// A solver's place among those that share clauses.
struct Sharing {
    shared: Arc<Shared>,
    port: RefCell<Port>,
}

/// The conflicts of the first round.
const ROUND: i32 = 1000;

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
        let sharing = shared.exchange.as_ref().map(|_| {
            Rc::new(Sharing {
                shared: shared.clone(),
                port: RefCell::new(Port::new(variant)),
            })
        });
        match &sharing {
            None => solver.connect_learner(Learns(taken.clone())),
            Some(sharing) => solver.connect_learner(Gives {
                taken: taken.clone(),
                sharing: sharing.clone(),
            }),
        }
        Cadical {
            solver,
            variables: 0,
            taken,
            sharing,
            taken_clauses: 0,
        }
    }

    /// Adds what the others have learned.
    fn take(&mut self) {
        let Some(sharing) = &self.sharing else { return };
        let clauses = sharing.port.borrow_mut().take(sharing.exchange());
        for clause in clauses {
            self.taken.clause(clause.len());
            self.taken_clauses += 1;
            for lit in clause {
                self.solver.add(lit.dimacs());
            }
            self.solver.add(0);
        }
    }
}

impl Sharing {
    fn exchange(&self) -> &Exchange {
        self.shared.exchange.as_ref().expect("made with it")
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

/// Counts what CaDiCaL learns, and gives its short clauses to others.
struct Gives {
    taken: Rc<Taken>,
    sharing: Rc<Sharing>,
}

impl Learner for Gives {
    fn learning(&mut self, size: i32) -> bool {
        let size = size.max(0) as usize;
        self.taken.clause(size);
        (1..=MOST_LITS).contains(&size)
    }

    fn learn(&mut self, lit: i32) {
        let mut port = self.sharing.port.borrow_mut();
        let given = port.learn(Lit::from_dimacs(lit), self.sharing.exchange());
        if let Some(lits) = given {
            self.taken.add(64 + 4 * lits); // the copy that others take
        }
    }
}

impl Sink for Cadical {
    fn variable(&mut self) -> Lit {
        self.taken.variable();
        if let Some(sharing) = &self.sharing {
            sharing.port.borrow_mut().variable();
        }
        self.variables += 1;
        Lit::of(self.variables)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.taken.clause(lits.len());
        if let Some(sharing) = &self.sharing {
            sharing.port.borrow_mut().clause(lits);
        }
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
        if let Some(sharing) = &self.sharing {
            sharing.port.borrow_mut().begin(sharing.exchange());
        }
        let mut round = ROUND;
        let verdict = loop {
            if self.sharing.is_some() {
                self.take();
                self.solver.limit("conflicts", round);
                round = round.saturating_add(round / 2);
            }
            for &lit in assumptions {
                self.solver.assume(lit.dimacs());
            }
            break match self.solver.solve() {
                Status::SATISFIABLE => Verdict::Satisfiable,
                Status::UNSATISFIABLE => Verdict::Unsatisfiable,
                Status::UNKNOWN if self.sharing.is_some() => match watch.end() {
                    None => continue, // the round is over
                    Some(end) => end,
                },
                Status::UNKNOWN => watch.why(),
            };
        };
        self.solver.disconnect_terminator();
        Ok(verdict)
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

    fn taken_clauses(&self) -> u64 {
        self.taken_clauses
    }
}
