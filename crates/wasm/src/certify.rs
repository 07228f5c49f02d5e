//! Certificates in memory: made by the search that explains itself, and checked by `noyes-check`.
//!
//! Proofs for levels need CaDiCaL, which is not here; checking them does not.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use noyes_answer::limits::within;
use noyes_answer::record::{Certified, CertifiedFile, CertifyBody, Checked, Subject};
use noyes_answer::wish::{self, Shelf};
use noyes_answer::{Fault, Given, ask, tiles};
use noyes_check::{Case, Certificate, Store, TilesCase, verify};
use noyes_puzzle::tiles::{Board, Direction, Goal, Notation, write_plan};
use noyes_solver::prove::{self, Prover, default_tables, tables_of};
use noyes_solver::{Ask, Control, Plan, Status, solve};
use std::time::Duration;

/// The longest proof, and the time of a proof by default.
const MOST_TIME: Duration = Duration::from_secs(60);
const USUAL_TIME: Duration = Duration::from_secs(10);
/// The largest board: others have no tables.
const MOST_CELLS: usize = 16;
/// The tables for boards of this size: larger ones take long to compute.
const FIFTEEN: &str = "5-5-5";

/// Certifies a board.
pub fn certify(
    body: &CertifyBody,
    shelf: &Shelf,
    store: &mut Store,
    control: Control,
) -> Result<CertifiedFile, Fault> {
    let time = within("time_limit_s", body.time_limit_s, USUAL_TIME, MOST_TIME)?;
    let control = control.time_limit(time);
    let board = match wish::puzzle(&body.puzzle)? {
        Given::Board(board) => board,
        Given::Level(level) => {
            let mut record = Certified::new(Subject::level(&level), "pushes");
            record.error = Some("proofs for levels need noyes itself: noyes certify".into());
            return Ok(without_file(record));
        }
    };
    let cells = board.tiles().len();
    if cells > MOST_CELLS {
        let what =
            format!("{cells} cells are too many for a proof here: the limit is {MOST_CELLS}");
        return Err(Fault::field("puzzle", what));
    }
    let goal = ask::goal(body.goal.as_deref(), board.width(), board.height())?;
    let mut record = Certified::new(Subject::board(&board), "moves");
    record.goal = Some(goal.to_string());
    let plan = match &body.plan {
        Some(text) => Ok(Some(
            tiles::read_plan(text, &board, Notation::Blank)
                .map_err(|error| Fault::field("plan", error))?,
        )),
        None => plan_of(&board, &goal, shelf, &control),
    };
    let plan = match plan {
        Ok(plan) => plan,
        Err(why) => {
            record.error = Some(why);
            return Ok(without_file(record));
        }
    };
    record.plan = plan.as_ref().map(|p| write_plan(p, Notation::Blank));
    let tables = if cells == MOST_CELLS {
        tables_of(&goal, &FIFTEEN.parse().expect("a partition")).unwrap_or_default()
    } else {
        default_tables(&goal)
    };
    let case = Case::Tiles(TilesCase {
        start: board,
        goal,
        plan,
        tables,
    });
    Ok(match made(case, store, &control) {
        Ok((verdict, bytes)) => {
            let mut record = record.with(&verdict);
            record.certificate_bytes = Some(bytes.len() as u64);
            CertifiedFile {
                record,
                certificate_base64: Some(STANDARD.encode(bytes)),
            }
        }
        Err(why) => {
            record.error = Some(why);
            without_file(record)
        }
    })
}

fn without_file(record: Certified) -> CertifiedFile {
    CertifiedFile {
        record,
        certificate_base64: None,
    }
}

/// An optimal plan, or nothing if there is no plan at all; an error if that is not known in time.
fn plan_of(
    board: &Board,
    goal: &Board,
    shelf: &Shelf,
    control: &Control,
) -> Result<Option<Vec<Direction>>, String> {
    let ask = Ask::board(board.clone(), Goal::Board(goal.clone())).cache(shelf.of(goal).clone());
    let request = ask.request().map_err(|error| error.to_string())?;
    let answer = solve(&request, control).map_err(|error| error.to_string())?;
    match answer.status {
        Status::Optimal | Status::Unsolvable => {
            let plan = answer.plan.as_ref().and_then(Plan::directions);
            Ok(plan.map(<[_]>::to_vec))
        }
        _ => Err("the puzzle was not solved in time".into()),
    }
}

/// A certificate, and what `noyes-check` says about it.
fn made(
    case: Case,
    store: &mut Store,
    control: &Control,
) -> Result<(noyes_check::Verdict, Vec<u8>), String> {
    let mut certificate = Certificate {
        case,
        refutes: None,
    };
    let (_, bytes) = prove::certify(&mut certificate, Prover::Search, store, vec![], control)
        .map_err(|error| error.to_string())?;
    let verdict = verify(bytes.as_slice(), store).map_err(|refusal| refusal.to_string())?;
    Ok((verdict, bytes))
}

/// Checks a certificate of any kind.
pub fn verified(bytes: &[u8], store: &mut Store) -> Checked {
    match verify(bytes, store) {
        Ok(verdict) => Checked::verified(&verdict),
        Err(refusal) => Checked::refused(refusal.to_string()),
    }
}
