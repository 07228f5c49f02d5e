//! Two configurations, task by task, on logarithmic axes; runs without an answer lie on border lines.

use std::fmt::Write;

use super::super::set::Set;
use super::super::statistics::measure_word;
use super::super::summary::{Outcome, Outcomes};
use super::drawn::{Drawn, axis};
use crate::bench::record::Run;
use crate::chart::number::write_ratio;
use crate::chart::{Chart, Guide, Point, Series, Shape};
use crate::terminal::print::counted;

pub fn scatter(set: &Set, title: &str, measure: &str, across: &str, up: &str) -> Drawn {
    let outcomes = Outcomes::of(set, measure);
    let find = |name: &str| {
        let at = outcomes.find(name);
        at.ok_or_else(|| format!("there are no runs of {name}"))
    };
    let (first, second) = (find(across)?, find(up)?);
    let both: Vec<(Outcome, Outcome)> = outcomes
        .tasks
        .iter()
        .filter_map(|(_, all)| Some((all[first]?, all[second]?)))
        .collect();
    let values: Vec<f64> = both
        .iter()
        .flat_map(|(a, b)| [known(a), known(b)])
        .flatten()
        .collect();
    if both.is_empty() || values.is_empty() {
        return Err(format!("no task was solved by {across} or {up}"));
    }
    // Runs without an answer lie at the time limit, or for other measures beyond all values.
    let highest = values.iter().copied().fold(0.0, f64::max);
    let open = both
        .iter()
        .any(|(a, b)| a.value.is_none() || b.value.is_none());
    let limit = set
        .runs
        .iter()
        .map(|run: &Run| run.time_limit_s)
        .fold(0.0, f64::max);
    let border = if measure.ends_with("_s") {
        limit.max(highest)
    } else {
        highest * 3.0
    };
    let place = |o: &Outcome| o.value.unwrap_or(border);
    let points = both.iter().map(|(a, b)| Point::at(place(a), place(b)));
    let ends = values.iter().copied().chain(open.then_some(border));
    let scale = axis(measure, true, ends);
    let (mut across_axis, mut up_axis) = (scale.clone(), scale);
    across_axis.label = format!("{across}: {}", measure_word(measure));
    up_axis.label = format!("{up}: {}", measure_word(measure));
    let mut guides = vec![
        Guide::Diagonal(1.0),
        Guide::Diagonal(10.0),
        Guide::Diagonal(0.1),
    ];
    if open {
        guides.push(Guide::Across(border, "no answer".into()));
        guides.push(Guide::Up(border, "no answer".into()));
    }
    let told = comparison(&both, across, up);
    let missing = outcomes.tasks.len() - both.len();
    let mut notes = vec![
        told.clone(),
        "Each point is a task. On the solid line both need the same; dashed lines mark factors of ten.".into(),
    ];
    if missing > 0 {
        let missing = counted(missing, "task was", "tasks were");
        notes.push(format!("{missing} not run by both."));
    }
    Ok((
        Chart {
            title: title.into(),
            about: format!("Scatter plot of {}, log-log. {told}", measure_word(measure)),
            across: across_axis,
            up: up_axis,
            series: vec![Series {
                name: String::new(),
                shape: Shape::Dots,
                points: points.collect(),
                apart: false,
            }],
            guides,
            square: true,
        },
        notes,
    ))
}

/// How often each needs less, and by what factor, in words.
fn comparison(both: &[(Outcome, Outcome)], across: &str, up: &str) -> String {
    let place = |o: &Outcome| o.value.unwrap_or(f64::INFINITY);
    let below = both.iter().filter(|(a, b)| place(b) < place(a)).count();
    let above = both.iter().filter(|(a, b)| place(b) > place(a)).count();
    let neither = |(a, b): &&(Outcome, Outcome)| a.value.is_none() && b.value.is_none();
    let neither = both.iter().filter(neither).count();
    let mut told = format!(
        "{}: {up} needs less on {below}, {across} on {above}",
        counted(both.len(), "task", "tasks")
    );
    for (count, what) in [
        (both.len() - below - above - neither, "the same on"),
        (neither, "neither has an answer on"),
    ] {
        if count > 0 {
            let _ = write!(told, ", {what} {count}");
        }
    }
    told.push('.');
    let ratios: Vec<f64> = both
        .iter()
        .filter_map(|(a, b)| Some(known(b)? / known(a)?))
        .collect();
    if !ratios.is_empty() {
        let mean = (ratios.iter().map(|r| r.ln()).sum::<f64>() / ratios.len() as f64).exp();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ratios.iter().copied().fold(0.0, f64::max);
        let _ = write!(
            told,
            " On the {} that both solve, {up} needs {} as much (geometric mean; from {} to {}).",
            ratios.len(),
            write_ratio(mean),
            write_ratio(least),
            write_ratio(most)
        );
    }
    told
}

/// A value that has a place on a logarithmic axis.
fn known(outcome: &Outcome) -> Option<f64> {
    outcome.value.filter(|v| *v > 0.0)
}
