//! Certificates: a plan, and the proof that nothing cheaper exists.
//!
//! The proof of a board comes from the search that explains itself (`tiles`) or from CaDiCaL (`sat`), that of a level from
//! CaDiCaL. What has to be refuted, and by which formula, is up to `noyes-check`.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use noyes_check::formula::{Tiles as Formula, least_pushes, manhattan};
use noyes_check::{
    Case, Certificate, Clauses, Counts, LevelCase, LevelFormula, Lit, Refusal, StepWriter, Store,
    TilesCase, board_plan, patterns, sokoban_plan, stuck, stuck_while, unsolvable,
};
use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::{Board, Direction};

use super::rooms::{MissingFacts, Rooms};
use super::tiles::{MOST_CELLS, ProveError, Refuted, Totals, refute};
use crate::control::{Control, Stop};
use crate::tiles::pdb::{Partition, PartitionError};

/// What finds proofs of boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Prover {
    /// The search that explains itself.
    #[default]
    Search,
    /// A SAT solver. It uses no tables.
    Sat,
}

/// Why there is no certificate.
#[derive(Debug, thiserror::Error)]
pub enum CertifyError {
    /// A limit, or the stop flag.
    #[error("{0}")]
    Stopped(Stop),
    /// The certificate could not be written.
    #[error(transparent)]
    Write(#[from] io::Error),
    /// The plan, the tables or the puzzle do not do.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// There is a shorter plan of a board.
    #[error("the plan is not optimal: there is one of {} moves", .0.len())]
    Shorter(Vec<Direction>),
    /// There is a cheaper plan of a level.
    #[error("the plan is not optimal: there is a cheaper one")]
    Cheaper,
    /// Nothing shows that the puzzle is unsolvable.
    #[error("there may be a plan: {0}")]
    MaybeSolvable(String),
    /// The puzzle is too large.
    #[error("the puzzle is too large for a proof{0}")]
    TooLarge(String),
    /// The program was built without the SAT solver.
    #[error("proofs of levels need CaDiCaL, and this program was built without it")]
    NoSat,
}

impl From<ProveError> for CertifyError {
    fn from(error: ProveError) -> CertifyError {
        match error {
            ProveError::Stopped(stop) => CertifyError::Stopped(stop),
            ProveError::Write(error) => CertifyError::Write(error),
        }
    }
}

/// Writes the certificate of a puzzle: that its plan is optimal or, without a plan, that it is unsolvable. Sets what the proof
/// refutes. The writer comes back.
///
/// # Errors
/// Why there is no certificate.
pub fn certify<W: Write + 'static>(
    certificate: &mut Certificate,
    prover: Prover,
    store: &mut Store,
    to: W,
    control: &Control,
) -> Result<(Totals, W), CertifyError> {
    let Certificate { case, refutes } = certificate;
    match case {
        Case::Tiles(tiles) => {
            *refutes = tiles_bound(tiles)?;
            let Some(bound) = *refutes else {
                tiles.tables.clear();
                return without_proof(certificate, to);
            };
            let cells = tiles.start.tiles().len();
            let too_large = || CertifyError::TooLarge(format!(" (it has {cells} cells)"));
            let formula = Formula::new(&tiles.start, &tiles.goal, bound).ok_or_else(too_large)?;
            if prover == Prover::Sat {
                tiles.tables.clear();
                let variables = formula.variables();
                return by_sat(
                    certificate,
                    &formula.clauses,
                    variables,
                    &mut |_| vec![],
                    to,
                    control,
                );
            }
            if cells > MOST_CELLS {
                return Err(CertifyError::TooLarge(format!(
                    " (it has {cells} cells, and the limit is {MOST_CELLS})"
                )));
            }
            by_search(certificate, &formula, store, to, control)
        }
        Case::Level(level) => {
            *refutes = level_bound(level)?;
            let Some(bound) = *refutes else {
                return without_proof(certificate, to);
            };
            let formula = LevelFormula::new(level, bound)
                .ok_or_else(|| CertifyError::TooLarge(String::new()))?;
            let (clauses, variables) = (formula.clauses(), formula.variables());
            let mut rooms = Rooms::default();
            let facts = &mut |holds: &mut dyn FnMut(Lit) -> bool| match &formula {
                LevelFormula::Pushes(pushes) => rooms.missing(pushes, holds),
                LevelFormula::Steps(_) => vec![],
            };
            by_sat(certificate, clauses, variables, facts, to, control)
        }
    }
}

/// The most moves that have to be refuted, if any.
fn tiles_bound(case: &TilesCase) -> Result<Option<usize>, CertifyError> {
    let Some(plan) = &case.plan else {
        return match unsolvable(&case.start, &case.goal) {
            Some(_) => Ok(None),
            None => Err(CertifyError::MaybeSolvable("its parity is right".into())),
        };
    };
    let cost = board_plan(&case.start, &case.goal, plan).map_err(Refusal::Plan)? as usize;
    Ok((cost > manhattan(&case.start, &case.goal)).then(|| cost - 2))
}

/// The greatest cost that has to be refuted, if any.
fn level_bound(case: &LevelCase) -> Result<Option<usize>, CertifyError> {
    let LevelCase { level, counts, .. } = case;
    let Some(plan) = &case.plan else {
        let shown = stuck(level, &case.stuck);
        return shown.map(|_| None).map_err(CertifyError::MaybeSolvable);
    };
    let replayed = sokoban_plan(level, plan, counts.may_wait());
    let replayed = replayed.map_err(|fault| Refusal::Plan(fault.into()))?;
    let one_player = level.players().len() == 1;
    let least = if one_player { least_pushes(level) } else { 0 };
    let (cost, below) = match counts {
        Counts::Pushes if level.boxes().len() == level.goals().count() => (replayed.pushes, 2),
        Counts::Pushes => (replayed.pushes, 1),
        _ => (replayed.steps, 1),
    };
    let bound = (cost as usize).checked_sub(below);
    Ok(bound.filter(|&bound| bound >= least))
}

fn without_proof<W: Write>(
    certificate: &Certificate,
    mut to: W,
) -> Result<(Totals, W), CertifyError> {
    certificate.write(&mut to)?;
    Ok((Totals::default(), to))
}

fn steps<W: Write>(
    certificate: &Certificate,
    mut to: W,
) -> Result<StepWriter<GzEncoder<W>>, CertifyError> {
    certificate.write(&mut to)?;
    // Higher levels save little and take far longer.
    Ok(StepWriter::new(GzEncoder::new(to, Compression::fast())))
}

fn by_search<W: Write>(
    certificate: &Certificate,
    formula: &Formula,
    store: &mut Store,
    to: W,
    control: &Control,
) -> Result<(Totals, W), CertifyError> {
    let Case::Tiles(tiles) = &certificate.case else {
        unreachable!("boards only");
    };
    let patterns = patterns(&tiles.goal, &tiles.tables)?;
    let tables: Result<Vec<_>, _> = patterns.iter().map(|p| store.table(p)).collect();
    let tables = tables?;
    let mut steps = steps(certificate, to)?;
    match refute(formula, &tables, &mut steps, control)? {
        Refuted::Yes(totals) => Ok((totals, steps.into_inner().finish()?)),
        Refuted::Plan(plan) => Err(CertifyError::Shorter(plan)),
    }
}

#[cfg(feature = "cadical")]
fn by_sat<W: Write + 'static>(
    certificate: &Certificate,
    clauses: &Clauses,
    variables: usize,
    facts: &mut MissingFacts,
    to: W,
    control: &Control,
) -> Result<(Totals, W), CertifyError> {
    let steps = steps(certificate, to)?;
    match super::sat::refute_by_sat(clauses, variables, facts, steps, control)? {
        (Some(totals), steps) => Ok((totals, steps.into_inner().finish()?)),
        (None, _) => Err(CertifyError::Cheaper),
    }
}

#[cfg(not(feature = "cadical"))]
fn by_sat<W: Write + 'static>(
    _: &Certificate,
    _: &Clauses,
    _: usize,
    _: &mut MissingFacts,
    _: W,
    _: &Control,
) -> Result<(Totals, W), CertifyError> {
    Err(CertifyError::NoSat)
}

/// The patterns that suit a goal: the tiles of each. Boards of more than 16 cells have none.
///
/// Those of the 15-puzzle are 6-6-3, which `noyes-check` computes in seconds. On smaller boards, columns are taken one after
/// the other, beginning on the blank's side, until a pattern is full. A pattern of one tile would say nothing.
pub fn default_tables(goal: &Board) -> Vec<Vec<u16>> {
    let (width, height) = (goal.width(), goal.height());
    let cells = width * height;
    let most = match cells {
        0..=9 => 4,
        10..=16 => 6,
        _ => return vec![],
    };
    if cells == 16
        && let Ok(groups) = tables_of(goal, &"6-6-3".parse().expect("a partition"))
    {
        return groups;
    }
    let mut order: Vec<usize> = (0..cells)
        .map(|i| i % height * width + i / height)
        .collect();
    if goal.blank() % width > (width - 1) / 2 {
        order.reverse();
    }
    let tiles: Vec<u16> = (order.iter())
        .map(|&cell| goal.tiles()[cell])
        .filter(|&tile| tile != 0)
        .collect();
    let mut groups: Vec<Vec<u16>> = tiles.chunks(most).map(<[u16]>::to_vec).collect();
    groups.retain(|group| group.len() > 1);
    for group in &mut groups {
        group.sort_unstable();
    }
    groups
}

/// The tiles of each pattern of a partition.
///
/// # Errors
/// If it does not fit the board.
pub fn tables_of(goal: &Board, partition: &Partition) -> Result<Vec<Vec<u16>>, PartitionError> {
    let tiles = |cells: &[u8]| {
        cells
            .iter()
            .map(|&c| goal.tiles()[usize::from(c)])
            .collect()
    };
    let keys = partition.keys(goal)?;
    Ok(keys.iter().map(|key| tiles(&key.cells)).collect())
}

/// The positions that are looked at for a few boxes, and for all.
const FEW_POSITIONS: usize = 100_000;
const MANY_POSITIONS: usize = 2_000_000;

/// Boxes that show that a level has no plan, each by row and column; as few as possible.
///
/// # Errors
/// If there may be a plan.
pub fn stuck_boxes(level: &Level, control: &Control) -> Result<Vec<(usize, usize)>, String> {
    let within = |most: usize| {
        move |positions: usize| {
            positions < most && (!positions.is_multiple_of(256) || control.poll_stop().is_ok())
        }
    };
    let boxes: Vec<(usize, usize)> = level.boxes().iter().map(|&b| level.place(b)).collect();
    let goals = level.goals().count();
    if boxes.len() < goals {
        return Ok(vec![]);
    }
    if boxes.len() == goals {
        for size in 1..=3.min(boxes.len()) {
            for some in subsets(&boxes, size) {
                if stuck_while(level, &some, &mut within(FEW_POSITIONS)).is_ok() {
                    return Ok(some);
                }
            }
        }
    }
    stuck_while(level, &boxes, &mut within(MANY_POSITIONS)).map(|_| boxes)
}

fn subsets<T: Clone>(items: &[T], size: usize) -> Vec<Vec<T>> {
    if size == 0 {
        return vec![vec![]];
    }
    let mut all = vec![];
    for (i, item) in items.iter().enumerate() {
        for rest in subsets(&items[i + 1..], size - 1) {
            all.push([vec![item.clone()], rest].concat());
        }
    }
    all
}
