//! The command line of `noyes bench`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use noyes_solver::DeviceName;

use super::heading::OUTPUT;
use super::values::device;

pub const HELP: &str = "Examples:
  noyes bench list
  noyes bench run race --quick
  noyes bench report
  noyes bench run pairs --time-limit 60s
  noyes bench run korf --shard 2/8 -o results
  noyes bench run korf24 --device gpu";

/// The default folder of results.
pub const FOLDER: &str = "bench-results";

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one for each process")]
pub enum Bench {
    /// List the suites
    List {
        /// Print one JSON object per line
        #[arg(long, help_heading = OUTPUT)]
        json: bool,
    },
    /// Run a suite; runs that already have a result are skipped
    Run(Run),
    /// Merge the results of several runs into one folder
    Merge(Merge),
    /// Make tables and plots from results
    Report(Report),
}

#[derive(Args)]
pub struct Run {
    /// The name of a suite, or a TOML file
    pub suite: String,
    /// The short version (1-2 minutes)
    #[arg(long)]
    pub quick: bool,
    /// The folder for the results, one file per suite
    #[arg(short, long, value_name = "DIR", default_value = FOLDER)]
    pub output: PathBuf,
    /// What searches: cpu (the default) or gpu, for suites that have runs for an NVIDIA card (programs built with the feature gpu)
    #[arg(long, value_name = "DEVICE", default_value = "cpu", hide_default_value = true, value_parser = device())]
    pub device: DeviceName,
    /// A folder with instances that are not built in, such as maps
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// At most this long for each run, where the suite allows more, such as 60s
    #[arg(long, value_name = "TIME", value_parser = super::duration)]
    pub time_limit: Option<Duration>,
    /// Only runs whose instance or configuration contains this text
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Only one part of the runs: 1/4 is the first of four
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub nats: super::Nats,
    /// List the runs without running them
    #[arg(long)]
    #[allow(clippy::struct_field_names, reason = "it is what the flag is called")]
    pub dry_run: bool,
}

#[derive(Args)]
pub struct Merge {
    /// Folders or files of results
    #[arg(required = true)]
    pub from: Vec<PathBuf>,
    /// The folder to merge them into
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Args)]
pub struct Report {
    /// The folder with the results
    #[arg(default_value = FOLDER)]
    pub folder: PathBuf,
    /// The folder for the reports (default: beside the results)
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Only these formats
    #[arg(long, value_enum, value_delimiter = ',')]
    pub format: Vec<Format>,
}

/// The format of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Markdown,
    Csv,
    Latex,
    Html,
}
