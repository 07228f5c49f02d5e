//! The entries of pattern databases by value, drawn over one another.

use serde_json::Value as Json;

use super::super::set::Set;
use super::drawn::Drawn;
use crate::bench::record::Run;
use crate::chart::{self, number};

/// One pattern database.
struct Counted {
    tiles: String,
    counts: Vec<f64>,
}

pub fn entries(set: &Set, title: &str, only: &[String], normalise: bool) -> Drawn {
    let mut all: Vec<Counted> = vec![];
    for run in set.runs.iter().filter(|run| run.repetition <= 1) {
        for counted in counted(run) {
            let wanted = only.is_empty() || only.contains(&counted.tiles);
            if wanted && !all.iter().any(|other| other.tiles == counted.tiles) {
                all.push(counted);
            }
        }
    }
    if let Some(missing) = only
        .iter()
        .find(|tiles| !all.iter().any(|c| c.tiles == **tiles))
    {
        return Err(format!("no run counted the entries of tiles {missing}"));
    }
    if all.is_empty() {
        return Err("no run counted the entries of a pattern database".into());
    }
    if !only.is_empty() {
        all.sort_by_key(|c| only.iter().position(|tiles| *tiles == c.tiles)); // as the view lists them
    }
    let mut bars = vec![];
    let mut notes = vec![];
    for Counted { tiles, counts } in all {
        let total: f64 = counts.iter().sum();
        let weighed: f64 = counts.iter().enumerate().map(|(i, n)| i as f64 * n).sum();
        let highest = counts.len().saturating_sub(1);
        notes.push(format!(
            "Tiles {tiles}: {} entries, mean {}, highest {highest}.",
            number::digits(total),
            number::digits(weighed / total.max(1.0))
        ));
        let scale = if normalise { total.max(1.0) } else { 1.0 };
        bars.push((
            format!("tiles {tiles}"),
            counts.iter().map(|n| n / scale).collect(),
        ));
    }
    let up = if normalise {
        "share of the entries"
    } else {
        "entries"
    };
    let mut chart = chart::histogram(title, "value", up, &bars);
    chart.about = format!("{} {}", chart.about, notes.join(" "));
    Ok((chart, notes))
}

/// The pattern databases that a run counted: its last line, and those before it.
fn counted(run: &Run) -> Vec<Counted> {
    let before = run.values.get("before").and_then(Json::as_array);
    let before = before.into_iter().flatten();
    let field = |line: &Json, name: &str| line.get(name).cloned();
    let mut lines: Vec<(Option<Json>, Option<Json>)> = before
        .map(|line| (field(line, "tiles"), field(line, "counts")))
        .collect();
    let own = |name: &str| run.values.get(name).cloned();
    lines.push((own("tiles"), own("counts")));
    let read = |(tiles, counts): (Option<Json>, Option<Json>)| {
        let counts = counts?
            .as_array()?
            .iter()
            .map(|n| n.as_f64().unwrap_or(0.0))
            .collect();
        let tiles = tiles.as_ref().and_then(Json::as_str);
        let tiles = tiles.unwrap_or(&run.configuration).to_string();
        Some(Counted { tiles, counts })
    };
    lines.into_iter().filter_map(read).collect()
}
