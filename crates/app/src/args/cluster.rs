//! Many machines: workers, the NATS server that connects them, and what goes on there.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};
use noyes_solver::DeviceName;

use super::heading::{CLUSTER, LIMITS, SEARCH};
use super::values::{names, some_bytes, some_duration};

pub(super) const WORKER_HELP: &str = "A worker takes work from the queue until SIGTERM or Ctrl-C. It then finishes what ends within --grace, and returns the rest to the queue. Any number of workers may come and go at any time.

Examples:
  noyes worker --nats nats://queue.example.org --threads 8
  noyes solve boards.txt --nats nats://queue.example.org
  noyes cluster status --nats nats://queue.example.org";

/// The NATS server, and how to log in.
#[derive(Args, Clone, Default)]
pub struct Nats {
    #[arg(help = "Let workers do it: the address of a NATS server with JetStream, such as nats://localhost:4222 or tls://host, or several with commas (variable: NOYES_NATS for worker and cluster)", long, value_name = "URL", help_heading = CLUSTER)]
    pub nats: Option<String>,
    #[command(flatten)]
    pub login: Login,
}

/// How to log in to the NATS server. Each flag has a variable, so that no secret has to be typed.
#[derive(Args, Clone, Default)]
#[allow(
    clippy::struct_field_names,
    reason = "they are what the flags are called"
)]
pub struct Login {
    #[arg(help = "The file with the user's JWT and key (variable: NOYES_NATS_CREDS)", long, value_name = "FILE", help_heading = CLUSTER)]
    pub nats_creds: Option<PathBuf>,
    #[arg(help = "The file with the seed of an nkey (variable: NOYES_NATS_NKEY)", long, value_name = "FILE", help_heading = CLUSTER)]
    pub nats_nkey: Option<PathBuf>,
    #[arg(help = "The user's name; the password is in the variable NOYES_NATS_PASSWORD (variable: NOYES_NATS_USER)", long, value_name = "NAME", help_heading = CLUSTER)]
    pub nats_user: Option<String>,
    #[arg(help = "Trust servers whose certificate is signed by this authority, in PEM form (variable: NOYES_NATS_CA)", long, value_name = "FILE", help_heading = CLUSTER)]
    pub nats_ca: Option<PathBuf>,
    #[arg(help = "The client's certificate, in PEM form, with --nats-key (variable: NOYES_NATS_CERT)", long, value_name = "FILE", help_heading = CLUSTER)]
    pub nats_cert: Option<PathBuf>,
    #[arg(help = "The client's key, in PEM form (variable: NOYES_NATS_KEY)", long, value_name = "FILE", help_heading = CLUSTER)]
    pub nats_key: Option<PathBuf>,
    #[arg(help = "The first word of all subjects, so that several clusters can share a server (variable: NOYES_NATS_PREFIX; default: noyes)", long, value_name = "WORD", help_heading = CLUSTER)]
    pub nats_prefix: Option<String>,
}

#[derive(Args)]
pub struct Worker {
    #[command(flatten)]
    pub nats: Nats,
    /// The number of searches at once (default: one per processor)
    #[arg(long, value_name = "N", help_heading = LIMITS, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// What searches: cpu (the default) or gpu, an NVIDIA card, for parts of one board and for boards of 17 to 25 cells if pattern databases are named; other work is done by the processors (programs built with the feature gpu)
    #[arg(long, value_name = "DEVICE", default_value = "cpu", hide_default_value = true, help_heading = SEARCH, value_parser = names(DeviceName::ALL.iter().map(|d| d.name())).map(|n| n.parse::<DeviceName>().expect("a possible value")))]
    pub device: DeviceName,
    /// The most time of a search, whatever it asks for
    #[arg(long, value_name = "TIME", help_heading = LIMITS, default_value = "24h", value_parser = some_duration)]
    pub time_limit: Duration,
    /// The memory of all searches together: 500MB, 4GiB (default: three quarters of the free memory)
    #[arg(long, value_name = "BYTES", help_heading = LIMITS, value_parser = some_bytes)]
    pub memory_limit: Option<usize>,
    /// How long work may go on after SIGTERM before it is returned
    #[arg(long, value_name = "TIME", help_heading = LIMITS, default_value = "5s", value_parser = some_duration)]
    pub grace: Duration,
    /// End when there has been no work for this long
    #[arg(long, value_name = "TIME", help_heading = LIMITS, value_parser = some_duration)]
    pub idle: Option<Duration>,
    /// The folder of pattern databases (default: the platform's cache folder)
    #[arg(long = "pdb-dir", value_name = "DIR", help_heading = SEARCH)]
    pub pdb_dir: Option<PathBuf>,
    /// Serve metrics for Prometheus at this address, such as 127.0.0.1:9345
    #[arg(long, value_name = "HOST:PORT", help_heading = CLUSTER)]
    pub metrics: Option<std::net::SocketAddr>,
}

#[derive(Subcommand)]
pub enum Cluster {
    /// Show workers, the queue and runs
    Status {
        #[command(flatten)]
        nats: Nats,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Stop a run and remove its work and results
    Cancel {
        #[command(flatten)]
        nats: Nats,
        /// The run's id, as noyes solve prints it
        id: String,
    },
}
