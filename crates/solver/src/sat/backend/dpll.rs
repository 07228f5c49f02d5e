//! DPLL, the algorithm of Davis, Putnam, Logemann and Loveland, and nothing newer: for teaching, and as a judge in tests.
//!
//! A variable gets a value. The formula becomes simpler: clauses that hold are done with, and literals that do not hold
//! drop out of the others. If a clause has one literal left, that literal must hold (unit propagation). If a variable
//! occurs with one sign only, it may as well have the value that satisfies those clauses (pure literal elimination).
//! If a clause has no literal left, the last choice was wrong, and its variable gets the other value; if both were
//! wrong, so was the choice before it.
//!
//! What later solvers add is missing on purpose: nothing is learned from a conflict, no choice is skipped on the way
//! back, nothing is restarted. The next choice is the first literal of the first clause that does not hold yet.
//! Encodings write their clauses forward in time, so the search is one for plans, depth first: boards of ten moves take
//! less than a second, and each move more makes it about twice as long.
//!
//! Every clause counts its literals that hold and those that may still hold, so that going back is subtracting. Pure
//! literals are found when they are about to be chosen: looking for them everywhere would take longer than it saves.
//!
//! Davis, Logemann, Loveland: A machine program for theorem-proving. Communications of the ACM 5, 1962 (Edixhoven 2016,
//! section 4.2).

use std::rc::Rc;
use std::sync::Arc;

use super::solver::{Backend, BackendError};
use super::watch::{Shared, Taken, Verdict, Watch};
use crate::sat::cnf::{Lit, Sink};

/// A solver by DPLL.
pub struct Dpll {
    /// The literals of all clauses, one clause after the other.
    lits: Vec<Lit>,
    clauses: Vec<Clause>,
    /// By literal: the clauses that have it.
    occurs: Vec<Vec<u32>>,
    /// The clauses that had a single literal from the start.
    units: Vec<u32>,
    /// Whether there is a clause without literals.
    has_empty: bool,
    /// By variable.
    value: Vec<Option<bool>>,
    /// The literals that hold, in the order in which they came to.
    trail: Vec<Lit>,
    /// The choices whose other value has not been tried: their places in the trail, and `chosen` at the time.
    choices: Vec<(usize, usize)>,
    /// Clauses that may have a single literal left.
    queue: Vec<u32>,
    /// All clauses before this one hold.
    chosen: usize,
    model: Vec<bool>,
    conflicts: u64,
    decisions: u64,
    taken: Rc<Taken>,
}

struct Clause {
    start: usize,
    end: usize,
    /// Its literals that hold.
    holding: u32,
    /// Its literals that hold or have no value yet.
    left: u32,
}

/// A clause has no literal left.
struct Conflict;

/// Assignments between two checks of the limits.
const PACE: usize = 1024;

impl Dpll {
    /// A fresh solver.
    pub fn new(shared: &Arc<Shared>) -> Dpll {
        Dpll {
            lits: vec![],
            clauses: vec![],
            occurs: vec![],
            units: vec![],
            has_empty: false,
            value: vec![],
            trail: vec![],
            choices: vec![],
            queue: vec![],
            chosen: 0,
            model: vec![],
            conflicts: 0,
            decisions: 0,
            taken: Taken::new(shared),
        }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.value[lit.var() - 1].map(|value| value == lit.is_positive())
    }

    /// Makes a literal hold, and counts that in every clause of its variable.
    fn assign(&mut self, lit: Lit) -> Result<(), Conflict> {
        self.value[lit.var() - 1] = Some(lit.is_positive());
        self.trail.push(lit);
        for &clause in &self.occurs[index(lit)] {
            self.clauses[clause as usize].holding += 1;
        }
        let mut result = Ok(());
        for &number in &self.occurs[index(-lit)] {
            let clause = &mut self.clauses[number as usize];
            clause.left -= 1;
            match (clause.holding, clause.left) {
                (0, 0) => result = Err(Conflict),
                (0, 1) => self.queue.push(number),
                _ => {}
            }
        }
        result
    }

    /// Takes back all literals from this place in the trail on.
    fn undo(&mut self, to: usize) {
        for lit in self.trail.drain(to..) {
            self.value[lit.var() - 1] = None;
            for &clause in &self.occurs[index(lit)] {
                self.clauses[clause as usize].holding -= 1;
            }
            for &clause in &self.occurs[index(-lit)] {
                self.clauses[clause as usize].left += 1;
            }
        }
        self.queue.clear();
    }

    /// Unit propagation: makes the last literal of clauses hold until no clause has just one left.
    fn propagate(&mut self) -> Result<(), Conflict> {
        while let Some(number) = self.queue.pop() {
            let Clause {
                start,
                end,
                holding,
                ..
            } = self.clauses[number as usize];
            if holding == 0 {
                let mut lits = self.lits[start..end].iter();
                let last = lits.find(|&&lit| self.value(lit).is_none());
                self.assign(*last.expect("one is left"))?;
            }
        }
        Ok(())
    }

    /// The literal to try next, and whether its negation is worth trying after it; none if all clauses hold.
    fn choose(&mut self) -> Option<(Lit, bool)> {
        let is_open = |clause: &Clause| clause.holding == 0;
        self.chosen += self.clauses[self.chosen..].iter().position(is_open)?;
        let Clause { start, end, .. } = self.clauses[self.chosen];
        let mut lits = self.lits[start..end].iter();
        let lit = *lits
            .find(|&&lit| self.value(lit).is_none())
            .expect("a clause without any is a conflict");
        let mut against = self.occurs[index(-lit)].iter();
        let is_pure = !against.any(|&clause| is_open(&self.clauses[clause as usize]));
        Some((lit, !is_pure))
    }

    /// Makes the units of the formula and the assumptions hold.
    fn begin(&mut self, assumptions: &[Lit]) -> Result<(), Conflict> {
        if self.has_empty {
            return Err(Conflict);
        }
        self.chosen = 0;
        self.queue.clone_from(&self.units);
        self.propagate()?;
        for &lit in assumptions {
            match self.value(lit) {
                Some(true) => {}
                Some(false) => return Err(Conflict),
                None => {
                    self.assign(lit)?;
                    self.propagate()?;
                }
            }
        }
        Ok(())
    }

    /// Chooses and goes back until all clauses hold or no choice is left.
    fn search(&mut self, watch: &Watch) -> Verdict {
        let mut work = 0;
        loop {
            let before = self.trail.len();
            let Some((lit, is_choice)) = self.choose() else {
                return Verdict::Satisfiable;
            };
            if is_choice {
                self.decisions += 1;
                self.choices.push((before, self.chosen));
            }
            let mut result = self.assign(lit).and_then(|()| self.propagate());
            work += self.trail.len() - before;
            while let Err(Conflict) = result {
                self.conflicts += 1;
                let Some((last, from)) = self.choices.pop() else {
                    return Verdict::Unsatisfiable;
                };
                // The other value is no choice: it follows from the failure of the first one.
                let wrong = self.trail[last];
                self.undo(last);
                self.chosen = from;
                result = self.assign(-wrong).and_then(|()| self.propagate());
                work += self.trail.len() - last;
            }
            if work >= PACE {
                work = 0;
                if let Some(end) = watch.end() {
                    return end;
                }
            }
        }
    }
}

/// The place of a literal in a list by literals.
fn index(lit: Lit) -> usize {
    2 * (lit.var() - 1) + usize::from(lit.is_positive())
}

impl Sink for Dpll {
    fn variable(&mut self) -> Lit {
        self.taken.variable();
        self.value.push(None);
        self.occurs.extend([vec![], vec![]]);
        Lit::of(self.value.len())
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.taken.clause(lits.len());
        let (number, start) = (self.clauses.len() as u32, self.lits.len());
        for &lit in lits {
            // Counts are right only if every variable is there once.
            if self.lits[start..].contains(&-lit) {
                self.lits.truncate(start);
                return; // it always holds
            }
            if !self.lits[start..].contains(&lit) {
                self.lits.push(lit);
            }
        }
        let end = self.lits.len();
        for &lit in &self.lits[start..] {
            self.occurs[index(lit)].push(number);
        }
        match end - start {
            0 => self.has_empty = true,
            1 => self.units.push(number),
            _ => {}
        }
        self.clauses.push(Clause {
            start,
            end,
            holding: 0,
            left: (end - start) as u32,
        });
    }
}

impl Backend for Dpll {
    fn solve(&mut self, assumptions: &[Lit], watch: &Watch) -> Result<Verdict, BackendError> {
        if let Some(end) = watch.end() {
            return Ok(end);
        }
        let verdict = if self.begin(assumptions).is_ok() {
            self.search(watch)
        } else {
            self.conflicts += 1;
            Verdict::Unsatisfiable
        };
        if verdict == Verdict::Satisfiable {
            // Variables without a value may have any.
            self.model = self
                .value
                .iter()
                .map(|&value| value == Some(true))
                .collect();
        }
        // Clauses are added to a solver without values.
        self.undo(0);
        self.choices.clear();
        Ok(verdict)
    }

    fn holds(&mut self, lit: Lit) -> bool {
        lit.holds_in(&self.model)
    }

    fn counts(&self) -> (u64, u64) {
        (self.conflicts, self.decisions)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;

    /// A solver with this number of variables, and a clause for each list of literals.
    fn solver(variables: usize, clauses: &[&[i32]]) -> (Dpll, Watch) {
        let shared = Arc::new(Shared::new(2, 0));
        let mut solver = Dpll::new(&shared);
        for _ in 0..variables {
            solver.variable();
        }
        for clause in clauses {
            let lits = clause.iter().map(|&l| Lit::from_dimacs(l).unwrap());
            solver.clause(&lits.collect::<Vec<_>>());
        }
        (solver, Watch::new(&Control::new(), shared, 5))
    }

    #[test]
    fn units_and_pure_literals_are_no_decisions() {
        let (mut units, watch) = solver(3, &[&[1], &[-1, 2], &[-2, -1, 3]]);
        assert_eq!(units.solve(&[], &watch), Ok(Verdict::Satisfiable));
        assert!(units.model.iter().all(|&value| value));
        assert_eq!(units.counts(), (0, 0));
        let (mut pure, watch) = solver(3, &[&[1, -2], &[1, 3], &[-2, 3]]);
        assert_eq!(pure.solve(&[], &watch), Ok(Verdict::Satisfiable));
        assert_eq!(
            (pure.counts(), &pure.model[..2]),
            ((0, 0), &[true, false][..])
        );
    }

    #[test]
    fn both_values_of_a_choice_are_tried() {
        // Whatever the first is, the second is both.
        let clauses: [&[i32]; 4] = [&[1, 2], &[1, -2], &[-1, 2], &[-1, -2]];
        let (mut solver, watch) = solver(2, &clauses);
        assert_eq!(solver.solve(&[], &watch), Ok(Verdict::Unsatisfiable));
        assert_eq!(solver.counts(), (2, 1));
    }

    #[test]
    fn odd_clauses_mean_what_they_say() {
        let (mut twice, watch) = solver(2, &[&[1, 1], &[2, -2], &[-1, -1, 2]]);
        assert_eq!(twice.solve(&[], &watch), Ok(Verdict::Satisfiable));
        assert_eq!(twice.model, [true, true]);
        let (mut empty, watch) = solver(1, &[&[]]);
        assert_eq!(empty.solve(&[], &watch), Ok(Verdict::Unsatisfiable));
    }
}
