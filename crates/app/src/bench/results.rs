//! A folder of results: one file of JSON lines for each suite and form.
//!
//! A file is named `SUITE.quick.jsonl` or `SUITE.full.jsonl`; a shard's has `.2-of-8` before `.jsonl`. Lines are
//! only ever added, each with one write, so a kill leaves at most one line cut short at the end; it is not a run.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::record::{Run, SCHEMA};
use crate::exit::BadInput;

/// All runs of a folder, by file name, in the order they were made.
pub fn read(folder: &Path) -> Result<Vec<Run>> {
    let mut runs = vec![];
    for file in files(folder)? {
        runs.extend(read_file(&file)?.runs);
    }
    Ok(runs)
}

/// The files of results in a folder, by name; at least one.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let name = folder.display();
    let entries = fs::read_dir(folder).map_err(|error| {
        BadInput::new(format!(
            "{name}: {error} (expected a folder of results, which noyes bench run makes)"
        ))
    })?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "jsonl"))
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(BadInput::new(format!(
            "{name}: no results in it (expected files such as table-7-1.quick.jsonl, which noyes bench run makes)"
        ))
        .into());
    }
    Ok(files)
}

/// What a file holds.
#[derive(Debug, Default)]
pub struct Kept {
    pub runs: Vec<Run>,
    /// How much of the file is whole lines; what comes after was cut short.
    pub whole_bytes: u64,
}

/// The runs of one file.
pub fn read_file(path: &Path) -> Result<Kept> {
    let name = path.display();
    let bytes = fs::read(path).map_err(|e| BadInput::new(format!("{name}: {e}")))?;
    let whole = bytes
        .iter()
        .rposition(|&b| b == b'\n')
        .map_or(0, |at| at + 1);
    let mut runs = vec![];
    for (i, line) in bytes[..whole].split(|&b| b == b'\n').enumerate() {
        if line.is_empty() {
            continue;
        }
        let at = i + 1;
        let run: Run = serde_json::from_slice(line)
            .map_err(|error| BadInput::new(format!("{name}, line {at}: not a run: {error}")))?;
        if run.schema != SCHEMA {
            return Err(BadInput::new(format!(
                "{name}, line {at}: written as {:?}, and this program reads {SCHEMA:?}",
                run.schema
            ))
            .into());
        }
        runs.push(run);
    }
    Ok(Kept {
        runs,
        whole_bytes: whole as u64,
    })
}
