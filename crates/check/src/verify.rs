//! Checks a certificate from beginning to end.

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
