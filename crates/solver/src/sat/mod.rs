//! Plans by SAT: is there one of at most k moves? Asked for one k after the other.
//!
//! An [`encoding`] writes the question as clauses, a [`backend`] answers it, a [`Schedule`] says
//! which k comes next, and [`KeepName`] whether the solver is kept for it. These are four free choices: an encoding's
//! question holds for every plan of k moves or fewer, so a no raises the lower bound and a plan lowers the upper one in
//! any order, and both are told as soon as they are known. Parity makes each no worth two moves.
//!
//! Several threads work on the bounds at once: each takes the next question that none of the others has, or the same
//! with a solver that goes about it differently once there are no more, and gives up when another's answer has made
//! its own pointless. The first answer to each question counts.
//!
//! A plan is found here and replayed elsewhere, as with every engine.

pub mod backend;
pub mod cnf;
pub mod csp;
pub mod dimacs;
pub mod encoding;
mod facts;
mod formula;
mod incremental;
mod lazy;
mod lean;
mod restart;
mod schedule;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use noyes_puzzle::tiles::{Board, Direction};

pub(crate) use facts::Facts;
pub(crate) use lean::{default_partition, lower_bound, manhattan};
pub use schedule::Schedule;

use crate::answer::{Bounds, Counts, Outcome, Status};
use crate::control::{Control, Stop};
use crate::request::names;
use backend::{BackendError, BackendName, Shared, Watch, memory_in_use};
use encoding::{EncodingName, Question};
use incremental::Incremental;
use lean::Lean;
use restart::Restart;

names! {
    /// What is kept from one question to the next.
    KeepName {
        /// One solver, asked under assumptions.
        #[default]
        Incremental = "incremental",
        /// Nothing.
        Restart = "restart",
    }
}

/// How to solve by SAT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SatOptions {
    /// How the puzzle is written as clauses.
    pub encoding: EncodingName,
    /// What answers.
    pub backend: BackendName,
    /// Which bound is asked next.
    pub bounds: Schedule,
    /// What is kept between two questions.
    pub keep: KeepName,
    /// Whether the first plan will do.
    pub any: bool,
    /// How many questions are asked at once.
    pub threads: usize,
    /// Ask only whether there is a plan of at most so many moves.
    pub at_most: Option<u32>,
}

impl SatOptions {
    /// Whether the solver is told facts of pattern databases while it works.
    pub fn is_lazy(&self) -> bool {
        self.encoding == EncodingName::Lean { fixed: false } && self.backend == BackendName::Cadical
    }
}

impl Default for SatOptions {
    fn default() -> Self {
        SatOptions {
            encoding: EncodingName::default(),
            backend: BackendName::default(),
            bounds: Schedule::default(),
            keep: KeepName::default(),
            any: false,
            threads: 1,
            at_most: None,
        }
    }
}

/// What SAT solvers counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SatCounts {
    /// Conflicts, over all questions and threads.
    pub conflicts: u64,
    /// Decisions, likewise.
    pub decisions: u64,
    /// Variables of the largest formula.
    pub variables: u64,
    /// Clauses of the largest formula, without those added lazily.
    pub clauses: u64,
    /// Clauses added while the solver worked: what pattern databases said, where it was asked for.
    pub lazy_clauses: u64,
    /// Boards looked up in pattern databases.
    pub lookups: u64,
}

impl SatCounts {
    /// Of two solvers: sums, and the larger formula.
    #[must_use]
    pub fn and(self, other: SatCounts) -> SatCounts {
        SatCounts {
            conflicts: self.conflicts + other.conflicts,
            decisions: self.decisions + other.decisions,
            variables: self.variables.max(other.variables),
            clauses: self.clauses.max(other.clauses),
            lazy_clauses: self.lazy_clauses + other.lazy_clauses,
            lookups: self.lookups + other.lookups,
        }
    }
}

/// What came of a question.
pub(crate) enum Asked {
    Plan(Vec<Direction>),
    No,
    Stopped(Stop),
    Overtaken,
}

/// What answers questions.
pub(crate) trait Keep {
    /// Whether there is such a plan.
    fn ask(
        &mut self,
        question: Question,
        control: &Control,
        watch: &Watch,
    ) -> Result<Asked, BackendError>;

    fn counts(&self) -> SatCounts;

    /// About what its formula takes.
    fn bytes(&self) -> usize;
}

/// What the threads of a solve have in common.
struct Race<'a> {
    start: &'a Board,
    goal: &'a Board,
    options: &'a SatOptions,
    control: &'a Control,
    /// What lean knows of boards.
    facts: Option<Arc<Facts>>,
    shared: Arc<Shared>,
    /// No plan of fewer moves can be found, whether or not one exists: less than that is proven for an encoding that
    /// gives up plans.
    proven: u32,
    /// A plan is at most this long, as a program that always says no should not be asked for ever.
    surely: Option<u32>,
    /// Memory in use at the beginning.
    used: usize,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The question of each thread.
    asked: Vec<Option<u32>>,
    plan: Option<Vec<Direction>>,
    end: Option<Result<Stop, BackendError>>,
    counts: SatCounts,
    bytes: usize,
    cpu: Duration,
}

/// An outcome, and the processor time of threads other than the caller's.
pub(crate) struct Solved {
    pub outcome: Outcome<Direction>,
    pub cpu: Duration,
}

/// Solves a board that can be solved, of which `lower` is a lower bound. `surely` is the length of some plan.
///
/// # Errors
/// If the backend is a program that fails or lies.
pub(crate) fn solve(
    start: &Board,
    goal: &Board,
    lower: u32,
    surely: Option<u32>,
    options: &SatOptions,
    facts: Option<Arc<Facts>>,
    control: &Control,
) -> Result<Solved, BackendError> {
    let lower = of_parity(start, goal, lower);
    control.raise_lower(lower);
    if start == goal {
        let counts = Counts {
            sat: Some(SatCounts::default()),
            ..Counts::default()
        };
        let outcome = Outcome::optimal(vec![], 0, counts);
        return Ok(Solved {
            outcome,
            cpu: Duration::ZERO,
        });
    }
    let race = Race {
        start,
        goal,
        options,
        control,
        facts,
        shared: Arc::new(Shared {
            lower: lower.into(),
            upper: u32::MAX.into(),
        }),
        proven: lower,
        surely,
        used: memory_in_use(),
        state: Mutex::new(State {
            asked: vec![None; options.threads],
            ..State::default()
        }),
    };
    if options.threads <= 1 {
        race.run(0);
    } else {
        thread::scope(|scope| {
            for number in 0..options.threads {
                let race = &race;
                let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                    let cpu = ThreadTime::now();
                    race.run(number);
                    race.state().cpu += cpu.elapsed();
                });
                if spawned.is_err() && number == 0 {
                    race.run(0); // no threads at all: then alone
                }
            }
        });
    }
    race.outcome()
}

/// The bound, raised to the parity that all plans have: that of the blank's distance from its goal.
fn of_parity(start: &Board, goal: &Board, lower: u32) -> u32 {
    let side = |b: &Board| b.blank() % b.width() + b.blank() / b.width();
    lower + (side(start) + side(goal) + lower as usize) as u32 % 2
}

impl Race<'_> {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state
            .lock()
            .expect("no thread panics while it holds this")
    }

    fn bounds(&self) -> Bounds {
        let upper = self.shared.upper.load(Relaxed);
        Bounds {
            lower: self.shared.lower.load(Relaxed),
            upper: (upper != u32::MAX).then_some(upper),
        }
    }

    /// One thread: asks until all is known.
    fn run(&self, number: usize) {
        let SatOptions {
            encoding,
            backend,
            keep,
            ..
        } = self.options;
        // A portfolio has both of our solvers, unless another was asked for.
        let backend = match (backend, number % 4) {
            (BackendName::Cadical, 3) => &BackendName::Batsat,
            (backend, _) => backend,
        };
        let (start, goal, encoding) = (self.start, self.goal, *encoding);
        let first = Question {
            k: self.proven,
            least: self.proven,
        };
        let mut keep: Box<dyn Keep> = match (keep, encoding, backend) {
            (_, EncodingName::Lean { fixed: false }, BackendName::Cadical) => {
                Box::new(Lean::new(start, goal, self.facts.clone()))
            }
            (KeepName::Incremental, ..) if !encoding.is_for_one_bound() => Box::new(
                Incremental::new(start, goal, encoding, backend, number, first),
            ),
            _ => Box::new(Restart::new(start, goal, encoding, backend, number)),
        };
        while let Some(k) = self.next(number) {
            let watch = Watch::new(self.control, self.shared.clone(), k, self.used);
            let least = self.bounds().lower.min(k);
            match keep.ask(Question { k, least }, self.control, &watch) {
                Ok(Asked::Plan(plan)) => self.found(plan, k),
                Ok(Asked::No) => self.refused(k, backend),
                Ok(Asked::Stopped(stop)) => self.end(Ok(stop)),
                Ok(Asked::Overtaken) => {}
                Err(error) => self.end(Err(error)),
            }
        }
        let (mut state, counts) = (self.state(), keep.counts());
        state.bytes += keep.bytes();
        state.counts = state.counts.and(counts);
    }

    /// The next question of a thread, one that no other has if there is one.
    fn next(&self, number: usize) -> Option<u32> {
        let mut state = self.state();
        state.asked[number] = None;
        if state.end.is_some() || (self.options.any && state.plan.is_some()) {
            return None;
        }
        let bounds = self.bounds();
        if let Some(most) = self.options.at_most {
            // Of the parity of plans.
            let k = most.checked_sub(bounds.lower).map(|more| most - more % 2);
            if k.is_none() && state.plan.is_none() {
                state.end = Some(Ok(Stop::Bound));
            }
            return k.filter(|_| state.plan.is_none());
        }
        let wanted = self.options.bounds.next(bounds)?;
        let is_free = |k: &u32| !state.asked.contains(&Some(*k));
        let above = (wanted..=wanted + 2 * state.asked.len() as u32).step_by(2);
        let above = above.take_while(|&k| bounds.upper.is_none_or(|upper| k < upper));
        let below = (bounds.lower..wanted).rev().skip(1).step_by(2);
        let k = above.chain(below).find(is_free).unwrap_or(wanted);
        state.asked[number] = Some(k);
        Some(k)
    }

    fn found(&self, plan: Vec<Direction>, k: u32) {
        let mut state = self.state();
        let length = plan.len() as u32;
        // A plan that is none, by a bug or a solver that lies, must not go unseen: the replay refuses it.
        self.shared.upper.fetch_min(length, Relaxed);
        debug_assert!(length <= k, "a plan of at most {k} moves");
        if state
            .plan
            .as_ref()
            .is_none_or(|best| plan.len() < best.len())
        {
            self.control.reduce_upper(length);
            state.plan = Some(plan);
        }
        if self.options.any {
            self.shared.upper.store(0, Relaxed); // ends all other questions
        }
    }

    fn refused(&self, k: u32, backend: &BackendName) {
        if self.surely.is_some_and(|surely| surely <= k) {
            return self.end(Err(BackendError::WrongNo {
                program: backend.to_string(),
                k,
            }));
        }
        let lower = k + 2;
        self.shared.lower.fetch_max(lower, Relaxed);
        if self.options.encoding.is_optimal() {
            self.control.raise_lower(lower);
        }
    }

    fn end(&self, end: Result<Stop, BackendError>) {
        let mut state = self.state();
        // An error says more than a limit.
        if !matches!(state.end, Some(Err(_))) {
            state.end = Some(end);
        }
        self.shared.upper.store(0, Relaxed); // ends all other questions
    }

    fn outcome(self) -> Result<Solved, BackendError> {
        let state = self
            .state
            .into_inner()
            .expect("no thread panics while it holds this");
        let lower = self.shared.lower.load(Relaxed);
        let lower = if self.options.encoding.is_optimal() {
            lower
        } else {
            self.proven
        };
        let counts = Counts {
            peak_bytes: state.bytes,
            sat: Some(state.counts),
            ..Counts::default()
        };
        let end = match state.end {
            Some(Err(error)) => return Err(error),
            Some(Ok(stop)) => Err(stop),
            None => Ok(()),
        };
        let outcome = match (end, state.plan) {
            (end, Some(plan)) => {
                let cost = plan.len() as u32;
                Outcome {
                    status: match end {
                        _ if lower >= cost => Status::Optimal,
                        Ok(()) => Status::Solved,
                        Err(stop) => Status::Limit(stop),
                    },
                    bounds: Bounds {
                        lower: lower.min(cost),
                        upper: Some(cost),
                    },
                    plan: Some(plan),
                    counts,
                }
            }
            (Err(stop), None) => Outcome::stopped(stop, lower, counts),
            (Ok(()), None) => unreachable!("questions end with a plan, a limit or an error"),
        };
        Ok(Solved {
            outcome,
            cpu: state.cpu,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_get_the_parity_of_plans() {
        let board: Board = "1 2 3/4 0 6/7 5 8".parse().unwrap();
        let goal = Board::blank_last(3, 3);
        assert_eq!(of_parity(&board, &goal, 1), 2);
        assert_eq!(of_parity(&board, &goal, 2), 2);
    }
}
