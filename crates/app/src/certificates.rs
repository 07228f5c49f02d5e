//! Certificates in the program: from a puzzle and its plan to a file that `noyes-check` has verified.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::Result;
use noyes_answer::certify::{self, Failure};
use noyes_check::{Case, Certificate, Refusal, Verdict, verify};
use noyes_puzzle::tiles::Goal;
use noyes_solver::prove::{self, CertifyError, Prover};
use noyes_solver::{Answer, Control, Objective, TilesCache};
use tempfile::NamedTempFile;

use crate::args::{Proving, Reading};
use crate::puzzle::Given;
use crate::record::Certified;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::tables;

/// What is to be certified, and how.
pub struct Wish<'a> {
    pub case: certify::Wish<'a>,
    pub prover: Prover,
}

impl<'a> Wish<'a> {
    /// The wish of flags. The tables of the solver are in the cache.
    pub fn new(
        (given, goal): (&'a Given, &'a Goal),
        reading: &Reading,
        (objective, no_wait): (Option<Objective>, bool),
        proving: &'a Proving,
        cache: Arc<TilesCache>,
    ) -> Wish<'a> {
        let case = certify::Wish {
            given,
            goal,
            notation: reading.notation(),
            objective,
            no_wait,
            axioms: &proving.axioms,
            cache,
        };
        Wish {
            case,
            prover: proving.prover,
        }
    }

    /// The record of a certificate, with a plan as text or, without one, with the plan of a solver.
    pub fn certified(
        &self,
        plan: Option<&str>,
        to: Option<&Keep>,
        control: &Control,
    ) -> Result<(Certified, Exit)> {
        self.recorded(self.case.case(plan, control), to, control)
    }

    /// The same for an answer that a solver has given.
    pub fn certified_answer(
        &self,
        answer: &Answer,
        to: &Keep,
        control: &Control,
    ) -> Result<(Certified, Exit)> {
        self.recorded(self.case.answered(answer, control), Some(to), control)
    }

    fn recorded(
        &self,
        case: Result<Case, Failure>,
        to: Option<&Keep>,
        control: &Control,
    ) -> Result<(Certified, Exit)> {
        let mut record = self.case.record().map_err(BadInput::new)?;
        to.map_or(Ok(()), clear)?;
        let folder = to.and_then(|to| to.path.parent());
        let made = match case {
            Ok(case) => {
                record.plan = self.case.plan_text(&case);
                make(case, self.prover, folder, control).map_err(unmade)
            }
            Err(failure) => Err(without_case(&failure)?),
        };
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
            Err((exit, why)) => {
                record.error = Some(why);
                Ok((record, exit))
            }
        }
    }
}

/// Why there is no case, unless the input is bad.
fn without_case(failure: &Failure) -> Result<(Exit, String), BadInput> {
    let exit = match failure {
        Failure::Solver(error) => Exit::of_error(error),
        Failure::Stopped(stop) => (*stop).into(),
        Failure::Unproven | Failure::Open(_) => Exit::Limit,
        Failure::Input(what) => return Err(BadInput::new(what)),
        Failure::Wish(refusal) => return Err(BadInput::new(refusal.by_flag())),
    };
    Ok((exit, failure.to_string()))
}

/// Why there is no certificate.
#[expect(clippy::needless_pass_by_value, reason = "the shape of map_err")]
fn unmade(error: CertifyError) -> (Exit, String) {
    let exit = match &error {
        CertifyError::Stopped(stop) => (*stop).into(),
        CertifyError::Write(_) => Exit::Failure,
        CertifyError::TooLarge(_) | CertifyError::NoSat => Exit::Limit,
        CertifyError::Refused(Refusal::Plan(fault)) if fault.is_illegal() => Exit::BadInput,
        CertifyError::Refused(Refusal::Tables(_)) => Exit::BadInput,
        _ => Exit::Unverified,
    };
    (exit, error.to_string())
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

/// Where computed tables are kept.
fn folder() -> Option<PathBuf> {
    Some(tables::cache_folder()?.join("certify"))
}

/// Makes a certificate in a folder and verifies it.
fn make(
    case: Case,
    prover: Prover,
    in_folder: Option<&Path>,
    control: &Control,
) -> Result<Made, CertifyError> {
    let mut store = certify::store(&case, folder().as_deref())?;
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
