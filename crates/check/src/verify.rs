//! Checks a certificate from beginning to end.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader};

use flate2::bufread::GzDecoder;

use crate::certificate::{Case, Certificate};
use crate::clauses::Clauses;
use crate::facts::Facts;
use crate::lrat::Kernel;
use crate::refusal::Refusal;
use crate::steps::{Step, StepReader};
use crate::store::Store;
use crate::{verify_level, verify_tiles};

/// What was proved.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// The puzzle.
    pub puzzle: String,
    /// In a sentence.
    pub proved: String,
    /// Why it holds, one reason a line.
    pub because: Vec<String>,
    /// The cost of the plan, if there is one.
    pub cost: Option<u32>,
    /// The steps of the proof.
    pub steps: u64,
    /// How many of them are facts.
    pub facts: u64,
}

impl Verdict {
    /// The verdict and its reasons, a line each.
    pub fn in_words(&self) -> String {
        let mut text = format!("{}\n  {}\n", self.proved, self.puzzle);
        for reason in &self.because {
            let _ = writeln!(text, "  - {reason}");
        }
        text
    }

    /// Says that this cost is the least.
    pub(crate) fn optimal(&mut self, cost: u32, unit: &str) {
        self.cost = Some(cost);
        self.proved =
            format!("a plan of {cost} {unit} exists, and no plan of fewer than {cost} {unit} exists");
        self.because.push(format!("the plan of {cost} {unit} was replayed"));
    }
}

/// Checks a certificate.
///
/// # Errors
/// Why it is refused.
pub fn verify(mut from: impl BufRead, store: &mut Store) -> Result<Verdict, Refusal> {
    let Certificate { case, refutes } = Certificate::read(&mut from)?;
    let mut rest = Rest { from, refutes };
    match &case {
        Case::Tiles(case) => verify_tiles::verify(case, &mut rest, store),
        Case::Level(case) => verify_level::verify(case, &mut rest),
    }
}

/// What comes after the puzzle and its plan.
pub(crate) struct Rest<R> {
    from: R,
    refutes: Option<usize>,
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
                "there is a gap: the proof is about plans of at most {refuted}, and those of {} to {bound} are left",
                refuted + 1
            ))),
            Some(refuted) => Err(Refusal::Claim(format!(
                "the proof is about plans of at most {refuted}, but it should be about {bound}"
            ))),
            None => Err(Refusal::Claim(format!(
                "there is a gap: no proof is about plans of {least} to {bound}"
            ))),
        }
    }

    /// Checks the proof that a formula has no solution, and says so.
    pub fn proof(
        &mut self,
        clauses: &Clauses,
        variables: usize,
        facts: Option<&Facts>,
        verdict: &mut Verdict,
    ) -> Result<(), Refusal> {
        let unpacked = GzDecoder::new(&mut self.from);
        let mut reader = StepReader::new(BufReader::with_capacity(1 << 16, unpacked));
        let mut kernel = Kernel::new(clauses, variables);
        let mut step = Step::default();
        loop {
            let number = verdict.steps + 1;
            let bytes = |error: std::io::Error| Refusal::Bytes {
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
                let facts = facts.ok_or("there are no tables".to_string());
                let said = facts.and_then(|facts| facts.check(&step.literals));
                said.map_err(|what| Refusal::Fact { step: number, what })?;
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
        _ => Err(Refusal::Claim(
            "there is more after the end of the certificate".into(),
        )),
    }
}
