//! Clauses that the solvers of one question give each other.
//!
//! With `--share clauses` every thread asks the same question, each of a CaDiCaL with other options. What one of them
//! learns, the others need not find out again: each gives its short clauses to the exchange, and takes those of the
//! others when it pauses, every few thousand conflicts (`cadical.rs`).
//!
//! # Why this is sound
//!
//! A solver learns only what follows from its formula. The question itself is an assumption, which CaDiCaL treats as a
//! decision: a clause whose derivation used it contains its negation. So a learned clause follows from the formula
//! alone, whatever was asked. CaDiCaL's simplifications remove clauses and variables, and put them back when a clause
//! that is added later needs them; they add only what follows. (The option `factor`, which would add variables of its own, is
//! off.) It remains that both solvers must mean the same by a clause. Encodings number their variables the same way
//! every time, but one solver's formula may already have more steps. So every solver hashes all variables and clauses
//! in the order in which it is given them, and the exchange holds clauses of one formula only: a solver whose hash is
//! another neither gives nor takes.
//!
//! What is short: one or two literals. CaDiCaL never forgets a clause that it was given, so more of them save conflicts
//! and make each conflict slower. Six random 3×3 boards by `edixhoven+no-undo` with `--bounds doubling`, two threads,
//! conflicts and processor time of each thread, on a loaded machine: nothing shared 122,700 and 13.1 s; single literals
//! 124,900 and 13.2 s; up to two 111,200 and 10.6 s, and in a second run 117,600 and 12.5 s; up to four 106,800 and 12.1 s;
//! up to eight 101,900 and 14.6 s. One thread alone: 133,200 and 14.7 s.
//!
//! Hamadi, Jabbour, Sais: `ManySAT`, a parallel SAT solver. JSAT 6, 2009 (up to eight literals). Biere: Lingeling,
//! Plingeling, `PicoSAT` and `PrecoSAT` at SAT Race 2010 (single literals).

use std::hash::{DefaultHasher, Hasher};
use std::sync::{Mutex, MutexGuard};

use crate::sat::cnf::Lit;

/// The most literals of a clause that is given away.
pub(super) const MOST_LITS: usize = 2;

/// Where solvers leave clauses for each other.
#[derive(Debug, Default)]
pub(crate) struct Exchange(Mutex<Held>);

/// The clauses of one formula.
#[derive(Debug, Default)]
struct Held {
    /// The hash of the formula.
    formula: u64,
    /// How often the formula has changed.
    changes: u64,
    /// Each with the number of the solver that gave it.
    clauses: Vec<(usize, Box<[Lit]>)>,
}

impl Exchange {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.0.lock().expect("no thread panics while it holds this")
    }
}

/// One solver's access to an exchange.
#[derive(Debug, Default)]
pub(super) struct Port {
    /// The number of the solver.
    number: usize,
    /// What the solver was given so far.
    given: DefaultHasher,
    /// The hash of that when its question began.
    formula: u64,
    /// At which change of the formula it looked last, and how many of its clauses it has seen.
    seen: (u64, usize),
    /// The clause that it is learning.
    learning: Vec<Lit>,
}

impl Port {
    /// For the solver of this number.
    pub fn new(number: usize) -> Port {
        Port {
            number,
            ..Port::default()
        }
    }

    /// The solver is given a variable.
    pub fn variable(&mut self) {
        self.given.write_i32(0);
    }

    /// The solver is given a clause.
    pub fn clause(&mut self, lits: &[Lit]) {
        self.given.write_usize(lits.len());
        for lit in lits {
            self.given.write_i32(lit.dimacs());
        }
    }

    /// A question begins: clauses of another formula are of no use any more.
    pub fn begin(&mut self, exchange: &Exchange) {
        self.formula = self.given.finish();
        let mut held = exchange.held();
        if held.formula != self.formula {
            held.formula = self.formula;
            held.changes += 1;
            held.clauses.clear();
        }
    }

    /// The next literal of a clause that the solver learned, none at its end. Returns the literals of a clause that was
    /// given away.
    pub fn learn(&mut self, lit: Option<Lit>, exchange: &Exchange) -> Option<usize> {
        if let Some(lit) = lit {
            self.learning.push(lit);
            return None;
        }
        let clause = std::mem::take(&mut self.learning);
        let mut held = exchange.held();
        let lits = clause.len();
        let is_ours = held.formula == self.formula;
        if is_ours {
            held.clauses.push((self.number, clause.into()));
        }
        is_ours.then_some(lits)
    }

    /// The clauses that others have given since the last call.
    pub fn take(&mut self, exchange: &Exchange) -> Vec<Box<[Lit]>> {
        let held = exchange.held();
        if held.formula != self.formula {
            return vec![];
        }
        let seen = if self.seen.0 == held.changes {
            self.seen.1
        } else {
            0
        };
        self.seen = (held.changes, held.clauses.len());
        let fresh = held.clauses[seen..].iter();
        let others = fresh.filter(|(giver, _)| *giver != self.number);
        others.map(|(_, clause)| clause.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn give(port: &mut Port, exchange: &Exchange, clause: &[i32]) -> Option<usize> {
        for &lit in clause {
            port.learn(Lit::from_dimacs(lit), exchange);
        }
        port.learn(None, exchange)
    }

    #[test]
    fn clauses_go_once_to_the_others() {
        let (exchange, mut a, mut b) = (Exchange::default(), Port::new(0), Port::new(1));
        a.begin(&exchange);
        b.begin(&exchange);
        assert_eq!(give(&mut a, &exchange, &[1, -2]), Some(2));
        assert_eq!(give(&mut b, &exchange, &[3]), Some(1));
        let lits = |numbers: &[i32]| -> Box<[Lit]> {
            numbers
                .iter()
                .filter_map(|&n| Lit::from_dimacs(n))
                .collect()
        };
        assert_eq!(b.take(&exchange), [lits(&[1, -2])]);
        assert_eq!(a.take(&exchange), [lits(&[3])]);
        assert!(a.take(&exchange).is_empty() && b.take(&exchange).is_empty());
        give(&mut a, &exchange, &[4]);
        assert_eq!(b.take(&exchange), [lits(&[4])]);
    }

    #[test]
    fn clauses_of_another_formula_are_neither_given_nor_taken() {
        let (exchange, mut a, mut b) = (Exchange::default(), Port::new(0), Port::new(1));
        b.clause(&[Lit::of(1)]);
        a.begin(&exchange);
        give(&mut a, &exchange, &[1]);
        b.begin(&exchange);
        assert!(b.take(&exchange).is_empty());
        assert_eq!(give(&mut a, &exchange, &[2]), None);
        assert!(b.take(&exchange).is_empty());
        // Once both have the same one, they do.
        a.clause(&[Lit::of(1)]);
        a.begin(&exchange);
        assert_eq!(give(&mut a, &exchange, &[2]), Some(1));
        assert_eq!(b.take(&exchange).len(), 1);
    }

    #[test]
    fn the_order_of_variables_and_clauses_is_part_of_a_formula() {
        let hash = |clauses: &[&[i32]]| {
            let mut port = Port::new(0);
            for clause in clauses {
                port.variable();
                let lits = clause.iter().filter_map(|&n| Lit::from_dimacs(n));
                port.clause(&lits.collect::<Vec<_>>());
            }
            port.given.finish()
        };
        assert_eq!(hash(&[&[1], &[2, -1]]), hash(&[&[1], &[2, -1]]));
        assert_ne!(hash(&[&[1], &[2, -1]]), hash(&[&[1, 2], &[-1]]));
        assert_ne!(hash(&[&[1], &[2, -1]]), hash(&[&[1], &[-1, 2]]));
    }
}
