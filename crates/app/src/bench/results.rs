//! A folder of results: one file of JSON lines for each suite and form.
//!
//! A file is named `SUITE.quick.jsonl` or `SUITE.full.jsonl`; that of a shard has `.2-of-8` before `.jsonl`. Lines are only
//! ever added, each with one write, so a kill leaves at most one incomplete line, at the end, which does not count. Files
//! compressed with gzip (`SUITE.full.jsonl.gz`) can be read like the others.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::Result;
use flate2::read::MultiGzDecoder;
use serde::Deserialize;

use super::jobs;
use super::old;
use super::record::{Run, SCHEMA};
use crate::record::json_line;
use crate::terminal::fault::{BadInput, unwritable};

/// All runs of a folder: files by name, lines in their order. A line that is in two files, such as a shard's and a merged
/// one, counts once.
pub fn read(folder: &Path) -> Result<Vec<Run>> {
    let mut runs: Vec<Run> = vec![];
    let mut seen: HashMap<String, Vec<usize>> = HashMap::new();
    for file in files(folder)? {
        for run in read_file(&file)?.runs {
            let alike = seen.entry(run.key()).or_default();
            if !alike.iter().any(|&at| runs[at] == run) {
                alike.push(runs.len());
                runs.push(run);
            }
        }
    }
    Ok(runs)
}

impl Run {
    /// What distinguishes it from all other runs of its suite and form.
    pub fn key(&self) -> String {
        jobs::key(
            &self.instance,
            &self.configuration,
            &self.tags,
            self.repetition,
        )
    }
}

/// The files of results in a folder, by name; at least one.
pub fn files(folder: &Path) -> Result<Vec<PathBuf>> {
    let name = folder.display();
    let entries = fs::read_dir(folder).map_err(|error| {
        BadInput::new(format!(
            "{name}: {error} (expected a folder with the results of noyes bench run)"
        ))
    })?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            name.ends_with(".jsonl") || name.ends_with(".jsonl.gz")
        })
        .collect();
    files.sort();
    if files.is_empty() {
        return Err(BadInput::new(format!(
            "{name}: no results in it (expected files of noyes bench run, such as table-7-1.quick.jsonl)"
        ))
        .into());
    }
    Ok(files)
}

/// The name of a suite's file beside its results, if the suite is not the project's own.
pub fn suite_file(suite: &str) -> String {
    format!("{suite}.toml")
}

/// What a file holds.
#[derive(Debug, Default)]
pub struct Kept {
    pub runs: Vec<Run>,
    /// The length of its complete lines; what comes after them was cut short.
    pub whole_bytes: u64,
}

/// The runs of one file.
pub fn read_file(path: &Path) -> Result<Kept> {
    let name = path.display();
    let bytes = bytes(path).map_err(|e| BadInput::new(format!("{name}: {e}")))?;
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
        let run = run(line).map_err(|why| BadInput::new(format!("{name}, line {at}: {why}")))?;
        runs.push(run);
    }
    Ok(Kept {
        runs,
        whole_bytes: whole as u64,
    })
}

/// The lines of a file, which may be compressed.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    if path.extension().is_none_or(|e| e != "gz") {
        return fs::read(path);
    }
    let mut bytes = vec![];
    MultiGzDecoder::new(File::open(path)?).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The run of a line, or why it is not one.
fn run(line: &[u8]) -> Result<Run, String> {
    #[derive(Deserialize)]
    struct Written {
        schema: String,
    }
    let not_a_run = |error: serde_json::Error| format!("not a run: {error}");
    let Written { schema } = serde_json::from_slice(line).map_err(not_a_run)?;
    match schema.as_str() {
        SCHEMA => serde_json::from_slice(line).map_err(not_a_run),
        old::LINE => {
            let fields = serde_json::from_slice(line).map_err(not_a_run)?;
            let run: Run = serde_json::from_value(old::line(fields)?).map_err(not_a_run)?;
            Ok(Run {
                schema: SCHEMA.into(),
                ..run
            })
        }
        _ => Err(format!(
            "written as {schema:?}, expected {SCHEMA:?} or {:?}",
            old::LINE
        )),
    }
}

/// A file of results to which runs are added, locked against other benchmarks.
pub struct Journal {
    name: String,
    file: File,
    bytes: u64,
}

impl Journal {
    /// Opens or creates a file; returns the runs that it has. An incomplete last line is cut off.
    pub fn open(path: &Path) -> Result<(Journal, Vec<Run>)> {
        let name = path.display().to_string();
        let bad = |error: io::Error| unwritable(&name, error);
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(BadInput::new(format!("{name}: not a file")).into());
        }
        let file = OpenOptions::new()
            .append(true)
            .create(true)
            .open(path)
            .map_err(bad)?;
        #[cfg(unix)]
        {
            use rustix::fs::{FlockOperation, flock};
            use rustix::io::Errno;
            // Some network file systems have no locks; only a lock that someone else holds is a reason to stop.
            let locked = flock(&file, FlockOperation::NonBlockingLockExclusive);
            if locked == Err(Errno::WOULDBLOCK) {
                return Err(BadInput::new(format!(
                    "{name}: another noyes bench run is adding to it (wait for it, or choose another folder with -o)"
                ))
                .into());
            }
        }
        let kept = read_file(path)?;
        file.set_len(kept.whole_bytes).map_err(bad)?;
        let journal = Journal {
            name,
            file,
            bytes: kept.whole_bytes,
        };
        Ok((journal, kept.runs))
    }

    /// Adds a run. If that fails, the file stays as it was.
    pub fn add(&mut self, run: &Run) -> Result<()> {
        let line = json_line(run);
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            let _ = self.file.set_len(self.bytes);
            anyhow::bail!(
                "{}: {error}. Its lines are complete: make room, and run the same command again to go on",
                self.name
            );
        }
        self.bytes += line.len() as u64;
        Ok(())
    }
}
