//! A suite: instances × configurations × limits × repetitions, as a TOML file.
//!
//! A configuration is what one would type: a command of this program, to which the instance and `--json` are added.
//! So a suite can measure whatever the command line can do, and every line of a report can be typed again. A suite
//! has a quick form and a full one; it carries what its document says, and which tables and plots show the runs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::terminal::fault::BadInput;

/// One suite.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Suite {
    /// One line about what it measures.
    pub title: String,
    /// The document, and the table or figure of it.
    #[serde(default)]
    pub source: Option<String>,
    /// What the reader should know, in plain words.
    #[serde(default)]
    pub about: Option<String>,
    /// Where runs take place.
    #[serde(default)]
    pub process: Process,
    /// For each run, such as `60s`.
    #[serde(default = "a_minute")]
    pub time_limit: String,
    /// For each run, such as `4GiB`.
    #[serde(default = "four_gibibytes")]
    pub memory_limit: String,
    /// How often each run is repeated.
    #[serde(default = "once")]
    pub repetitions: u32,
    /// Commands that run before all others and are not counted, such as `pdb build 5-5-5 --size 4x4`.
    #[serde(default)]
    pub prepare: Vec<String>,
    /// What is different in the quick form.
    #[serde(default)]
    pub quick: Quick,
    #[serde(default)]
    pub instances: Vec<Instances>,
    pub configurations: Vec<Configuration>,
    /// What the document says.
    #[serde(default)]
    pub said: Vec<Said>,
    /// What a report shows of it, in this order.
    #[serde(default)]
    pub views: Vec<View>,
}

/// How much of a suite is run; the first is the whole of it.
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
    /// Each in a process of its own: nothing is warm, memory is its own. What users of the command line get.
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
    /// Their name; where there are several, each has its number after it.
    pub name: String,
    /// Written out.
    #[serde(default)]
    pub puzzles: Vec<String>,
    /// Made by `noyes generate` with these arguments.
    pub generate: Option<String>,
    /// Generated at each of these distances, which are tags of them; `quick` counts those of each.
    #[serde(default)]
    pub distances: Vec<u32>,
    /// A file of the project's data, or of the folder given by `--data`.
    pub file: Option<String>,
    /// Only these of a file, counted from 1.
    #[serde(default)]
    pub only: Vec<usize>,
    /// Each level again with this many of its boxes and goals, the first ones.
    #[serde(default)]
    pub boxes: Vec<usize>,
    /// How many of them the quick form takes, possibly 0; all without it.
    pub quick: Option<usize>,
    /// What is known of them beforehand, such as `distance = 47`; reports group and plot by tags.
    #[serde(default)]
    pub tags: BTreeMap<String, Value>,
}

/// One way of running: a command, possibly with parameters.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Configuration {
    pub name: String,
    /// What is typed after `noyes`, without the puzzle; `{k}` stands for the parameter `k`.
    pub command: String,
    /// A run for each value of each parameter; they become tags of the run.
    #[serde(default)]
    pub parameters: BTreeMap<String, Vec<Value>>,
    /// The values of the quick form, where they differ.
    #[serde(default)]
    pub quick_parameters: BTreeMap<String, Vec<Value>>,
    /// The names of the instances it runs on; all without it.
    #[serde(default)]
    pub instances: Vec<String>,
    /// Whether the command takes no puzzle at all (`pdb histogram`); it runs once, instances do not matter.
    #[serde(default)]
    pub alone: bool,
    /// Not compared with all others: it answers another question.
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

/// A figure of the document, to stand beside ours.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Said {
    /// The configuration it is about.
    pub configuration: String,
    /// Whether that is a name of its own, because we have no such configuration.
    #[serde(default)]
    pub theirs: bool,
    /// The instance or the tag's value it is about; all of them without it.
    pub of: Option<Value>,
    pub measure: String,
    pub statistic: Statistic,
    pub value: f64,
    /// Whether the value is only known to be at most or at least this.
    pub at: Option<Bound>,
    /// As the document writes it where a number does not say it all (`X`, `close to 37 hours`).
    pub words: Option<String>,
    /// Such as the machine it was measured on.
    pub note: Option<String>,
}

/// What a document says of a value that it does not give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    Most,
    Least,
}

/// What is made of the values of several runs.
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
    /// The mean, a run without an answer counted as twice its time limit.
    Par2,
}

/// One column of a table, as a suite asks for it.
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
    },
    /// How many instances each configuration solves within a time.
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
    /// How often each value of a measure comes, for each configuration.
    Histogram {
        title: String,
        measure: String,
        #[serde(default)]
        log: bool,
    },
    /// The entries of pattern databases by value, drawn over one another.
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
    /// Reads a suite; `name` is what messages call it.
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
