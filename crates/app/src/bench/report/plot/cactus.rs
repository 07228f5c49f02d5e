//! The number of tasks that each configuration solves within a time: further right is more, lower is faster.

use super::super::set::Set;
use super::super::statistics::measure_word;
use super::super::summary::Outcomes;
use super::drawn::{Drawn, axis};
use crate::chart::{Axis, Chart, Point, Series, Shape, Unit};

pub fn cactus(set: &Set, title: &str, measure: &str) -> Drawn {
    let outcomes = Outcomes::of(set, measure);
    let mut series = vec![];
    for (i, label) in outcomes.labels.iter().enumerate() {
        let ran = outcomes.tasks.iter().filter_map(|(_, all)| all[i]);
        let (values, ran): (Vec<Option<f64>>, Vec<()>) = ran.map(|o| (o.value, ())).unzip();
        series.push(stairs(label, values, ran.len(), false));
    }
    if outcomes.labels.len() > 1 && outcomes.common().len() == outcomes.tasks.len() {
        let best = outcomes.best();
        let tasks = best.len();
        series.push(stairs("virtual best", best, tasks, true));
    }
    let values: Vec<f64> = series
        .iter()
        .flat_map(|s| s.points.iter().map(|p| p.y))
        .collect();
    if values.is_empty() {
        return Err("no task was solved".into());
    }
    let told: Vec<String> = series.iter().map(|s| format!("{}.", s.name)).collect();
    let chart = Chart {
        title: title.into(),
        about: format!(
            "Cactus plot: tasks solved, sorted by {}, for each configuration. Solved: {}",
            measure_word(measure),
            told.join(" ")
        ),
        across: Axis::linear(
            "tasks solved",
            Unit::Plain,
            [0.0, outcomes.tasks.len() as f64],
        )
        .whole(),
        up: axis(measure, true, values),
        series,
        guides: vec![],
        square: false,
    };
    let note = format!(
        "The n-th point of a line is the n-th smallest {} of its solved tasks: further right is more, lower is less.",
        measure_word(measure)
    );
    Ok((chart, vec![note]))
}

fn stairs(label: &str, values: Vec<Option<f64>>, tasks: usize, apart: bool) -> Series {
    let mut solved: Vec<f64> = values.into_iter().flatten().collect();
    solved.sort_by(f64::total_cmp);
    Series {
        name: format!("{label}: {} of {tasks}", solved.len()),
        shape: Shape::Line,
        points: (1..)
            .zip(&solved)
            .map(|(n, &value)| Point::at(f64::from(n), value))
            .collect(),
        apart,
    }
}
