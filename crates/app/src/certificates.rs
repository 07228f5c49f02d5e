//! Certificates in the program: from a puzzle and its plan to a file that `noyes-check` has verified.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use noyes_check::{
    Case, Certificate, Counts, LevelCase, Refusal, Store, TilesCase, Verdict, patterns,
    verify,
};
use noyes_puzzle::sokoban::{Level, Walks};
use noyes_puzzle::tiles::{Board, Direction};
use noyes_solver::prove::{self, CertifyError, Prover, default_tables, stuck_boxes, tables_of};
use noyes_solver::{Control, Objective};
use tempfile::NamedTempFile;

use crate::args::Axioms;
use crate::terminal::tables;

/// A certificate that was verified.
pub struct Made {
    pub verdict: Verdict,
    pub bytes: u64,
    pub proving: Duration,
    pub checking: Duration,
    /// Where it is until it is kept.
    file: NamedTempFile,
}

/// The tables of this process.
static STORE: Mutex<Option<Store>> = Mutex::new(None);

/// Where computed tables are kept.
fn folder() -> Option<PathBuf> {
    Some(tables::default_folder()?.parent()?.join("check"))
}

/// The case of a board; `plan` is nothing if it has no plan.
pub fn of_board(
    board: &Board,
    goal: &Board,
    plan: Option<Vec<Direction>>,
    axioms: &Axioms,
) -> Result<Case, String> {
    let tables = match axioms {
        Axioms::None => vec![],
        Axioms::Auto => default_tables(goal),
        Axioms::Patterns(partition) => {
            tables_of(goal, partition).map_err(|error| error.to_string())?
        }
    };
    Ok(Case::Tiles(TilesCase {
        start: board.clone(),
        goal: goal.clone(),
        plan,
        tables,
    }))
}

/// The case of a level; `plan` is nothing if it has no plan.
pub fn of_level(
    level: &Level,
    plan: Option<Walks>,
    objective: Objective,
    no_wait: bool,
) -> Result<Case, String> {
    let counts = match objective {
        Objective::Pushes if level.players().len() == 1 => Counts::Pushes,
        _ if no_wait => Counts::StepsWithoutWaiting,
        _ => Counts::Steps,
    };
    let stuck = match plan {
        Some(_) => vec![],
        None => stuck_boxes(level)?,
    };
    Ok(Case::Level(LevelCase {
        level: level.clone(),
        counts,
        plan,
        stuck,
    }))
}

/// The tables that a case needs, computed once for all.
fn store(case: &Case) -> Result<Store, Refusal> {
    let mut store = STORE.lock().unwrap_or_else(PoisonError::into_inner);
    let store = store.get_or_insert_with(|| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Store::new(folder().as_deref(), threads)
    });
    if let Case::Tiles(case) = case
        && case.plan.is_some()
    {
        for pattern in patterns(&case.goal, &case.tables)? {
            store.table(&pattern)?;
        }
    }
    Ok(store.clone())
}

/// Makes a certificate in a folder and verifies it.
pub fn make(
    case: Case,
    prover: Prover,
    in_folder: Option<&Path>,
    control: &Control,
) -> Result<Made, CertifyError> {
    let mut store = store(&case)?;
    let file = match in_folder {
        Some(folder) => NamedTempFile::new_in(folder)?,
        None => NamedTempFile::new()?,
    };
    let started = Instant::now();
    let mut certificate = Certificate {
        case,
        refutes: None,
    };
    let to = BufWriter::with_capacity(1 << 16, file.reopen()?);
    let (_, mut to) = prove::certify(&mut certificate, prover, &mut store, to, control)?;
    to.flush()?;
    let proving = started.elapsed();
    let started = Instant::now();
    let from = BufReader::with_capacity(1 << 16, file.reopen()?);
    let verdict = verify(from, &mut store)?;
    Ok(Made {
        verdict,
        bytes: file.as_file().metadata()?.len(),
        proving,
        checking: started.elapsed(),
        file,
    })
}

impl Made {
    /// Keeps it under this name.
    pub fn keep(self, path: &Path) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // A temporary file is private; a certificate is for everyone.
            let mode = std::fs::Permissions::from_mode(0o644);
            self.file.as_file().set_permissions(mode)?;
        }
        self.file.as_file().sync_all()?;
        self.file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    /// What it holds.
    pub fn read(&self) -> io::Result<Vec<u8>> {
        std::fs::read(self.file.path())
    }
}

/// Writes the formula of a certificate as DIMACS, and its proof as LRAT.
pub fn export(certificate: &Path, cnf: &Path, lrat: &Path) -> Result<(), Refusal> {
    let open = || {
        let file = File::open(certificate);
        let file = file.map_err(|error| Refusal::Claim(error.to_string()))?;
        Ok(BufReader::with_capacity(1 << 16, file))
    };
    noyes_check::export(open, cnf, lrat)
}
