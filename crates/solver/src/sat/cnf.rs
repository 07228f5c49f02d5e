//! Clauses: where encodings put them, and a plain list of them.
//!
//! An encoding writes into any [`Sink`], be it a solver, a list or a counter, and asks it for new variables, so that
//! numbers stand without gaps whatever order the parts of a formula come in.

use std::io::{self, Write};
use std::slice::from_ref;

pub use super::lit::Lit;
use crate::control::{Control, Stop};

/// What takes clauses.
pub trait Sink {
    /// A variable that was not used before.
    fn variable(&mut self) -> Lit;

    /// One more clause: at least one of these holds.
    fn clause(&mut self, lits: &[Lit]);

    /// Whether more is wanted: not once a limit has come. Who works long between clauses asks now and then, and
    /// says what the work takes so far. What is written after a no means nothing any more.
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
    /// How many variables there are: 1 to this.
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

/// A sink that counts what goes through it, and lets nothing through any more once a limit has come.
pub(crate) struct Counter<S> {
    pub sink: S,
    pub variables: u64,
    pub clauses: u64,
    pub lits: u64,
    control: Control,
    pub stopped: Option<Stop>,
}

/// Clauses that go through between two looks at the limits.
const PACE: u64 = 512;

impl<S> Counter<S> {
    pub fn new(sink: S, control: &Control) -> Counter<S> {
        Counter {
            sink,
            variables: 0,
            clauses: 0,
            lits: 0,
            control: control.clone(),
            stopped: None,
        }
    }

    /// About what a solver takes for it.
    pub fn bytes(&self) -> usize {
        (self.lits * 4 + self.clauses * 40 + self.variables * 100) as usize
    }
}

impl<S: Sink> Sink for Counter<S> {
    fn variable(&mut self) -> Lit {
        if self.stopped.is_some() {
            return Lit::of(1);
        }
        self.variables += 1;
        self.sink.variable()
    }

    fn clause(&mut self, lits: &[Lit]) {
        if self.stopped.is_some() {
            return;
        }
        self.clauses += 1;
        self.lits += lits.len() as u64;
        self.sink.clause(lits);
        if self.clauses.is_multiple_of(PACE) {
            self.wants_more(0);
        }
    }

    fn wants_more(&mut self, bytes: usize) -> bool {
        if self.stopped.is_none() {
            let may = self.control.poll_stop();
            let may = may.and_then(|()| self.control.allow_bytes(self.bytes() + bytes));
            self.stopped = may.err();
        }
        self.stopped.is_none()
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
