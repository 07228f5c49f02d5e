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
pub(crate) mod by_sat;
pub mod cnf;
pub mod csp;
pub mod dimacs;
pub mod encoding;
mod facts;
mod fit;
mod forms;
mod formula;
mod incremental;
mod lazy;
mod lean;
mod level;
mod name;
mod options;
mod places;
mod restart;
mod schedule;
mod tiles;

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use cpu_time::ThreadTime;
use noyes_puzzle::tiles::{Board, Direction};

pub(crate) use facts::Facts;
pub use fit::{Unfit, fit_board, fit_level};
pub(crate) use lean::{lower_bound, manhattan};
pub use level::name::{Blocks, ByMoves, ByPushes, LevelEncoding};
pub(crate) use level::solve::run as run_level;
pub use level::solve::{LevelSatError, by_moves, by_pushes, solve_level};
pub use name::EncodingName;
pub use options::{KeepName, SatOptions};
pub use schedule::Schedule;
pub use tiles::name::{BoardEncoding, Extras};

use crate::answer::{Outcome, Status};
use crate::control::{Control, Stop};
use crate::counts::{Bounds, Counts, SatCounts};
use backend::{BackendError, BackendName, Order, Shared, Watch, memory_in_use};
use encoding::{Encoding, Question};
use incremental::Incremental;
use lean::Lean;
use restart::Restart;

/// What came of a question.
pub(crate) enum Asked<M> {
    Plan(Vec<M>),
    No,
    Stopped(Stop),
    Overtaken,
}

/// What answers questions.
pub(crate) trait Keep<M> {
    /// Whether there is such a plan.
    fn ask(
        &mut self,
        question: Question,
        control: &Control,
        watch: &Watch,
    ) -> Result<Asked<M>, BackendError>;

    fn counts(&self) -> SatCounts;

    /// About what its formula takes.
    fn bytes(&self) -> usize;
}

/// Writes a puzzle down anew, for a question first or for this one only: every thread, and every question that begins
/// from nothing, has a formula of its own.
pub(crate) type Make<'a, M> = dyn Fn(Question) -> Box<dyn Encoding<Move = M>> + Sync + 'a;

/// Something else that answers questions, if it goes with the backend.
pub(crate) type Other<'a, M> = dyn Fn(&BackendName) -> Option<Box<dyn Keep<M>>> + Sync + 'a;

/// What to solve, whatever the puzzle.
pub(crate) struct Task<'a, M> {
    pub make: &'a Make<'a, M>,
    /// Asked in its place, where it can be.
    pub other: &'a Other<'a, M>,
    /// Whether each bound needs a formula of its own, decided forward.
    pub is_for_one_bound: bool,
    /// No plan is shorter, and one of this length has the right parity.
    pub lower: u32,
    /// The lengths of plans differ by multiples of this.
    pub stride: u32,
    /// Whether the optimal plans are among the models.
    pub is_optimal: bool,
    /// A plan is at most this long, as a program that always says no should not be asked for ever.
    pub surely: Option<u32>,
    /// A plan that is longer has a shorter one, so where none has so many there is none at all.
    pub most: Option<u32>,
}

/// What the threads of a solve have in common.
struct Race<'a, M> {
    task: &'a Task<'a, M>,
    options: &'a SatOptions<()>,
    control: &'a Control,
    shared: Arc<Shared>,
    /// Memory in use at the beginning.
    used: usize,
    state: Mutex<State<M>>,
}

struct State<M> {
    /// The question of each thread.
    asked: Vec<Option<u32>>,
    plan: Option<Vec<M>>,
    end: Option<Result<Stop, BackendError>>,
    counts: SatCounts,
    bytes: usize,
    cpu: Duration,
}

/// An outcome, and the processor time of threads other than the caller's.
pub(crate) struct Solved<M> {
    pub outcome: Outcome<M>,
    pub cpu: Duration,
}

/// Is told how a solve ended, or that the backend is a program that fails or lies. Solvers with a large formula take a
/// while to clear away: this comes before.
pub(crate) type Tell<'a, M> = dyn FnMut(Result<Solved<M>, BackendError>) + 'a;

/// Solves a board that can be solved, of which `lower` is a lower bound. `surely` is the length of some plan.
#[expect(clippy::too_many_arguments, reason = "what is known of the board")]
pub(crate) fn solve(
    start: &Board,
    goal: &Board,
    lower: u32,
    surely: Option<u32>,
    options: &SatOptions<BoardEncoding>,
    facts: Option<&Arc<Facts>>,
    control: &Control,
    tell: &mut Tell<'_, Direction>,
) {
    let lower = of_parity(start, goal, lower);
    if start == goal {
        control.raise_lower(lower);
        return tell(Ok(Solved::empty()));
    }
    let task = Task {
        make: &|question| encoding::of(options.encoding, start, goal, question),
        other: &|backend| match (options.encoding, backend) {
            (BoardEncoding::Lean { fixed: false }, BackendName::Cadical) => {
                Some(Box::new(Lean::new(start, goal, facts.cloned())))
            }
            _ => None,
        },
        is_for_one_bound: options.encoding.is_for_one_bound(),
        lower,
        stride: 2,
        is_optimal: options.encoding.is_optimal(),
        surely,
        most: None,
    };
    task.run(&options.clone().with(()), control, tell);
}

impl<M> Solved<M> {
    /// Nothing is to be done.
    fn empty() -> Solved<M> {
        Solved::at_once(Outcome::optimal(vec![], 0, Counts::of_sat()))
    }

    /// Without a question.
    fn at_once(outcome: Outcome<M>) -> Solved<M> {
        Solved {
            outcome,
            cpu: Duration::ZERO,
        }
    }
}

impl<M: Send> Task<'_, M> {
    /// Asks until the bounds meet, a limit comes or a plan will do. Without any plan, and without limits, for ever.
    pub(crate) fn run(&self, options: &SatOptions<()>, control: &Control, tell: &mut Tell<'_, M>) {
        control.raise_lower(self.lower);
        let race = Race {
            task: self,
            options,
            control,
            shared: Arc::new(Shared {
                lower: self.lower.into(),
                upper: u32::MAX.into(),
            }),
            used: memory_in_use(),
            state: Mutex::new(State {
                asked: vec![None; options.threads],
                plan: None,
                end: None,
                counts: SatCounts::default(),
                bytes: 0,
                cpu: Duration::ZERO,
            }),
        };
        if options.threads <= 1 {
            let keep = race.run(0);
            tell(race.outcome());
            drop(keep); // it may take a while
        } else {
            thread::scope(|scope| {
                for number in 0..options.threads {
                    let race = &race;
                    let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                        let cpu = ThreadTime::now();
                        drop(race.run(number));
                        race.state().cpu += cpu.elapsed();
                    });
                    if spawned.is_err() && number == 0 {
                        drop(race.run(0)); // no threads at all: then alone
                    }
                }
            });
            tell(race.outcome());
        }
    }
}

/// The bound, raised to the parity that all plans have: that of the blank's distance from its goal.
fn of_parity(start: &Board, goal: &Board, lower: u32) -> u32 {
    let side = |b: &Board| b.blank() % b.width() + b.blank() / b.width();
    lower + (side(start) + side(goal) + lower as usize) as u32 % 2
}

impl<'a, M: Send> Race<'a, M> {
    fn state(&self) -> std::sync::MutexGuard<'_, State<M>> {
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

    /// One thread: asks until all is known. What it asked with is given back to be cleared away.
    fn run(&self, number: usize) -> Box<dyn Keep<M> + 'a> {
        let SatOptions { backend, keep, .. } = self.options;
        // A portfolio has both of our solvers, unless another was asked for.
        let backend = match (backend, number % 4) {
            (BackendName::Cadical, 3) => &BackendName::Batsat,
            (backend, _) => backend,
        };
        let make = self.task.make;
        let order = if self.task.is_for_one_bound {
            Order::Forward
        } else {
            Order::Free
        };
        let first = Question {
            k: self.task.lower,
            least: self.task.lower,
        };
        let mut keep: Box<dyn Keep<M> + 'a> = match (keep, (self.task.other)(backend)) {
            (_, Some(other)) => other,
            (KeepName::Incremental, None) if order == Order::Free => {
                let encoding = make(first);
                Box::new(Incremental::new(
                    encoding,
                    backend,
                    number,
                    order,
                    self.control,
                ))
            }
            _ => Box::new(Restart::new(make, backend, number, order)),
        };
        let mut conflicts = 0;
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
            let so_far = keep.counts().conflicts;
            self.control.add_conflicts(so_far.saturating_sub(conflicts));
            conflicts = so_far;
        }
        let (mut state, counts) = (self.state(), keep.counts());
        state.bytes += keep.bytes();
        state.counts = state.counts.and(counts);
        keep
    }

    /// The next question of a thread, one that no other has if there is one.
    fn next(&self, number: usize) -> Option<u32> {
        let mut state = self.state();
        state.asked[number] = None;
        if state.end.is_some() || (self.options.any && state.plan.is_some()) {
            return None;
        }
        let bounds = self.bounds();
        let stride = self.task.stride;
        if self.task.most.is_some_and(|most| bounds.lower > most) {
            return None; // and no plan
        }
        if let Some(most) = self.options.at_most {
            // Of the parity of plans.
            let k = most
                .checked_sub(bounds.lower)
                .map(|more| most - more % stride);
            if k.is_none() && state.plan.is_none() {
                state.end = Some(Ok(Stop::Bound));
            }
            return k.filter(|_| state.plan.is_none());
        }
        let wanted = self.options.bounds.next(bounds, stride)?;
        let is_free = |k: &u32| !state.asked.contains(&Some(*k));
        let by = stride as usize;
        let above = (wanted..=wanted + stride * state.asked.len() as u32).step_by(by);
        let above = above.take_while(|&k| bounds.upper.is_none_or(|upper| k < upper));
        let below = (bounds.lower..wanted).rev().skip(by - 1).step_by(by);
        let k = above.chain(below).find(is_free).unwrap_or(wanted);
        state.asked[number] = Some(k);
        Some(k)
    }

    fn found(&self, plan: Vec<M>, k: u32) {
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
        if self.task.surely.is_some_and(|surely| surely <= k) {
            return self.end(Err(BackendError::WrongNo {
                program: backend.to_string(),
                k,
            }));
        }
        let lower = k + self.task.stride;
        self.shared.lower.fetch_max(lower, Relaxed);
        if self.task.is_optimal {
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

    fn outcome(self) -> Result<Solved<M>, BackendError> {
        let state = self
            .state
            .into_inner()
            .expect("no thread panics while it holds this");
        let lower = self.shared.lower.load(Relaxed);
        let lower = if self.task.is_optimal {
            lower
        } else {
            self.task.lower
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
            (Ok(()), None) => Outcome::unsolvable(lower, counts),
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
