//! `noyes.certify` and `noyes.verify`: proofs that nothing cheaper exists.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use noyes_answer::Given;
use noyes_answer::ask::no_goal;
use noyes_answer::certify::{Axioms, Failure, Wish, in_memory, store};
use noyes_check::{Case, Store, Verdict};
use noyes_puzzle::tiles::{Goal, Notation};
use noyes_solver::machine::cache_folder;
use noyes_solver::prove::{CertifyError, Prover};
use noyes_solver::{Ask, Control, Field, Status};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyMemoryView, PyString};

use crate::answer::Asked;
use crate::attend::left_alone;
use crate::error::{ProofError, argument, asked, input, refused};
use crate::machine::cache;
use crate::plan::{Plan, read};
use crate::puzzle::{self, Puzzle, at_path, kind, path};
use crate::record::to_dict;
use crate::wishes::Limits;

/// A plan and a proof that no cheaper one exists, or a proof that there is no plan. noyes-check has verified it.
#[pyclass(frozen, module = "noyes")]
pub struct Certificate {
    verdict: Verdict,
    bytes: Vec<u8>,
    /// Seconds to find the proof and to check it, together.
    #[pyo3(get)]
    wall_s: f64,
}

#[pymethods]
impl Certificate {
    /// What was proved, in a sentence.
    #[getter]
    fn proved(&self) -> &str {
        &self.verdict.proved
    }

    /// The reasons, one by one.
    #[getter]
    fn because(&self) -> Vec<String> {
        self.verdict.because.clone()
    }

    /// The puzzle as text.
    #[getter]
    fn puzzle(&self) -> &str {
        &self.verdict.puzzle
    }

    /// The cost of an optimal plan; None if there is no plan.
    #[getter]
    fn cost(&self) -> Option<u32> {
        self.verdict.cost
    }

    /// The steps of the proof: lemmas and facts.
    #[getter]
    fn proof_steps(&self) -> u64 {
        self.verdict.steps
    }

    /// How many of the steps are facts, from pattern databases or about rooms.
    #[getter]
    fn proof_facts(&self) -> u64 {
        self.verdict.facts
    }

    /// Writes the file for `noyes-check`.
    fn save(&self, path: PathBuf) -> PyResult<()> {
        std::fs::write(&path, &self.bytes).map_err(|error| at_path(&path, error))
    }

    /// Writes the formula as DIMACS and its proof as LRAT, for other checkers.
    fn export(&self, py: Python<'_>, cnf: PathBuf, lrat: PathBuf) -> PyResult<()> {
        let open = || Ok(Cursor::new(self.bytes.as_slice()));
        let done = py.detach(|| noyes_check::export(open, &cnf, &lrat));
        done.map_err(|refusal| ProofError::new_err(refusal.to_string()))
    }

    /// The same as a dictionary.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        to_dict(py, &noyes_answer::record::Checked::verified(&self.verdict))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.bytes)
    }

    fn __len__(&self) -> usize {
        self.bytes.len()
    }

    fn __repr__(&self) -> String {
        format!("<Certificate: {}>", self.verdict.proved)
    }
}

/// How to find a proof.
pub struct Proving {
    axioms: Axioms,
    prover: Prover,
    limits: Limits,
}

impl Proving {
    pub fn new(
        axioms: &str,
        prover: &str,
        time_limit: Option<&Bound<'_, PyAny>>,
        memory_limit: Option<usize>,
    ) -> PyResult<Proving> {
        Ok(Proving {
            axioms: axioms
                .parse()
                .map_err(|what: String| argument("axioms", what))?,
            prover: match prover {
                "search" => Prover::Search,
                "sat" => Prover::Sat,
                _ => return Err(argument("prover", "expected search or sat")),
            },
            limits: Limits::new(time_limit, memory_limit)?,
        })
    }

    /// The certificate of an answer.
    pub fn of_answer(
        &self,
        py: Python<'_>,
        asked: &Asked,
        answer: &noyes_solver::Answer,
    ) -> PyResult<Certificate> {
        let answer = answer.clone();
        self.make(py, asked, move |wish, control| match answer.status {
            Status::Optimal | Status::Unsolvable => wish.answered(&answer, control),
            Status::Limit(stop) => Err(Failure::Stopped(stop)),
            Status::Solved => Err(Failure::Unproven),
        })
    }

    /// Makes and verifies a certificate.
    fn make(
        &self,
        py: Python<'_>,
        asked: &Asked,
        case: impl FnOnce(&Wish, &Control) -> Result<Case, Failure> + Send + 'static,
    ) -> PyResult<Certificate> {
        let given = match &asked.puzzle {
            Puzzle::Board(board) => Given::Board(board.clone()),
            Puzzle::Level(level) => Given::Level(Box::new((**level).clone())),
            Puzzle::Graph(_) => {
                return Err(input(
                    "a graph has no certificate (expected a board or a level)",
                ));
            }
        };
        let goal = asked.goal.clone().map_or_else(Goal::default, Goal::Board);
        let stop = Arc::new(AtomicBool::new(false));
        let control = self.limits.control(1, &stop);
        let started = Instant::now();
        let (objective, no_wait, prover) = (asked.objective, asked.no_wait, self.prover);
        let (axioms, cache) = (self.axioms.clone(), cache(py));
        // The checker's tables take seconds, and it looks at no flag.
        let made = left_alone(py, &stop, move || {
            let wish = Wish {
                given: &given,
                goal: &goal,
                notation: Notation::Blank,
                objective,
                no_wait,
                axioms: &axioms,
                cache,
            };
            let case = case(&wish, &control).map_err(NoProof::Case)?;
            let mut store = tables(&case).map_err(|refusal| NoProof::Proof(refusal.into()))?;
            in_memory(case, prover, &mut store, &control).map_err(NoProof::Proof)
        })?;
        let (verdict, bytes) = made.map_err(|why| match why {
            NoProof::Case(Failure::Wish(refusal)) => refused(refusal),
            NoProof::Case(Failure::Input(what)) => input(what),
            NoProof::Case(failure) => ProofError::new_err(failure.to_string()),
            NoProof::Proof(error) => ProofError::new_err(error.to_string()),
        })?;
        Ok(Certificate {
            verdict,
            bytes,
            wall_s: started.elapsed().as_secs_f64(),
        })
    }
}

enum NoProof {
    Case(Failure),
    Proof(CertifyError),
}

/// The tables that a case needs.
fn tables(case: &Case) -> Result<Store, noyes_check::Refusal> {
    store(case, folder().as_deref())
}

/// Where the checker keeps its tables.
fn folder() -> Option<PathBuf> {
    Some(cache_folder()?.join("certify"))
}

/// Certifies that a plan is optimal, or that a puzzle has no plan. Without a plan, noyes looks for one first.
///
/// `axioms` are the pattern databases that proofs of boards may use: "auto", "none" or "pdb:PATTERNS". `prover` is "search" or
/// "sat". Raises `noyes.ProofError` if there is no certificate.
#[pyfunction]
#[pyo3(signature = (
    puzzle, plan=None, *, goal=None, objective=None, no_wait=false, axioms="auto", prover="search", time_limit=None,
    memory_limit=None
))]
#[expect(clippy::too_many_arguments, reason = "each is a wish")]
pub fn certify(
    py: Python<'_>,
    puzzle: &Bound<'_, PyAny>,
    plan: Option<&Bound<'_, PyAny>>,
    goal: Option<&Bound<'_, PyAny>>,
    objective: Option<&str>,
    no_wait: bool,
    axioms: &str,
    prover: &str,
    time_limit: Option<&Bound<'_, PyAny>>,
    memory_limit: Option<usize>,
) -> PyResult<Certificate> {
    let proving = Proving::new(axioms, prover, time_limit, memory_limit)?;
    let puzzle = Puzzle::read(puzzle)?;
    let objective = noyes_answer::ask::parsed(Field::Objective, objective).map_err(refused)?;
    let goal = if let Puzzle::Board(board) = &puzzle {
        Some(puzzle::goal(goal, (board.width(), board.height()))?)
    } else {
        no_goal(goal.map(|_| "")).map_err(refused)?;
        None
    };
    // The front door checks that these go together.
    let ask = match (&puzzle, &goal) {
        (Puzzle::Board(board), Some(goal)) => {
            Some(Ask::board(board.clone(), Goal::Board(goal.clone())))
        }
        (Puzzle::Level(level), _) => Some(Ask::level(level.clone())),
        _ => None,
    };
    if let Some(ask) = ask {
        let ask = ask.objective(objective).no_wait(no_wait);
        ask.request().map_err(asked)?;
    }
    let text = match plan {
        None => None,
        Some(given) => {
            let moves = read(&puzzle, given, Notation::Blank)?;
            let puzzle = puzzle.clone();
            Some(Plan { puzzle, moves }.written(Notation::Blank))
        }
    };
    let asked = Asked {
        puzzle,
        goal,
        objective,
        no_wait,
    };
    proving.make(py, &asked, move |wish, control| {
        wish.case(text.as_deref(), control)
    })
}

/// Verifies a certificate: bytes, or the path of a file. Raises `noyes.ProofError` if it does not hold.
#[pyfunction]
pub fn verify(py: Python<'_>, certificate: &Bound<'_, PyAny>) -> PyResult<Certificate> {
    let file = |path: &Path| std::fs::read(path).map_err(|error| at_path(path, error));
    let bytes = if let Ok(bytes) = certificate.cast::<PyBytes>() {
        bytes.as_bytes().to_vec()
    } else if let Ok(text) = certificate.cast::<PyString>() {
        file(text.to_cow()?.as_ref().as_ref())?
    } else if let Ok(known) = certificate.cast::<Certificate>() {
        known.get().bytes.clone()
    } else if let Some(path) = path(certificate) {
        file(&path)?
    } else if certificate.is_instance_of::<PyByteArray>()
        || certificate.is_instance_of::<PyMemoryView>()
    {
        // Not of just any object: `range(10**15)` counts as bytes, too.
        let bytes = py.get_type::<PyBytes>().call1((certificate,))?;
        bytes.cast::<PyBytes>()?.as_bytes().to_vec()
    } else {
        let kind = kind(certificate);
        return Err(PyTypeError::new_err(format!(
            "expected a Certificate, its bytes, or the path of a file, found {kind}"
        )));
    };
    let stop = Arc::new(AtomicBool::new(false));
    let started = Instant::now();
    let (verdict, bytes) = left_alone(py, &stop, move || {
        let mut store = Store::new(folder().as_deref(), 1);
        let verdict = noyes_check::verify(bytes.as_slice(), &mut store);
        (verdict, bytes)
    })?;
    let verdict = verdict.map_err(|refusal| ProofError::new_err(refusal.to_string()))?;
    Ok(Certificate {
        verdict,
        bytes,
        wall_s: started.elapsed().as_secs_f64(),
    })
}
