//! The loop over bounds: is there a plan of at most k moves, for one k after the other?
//!
//! An [encoding](super::encoding) writes the question as clauses, a [backend](super::backend) answers it, a
//! [`Schedule`](super::Schedule) says which k comes next, and [`KeepName`] whether the solver is kept for it. These are
//! four free choices: an encoding's question holds for every plan of k moves or fewer, so a no raises the lower bound
//! and a plan lowers the upper one in any order, and both are published as soon as they are known. Parity makes each no
//! worth two moves.
//!
//! The loop begins at the lower bound. `from` makes it begin elsewhere: below the bound, the solver has to refute what is
//! known anyway, as in papers that begin at 1; above it, shorter lengths are asked once there is a plan. The bounds that
//! are reported know the lower bound from the start.
//!
//! Several threads work on the bounds at once. Each takes a question that no other thread has; if there is no such
//! question, it takes the same one with a solver that searches differently. It gives up when another thread's answer has
//! made its question pointless. The first answer to each question counts. [`Share`] can instead put all threads on the
//! same question, with or without an exchange of the clauses they learn.
//!
//! A plan is found here and replayed elsewhere, as with every engine.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use super::backend::{BackendError, BackendName, Order, Shared, Watch};
use super::encoding::Question;
use super::keep::{Asked, Incremental, Keep, Make, Other, Rest, Restart};
use super::options::{KeepName, SatOptions, Share};
use crate::answer::{Outcome, Status};
use crate::clock::ThreadClock;
use crate::control::{Control, Stop};
use crate::counts::{Bounds, Counts, SatCounts};

/// What to solve, whatever the puzzle.
pub(crate) struct Task<'a, M> {
    pub make: &'a Make<'a, M>,
    /// Asked in its place, where it can be.
    pub other: Option<&'a Other<'a, M>>,
    /// Whether each bound needs a formula of its own, decided forward.
    pub is_for_one_bound: bool,
    /// No plan is shorter, and one of this length has the right parity.
    pub lower: u32,
    /// The lengths of plans differ by multiples of this.
    pub stride: u32,
    /// Whether the optimal plans are among the models.
    pub is_optimal: bool,
    /// The length of a known plan, so that we notice a program that always says no.
    pub surely: Option<u32>,
    /// A plan that is longer has a shorter one: if no plan has this length, no plan exists.
    pub most: Option<u32>,
    /// The bytes of the tables that `other` uses.
    pub table_bytes: usize,
}

/// What the threads of a solve share.
struct Race<'a, M> {
    task: &'a Task<'a, M>,
    options: &'a SatOptions<()>,
    control: &'a Control,
    shared: Arc<Shared>,
    state: Mutex<Standing<M>>,
}

struct Standing<M> {
    /// The question of each thread.
    asked: Vec<Option<u32>>,
    plan: Option<Vec<M>>,
    end: Option<Result<Stop, BackendError>>,
    counts: SatCounts,
    bytes: usize,
    cpu: Duration,
}

/// How a solve ended.
pub struct Solved<M> {
    /// Its outcome, or that the backend is a program that fails or lies.
    pub outcome: Result<Outcome<M>, BackendError>,
    /// Processor time of threads other than the caller's.
    pub cpu: Duration,
    /// The solver, which takes a while to free: publish the outcome before you drop this.
    pub rest: Rest,
}

impl<M> Solved<M> {
    /// There is nothing to do.
    pub(crate) fn empty() -> Solved<M> {
        Solved::at_once(Outcome::optimal(vec![], 0, Counts::of_sat()))
    }

    /// Without a question.
    pub(crate) fn at_once(outcome: Outcome<M>) -> Solved<M> {
        Solved {
            outcome: Ok(outcome),
            cpu: Duration::ZERO,
            rest: Rest::default(),
        }
    }

    /// The same with its plan in other words.
    pub(crate) fn map<N>(self, plan: impl FnOnce(Vec<M>) -> Vec<N>) -> Solved<N> {
        let outcome = self.outcome.map(|outcome| Outcome {
            plan: outcome.plan.map(plan),
            status: outcome.status,
            bounds: outcome.bounds,
            counts: outcome.counts,
        });
        Solved {
            outcome,
            cpu: self.cpu,
            rest: self.rest,
        }
    }
}

impl<'a, M> Task<'a, M> {
    /// The task of an encoding that has all optimal plans for every bound.
    pub(crate) fn new(make: &'a Make<'a, M>, lower: u32, stride: u32) -> Task<'a, M> {
        Task {
            make,
            other: None,
            is_for_one_bound: false,
            lower,
            stride,
            is_optimal: true,
            surely: None,
            most: None,
            table_bytes: 0,
        }
    }
}

impl<M: Send + 'static> Task<'_, M> {
    fn shared(&self, options: &SatOptions<()>) -> Shared {
        let shared = Shared::new(self.first(options.from), self.table_bytes);
        #[cfg(feature = "cadical")]
        if options.share == Share::Clauses && options.threads > 1 {
            return shared.with_exchange();
        }
        let _ = options; // only CaDiCaL gives away what it learns
        shared
    }

    /// The least length that may be asked: the lower bound, or what comes before it if that was asked for.
    fn first(&self, from: Option<u32>) -> u32 {
        let below = self.lower - from.unwrap_or(self.lower).min(self.lower);
        let below = below.next_multiple_of(self.stride);
        // Lengths of the other parity have no plan: they mean the one before.
        (self.lower.checked_sub(below)).unwrap_or(self.lower % self.stride)
    }

    /// Asks until the bounds meet, a limit is reached, or any plan is enough. Without a plan and limits it never ends.
    pub(crate) fn run(&self, options: &SatOptions<()>, control: &Control) -> Solved<M> {
        control.raise_lower(self.lower);
        let race = Race {
            task: self,
            options,
            control,
            shared: Arc::new(self.shared(options)),
            state: Mutex::new(Standing {
                asked: vec![None; options.threads],
                plan: None,
                end: None,
                counts: SatCounts::default(),
                bytes: 0,
                cpu: Duration::ZERO,
            }),
        };
        if options.threads <= 1 {
            let rest = race.run(0).leave();
            race.solved(rest)
        } else {
            thread::scope(|scope| {
                for number in 0..options.threads {
                    let race = &race;
                    let spawned = thread::Builder::new().spawn_scoped(scope, move || {
                        let cpu = ThreadClock::now();
                        drop(race.run(number));
                        race.state().cpu += cpu.elapsed();
                    });
                    if spawned.is_err() && number == 0 {
                        drop(race.run(0)); // no threads: then alone
                    }
                }
            });
            race.solved(Rest::default())
        }
    }
}

impl<'a, M: Send + 'static> Race<'a, M> {
    fn state(&self) -> std::sync::MutexGuard<'_, Standing<M>> {
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

    /// One thread: asks until the bounds meet. Returns its solver, which takes a while to free.
    fn run(&self, number: usize) -> Box<dyn Keep<M> + 'a> {
        let SatOptions { backend, keep, .. } = self.options;
        // A portfolio has both of our solvers, unless another was asked for or they are to share clauses.
        let is_shared = self.options.share == Share::Clauses;
        let backend = if backend.is_cadical() && number % 4 == 3 && !is_shared {
            &BackendName::Batsat
        } else {
            backend
        };
        let make = self.task.make;
        let order = if self.task.is_for_one_bound {
            Order::Forward
        } else {
            Order::Free
        };
        let least = self.bounds().lower;
        let first = Question { k: least, least };
        let mut keep: Box<dyn Keep<M> + 'a> =
            match (keep, self.task.other.and_then(|other| other(backend))) {
                (_, Some(other)) => other,
                (KeepName::Incremental, None) if order == Order::Free => {
                    let solver = backend.fresh(number, order, &self.shared);
                    Box::new(Incremental::new(make(first), solver))
                }
                _ => Box::new(Restart::new(make, backend, number, order)),
            };
        let mut conflicts = 0;
        while let Some(k) = self.next(number) {
            let watch = Watch::new(self.control, self.shared.clone(), k);
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

    /// The next question of a thread, if possible one that no other thread has.
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
        let SatOptions { at_most, from, .. } = *self.options;
        // Of the parity of plans.
        let most = at_most.map(|most| {
            let more = most.checked_sub(bounds.lower);
            more.map(|more| most - more % stride)
        });
        if most == Some(None) && state.plan.is_none() {
            state.end = Some(Ok(Stop::Bound));
        }
        let most = most.map_or(Some(u32::MAX), |most| most)?;
        let wanted = match (at_most, from) {
            (Some(_), None) => return Some(most).filter(|_| state.plan.is_none()),
            (_, Some(from)) if from > bounds.lower && bounds.upper.is_none() => {
                let lower = bounds.lower + (from - bounds.lower).next_multiple_of(stride);
                let bounds = Bounds { lower, ..bounds };
                self.options.bounds.next(bounds, stride)?.min(most)
            }
            _ => self.options.bounds.next(bounds, stride)?.min(most),
        };
        if self.options.share != Share::Lengths {
            return Some(wanted);
        }
        let is_free = |k: &u32| !state.asked.contains(&Some(*k));
        let by = stride as usize;
        let above = (wanted..=wanted + stride * state.asked.len() as u32).step_by(by);
        let above = above.take_while(|&k| k <= most && bounds.upper.is_none_or(|upper| k < upper));
        let below = (bounds.lower..wanted).rev().skip(by - 1).step_by(by);
        let k = above.chain(below).find(is_free).unwrap_or(wanted);
        state.asked[number] = Some(k);
        Some(k)
    }

    fn found(&self, plan: Vec<M>, k: u32) {
        let mut state = self.state();
        let length = plan.len() as u32;
        // A wrong plan, from a bug or a lying solver, is kept: the replay will reject it.
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

    fn solved(self, rest: Rest) -> Solved<M> {
        let state = self
            .state
            .into_inner()
            .expect("no thread panics while it holds this");
        let mut lower = self.task.lower;
        if self.task.is_optimal {
            lower = lower.max(self.shared.lower.load(Relaxed));
        }
        Solved {
            cpu: state.cpu,
            outcome: state.outcome(lower),
            rest,
        }
    }
}

impl<M> Standing<M> {
    fn outcome(self, lower: u32) -> Result<Outcome<M>, BackendError> {
        let counts = Counts {
            peak_bytes: self.bytes,
            sat: Some(self.counts),
            ..Counts::default()
        };
        let end = match self.end {
            Some(Err(error)) => return Err(error),
            Some(Ok(stop)) => Err(stop),
            None => Ok(()),
        };
        Ok(match (end, self.plan) {
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
        })
    }
}
