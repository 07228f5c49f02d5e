//! Certificates in memory: made by the search that explains itself, and checked by `noyes-check`.
//!
//! Proofs for levels need CaDiCaL, which is not here; checking them does not.

use std::time::Duration;

use noyes_answer::certify::{Failure, Order, in_memory};
use noyes_answer::record::{CertifiedFile, CertifyBody, Checked};
use noyes_answer::wish::Shelf;
use noyes_answer::{Fault, Given};
use noyes_check::{Store, verify};
use noyes_solver::Control;
use noyes_solver::prove::Prover;

/// The longest proof, and the time of a proof by default.
const MOST_TIME: Duration = Duration::from_secs(60);
const USUAL_TIME: Duration = Duration::from_secs(10);

/// Certifies a board.
pub fn certify(
    body: &CertifyBody,
    shelf: &Shelf,
    store: &mut Store,
    control: Control,
) -> Result<CertifiedFile, Fault> {
    let order = Order::new(body, USUAL_TIME, MOST_TIME)?;
    let control = control.time_limit(order.time);
    let wish = order.wish(shelf);
    let mut record = wish.record().map_err(Fault::unfit)?;
    if matches!(order.given, Given::Level(_)) {
        record.error = Some("proofs for levels need noyes itself: noyes certify".into());
        return Ok(CertifiedFile::new(record, None));
    }
    let case = match wish.case(order.plan.as_deref(), &control) {
        Ok(case) => case,
        Err(failure) => {
            record.error = Some(reason(failure)?);
            return Ok(CertifiedFile::new(record, None));
        }
    };
    record.plan = wish.plan_text(&case);
    Ok(match in_memory(case, Prover::Search, store, &control) {
        Ok((verdict, bytes)) => {
            let mut record = record.with(&verdict);
            record.certificate_bytes = Some(bytes.len() as u64);
            CertifiedFile::new(record, Some(bytes))
        }
        Err(error) => {
            record.error = Some(error.to_string());
            CertifiedFile::new(record, None)
        }
    })
}

/// Why there is no certificate, unless the question is wrong.
fn reason(failure: Failure) -> Result<String, Fault> {
    Ok(match failure {
        Failure::Wish(refusal) => return Err(refusal.into()),
        Failure::Input(what) => return Err(Fault::unfit(what)),
        Failure::Solver(error) => error.to_string(),
        Failure::Stopped(_) | Failure::Unproven => "the puzzle was not solved in time".into(),
        Failure::Open(why) => why,
    })
}

/// Checks a certificate of any kind.
pub fn verified(bytes: &[u8], store: &mut Store) -> Checked {
    match verify(bytes, store) {
        Ok(verdict) => Checked::verified(&verdict),
        Err(refusal) => Checked::refused(refusal.to_string()),
    }
}
