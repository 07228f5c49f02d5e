//! Why a certificate is refused.

use crate::Fault;
use crate::lrat::Flaw;
use crate::verdict::count;

/// Why a certificate is refused, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// A line before the proof.
    #[error("line {number}: {what}")]
    Line {
        /// Which, from 1.
        number: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The plan does not solve the puzzle.
    #[error("the plan is wrong: {0}")]
    Plan(#[from] Fault),
    /// Claims that do not add up to what the certificate is for.
    #[error("{0}")]
    Claim(String),
    /// The formula is too large.
    #[error("the formula of this puzzle is too large to check")]
    TooLarge,
    /// The tables cannot be used.
    #[error("tables: {0}")]
    Tables(String),
    /// A step whose bytes are no step.
    #[error("proof, step {step}: {what}")]
    Bytes {
        /// Which, from 1.
        step: u64,
        /// What is wrong with them.
        what: String,
    },
    /// A lemma that does not follow.
    #[error("proof, step {step}: {flaw}")]
    Lemma {
        /// Which, from 1.
        step: u64,
        /// What is wrong with it.
        flaw: Flaw,
    },
    /// A fact that the tables do not confirm.
    #[error("proof, step {step}: not a fact: {what}")]
    Fact {
        /// Which, from 1.
        step: u64,
        /// Why not.
        what: String,
    },
    /// A proof that does not end with the empty clause.
    #[error("the proof ends after {} without the empty clause", count(*.steps, "step"))]
    Unfinished {
        /// How many it has.
        steps: u64,
    },
    /// Steps or bytes after the empty clause.
    #[error("step {step} comes after the empty clause")]
    Trailing {
        /// Which, from 1.
        step: u64,
    },
}
