//! Jobs: searches that run on a bounded number of threads, wait in a bounded queue, and stop when nobody wants them.
//!
//! A job is queued, then running, then done, or cancelled on the way; in any case it ends with a record, which has
//! at least the bounds that were known when it ended. Finished jobs live in the store.
//!
//! What keeps a job alive: a solve that waits for it, and readers of its events. When the last of them goes, it
//! is stopped, at once or, if someone has asked how it is, [`GRACE`] after the last time anyone did. Only a solve that
//! hands out the place of the job leaves it running: then it goes on until someone has read its events and gone.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use noyes_solver::{Control, solve};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::watch;

use super::metrics::Metrics;
use super::store::{Ended, Store};
use super::wish::Wish;
use crate::record::{self, JobState, Progress};

/// A client that has asked for a job's status counts as its reader for this long.
const GRACE: Duration = Duration::from_secs(5);

/// Where a job is.
#[derive(Clone)]
enum Phase {
    Queued,
    Running(Instant),
    Ended(Arc<Ended>),
}

/// One search.
pub struct Job {
    pub id: String,
    wish: Wish,
    control: Control,
    stop: Arc<AtomicBool>,
    phase: watch::Sender<Phase>,
    watchers: AtomicUsize,
    asked: Mutex<Option<Instant>>,
}

impl Job {
    fn new(id: String, wish: Wish) -> Job {
        let stop = Arc::new(AtomicBool::new(false));
        Job {
            id,
            control: Control::new()
                .stop_flag(stop.clone())
                .memory_limit(wish.bytes),
            wish,
            stop,
            phase: watch::Sender::new(Phase::Queued),
            watchers: AtomicUsize::new(0),
            asked: Mutex::new(None),
        }
    }

    /// How far it is.
    pub fn progress(&self) -> Progress {
        let (expanded, generated) = self.control.nodes();
        let bounds = self.control.bounds();
        let elapsed = match &*self.phase.borrow() {
            Phase::Running(since) => since.elapsed(),
            _ => Duration::ZERO,
        };
        Progress {
            lower: bounds.lower,
            upper: bounds.upper,
            expanded,
            generated,
            conflicts: self.control.conflicts(),
            elapsed_s: elapsed.as_secs_f64(),
        }
    }

    /// Its end, if it has ended.
    pub fn ended(&self) -> Option<Arc<Ended>> {
        match &*self.phase.borrow() {
            Phase::Ended(ended) => Some(ended.clone()),
            _ => None,
        }
    }

    /// Its end, once it has come.
    pub async fn end(&self) -> Arc<Ended> {
        let mut phase = self.phase.subscribe();
        let ended = phase.wait_for(|phase| matches!(phase, Phase::Ended(_)));
        match &*ended.await.expect("the sender is here") {
            Phase::Ended(ended) => ended.clone(),
            _ => unreachable!("waited for"),
        }
    }

    /// The job as it is now.
    pub fn view(&self) -> record::Job {
        let state = match &*self.phase.borrow() {
            Phase::Ended(ended) => return ended.view(&self.id),
            _ if self.stop.load(SeqCst) => JobState::Cancelled, // its record comes as soon as the engine has seen it
            Phase::Queued => JobState::Queued,
            Phase::Running(_) => JobState::Running,
        };
        record::Job {
            id: self.id.clone(),
            state,
            progress: raw(&self.progress()),
            result: None,
        }
    }

    /// Someone asks for it.
    pub fn ask(&self) {
        *lock(&self.asked) = Some(Instant::now());
    }

    /// How long it is still kept alive by a client that has asked for it.
    fn grace(&self) -> Duration {
        let asked = *lock(&self.asked);
        asked.map_or(Duration::ZERO, |asked| {
            GRACE.saturating_sub(asked.elapsed())
        })
    }

    /// Whether it runs or waits, and nobody keeps it alive.
    fn is_unwanted(&self) -> bool {
        self.watchers.load(SeqCst) == 0 && self.ended().is_none()
    }

    /// Searches, and gives the end.
    fn run(&self, metrics: &Metrics) -> Ended {
        let begun = Instant::now();
        let control = self.control.clone().time_limit(self.wish.time);
        let solved = catch_unwind(AssertUnwindSafe(|| solve(&self.wish.request, &control)));
        let mut progress = self.progress();
        progress.elapsed_s = begun.elapsed().as_secs_f64();
        let (status, record) = match &solved {
            Ok(Ok(answer)) => {
                progress.lower = answer.bounds.lower;
                progress.upper = answer.bounds.upper;
                (answer.status.name(), self.wish.record(answer))
            }
            Ok(Err(error)) => ("error", self.wish.failed(error.to_string())),
            Err(_) => {
                let error = "internal error, please report it".into();
                ("error", self.wish.failed(error))
            }
        };
        metrics.job_ended(status, begun.elapsed());
        Ended {
            state: if self.stop.load(SeqCst) {
                JobState::Cancelled
            } else {
                JobState::Done
            },
            progress: raw(&progress),
            result: raw(&record.of_job(&self.id)),
        }
    }
}

fn raw(value: &impl Serialize) -> Box<RawValue> {
    to_raw_value(value).expect("plain fields")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Held by those who wait for a job or read its events; the job stops when the last one lets go.
pub struct Watching {
    job: Arc<Job>,
    jobs: Arc<Jobs>,
    /// Whether the job goes on without.
    is_left: bool,
}

impl Watching {
    pub fn job(&self) -> &Arc<Job> {
        &self.job
    }

    /// Lets go and leaves the job running: a client has its address.
    pub fn leave(mut self) {
        self.is_left = true;
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        self.job.watchers.fetch_sub(1, SeqCst);
        if self.is_left || !self.job.is_unwanted() {
            return;
        }
        if self.job.grace().is_zero() {
            self.jobs.cancel(&self.job);
        } else if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(cancel_later(self.job.clone(), self.jobs.clone()));
        }
    }
}

/// Stops a job once nobody has asked for it any more for a while, unless someone reads its events again by then.
async fn cancel_later(job: Arc<Job>, jobs: Arc<Jobs>) {
    while job.is_unwanted() {
        let grace = job.grace();
        if grace.is_zero() {
            return jobs.cancel(&job);
        }
        let _ = tokio::time::timeout(grace, job.end()).await;
    }
}

/// The queue is full, or the server is about to stop.
pub struct Full;

/// All jobs of a server.
pub struct Jobs {
    queue: Mutex<VecDeque<Arc<Job>>>,
    more: Condvar,
    most_waiting: usize,
    /// By name, until they are in the store.
    live: Mutex<HashMap<String, Arc<Job>>>,
    running: AtomicUsize,
    closing: AtomicBool,
    store: Store,
    metrics: Arc<Metrics>,
    names: RandomState,
    count: AtomicU64,
}

impl Jobs {
    /// Starts its threads.
    pub fn start(
        threads: usize,
        most_waiting: usize,
        store: Store,
        metrics: Arc<Metrics>,
    ) -> std::io::Result<Arc<Jobs>> {
        let jobs = Arc::new(Jobs {
            queue: Mutex::default(),
            more: Condvar::new(),
            most_waiting,
            live: Mutex::default(),
            running: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
            store,
            metrics,
            names: RandomState::new(),
            count: AtomicU64::new(0),
        });
        for i in 0..threads {
            let jobs = jobs.clone();
            thread::Builder::new()
                .name(format!("search {i}"))
                .spawn(move || jobs.work())?;
        }
        Ok(jobs)
    }

    /// A name that nobody can guess.
    fn name(&self) -> String {
        let count = self.count.fetch_add(1, SeqCst);
        format!("{:016x}", self.names.hash_one(count))
    }

    /// Answers a quick wish on this thread.
    pub fn at_once(&self, wish: Wish) -> Ended {
        let job = Job::new(self.name(), wish);
        let ended = job.run(&self.metrics);
        self.store.put(&job.id, &ended);
        ended
    }

    /// Takes a wish into the queue; the job is watched by the client that asked.
    pub fn add(self: &Arc<Jobs>, wish: Wish) -> Result<Watching, Full> {
        let job = Arc::new(Job::new(self.name(), wish));
        {
            let mut queue = lock(&self.queue);
            if queue.len() >= self.most_waiting || self.closing.load(SeqCst) {
                return Err(Full);
            }
            lock(&self.live).insert(job.id.clone(), job.clone());
            queue.push_back(job.clone());
        }
        self.more.notify_one();
        Ok(self.watch(job))
    }

    /// Watches a job.
    pub fn watch(self: &Arc<Jobs>, job: Arc<Job>) -> Watching {
        job.watchers.fetch_add(1, SeqCst);
        Watching {
            job,
            jobs: self.clone(),
            is_left: false,
        }
    }

    /// A job that has not ended, or only just.
    pub fn live(&self, id: &str) -> Option<Arc<Job>> {
        lock(&self.live).get(id).cloned()
    }

    /// A job that has ended, if it is still kept.
    pub fn kept(&self, id: &str) -> Option<Ended> {
        self.store.get(id)
    }

    /// Stops a job; one that waits ends at once, one that runs very soon.
    pub fn cancel(&self, job: &Arc<Job>) {
        job.stop.store(true, SeqCst);
        let waited = {
            let mut queue = lock(&self.queue);
            let at = queue.iter().position(|other| Arc::ptr_eq(other, job));
            at.and_then(|at| queue.remove(at))
        };
        if let Some(job) = waited {
            self.conclude(&job);
        }
    }

    /// Searches that wait and that run.
    pub fn load(&self) -> (usize, usize) {
        (lock(&self.queue).len(), self.running.load(SeqCst))
    }

    /// Takes no more jobs and stops those there are; says whether all have ended in time.
    pub fn close(&self, patience: Duration) -> bool {
        self.closing.store(true, SeqCst);
        let until = Instant::now() + patience;
        let jobs: Vec<_> = lock(&self.live).values().cloned().collect();
        for job in &jobs {
            self.cancel(job);
        }
        while !lock(&self.live).is_empty() && Instant::now() < until {
            thread::sleep(Duration::from_millis(5));
        }
        lock(&self.live).is_empty()
    }

    fn work(&self) {
        loop {
            let job = {
                let mut queue = lock(&self.queue);
                loop {
                    match queue.pop_front() {
                        Some(job) => break job,
                        None => {
                            queue = (self.more.wait(queue)).unwrap_or_else(PoisonError::into_inner);
                        }
                    }
                }
            };
            self.running.fetch_add(1, SeqCst);
            self.conclude(&job);
            self.running.fetch_sub(1, SeqCst);
        }
    }

    /// Runs a job to its end and keeps that.
    fn conclude(&self, job: &Arc<Job>) {
        job.phase.send_replace(Phase::Running(Instant::now()));
        let ended = job.run(&self.metrics);
        self.store.put(&job.id, &ended);
        job.phase.send_replace(Phase::Ended(Arc::new(ended)));
        lock(&self.live).remove(&job.id);
    }
}
