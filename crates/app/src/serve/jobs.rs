//! Jobs: searches that run on a bounded number of threads, wait in a bounded queue, and stop when nobody wants them.
//!
//! A job is queued, then running, then done, or cancelled on the way. It always ends with a record, which has at least the
//! bounds that were known by then. Finished jobs are in the store.
//!
//! A solve that waits for a job and readers of its events keep it alive. A client that goes while it waits takes its job
//! along, because nobody else knows the job. A reader may only have lost its connection, so the job goes on for [`GRACE`]
//! after the last reader has gone or the last client has asked for its status. A solve that hands out the address of its
//! job leaves it running: it goes on until someone has read its events and gone.
//!
//! With `--nats`, jobs go to workers instead of threads of this process (`cluster/jobs.rs`). Then they outlive the server.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasher, RandomState};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(feature = "cluster")]
use noyes_answer::limits::Limits;
#[cfg(feature = "cluster")]
use noyes_answer::wish::Shelf;
use noyes_answer::wish::Wish;
use noyes_solver::{Answer, Control, solve};
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use tokio::sync::watch;

use super::metrics::Metrics;
use super::store::{Ended, Store};
#[cfg(feature = "cluster")]
use crate::cluster::jobs::{Desk, Ending, Noted};
#[cfg(feature = "cluster")]
use crate::cluster::message::Solved;
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
    /// What a worker has said last, and what stops it there.
    #[cfg(feature = "cluster")]
    heard: Mutex<Option<Progress>>,
    #[cfg(feature = "cluster")]
    stopped: tokio::sync::Notify,
    /// Whether it is where a restart of this server does not lose it.
    #[cfg(feature = "cluster")]
    is_stored: watch::Sender<bool>,
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
            #[cfg(feature = "cluster")]
            heard: Mutex::new(None),
            #[cfg(feature = "cluster")]
            stopped: tokio::sync::Notify::new(),
            #[cfg(feature = "cluster")]
            is_stored: watch::Sender::new(false),
        }
    }

    /// Waits until the NATS server has it.
    #[cfg(feature = "cluster")]
    pub async fn stored(&self) {
        let mut is_stored = self.is_stored.subscribe();
        let _ = is_stored.wait_for(|is_stored| *is_stored).await;
    }

    /// Its progress.
    pub fn progress(&self) -> Progress {
        #[cfg(feature = "cluster")]
        if let Some(heard) = &*lock(&self.heard) {
            return heard.clone();
        }
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
        let solved = match solved {
            Ok(solved) => solved.map_err(|error| error.to_string()),
            Err(_) => Err("internal error, please report it".into()),
        };
        self.end_with(solved, begun, metrics)
    }

    /// How it ended, with an answer or an error.
    fn end_with(&self, solved: Result<Answer, String>, begun: Instant, metrics: &Metrics) -> Ended {
        let mut progress = self.progress();
        progress.elapsed_s = begun.elapsed().as_secs_f64();
        let (status, record) = match solved {
            Ok(answer) => {
                progress.lower = answer.bounds.lower;
                progress.upper = answer.bounds.upper;
                (answer.status.name(), self.wish.record(&answer))
            }
            Err(error) => ("error", self.wish.failed(error)),
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
    /// Where jobs go instead of to our threads.
    #[cfg(feature = "cluster")]
    elsewhere: Option<Desk>,
}

impl Jobs {
    /// Jobs that go to workers.
    #[cfg(feature = "cluster")]
    pub fn elsewhere(
        desk: Desk,
        most_waiting: usize,
        store: Store,
        metrics: Arc<Metrics>,
    ) -> Arc<Jobs> {
        Arc::new(Jobs {
            elsewhere: Some(desk),
            ..Jobs::new(most_waiting, store, metrics)
        })
    }

    fn new(most_waiting: usize, store: Store, metrics: Arc<Metrics>) -> Jobs {
        Jobs {
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
            #[cfg(feature = "cluster")]
            elsewhere: None,
        }
    }

    /// Starts its threads.
    pub fn start(
        threads: usize,
        most_waiting: usize,
        store: Store,
        metrics: Arc<Metrics>,
    ) -> std::io::Result<Arc<Jobs>> {
        let jobs = Arc::new(Jobs::new(most_waiting, store, metrics));
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
        #[cfg(feature = "cluster")]
        if self.elsewhere.is_some() {
            let mut live = lock(&self.live);
            if live.len() >= self.most_waiting || self.closing.load(SeqCst) {
                return Err(Full);
            }
            live.insert(job.id.clone(), job.clone());
            drop(live);
            tokio::spawn(self.clone().follow(job.clone(), true));
            return Ok(self.watch(job, After::Stop));
        }
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

    /// Whether jobs go to workers.
    #[cfg(feature = "cluster")]
    pub fn has_workers(&self) -> bool {
        self.elsewhere.is_some()
    }

    /// Figures of the queue that workers take from, for Prometheus.
    #[cfg(feature = "cluster")]
    pub async fn queue_metrics(&self) -> String {
        match &self.elsewhere {
            Some(desk) => desk.metrics().await,
            None => String::new(),
        }
    }

    /// Looks for a job that another server has taken, or this one before it was started again, and follows it from now on.
    #[cfg(feature = "cluster")]
    pub async fn look_for(self: &Arc<Jobs>, id: &str, limits: &Limits, shelf: &Shelf) {
        let Some(desk) = &self.elsewhere else {
            return;
        };
        if self.live(id).is_some() || self.kept(id).is_some() {
            return;
        }
        let Some((noted, ending)) = desk.find(id).await else {
            return;
        };
        // What this server does not allow was allowed by another one.
        let mut limits = *limits;
        limits.time = limits.time.max(noted.question.time(Duration::MAX));
        limits.search_bytes = usize::MAX;
        let Ok(wish) = Wish::of_question(&noted.question, &noted.puzzle, &limits, shelf) else {
            return;
        };
        let job = Arc::new(Job::new(id.into(), wish));
        if let Some(ending) = ending {
            let ended = self.ended_elsewhere(&job, ending, Instant::now());
            return self.store.put(id, &ended);
        }
        let is_new = lock(&self.live).insert(id.into(), job.clone()).is_none();
        if is_new {
            tokio::spawn(self.clone().follow(job, false));
        }
    }

    /// Follows a job on a worker to its end.
    #[cfg(feature = "cluster")]
    async fn follow(self: Arc<Jobs>, job: Arc<Job>, is_new: bool) {
        let Some(desk) = &self.elsewhere else {
            return;
        };
        let begun = Instant::now();
        let noted = Noted {
            question: job.wish.question.clone(),
            puzzle: job.wish.text(),
        };
        let hear = |progress| {
            *lock(&job.heard) = Some(progress);
            job.phase.send_if_modified(|phase| {
                let is_first = matches!(phase, Phase::Queued);
                if is_first {
                    *phase = Phase::Running(begun);
                }
                is_first
            });
        };
        let stored = || {
            job.is_stored.send_replace(true);
        };
        let lead = desk.lead(&job.id, &noted, is_new, &job.stopped, stored, hear);
        let ending = lead.await;
        job.is_stored.send_replace(true);
        let ended = self.ended_elsewhere(&job, ending, begun);
        self.store.put(&job.id, &ended);
        job.phase.send_replace(Phase::Ended(Arc::new(ended)));
        lock(&self.live).remove(&job.id);
    }

    /// How a job ended on a worker. The answer is verified here.
    #[cfg(feature = "cluster")]
    fn ended_elsewhere(&self, job: &Job, ending: Ending, begun: Instant) -> Ended {
        let solved = match ending {
            Ending::Cancelled => {
                job.stop.store(true, SeqCst);
                Ok(Answer::interrupted(&job.wish.request, job.progress().lower))
            }
            Ending::Solved(Solved::Error(error)) => Err(error),
            Ending::Solved(Solved::Answer(sent)) => sent
                .claim(&job.wish.puzzle)
                .and_then(|claim| {
                    let verified = claim.verified(&job.wish.request);
                    verified.map_err(|error| error.to_string())
                })
                .map_err(|why| format!("a worker's answer does not pass the check: {why}")),
        };
        job.end_with(solved, begun, &self.metrics)
    }

    /// Stops a job: at once if it waits, very soon if it runs.
    pub fn cancel(&self, job: &Arc<Job>) {
        job.stop.store(true, SeqCst);
        #[cfg(feature = "cluster")]
        job.stopped.notify_one();
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
        #[cfg(feature = "cluster")]
        if self.elsewhere.is_some() {
            let live = lock(&self.live);
            let is_running = |job: &&Arc<Job>| matches!(&*job.phase.borrow(), Phase::Running(_));
            let running = live.values().filter(is_running).count();
            return (live.len() - running, running);
        }
        (lock(&self.queue).len(), self.running.load(SeqCst))
    }

    /// Takes no more jobs and stops all; returns whether they ended in time.
    pub fn close(&self, patience: Duration) -> bool {
        self.closing.store(true, SeqCst);
        #[cfg(feature = "cluster")]
        if self.elsewhere.is_some() {
            return true; // workers go on, and the next server finds their answers
        }
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
