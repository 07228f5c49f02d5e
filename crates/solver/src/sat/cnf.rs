//! Clauses: where encodings put them, and a plain list of them.
//!
//! An encoding writes into any [`Sink`] (a solver or a list) and gets its variables there, so they are numbered without
//! gaps, in whatever order the parts of a formula are written.

use std::io::{self, Write};
use std::slice::from_ref;

pub use super::lit::Lit;

/// Something that takes clauses.
pub trait Sink {
    /// A variable that was not used before.
    fn variable(&mut self) -> Lit;

    /// One more clause: at least one of these holds.
    fn clause(&mut self, lits: &[Lit]);

    /// Whether to go on: false once a limit is reached. Code that works long between clauses calls this now and then,
    /// with the bytes it uses itself. Anything written after a `false` is ignored.
    fn wants_more(&mut self, _bytes: usize) -> bool {
        true
    }
}

/// A formula as a list of clauses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cnf {
    variables: usize,
    lits: Vec<Lit>,
    /// Where each clause ends in `lits`.
    ends: Vec<usize>,
}

impl Cnf {
    /// The number of variables: they are 1 to this.
    pub fn variables(&self) -> usize {
        self.variables
    }

    /// The clauses, in the order they came.
    pub fn clauses(&self) -> impl ExactSizeIterator<Item = &[Lit]> {
        (0..self.ends.len()).map(|i| {
            let start = if i == 0 { 0 } else { self.ends[i - 1] };
            &self.lits[start..self.ends[i]]
        })
    }

    /// The bytes it takes.
    pub fn bytes(&self) -> usize {
        self.lits.len() * size_of::<Lit>() + self.ends.len() * size_of::<usize>()
    }

    /// The first clause that does not hold, counted from 1.
    pub fn violated(&self, holds: impl Fn(Lit) -> bool) -> Option<usize> {
        let at = self.clauses().position(|c| !c.iter().any(|&l| holds(l)));
        at.map(|i| i + 1)
    }

    /// Writes it as DIMACS, and clauses of one literal besides.
    pub(crate) fn write(&self, units: &[Lit], out: &mut dyn Write) -> io::Result<()> {
        let clauses = self.clauses().len() + units.len();
        writeln!(out, "p cnf {} {clauses}", self.variables())?;
        for clause in self.clauses().chain(units.iter().map(from_ref)) {
            for lit in clause {
                write!(out, "{lit} ")?;
            }
            writeln!(out, "0")?;
        }
        Ok(())
    }
}

impl Sink for Cnf {
    fn variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::of(self.variables)
    }

    fn clause(&mut self, lits: &[Lit]) {
        self.lits.extend_from_slice(lits);
        self.ends.push(self.lits.len());
    }
}

impl<S: Sink + ?Sized> Sink for Box<S> {
    fn variable(&mut self) -> Lit {
        (**self).variable()
    }

    fn clause(&mut self, lits: &[Lit]) {
        (**self).clause(lits);
    }

    fn wants_more(&mut self, bytes: usize) -> bool {
        (**self).wants_more(bytes)
    }
}

/// Exactly one of these holds, pair by pair.
pub(crate) fn exactly_one(lits: &[Lit], sink: &mut dyn Sink) {
    sink.clause(lits);
    at_most_one(lits, sink);
}

/// At most one of these holds, pair by pair.
pub(crate) fn at_most_one(lits: &[Lit], sink: &mut dyn Sink) {
    for (i, a) in lits.iter().enumerate() {
        if i % 64 == 63 && !sink.wants_more(0) {
            return;
        }
        for b in &lits[i + 1..] {
            sink.clause(&[-a, -b]);
        }
    }
}
