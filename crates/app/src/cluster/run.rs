//! A run: items that a client has put into the queue, and the results that come back, each item once.
//!
//! Everything about a run is stored on the server under its id: items in the queue, results, and the state that the client
//! notes. A client that was killed goes on with `--attach ID`: it reads the results that exist and puts what is missing
//! into the queue again. If both the old item and the new one are performed, the results say the same, and the first one
//! that arrives counts.

use std::collections::{HashMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use async_nats::HeaderMap;
use async_nats::jetstream::consumer::{DeliverPolicy, pull};
use async_nats::jetstream::stream::{
    DeleteMessageErrorKind, LastRawMessageErrorKind, Stream as JetStream,
};
use bytes::Bytes;
use futures_util::{Stream, StreamExt};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::pin::Pin;
use tokio::task::{JoinHandle, JoinSet};

use super::link::Link;
use super::message::{Done, Outcome, VERSION, Work};
use super::state::Status;
use crate::terminal::fault::BadInput;
use crate::terminal::print::{counted, warn};

/// How long workers have to answer a ping.
const PING: Duration = Duration::from_millis(150);
/// After this time without a result, the client looks whether all its items still exist.
const QUIET: Duration = Duration::from_secs(15);
/// How long results may take that are on their way when a run is cancelled.
const LATE: Duration = Duration::from_millis(200);
const PAUSE: Duration = Duration::from_millis(500);
/// The name of a run's state among its results.
const STATE: &str = "state";

type Results = Pin<Box<dyn Stream<Item = Result<async_nats::jetstream::Message>> + Send>>;

/// One run.
pub struct Run {
    pub link: Link,
    pub id: String,
    /// The command, so that a run is not continued by another one.
    what: String,
    /// Makes this client's messages different from those of an earlier client of the run: the server takes a message once.
    pub session: String,
    results: Option<Results>,
    /// The results, while the server is asked for them again.
    listening: Option<JoinHandle<Result<Results>>>,
    /// Items without a result, with their bytes.
    open: HashMap<String, Bytes>,
    taken: HashSet<String>,
    /// Items whose results were stored when the run was continued, and have not been read yet.
    stored: HashSet<String>,
    /// Items that are being sent.
    sending: JoinSet<()>,
    /// When the last result came, and when the client last looked for lost items.
    last: Instant,
    looked: Instant,
}

/// How far a run is, as it is stored.
#[derive(Serialize, Deserialize)]
struct Noted<S> {
    version: String,
    what: String,
    state: S,
}

impl Run {
    /// Begins a run, or continues the one with this id. `what` describes the command.
    pub async fn begin(link: Link, attach: Option<&str>, what: &str) -> Result<Run> {
        let id = match attach {
            Some(id) => {
                check_id(id)?;
                id.to_string()
            }
            None => new_id(),
        };
        let mut run = Run::new(link, id, what);
        if attach.is_some() {
            // A run that belongs to another command goes on.
            run.state::<serde_json::Value>().await?;
            // What waits in the queue may be cut into items in another way now.
            run.clear_queue().await?;
            run.stored = stored(&run.link, &run.id).await?;
        }
        run.results = Some(listen(&run.link, &run.id).await?);
        Ok(run)
    }

    fn new(link: Link, id: String, what: &str) -> Run {
        Run {
            link,
            id,
            what: what.into(),
            session: new_id()[..6].into(),
            results: None,
            open: HashMap::new(),
            taken: HashSet::new(),
            stored: HashSet::new(),
            sending: JoinSet::new(),
            listening: None,
            last: Instant::now(),
            looked: Instant::now(),
        }
    }

    /// The run of a job of the service: it is followed by any number of servers.
    pub async fn follow(link: Link, id: &str) -> Result<Run> {
        let mut run = Run::new(link, id.into(), "job");
        run.results = Some(listen(&run.link, &run.id).await?);
        Ok(run)
    }

    /// Waits for the result of an item that is in the queue already.
    pub fn expect(&mut self, item: &str, work: &Work) -> Result<()> {
        let bytes = Bytes::from(serde_json::to_vec(work)?);
        self.open.insert(item.into(), bytes);
        Ok(())
    }

    /// A result that is stored, if there is one.
    pub async fn result(link: &Link, id: &str, item: &str) -> Option<Done> {
        let subject = link.kept_subject(id, item);
        let message = link.kept.get_last_raw_message_by_subject(&subject).await;
        Done::read(&message.ok()?.payload).ok()
    }

    /// Stores a result that no worker has found, such as that a job was cancelled.
    pub async fn conclude(&mut self, item: &str, outcome: Outcome) {
        self.stop().await;
        let done = Done {
            version: VERSION.into(),
            worker: String::new(),
            wall_s: 0.0,
            cpu_s: 0.0,
            outcome,
        };
        let subject = self.link.kept_subject(&self.id, item);
        let bytes = done.write(self.link.most_bytes()).into();
        store(&self.link, subject, HeaderMap::new(), bytes).await;
    }

    /// The state that an earlier client has noted, if there is one.
    pub async fn state<S: DeserializeOwned>(&mut self) -> Result<Option<S>> {
        let subject = self.link.kept_subject(&self.id, STATE);
        let message = match self
            .link
            .kept
            .get_last_raw_message_by_subject(&subject)
            .await
        {
            Ok(message) => message,
            Err(error) if error.kind() == LastRawMessageErrorKind::NoMessageFound => {
                return Ok(None);
            }
            // Not the same as no state: the run would begin again among its old results.
            Err(error) => return Err(error).context("the run's state cannot be read"),
        };
        let id = &self.id;
        let noted: Noted<S> = serde_json::from_slice(&message.payload)
            .map_err(|_| BadInput::new(format!("--attach {id}: the run's state is damaged")))?;
        if noted.version != VERSION {
            let version = noted.version;
            return Err(BadInput::new(format!(
                "--attach {id}: the run belongs to noyes {version}, and this is {VERSION}"
            ))
            .into());
        }
        if noted.what != self.what {
            return Err(BadInput::new(format!(
                "--attach {id}: the run belongs to another command; expected the same options and puzzles"
            ))
            .into());
        }
        Ok(Some(noted.state))
    }

    /// Notes how far the run is.
    pub async fn note<S: Serialize>(&mut self, state: S) -> Result<()> {
        let noted = Noted {
            version: VERSION.into(),
            what: self.what.clone(),
            state,
        };
        let bytes = Bytes::from(serde_json::to_vec(&noted)?);
        let subject = self.link.kept_subject(&self.id, STATE);
        store(&self.link, subject, HeaderMap::new(), bytes).await;
        Ok(())
    }

    /// Puts an item into the queue, unless its result is known.
    pub fn put(&mut self, item: &str, work: &Work) -> Result<()> {
        if self.taken.contains(item) {
            return Ok(());
        }
        let bytes = Bytes::from(serde_json::to_vec(work)?);
        let most = self.link.most_bytes();
        if bytes.len() > most {
            return Err(BadInput::new(format!(
                "the puzzle takes {} bytes, and a message at most {most}",
                bytes.len()
            ))
            .into());
        }
        self.open.insert(item.into(), bytes.clone());
        let (link, id, item) = (self.link.clone(), self.id.clone(), item.to_string());
        let message = format!("{id}.{item}.{}.0", self.session);
        self.sending
            .spawn(async move { send(&link, &id, &item, message, bytes).await });
        Ok(())
    }

    /// Waits until the server has all items that were put.
    pub async fn sent(&mut self) {
        while self.sending.join_next().await.is_some() {}
    }

    /// The number of items without a result.
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Whether the results that were stored when the run was continued have been read. One that was removed meanwhile is not
    /// waited for long.
    pub fn has_read_stored(&self) -> bool {
        self.stored.is_empty() || self.last.elapsed() >= QUIET
    }

    /// The next result. It may be one of an item that this client has not put into the queue, if the run is continued. The
    /// call may be given up and made again at any time.
    pub async fn next(&mut self) -> Result<(String, Done)> {
        loop {
            while self.sending.try_join_next().is_some() {}
            let Some(results) = &mut self.results else {
                self.listen_again().await;
                continue;
            };
            let quiet = self.last.max(self.looked) + QUIET;
            match tokio::time::timeout_at(quiet.into(), results.next()).await {
                Ok(Some(Ok(message))) => {
                    if let Some(result) = self.take(&message)? {
                        return Ok(result);
                    }
                }
                Ok(Some(Err(_)) | None) => self.results = None, // from the beginning
                Err(_) => {
                    self.looked = Instant::now();
                    self.look_for_lost_items();
                    // A server that was killed may number new results from further back, where we would not look.
                    self.results = None;
                }
            }
        }
    }

    /// Listens to the results again, once the server can be reached.
    async fn listen_again(&mut self) {
        let listening = self.listening.get_or_insert_with(|| {
            let (link, id) = (self.link.clone(), self.id.clone());
            tokio::spawn(async move {
                tokio::time::sleep(PAUSE).await;
                listen(&link, &id).await
            })
        });
        let heard = listening.await;
        self.listening = None;
        self.results = heard.ok().and_then(Result::ok);
    }

    /// A result that was not seen before.
    fn take(&mut self, message: &async_nats::jetstream::Message) -> Result<Option<(String, Done)>> {
        let subject = message.subject.to_string();
        let Some((_, item)) = Link::run_and_item(&subject) else {
            return Ok(None);
        };
        self.stored.remove(item);
        if item == STATE || self.taken.contains(item) {
            return Ok(None);
        }
        let done = Done::read(&message.payload)
            .map_err(anyhow::Error::msg)
            .with_context(|| format!("the result of item {item}"))?;
        self.last = Instant::now();
        self.taken.insert(item.into());
        self.open.remove(item);
        Ok(Some((item.into(), done)))
    }

    /// Sends items again that are in no stream any more, and says what it waits for, in the background.
    fn look_for_lost_items(&mut self) {
        if self.open.is_empty() {
            return;
        }
        let (link, id) = (self.link.clone(), self.id.clone());
        let waited = self.last.elapsed().as_secs();
        let (open, session) = (self.open.clone(), self.session.clone());
        self.sending.spawn(async move {
            let Ok(queued) = queued(&link, &id).await else {
                warn(format_args!(
                    "noyes: waiting for the NATS server ({waited} s without a result)"
                ));
                return;
            };
            for (item, bytes) in open.iter().filter(|(item, _)| !queued.contains(*item)) {
                let message = format!("{id}.{item}.{session}.{}", waited.max(1));
                send(&link, &id, item, message, bytes.clone()).await;
            }
            warn(describe_waiting(waited, &workers(&link).await));
        });
    }

    /// Whether the server has anything of a run.
    pub async fn exists(link: &Link, id: &str) -> Result<bool> {
        check_id(id)?;
        let work = subjects(&link.work, &link.work_subject(id, ">")).await?;
        let kept = subjects(&link.kept, &link.kept_subject(id, ">")).await?;
        Ok(!work.is_empty() || !kept.is_empty())
    }

    /// Stops all work on the run and takes what waits from the queue.
    pub async fn stop(&mut self) {
        self.sending.shutdown().await;
        self.stop_workers().await;
        let _ = self.clear_queue().await;
        // Items that a worker has taken meanwhile.
        self.stop_workers().await;
        let _ = tokio::time::timeout(PAUSE, self.link.client.flush()).await;
    }

    async fn stop_workers(&mut self) {
        let subject = self.link.stop_subject(&self.id);
        let _ = self.link.client.publish(subject, Bytes::new()).await;
    }

    async fn clear_queue(&mut self) -> Result<()> {
        let subject = self.link.work_subject(&self.id, ">");
        let cleared = clear(&self.link.work, &subject).await;
        cleared.context("the queue cannot be cleared")
    }

    /// Removes everything about the run from the server.
    pub async fn end(self) {
        match self.open() {
            0 => Box::pin(self.remove()).await,
            _ => Box::pin(self.cancel()).await,
        }
    }

    /// Ends the run, although workers may have items of it.
    pub async fn cancel(mut self) {
        self.stop().await;
        // Results are on their way; those that come even later stay.
        tokio::time::sleep(LATE).await;
        Box::pin(self.remove()).await;
    }

    async fn remove(mut self) {
        self.stop().await;
        self.results = None;
        let subject = self.link.kept_subject(&self.id, ">");
        let _ = clear(&self.link.kept, &subject).await;
    }
}

/// Refuses an id that cannot be a word of a subject.
fn check_id(id: &str) -> Result<(), BadInput> {
    let is_id = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if !id.is_empty() && id.len() <= 64 && id.chars().all(is_id) {
        return Ok(());
    }
    let what = format!("the id of a run, {id:?}: expected letters, digits, - and _");
    Err(BadInput::new(what))
}

/// Listens to all results of a run, from the first one on.
async fn listen(link: &Link, id: &str) -> Result<Results> {
    let config = pull::OrderedConfig {
        filter_subject: link.kept_subject(id, ">"),
        deliver_policy: DeliverPolicy::All,
        ..pull::OrderedConfig::default()
    };
    let consumer = link.kept.create_consumer(config).await?;
    let messages = consumer.messages().await?;
    Ok(Box::pin(messages.map(|message| Ok(message?))))
}

/// The items of a run that wait or are being worked on.
async fn queued(link: &Link, id: &str) -> Result<HashSet<String>> {
    let there = subjects(&link.work, &link.work_subject(id, ">")).await?;
    Ok(items(&there))
}

/// The items of a run whose results are stored, and its state.
async fn stored(link: &Link, id: &str) -> Result<HashSet<String>> {
    let there = subjects(&link.kept, &link.kept_subject(id, ">")).await?;
    Ok(items(&there))
}

fn items(subjects: &[String]) -> HashSet<String> {
    let item = |subject: &String| Some(Link::run_and_item(subject)?.1.to_string());
    subjects.iter().filter_map(item).collect()
}

/// The subjects with messages in a stream.
async fn subjects(stream: &JetStream, filter: &str) -> Result<Vec<String>> {
    let mut there = stream.info_with_subjects(filter).await?;
    let mut found = vec![];
    while let Some(entry) = there.next().await {
        found.push(entry?.0);
    }
    Ok(found)
}

/// How often the messages of a run are listed until all are removed.
const CLEARINGS: usize = 100;

/// Removes messages one by one. A purge would be shorter, but after the purge of one run's messages, nats-server 2.9 was seen
/// not to hand out those of other runs any more.
async fn clear(stream: &JetStream, filter: &str) -> Result<()> {
    for _ in 0..CLEARINGS {
        let there = subjects(stream, filter).await?;
        if there.is_empty() {
            return Ok(());
        }
        // What a worker takes meanwhile is gone, and what stays is listed again.
        let remove = async |subject: String| -> Result<()> {
            let Ok(last) = stream.get_last_raw_message_by_subject(&subject).await else {
                return Ok(());
            };
            match stream.delete_message(last.sequence).await {
                Err(error) if !matches!(error.kind(), DeleteMessageErrorKind::JetStream(_)) => {
                    Err(error.into())
                }
                _ => Ok(()),
            }
        };
        let removed = futures_util::stream::iter(there).map(remove);
        let removed: Vec<Result<()>> = removed.buffer_unordered(256).collect().await;
        removed.into_iter().collect::<Result<()>>()?;
    }
    bail!("the NATS server does not remove messages")
}

/// Puts an item into the queue. The server takes a message of the same name once.
async fn send(link: &Link, id: &str, item: &str, message: String, bytes: Bytes) {
    let mut headers = HeaderMap::new();
    headers.insert("Nats-Msg-Id", message);
    store(link, link.work_subject(id, item), headers, bytes).await;
}

/// An id that no other run has.
pub fn new_id() -> String {
    let mut random = [0; 8];
    let _ = getrandom::fill(&mut random);
    format!("{:016x}", u64::from_le_bytes(random))
}

/// Stores a message, however long the server takes.
async fn store(link: &Link, subject: String, headers: HeaderMap, bytes: Bytes) {
    loop {
        let stored = async {
            let (subject, headers) = (subject.clone(), headers.clone());
            let ack = link
                .jetstream
                .publish_with_headers(subject, headers, bytes.clone());
            ack.await?.await
        };
        let Err(error) = stored.await else {
            return;
        };
        if is_time_to_warn() {
            warn(format_args!(
                "noyes: the NATS server does not take work, trying again: {error}"
            ));
        }
        tokio::time::sleep(PAUSE).await;
    }
}

/// Whether the last warning about the server is some time ago: all items have the same trouble.
fn is_time_to_warn() -> bool {
    static LAST: Mutex<Option<Instant>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    let is_time = last.is_none_or(|last| last.elapsed() >= QUIET);
    if is_time {
        *last = Some(Instant::now());
    }
    is_time
}

/// The status of all workers that answer soon.
pub async fn workers(link: &Link) -> Vec<Status> {
    let inbox = link.client.new_inbox();
    let mut found = vec![];
    let Ok(mut replies) = link.client.subscribe(inbox.clone()).await else {
        return found;
    };
    let asked = link
        .client
        .publish_with_reply(link.ping_subject(), inbox, Bytes::new());
    if asked.await.is_err() {
        return found;
    }
    let until = tokio::time::Instant::now() + PING;
    while let Ok(Some(reply)) = tokio::time::timeout_at(until, replies.next()).await {
        found.extend(serde_json::from_slice::<Status>(&reply.payload));
    }
    found.sort_by(|a, b| a.worker.cmp(&b.worker));
    found
}

/// What to say if no worker can take our work; nothing if some can.
pub fn no_worker(workers: &[Status]) -> Option<String> {
    if workers.iter().any(|worker| worker.version == VERSION) {
        return None;
    }
    Some(match workers {
        [] => "no worker is connected (start some with noyes worker)".into(),
        [first, ..] => format!(
            "no worker of noyes {VERSION} is connected: {} {}",
            counted(workers.len(), "worker has", "workers have"),
            first.version
        ),
    })
}

fn describe_waiting(waited: u64, workers: &[Status]) -> String {
    if let Some(why) = no_worker(workers) {
        return format!("noyes: waiting: {why}");
    }
    let busy: usize = workers.iter().map(|worker| worker.busy).sum();
    format!(
        "noyes: {} without a result; {} busy with {}",
        counted(waited as usize, "second", "seconds"),
        counted(workers.len(), "worker", "workers"),
        counted(busy, "item", "items")
    )
}

/// What all workers of this version can do together.
#[derive(Clone, Copy)]
pub struct Force {
    pub threads: usize,
    pub has_card: bool,
}

impl Force {
    pub fn of(workers: &[Status]) -> Force {
        let ours = || workers.iter().filter(|worker| worker.version == VERSION);
        Force {
            threads: ours().map(|worker| worker.threads).sum(),
            has_card: ours().any(|worker| worker.has_card),
        }
    }
}
