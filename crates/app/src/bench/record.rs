//! One run as one line of JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::ending::Ending;
use super::suite::{Form, Process, Value};

/// The version of these lines; it changes when a field changes its meaning.
pub const SCHEMA: &str = "noyes-bench/2";

/// One run: its command, how it ended, and what it took. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub schema: String,
    pub suite: String,
    pub form: Form,
    pub instance: String,
    pub configuration: String,
    /// Tags of the instance and parameters of the configuration.
    pub tags: BTreeMap<String, Value>,
    /// Counted from 1.
    pub repetition: u32,
    /// The command that repeats it.
    pub command: String,
    /// `status`, and the fields that belong to it.
    #[serde(flatten)]
    pub ending: Ending,
    pub cost: Option<u32>,
    pub lower: Option<u32>,
    pub upper: Option<u32>,
    pub wall_s: f64,
    pub cpu_s: f64,
    /// Of its own process, or else of what the engine stored.
    pub peak_bytes: u64,
    pub expanded: Option<u64>,
    pub generated: Option<u64>,
    pub variables: Option<u64>,
    pub clauses: Option<u64>,
    pub conflicts: Option<u64>,
    pub decisions: Option<u64>,
    pub seed: Option<u64>,
    /// The limits it ran within.
    pub time_limit_s: f64,
    pub memory_limit_bytes: u64,
    pub process: Process,
    /// The other fields that the command printed, such as `csp_variables` or the `counts` of a pattern database.
    pub values: BTreeMap<String, Json>,
    /// When it began, in seconds since 1970.
    pub started: u64,
    /// The version and build of the program that ran.
    pub version: String,
    pub host: Host,
}

/// The machine of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Host {
    pub processor: String,
    pub cores: u32,
    pub memory_bytes: u64,
    pub system: String,
}

impl Run {
    /// A number of the run by its name, if it has one.
    pub fn measure(&self, name: &str) -> Option<f64> {
        let whole = |n: Option<u64>| n.map(|n| n as f64);
        match name {
            "wall_s" => Some(self.wall_s),
            "cpu_s" => Some(self.cpu_s),
            "peak_bytes" => whole(Some(self.peak_bytes)),
            "cost" => self.cost.map(f64::from),
            "lower" => self.lower.map(f64::from),
            "upper" => self.upper.map(f64::from),
            "expanded" => whole(self.expanded),
            "generated" => whole(self.generated),
            "variables" => whole(self.variables),
            "clauses" => whole(self.clauses),
            "conflicts" => whole(self.conflicts),
            "decisions" => whole(self.decisions),
            // Yes counts as 1, so that a total counts runs.
            other => self.values.get(other).and_then(|value| match value {
                Json::Bool(yes) => Some(f64::from(u8::from(*yes))),
                number => number.as_f64(),
            }),
        }
    }
}

/// The number of runs by ending, in words: `1 ended by a limit, 7 optimal`.
pub fn endings(runs: &[Run]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for run in runs {
        *counts.entry(run.ending.in_words()).or_default() += 1;
    }
    let words = counts
        .iter()
        .map(|(words, count)| format!("{count} {words}"));
    words.collect::<Vec<_>>().join(", ")
}
