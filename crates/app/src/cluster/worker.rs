//! `noyes worker`: takes items from the queue, performs them, and stores the results.
//!
//! Each of a worker's slots is a loop: take an item, perform it in a thread of its own, store the result, acknowledge the
//! item. There is a slot for each thread; a worker with a graphics card has more, for parts that wait for the card. While an item is performed, its lease is renewed; a worker that is killed stops renewing, and the item is handed
//! out again. An item that was handed out [`MOST_TRIES`] times without a result is reported as failed instead of being
//! tried again: something about it kills workers.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Result;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use noyes_solver::{Control, DeviceName};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore, watch};

use super::link::{Link, RENEWAL};
use super::message::{Done, Outcome, Task, VERSION, Work};
use super::metrics;
use super::perform::Bench;
use super::state::Status;
use super::tables as tables_store;
use crate::args::Worker as Args;
use crate::record::Progress;
use crate::terminal::exit::{Exit, at_once};
use crate::terminal::fault::BadInput;
use crate::terminal::limits;
use crate::terminal::print::{complain, counted};
use crate::terminal::tables;

/// An item is handed out at most this often.
pub const MOST_TRIES: i64 = 5;
/// Parts that a card may have at once, beside the work of the threads.
const CARD_PARTS: usize = 256;
/// How long a slot waits for an item before it asks again.
const WAIT: Duration = Duration::from_secs(5);
/// How long to wait after an error of the server.
const PAUSE: Duration = Duration::from_millis(500);
/// How long to wait between two reports of an item's progress.
const NEWS: Duration = Duration::from_millis(500);

/// One worker: what its slots share.
pub struct Worker {
    link: Link,
    bench: Bench,
    name: String,
    host: String,
    threads: usize,
    has_card: bool,
    /// A slot has one of these while it takes and performs an item, but not while it waits for the card.
    processors: Arc<Semaphore>,
    begun: Instant,
    busy: AtomicUsize,
    /// Results that are on their way to the server.
    storing: AtomicUsize,
    done: AtomicU64,
    failed: AtomicU64,
    returned: AtomicU64,
    cpu_us: AtomicU64,
    /// When the last item ended, in milliseconds from the beginning.
    last_ms: AtomicU64,
    /// The items that are being performed, by run.
    items: Mutex<HashMap<u64, Item>>,
    names: AtomicU64,
}

/// An item that is being performed.
struct Item {
    run: String,
    stop: Arc<AtomicBool>,
    /// Whether nobody wants its result any more.
    is_cancelled: Arc<AtomicBool>,
}

pub fn run(args: &Args) -> Result<Exit> {
    let threads = match args.threads {
        Some(threads) => threads.into(),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let slots = match args.device {
        DeviceName::Cpu => threads,
        DeviceName::Gpu => threads + CARD_PARTS,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(slots)
        .enable_all()
        .build()?;
    let done = runtime.block_on(work(args, threads, slots));
    runtime.shutdown_background();
    done
}

async fn work(args: &Args, threads: usize, slots: usize) -> Result<Exit> {
    let bytes = args.memory_limit.or_else(limits::default_memory);
    let bytes = bytes.unwrap_or(usize::MAX);
    let mut bench = Bench::new(
        tables::shared(args.pdb_dir.as_ref()),
        args.time_limit,
        bytes / threads,
        bytes,
    );
    #[cfg(feature = "bench")]
    if let Some(most) = args.memory_limit {
        bench.allowed.memory_bytes = most as u64;
    }
    if args.device == DeviceName::Gpu {
        let used = bench.use_card();
        used.map_err(|why| BadInput::new(format!("--device: {why}")))?;
    }
    let link = Link::connect(&args.nats).await?;
    let queue = link.queue().await?;
    let worker = Arc::new(Worker {
        bench,
        name: name(),
        host: host(),
        link,
        threads,
        has_card: args.device == DeviceName::Gpu,
        processors: Arc::new(Semaphore::new(threads)),
        begun: Instant::now(),
        busy: AtomicUsize::new(0),
        storing: AtomicUsize::new(0),
        done: AtomicU64::new(0),
        failed: AtomicU64::new(0),
        returned: AtomicU64::new(0),
        cpu_us: AtomicU64::new(0),
        last_ms: AtomicU64::new(0),
        items: Mutex::default(),
        names: AtomicU64::new(0),
    });
    if let Some(address) = args.metrics {
        let reported = worker.clone();
        let reporter = move || reported.status();
        metrics::serve(address, reporter).await.map_err(|error| {
            BadInput::new(format!("--metrics: cannot listen at {address}: {error}"))
        })?;
    }
    let signal = stop_signal();
    let (stopping, is_stopping) = watch::channel(false);
    tokio::spawn(answer_pings(worker.clone()));
    tokio::spawn(obey_stops(worker.clone()));
    let slots: Vec<_> = (0..slots)
        .map(|_| {
            let (worker, queue) = (worker.clone(), queue.clone());
            tokio::spawn(slot(worker, queue, is_stopping.clone()))
        })
        .collect();
    complain(format_args!(
        "noyes: worker {} takes work with {}{}",
        worker.name,
        counted(threads, "thread", "threads"),
        if worker.has_card { " and a card" } else { "" }
    ));
    tokio::select! {
        () = signal.notified() => {}
        () = worker.is_idle(args.idle) => {}
    }
    // 1. Take no more. 2. Finish what ends soon. 3. Return the rest.
    stopping.send_replace(true);
    let until = Instant::now() + args.grace;
    while worker.busy.load(SeqCst) > 0 && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    for item in worker.items().values() {
        item.stop.store(true, SeqCst);
    }
    for slot in slots {
        let _ = tokio::time::timeout(Duration::from_secs(3), slot).await;
    }
    let until = Instant::now() + Duration::from_secs(3);
    while worker.storing.load(SeqCst) > 0 && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    let _ = tokio::time::timeout(Duration::from_secs(2), worker.link.client.flush()).await;
    let Status { done, returned, .. } = worker.status();
    let returned = match returned {
        0 => String::new(),
        n => format!(", {} returned", counted(n as usize, "item", "items")),
    };
    complain(format_args!(
        "noyes: worker {} ends: {} done{returned}",
        worker.name,
        counted(done as usize, "item", "items")
    ));
    Ok(Exit::Answered)
}

/// Notified by the first Ctrl-C or SIGTERM; the second one ends the program at once, and other workers get its items.
fn stop_signal() -> Arc<Notify> {
    let stop = Arc::new(Notify::new());
    let (notify, again) = (stop.clone(), AtomicBool::new(false));
    let handler = move || {
        if again.swap(true, SeqCst) {
            at_once(Exit::Interrupted);
        }
        notify.notify_one();
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        complain(format_args!(
            "noyes: Ctrl-C will end the program at once: {error}"
        ));
    }
    stop
}

fn host() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match name.trim() {
        "" => "unknown".into(),
        name => name.into(),
    }
}

/// A name that no other worker has.
fn name() -> String {
    let mut random = [0; 4];
    let _ = getrandom::fill(&mut random);
    let id = u32::from_le_bytes(random);
    format!("{}-{}-{id:08x}", host(), std::process::id())
}

/// Takes and performs items until the worker stops.
async fn slot(worker: Arc<Worker>, mut queue: PullConsumer, mut stopping: watch::Receiver<bool>) {
    while !*stopping.borrow_and_update() {
        let next = async {
            let processors = worker.processors.clone();
            let processor = processors.acquire_owned().await.expect("never closed");
            (take(&queue).await, processor)
        };
        let (next, processor) = tokio::select! {
            next = next => next,
            _ = stopping.changed() => break,
        };
        match next {
            Ok(Some(message)) => worker.clone().handle(message, processor).await,
            Ok(None) => {
                if let Ok(true) = worker.link.mend_queue(&mut queue).await {
                    complain("noyes: the NATS server has lost its place in the queue; mended");
                }
            }
            // The connection is made again in the background; the queue may be gone.
            Err(_) => {
                tokio::time::sleep(PAUSE).await;
                if let Ok(again) = worker.link.queue().await {
                    queue = again;
                }
            }
        }
    }
}

/// The next item, if one comes soon.
async fn take(queue: &PullConsumer) -> Result<Option<Message>, async_nats::Error> {
    let mut batch = queue
        .fetch()
        .max_messages(1)
        .expires(WAIT)
        .messages()
        .await?;
    let limit = WAIT + Duration::from_secs(2);
    match tokio::time::timeout(limit, batch.next()).await {
        Ok(next) => next.transpose(),
        Err(_) => Ok(None),
    }
}

impl Worker {
    /// What it says about itself.
    pub fn status(&self) -> Status {
        Status {
            worker: self.name.clone(),
            version: VERSION.into(),
            threads: self.threads,
            has_card: self.has_card,
            busy: self.busy.load(Relaxed),
            done: self.done.load(Relaxed),
            failed: self.failed.load(Relaxed),
            returned: self.returned.load(Relaxed),
            up_s: self.begun.elapsed().as_secs_f64(),
            cpu_s: self.cpu_us.load(Relaxed) as f64 / 1e6,
            host: self.host.clone(),
        }
    }

    fn items(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Item>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends when there has been no work for this long; never if no time is given.
    async fn is_idle(&self, patience: Option<Duration>) {
        let Some(patience) = patience else {
            return std::future::pending().await;
        };
        loop {
            tokio::time::sleep(Duration::from_millis(100)).await;
            let last = Duration::from_millis(self.last_ms.load(Relaxed));
            let idle = self.begun.elapsed().saturating_sub(last);
            if self.busy.load(Relaxed) == 0 && idle >= patience {
                return;
            }
        }
    }

    /// Performs an item, stores its result and acknowledges it.
    async fn handle(self: Arc<Worker>, message: Message, processor: OwnedSemaphorePermit) {
        self.busy.fetch_add(1, SeqCst);
        let next = self.clone().perform(message, processor).await;
        self.busy.fetch_sub(1, SeqCst);
        let now = self.begun.elapsed().as_millis() as u64;
        self.last_ms.store(now, Relaxed);
        // The slot takes its next item meanwhile.
        if let Some((message, run, item, done)) = next {
            self.storing.fetch_add(1, SeqCst);
            tokio::spawn(async move {
                self.store(&message, &run, &item, &done).await;
                self.storing.fetch_sub(1, SeqCst);
            });
        }
    }

    /// What came of an item; none if nobody wants it, or it was returned.
    async fn perform(
        self: Arc<Worker>,
        message: Message,
        processor: OwnedSemaphorePermit,
    ) -> Option<(Message, String, String, Done)> {
        let subject = message.subject.to_string();
        let Some((run, item)) = Link::run_and_item(&subject) else {
            let _ = message.ack_with(AckKind::Term).await;
            return None;
        };
        let (run, item) = (run.to_string(), item.to_string());
        let tries = message.info().map_or(1, |info| info.delivered);
        let work = match Work::read(&message.payload) {
            _ if tries > MOST_TRIES => Err(format!(
                "given up: handed out {MOST_TRIES} times, and no worker came back with a result"
            )),
            read => read,
        };
        let begun = Instant::now();
        let (outcome, cpu) = match work {
            Err(why) => (Outcome::Failed(why), Duration::ZERO),
            Ok(work) => {
                let stop = Arc::new(AtomicBool::new(false));
                let cancelled = Arc::new(AtomicBool::new(false));
                let key = self.names.fetch_add(1, Relaxed);
                self.items().insert(
                    key,
                    Item {
                        run: run.clone(),
                        stop: stop.clone(),
                        is_cancelled: cancelled.clone(),
                    },
                );
                let processor = (!self.bench.is_for_card(&work)).then_some(processor);
                let performed = self.clone().lead(&message, &run, &item, work, stop.clone());
                let performed = performed.await;
                drop(processor);
                self.items().remove(&key);
                if cancelled.load(SeqCst) {
                    let _ = message.ack().await;
                    return None;
                }
                if stop.load(SeqCst) {
                    self.returned.fetch_add(1, Relaxed);
                    self.give_back(&message).await;
                    return None;
                }
                performed
            }
        };
        if matches!(outcome, Outcome::Failed(_)) {
            self.failed.fetch_add(1, Relaxed);
        }
        self.cpu_us.fetch_add(cpu.as_micros() as u64, Relaxed);
        let done = Done {
            version: VERSION.into(),
            worker: self.name.clone(),
            wall_s: begun.elapsed().as_secs_f64(),
            cpu_s: cpu.as_secs_f64(),
            outcome,
        };
        Some((message, run, item, done))
    }

    /// Performs an item in a thread of its own; meanwhile renews its lease and tells its progress.
    async fn lead(
        self: Arc<Worker>,
        message: &Message,
        run: &str,
        item: &str,
        work: Work,
        stop: Arc<AtomicBool>,
    ) -> (Outcome, Duration) {
        // A table that cannot be fetched is built.
        for path in self.bench.missing_tables(&work) {
            let _ = message.ack_with(AckKind::Progress).await;
            if let Err(error) = tables_store::fetch(&self.link, &path).await {
                complain(format_args!(
                    "noyes: {}: not fetched: {error:#}",
                    path.display()
                ));
            }
        }
        let control = Control::new().stop_flag(stop);
        let is_search = matches!(work.task, Task::Solve { .. });
        let (bench, inside) = (self.clone(), control.clone());
        let mut thread = tokio::task::spawn_blocking(move || {
            let cpu = cpu_time::ThreadTime::now();
            let perform = || bench.bench.perform(&work, &inside);
            let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(perform))
                .unwrap_or_else(|_| Outcome::Failed("internal error, please report it".into()));
            (outcome, cpu.elapsed())
        });
        let begun = Instant::now();
        let mut renewed = begun;
        let subject = self.link.progress_subject(run, item);
        loop {
            match tokio::time::timeout(NEWS, &mut thread).await {
                Ok(Ok(done)) => return done,
                Ok(Err(error)) => {
                    let why = format!("internal error, please report it: {error}");
                    return (Outcome::Failed(why), Duration::ZERO);
                }
                Err(_) => {}
            }
            if renewed.elapsed() >= RENEWAL {
                renewed = Instant::now();
                let _ = message.ack_with(AckKind::Progress).await;
            }
            if is_search {
                let progress = Progress::of(&control, begun.elapsed().as_secs_f64());
                let json = serde_json::to_vec(&progress).expect("plain fields");
                let _ = self.link.client.publish(subject.clone(), json.into()).await;
            }
        }
    }

    /// Returns an item to the queue, as a new copy whose tries count anew: it is not the item that stops this worker.
    async fn give_back(&self, message: &Message) {
        let (subject, bytes) = (message.subject.clone(), message.payload.clone());
        let copied = async { self.link.jetstream.publish(subject, bytes).await?.await };
        let kind = match copied.await {
            Ok(_) => AckKind::Ack,
            Err(_) => AckKind::Nak(None),
        };
        let _ = message.ack_with(kind).await;
    }

    /// Stores a result until the server has it, then acknowledges the item.
    async fn store(&self, message: &Message, run: &str, item: &str, done: &Done) {
        let subject = self.link.kept_subject(run, item);
        let bytes = bytes::Bytes::from(done.write(self.link.most_bytes()));
        let begun = Instant::now();
        loop {
            let stored = async {
                let ack = self.link.jetstream.publish(subject.clone(), bytes.clone());
                ack.await?.await
            };
            if stored.await.is_ok() {
                break;
            }
            // Another worker that gets the item meanwhile finds the same.
            if begun.elapsed() > Duration::from_secs(600) {
                return;
            }
            let _ = message.ack_with(AckKind::Progress).await;
            tokio::time::sleep(PAUSE).await;
        }
        let _ = message.ack().await;
        self.done.fetch_add(1, Relaxed);
    }
}

/// Replies to everyone who asks for the status of workers.
async fn answer_pings(worker: Arc<Worker>) {
    loop {
        let subject = worker.link.ping_subject();
        if let Ok(mut pings) = worker.link.client.subscribe(subject).await {
            while let Some(ping) = pings.next().await {
                if let Some(reply) = ping.reply {
                    let json = serde_json::to_vec(&worker.status()).expect("plain fields");
                    let _ = worker.link.client.publish(reply, json.into()).await;
                }
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Stops the items of runs that are cancelled or have found what they looked for.
async fn obey_stops(worker: Arc<Worker>) {
    loop {
        let subject = worker.link.stop_subject("*");
        if let Ok(mut stops) = worker.link.client.subscribe(subject).await {
            while let Some(stop) = stops.next().await {
                let run = stop.subject.rsplit('.').next().unwrap_or_default();
                for item in worker.items().values().filter(|item| item.run == run) {
                    item.is_cancelled.store(true, SeqCst);
                    item.stop.store(true, SeqCst);
                }
            }
        }
        tokio::time::sleep(PAUSE).await;
    }
}
