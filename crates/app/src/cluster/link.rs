//! The link to a NATS server: how to get in, and what is stored there.
//!
//! Two streams hold everything. `WORK` is a queue: an item leaves it when a worker has acknowledged it, and that happens
//! only after its result is stored. `KEPT` has the last message of each subject: results, and how far each run is. So a
//! worker, a client or the server itself may be killed at any moment, and nothing is lost: an item whose worker is gone
//! is handed out again, and a second result of the same item replaces the first one, which says the same.
//!
//! | subject | what |
//! |---|---|
//! | `PREFIX.work.VERSION.RUN.ITEM` | an item of work, in the stream `PREFIX_WORK` |
//! | `PREFIX.kept.RUN.ITEM` | its result, in the stream `PREFIX_KEPT` |
//! | `PREFIX.kept.RUN.state` | how far a run is, there too |
//! | `PREFIX.stop.RUN` | stop working on a run; not stored |
//! | `PREFIX.progress.RUN.ITEM` | how far an item is; not stored |
//! | `PREFIX-tables` | an object store with pattern databases |
//! | `PREFIX.ping` | every worker replies with its status; not stored |

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result};
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::{CreateStreamError, CreateStreamErrorKind};
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, ServerAddr};

use super::message::{MOST_BYTES, VERSION};
use crate::args::{Login, Nats};
use crate::terminal::fault::BadInput;

/// An item whose worker does not renew it for this long is handed out again.
pub const LEASE: Duration = Duration::from_secs(10);
/// How long a worker waits before it renews an item.
pub const RENEWAL: Duration = Duration::from_secs(3);
/// How long what nobody asks for is stored.
const MOST_AGE: Duration = Duration::from_secs(7 * 24 * 3600);
/// The same message within this time is stored once.
const DUPLICATES: Duration = Duration::from_secs(600);
/// Room for the headers of a message, which servers count, too.
const HEADERS: usize = 512;
/// How long to wait for the server.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often to ask again for a stream that another program has just created, and how long to wait each time.
const CREATIONS: usize = 5;
const SOON: Duration = Duration::from_millis(100);

/// Whether a stream could not be created because of the subjects of another one.
fn overlaps(error: &CreateStreamError) -> bool {
    match error.kind() {
        CreateStreamErrorKind::JetStream(error) => {
            error.error_code() == ErrorCode::STREAM_SUBJECT_OVERLAP
        }
        _ => false,
    }
}

/// A connection, and its streams.
#[derive(Clone)]
pub struct Link {
    pub client: Client,
    pub jetstream: Context,
    pub work: Stream,
    pub kept: Stream,
    prefix: String,
}

impl Link {
    /// Connects and makes what is missing on the server.
    pub async fn connect(args: &Nats) -> Result<Link> {
        let url = said(args.nats.as_ref(), "NOYES_NATS").ok_or_else(|| {
            BadInput::new("--nats: expected the address of a NATS server, such as nats://localhost:4222 (or set NOYES_NATS)")
        })?;
        let prefix = said(args.login.nats_prefix.as_ref(), "NOYES_NATS_PREFIX");
        let prefix = prefix.unwrap_or_else(|| "noyes".into());
        // Streams have the prefix in capitals, so that two prefixes must not differ in nothing else.
        let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_".contains(c);
        if prefix.is_empty() || prefix.len() > 64 || !prefix.chars().all(is_word) {
            return Err(BadInput::new(format!(
                "--nats-prefix {prefix:?}: expected small letters, digits, - and _"
            ))
            .into());
        }
        let options = args.login.options().await?;
        let client = options.connect(servers(&url)?).await.map_err(|error| {
            BadInput::new(format!(
                "--nats: cannot connect to {}: {error}",
                without_password(&url)
            ))
        })?;
        let jetstream = jetstream::context::ContextBuilder::new()
            .timeout(PATIENCE)
            .ack_timeout(PATIENCE)
            .build(client.clone());
        let name = prefix.to_uppercase();
        let work = Config {
            name: format!("{name}_WORK"),
            subjects: vec![format!("{prefix}.work.>")],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            max_age: MOST_AGE,
            duplicate_window: DUPLICATES,
            ..Config::default()
        };
        let kept = Config {
            name: format!("{name}_KEPT"),
            subjects: vec![format!("{prefix}.kept.>")],
            max_messages_per_subject: 1,
            max_age: MOST_AGE,
            ..Config::default()
        };
        let stream = async |config: Config| {
            let mut made = jetstream.get_or_create_stream(&config).await;
            // Of two programs that begin at once, both may find no stream and create it. The second one then hears that the
            // subjects of its stream overlap with those of the first one's.
            for _ in 0..CREATIONS {
                if !made.as_ref().is_err_and(overlaps) {
                    break;
                }
                tokio::time::sleep(SOON).await;
                made = jetstream.get_or_create_stream(&config).await;
            }
            made.map_err(|error| {
                BadInput::new(format!(
                    "--nats: {} has no JetStream that we may use: {error} (start it with nats-server -js)",
                    without_password(&url)
                ))
            })
        };
        Ok(Link {
            work: stream(work).await?,
            kept: stream(kept).await?,
            client,
            jetstream: jetstream.clone(),
            prefix,
        })
    }

    /// The most bytes of a message that this server takes.
    pub fn most_bytes(&self) -> usize {
        let most = self.client.server_info().max_payload;
        MOST_BYTES.min(most.saturating_sub(HEADERS))
    }

    /// The queue of this version's work.
    pub async fn queue(&self) -> Result<PullConsumer> {
        let version = version_token();
        let config = pull::Config {
            durable_name: Some(format!("workers-{version}")),
            filter_subject: format!("{}.work.{version}.>", self.prefix),
            ack_policy: AckPolicy::Explicit,
            ack_wait: LEASE,
            max_deliver: -1, // workers count the deliveries, and report an item that nobody survives
            max_ack_pending: 100_000,
            max_waiting: 20_000,
            ..pull::Config::default()
        };
        let name = format!("workers-{version}");
        let queue = self.work.get_or_create_consumer(&name, config).await;
        queue.context("the queue cannot be made on the NATS server")
    }

    /// Makes the queue anew if it is ahead of its stream.
    ///
    /// A server that was killed may forget the numbers of the last messages, if none of them was left. It then numbers new
    /// ones from further back, where the queue has been already, and never hands them out.
    pub async fn mend_queue(&self, queue: &mut PullConsumer) -> Result<bool> {
        let delivered = queue.info().await?.delivered.stream_sequence;
        let last = self.work.get_info().await?.state.last_sequence;
        if delivered <= last {
            return Ok(false);
        }
        let name = queue.cached_info().name.clone();
        self.work.delete_consumer(&name).await?;
        *queue = self.queue().await?;
        Ok(true)
    }

    /// The subject of an item; with `>` as the item, of all items of the run.
    pub fn work_subject(&self, run: &str, item: &str) -> String {
        format!("{}.work.{}.{run}.{item}", self.prefix, version_token())
    }

    /// The subject of a result.
    pub fn kept_subject(&self, run: &str, item: &str) -> String {
        format!("{}.kept.{run}.{item}", self.prefix)
    }

    /// The subject of the message that stops a run.
    pub fn stop_subject(&self, run: &str) -> String {
        format!("{}.stop.{run}", self.prefix)
    }

    /// The subject of an item's progress.
    pub fn progress_subject(&self, run: &str, item: &str) -> String {
        format!("{}.progress.{run}.{item}", self.prefix)
    }

    /// The subject on which workers are asked for their status.
    pub fn ping_subject(&self) -> String {
        format!("{}.ping", self.prefix)
    }

    /// The name of a bucket.
    pub fn bucket(&self, name: &str) -> String {
        format!("{}-{name}", self.prefix)
    }

    /// The run and the item of a subject of work or of a result.
    pub fn run_and_item(subject: &str) -> Option<(&str, &str)> {
        let (rest, item) = subject.rsplit_once('.')?;
        let (_, run) = rest.rsplit_once('.')?;
        Some((run, item))
    }
}

/// The version as a word of a subject. Workers of other versions never see our work.
pub fn version_token() -> String {
    VERSION.replace('.', "_")
}

impl Login {
    async fn options(&self) -> Result<ConnectOptions> {
        let file = |given: &Option<PathBuf>, variable: &str| {
            given
                .clone()
                .or_else(|| std::env::var_os(variable).map(PathBuf::from))
        };
        let unreadable = |flag: &str, path: &Path, error: &dyn std::fmt::Display| {
            BadInput::new(format!("{flag} {}: {error}", path.display()))
        };
        let mut options = ConnectOptions::new()
            .name(format!("noyes {}", env!("CARGO_PKG_VERSION")))
            .connection_timeout(PATIENCE)
            .ping_interval(Duration::from_secs(5))
            .reconnect_delay_callback(|tries| {
                Duration::from_millis(100 * (tries as u64).min(20)) // and never give up
            });
        if let Some(path) = file(&self.nats_creds, "NOYES_NATS_CREDS") {
            options = options
                .credentials_file(&path)
                .await
                .map_err(|error| unreadable("--nats-creds", &path, &error))?;
        }
        if let Some(path) = file(&self.nats_nkey, "NOYES_NATS_NKEY") {
            let seed = std::fs::read_to_string(&path)
                .map_err(|error| unreadable("--nats-nkey", &path, &error))?;
            let seed = seed.trim();
            if !seed.starts_with("SU") {
                let what = "expected the seed of a user, which begins with SU";
                return Err(unreadable("--nats-nkey", &path, &what).into());
            }
            options = options.nkey(seed.into());
        }
        if let Some(user) = said(self.nats_user.as_ref(), "NOYES_NATS_USER") {
            let password = std::env::var("NOYES_NATS_PASSWORD").unwrap_or_default();
            options = options.user_and_password(user, password);
        }
        if let Some(path) = file(&self.nats_ca, "NOYES_NATS_CA") {
            std::fs::metadata(&path).map_err(|error| unreadable("--nats-ca", &path, &error))?;
            options = options.add_root_certificates(path).require_tls(true);
        }
        let cert = file(&self.nats_cert, "NOYES_NATS_CERT");
        let key = file(&self.nats_key, "NOYES_NATS_KEY");
        match (cert, key) {
            (Some(cert), Some(key)) => {
                for (flag, path) in [("--nats-cert", &cert), ("--nats-key", &key)] {
                    std::fs::metadata(path).map_err(|error| unreadable(flag, path, &error))?;
                }
                options = options.add_client_certificate(cert, key).require_tls(true);
            }
            (None, None) => {}
            _ => {
                let what = "--nats-cert and --nats-key: expected both or neither";
                return Err(BadInput::new(what).into());
            }
        }
        Ok(options)
    }
}

/// What a flag says, or else a variable.
fn said(flag: Option<&String>, variable: &str) -> Option<String> {
    flag.cloned()
        .or_else(|| std::env::var(variable).ok())
        .filter(|text| !text.is_empty())
}

/// The servers of a list with commas. A password in an address would be seen by everyone who lists processes.
fn servers(urls: &str) -> Result<Vec<ServerAddr>, BadInput> {
    let server = |url: &str| {
        if url.contains('@') {
            return Err(BadInput::new(format!(
                "--nats {}: expected no login in the address: use --nats-user and the variable NOYES_NATS_PASSWORD",
                without_password(url)
            )));
        }
        let parsed = url.trim().parse::<ServerAddr>();
        let parsed = parsed.map_err(|error| BadInput::new(format!("--nats {url}: {error}")))?;
        if parsed.host().is_empty() {
            return Err(BadInput::new(format!("--nats {urls:?}: expected a host")));
        }
        Ok(parsed)
    };
    urls.split(',').map(server).collect()
}

/// An address that can be printed.
fn without_password(url: &str) -> String {
    match (url.split_once("://"), url.rsplit_once('@')) {
        (Some((scheme, _)), Some((_, host))) => format!("{scheme}://{host}"),
        (None, Some((_, host))) => host.into(),
        _ => url.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_printed() {
        assert_eq!(without_password("nats://a:b@host:4222"), "nats://host:4222");
        assert_eq!(without_password("nats://host"), "nats://host");
        assert_eq!(without_password("a:b@host"), "host");
    }

    #[test]
    fn addresses_are_a_list_without_passwords() {
        assert_eq!(servers("nats://a, b:4223").map_or(0, |all| all.len()), 2);
        let refused = servers("nats://me:secret@host").unwrap_err().to_string();
        assert!(refused.contains("--nats-user") && !refused.contains("secret"));
        for bad in ["http://a", "nats://a,", "a:99999"] {
            assert!(servers(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn subjects_name_their_run_and_item() {
        assert_eq!(
            Link::run_and_item("noyes.work.0_1_0-3.r1.7"),
            Some(("r1", "7"))
        );
        assert_eq!(Link::run_and_item("x"), None);
    }
}
