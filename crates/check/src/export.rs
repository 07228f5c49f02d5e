//! A certificate in the formats of the field: the formula as DIMACS, the proof as LRAT.
//!
//! Facts are clauses that follow from the puzzle and not from the formula, so they are added to the formula: for another
//! checker they are axioms. A proof without tables has none.

use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::Path;

use flate2::bufread::GzDecoder;

use crate::certificate::{Case, Certificate};
use crate::clauses::Lit;
use crate::formula::Tiles;
use crate::refusal::Refusal;
use crate::steps::{Step, StepReader};
use crate::verify_level::LevelFormula;

/// Writes the formula and the proof of a certificate, which is read twice and not checked.
///
/// # Errors
/// A certificate that cannot be read or has no proof, or files that cannot be written.
pub fn export<R: BufRead>(
    open: impl Fn() -> Result<R, Refusal>,
    cnf: &Path,
    lrat: &Path,
) -> Result<(), Refusal> {
    let certificate = Certificate::read(&mut open()?)?;
    let bound = certificate.refutes;
    let bound = bound.ok_or_else(|| Refusal::Claim("there is no proof to export".into()))?;
    let formula = match &certificate.case {
        Case::Tiles(case) => {
            let formula = Tiles::new(&case.start, &case.goal, bound);
            formula.map(|formula| (formula.variables(), formula.clauses))
        }
        Case::Level(case) => LevelFormula::new(case, bound)
            .map(|formula| (formula.variables(), formula.clauses().clone())),
    };
    let (variables, clauses) = formula.ok_or(Refusal::TooLarge)?;
    let written = |error: io::Error| Refusal::Claim(format!("cannot write: {error}"));

    let mut facts = 0;
    each_step(open()?, |step| {
        facts += usize::from(step.is_fact);
        Ok(())
    })?;
    let file = File::create(cnf).map_err(written)?;
    let mut to = BufWriter::new(file);
    writeln!(to, "p cnf {variables} {}", clauses.len() + facts).map_err(written)?;
    for clause in clauses.iter() {
        write_clause(&mut to, clause).map_err(written)?;
    }
    each_step(open()?, |step| {
        if step.is_fact {
            write_clause(&mut to, &step.literals)?;
        }
        Ok(())
    })?;
    to.flush().map_err(written)?;

    let file = File::create(lrat).map_err(written)?;
    let mut to = BufWriter::new(file);
    let mut next_fact = clauses.len() + 1;
    let mut next_lemma = next_fact + facts;
    let mut slots: Vec<usize> = vec![]; // the number of the clause in each slot
    each_step(open()?, |step| {
        let next = if step.is_fact {
            &mut next_fact
        } else {
            &mut next_lemma
        };
        let number = *next;
        *next += 1;
        if !step.is_fact {
            write!(to, "{number} ")?;
            for lit in &step.literals {
                write!(to, "{lit} ")?;
            }
            write!(to, "0 ")?;
            for &hint in &step.hints {
                let known = match hint.checked_sub(clauses.len() + 1) {
                    None => hint,
                    // A hint that names nothing stays wrong.
                    Some(slot) => slots.get(slot).copied().unwrap_or(usize::MAX),
                };
                write!(to, "{known} ")?;
            }
            writeln!(to, "0")?;
        }
        match slots.get_mut(step.slot) {
            Some(old) => {
                writeln!(to, "{} d {old} 0", next_lemma - 1)?;
                *old = number;
            }
            None => slots.push(number),
        }
        Ok(())
    })?;
    to.flush().map_err(written)
}

fn write_clause(to: &mut impl Write, clause: &[Lit]) -> io::Result<()> {
    for lit in clause {
        write!(to, "{lit} ")?;
    }
    writeln!(to, "0")
}

/// Calls a function with each step of a certificate.
fn each_step(
    mut from: impl BufRead,
    mut see: impl FnMut(&Step) -> io::Result<()>,
) -> Result<(), Refusal> {
    Certificate::read(&mut from)?;
    let unpacked = GzDecoder::new(from);
    let mut reader = StepReader::new(unpacked);
    let mut step = Step::default();
    let mut number = 1;
    loop {
        let bytes = |error: io::Error| Refusal::Bytes {
            step: number,
            what: error.to_string(),
        };
        if !reader.read(&mut step).map_err(bytes)? {
            return Ok(());
        }
        see(&step).map_err(bytes)?;
        number += 1;
    }
}
