//! Certificates in the program: from a puzzle and its plan to a file that `noyes-check` has verified.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use noyes_check::{
    Case, Certificate, Counts, LevelCase, Refusal, Store, TilesCase, Verdict, patterns,
    sokoban_plan, verify,
};
use noyes_puzzle::sokoban::{Level, Walks};
use noyes_puzzle::tiles::{Board, Direction, Goal, write_plan};
use noyes_solver::prove::{self, CertifyError, Prover, default_tables, stuck_boxes, tables_of};
use noyes_solver::{Answer, Control, Objective, Plan, Status, TilesCache, solve};
use tempfile::NamedTempFile;

use crate::args::{Axioms, Proving, Reading};
use crate::ask;
use crate::puzzle::{Given, level, tiles};
use crate::record::{Certified, Subject};
use crate::terminal::exit::Exit;
use crate::terminal::fault::{BadInput, in_plan};
use crate::terminal::limits;
use crate::terminal::tables;

/// What is to be certified, and how.
pub struct Wish<'a> {
    pub given: &'a Given,
    pub goal: &'a Goal,
    pub reading: &'a Reading,
    pub objective: Option<Objective>,
    pub no_wait: bool,
    pub proving: &'a Proving,
    /// The tables of the solver.
    pub cache: Arc<TilesCache>,
}

/// Why there is no certificate.
enum Failure {
    Input(BadInput),
    None(Exit, String),
}

impl From<BadInput> for Failure {
    fn from(error: BadInput) -> Failure {
        Failure::Input(error)
    }
}

impl Wish<'_> {
    /// The record before there is a certificate.
    fn record(&self) -> Result<Certified, BadInput> {
        Ok(match self.given {
            Given::Board(board) => {
                let goal = self.goal_of(board)?;
                let mut record = Certified::new(Subject::board(board), "moves");
                record.goal = Some(goal.to_string());
                record
            }
            Given::Level(level) => {
                let unit = match self.objective.unwrap_or_default() {
                    _ if level.players().len() > 1 => "steps",
                    Objective::Moves => "moves",
                    Objective::Pushes => "pushes",
                };
                Certified::new(Subject::level(level), unit)
            }
        })
    }

    fn goal_of(&self, board: &Board) -> Result<Board, BadInput> {
        self.goal
            .of_size(board.width(), board.height())
            .map_err(BadInput::new)
    }

    /// The record of a certificate, with a plan as text or, without one, with the plan of a solver.
    pub fn certified(
        &self,
        plan: Option<&str>,
        to: Option<&Keep>,
        control: &Control,
    ) -> Result<(Certified, Exit)> {
        let case = match plan {
            Some(text) => self.with_plan(text, control),
            None => self.solved(control),
        };
        self.recorded(case, to, control)
    }

    /// The same for an answer that a solver has given.
    pub fn certified_answer(
        &self,
        answer: &Answer,
        to: &Keep,
        control: &Control,
    ) -> Result<(Certified, Exit)> {
        self.recorded(self.answered(answer, control), Some(to), control)
    }

    fn recorded(
        &self,
        case: Result<Case, Failure>,
        to: Option<&Keep>,
        control: &Control,
    ) -> Result<(Certified, Exit)> {
        let mut record = self.record()?;
        to.map_or(Ok(()), clear)?;
        let folder = to.and_then(|to| to.path.parent());
        let made = case.and_then(|case| {
            record.plan = self.plan_text(&case);
            self.made(case, folder, control)
        });
        match made {
            Ok(made) => {
                let mut record = record.with(&made.verdict);
                record.certificate_bytes = Some(made.bytes);
                record.prove_s = Some(made.proving.as_secs_f64());
                record.check_s = Some(made.checking.as_secs_f64());
                if let Some(to) = to {
                    keep(made, to)?;
                    record.certificate = Some(to.path.display().to_string());
                }
                Ok((record, Exit::Answered))
            }
            Err(Failure::Input(error)) => Err(error.into()),
            Err(Failure::None(exit, why)) => {
                record.error = Some(why);
                Ok((record, exit))
            }
        }
    }

    fn plan_text(&self, case: &Case) -> Option<String> {
        match case {
            Case::Tiles(case) => {
                let notation = self.reading.notation();
                case.plan.as_ref().map(|plan| write_plan(plan, notation))
            }
            Case::Level(case) => case.plan.as_ref().map(|plan| plan.write(&case.level)),
        }
    }

    fn made(&self, case: Case, folder: Option<&Path>, control: &Control) -> Result<Made, Failure> {
        let prover = self.proving.prover;
        make(case, prover, folder, control).map_err(|error| {
            let exit = match &error {
                CertifyError::Stopped(stop) => (*stop).into(),
                CertifyError::Write(_) => Exit::Failure,
                CertifyError::TooLarge(_) | CertifyError::NoSat => Exit::Limit,
                CertifyError::Refused(Refusal::Plan(fault)) if fault.is_illegal() => Exit::BadInput,
                CertifyError::Refused(Refusal::Tables(_)) => Exit::BadInput,
                _ => Exit::Unverified,
            };
            Failure::None(exit, error.to_string())
        })
    }

    fn with_plan(&self, text: &str, control: &Control) -> Result<Case, Failure> {
        let case = match self.given {
            Given::Board(board) => {
                let plan =
                    tiles::read_plan(text, board, self.reading.notation()).map_err(in_plan)?;
                of_board(
                    board,
                    &self.goal_of(board)?,
                    Some(plan),
                    &self.proving.axioms,
                )
            }
            Given::Level(level) => {
                let plan = level::read_plan(text, level).map_err(in_plan)?;
                self.level_case(level, Some(plan), control)
            }
        };
        case.map_err(|what| BadInput::new(what).into())
    }

    fn level_case(
        &self,
        level: &Level,
        plan: Option<Walks>,
        control: &Control,
    ) -> Result<Case, String> {
        of_level(
            level,
            plan,
            self.objective.unwrap_or_default(),
            self.no_wait,
            control,
        )
    }

    /// Solves the puzzle first.
    fn solved(&self, control: &Control) -> Result<Case, Failure> {
        let ask = ask::of(self.given, self.goal)
            .objective(self.objective)
            .no_wait(self.no_wait)
            .cache(self.cache.clone());
        let request = ask::request(ask).map_err(BadInput::from)?;
        let answer = solve(&request, control);
        let answer = answer.map_err(|e| Failure::None(Exit::of_error(&e), e.to_string()))?;
        match answer.status {
            Status::Optimal | Status::Unsolvable => {}
            Status::Limit(stop) => {
                let why = format!("the puzzle was not solved: {}", limits::in_words(stop));
                return Err(Failure::None(stop.into(), why));
            }
            Status::Solved => {
                let why = "the plan that was found is not proven optimal".to_string();
                return Err(Failure::None(Exit::Limit, why));
            }
        }
        self.answered(&answer, control)
    }

    /// The case of an optimal plan, or of an unsolvable puzzle.
    fn answered(&self, answer: &Answer, control: &Control) -> Result<Case, Failure> {
        let plan = answer.plan.as_ref();
        match self.given {
            Given::Board(board) => {
                let plan = plan.and_then(Plan::directions).map(<[_]>::to_vec);
                of_board(board, &self.goal_of(board)?, plan, &self.proving.axioms)
                    .map_err(|what| Failure::Input(BadInput::new(what)))
            }
            Given::Level(level) => {
                let plan = plan.and_then(Plan::walks).cloned();
                let case = self.level_case(level, plan, control);
                case.map_err(|why| Failure::None(Exit::Limit, why))
            }
        }
    }
}

/// Where a certificate is kept.
pub struct Keep {
    pub path: PathBuf,
    /// Also in the formats of other checkers.
    pub export: bool,
}

/// Removes what an earlier run has left under the same names.
fn clear(keep: &Keep) -> Result<()> {
    for extension in ["cert", "cnf", "lrat"] {
        let path = keep.path.with_extension(extension);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                let what = format!("cannot replace {}: {error}", path.display());
                return Err(BadInput::new(what).into());
            }
            _ => {}
        }
    }
    Ok(())
}

fn keep(made: Made, keep: &Keep) -> Result<()> {
    let path = &keep.path;
    let has_proof = made.verdict.steps > 0;
    made.keep(path)
        .map_err(|e| BadInput::new(format!("cannot write {}: {e}", path.display())))?;
    if keep.export && has_proof {
        let (cnf, lrat) = (path.with_extension("cnf"), path.with_extension("lrat"));
        export(path, &cnf, &lrat).map_err(|e| anyhow::anyhow!("{}: {e}", path.display()))?;
    }
    Ok(())
}

/// A certificate that was verified.
struct Made {
    verdict: Verdict,
    bytes: u64,
    proving: Duration,
    checking: Duration,
    /// Where it is until it is kept.
    file: NamedTempFile,
}

/// The tables of this process.
static STORE: Mutex<Option<Store>> = Mutex::new(None);

/// Where computed tables are kept.
fn folder() -> Option<PathBuf> {
    Some(tables::default_folder()?.parent()?.join("certify"))
}

/// The case of a board; `plan` is nothing if it has no plan.
fn of_board(
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
fn of_level(
    level: &Level,
    plan: Option<Walks>,
    objective: Objective,
    no_wait: bool,
    control: &Control,
) -> Result<Case, String> {
    if let Some(plan) = plan.as_ref().filter(|_| no_wait) {
        sokoban_plan(level, plan, false).map_err(|fault| format!("plan: {fault}"))?;
    }
    let counts = match objective {
        Objective::Pushes if level.players().len() == 1 => Counts::Pushes,
        _ if no_wait => Counts::StepsWithoutWaiting,
        _ => Counts::Steps,
    };
    let stuck = match plan {
        Some(_) => vec![],
        None => stuck_boxes(level, control)?,
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
fn make(
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
    fn keep(self, path: &Path) -> io::Result<()> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // A temporary file is private; a certificate is for everyone.
            let mode = fs::Permissions::from_mode(0o644);
            self.file.as_file().set_permissions(mode)?;
        }
        self.file.as_file().sync_all()?;
        self.file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }
}

/// Writes the formula of a certificate as DIMACS, and its proof as LRAT.
fn export(certificate: &Path, cnf: &Path, lrat: &Path) -> Result<(), Refusal> {
    let open = || {
        let file = File::open(certificate);
        let file = file.map_err(|error| Refusal::Claim(error.to_string()))?;
        Ok(BufReader::with_capacity(1 << 16, file))
    };
    noyes_check::export(open, cnf, lrat)
}
