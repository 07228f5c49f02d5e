//! The steps of a proof as bytes: LRAT, but compact.
//!
//! A step is a lemma or a fact, and says into which slot it goes (see `lrat`). It is written as whole numbers, seven bits
//! in a byte, the lowest first, the highest bit set if more follow:
//!
//! 1. twice the slot, plus one for a fact
//! 2. how many literals, then each as the difference to the one before
//! 3. for a lemma: how many hints, then each as the difference to the one before
//!
//! A literal v is the number 2v, and -v is 2v + 1. The difference d is written as 2d, or as -2d - 1 if it is negative. The
//! first literal and the first hint of a step differ from those of the step before, because neighbours in a proof are
//! about the same time of a plan. The empty clause is the last step.

use std::io::{self, Read, Write};

use crate::clauses::Lit;

/// One step; the same one is filled again and again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Whether it is a fact, which has no hints.
    pub is_fact: bool,
    /// Where it is kept.
    pub slot: usize,
    /// The clause.
    pub literals: Vec<Lit>,
    /// Why it follows.
    pub hints: Vec<usize>,
}

/// The most literals or hints of a step: more could not come from any writer.
const MOST: u64 = 1 << 24;

/// Where the differences of the next step begin.
#[derive(Clone, Copy, Default)]
struct Base {
    literal: i64,
    hint: i64,
}

/// Writes steps.
pub struct StepWriter<W> {
    to: W,
    base: Base,
    bytes: Vec<u8>,
}

impl<W: Write> StepWriter<W> {
    /// Writes to this.
    pub fn new(to: W) -> StepWriter<W> {
        StepWriter {
            to,
            base: Base::default(),
            bytes: vec![],
        }
    }

    /// Writes a step.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn write(&mut self, step: &Step) -> io::Result<()> {
        let out = &mut self.bytes;
        out.clear();
        put(out, 2 * step.slot as u64 + u64::from(step.is_fact));
        put(out, step.literals.len() as u64);
        let literals = step.literals.iter().map(|&lit| number(lit));
        put_differences(out, &mut self.base.literal, literals);
        if !step.is_fact {
            put(out, step.hints.len() as u64);
            let hints = step.hints.iter().map(|&hint| hint as i64);
            put_differences(out, &mut self.base.hint, hints);
        }
        self.to.write_all(out)
    }

    /// The writer below.
    pub fn into_inner(self) -> W {
        self.to
    }
}

/// Reads steps. It has a buffer of its own, because asking another one for each byte takes longer than the checks.
pub struct StepReader<R> {
    from: R,
    buffer: Box<[u8]>,
    /// The next byte of the buffer, and where its bytes end.
    next: usize,
    end: usize,
    base: Base,
}

impl<R: Read> StepReader<R> {
    /// Reads from this.
    pub fn new(from: R) -> StepReader<R> {
        StepReader {
            from,
            buffer: vec![0; 1 << 16].into(),
            next: 0,
            end: 0,
            base: Base::default(),
        }
    }

    /// Fills the empty buffer; false at the end of all.
    #[cold]
    fn fill(&mut self) -> io::Result<bool> {
        self.next = 0;
        self.end = self.from.read(&mut self.buffer)?;
        Ok(self.end > 0)
    }

    /// Reads the next step; false at the end.
    ///
    /// # Errors
    /// A step that is cut short, or numbers that no step has.
    pub fn read(&mut self, step: &mut Step) -> io::Result<bool> {
        let Some(first) = self.get()? else {
            return Ok(false);
        };
        step.is_fact = first & 1 == 1;
        step.slot = (first / 2) as usize;
        step.literals.clear();
        let mut base = self.base.literal;
        for i in 0..self.some()? {
            base = self.difference(base)?;
            if i == 0 {
                self.base.literal = base;
            }
            step.literals.push(literal(base)?);
        }
        step.hints.clear();
        if !step.is_fact {
            let mut base = self.base.hint;
            for i in 0..self.some()? {
                base = self.difference(base)?;
                if i == 0 {
                    self.base.hint = base;
                }
                let hint = usize::try_from(base);
                step.hints
                    .push(hint.map_err(|_| broken("a hint is negative"))?);
            }
        }
        Ok(true)
    }

    /// A whole number; nothing at the end of all.
    fn get(&mut self) -> io::Result<Option<u64>> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            if self.next == self.end && !self.fill()? {
                return match shift {
                    0 => Ok(None),
                    _ => Err(broken("the proof is cut short")),
                };
            }
            let byte = self.buffer[self.next];
            self.next += 1;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(Some(number));
            }
        }
        Err(broken("a number is too large"))
    }

    fn rest(&mut self) -> io::Result<u64> {
        self.get()?.ok_or_else(|| broken("the proof is cut short"))
    }

    fn some(&mut self) -> io::Result<u64> {
        let count = self.rest()?;
        if count > MOST {
            return Err(broken("a step is too long"));
        }
        Ok(count)
    }

    fn difference(&mut self, base: i64) -> io::Result<i64> {
        let written = self.rest()?;
        let half = (written / 2) as i64;
        let difference = if written & 1 == 1 { -half - 1 } else { half };
        (base.checked_add(difference)).ok_or_else(|| broken("a number is too large"))
    }
}

fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_differences(out: &mut Vec<u8>, first: &mut i64, numbers: impl Iterator<Item = i64>) {
    let mut base = *first;
    for (i, number) in numbers.enumerate() {
        let difference = number - base;
        let written = if difference < 0 {
            -2 * difference - 1
        } else {
            2 * difference
        };
        put(out, written as u64);
        base = number;
        if i == 0 {
            *first = number;
        }
    }
}

fn number(lit: Lit) -> i64 {
    2 * i64::from(lit.unsigned_abs()) + i64::from(lit < 0)
}

fn literal(number: i64) -> io::Result<Lit> {
    let variable = Lit::try_from(number / 2).unwrap_or(0);
    match (variable, number % 2) {
        (1.., 0) => Ok(variable),
        (1.., 1) => Ok(-variable),
        _ => Err(broken("a literal is out of range")),
    }
}

fn broken(what: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_written_is_read(steps in proptest::collection::vec(
            (any::<bool>(), 0usize..1 << 28,
             proptest::collection::vec((1i32..=i32::MAX, any::<bool>()), 0..9),
             proptest::collection::vec(0usize..1 << 40, 0..9)), 0..9))
        {
            let steps: Vec<Step> = steps.into_iter().map(|(is_fact, slot, literals, hints)| Step {
                is_fact,
                slot,
                literals: literals.into_iter().map(|(v, minus)| if minus { -v } else { v }).collect(),
                hints: if is_fact { vec![] } else { hints },
            }).collect();
            let mut writer = StepWriter::new(vec![]);
            for step in &steps {
                writer.write(step).unwrap();
            }
            let bytes = writer.into_inner();
            let mut reader = StepReader::new(&bytes[..]);
            let mut step = Step::default();
            for expected in &steps {
                prop_assert!(reader.read(&mut step).unwrap());
                prop_assert_eq!(&step, expected);
            }
            prop_assert!(!reader.read(&mut step).unwrap());
        }

        #[test]
        fn no_bytes_are_too_strange(bytes in proptest::collection::vec(any::<u8>(), 0..99)) {
            let mut reader = StepReader::new(&bytes[..]);
            let mut step = Step::default();
            while let Ok(true) = reader.read(&mut step) {}
        }
    }
}
