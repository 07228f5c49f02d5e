//! Jobs: searches that run on a bounded number of threads, wait in a bounded queue, and stop when nobody wants them.
//!
//! A job is queued, then running, then done, or cancelled on the way. It always ends with a record, which has at least the
//! bounds that were known by then. Finished jobs are in the store.
//!
//! A solve that waits for a job and readers of its events keep it alive. A client that goes while it waits takes its job
//! along, because nobody else knows the job. A reader may only have lost its connection, so the job goes on for [`GRACE`]
//! after the last reader has gone or the last client has asked for its status. A solve that hands out the address of its
//! job leaves it running: it goes on until someone has read its events and gone.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use noyes_answer::wish::Wish;
use noyes_solver::{Control, solve};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::watch;

use super::metrics::Metrics;
use super::store::{Ended, Store};
use crate::record::{self, JobState, Progress};

/// A client that has asked for a job's status or read its events counts as a reader for this long.
const GRACE: Duration = Duration::from_secs(5);

/// The phase of a job.
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

    /// Its progress.
    pub fn progress(&self) -> Progress {
        let elapsed = match &*self.phase.borrow() {
            Phase::Running(since) => since.elapsed(),
            _ => Duration::ZERO,
        };
        Progress::of(&self.control, elapsed.as_secs_f64())
    }

    /// How it ended, if it has.
    pub fn ended(&self) -> Option<Arc<Ended>> {
        match &*self.phase.borrow() {
            Phase::Ended(ended) => Some(ended.clone()),
            _ => None,
        }
    }

    /// Waits until it has ended.
    pub async fn end(&self) -> Arc<Ended> {
        let mut phase = self.phase.subscribe();
        let ended = phase.wait_for(|phase| matches!(phase, Phase::Ended(_)));
        match &*ended.await.expect("the sender is here") {
            Phase::Ended(ended) => ended.clone(),
            _ => unreachable!("waited for"),
        }
    }

    /// Its record now.
    pub fn view(&self) -> record::Job {
        let state = match &*self.phase.borrow() {
            Phase::Ended(ended) => return ended.view(&self.id),
            _ if self.stop.load(SeqCst) => JobState::Cancelled, // its result comes as soon as the engine has noticed
            Phase::Queued => JobState::Queued,
            Phase::Running(_) => JobState::Running,
        };
        record::Job {
            schema: record::SCHEMA,
            id: self.id.clone(),
            state,
            progress: raw(&self.progress()),
            result: None,
        }
    }

    /// Notes that a client has asked for it.
    pub fn ask(&self) {
        *lock(&self.asked) = Some(Instant::now());
    }

    /// How long the last question keeps it alive.
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

    /// Searches, and returns how that ended.
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
    /// What happens to the job when the last one lets go.
    after: After,
}

/// What happens to a job when its last watcher lets go.
enum After {
    /// It stops: nobody else knows it.
    Stop,
    /// It goes on for a while, in case the client comes back.
    Grace,
    /// It goes on.
    Nothing,
}

impl Watching {
    pub fn job(&self) -> &Arc<Job> {
        &self.job
    }

    /// Lets go and leaves the job running: a client has its address.
    pub fn leave(mut self) {
        self.after = After::Nothing;
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        if matches!(self.after, After::Grace) {
            self.job.ask();
        }
        self.job.watchers.fetch_sub(1, SeqCst);
        if matches!(self.after, After::Nothing) || !self.job.is_unwanted() {
            return;
        }
        if self.job.grace().is_zero() {
            self.jobs.cancel(&self.job);
        } else if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(cancel_later(self.job.clone(), self.jobs.clone()));
        }
    }
}

/// Stops a job when nobody has asked for it for a while, unless someone reads its events by then.
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
    /// By id, until they are in the store.
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

    /// An id that nobody can guess.
    fn name(&self) -> String {
        let count = self.count.fetch_add(1, SeqCst);
        format!("{:016x}", self.names.hash_one(count))
    }

    /// Answers a quick wish in the calling thread.
    pub fn at_once(&self, wish: Wish) -> Ended {
        let job = Job::new(self.name(), wish);
        let ended = job.run(&self.metrics);
        self.store.put(&job.id, &ended);
        ended
    }

    /// Queues a wish; the client that asked watches the job.
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
        Ok(self.watch(job, After::Stop))
    }

    /// Keeps a job alive for a reader of its events, and for a while after it has gone.
    pub fn read(self: &Arc<Jobs>, job: Arc<Job>) -> Watching {
        self.watch(job, After::Grace)
    }

    fn watch(self: &Arc<Jobs>, job: Arc<Job>, after: After) -> Watching {
        job.watchers.fetch_add(1, SeqCst);
        Watching {
            job,
            jobs: self.clone(),
            after,
        }
    }

    /// A job that is not in the store yet.
    pub fn live(&self, id: &str) -> Option<Arc<Job>> {
        lock(&self.live).get(id).cloned()
    }

    /// A job that has ended, if it is still kept.
    pub fn kept(&self, id: &str) -> Option<Ended> {
        self.store.get(id)
    }

    /// Stops a job: at once if it waits, very soon if it runs.
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

    /// The numbers of waiting and of running searches.
    pub fn load(&self) -> (usize, usize) {
        (lock(&self.queue).len(), self.running.load(SeqCst))
    }

    /// Takes no more jobs and stops all; returns whether they ended in time.
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

    /// Runs a job to its end, and stores it.
    fn conclude(&self, job: &Arc<Job>) {
        job.phase.send_replace(Phase::Running(Instant::now()));
        let ended = job.run(&self.metrics);
        self.store.put(&job.id, &ended);
        job.phase.send_replace(Phase::Ended(Arc::new(ended)));
        lock(&self.live).remove(&job.id);
    }
}
