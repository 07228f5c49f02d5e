//! The command line of `noyes bench`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

pub const HELP: &str = "Examples:
  noyes bench list
  noyes bench run table-7-1 --quick && noyes bench report
  noyes bench run korf --shard 2/8 -o results";

/// Where results are kept unless told otherwise.
pub const FOLDER: &str = "bench-results";

#[derive(Subcommand)]
pub enum Bench {
    /// List the suites
    List {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Run a suite; what is done already is not done again
    Run(Run),
    /// Put the results of several runs into one folder
    Merge(Merge),
    /// Make tables and plots of results
    Report(Report),
}

#[derive(Args)]
pub struct Run {
    /// The name of a suite, or a TOML file
    pub suite: String,
    /// The form of a minute or two
    #[arg(long)]
    pub quick: bool,
    /// Where the results go, a file for each suite
    #[arg(short, long, value_name = "DIR", default_value = FOLDER)]
    pub output: PathBuf,
    /// A folder of instances that are not part of the program, such as maps
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Only runs whose instance or configuration has this in its name
    #[arg(long, value_name = "TEXT")]
    pub filter: Option<String>,
    /// Only one part of the runs: the first of four is 1/4
    #[arg(long, value_name = "I/N")]
    pub shard: Option<String>,
    /// Say what would run
    #[arg(long)]
    #[allow(clippy::struct_field_names, reason = "it is what the flag is called")]
    pub dry_run: bool,
}

#[derive(Args)]
pub struct Merge {
    /// Folders or files of results
    #[arg(required = true)]
    pub from: Vec<PathBuf>,
    /// Where they go
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
}

#[derive(Args)]
pub struct Report {
    /// The folder of the results
    #[arg(default_value = FOLDER)]
    pub folder: PathBuf,
    /// Where the reports go (default: beside the results)
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Only these kinds of report
    #[arg(long, value_enum, value_delimiter = ',')]
    pub format: Vec<Format>,
}

/// A kind of report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Markdown,
    Csv,
    Latex,
    Html,
}
