//! A folder of results: one file of JSON lines for each suite and form.
//!
//! A file is named `SUITE.quick.jsonl` or `SUITE.full.jsonl`; a shard's has `.2-of-8` before `.jsonl`. Lines are
//! only ever added, each with one write, so a kill leaves at most one line cut short at the end; it is not a run.

use std::path::Path;

use anyhow::Result;

use super::record::Run;

/// All runs of a folder, by file name, in the order they were made.
pub fn read(_folder: &Path) -> Result<Vec<Run>> {
    todo!()
}
