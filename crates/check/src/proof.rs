//! The end of a certificate: which costs it refutes, and the proof of that.

use std::io::{self, BufRead};

use flate2::bufread::GzDecoder;

use crate::clauses::{Clauses, Lit};
use crate::lrat::Kernel;
use crate::refusal::Refusal;
use crate::steps::{Step, StepReader};
use crate::verdict::{Verdict, range};

/// What comes after the puzzle and its plan.
pub(crate) struct Rest<R> {
    pub from: R,
    pub refutes: Option<usize>,
}

impl<R: BufRead> Rest<R> {
    /// There must be no proof.
    pub fn nothing(&mut self) -> Result<(), Refusal> {
        if self.refutes.is_some() {
            return Err(Refusal::Claim("there is nothing to refute".into()));
        }
        no_more(&mut self.from)
    }

    /// There must be a proof about all plans of at most this cost; the least cost that is left to it is `least`.
    pub fn refutes(&self, least: usize, bound: usize) -> Result<(), Refusal> {
        match self.refutes {
            Some(refuted) if refuted == bound => Ok(()),
            Some(refuted) if refuted < bound => Err(Refusal::Claim(format!(
                "there is a gap: the proof is about plans of at most {refuted}, and those of {} are left",
                range(refuted + 1, bound)
            ))),
            Some(refuted) => Err(Refusal::Claim(format!(
                "the proof is about plans of at most {refuted}, but it should be about {bound}"
            ))),
            None => Err(Refusal::Claim(format!(
                "there is a gap: no proof is about plans of {}",
                range(least, bound)
            ))),
        }
    }

    /// Checks the proof that a formula has no solution, and says so.
    pub fn proof(
        &mut self,
        clauses: &Clauses,
        variables: usize,
        is_fact: &dyn Fn(&[Lit]) -> Result<(), String>,
        verdict: &mut Verdict,
    ) -> Result<(), Refusal> {
        let unpacked = GzDecoder::new(&mut self.from);
        let mut reader = StepReader::new(unpacked);
        let mut kernel = Kernel::new(clauses, variables);
        let mut step = Step::default();
        loop {
            let number = verdict.steps + 1;
            let bytes = |error: io::Error| Refusal::Bytes {
                step: number,
                what: error.to_string(),
            };
            if !reader.read(&mut step).map_err(bytes)? {
                break;
            }
            if kernel.is_refuted() {
                return Err(Refusal::Trailing { step: number });
            }
            verdict.steps = number;
            let checked = if step.is_fact {
                is_fact(&step.literals).map_err(|what| Refusal::Fact { step: number, what })?;
                verdict.facts += 1;
                kernel.accept(step.slot, &step.literals)
            } else {
                kernel.lemma(step.slot, &step.literals, &step.hints)
            };
            checked.map_err(|flaw| Refusal::Lemma { step: number, flaw })?;
        }
        if !kernel.is_refuted() {
            return Err(Refusal::Unfinished {
                steps: verdict.steps,
            });
        }
        no_more(&mut self.from)
    }
}

/// There must be nothing after what has been read.
fn no_more(from: &mut impl BufRead) -> Result<(), Refusal> {
    match from.fill_buf() {
        Ok([]) => Ok(()),
        Ok(_) => Err(Refusal::Claim(
            "there is more after the end of the certificate".into(),
        )),
        Err(error) => Err(Refusal::Claim(format!("its end cannot be read: {error}"))),
    }
}
