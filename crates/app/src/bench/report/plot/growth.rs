//! A measure against a tag: a line of medians for each configuration, with the least and the most.
//!
//! If most runs have no answer, the median is only known to be at least some value: the point is hollow, with an arrow.
//! The paper's figures are drawn in grey.

use super::super::set::{Set, number, parts};
use super::super::statistics::{Figure, Sample, measure_word};
use super::drawn::{Drawn, axis};
use crate::bench::suite::{Said, Statistic};
use crate::chart::{Axis, Chart, Guide, Point, Series, Shape, Unit};
use crate::terminal::print::counted;

const HOLLOW: &str =
    "Hollow points: too few runs had an answer there, so the median is at least this.";

pub fn growth(set: &Set, title: &str, across: &str, measure: &str, log: bool) -> Drawn {
    let mut series = vec![];
    let (mut open, mut most, mut zeros) = (false, 1, 0);
    for configured in set.configurations(Some(across)) {
        let mut points = vec![];
        let mut own_zeros = 0;
        for (value, runs) in parts(&configured.runs, across) {
            let Some(x) = number(&value) else { continue };
            let sample = Sample::of(runs, measure);
            let figure = sample.figure(Statistic::Median);
            let Some(y) = figure.number() else { continue };
            if log && y <= 0.0 {
                own_zeros += 1;
                continue;
            }
            most = most.max(sample.runs());
            let at_least = matches!(figure, Figure::AtLeast(_));
            open |= at_least;
            let least = sample.figure(Statistic::Least).number();
            let most = sample.figure(Statistic::Most).number();
            points.push(Point {
                x,
                y,
                spread: least.zip(most).filter(|(low, high)| low < high),
                at_least,
            });
        }
        if !points.is_empty() {
            zeros += own_zeros; // where all are zero the measure is not one of theirs
            series.push(Series {
                name: configured.label,
                shape: Shape::Line,
                points,
                apart: false,
            });
        }
    }
    series.extend(said(set, measure));
    let points = || series.iter().flat_map(|s| &s.points);
    if points().next().is_none() {
        return Err(format!(
            "no run has both {across} and {}",
            measure_word(measure)
        ));
    }
    let ends = |p: &Point| {
        let (low, high) = p.spread.unwrap_or((p.y, p.y));
        [low, p.y, high]
    };
    let mut heights: Vec<f64> = points().flat_map(ends).collect();
    if open {
        // Leave room for the arrows.
        let highest = heights.iter().copied().fold(0.0, f64::max);
        heights.push(highest * if log { 1.6 } else { 1.08 });
    }
    let places: Vec<f64> = points().map(|p| p.x).collect();
    let told: Vec<String> = series.iter().map(|s| from_to(s, measure)).collect();
    let mut notes = vec![if most > 1 {
        format!(
            "Points are medians of up to {most} runs; thin lines reach from the least to the most."
        )
    } else {
        "Each point is one run.".into()
    }];
    if zeros > 0 {
        let zeros = counted(zeros, "point at zero has", "points at zero have");
        notes.push(format!("{zeros} no place on a logarithmic axis."));
    }
    if log {
        let fits = series.iter().filter_map(|s| Some((&s.name, rate(s)?)));
        let fits: Vec<String> = fits
            .map(|(name, (rate, at_least))| {
                let sign = if at_least { "at least " } else { "" };
                format!("{name} {sign}{rate:.3}×")
            })
            .collect();
        if !fits.is_empty() {
            let (what, by) = (measure_word(measure), measure_word(across));
            notes.push(format!(
                "Growth of {what} with each step of {by}: {}.",
                fits.join("; ")
            ));
        }
    }
    if open {
        notes.push(HOLLOW.into());
    }
    let chart = Chart {
        title: title.into(),
        about: format!(
            "{} against {}. {}",
            measure_word(measure),
            measure_word(across),
            told.join(" ")
        ),
        across: along(across, &places),
        up: axis(measure, log, heights),
        series,
        guides: limit(set, measure).filter(|_| open).into_iter().collect(),
        square: false,
    };
    Ok((chart, notes))
}

/// The axis of the tag: round ticks, but no longer than the points need.
fn along(tag: &str, places: &[f64]) -> Axis {
    let axis = Axis::linear(&measure_word(tag), Unit::of(tag), places.iter().copied());
    let least = places.iter().copied().fold(f64::INFINITY, f64::min);
    let most = places.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let room = ((most - least) * 0.04).max(f64::EPSILON.max(most.abs() * 1e-3));
    let axis = axis.within(least - room, most + room);
    if places.iter().all(|x| x.fract() == 0.0) {
        axis.whole()
    } else {
        axis
    }
}

/// The time limit, if it is the same for all runs.
fn limit(set: &Set, measure: &str) -> Option<Guide> {
    let limits = || set.runs.iter().map(|run| run.time_limit_s);
    let (least, most) = (
        limits().fold(f64::INFINITY, f64::min),
        limits().fold(0.0, f64::max),
    );
    (measure == "wall_s" && least >= most).then(|| Guide::Across(most, "time limit".into()))
}

/// The paper's figures for this measure at single values of the tag.
fn said(set: &Set, measure: &str) -> Vec<Series> {
    let all = set.suite.as_ref().map_or(&[][..], |suite| &suite.said);
    let mut series: Vec<Series> = vec![];
    let fits = |said: &&Said| {
        said.measure == measure
            && matches!(said.statistic, Statistic::Mean | Statistic::Median)
            && said.value > 0.0
    };
    for said in all.iter().filter(fits) {
        let Some(x) = said.of.as_ref().and_then(number) else {
            continue;
        };
        let name = format!("{} (paper)", said.configuration);
        let point = Point::at(x, said.value);
        match series.iter_mut().find(|s| s.name == name) {
            Some(series) => series.points.push(point),
            None => series.push(Series {
                name,
                shape: Shape::Dots,
                points: vec![point],
                apart: true,
            }),
        }
    }
    series
}

/// The factor of growth for each step across, by least squares on the logarithms of at least three points, and whether it
/// is only a lower bound: higher points on the right would make it larger. If others may be higher, there is no factor.
fn rate(series: &Series) -> Option<(f64, bool)> {
    let places = series.points.iter().filter(|p| p.y > 0.0);
    let points: Vec<(f64, f64)> = places.clone().map(|p| (p.x, p.y.ln())).collect();
    if points.len() < 3 || series.apart {
        return None;
    }
    let count = points.len() as f64;
    let x = points.iter().map(|p| p.0).sum::<f64>() / count;
    let y = points.iter().map(|p| p.1).sum::<f64>() / count;
    let mut open = places.filter(|p| p.at_least).peekable();
    let at_least = open.peek().is_some();
    if open.any(|p| p.x <= x) {
        return None;
    }
    let both: f64 = points.iter().map(|p| (p.0 - x) * (p.1 - y)).sum();
    let squares: f64 = points.iter().map(|p| (p.0 - x).powi(2)).sum();
    Some((both / squares).exp())
        .filter(|rate| rate.is_finite())
        .map(|rate| (rate, at_least))
}

/// Where a line begins and ends.
fn from_to(series: &Series, measure: &str) -> String {
    let told = |p: &Point| {
        let value = crate::chart::number::write(p.y, Unit::of(measure));
        format!("{value} at {}", p.x)
    };
    match series.points.as_slice() {
        [] => String::new(),
        [one] => format!("{}: {}.", series.name, told(one)),
        [first, .., last] => format!("{}: from {} to {}.", series.name, told(first), told(last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_doubles_with_each_step_has_the_rate_two() {
        let points = [3.0, 4.0, 6.0].map(|x| Point::at(x, 5.0 * 2f64.powf(x)));
        let mut series = Series {
            name: String::new(),
            shape: Shape::Line,
            points: points.into(),
            apart: false,
        };
        let (factor, at_least) = rate(&series).unwrap();
        assert!((factor - 2.0).abs() < 1e-9 && !at_least);
        series.points[2].at_least = true;
        assert!(rate(&series).unwrap().1, "the last may be higher");
        series.points[0].at_least = true;
        assert_eq!(rate(&series), None, "the first may be higher");
    }
}
