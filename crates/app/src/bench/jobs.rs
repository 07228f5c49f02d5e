//! The runs of a suite, one by one: every instance by every configuration with every value of its parameters.

use std::collections::{BTreeMap, HashSet};
use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use clap::CommandFactory;
use serde::{Deserialize, Serialize};

use super::instances::{self, Instance};
use super::suite::{Configuration, Form, Process, Suite, Value};
use super::words;
use crate::args::{self, Cli};
use crate::terminal::fault::BadInput;

/// One run that is to be made.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    pub instance: String,
    pub configuration: String,
    pub tags: BTreeMap<String, Value>,
    pub repetition: u32,
    /// The words of its command after `noyes`.
    pub words: Vec<String>,
    pub seed: Option<u64>,
    pub limits: Limits,
    /// Whether the command has flags for its limits.
    pub knows_limits: bool,
}

impl Job {
    /// What it works on. A command that takes no puzzle is its own task.
    pub fn task(&self) -> String {
        let alone = if self.instance.is_empty() {
            &self.configuration
        } else {
            ""
        };
        key(&self.instance, alone, &self.tags, self.repetition)
    }

    /// Its command, ready to be typed.
    pub fn command(&self) -> String {
        format!("noyes {}", words::join(&self.words))
    }

    /// What distinguishes it from all other runs of its suite.
    pub fn key(&self) -> String {
        key(
            &self.instance,
            &self.configuration,
            &self.tags,
            self.repetition,
        )
    }
}

/// What distinguishes a run from all others of its suite and form.
pub fn key(
    instance: &str,
    configuration: &str,
    tags: &BTreeMap<String, Value>,
    repetition: u32,
) -> String {
    let parts = (instance, configuration, tags, repetition);
    serde_json::to_string(&parts).expect("plain values")
}

/// The limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limits {
    pub time_s: f64,
    pub memory_bytes: u64,
}

impl Limits {
    /// Without more time than this.
    fn at_most(self, most: Option<Duration>) -> Limits {
        let most = most.map_or(f64::INFINITY, |most| most.as_secs_f64());
        Limits {
            time_s: self.time_s.min(most),
            ..self
        }
    }
}

/// The runs that a suite may have: more would take weeks, or all memory before the first one starts.
const MOST_RUNS: u128 = 100_000;

/// Everything that one form of a suite asks for.
pub struct Campaign {
    /// The runs, in the order in which they are made.
    pub jobs: Vec<Job>,
    /// Files of instances that were not found.
    pub missing: Vec<String>,
}

impl Campaign {
    /// Expands a suite; messages call it `name`. No run has more than `most` time.
    pub fn of(
        name: &str,
        suite: &Suite,
        form: Form,
        data: Option<&Path>,
        most: Option<Duration>,
    ) -> Result<Campaign> {
        let quick = form == Form::Quick;
        let limits = limits(suite, quick)?.at_most(most);
        let repetitions = (suite.quick.repetitions)
            .filter(|_| quick)
            .unwrap_or(suite.repetitions);
        // Counted before anything is made, and again when files have been read.
        let mut sizes: Vec<u64> = (suite.instances.iter())
            .map(|group| instances::size(group, quick))
            .collect();
        few_enough(name, suite, quick, repetitions, &sizes)?;
        let mut all = vec![];
        let mut missing = vec![];
        for (group, size) in suite.instances.iter().zip(&mut sizes) {
            let found = instances::read(group, quick, data)?;
            *size = found.as_ref().map_or(0, |found| found.len() as u64);
            match found {
                Some(some) => all.extend(some),
                None => missing.extend(group.file.clone()),
            }
        }
        few_enough(name, suite, quick, repetitions, &sizes)?;
        let mut wanted: Vec<(&Configuration, Knows)> = vec![];
        for configuration in suite.configurations.iter().filter(|c| c.is_in(quick)) {
            let words = words::split(&configuration.command).map_err(BadInput::new)?;
            wanted.push((configuration, Knows::of(&words)));
        }
        let mut jobs = vec![];
        for repetition in 1..=repetitions {
            // Instance by instance, so that configurations can be compared before all is done.
            for instance in &all {
                for &(configuration, knows) in &wanted {
                    if configuration.alone || !configuration.runs_on(&instance.group) {
                        continue;
                    }
                    let limits = instance.limits(limits)?.at_most(most);
                    for job in jobs_of(configuration, Some(instance), quick, limits)? {
                        jobs.push(job.complete(repetition, knows));
                    }
                }
            }
            for &(configuration, knows) in wanted.iter().filter(|(c, _)| c.alone) {
                for job in jobs_of(configuration, None, quick, limits)? {
                    jobs.push(job.complete(repetition, knows));
                }
            }
        }
        let mut keys = HashSet::new();
        for job in &jobs {
            if !keys.insert(job.key()) {
                let (configuration, instance) = (&job.configuration, &job.instance);
                return Err(BadInput::new(format!(
                    "{name}: duplicate run: {configuration} on {instance}"
                ))
                .into());
            }
            if suite.process == Process::Inside
                && job.words.first().is_none_or(|word| word != "solve")
            {
                return Err(BadInput::new(format!(
                    "{name}: configuration {:?}: process = \"inside\" is only for solve",
                    job.configuration
                ))
                .into());
            }
        }
        Ok(Campaign { jobs, missing })
    }
}

/// Refuses a suite that expands to too many runs; `sizes` are the numbers of instances of its groups.
fn few_enough(
    name: &str,
    suite: &Suite,
    quick: bool,
    repetitions: u32,
    sizes: &[u64],
) -> Result<(), BadInput> {
    let of = |configuration: &Configuration| {
        let instances = if configuration.alone {
            1
        } else {
            let groups = suite.instances.iter().zip(sizes);
            let on_it = groups.filter(|(group, _)| configuration.runs_on(&group.name));
            on_it.map(|(_, &size)| u128::from(size)).sum()
        };
        let values = configuration.parameters.iter();
        let values = values.map(|(name, values)| configuration.values(name, values, quick).len());
        values.fold(instances, |all, more| all.saturating_mul(more as u128))
    };
    let wanted = suite.configurations.iter().filter(|c| c.is_in(quick));
    let runs = wanted.map(of).fold(0, u128::saturating_add);
    let runs = runs.saturating_mul(repetitions.into());
    if runs > MOST_RUNS {
        return Err(BadInput::new(format!(
            "{name}: the suite expands to {runs} runs, and the limit is {MOST_RUNS}: expected fewer instances, values of \
             parameters or repetitions"
        )));
    }
    Ok(())
}

fn limits(suite: &Suite, quick: bool) -> Result<Limits> {
    let time = (suite.quick.time_limit.as_ref())
        .filter(|_| quick)
        .unwrap_or(&suite.time_limit);
    Ok(Limits {
        time_s: args::duration(time).map_err(BadInput::new)?.as_secs_f64(),
        memory_bytes: args::bytes(&suite.memory_limit).map_err(BadInput::new)? as u64,
    })
}

impl Instance {
    /// The limits of its runs; `limits` are those of the suite.
    fn limits(&self, limits: Limits) -> Result<Limits> {
        let own = self.time_limit.as_ref().map(|time| args::duration(time));
        let own = own.transpose().map_err(BadInput::new)?;
        Ok(Limits {
            time_s: own.map_or(limits.time_s, |time| time.as_secs_f64()),
            ..limits
        })
    }
}

impl Configuration {
    /// Whether it is part of a form.
    fn is_in(&self, quick: bool) -> bool {
        !(quick && self.full_only)
    }

    /// Whether it runs on the instances of a group.
    fn runs_on(&self, group: &String) -> bool {
        self.instances.is_empty() || self.instances.contains(group)
    }

    /// The values of a parameter in a form; `full` are those of the full one.
    fn values<'a>(&'a self, parameter: &str, full: &'a Vec<Value>, quick: bool) -> &'a Vec<Value> {
        let quick = self.quick_parameters.get(parameter).filter(|_| quick);
        quick.unwrap_or(full)
    }
}

/// A run for each value of each parameter, without repetitions and the flags that all runs get.
fn jobs_of(
    configuration: &Configuration,
    instance: Option<&Instance>,
    quick: bool,
    limits: Limits,
) -> Result<Vec<Job>> {
    let mut choices: Vec<BTreeMap<String, Value>> = vec![BTreeMap::new()];
    for (name, values) in &configuration.parameters {
        let values = configuration.values(name, values, quick);
        let mut more = vec![];
        for choice in &choices {
            for value in values {
                let mut choice = choice.clone();
                choice.insert(name.clone(), value.clone());
                more.push(choice);
            }
        }
        choices = more;
    }
    let mut jobs = vec![];
    for choice in choices {
        let mut tags = instance.map_or_else(BTreeMap::new, |i| i.tags.clone());
        tags.extend(choice);
        let mut words = words::split(&configuration.command).map_err(BadInput::new)?;
        for word in &mut words {
            *word = filled(word, &tags).map_err(|what| {
                let of = instance.map_or(String::new(), |i| format!(", nor a tag of {}", i.name));
                BadInput::new(format!(
                    "configuration {:?}: {{{what}}} is not one of its parameters{of}",
                    configuration.name
                ))
            })?;
        }
        words.extend(instance.map(|i| i.puzzle.clone()));
        jobs.push(Job {
            instance: instance.map_or(String::new(), |i| i.name.clone()),
            configuration: configuration.name.clone(),
            tags,
            repetition: 1,
            words,
            seed: instance.and_then(|i| i.seed),
            limits,
            knows_limits: false,
        });
    }
    Ok(jobs)
}

impl Job {
    /// Adds its limits and `--json`, if the command has such flags and they are not set.
    fn complete(mut self, repetition: u32, knows: Knows) -> Job {
        let limits = self.limits;
        let is_set = |flag: &str| self.words.iter().any(|w| w.split('=').next() == Some(flag));
        let mut more = vec![];
        if knows.time && !is_set("--time-limit") {
            more.extend(["--time-limit".into(), format!("{}s", limits.time_s)]);
        }
        if knows.memory && !is_set("--memory-limit") {
            more.extend(["--memory-limit".into(), limits.memory_bytes.to_string()]);
        }
        if knows.json && !is_set("--json") {
            more.push("--json".into());
        }
        self.words.extend(more);
        self.repetition = repetition;
        self.knows_limits = knows.time && knows.memory;
        self
    }
}

/// Which flags a command has.
#[derive(Clone, Copy)]
struct Knows {
    json: bool,
    time: bool,
    memory: bool,
}

impl Knows {
    fn of(words: &[String]) -> Knows {
        let cli = Cli::command();
        let mut command = &cli;
        for word in words {
            match command.find_subcommand(word) {
                Some(found) => command = found,
                None => break,
            }
        }
        let has = |id: &str| command.get_arguments().any(|arg| arg.get_id() == id);
        Knows {
            json: has("json"),
            time: has("time_limit"),
            memory: has("memory_limit"),
        }
    }
}

/// A word with the values of names in braces; the error is a name without a value.
fn filled(word: &str, tags: &BTreeMap<String, Value>) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = word;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}').ok_or_else(|| after.to_string())?;
        let value = tags.get(name).ok_or_else(|| name.to_string())?;
        text += before;
        text += &value.to_string();
        rest = after;
    }
    Ok(text + rest)
}

/// Part `i` of `n` of the tasks, as `--shard` writes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    pub part: usize,
    pub of: usize,
}

impl Shard {
    /// Reads `2/8`.
    pub fn parse(text: &str) -> Result<Shard, BadInput> {
        let parts = text
            .split_once('/')
            .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
        match parts {
            Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
            _ => Err(BadInput::new(format!(
                "--shard {text:?}: expected I/N, such as 2/8 for the second of eight parts"
            ))),
        }
    }

    /// Whether it has the task with this 0-based number. Neighbours, which are similar, go to different parts.
    pub fn has(self, number: usize) -> bool {
        number % self.of == self.part - 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_braces_become_values() {
        let tags = BTreeMap::from([("k".to_string(), Value::Whole(30))]);
        assert_eq!(filled("--at-most={k}", &tags).unwrap(), "--at-most=30");
        assert_eq!(filled("plain", &tags).unwrap(), "plain");
        assert_eq!(filled("{j}", &tags).unwrap_err(), "j");
        assert_eq!(filled("{k", &tags).unwrap_err(), "k");
    }

    #[test]
    fn flags_are_found_by_command() {
        let of = |text: &str| Knows::of(&words::split(text).unwrap());
        assert!(of("solve --engine sat").time && of("solve").memory);
        assert!(of("pdb histogram 5-5-5").json && !of("pdb build 5-5-5").json);
    }

    #[test]
    fn every_run_is_in_one_shard() {
        for of in 1..5 {
            let shards: Vec<Shard> = (1..=of).map(|part| Shard { part, of }).collect();
            for number in 0..20 {
                assert_eq!(shards.iter().filter(|s| s.has(number)).count(), 1);
            }
        }
        for bad in ["0/2", "3/2", "2", "a/b", "1/0", "-1/2"] {
            assert!(Shard::parse(bad).is_err(), "{bad}");
        }
    }
}
