//! Pattern databases.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};

use super::values::size;

const PATTERNS: &str = "Sizes such as 7-8 or 5-5-5, tiles such as 1,2,3+4,5,6+7,8, or fringe; +plain forgets the blank";

pub(super) const PDB_HELP: &str = "Examples:
  noyes pdb build 7-8
  noyes pdb histogram 5-5-5+plain --goal blank-first --svg histogram.svg
  noyes pdb verify

Tables are kept in the cache folder of the platform (on Linux ~/.cache/noyes/pdb) or in --pdb-dir. A table serves
every goal and board that is a mirror image of its own.";

#[derive(Subcommand)]
pub enum Pdb {
    /// Build tables and keep them
    Build {
        #[command(flatten)]
        patterns: Patterns,
        /// The folder of the tables
        #[arg(long = "pdb-dir", value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Build also what is there already
        #[arg(long)]
        force: bool,
        /// The number of threads (default: one for each processor)
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024).map(usize::from))]
        threads: Option<usize>,
    },
    /// List the tables that are there
    List {
        /// The folder of the tables
        #[arg(long = "pdb-dir", value_name = "DIR")]
        folder: Option<PathBuf>,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Check every byte of the tables that are there
    Verify {
        /// The folder of the tables
        #[arg(long = "pdb-dir", value_name = "DIR")]
        folder: Option<PathBuf>,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Count the entries of each value
    Histogram {
        #[command(flatten)]
        patterns: Patterns,
        /// Scale each pattern to the area 1, to compare them
        #[arg(long)]
        normalise: bool,
        /// Draw them over one another into this file
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
}

#[derive(Args)]
pub struct Patterns {
    #[arg(value_name = "PATTERNS", help = PATTERNS)]
    pub partition: String,
    /// Columns x rows
    #[arg(long, value_name = "WxH", default_value = "4x4", value_parser = size)]
    pub size: (usize, usize),
    /// blank-last (1 2 3 … 0), blank-first (0 1 2 …: Korf's) or any board
    #[arg(long, default_value = "blank-last")]
    pub goal: String,
}
