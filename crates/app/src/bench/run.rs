//! `noyes bench run`: runs a suite, or what is left of it.
//!
//! 1. The suite expands to a list of runs; `--shard` and `--filter` choose among them.
//! 2. Runs that the result file has are skipped; a file whose results cannot be compared with ours is refused.
//! 3. Preparing commands, such as those that build tables, run uncounted.
//! 4. Each run becomes a line of the file as soon as it is done.
//! 5. All answers in the file are checked against each other.

use std::collections::HashMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use noyes_solver::DeviceName;

use super::child;
use super::host;
use super::inside;
use super::jobs::{Campaign, Job, Limits, Shard};
use super::judge;
use super::outcome::Common;
use super::pace::Pace;
use super::record::{self, Host, Run};
use super::results::{Journal, suite_file};
use super::suite::{Form, Process, Suite};
use super::{suites, words};
use crate::args::Run as Args;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::limits::{self, Running};
use crate::terminal::print::complain;
use crate::terminal::print::{counted, print};
use crate::terminal::target;

pub fn run(args: &Args) -> Result<Exit> {
    let (name, suite, own) = suite(args)?;
    suite.check(&name)?;
    let shard = args.shard.as_deref().map(Shard::parse).transpose()?;
    if let Some(folder) = args.data.as_ref().filter(|folder| !folder.is_dir()) {
        return Err(BadInput::new(format!("--data {}: no such folder", folder.display())).into());
    }
    let form = if args.quick { Form::Quick } else { Form::Full };
    let campaign = Campaign::of(&name, &suite, form, args.data.as_deref(), args.time_limit)?;
    report_missing(&campaign, args);
    let all = campaign.jobs.len();
    let chosen = chosen(&campaign.jobs, shard, args.filter.as_deref());
    if chosen.is_empty() {
        return Err(nothing(all, args).into());
    }
    if args.dry_run {
        return dry_run(&suite, &chosen);
    }
    let common = Common {
        suite: name.clone(),
        form,
        process: suite.process,
        version: host::version()?,
        host: Host::here(),
    };
    target::make_folder(&args.output)?;
    let mut shard = shard.map_or(String::new(), |s| format!(".{}-of-{}", s.part, s.of));
    if is_elsewhere(args) {
        shard += ".workers"; // of several machines, so not to be mixed with runs of this one
    }
    let path = args.output.join(format!("{name}.{form}{shard}.jsonl"));
    let (mut journal, mut runs) = Journal::open(&path)?;
    let done = done(&path, &runs, &common, &campaign.jobs, is_elsewhere(args))?;
    if let Some(text) = own {
        target::write(&args.output.join(suite_file(&name)), &text)?; // for the report
    }
    let (old, todo): (Vec<&Job>, Vec<&Job>) =
        chosen.iter().partition(|job| done.contains_key(&job.key()));
    if !old.is_empty() {
        complain(format_args!(
            "{} of {} {} already in {}",
            old.len(),
            counted(chosen.len(), "run", "runs"),
            if old.len() == 1 { "is" } else { "are" },
            path.display()
        ));
    }

    limits::stop_flag();
    let _running = Running::new();
    #[cfg(feature = "cluster")]
    if is_elsewhere(args) {
        let mut pace = Pace::new(&todo, &runs);
        let (prepare, jobs) = (&suite.prepare, &campaign.jobs);
        let all = super::elsewhere::run_all(&args.nats, prepare, &common, jobs, &todo, |run| {
            journal.add(&run)?;
            pace.done(&run);
            runs.push(run);
            Ok(())
        })?;
        drop(pace);
        if !all {
            return Ok(interrupted(&path, &runs));
        }
        return Ok(summary(&path, &runs));
    }
    if !todo.is_empty() && !prepare(&suite)? {
        return Ok(Exit::Interrupted);
    }
    let mut pace = Pace::new(&todo, &runs);
    for job in &todo {
        pace.next(job);
        let Some(run) = common.run(job, &limits::interrupted)? else {
            drop(pace);
            return Ok(interrupted(&path, &runs));
        };
        journal.add(&run)?;
        pace.done(&run);
        runs.push(run);
    }
    drop(pace);
    Ok(summary(&path, &runs))
}

/// Whether workers make the runs.
fn is_elsewhere(args: &Args) -> bool {
    #[cfg(feature = "cluster")]
    return args.nats.nats.is_some();
    #[cfg(not(feature = "cluster"))]
    return {
        let _ = args;
        false
    };
}

/// Says how far an interrupted suite is.
fn interrupted(path: &Path, runs: &[Run]) -> Exit {
    complain(format_args!(
        "interrupted; {} in {}. Run the same command again to go on.",
        counted(runs.len(), "run is", "runs are"),
        path.display()
    ));
    Exit::Interrupted
}

/// A suite, its name, and its text if it is not one of the project's. Runs on a GPU are a suite of their own.
fn suite(args: &Args) -> Result<(String, Suite, Option<String>)> {
    let given = args.suite.as_str();
    if args.device == DeviceName::Gpu {
        let name = format!("{given}-gpu");
        let suite = suites::find(&name).ok_or_else(|| suites::without_gpu(given))?;
        return Ok((name, suite, None));
    }
    if let Some(suite) = suites::find(given) {
        return Ok((given.into(), suite, None));
    }
    let path = Path::new(given);
    if !path.exists() && path.extension().is_none_or(|e| e != "toml") {
        return Err(suites::unknown(given).into());
    }
    let text =
        fs::read_to_string(path).map_err(|error| BadInput::new(format!("{given}: {error}")))?;
    let name = path.file_stem().unwrap_or_default();
    let name = name.to_string_lossy().into_owned();
    Ok((name, Suite::parse(given, &text)?, Some(text)))
}

fn report_missing(campaign: &Campaign, args: &Args) {
    if campaign.missing.is_empty() {
        return;
    }
    let place = match &args.data {
        Some(folder) => format!("not found in {}", folder.display()),
        None => "not part of the program (--data DIR names their folder)".into(),
    };
    complain(format_args!(
        "skipped, {place}: {}",
        campaign.missing.join(", ")
    ));
}

fn chosen<'a>(jobs: &'a [Job], shard: Option<Shard>, filter: Option<&str>) -> Vec<&'a Job> {
    // All configurations of a task are in the same part, so that the results of a part can be compared.
    let mut tasks = HashMap::new();
    jobs.iter()
        .filter(|job| {
            let number = tasks.len();
            let number = *tasks.entry(job.task()).or_insert(number);
            shard.is_none_or(|shard| shard.has(number))
        })
        .filter(|job| {
            filter
                .is_none_or(|text| job.instance.contains(text) || job.configuration.contains(text))
        })
        .collect()
}

fn nothing(all: usize, args: &Args) -> BadInput {
    let runs = counted(all, "run", "runs");
    BadInput::new(match (&args.filter, &args.shard) {
        (Some(text), _) => format!(
            "--filter {text:?}: none of the {runs} of {} has this in the name of its instance or configuration (--dry-run lists them)",
            args.suite
        ),
        (None, Some(shard)) if all > 0 => {
            format!("--shard {shard}: there are only {runs}, so this part is empty")
        }
        _ => format!("{}: nothing to run", args.suite),
    })
}

fn dry_run(suite: &Suite, chosen: &[&Job]) -> Result<Exit> {
    let mut text = String::new();
    for command in &suite.prepare {
        let _ = writeln!(text, "noyes {command}");
    }
    for job in chosen {
        let _ = writeln!(text, "{}", job.command());
    }
    print(&text)?;
    let prepare = match suite.prepare.len() {
        0 => String::new(),
        n => format!(
            ", after {}",
            counted(n, "preparing command", "preparing commands")
        ),
    };
    complain(format_args!(
        "{}{prepare}",
        counted(chosen.len(), "run", "runs")
    ));
    Ok(Exit::Answered)
}

/// The runs of a file by their keys; refuses a file whose results cannot be compared with ours, or with each other.
fn done<'a>(
    path: &Path,
    runs: &'a [Run],
    common: &Common,
    jobs: &[Job],
    is_elsewhere: bool,
) -> Result<HashMap<String, &'a Run>> {
    let place = path.display();
    let refuse = |what: String| -> anyhow::Error {
        BadInput::new(format!(
            "{place} {what}. They cannot be compared: choose another folder with -o, or remove the file"
        ))
        .into()
    };
    if let Some(changed) = judge::changed_answers(runs).first() {
        return Err(BadInput::new(format!(
            "{place}: {changed}\nRemove the wrong line, or choose another folder with -o"
        ))
        .into());
    }
    let jobs: HashMap<String, &Job> = jobs.iter().map(|job| (job.key(), job)).collect();
    for run in runs {
        if run.version != common.version && !is_elsewhere {
            return Err(refuse(format!(
                "has results of noyes {}, but this is {}",
                run.version, common.version
            )));
        }
        if run.host != common.host && !is_elsewhere {
            return Err(refuse(format!(
                "has results of another machine: {}, but this is {}",
                run.host.in_words(),
                common.host.in_words()
            )));
        }
        let Some(job) = jobs.get(&run.key()) else {
            continue;
        };
        let theirs = Limits {
            time_s: run.time_limit_s,
            memory_bytes: run.memory_limit_bytes,
        };
        if theirs != job.limits {
            return Err(refuse(format!(
                "has results within {}, but these runs have {}",
                theirs.in_words(),
                job.limits.in_words()
            )));
        }
        let command = job.command();
        if command != run.command {
            let (configuration, instance) = (&run.configuration, &run.instance);
            return Err(refuse(format!(
                "has {configuration} on {instance} by another command ({}), but the suite now says {command}",
                run.command
            )));
        }
    }
    Ok(runs.iter().map(|run| (run.key(), run)).collect())
}

/// Runs the preparing commands; returns false if it was interrupted. `solve` of a suite whose runs are in this process
/// is there, too: so tables are loaded before the first run.
fn prepare(suite: &Suite) -> Result<bool> {
    let no_limits = Limits {
        time_s: f64::INFINITY,
        memory_bytes: u64::MAX,
    };
    for command in &suite.prepare {
        complain(format_args!("preparing, not counted: noyes {command}"));
        let words = words::split(command).map_err(BadInput::new)?;
        let is_inside =
            suite.process == Process::Inside && words.first().is_some_and(|w| w == "solve");
        let (is_done, out, err) = if is_inside {
            let ended = inside::run(&words)?;
            (ended.exit == Exit::Answered, ended.out, ended.err)
        } else {
            let ended = child::run(&words, no_limits, false)?;
            (ended.status.success(), ended.out, ended.err)
        };
        if limits::interrupted() {
            complain("interrupted before the first run");
            return Ok(false);
        }
        if !is_done {
            // A puzzle without a plan is an answer, not an error.
            let said = if err.trim().is_empty() { out } else { err };
            let said = said.trim().trim_start_matches("noyes: ").to_string();
            return Err(BadInput::new(said)).context(format!("prepare: noyes {command}"));
        }
    }
    Ok(true)
}

/// Prints how the runs ended, and what is wrong.
fn summary(path: &Path, runs: &[Run]) -> Exit {
    complain(format_args!(
        "{} in {}: {}",
        counted(runs.len(), "run", "runs"),
        path.display(),
        record::endings(runs)
    ));
    let failed = runs.iter().find_map(|run| Some((run, run.ending.error()?)));
    if let Some((run, error)) = failed {
        complain(format_args!(
            "the first failure: {error}\n  {}",
            run.command
        ));
    }
    let wrong = judge::contradictions(runs);
    for text in &wrong {
        complain(format_args!("WRONG ANSWER: {text}"));
    }
    if wrong.is_empty() {
        Exit::Answered
    } else {
        Exit::Failure
    }
}

impl Limits {
    fn in_words(self) -> String {
        let mib = self.memory_bytes >> 20;
        format!("{} s and {mib} MiB", self.time_s)
    }
}

impl Host {
    fn in_words(&self) -> String {
        let gib = self.memory_bytes as f64 / f64::from(1 << 30);
        format!(
            "{} with {}, {gib:.1} GiB, {}",
            self.processor,
            counted(self.cores as usize, "core", "cores"),
            self.system
        )
    }
}
