//! The series of a chart: lines, points and bars, each with its own colour, dash and shape.

use std::fmt::Write;

use super::content::{Point, Series, Shape};
use super::frame::Frame;

const COLOURS: usize = 7;
const DASHES: [&str; 5] = ["", "8 4", "2 3", "10 3 2 3", "5 2"];

/// The classes of a series: its colour.
pub fn colour(i: usize, series: &Series) -> String {
    if series.apart {
        "apart".into()
    } else {
        format!("s{}", i % COLOURS)
    }
}

pub fn dash(i: usize, series: &Series) -> String {
    let dash = if series.apart {
        "" // wide and pale instead
    } else {
        DASHES[i % DASHES.len()]
    };
    if dash.is_empty() {
        String::new()
    } else {
        format!(" stroke-dasharray=\"{dash}\"")
    }
}

pub fn bars(out: &mut String, frame: &Frame, i: usize, series: &Series) {
    let Some(first) = series.points.first() else {
        return;
    };
    let zero = frame.bottom;
    let mut path = format!("M{:.1} {zero:.1}", frame.x(first.x));
    for pair in series.points.windows(2) {
        let _ = write!(path, "V{:.1}H{:.1}", frame.y(pair[0].y), frame.x(pair[1].x));
    }
    let colour = colour(i, series);
    let _ = if frame.only.is_some() {
        writeln!(
            out,
            "<path class=\"bar {colour} light\" d=\"{path}V{zero:.1}Z\"/>"
        )
    } else {
        writeln!(
            out,
            "<path class=\"bar {colour} {}\"{}{} d=\"{path}V{zero:.1}Z\"/>",
            filling(i),
            dash(i, series),
            hatch_fill(frame, i)
        )
    };
}

/// The fill of a series' bars: the first is light, the second and fourth are hatched, the others empty.
pub fn filling(i: usize) -> &'static str {
    match i {
        0 => "light",
        1 | 3 => "hatched",
        _ => "none",
    }
}

pub fn hatch_fill(frame: &Frame, i: usize) -> String {
    if filling(i) == "hatched" {
        format!(" fill=\"url(#{}-hatch{i})\"", frame.id)
    } else {
        String::new()
    }
}

pub fn hatches(out: &mut String, frame: &Frame) {
    for (i, series) in frame.chart.series.iter().enumerate() {
        if series.shape == Shape::Bars && filling(i) == "hatched" {
            let turn = if i == 1 { 45 } else { -45 };
            let _ = writeln!(
                out,
                "<defs><pattern id=\"{}-hatch{i}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate({turn})\">\
                 <path class=\"{}\" d=\"M1 0V6\" stroke-width=\"1.5\"/></pattern></defs>",
                frame.id,
                colour(i, series)
            );
        }
    }
}

pub fn line(out: &mut String, frame: &Frame, i: usize, series: &Series) {
    let has_spread = |s: &Series| s.points.iter().any(|p| p.spread.is_some());
    let all = &frame.chart.series;
    // Lines from the least to the most would cover each other, so each series is shifted a little.
    let aside = if all.iter().any(has_spread) {
        (i as f64 - (all.len() as f64 - 1.0) / 2.0) * 3.0
    } else {
        0.0
    };
    let at = |point: &Point| (frame.x(point.x) + aside, frame.y(point.y));
    let mut path = String::new();
    for (k, point) in series.points.iter().enumerate() {
        let (x, y) = at(point);
        let _ = write!(path, "{}{x:.1} {y:.1}", if k == 0 { 'M' } else { 'L' });
    }
    let colour = colour(i, series);
    let dash = dash(i, series);
    for point in &series.points {
        if let Some((low, high)) = point.spread {
            let (x, low, high) = (at(point).0, frame.y(low), frame.y(high));
            let _ = writeln!(
                out,
                "<path class=\"spread {colour}\" d=\"M{x:.1} {low:.1}V{high:.1}M{0:.1} {low:.1}h4M{0:.1} {high:.1}h4\"/>",
                x - 2.0
            );
        }
    }
    let _ = writeln!(out, "<path class=\"line {colour}\"{dash} d=\"{path}\"/>");
    if series.apart {
        return;
    }
    // Few enough shapes to distinguish, and not all at the same places.
    let every = match series.points.len() {
        0..=32 => 1,
        many => many.div_ceil(12),
    };
    for (k, point) in series.points.iter().enumerate() {
        let last = k + 1 == series.points.len();
        if point.at_least || last || (k + every - i % every).is_multiple_of(every) {
            mark(out, i, series, at(point), point.at_least);
        }
    }
}

pub fn dots(out: &mut String, frame: &Frame, i: usize, series: &Series) {
    for point in &series.points {
        let place = (frame.x(point.x), frame.y(point.y));
        mark(out, i, series, place, point.at_least);
    }
}

/// A point in the shape of its series.
pub fn mark(out: &mut String, i: usize, series: &Series, (x, y): (f64, f64), at_least: bool) {
    // When colours repeat, shapes do not.
    let shape = match (i + i / COLOURS) % 7 {
        0 => "m-3.6 0a3.6 3.6 0 1 0 7.2 0a3.6 3.6 0 1 0 -7.2 0z",
        1 => "m-3.2 -3.2h6.4v6.4h-6.4z",
        2 => "m0 -4.2l4 7h-8z",
        3 => "m0 -4.6l4.2 4.6l-4.2 4.6l-4.2 -4.6z",
        4 => "m0 4.2l4 -7h-8z",
        5 => "m-4 0h8m-4 -4v8",
        _ => "m-3.2 -3.2l6.4 6.4m0 -6.4l-6.4 6.4",
    };
    let fill = match () {
        () if at_least || series.apart => "hollow",
        () if series.shape == Shape::Dots => "light",
        () => "full",
    };
    let _ = write!(
        out,
        "<path class=\"mark {} {fill}\" d=\"M{x:.1} {y:.1}{shape}\"/>",
        colour(i, series)
    );
    if at_least {
        let _ = write!(
            out,
            "<path class=\"mark none {}\" d=\"M{x:.1} {:.1}v-9m-3 3l3 -3l3 3\"/>",
            colour(i, series),
            y - 4.5
        );
    }
    out.push('\n');
}
