//! Pattern databases.

use std::path::PathBuf;

use clap::builder::TypedValueParser;
use clap::{Args, Subcommand};

use super::heading::OUTPUT;
use super::values::size;

const PATTERNS: &str = "Sizes such as 7-8 or 5-5-5, tiles such as 1,2,3+4,5,6+7,8, or fringe; +plain ignores the blank's position";

pub(super) const PDB_HELP: &str = "Tables are kept in the platform's cache folder (on Linux ~/.cache/noyes/pdb) or in --pdb-dir. A table also serves all mirror images of its goal and board.

Examples:
  noyes pdb build 4-4 --size 3x3
  noyes pdb build 7-8
  noyes pdb histogram 4-4 --size 3x3 --svg histogram.svg
  noyes pdb verify";

#[derive(Subcommand)]
#[allow(clippy::large_enum_variant, reason = "there is one for each process")]
pub enum Pdb {
    /// Build tables and keep them
    Build {
        #[command(flatten)]
        patterns: Patterns,
        /// The folder of the tables
        #[arg(long = "pdb-dir", value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Rebuild existing tables too
        #[arg(long)]
        force: bool,
        /// The number of threads (default: one for each processor)
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024).map(usize::from))]
        threads: Option<usize>,
        /// Also put the tables where workers find them
        #[cfg(feature = "cluster")]
        #[command(flatten)]
        nats: super::Nats,
    },
    /// List the tables
    List {
        /// The folder of the tables
        #[arg(long = "pdb-dir", value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Print one JSON object per line
        #[arg(long, help_heading = OUTPUT)]
        json: bool,
    },
    /// Verify every byte of the tables
    Verify {
        /// The folder of the tables
        #[arg(long = "pdb-dir", value_name = "DIR")]
        folder: Option<PathBuf>,
        /// Print one JSON object per line
        #[arg(long, help_heading = OUTPUT)]
        json: bool,
    },
    /// Count the entries of each value
    Histogram {
        #[command(flatten)]
        patterns: Patterns,
        /// Show shares instead of counts, to compare patterns
        #[arg(long)]
        normalise: bool,
        /// Draw all patterns into this SVG file
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
        /// Print one JSON object per line
        #[arg(long, help_heading = OUTPUT)]
        json: bool,
    },
}

#[derive(Args)]
pub struct Patterns {
    #[arg(value_name = "PATTERNS", help = PATTERNS)]
    pub partition: String,
    /// The size of the board as columns x rows
    #[arg(long, value_name = "WxH", default_value = "4x4", value_parser = size)]
    pub size: (usize, usize),
    /// The goal: blank-last (1 2 3 … 0), blank-first (0 1 2 …, as in Korf's papers) or a board
    #[arg(long, default_value = "blank-last")]
    pub goal: String,
}
