//! `noyes bench merge`: the results of shards or folders as one file for each suite and form.
//!
//! Results that the target folder already has stay. A line may come twice, also from two files. Two different lines for one
//! run, and runs of different programs or limits, are refused: it is not clear which should count.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;

use super::record::Run;
use super::results::{self, files, read_file};
use super::suite::Form;
use crate::args::Merge;
use crate::record::json_line;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::print::complain;
use crate::terminal::print::counted;
use crate::terminal::target;

/// The runs of one suite and form, and where each comes from.
#[derive(Default)]
struct Group {
    runs: Vec<Run>,
    places: Vec<PathBuf>,
    by_key: HashMap<String, usize>,
}

pub fn run(args: &Merge) -> Result<Exit> {
    let mut paths = vec![];
    for from in &args.from {
        if from.is_dir() {
            paths.extend(files(from)?);
        } else if from.extension().is_none_or(|e| e != "toml") {
            paths.push(from.clone()); // a suite is copied with its results, see below
        }
    }
    if args.output.is_dir()
        && let Ok(there) = files(&args.output)
    {
        paths.extend(there);
    }
    let mut groups: BTreeMap<(String, Form), Group> = BTreeMap::new();
    for path in &paths {
        for run in read_file(path)?.runs {
            let group = groups.entry((run.suite.clone(), run.form));
            group.or_default().add(run, path)?;
        }
    }
    if groups.is_empty() {
        return Err(BadInput::new("there are no runs in these files").into());
    }
    target::make_folder(&args.output)?;
    for ((suite, form), group) in &groups {
        let path = args.output.join(format!("{suite}.{form}.jsonl"));
        let lines: String = group.runs.iter().map(json_line).collect();
        target::write(&path, &lines)?;
        keep_suite(suite, &paths, &args.output)?;
        let mut hosts: Vec<_> = group.runs.iter().map(|run| &run.host).collect();
        hosts.dedup();
        hosts.sort_by_key(|host| format!("{host:?}"));
        hosts.dedup();
        let of = match hosts.len() {
            1 => String::new(),
            n => format!(" of {n} machines"),
        };
        complain(format_args!(
            "{}{of} in {}",
            counted(group.runs.len(), "run", "runs"),
            path.display()
        ));
    }
    Ok(Exit::Answered)
}

impl Group {
    fn add(&mut self, run: Run, path: &Path) -> Result<()> {
        let refuse = |what: String, other: &Path| {
            let (path, other) = (path.display(), other.display());
            BadInput::new(format!(
                "{path} and {other} have different {what}: the {1} results of {0} cannot be merged",
                run.suite, run.form
            ))
        };
        if let Some(first) = self.runs.first()
            && first.version != run.version
        {
            let what = format!("programs ({}, {})", run.version, first.version);
            return Err(refuse(what, &self.places[0]).into());
        }
        // Instances may have limits of their own.
        let limits = |run: &Run| (run.time_limit_s, run.memory_limit_bytes);
        let same = |other: &Run| other.instance == run.instance;
        if let Some(at) = self.runs.iter().position(same)
            && limits(&self.runs[at]) != limits(&run)
        {
            return Err(refuse("limits".into(), &self.places[at]).into());
        }
        match self.by_key.get(&run.key()) {
            Some(&at) if self.runs[at] == run => {}
            Some(&at) => {
                let what = format!(
                    "runs of {} on {} (repetition {})",
                    run.configuration, run.instance, run.repetition
                );
                return Err(refuse(what, &self.places[at]).into());
            }
            None => {
                self.by_key.insert(run.key(), self.runs.len());
                self.places.push(path.into());
                self.runs.push(run);
            }
        }
        Ok(())
    }
}

/// Copies a suite that is not the project's own with its results.
fn keep_suite(suite: &str, paths: &[PathBuf], output: &Path) -> Result<()> {
    let name = results::suite_file(suite);
    let to = output.join(&name);
    let beside = paths
        .iter()
        .filter_map(|path| Some(path.parent()?.join(&name)));
    if let Some(from) = beside.into_iter().find(|file| file.is_file())
        && from != to
    {
        target::write(&to, &fs::read_to_string(&from)?)?;
    }
    Ok(())
}
