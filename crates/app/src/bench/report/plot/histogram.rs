//! The distribution of a measure for each configuration, in bins with round borders.

use super::super::set::Set;
use super::super::statistics::{Sample, measure_word, median};
use super::drawn::{Drawn, axis};
use crate::chart::number::write;
use crate::chart::{Axis, Chart, Guide, Point, Series, Shape, Unit, round_step};

pub fn histogram(set: &Set, title: &str, measure: &str, log: bool) -> Drawn {
    let configurations = set.configurations(None);
    let samples: Vec<(String, Sample)> = configurations
        .iter()
        .map(|c| (c.label.clone(), Sample::of(c.runs.iter().copied(), measure)))
        .filter(|(_, sample)| !sample.is_empty())
        .collect();
    let fits = |v: &f64| !log || *v > 0.0;
    let all: Vec<f64> = samples
        .iter()
        .flat_map(|(_, s)| s.known())
        .copied()
        .filter(fits)
        .collect();
    if all.is_empty() {
        return Err(format!("no run has {}", measure_word(measure)));
    }
    let cut = if log { None } else { cut(&all) };
    let drawn: Vec<f64> = all.iter().map(|v| v.min(cut.unwrap_or(*v))).collect();
    let borders = borders(&drawn, log);
    let mut series = vec![];
    let mut notes = vec![format!("Bins: {}.", bins_are(&borders, measure, log))];
    let mut guides = vec![];
    if let Some(cut) = cut {
        // The last bin begins at or before the cut.
        let last = borders[borders.len() - 2].min(cut);
        let far = all.iter().filter(|v| **v >= last).count();
        let highest = all.iter().copied().fold(0.0, f64::max);
        let unit = Unit::of(measure);
        notes.push(format!(
            "The last bar holds all {far} values from {} on; the highest is {}.",
            write(last, unit),
            write(highest, unit)
        ));
        guides.push(Guide::Up(last, "all above".into()));
    }
    let mut told = vec![];
    for (label, sample) in &samples {
        let mut counts = vec![0.0; borders.len() - 1];
        for value in sample.known().iter().copied().filter(fits) {
            let bin = borders.partition_point(|b| *b <= value).saturating_sub(1);
            counts[bin.min(borders.len() - 2)] += 1.0;
        }
        let open = sample.runs() - sample.known().len();
        if open > 0 {
            notes.push(format!(
                "{label}: {open} of {} runs have no value and are not drawn.",
                sample.runs()
            ));
        }
        let middle = write(median(sample.known()), Unit::of(measure));
        told.push(format!(
            "{label}: {} runs, median {middle}.",
            sample.known().len()
        ));
        series.push(Series {
            name: format!("{label} (n = {})", sample.known().len()),
            shape: Shape::Bars,
            points: borders
                .iter()
                .enumerate()
                .map(|(i, &left)| Point::at(left, counts.get(i).copied().unwrap_or(0.0)))
                .collect(),
            apart: false,
        });
    }
    let heights: Vec<f64> = series
        .iter()
        .flat_map(|s| s.points.iter().map(|p| p.y))
        .collect();
    let (first, last) = (borders[0], borders[borders.len() - 1]);
    let across = if log {
        axis(measure, true, [first, last])
    } else {
        Axis::linear(&measure_word(measure), Unit::of(measure), [first, last])
    };
    let chart = Chart {
        title: title.into(),
        about: format!("Histogram of {}. {}", measure_word(measure), told.join(" ")),
        across,
        up: Axis::linear("runs", Unit::Plain, heights.into_iter().chain([0.0])).whole(),
        series,
        guides,
        square: false,
    };
    Ok((chart, notes))
}

/// Where the axis ends if a few distant values would leave too little room for the others.
fn cut(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let near = sorted[(sorted.len() - 1) * 97 / 100];
    let most = sorted[sorted.len() - 1];
    (near > 0.0 && most > 2.0 * near).then_some(near * 1.2)
}

/// Borders of 10 to 40 bins, more for more values.
fn borders(values: &[f64], log: bool) -> Vec<f64> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let wanted = (values.len() as f64).sqrt().clamp(8.0, 30.0);
    if log {
        let decades = (high / low).log10().max(0.3);
        let per_decade = [1.0, 2.0, 3.0, 5.0, 10.0, 20.0]
            .into_iter()
            .find(|n| n * decades >= wanted)
            .unwrap_or(20.0);
        let first = (low.log10() * per_decade).floor() as i64;
        let last = ((high.log10() * per_decade).floor() as i64 + 1).max(first + 1);
        let border = |i: i64| 10f64.powf(i as f64 / per_decade);
        return (first..=last).map(border).collect();
    }
    let mut step = round_step(((high - low) / wanted).max(high.abs() * 1e-6).max(1e-9));
    if values.iter().all(|v| v.fract() == 0.0) {
        step = step.max(1.0);
    }
    let first = (low / step).floor();
    let count = ((high / step).floor() - first) as usize + 1;
    (0..=count).map(|i| (first + i as f64) * step).collect()
}

fn bins_are(borders: &[f64], measure: &str, log: bool) -> String {
    if log {
        let per_decade = 1.0 / (borders[1] / borders[0]).log10();
        format!("{per_decade:.0} to each power of ten")
    } else {
        let width = borders[1] - borders[0];
        format!("each {} wide", write(width, Unit::of(measure)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_a_bin() {
        for values in [
            vec![3.0],
            vec![0.0],
            vec![1.0, 1000.0],
            vec![0.5, 0.1, 7.25],
            vec![-2.0, 2.0],
        ] {
            let borders = borders(&values, false);
            assert!(
                values
                    .iter()
                    .all(|v| *v >= borders[0] && *v < borders[borders.len() - 1]),
                "{borders:?}"
            );
        }
        for values in [vec![3.0], vec![0.001, 1000.0], vec![1.0, 1.0]] {
            let borders = borders(&values, true);
            let (first, last) = (borders[0] * 0.999_999, borders[borders.len() - 1]);
            assert!(
                values.iter().all(|v| *v >= first && *v < last),
                "{values:?} {borders:?}"
            );
        }
    }
}
