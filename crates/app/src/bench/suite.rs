//! A suite: instances × configurations × limits × repetitions, as a TOML file.
//!
//! A configuration is a command of this program, to which the instance and `--json` are added. So a suite can measure
//! whatever the command line can do, and every line of a report can be typed again. A suite has a quick and a full form; it
//! contains the figures of its paper, and says which tables and plots show the runs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::terminal::fault::BadInput;

/// One suite.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Suite {
    /// One line about what it measures.
    pub title: String,
    /// The paper, and its table or figure.
    #[serde(default)]
    pub source: Option<String>,
    /// What the reader of a report should know.
    #[serde(default)]
    pub about: Option<String>,
    /// Where runs take place.
    #[serde(default)]
    pub process: Process,
    /// The time limit of each run, such as `60s`.
    #[serde(default = "a_minute")]
    pub time_limit: String,
    /// The memory limit of each run, such as `4GiB`.
    #[serde(default = "four_gibibytes")]
    pub memory_limit: String,
    /// How often each run is made.
    #[serde(default = "once")]
    pub repetitions: u32,
    /// Commands that run first and are not counted, such as `pdb build 5-5-5 --size 4x4`.
    #[serde(default)]
    pub prepare: Vec<String>,
    /// What is different in the quick form.
    #[serde(default)]
    pub quick: Quick,
    #[serde(default)]
    pub instances: Vec<Instances>,
    pub configurations: Vec<Configuration>,
    /// The figures of the paper.
    #[serde(default)]
    pub said: Vec<Said>,
    /// The tables and plots of a report, in this order.
    #[serde(default)]
    pub views: Vec<View>,
}

/// How much of a suite is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    Full,
    Quick,
}

impl std::fmt::Display for Form {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.pad(match self {
            Form::Full => "full",
            Form::Quick => "quick",
        })
    }
}

/// Where runs take place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Process {
    /// Each in its own process, as on the command line: nothing is warm.
    #[default]
    Fresh,
    /// One after the other in this process, for runs that are shorter than the start of a process.
    Inside,
}

/// What is different in the quick form.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Quick {
    pub time_limit: Option<String>,
    pub repetitions: Option<u32>,
}

/// Some instances. Exactly one of the sources is given.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Instances {
    /// Their name; if there are several, each has its number after it.
    pub name: String,
    /// Written in the suite.
    #[serde(default)]
    pub puzzles: Vec<String>,
    /// Made by `noyes generate` with these arguments.
    pub generate: Option<String>,
    /// Generated at each of these distances, which become tags; `quick` counts those of each distance.
    #[serde(default)]
    pub distances: Vec<u32>,
    /// A file from the folder of `--data`, or from the project's data.
    pub file: Option<String>,
    /// Only these, by 1-based index.
    #[serde(default)]
    pub only: Vec<usize>,
    /// Each level again with only this many boxes and goals, the first ones.
    #[serde(default)]
    pub boxes: Vec<usize>,
    /// The number of instances in the quick form, possibly 0; all by default.
    pub quick: Option<usize>,
    /// The time limit of their runs in the full form, if it is not that of the suite.
    pub time_limit: Option<String>,
    /// What is known about them, such as `distance = 47`; reports group and plot by tags.
    #[serde(default)]
    pub tags: BTreeMap<String, Value>,
}

/// A command, possibly with parameters.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Configuration {
    pub name: String,
    /// The command after `noyes`, without the puzzle; `{k}` stands for the parameter `k`.
    pub command: String,
    /// There is a run for each combination of values, which become tags of the run.
    #[serde(default)]
    pub parameters: BTreeMap<String, Vec<Value>>,
    /// The values in the quick form, if they differ.
    #[serde(default)]
    pub quick_parameters: BTreeMap<String, Vec<Value>>,
    /// The names of the instances it runs on; all by default.
    #[serde(default)]
    pub instances: Vec<String>,
    /// Whether the command takes no puzzle (`pdb histogram`); it runs once.
    #[serde(default)]
    pub alone: bool,
    /// Whether it answers another question, so that it is not compared with the others.
    #[serde(default)]
    pub apart: bool,
    /// Left out of the quick form.
    #[serde(default)]
    pub full_only: bool,
}

/// A value of a tag or a parameter.
#[derive(Clone, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    Whole(i64),
    Real(f64),
    Text(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Value::Whole(n) => n.fmt(f),
            Value::Real(x) => x.fmt(f),
            Value::Text(text) => text.fmt(f),
        }
    }
}

/// A figure of the paper, to be shown beside ours.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Said {
    /// The configuration it is about.
    pub configuration: String,
    /// Whether only the paper has this configuration.
    #[serde(default)]
    pub theirs: bool,
    /// The instance or value of a tag it is about; all by default.
    pub of: Option<Value>,
    pub measure: String,
    pub statistic: Statistic,
    pub value: f64,
    /// Whether the value is only an upper or a lower bound.
    pub at: Option<Bound>,
    /// The paper's own words, if a number does not say it all (`X`, `close to 37 hours`).
    pub words: Option<String>,
    /// Such as the machine it was measured on.
    pub note: Option<String>,
}

/// How a paper bounds a value that it does not give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    Most,
    Least,
}

/// A statistic over several runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The number of runs that ended with an answer.
    Solved,
    Total,
    Mean,
    /// The standard deviation.
    Deviation,
    Median,
    Least,
    Most,
    /// The mean, where a run without an answer counts as twice its time limit.
    Par2,
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Asked {
    pub measure: String,
    pub statistic: Statistic,
}

/// A table or a plot. A measure is a number of a run: `wall_s`, `cpu_s`, `peak_bytes`, `expanded`, `generated`,
/// `clauses`, `variables`, `conflicts`, `decisions`, `cost`, or any number among the run's own `values`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", tag = "kind")]
pub enum View {
    /// A row for each configuration (and each value of a tag), a column for each statistic.
    Table {
        title: String,
        columns: Vec<Asked>,
        /// A tag, or `instance`: a row for each value of it.
        by: Option<String>,
    },
    /// A row for each instance or value of a tag, a column for each configuration.
    Cross {
        title: String,
        /// A tag, or `instance`.
        rows: String,
        measure: String,
        statistic: Statistic,
        /// Only runs that have these tags.
        #[serde(default)]
        only: BTreeMap<String, Value>,
        /// Only these configurations; all by default.
        #[serde(default)]
        configurations: Vec<String>,
    },
    /// The number of instances that each configuration solves within a time.
    Cactus { title: String, measure: String },
    /// Two configurations, instance by instance, log-log.
    Scatter {
        title: String,
        measure: String,
        across: String,
        up: String,
    },
    /// A measure against a tag, a line for each configuration.
    Growth {
        title: String,
        across: String,
        measure: String,
        #[serde(default)]
        log: bool,
        /// Only runs that have these tags.
        #[serde(default)]
        only: BTreeMap<String, Value>,
    },
    /// The distribution of a measure for each configuration.
    Histogram {
        title: String,
        measure: String,
        #[serde(default)]
        log: bool,
    },
    /// The entries of pattern databases by value, in one chart.
    Entries {
        title: String,
        /// Only these, by their tiles (`3,6,7,10,11`).
        #[serde(default)]
        tiles: Vec<String>,
        /// Scaled to the area 1.
        #[serde(default)]
        normalise: bool,
    },
}

fn a_minute() -> String {
    "60s".into()
}

fn four_gibibytes() -> String {
    "4GiB".into()
}

fn once() -> u32 {
    1
}

impl Suite {
    /// Reads a suite; messages call it `name`.
    pub fn parse(name: &str, text: &str) -> Result<Suite, BadInput> {
        toml::from_str(text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            let before = &text[..at.min(text.len())];
            let line = before.matches('\n').count() + 1;
            let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
            let what = error.message();
            BadInput::new(format!("{name}, line {line}, column {column}: {what}"))
        })
    }
}
