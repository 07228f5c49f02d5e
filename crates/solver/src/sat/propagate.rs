//! Unit propagation: what every SAT solver does to a formula before it decides anything.
//!
//! A clause of one literal fixes it; fixed literals make clauses true or shorter, until no clause of one literal is left.
//! Solvers that simplify as they read, such as MiniSat, report the clauses that this leaves. If a clause becomes empty,
//! the formula is refuted without a decision (Puzzle Solving with Modern SAT Engine, figures 6 and 14, prints both).
//!
//! Each clause counts its literals that are not false, and each literal lists its clauses, so the time is linear in the
//! size of the formula. It is written for that and for reading, not for a search: there is no way back.

use super::cnf::{Cnf, Lit};

/// What unit propagation makes of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Propagated {
    /// The clauses that are not true before the question is asked.
    pub clauses: usize,
    /// Whether the question then leads to a contradiction.
    pub refuted: bool,
}

/// Propagates a formula whose last clause is the question, as those of `dimacs.rs` are.
pub fn propagate(cnf: &Cnf) -> Propagated {
    let clauses: Vec<&[Lit]> = cnf.clauses().collect();
    let Some((question, formula)) = clauses.split_last() else {
        return Propagated {
            clauses: 0,
            refuted: false,
        };
    };
    let mut fixed = Fixed::new(formula, cnf.variables());
    let is_sound = (0..formula.len()).all(|i| fixed.look_at(i)) && fixed.run();
    let left = fixed.is_true.iter().filter(|&&is_true| !is_true).count();
    let could_hold = |lit: &Lit| !fixed.holds(-lit);
    let is_open = match question {
        _ if !is_sound => false,
        [only] => {
            let only = *only;
            fixed.fix(only) && fixed.run()
        }
        several => several.iter().any(could_hold),
    };
    Propagated {
        clauses: if is_sound { left } else { 0 },
        refuted: !is_open,
    }
}

/// A formula and the literals that are fixed in it.
struct Fixed<'a> {
    formula: &'a [&'a [Lit]],
    /// By literal: whether it holds.
    holds: Vec<bool>,
    /// By literal: the clauses it is in.
    clauses: Vec<Vec<u32>>,
    /// By clause: its literals that are not false.
    open: Vec<u32>,
    /// By clause.
    is_true: Vec<bool>,
    /// Fixed, and its clauses do not know yet.
    queue: Vec<Lit>,
}

impl<'a> Fixed<'a> {
    fn new(formula: &'a [&'a [Lit]], variables: usize) -> Fixed<'a> {
        let mut clauses = vec![vec![]; 2 * variables + 2];
        for (i, clause) in formula.iter().enumerate() {
            for &lit in *clause {
                clauses[index(lit)].push(i as u32);
            }
        }
        Fixed {
            formula,
            holds: vec![false; 2 * variables + 2],
            clauses,
            open: formula.iter().map(|clause| clause.len() as u32).collect(),
            is_true: vec![false; formula.len()],
            queue: vec![],
        }
    }

    fn holds(&self, lit: Lit) -> bool {
        self.holds[index(lit)]
    }

    /// Fixes a literal; false if its opposite is fixed.
    fn fix(&mut self, lit: Lit) -> bool {
        if self.holds(-lit) {
            return false;
        }
        if !self.holds(lit) {
            self.holds[index(lit)] = true;
            self.queue.push(lit);
        }
        true
    }

    /// Fixes the last open literal of a clause; false if it has none.
    fn look_at(&mut self, clause: usize) -> bool {
        if self.is_true[clause] || self.open[clause] > 1 {
            return true;
        }
        let open = self.formula[clause].iter().find(|&lit| !self.holds(-lit));
        open.copied().is_some_and(|lit| self.fix(lit))
    }

    /// Until nothing changes; false if there is a contradiction.
    fn run(&mut self) -> bool {
        while let Some(lit) = self.queue.pop() {
            for i in 0..self.clauses[index(lit)].len() {
                let clause = self.clauses[index(lit)][i] as usize;
                self.is_true[clause] = true;
            }
            for i in 0..self.clauses[index(-lit)].len() {
                let clause = self.clauses[index(-lit)][i] as usize;
                self.open[clause] -= 1;
                if !self.look_at(clause) {
                    return false;
                }
            }
        }
        true
    }
}

fn index(lit: Lit) -> usize {
    2 * lit.var() + usize::from(lit.is_positive())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::cnf::Sink;

    /// A formula of these clauses, by DIMACS numbers.
    fn cnf(variables: usize, clauses: &[&[i32]]) -> Cnf {
        let mut cnf = Cnf::default();
        let lits: Vec<Lit> = (0..variables).map(|_| cnf.variable()).collect();
        for clause in clauses {
            let lit = |&n: &i32| {
                let lit = lits[n.unsigned_abs() as usize - 1];
                if n > 0 { lit } else { -lit }
            };
            cnf.clause(&clause.iter().map(lit).collect::<Vec<_>>());
        }
        cnf
    }

    #[test]
    fn a_chain_refutes_the_question() {
        let chain = cnf(3, &[&[1], &[-1, 2], &[-2, -3], &[3]]);
        let propagated = propagate(&chain);
        assert_eq!((propagated.clauses, propagated.refuted), (0, true));
    }

    #[test]
    fn what_is_not_true_is_left() {
        let some = cnf(4, &[&[1], &[-1, 2, 3], &[1, 4], &[-2, -3], &[2]]);
        let propagated = propagate(&some);
        assert_eq!((propagated.clauses, propagated.refuted), (2, false));
    }

    #[test]
    fn what_takes_a_decision_is_not_refuted() {
        let hard = cnf(3, &[&[1, 2], &[1, -2], &[-1, 2], &[-1, -2], &[3]]);
        assert!(!propagate(&hard).refuted);
        assert!(propagate(&cnf(2, &[&[1], &[-1], &[2]])).refuted);
    }
}
