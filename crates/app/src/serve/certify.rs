//! Certificates to order.

use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use noyes_answer::limits::within;
use noyes_answer::{Fault, wish};
use noyes_puzzle::tiles::Goal;
use noyes_solver::Control;

use super::problem::Problem;
use super::server::Server;
use crate::args::{Proving, Reading};
use crate::ask;
use crate::certificates::{Keep, Wish};
use crate::puzzle::Given;
use crate::record::{CertifiedFile, CertifyBody};

/// The longest proof.
const MOST_TIME: Duration = Duration::from_secs(30);
/// The time of a proof by default.
const USUAL_TIME: Duration = Duration::from_secs(3);
/// The largest board: others have no tables, and their formulas need too much memory here.
const MOST_CELLS: usize = 16;
/// The largest level, for the same reason.
const MOST_LEVEL_CELLS: usize = 400;
/// The tables for boards of this size.
const FIFTEEN: &str = "pdb:5-5-5";
/// The largest certificate that is sent.
const MOST_BYTES: u64 = 16 << 20;

/// Certifies a puzzle.
pub async fn certify(server: &Arc<Server>, body: CertifyBody) -> Result<CertifiedFile, Problem> {
    let most = server.limits.search.time.min(MOST_TIME);
    let time = within(
        "time_limit_s",
        body.time_limit_s,
        USUAL_TIME.min(most),
        most,
    )?;
    let shared = server.clone();
    let work = move |stop| {
        let control = Control::new()
            .stop_flag(stop)
            .time_limit(time)
            .memory_limit(shared.limits.search.search_bytes);
        made(&shared, &body, &control)
    };
    Ok(server.proving.run(work).await??)
}

fn made(server: &Server, body: &CertifyBody, control: &Control) -> Result<CertifiedFile, Fault> {
    let given = wish::puzzle(&body.puzzle)?;
    let (goal, most) = match &given {
        Given::Board(board) => {
            let goal = ask::goal(body.goal.as_deref(), board.width(), board.height())?;
            (Goal::Board(goal), MOST_CELLS)
        }
        Given::Level(_) => {
            ask::no_goal(body.goal.as_deref())?;
            (Goal::default(), MOST_LEVEL_CELLS)
        }
    };
    if given.cells() > most {
        let cells = given.cells();
        let what = format!("{cells} cells are too many for a proof here: the limit is {most}");
        return Err(Fault::field("puzzle", what));
    }
    // The front door checks that these go together.
    let asked = ask::rules(
        ask::of(&given, &goal),
        body.objective.as_deref(),
        body.no_wait,
    )?;
    ask::request(asked)?;
    let objective = body.objective.as_deref().and_then(|name| name.parse().ok());
    let mut proving = Proving::default();
    if given.cells() == MOST_CELLS && matches!(given, Given::Board(_)) {
        // The default tables of the 15-puzzle take seconds to compute, which a request should not wait for.
        proving.axioms = FIFTEEN.parse().expect("patterns");
    }
    let wish = Wish {
        given: &given,
        goal: &goal,
        reading: &Reading::default(),
        objective,
        no_wait: body.no_wait,
        proving: &proving,
        cache: match &given {
            Given::Board(board) => server.tables.of(board).clone(),
            Given::Level(_) => server.tables.small.clone(),
        },
    };
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let keep = Keep {
        path: folder.path().join("1.cert"),
        export: false,
    };
    let certified = wish.certified(body.plan.as_deref(), Some(&keep), control);
    let (mut record, _) = certified.map_err(Fault::unfit)?;
    record.certificate = None; // the file is gone in a moment
    let small = record
        .certificate_bytes
        .is_some_and(|bytes| bytes <= MOST_BYTES);
    let content = small.then(|| std::fs::read(&keep.path)).transpose();
    let content = content.map_err(|error| failed(&error))?;
    Ok(CertifiedFile {
        record,
        certificate_base64: content.map(|bytes| STANDARD.encode(bytes)),
    })
}

fn failed(error: &std::io::Error) -> Fault {
    Fault::failed(format_args!(
        "the certificate could not be written: {error}"
    ))
}
