//! One row for each run, for whatever reads tables.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::set::Set;
use crate::bench::record::Run;

/// The columns that every run has, in this order.
const COLUMNS: [&str; 30] = [
    "suite",
    "form",
    "instance",
    "configuration",
    "repetition",
    "status",
    "cost",
    "lower",
    "upper",
    "wall_s",
    "cpu_s",
    "peak_bytes",
    "expanded",
    "generated",
    "variables",
    "clauses",
    "conflicts",
    "decisions",
    "seed",
    "time_limit_s",
    "memory_limit_bytes",
    "process",
    "started",
    "version",
    "processor",
    "cores",
    "memory_bytes",
    "system",
    "command",
    "error",
];

pub fn write(sets: &[Set]) -> String {
    let runs = || sets.iter().flat_map(|set| &set.runs);
    let tags: BTreeSet<&String> = runs().flat_map(|run| run.tags.keys()).collect();
    let values: BTreeSet<&String> = runs()
        .flat_map(|run| &run.values)
        .filter(|(_, value)| !value.is_array() && !value.is_object())
        .map(|(name, _)| name)
        .collect();
    let mut heads: Vec<String> = COLUMNS.map(String::from).into();
    heads.extend(tags.iter().map(|tag| format!("tag_{tag}")));
    heads.extend(values.iter().map(|value| format!("value_{value}")));
    let mut text = row(heads);
    for run in runs() {
        let mut cells: Vec<String> = COLUMNS.iter().map(|column| cell(run, column)).collect();
        let told = |tag: &&String| {
            run.tags
                .get(*tag)
                .map(ToString::to_string)
                .unwrap_or_default()
        };
        cells.extend(tags.iter().map(told));
        cells.extend(values.iter().map(|name| match run.values.get(*name) {
            None | Some(Json::Null | Json::Array(_) | Json::Object(_)) => String::new(),
            Some(Json::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        }));
        text += &row(cells);
    }
    text
}

fn cell(run: &Run, column: &str) -> String {
    match column {
        "suite" => run.suite.clone(),
        "form" => run.form.clone(),
        "instance" => run.instance.clone(),
        "configuration" => run.configuration.clone(),
        "repetition" => run.repetition.to_string(),
        "status" => run.status.clone(),
        "seed" => run.seed.map(|seed| seed.to_string()).unwrap_or_default(),
        "time_limit_s" => run.time_limit_s.to_string(),
        "memory_limit_bytes" => run.memory_limit_bytes.to_string(),
        "process" => run.process.clone(),
        "started" => run.started.to_string(),
        "version" => run.version.clone(),
        "processor" => run.host.processor.clone(),
        "cores" => run.host.cores.to_string(),
        "memory_bytes" => run.host.memory_bytes.to_string(),
        "system" => run.host.system.clone(),
        "command" => run.command.clone(),
        "error" => run.error.clone().unwrap_or_default(),
        measure => run
            .measure(measure)
            .map(|v| v.to_string())
            .unwrap_or_default(),
    }
}

fn row(cells: Vec<String>) -> String {
    let quoted = cells.into_iter().map(|cell| {
        if cell.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", cell.replace('"', "\"\""))
        } else {
            cell
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}
