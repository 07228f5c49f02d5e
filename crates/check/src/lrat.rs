//! The proof checker: every lemma follows from clauses that hold already.
//!
//! A proof is a list of lemmas. Each is a clause, and names the clauses from which it follows (its hints, as in the LRAT
//! format). To check a lemma, suppose that it is false: all its literals are false. Then take the hints one by one. Each
//! must leave exactly one literal that is not false yet, which then has to be true; the last hint must leave none, which
//! is a contradiction. So the lemma is true. A proof ends with the empty clause, which no assignment satisfies: the
//! formula has no solution.
//!
//! Lemmas are kept in slots. A lemma that is put into a slot replaces the one in it, so memory is bounded by the lemmas
//! that are in use at one time, however long the proof is.

use crate::clauses::{Clauses, Lit};

/// What is wrong with a step of a proof.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// A literal of a variable that the formula does not have.
    #[error("literal {0} is not one of the formula's")]
    Literal(Lit),
    /// A hint that names nothing.
    #[error("hint {hint} names clause {clause}, which does not exist at this point")]
    Missing {
        /// Its place among the hints, from 1.
        hint: usize,
        /// The clause it names.
        clause: usize,
    },
    /// A hint that neither forces a literal nor contradicts.
    #[error("hint {hint} (clause {clause}) forces nothing: two of its literals may be true")]
    NotUnit {
        /// Its place among the hints, from 1.
        hint: usize,
        /// The clause it names.
        clause: usize,
    },
    /// A contradiction before the last hint.
    #[error("hint {hint} contradicts already, but it is not the last")]
    Early {
        /// Its place among the hints, from 1.
        hint: usize,
    },
    /// No contradiction.
    #[error("its hints do not lead to a contradiction")]
    Open,
    /// A literal that stands twice, or whose negation does.
    #[error("the variable of literal {0} stands twice")]
    Twice(Lit),
    /// More lemmas than fit into memory.
    #[error("the lemmas in use have more than {MOST_KEPT} literals")]
    Memory,
    /// The slot is too far from those in use.
    #[error("slot {0} is out of order")]
    Slot(usize),
}

/// The most lemmas that may be kept at one time.
const MOST_SLOTS: usize = 1 << 28;
/// The most literals that these may have: 1 GiB.
const MOST_KEPT: usize = 1 << 28;

/// The state of a check: the formula, and the lemmas that hold.
pub struct Kernel<'a> {
    formula: &'a Clauses,
    lemmas: Vec<Option<Vec<Lit>>>,
    /// How many literals the lemmas have room for.
    room: usize,
    /// By variable: 1 true, -1 false, 0 open.
    values: Vec<i8>,
    /// The variables that have a value.
    trail: Vec<usize>,
    refuted: bool,
}

impl<'a> Kernel<'a> {
    /// A check against a formula with this many variables.
    pub fn new(formula: &'a Clauses, variables: usize) -> Kernel<'a> {
        Kernel {
            formula,
            lemmas: vec![],
            room: 0,
            values: vec![0; variables + 1],
            trail: vec![],
            refuted: false,
        }
    }

    /// Whether the empty clause has been derived: the formula has no solution.
    pub fn is_refuted(&self) -> bool {
        self.refuted
    }

    /// Checks a lemma and puts it into a slot.
    ///
    /// A hint up to the number of clauses of the formula is one of those; hints beyond name the slots 0, 1, 2, ….
    ///
    /// # Errors
    /// Why the lemma does not follow.
    pub fn lemma(&mut self, slot: usize, lemma: &[Lit], hints: &[usize]) -> Result<(), Flaw> {
        let checked = self.follows(lemma, hints);
        for variable in self.trail.drain(..) {
            self.values[variable] = 0;
        }
        checked?;
        self.refuted |= lemma.is_empty();
        self.put(slot, lemma)
    }

    /// Puts a clause into a slot that something else has checked.
    ///
    /// # Errors
    /// A literal or slot that is out of range.
    pub fn accept(&mut self, slot: usize, clause: &[Lit]) -> Result<(), Flaw> {
        let variables = self.values.len();
        let bad = |lit: &&Lit| **lit == 0 || lit.unsigned_abs() as usize >= variables;
        if let Some(&lit) = clause.iter().find(bad) {
            return Err(Flaw::Literal(lit));
        }
        self.put(slot, clause)
    }

    fn put(&mut self, slot: usize, clause: &[Lit]) -> Result<(), Flaw> {
        // A writer takes the lowest slot that is free, so slots grow one by one.
        if slot > self.lemmas.len() || slot >= MOST_SLOTS {
            return Err(Flaw::Slot(slot));
        }
        if slot == self.lemmas.len() {
            self.lemmas.push(None);
        }
        let kept = self.lemmas[slot].get_or_insert_default();
        self.room -= kept.capacity();
        kept.clear();
        kept.extend_from_slice(clause);
        self.room += kept.capacity();
        if self.room > MOST_KEPT {
            return Err(Flaw::Memory);
        }
        Ok(())
    }

    /// Whether a lemma follows from its hints. Leaves its assignment on the trail.
    fn follows(&mut self, lemma: &[Lit], hints: &[usize]) -> Result<(), Flaw> {
        for &lit in lemma {
            let variable = lit.unsigned_abs() as usize;
            if lit == 0 || variable >= self.values.len() {
                return Err(Flaw::Literal(lit));
            }
            if self.values[variable] != 0 {
                return Err(Flaw::Twice(lit));
            }
            self.trail.push(variable);
            self.values[variable] = if lit > 0 { -1 } else { 1 };
        }
        for (i, &clause) in hints.iter().enumerate() {
            let hint = i + 1;
            let literals = match clause.checked_sub(self.formula.len() + 1) {
                None => self.formula.get(clause),
                Some(slot) => self.lemmas.get(slot).and_then(Option::as_deref),
            };
            let literals = literals.ok_or(Flaw::Missing { hint, clause })?;
            let mut left = None;
            for &lit in literals {
                let value = self.values[lit.unsigned_abs() as usize];
                let is_false = if lit > 0 { value < 0 } else { value > 0 };
                if is_false || left == Some(lit) {
                    continue;
                }
                if left.is_some() {
                    return Err(Flaw::NotUnit { hint, clause });
                }
                left = Some(lit);
            }
            match left {
                Some(lit) => {
                    let variable = lit.unsigned_abs() as usize;
                    if self.values[variable] == 0 {
                        self.values[variable] = if lit > 0 { 1 } else { -1 };
                        self.trail.push(variable);
                    }
                }
                None if hint == hints.len() => return Ok(()),
                None => return Err(Flaw::Early { hint }),
            }
        }
        Err(Flaw::Open)
    }
}
