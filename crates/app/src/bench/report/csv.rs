//! One row for each run, for programs that read tables.
//!
//! Spreadsheets take a text that begins with `=`, `+`, `-` or `@` for a formula and run it. Such a text gets an apostrophe
//! in front, which they show as text; numbers stay as they are.

use std::collections::BTreeSet;

use csv::Writer;
use serde_json::Value as Json;

use super::set::Set;

/// The columns that every run has, in this order: fields of its line and of its `host`.
const COLUMNS: [&str; 33] = [
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
    "stop",
    "killed",
    "failure",
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
    let mut table = Writer::from_writer(vec![]);
    row(&mut table, &heads);
    for run in runs() {
        let line = serde_json::to_value(run).expect("plain fields");
        let field = |&name: &&str| cell(line.get(name).or_else(|| line["host"].get(name)));
        let tag = |name: &&String| run.tags.get(*name).map(|tag| no_formula(tag.to_string()));
        let mut cells: Vec<String> = COLUMNS.iter().map(field).collect();
        cells.extend(tags.iter().map(|name| tag(name).unwrap_or_default()));
        cells.extend(values.iter().map(|name| cell(run.values.get(*name))));
        row(&mut table, &cells);
    }
    let bytes = table.into_inner().expect("memory can be written to");
    String::from_utf8(bytes).expect("made of texts")
}

fn row(table: &mut Writer<Vec<u8>>, cells: &[String]) {
    table
        .write_record(cells)
        .expect("rows are of one length, and memory can be written to");
}

/// A text that no spreadsheet runs as a formula.
fn no_formula(text: String) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula && text.parse::<f64>().is_err() {
        format!("'{text}")
    } else {
        text
    }
}

/// A value as a cell: a text without quotes; lists and objects stay empty.
fn cell(value: Option<&Json>) -> String {
    match value {
        None | Some(Json::Null | Json::Array(_) | Json::Object(_)) => String::new(),
        Some(Json::String(text)) => no_formula(text.clone()),
        Some(Json::Number(number)) if number.is_f64() => {
            number.as_f64().unwrap_or_default().to_string()
        }
        Some(other) => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_not_formulas_and_numbers_stay_numbers() {
        let written = |text: &str| no_formula(text.into());
        for formula in ["=1+2", "+cmd|'/c calc'!A1", "-2+3", "@SUM(A1)", "\t=1"] {
            assert_eq!(written(formula), format!("'{formula}"));
        }
        for plain in ["", "-1.5", "+3", "-1e9", "1 2 3", "a=b", "map1-2"] {
            assert_eq!(written(plain), plain);
        }
    }
}
