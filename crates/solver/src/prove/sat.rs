//! Proofs by the SAT solver CaDiCaL, which can say for each clause that it learns from which others it follows.
//!
//! CaDiCaL numbers original and derived clauses in one row, in the order in which they come. `noyes-check` wants the
//! formula's own numbers for the former and slots for the latter, so the numbers are translated here. A slot is free again
//! when CaDiCaL deletes its clause. Facts are original clauses after those of the formula.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::rc::Rc;

use cadical_sys::{CaDiCal, ProofTracer, Status, Terminator};
use noyes_check::{Clauses, Lit, Step, StepWriter};

use super::rooms::MissingFacts;
use super::tiles::{ProveError, Totals};
use crate::control::{Control, Stop};

/// Refutes a formula, together with facts where it needs them, and writes the proof; nothing if the formula has a solution. The writer comes back in any case.
///
/// # Errors
/// A limit, or a proof that cannot be written.
pub fn refute_by_sat<W: Write + 'static>(
    clauses: &Clauses,
    variables: usize,
    facts: &mut MissingFacts,
    to: StepWriter<W>,
    control: &Control,
) -> Result<(Option<Totals>, StepWriter<W>), ProveError> {
    let tracer = Rc::new(RefCell::new(Tracer {
        to,
        originals: 0,
        formula: clauses.len(),
        hints: HashMap::new(),
        may_return: HashSet::new(),
        free: vec![],
        slots: 0,
        step: Step::default(),
        totals: Totals::default(),
        refuted: false,
        error: None,
    }));
    let status = {
        let mut solver = CaDiCal::new();
        // Bounded variable addition makes clauses that do not follow by unit propagation.
        solver.set("factor", 0);
        solver.connect_proof_tracer1(tracer.clone(), true, false);
        solver.connect_terminator(Ends(control.clone()));
        solver.resize(variables as i32);
        for clause in clauses.iter() {
            add(&mut solver, clause);
        }
        loop {
            let status = solver.solve();
            if status != Status::SATISFIABLE {
                break status;
            }
            let missing = facts(&mut |variable| solver.val(variable) > 0);
            if missing.is_empty() {
                break status;
            }
            for clause in &missing {
                add(&mut solver, clause);
            }
        }
    };
    let tracer = Rc::into_inner(tracer)
        .expect("the solver is gone")
        .into_inner();
    if let Some(error) = tracer.error {
        return Err(error.into());
    }
    match status {
        Status::SATISFIABLE => Ok((None, tracer.to)),
        Status::UNSATISFIABLE if tracer.refuted => Ok((Some(tracer.totals), tracer.to)),
        Status::UNSATISFIABLE => Err(io::Error::other("CaDiCaL gives no proof").into()),
        Status::UNKNOWN => Err(ProveError::Stopped(
            control.poll_stop().err().unwrap_or(Stop::Interrupted),
        )),
    }
}

fn add(solver: &mut CaDiCal, clause: &[Lit]) {
    for &lit in clause {
        solver.add(lit);
    }
    solver.add(0);
}

struct Ends(Control);

impl Terminator for Ends {
    fn terminated(&mut self) -> bool {
        self.0.poll_stop().is_err()
    }
}

struct Tracer<W> {
    to: StepWriter<W>,
    /// How many clauses of the formula have been added.
    originals: usize,
    /// How many there are.
    formula: usize,
    /// By CaDiCaL's number: the number among hints.
    hints: HashMap<i64, usize>,
    /// Clauses that CaDiCaL takes away and may bring back under the same number, when facts are added.
    may_return: HashSet<i64>,
    free: Vec<usize>,
    slots: usize,
    step: Step,
    totals: Totals,
    refuted: bool,
    error: Option<io::Error>,
}

impl<W: Write> Tracer<W> {
    fn derive(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.keep(id, clause, antecedents, false);
    }

    fn keep(&mut self, id: i64, clause: &[i32], antecedents: &[i64], is_fact: bool) {
        if self.refuted || self.error.is_some() {
            return;
        }
        let slot = self.free.pop().unwrap_or_else(|| {
            self.slots += 1;
            self.slots - 1
        });
        self.step.slot = slot;
        self.step.is_fact = is_fact;
        self.step.literals.clear();
        self.step.literals.extend_from_slice(clause);
        self.step.hints.clear();
        for id in antecedents {
            let Some(&hint) = self.hints.get(id) else {
                self.error = Some(io::Error::other(
                    "CaDiCaL names a clause that it has deleted",
                ));
                return;
            };
            self.step.hints.push(hint);
        }
        if let Err(error) = self.to.write(&self.step) {
            self.error = Some(error);
        }
        if is_fact {
            self.totals.facts += 1;
        } else {
            self.totals.lemmas += 1;
        }
        self.refuted |= clause.is_empty();
        self.hints.insert(id, self.formula + 1 + slot);
    }
}

impl<W: Write> ProofTracer for Tracer<W> {
    fn add_original_clause(&mut self, id: i64, _: bool, clause: &[i32], restored: bool) {
        if restored {
            return;
        }
        if self.originals < self.formula {
            self.originals += 1;
            self.hints.insert(id, self.originals);
        } else {
            self.keep(id, clause, &[], true);
        }
    }

    fn add_derived_clause(
        &mut self,
        id: i64,
        _: bool,
        witness: i32,
        clause: &[i32],
        antecedents: &[i64],
    ) {
        if witness != 0 {
            self.error = Some(io::Error::other(
                "CaDiCaL added a clause that does not follow",
            ));
        }
        self.derive(id, clause, antecedents);
    }

    fn delete_clause(&mut self, id: i64, _: bool, _: &[i32]) {
        if self.refuted || self.may_return.contains(&id) {
            return;
        }
        let hint = self.hints.remove(&id);
        self.free
            .extend(hint.and_then(|hint| hint.checked_sub(self.formula + 1)));
    }

    fn add_assumption_clause(&mut self, id: i64, clause: &[i32], antecedents: &[i64]) {
        self.derive(id, clause, antecedents);
    }

    fn weaken_minus(&mut self, id: i64, _: &[i32]) {
        self.may_return.insert(id);
    }
    fn strengthen(&mut self, _: i64) {}
    fn finalize_clause(&mut self, _: i64, _: &[i32]) {}
    fn add_assumption(&mut self, _: i32) {}
    fn add_constraint(&mut self, _: &[i32]) {}
    fn reset_assumptions(&mut self) {}
    fn conclude_sat(&mut self, _: i32, _: &[i32]) {}
    fn conclude_unsat(&mut self, _: i32, _: &[i64]) {}
    fn conclude_unknown(&mut self, _: &[i32]) {}
}
