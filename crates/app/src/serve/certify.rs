//! Certificates to order.

use std::sync::Arc;
use std::time::Duration;

use noyes_answer::Fault;
use noyes_answer::certify::Order;
use noyes_solver::Control;
use noyes_solver::prove::Prover;

use super::problem::Problem;
use super::server::Server;
use crate::certificates::{Keep, Wish};
use crate::record::{CertifiedFile, CertifyBody};

/// The longest proof.
const MOST_TIME: Duration = Duration::from_secs(30);
/// The time of a proof by default.
const USUAL_TIME: Duration = Duration::from_secs(3);
/// The largest certificate that is sent.
const MOST_BYTES: u64 = 16 << 20;

/// Certifies a puzzle.
pub async fn certify(server: &Arc<Server>, body: CertifyBody) -> Result<CertifiedFile, Problem> {
    let most = server.limits.search.time.min(MOST_TIME);
    let order = Order::new(&body, USUAL_TIME, most)?;
    let shared = server.clone();
    let work = move |stop| {
        let control = Control::new()
            .stop_flag(stop)
            .time_limit(order.time)
            .memory_limit(shared.limits.search.search_bytes);
        made(&shared, &order, &control)
    };
    Ok(server.proving.run(work).await??)
}

fn made(server: &Server, order: &Order, control: &Control) -> Result<CertifiedFile, Fault> {
    let wish = Wish {
        case: order.wish(&server.tables),
        prover: Prover::default(),
    };
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let keep = Keep {
        path: folder.path().join("1.cert"),
        export: false,
    };
    let certified = wish.certified(order.plan.as_deref(), Some(&keep), control);
    let (mut record, _) = certified.map_err(Fault::unfit)?;
    record.certificate = None; // the file is gone in a moment
    let small = record
        .certificate_bytes
        .is_some_and(|bytes| bytes <= MOST_BYTES);
    let content = small.then(|| std::fs::read(&keep.path)).transpose();
    Ok(CertifiedFile::new(
        record,
        content.map_err(|error| failed(&error))?,
    ))
}

fn failed(error: &std::io::Error) -> Fault {
    Fault::failed(format_args!(
        "the certificate could not be written: {error}"
    ))
}
