//! Certificates to order: from a puzzle, and perhaps its plan, to the case that a proof is about.
//!
//! A body becomes an [`Order`] within the limits of where it is answered. An order, or the flags of the command line, become a
//! [`Wish`], and a wish becomes the case for `noyes_solver::prove`. Where certificates are written is up to the caller: the
//! program has files, and others have memory.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use noyes_check::{
    Case, Certificate, Counts, LevelCase, Store, TilesCase, Verdict, patterns, sokoban_plan, verify,
};
use noyes_puzzle::sokoban::{Level, Walks};
use noyes_puzzle::tiles::{Board, Direction, Goal, Notation, write_plan};
use noyes_solver::prove::{self, CertifyError, Prover, default_tables, stuck_boxes, tables_of};
use noyes_solver::tiles::pdb::{Partition, PartitionError};
use noyes_solver::{Answer, Control, Objective, Plan, SolveError, Status, Stop, TilesCache, solve};

use crate::ask::Refusal;
use crate::limits::{in_words, within};
use crate::record::{Certified, CertifiedFile, CertifyBody, Subject};
use crate::wish::{self, Shelf};
use crate::{Fault, Given, ask, level, tiles};

/// The largest board of an order: others have no tables, and their formulas need too much memory.
const MOST_CELLS: usize = 16;
/// The largest level of an order, for the same reason.
const MOST_LEVEL_CELLS: usize = 400;
/// The tables for boards of this size: the default ones take seconds to compute, which nobody should wait for.
const FIFTEEN: &str = "pdb:5-5-5";

/// Which pattern databases proofs may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Axioms {
    /// Those that suit the board.
    #[default]
    Auto,
    None,
    Patterns(Partition),
}

impl FromStr for Axioms {
    type Err = String;

    fn from_str(text: &str) -> Result<Axioms, String> {
        match text {
            "auto" => Ok(Axioms::Auto),
            "none" => Ok(Axioms::None),
            _ => {
                let patterns = text.strip_prefix("pdb:");
                let patterns =
                    patterns.ok_or("expected auto, none or pdb:PATTERNS, such as pdb:6-6-3")?;
                let partition: Result<Partition, PartitionError> = patterns.parse();
                partition
                    .map(Axioms::Patterns)
                    .map_err(|error| error.to_string())
            }
        }
    }
}

/// What a body asks for.
pub struct Order {
    pub given: Given,
    goal: Goal,
    objective: Option<Objective>,
    no_wait: bool,
    axioms: Axioms,
    /// The plan that should be optimal, as text.
    pub plan: Option<String>,
    pub time: Duration,
}

impl Order {
    /// The order of a body, if it makes sense and is within the limits: the `usual` time, and the `most`.
    pub fn new(body: &CertifyBody, usual: Duration, most: Duration) -> Result<Order, Fault> {
        let time = within("time_limit_s", body.time_limit_s, usual.min(most), most)?;
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
        let cells = given.cells();
        if cells > most {
            let what = format!("{cells} cells are too many for a proof here: the limit is {most}");
            return Err(Fault::field("puzzle", what));
        }
        // The front door checks that these go together.
        let asked = ask::of(&given, &goal);
        ask::request(ask::rules(asked, body.objective.as_deref(), body.no_wait)?)?;
        let axioms = match &given {
            Given::Board(_) if cells == MOST_CELLS => FIFTEEN.parse().expect("patterns"),
            _ => Axioms::Auto,
        };
        Ok(Order {
            objective: body.objective.as_deref().and_then(|name| name.parse().ok()),
            no_wait: body.no_wait,
            plan: body.plan.clone(),
            given,
            goal,
            axioms,
            time,
        })
    }

    /// The wish, with tables from a shelf.
    pub fn wish(&self, shelf: &Shelf) -> Wish<'_> {
        Wish {
            given: &self.given,
            goal: &self.goal,
            notation: Notation::Blank,
            objective: self.objective,
            no_wait: self.no_wait,
            axioms: &self.axioms,
            cache: match &self.given {
                Given::Board(board) => shelf.of(board).clone(),
                Given::Level(_) => shelf.small.clone(),
            },
        }
    }
}

impl CertifiedFile {
    /// A record, and the certificate if there is one.
    pub fn new(record: Certified, certificate: Option<Vec<u8>>) -> CertifiedFile {
        CertifiedFile {
            record,
            certificate_base64: certificate.map(|bytes| STANDARD.encode(bytes)),
        }
    }
}

/// What is to be certified.
pub struct Wish<'a> {
    pub given: &'a Given,
    pub goal: &'a Goal,
    /// The letters of plans.
    pub notation: Notation,
    pub objective: Option<Objective>,
    pub no_wait: bool,
    pub axioms: &'a Axioms,
    /// The tables of the solver.
    pub cache: Arc<TilesCache>,
}

/// Why there is no case.
pub enum Failure {
    /// A wish makes no sense.
    Wish(Refusal),
    /// The input makes no sense, for this reason.
    Input(String),
    /// The solver failed.
    Solver(SolveError),
    /// The solver was stopped.
    Stopped(Stop),
    /// The plan that was found is not proven optimal.
    Unproven,
    /// Nothing shows that the level is unsolvable, for this reason.
    Open(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Failure::Wish(refusal) => f.write_str(&refusal.by_field()),
            Failure::Input(what) | Failure::Open(what) => f.write_str(what),
            Failure::Solver(error) => error.fmt(f),
            Failure::Stopped(stop) => {
                write!(f, "the puzzle was not solved: {}", in_words(*stop))
            }
            Failure::Unproven => f.write_str("the plan that was found is not proven optimal"),
        }
    }
}

/// The tables that a case needs, computed once for this process and kept in a folder.
pub fn store(case: &Case, folder: Option<&Path>) -> Result<Store, noyes_check::Refusal> {
    static STORE: Mutex<Option<Store>> = Mutex::new(None);
    let mut store = STORE.lock().unwrap_or_else(PoisonError::into_inner);
    let store = store.get_or_insert_with(|| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        Store::new(folder, threads)
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

/// The certificate of a case in memory, and what `noyes-check` says about it.
pub fn in_memory(
    case: Case,
    prover: Prover,
    store: &mut Store,
    control: &Control,
) -> Result<(Verdict, Vec<u8>), CertifyError> {
    let mut certificate = Certificate {
        case,
        refutes: None,
    };
    let (_, bytes) = prove::certify(&mut certificate, prover, store, vec![], control)?;
    let verdict = verify(bytes.as_slice(), store)?;
    Ok((verdict, bytes))
}

impl Wish<'_> {
    /// The record before there is a certificate.
    pub fn record(&self) -> Result<Certified, String> {
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

    fn goal_of(&self, board: &Board) -> Result<Board, String> {
        self.goal
            .of_size(board.width(), board.height())
            .map_err(|error| error.to_string())
    }

    /// The plan of a case as text.
    pub fn plan_text(&self, case: &Case) -> Option<String> {
        match case {
            Case::Tiles(case) => {
                let plan = case.plan.as_ref();
                plan.map(|plan| write_plan(plan, self.notation))
            }
            Case::Level(case) => case.plan.as_ref().map(|plan| plan.write(&case.level)),
        }
    }

    /// The case of a plan as text or, without one, of the plan of a solver.
    pub fn case(&self, plan: Option<&str>, control: &Control) -> Result<Case, Failure> {
        match plan {
            Some(text) => self.with_plan(text, control).map_err(Failure::Input),
            None => self.solved(control),
        }
    }

    fn with_plan(&self, text: &str, control: &Control) -> Result<Case, String> {
        let in_plan = |what| format!("plan: {what}");
        match self.given {
            Given::Board(board) => {
                let plan = tiles::read_plan(text, board, self.notation).map_err(in_plan)?;
                self.board_case(board, Some(plan))
            }
            Given::Level(level) => {
                let plan = level::read_plan(text, level).map_err(in_plan)?;
                self.level_case(level, Some(plan), control)
            }
        }
    }

    /// Solves the puzzle first.
    fn solved(&self, control: &Control) -> Result<Case, Failure> {
        let ask = ask::of(self.given, self.goal)
            .objective(self.objective)
            .no_wait(self.no_wait)
            .cache(self.cache.clone());
        let request = ask::request(ask).map_err(Failure::Wish)?;
        let answer = solve(&request, control).map_err(Failure::Solver)?;
        match answer.status {
            Status::Optimal | Status::Unsolvable => self.answered(&answer, control),
            Status::Limit(stop) => Err(Failure::Stopped(stop)),
            Status::Solved => Err(Failure::Unproven),
        }
    }

    /// The case of an optimal plan, or of an unsolvable puzzle.
    pub fn answered(&self, answer: &Answer, control: &Control) -> Result<Case, Failure> {
        let plan = answer.plan.as_ref();
        match self.given {
            Given::Board(board) => {
                let plan = plan.and_then(Plan::directions).map(<[_]>::to_vec);
                self.board_case(board, plan).map_err(Failure::Input)
            }
            Given::Level(level) => {
                let plan = plan.and_then(Plan::walks).cloned();
                let case = self.level_case(level, plan, control);
                case.map_err(Failure::Open)
            }
        }
    }

    /// The case of a board; `plan` is nothing if it has no plan.
    fn board_case(&self, board: &Board, plan: Option<Vec<Direction>>) -> Result<Case, String> {
        let goal = self.goal_of(board)?;
        let tables = match self.axioms {
            Axioms::None => vec![],
            Axioms::Auto => default_tables(&goal),
            Axioms::Patterns(partition) => {
                tables_of(&goal, partition).map_err(|error| error.to_string())?
            }
        };
        Ok(Case::Tiles(TilesCase {
            start: board.clone(),
            goal,
            plan,
            tables,
        }))
    }

    /// The case of a level; `plan` is nothing if it has no plan.
    fn level_case(
        &self,
        level: &Level,
        plan: Option<Walks>,
        control: &Control,
    ) -> Result<Case, String> {
        if let Some(plan) = plan.as_ref().filter(|_| self.no_wait) {
            sokoban_plan(level, plan, false).map_err(|fault| format!("plan: {fault}"))?;
        }
        let counts = match self.objective.unwrap_or_default() {
            Objective::Pushes if level.players().len() == 1 => Counts::Pushes,
            _ if self.no_wait => Counts::StepsWithoutWaiting,
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
}
