//! Backends: the solvers that answer whether clauses can all hold.
//!
//! One small interface over solvers in this process, CaDiCaL and batsat, and any program that reads DIMACS. All are
//! asked under assumptions and keep their clauses, and all look up from their work some twenty times a second at
//! least, through a [`Watch`]: the limits and the stop flag act inside a question, and so does another thread that
//! has made the question pointless.

mod batsat;
mod cadical;
mod command;
#[cfg(any(feature = "glucose", feature = "minisat"))]
mod rustsat;

use std::cell::Cell;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

pub use batsat::Batsat;
pub use cadical::Cadical;
pub(crate) use cadical::{Learns, Looks};
pub use command::{Command, end_programs, read_model};

use super::cnf::{Lit, Sink};
use crate::control::{Control, Stop};

/// What a solver says to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All clauses can hold, and the values are there to be asked for.
    Satisfiable,
    /// They cannot all hold with the assumptions.
    Unsatisfiable,
    /// A limit came first.
    Stopped(Stop),
    /// Nobody wants to know any more.
    Overtaken,
}

/// A solver.
pub trait Backend: Sink {
    /// Whether all clauses so far can hold together with the assumptions.
    ///
    /// # Errors
    /// If the solver is another program, and that fails.
    fn solve(&mut self, assumptions: &[Lit], watch: &Watch) -> Result<Verdict, BackendError>;

    /// Whether a literal holds in the model found last.
    fn holds(&mut self, lit: Lit) -> bool;

    /// Conflicts and decisions so far, where they are known.
    fn counts(&self) -> (u64, u64);
}

/// What goes wrong with a program that should be a solver.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BackendError {
    /// It cannot be started.
    #[error("the solver {program} cannot be started: {why}")]
    Start {
        /// Its name.
        program: String,
        /// What the system says.
        why: String,
    },
    /// The file with the formula cannot be written.
    #[error("the formula for {program} cannot be written: {why}")]
    File {
        /// Its name.
        program: String,
        /// What the system says.
        why: String,
    },
    /// It ended in a way that means nothing.
    #[error(
        "the solver {program} ended with {ended} (expected exit code 10 for satisfiable or 20 for unsatisfiable){said}"
    )]
    Exit {
        /// Its name.
        program: String,
        /// How it ended.
        ended: String,
        /// The beginning of what it said, if anything.
        said: String,
    },
    /// It printed something else than a solver prints.
    #[error("the solver {program} printed what is no answer: {why}")]
    Garbage {
        /// Its name.
        program: String,
        /// What is wrong.
        why: String,
    },
    /// Its model is none.
    #[error("the model of the solver {program} is wrong: {why}")]
    WrongModel {
        /// Its name.
        program: String,
        /// What does not hold.
        why: String,
    },
    /// It said no where there is a plan.
    #[error(
        "the solver {program} is wrong: it says that there is no plan of {k} moves or fewer, but there is one"
    )]
    WrongNo {
        /// Its name.
        program: String,
        /// The question.
        k: u32,
    },
}

/// What a solver decides first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Whatever it thinks best.
    #[default]
    Free,
    /// Variables in the order of their numbers, true first, where it can be told so.
    Forward,
}

/// Which solver.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BackendName {
    /// CaDiCaL 3.0.1.
    #[default]
    Cadical,
    /// batsat, MiniSat in Rust.
    Batsat,
    /// A program that reads DIMACS, with its arguments.
    Command(String),
    /// Glucose.
    #[cfg(feature = "glucose")]
    Glucose,
    /// MiniSat.
    #[cfg(feature = "minisat")]
    Minisat,
}

impl BackendName {
    /// Those built into this program.
    pub const BUILT_IN: &[BackendName] = &[
        BackendName::Cadical,
        BackendName::Batsat,
        #[cfg(feature = "glucose")]
        BackendName::Glucose,
        #[cfg(feature = "minisat")]
        BackendName::Minisat,
    ];

    /// A fresh solver; those of different numbers go about it differently where they can.
    pub fn fresh(&self, variant: usize, order: Order) -> Box<dyn Backend> {
        match self {
            BackendName::Cadical => Box::new(Cadical::new(variant, order)),
            BackendName::Batsat => Box::new(Batsat::new(variant)),
            BackendName::Command(line) => Box::new(Command::new(line)),
            #[cfg(feature = "glucose")]
            BackendName::Glucose => Box::new(rustsat::Through::new(
                "glucose",
                rustsat_glucose::core::Glucose::default,
            )),
            #[cfg(feature = "minisat")]
            BackendName::Minisat => Box::new(rustsat::Through::new(
                "minisat",
                rustsat_minisat::core::Minisat::default,
            )),
        }
    }
}

impl fmt::Display for BackendName {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            BackendName::Cadical => f.write_str("cadical"),
            BackendName::Batsat => f.write_str("batsat"),
            BackendName::Command(line) => write!(f, "cmd:{line}"),
            #[cfg(feature = "glucose")]
            BackendName::Glucose => f.write_str("glucose"),
            #[cfg(feature = "minisat")]
            BackendName::Minisat => f.write_str("minisat"),
        }
    }
}

/// A backend that is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnknownBackend {
    /// It exists, but this program was built without it.
    #[error(
        "{name} is not built in (expected a build with --features {name}, or cmd:PROGRAM for the program)"
    )]
    NotBuiltIn {
        /// Its name, and that of the feature.
        name: String,
    },
    /// Not a name of one.
    #[error("{name:?} is no backend (expected {} or cmd:PROGRAM)", built_in())]
    Name {
        /// What was given.
        name: String,
    },
}

/// The names of those built in.
fn built_in() -> String {
    let names: Vec<String> = BackendName::BUILT_IN
        .iter()
        .map(ToString::to_string)
        .collect();
    names.join(", ")
}

/// Backends behind a feature of their name.
const FEATURES: [&str; 2] = ["glucose", "minisat"];

impl FromStr for BackendName {
    type Err = UnknownBackend;

    fn from_str(text: &str) -> Result<BackendName, UnknownBackend> {
        if let Some(line) = text.strip_prefix("cmd:").map(str::trim)
            && !line.is_empty()
        {
            return Ok(BackendName::Command(line.into()));
        }
        let mut known = BackendName::BUILT_IN.iter();
        let found = known.find(|backend| backend.to_string() == text);
        let name = text.to_owned();
        found.cloned().ok_or_else(|| match text {
            text if FEATURES.contains(&text) => UnknownBackend::NotBuiltIn { name },
            _ => UnknownBackend::Name { name },
        })
    }
}

/// The bounds that all threads of a solve share.
#[derive(Debug)]
pub struct Shared {
    /// No plan is shorter.
    pub lower: AtomicU32,
    /// A plan is this long; `u32::MAX` for none.
    pub upper: AtomicU32,
}

/// What a solver looks up to while it works on one question.
#[derive(Clone, Debug)]
pub struct Watch {
    control: Control,
    shared: Arc<Shared>,
    /// The question.
    k: u32,
    /// Bytes in use when the solve began.
    used: usize,
    /// When memory was looked at last: the system takes its time to tell.
    looked: Cell<Option<Instant>>,
    /// What the solver can have taken, if it is known.
    taken: Option<Taken>,
}

/// The most that a solver in this process can have taken: for what it was given, and for all that it ever learnt.
///
/// The system tells the memory of the process alone, and others work in it, too. So a solve is held against what
/// the process has grown by since it began, but never against more than this.
#[derive(Clone, Debug, Default)]
pub(crate) struct Taken(Arc<AtomicUsize>);

impl Taken {
    /// One more variable: its places in a few dozen tables.
    pub fn variable(&self) {
        self.0.fetch_add(600, Relaxed);
    }

    /// One more clause: itself, what the allocator keeps beside it, and where it is looked for.
    pub fn clause(&self, lits: usize) {
        self.0.fetch_add(160 + 4 * lits, Relaxed);
    }

    fn bytes(&self) -> usize {
        self.0.load(Relaxed)
    }
}

impl Watch {
    /// How often solvers that cannot look up themselves are looked after.
    pub const PERIOD: Duration = Duration::from_millis(5);

    /// A watch over the question k.
    pub(crate) fn new(control: &Control, shared: Arc<Shared>, k: u32, used: usize) -> Watch {
        Watch {
            control: control.clone(),
            shared,
            k,
            used,
            looked: Cell::new(None),
            taken: None,
        }
    }

    /// The same, over a solver that tells what it can have taken.
    pub(crate) fn over(&self, taken: &Taken) -> Watch {
        Watch {
            taken: Some(taken.clone()),
            ..self.clone()
        }
    }

    /// Why the solver should end, if it should.
    pub fn end(&self) -> Option<Verdict> {
        if self.k < self.shared.lower.load(Relaxed) || self.k >= self.shared.upper.load(Relaxed) {
            return Some(Verdict::Overtaken);
        }
        if let Err(stop) = self.control.poll_stop() {
            return Some(Verdict::Stopped(stop));
        }
        let period = Duration::from_millis(20);
        if self.control.most_bytes() < usize::MAX
            && self.looked.get().is_none_or(|at| at.elapsed() > period)
        {
            self.looked.set(Some(Instant::now()));
            let grown = memory_in_use().saturating_sub(self.used);
            let bytes = self.taken.as_ref().map_or(grown, |t| t.bytes().min(grown));
            if let Err(stop) = self.control.allow_bytes(bytes) {
                return Some(Verdict::Stopped(stop));
            }
        }
        None
    }

    /// Why a solver ended without an answer.
    pub(crate) fn why(&self) -> Verdict {
        // It ended because it was told to; by now the reason may be gone only if another thread overtook.
        self.looked.set(None);
        self.end().unwrap_or(Verdict::Overtaken)
    }
}

/// The memory of this process, where the system tells it. Solvers do not tell theirs while they work.
pub(crate) fn memory_in_use() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm
        .split_whitespace()
        .nth(1)
        .and_then(|n| n.parse::<usize>().ok());
    pages.unwrap_or(0) * 4096
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(control: &Control, k: u32) -> Watch {
        let shared = Shared {
            lower: 2.into(),
            upper: 9.into(),
        };
        Watch::new(control, Arc::new(shared), k, 0)
    }

    /// More pigeons than holes: hard for every solver here.
    fn pigeons(holes: usize, sink: &mut dyn Sink) {
        let at: Vec<Vec<Lit>> = (0..=holes)
            .map(|_| (0..holes).map(|_| sink.variable()).collect())
            .collect();
        for pigeon in &at {
            sink.clause(pigeon);
        }
        for hole in 0..holes {
            let lits: Vec<Lit> = at.iter().map(|p| p[hole]).collect();
            super::super::cnf::at_most_one(&lits, sink);
        }
    }

    #[test]
    fn assumptions_are_forgotten_after_their_question() {
        for name in BackendName::BUILT_IN {
            for variant in 0..4 {
                let mut solver = name.fresh(variant, Order::Free);
                let (a, b) = (solver.variable(), solver.variable());
                solver.clause(&[a, b]);
                let watch = watch(&Control::new(), 5);
                assert_eq!(solver.solve(&[-a, -b], &watch), Ok(Verdict::Unsatisfiable));
                assert_eq!(solver.solve(&[-a], &watch), Ok(Verdict::Satisfiable));
                assert!(solver.holds(b) && solver.holds(-a) && !solver.holds(-b));
                solver.clause(&[-b]);
                assert_eq!(solver.solve(&[], &watch), Ok(Verdict::Satisfiable));
                assert!(solver.holds(a));
                assert_eq!(solver.solve(&[-a], &watch), Ok(Verdict::Unsatisfiable));
            }
        }
    }

    #[test]
    fn memory_that_others_take_is_not_the_solvers() {
        for name in [BackendName::Cadical, BackendName::Batsat] {
            let mut solver = name.fresh(0, Order::Free);
            pigeons(7, &mut solver);
            let control = Control::new().memory_limit(50 << 20);
            // As if the whole process had grown since the solve began.
            let others = vec![1_u8; 100 << 20];
            let shared = Shared {
                lower: 2.into(),
                upper: 9.into(),
            };
            let watch = Watch::new(&control, Arc::new(shared), 5, 0);
            assert_eq!(
                solver.solve(&[], &watch),
                Ok(Verdict::Unsatisfiable),
                "{name}"
            );
            assert!(memory_in_use() > others.len());
        }
    }

    #[test]
    fn memory_that_a_solver_takes_ends_it() {
        for name in [BackendName::Cadical, BackendName::Batsat] {
            let mut solver = name.fresh(0, Order::Free);
            pigeons(80, &mut solver);
            let control = Control::new().memory_limit(10 << 20);
            let verdict = solver.solve(&[], &watch(&control, 5));
            assert_eq!(verdict, Ok(Verdict::Stopped(Stop::Memory)), "{name}");
        }
    }

    #[test]
    fn limits_act_inside_a_question() {
        for name in BackendName::BUILT_IN {
            let mut solver = name.fresh(0, Order::Free);
            pigeons(12, &mut solver);
            let control = Control::new().time_limit(Duration::from_millis(50));
            let begun = Instant::now();
            let verdict = solver.solve(&[], &watch(&control, 5));
            assert_eq!(verdict, Ok(Verdict::Stopped(Stop::Time)), "{name}");
            assert!(begun.elapsed() < Duration::from_secs(5), "{name}");
            if matches!(name, BackendName::Cadical | BackendName::Batsat) {
                assert!(solver.counts().0 > 0, "{name}");
            }
            let verdict = solver.solve(&[], &watch(&Control::new(), 1));
            assert_eq!(verdict, Ok(Verdict::Overtaken), "{name}");
        }
    }
}
