//! The line of a run, from what its command printed.

use std::collections::BTreeMap;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::Result;
use serde_json::{Map, Value as Json};

use super::child::Killed;
use super::ending::{Ending, Failure, Limit};
use super::jobs::Job;
use super::old;
use super::record::{Host, Run, SCHEMA};
use super::suite::{Form, Process};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;

/// What all runs of one call have in common.
pub struct Common {
    pub suite: String,
    pub form: Form,
    pub process: Process,
    pub version: String,
    pub host: Host,
}

/// Fields of an answer that are not kept: the line has them elsewhere, or they are long and the command gives them again.
const LEFT_OUT: [&str; 7] = [
    "schema", "puzzle", "level", "goal", "plan", "notation", "steps",
];

impl Common {
    /// Runs a job and returns its line, or nothing if it was stopped. A failed run has a line, too.
    pub fn run(&self, job: &Job, is_stopped: &dyn Fn() -> bool) -> Result<Option<Run>> {
        let started = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        let mut run = self.blank(job, started);
        match self.process {
            Process::Fresh => {
                let ended = job.run_fresh(is_stopped)?;
                (run.wall_s, run.cpu_s) = (ended.wall_s, ended.cpu_s);
                run.peak_bytes = ended.peak_bytes;
                match ended.killed {
                    Some(Killed::Interrupted) => return Ok(None),
                    Some(Killed::Time) => run.ending = Ending::killed(Limit::Time),
                    Some(Killed::Memory) => run.ending = Ending::killed(Limit::Memory),
                    None => run.take(&ended.out, Fault::of(ended.status, &ended.err)),
                }
            }
            Process::Inside => match job.run_inside() {
                Ok(ended) => {
                    run.wall_s = ended.wall_s;
                    run.take(&ended.out, Fault::of_code(ended.exit.code().into()));
                    // There is no process whose usage the system reports.
                    let said = |name: &str| run.values.get(name).and_then(Json::as_f64);
                    run.cpu_s = said("engine_cpu_s").unwrap_or(0.0);
                    run.peak_bytes = said("engine_bytes").unwrap_or(0.0) as u64;
                }
                Err(error) => {
                    let failure = if error.is::<BadInput>() {
                        Failure::BadInput
                    } else {
                        Failure::Error
                    };
                    run.ending = Ending::failed(failure, format!("{error:#}"));
                }
            },
        }
        Ok((!is_stopped()).then_some(run))
    }

    /// The line of a run before it has started.
    fn blank(&self, job: &Job, started: u64) -> Run {
        Run {
            schema: SCHEMA.into(),
            suite: self.suite.clone(),
            form: self.form,
            instance: job.instance.clone(),
            configuration: job.configuration.clone(),
            tags: job.tags.clone(),
            repetition: job.repetition,
            command: job.command(),
            ending: Ending::Done,
            cost: None,
            lower: None,
            upper: None,
            wall_s: 0.0,
            cpu_s: 0.0,
            peak_bytes: 0,
            expanded: None,
            generated: None,
            variables: None,
            clauses: None,
            conflicts: None,
            decisions: None,
            seed: job.seed,
            time_limit_s: job.limits.time_s,
            memory_limit_bytes: job.limits.memory_bytes,
            process: self.process,
            values: BTreeMap::new(),
            started,
            version: self.version.clone(),
            host: self.host.clone(),
        }
    }
}

/// An exit without an answer.
struct Fault {
    failure: Failure,
    /// The message on standard error.
    said: Option<String>,
    /// Such as `exit code 1`.
    ending: String,
}

impl Fault {
    /// The fault of a process, if there was one.
    fn of(status: std::process::ExitStatus, err: &str) -> Option<Fault> {
        let fault = match status.code() {
            Some(code) => Fault::of_code(code)?,
            None => Fault {
                failure: Failure::Crashed,
                said: None,
                ending: status.to_string(),
            },
        };
        Some(Fault {
            said: reason(err).map(Into::into),
            ..fault
        })
    }

    /// The fault behind an exit code; answers, limits and unsolvable puzzles are not faults.
    fn of_code(code: i32) -> Option<Fault> {
        let is = |exit: Exit| i32::from(exit.code()) == code;
        if [Exit::Answered, Exit::Limit, Exit::Unsolvable]
            .map(is)
            .contains(&true)
        {
            return None;
        }
        let known = [
            (Exit::BadInput, Failure::BadInput),
            (Exit::Unverified, Failure::Unverified),
            (Exit::Failure, Failure::Error),
        ];
        let found = known.into_iter().find(|&(exit, _)| is(exit));
        Some(Fault {
            failure: found.map_or(Failure::Crashed, |(_, failure)| failure),
            said: None,
            ending: format!("exit code {code}"),
        })
    }
}

/// The first error message of a process, or else its last line.
fn reason(err: &str) -> Option<&str> {
    let complaint = |line| {
        ["noyes: ", "error: "]
            .iter()
            .find_map(|p| str::strip_prefix(line, p))
    };
    let last = err
        .lines()
        .rev()
        .map(str::trim)
        .find(|line| !line.is_empty());
    err.lines().find_map(complaint).or(last)
}

impl Run {
    /// Takes what was printed, or what went wrong.
    fn take(&mut self, out: &str, fault: Option<Fault>) {
        let mut lines: Vec<Map<String, Json>> = vec![];
        for line in out.lines() {
            match serde_json::from_str(line) {
                Ok(Json::Object(object)) => lines.push(object),
                _ if fault.is_some() => {}
                _ => {
                    let error = "something other than JSON was printed";
                    self.ending = Ending::failed(Failure::Unreadable, error);
                    return;
                }
            }
        }
        let last = lines.pop().unwrap_or_default();
        if let Some(Fault {
            failure,
            said,
            ending,
        }) = fault
        {
            let error = last.get("error").and_then(Json::as_str);
            let text = match error.or(said.as_deref()) {
                Some(said) => format!("{said}; {ending}"),
                None => ending,
            };
            self.ending = Ending::failed(failure, text);
            return;
        }
        self.read(last);
        if !lines.is_empty() {
            let others = lines.into_iter().map(Json::Object).collect();
            self.values.insert("before".into(), Json::Array(others));
        }
    }

    fn read(&mut self, mut said: Map<String, Json>) {
        old::answer(&mut said);
        for name in LEFT_OUT {
            said.remove(name);
        }
        let mut number = |name: &str| said.remove(name).as_ref().and_then(Json::as_u64);
        let mut small = |name: &str| number(name).and_then(|n| u32::try_from(n).ok());
        self.cost = small("cost");
        self.lower = small("lower");
        self.upper = small("upper");
        self.expanded = number("expanded");
        self.generated = number("generated");
        self.variables = number("variables");
        self.clauses = number("clauses");
        self.conflicts = number("conflicts");
        self.decisions = number("decisions");
        // The engine's own figures, without the start of the process and the reading of tables.
        for (theirs, ours) in [
            ("wall_s", "engine_wall_s"),
            ("cpu_s", "engine_cpu_s"),
            ("peak_bytes", "engine_bytes"),
        ] {
            if let Some(value) = said.remove(theirs) {
                self.values.insert(ours.into(), value);
            }
        }
        let mut text = |name: &str| match said.remove(name) {
            Some(Json::String(text)) => Some(text),
            _ => None,
        };
        self.ending = match (text("status"), text("error")) {
            (_, Some(error)) => Ending::failed(Failure::Error, error),
            (Some(status), None) => Ending::of_answer(&status, text("stop").as_deref()),
            (None, None) => Ending::Done,
        };
        let rest = said.into_iter().filter(|(_, value)| !value.is_null());
        self.values.extend(rest);
    }
}
