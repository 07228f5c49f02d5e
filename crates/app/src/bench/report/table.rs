//! The views `table` and `cross`, and the figures of the paper that no view shows.

use std::collections::{BTreeMap, BTreeSet};

use super::cell::{self, Notes};
use super::document::{Column, Row, Table};
use super::set::{Configured, Set, distinct, parts, tag};
use super::statistics::{Sample, measure_word, word};
use crate::bench::record::Run;
use crate::bench::suite::{Asked, Form, Said, Statistic, Value};

/// The figures of the paper that were shown, by index.
pub type Shown = BTreeSet<usize>;

/// A row: its configuration, the value it is about, and its runs.
struct Line<'a> {
    names: Vec<String>,
    label: String,
    of: Option<Value>,
    runs: Vec<&'a Run>,
    ours: bool,
}

/// A row for each configuration (and each value of a tag), a column for each statistic.
pub fn by_configuration(
    set: &Set,
    title: &str,
    asked: &[Asked],
    by: Option<&str>,
    shown: &mut Shown,
) -> Table {
    let all = figures(set);
    let fits = |said: &Said| {
        let column = |c: &Asked| c.measure == said.measure && c.statistic == said.statistic;
        said.of.is_some() == by.is_some() && asked.iter().any(column)
    };
    let mut lines: Vec<Line> = vec![];
    for configured in set.configurations(by) {
        lines.extend(parted(&configured, by));
    }
    for said in all.iter().filter(|said| fits(said)) {
        if !lines.iter().any(|line| line.is_about(said)) {
            lines.push(Line::of_paper(said));
        }
    }
    let beside: Vec<bool> = asked
        .iter()
        .map(|c| {
            let about = |said: &Said| {
                said.measure == c.measure && said.statistic == c.statistic && fits(said)
            };
            all.iter().any(about)
        })
        .collect();
    let counts = !asked.iter().any(|c| c.statistic == Statistic::Solved);
    let mut columns = vec![Column::label("configuration")];
    columns.extend(by.map(|by| Column::label(&by.replace('_', " "))));
    if counts {
        columns.push(Column::ours("runs answered"));
    }
    for (column, &said) in asked.iter().zip(&beside) {
        let about = about(column, asked);
        if said {
            columns.extend(Column::paper(
                &about,
                true,
                has_ratio(set, column.statistic),
            ));
        } else {
            columns.push(Column::ours(&about));
        }
    }
    let mut notes = Notes::default();
    let mut rows = vec![];
    for line in &lines {
        let mut cells = vec![line.label.clone()];
        cells.extend(line.of.as_ref().map(ToString::to_string));
        if counts {
            let sample = Sample::of(line.runs.iter().copied(), "wall_s");
            cells.push(line.figure(&sample, "wall_s", Statistic::Solved, false));
        }
        for (column, &said) in asked.iter().zip(&beside) {
            let sample = Sample::of(line.runs.iter().copied(), &column.measure);
            let spread = has_spread(column, asked);
            cells.push(line.figure(&sample, &column.measure, column.statistic, spread));
            if said {
                let names: Vec<&str> = line.names.iter().map(String::as_str).collect();
                let of = line.of.as_ref();
                let found = cell::said(
                    set.suite.as_ref(),
                    &names,
                    of,
                    &column.measure,
                    column.statistic,
                );
                let said: Vec<&Said> = found.iter().map(|&i| &all[i]).collect();
                shown.extend(found);
                cells.push(cell::paper(&said, &mut notes));
                if has_ratio(set, column.statistic) {
                    cells.push(cell::ratio(&said, sample.figure(column.statistic)));
                }
            }
        }
        rows.push(Row {
            cells,
            apart: !line.ours,
        });
    }
    let mut said = source(set, beside.contains(&true));
    said.extend(notes.lines());
    Table {
        title: title.into(),
        columns,
        rows,
        notes: said,
    }
}

impl Line<'_> {
    fn is_about(&self, said: &Said) -> bool {
        let same = |a: &Option<Value>| a.as_ref().map(ToString::to_string);
        self.names.contains(&said.configuration) && same(&self.of) == same(&said.of)
    }

    /// A row that only the paper has.
    fn of_paper(said: &Said) -> Self {
        Line {
            names: vec![said.configuration.clone()],
            label: format!("{} (paper)", said.configuration),
            of: said.of.clone(),
            runs: vec![],
            ours: false,
        }
    }

    fn figure(&self, sample: &Sample, measure: &str, statistic: Statistic, spread: bool) -> String {
        if self.ours {
            cell::ours(sample, measure, statistic, spread)
        } else {
            "–".into()
        }
    }
}

/// The rows of a configuration: one, or one for each value of the tag.
fn parted<'a>(configured: &Configured<'a>, by: Option<&str>) -> Vec<Line<'a>> {
    let line = |of: Option<Value>, runs: Vec<&'a Run>| Line {
        names: vec![configured.label.clone(), configured.name.clone()],
        label: configured.label.clone(),
        of,
        runs,
        ours: true,
    };
    let Some(by) = by else {
        return vec![line(None, configured.runs.clone())];
    };
    let rows = parts(&configured.runs, by).into_iter();
    rows.map(|(value, runs)| line(Some(value), runs)).collect()
}

/// A row for each instance or value of a tag, a column for each configuration.
pub fn cross(
    set: &Set,
    title: &str,
    by: &str,
    measure: &str,
    statistic: Statistic,
    shown: &mut Shown,
) -> Table {
    let all = figures(set);
    let suite = set.suite.as_ref();
    let relevant: Vec<&Said> = all
        .iter()
        .filter(|s| s.measure == measure && s.statistic == statistic)
        .collect();
    let configurations = set.configurations(Some(by));
    let ours = set.runs.iter().filter_map(|run| tag(run, by));
    let said = relevant.iter().filter_map(|said| said.of.clone());
    let values = distinct(ours.chain(said));
    let whole = relevant.iter().any(|said| said.of.is_none());
    let rows: Vec<Option<Value>> = values
        .into_iter()
        .map(Some)
        .chain(whole.then_some(None))
        .collect();
    // 1. The columns: ours, then those that only the paper has.
    let mut heads = vec![];
    for configured in &configurations {
        let names = vec![configured.label.as_str(), configured.name.as_str()];
        let said = relevant
            .iter()
            .any(|s| names.contains(&s.configuration.as_str()));
        let parts = parts(&configured.runs, by).into_iter();
        let parts: BTreeMap<String, Vec<&Run>> = parts
            .map(|(value, runs)| (value.to_string(), runs))
            .collect();
        heads.push((Some((configured, parts)), names, said));
    }
    for said in &relevant {
        let name = said.configuration.as_str();
        if !heads.iter().any(|(_, names, _)| names.contains(&name)) {
            heads.push((None, vec![name], true));
        }
    }
    let mut columns = vec![Column::label(&by.replace('_', " "))];
    for (configured, names, said) in &heads {
        if *said {
            let ratio = has_ratio(set, statistic);
            columns.extend(Column::paper(names[0], configured.is_some(), ratio));
        } else {
            columns.push(Column::ours(names[0]));
        }
    }
    // 2. The rows.
    let mut notes = Notes::default();
    let mut table = vec![];
    let mut most = 0;
    for of in &rows {
        let told = of.as_ref().map(ToString::to_string);
        let mut cells = vec![told.clone().unwrap_or("all".into())];
        for (configured, names, beside) in &heads {
            let runs: &[&Run] = match (configured, &told) {
                (None, _) => &[],
                (Some((all, _)), None) => &all.runs,
                (Some((_, parts)), Some(value)) => parts.get(value).map_or(&[], Vec::as_slice),
            };
            let sample = Sample::of(runs.iter().copied(), measure);
            if of.is_some() {
                most = most.max(sample.runs());
            }
            if configured.is_some() {
                cells.push(cell::ours(&sample, measure, statistic, true));
            }
            if *beside {
                let found = cell::said(suite, names, of.as_ref(), measure, statistic);
                let said: Vec<&Said> = found.iter().map(|&i| &all[i]).collect();
                shown.extend(found);
                cells.push(cell::paper(&said, &mut notes));
                if configured.is_some() && has_ratio(set, statistic) {
                    cells.push(cell::ratio(&said, sample.figure(statistic)));
                }
            }
        }
        table.push(Row {
            cells,
            apart: of.is_none(),
        });
    }
    let mut said = vec![cells_are(measure, statistic, most)];
    said.extend(source(set, !relevant.is_empty()));
    said.extend(notes.lines());
    Table {
        title: title.into(),
        columns,
        rows: table,
        notes: said,
    }
}

/// What the cells of a `cross` mean.
fn cells_are(measure: &str, statistic: Statistic, runs: usize) -> String {
    let measure = measure_word(measure);
    let spread = match statistic {
        _ if runs < 2 => return format!("Cells: {measure}, one run each."),
        Statistic::Mean => " ± standard deviation",
        Statistic::Median => " [least – most]",
        _ => "",
    };
    format!(
        "Cells: {measure}, {}{spread}, of up to {runs} runs.",
        word(statistic)
    )
}

/// The figures of the paper that no view shows.
pub fn further(set: &Set, shown: &Shown) -> Option<Table> {
    let mut notes = Notes::default();
    let mut rows = vec![];
    for (i, said) in figures(set).iter().enumerate() {
        if !shown.contains(&i) {
            let of = said.of.as_ref().map_or("all".into(), ToString::to_string);
            let what = format!("{}, {}", measure_word(&said.measure), word(said.statistic));
            let told = cell::paper(&[said], &mut notes);
            rows.push(Row {
                cells: vec![said.configuration.clone(), of, what, told],
                apart: false,
            });
        }
    }
    if rows.is_empty() {
        return None;
    }
    let mut columns: Vec<Column> = ["configuration", "of", "figure"].map(Column::label).into();
    columns.extend(Column::paper("", false, false));
    let mut said = source(set, true);
    said.extend(notes.lines());
    Some(Table {
        title: "Other figures of the paper".into(),
        columns,
        rows,
        notes: said,
    })
}

/// Whether it makes sense to divide the paper's figure by ours. It does not for totals of the quick form, which has fewer boards.
fn has_ratio(set: &Set, statistic: Statistic) -> bool {
    match statistic {
        Statistic::Deviation | Statistic::Solved => false,
        Statistic::Total => set.form == Form::Full,
        _ => true,
    }
}

fn figures(set: &Set) -> &[Said] {
    set.suite.as_ref().map_or(&[], |suite| &suite.said)
}

/// The source of the columns called "paper".
fn source(set: &Set, needed: bool) -> Vec<String> {
    let source = set.suite.as_ref().and_then(|suite| suite.source.as_ref());
    match source {
        Some(source) if needed && set.form == Form::Full => vec![format!(
            "Paper: {source}. Its figures were measured on its authors' machines, not here."
        )],
        Some(source) if needed => vec![format!(
            "Paper: {source}. Its figures were measured on its authors' machines and on all instances; this is the quick form."
        )],
        _ => vec![],
    }
}

/// The head of a column.
fn about(column: &Asked, asked: &[Asked]) -> String {
    if column.statistic == Statistic::Solved {
        return "answered".into();
    }
    let spread = match column.statistic {
        Statistic::Mean if has_spread(column, asked) => " ± standard deviation",
        Statistic::Median if has_spread(column, asked) => " [least – most]",
        _ => "",
    };
    format!(
        "{}, {}{spread}",
        measure_word(&column.measure),
        word(column.statistic)
    )
}

/// Whether a mean or median shows its spread, because no other column does.
fn has_spread(column: &Asked, asked: &[Asked]) -> bool {
    let there = |statistic| {
        asked
            .iter()
            .any(|c| c.measure == column.measure && c.statistic == statistic)
    };
    match column.statistic {
        Statistic::Mean => !there(Statistic::Deviation),
        Statistic::Median => !(there(Statistic::Least) && there(Statistic::Most)),
        _ => false,
    }
}
