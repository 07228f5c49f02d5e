//! Checks a certificate from beginning to end.
//!
//! `certificate` reads it, `verify_tiles` and `verify_level` say what has to hold, `formula/` writes the puzzle as clauses,
//! `proof` and `lrat` check the lemmas, `facts` and `tables` what a proof may know about a board besides.

use std::io::BufRead;

use crate::certificate::{Case, Certificate};
use crate::proof::Rest;
use crate::refusal::Refusal;
use crate::store::Store;
use crate::verdict::Verdict;
use crate::{verify_level, verify_tiles};

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
