//! Charts as SVG that reads well on light and dark pages and on paper.
//!
//! Colours can be told apart by most eyes, and never stand alone: lines have dashes, points have shapes, bars have
//! hatches of their own. They are variables of the style sheet, so that one picture serves light and dark.

use std::fmt::Write;

use super::number::tick;
use super::{Axis, Chart, Guide, Point, Series, Shape};

/// The style of all charts; a page with charts needs it once.
pub const STYLE: &str = "
.chart{--ink:#1b1f24;--page:#fff;--soft:#59636e;--c0:#0067a5;--c1:#c64d00;--c2:#00795a;--c3:#a4478c;--c4:#806300;--c5:#5548c4;--c6:#3f4a55}
@media screen and (prefers-color-scheme:dark){.chart{--ink:#e6e8eb;--page:#15181c;--soft:#9aa4af;--c0:#5cb8f0;--c1:#ff9a5c;--c2:#37cfa2;--c3:#ee9fd0;--c4:#e3c04a;--c5:#aea3ff;--c6:#c3cad1}}
.chart .back{fill:var(--page)}
.chart text{font:12px system-ui,sans-serif;fill:var(--ink);font-variant-numeric:tabular-nums}
.chart .title{font-weight:600;font-size:14px}.chart .soft{fill:var(--soft)}
.chart .axis{stroke:var(--ink)}.chart .grid{stroke:var(--ink);stroke-opacity:.16}.chart .fine{stroke:var(--ink);stroke-opacity:.06}
.chart .guide{stroke:var(--soft);stroke-dasharray:5 4;fill:none}.chart .guide.main{stroke-dasharray:none}
.chart .line{fill:none;stroke-width:2;stroke-linejoin:round}.chart .mark{stroke-width:1.5}.chart .bar{stroke-width:1.5}
.chart .s0{stroke:var(--c0);color:var(--c0)}.chart .s1{stroke:var(--c1);color:var(--c1)}.chart .s2{stroke:var(--c2);color:var(--c2)}
.chart .s3{stroke:var(--c3);color:var(--c3)}.chart .s4{stroke:var(--c4);color:var(--c4)}.chart .s5{stroke:var(--c5);color:var(--c5)}
.chart .s6{stroke:var(--c6);color:var(--c6)}.chart .apart{stroke:var(--soft);color:var(--soft)}
.chart .full{fill:currentColor}.chart .light{fill:currentColor;fill-opacity:.3}.chart .hollow{fill:var(--page)}.chart .none{fill:none}";

const COLOURS: usize = 7;
const DASHES: [&str; 5] = ["", "8 4", "2 3", "10 3 2 3", "5 2"];
const WIDTH: f64 = 680.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 22.0;
const LINE: f64 = 18.0;

/// A chart as a file of its own.
pub fn standalone(chart: &Chart) -> String {
    draw(chart, "chart", true)
}

/// A chart as a part of a page that has the style and says the title; `id` is no other chart's.
pub fn svg(chart: &Chart, id: &str) -> String {
    draw(chart, id, false)
}

/// Where the plot itself lies.
struct Frame<'a> {
    chart: &'a Chart,
    id: &'a str,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Frame<'_> {
    fn x(&self, value: f64) -> f64 {
        self.left + self.chart.across.place(value) * (self.right - self.left)
    }

    fn y(&self, value: f64) -> f64 {
        self.bottom - self.chart.up.place(value) * (self.bottom - self.top)
    }
}

fn draw(chart: &Chart, id: &str, alone: bool) -> String {
    let width = if chart.square { 540.0 } else { WIDTH };
    let title = if alone {
        lines(&chart.title, width - 24.0, 7.6)
    } else {
        vec![]
    };
    let legend = legend(chart, width);
    let rows = legend.last().map_or(0, |at| at.row + 1);
    let top = 14.0 + title.len() as f64 * 20.0 + rows as f64 * LINE + 8.0;
    let plot = if chart.square {
        width - LEFT - RIGHT
    } else {
        300.0
    };
    let height = top + plot + 52.0;
    let frame = Frame {
        chart,
        id,
        left: LEFT,
        right: width - RIGHT,
        top,
        bottom: top + plot,
    };
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-about\"><title id=\"{id}-title\">{}</title><desc id=\"{id}-about\">{}</desc>\n",
        escape(&chart.title),
        escape(&chart.about)
    );
    if alone {
        let _ = writeln!(out, "<style>{STYLE}</style>");
    }
    hatches(&mut out, &frame);
    let _ = writeln!(
        out,
        "<rect class=\"back\" width=\"{width}\" height=\"{height}\"/>"
    );
    for (i, line) in title.iter().enumerate() {
        let y = 20.0 + 20.0 * i as f64;
        let _ = writeln!(
            out,
            "<text class=\"title\" x=\"12\" y=\"{y}\">{}</text>",
            escape(line)
        );
    }
    for entry in &legend {
        let y = top - 8.0 - LINE * (rows - 1 - entry.row) as f64;
        sample(&mut out, &frame, entry, y);
    }
    grid(&mut out, &frame);
    guides(&mut out, &frame);
    for (i, series) in chart.series.iter().enumerate() {
        match series.shape {
            Shape::Bars => bars(&mut out, &frame, i, series),
            Shape::Line => line(&mut out, &frame, i, series),
            Shape::Dots => dots(&mut out, &frame, i, series),
        }
    }
    let _ = write!(
        out,
        "<path class=\"axis none\" d=\"M{0:.1} {1:.1}V{2:.1}H{3:.1}\"/>\
         <text x=\"{4:.1}\" y=\"{5:.1}\" text-anchor=\"middle\">{6}</text>\
         <text transform=\"translate(14 {7:.1}) rotate(-90)\" text-anchor=\"middle\">{8}</text></svg>",
        frame.left,
        frame.top,
        frame.bottom,
        frame.right,
        f64::midpoint(frame.left, frame.right),
        frame.bottom + 40.0,
        escape(&chart.across.label),
        f64::midpoint(frame.top, frame.bottom),
        escape(&chart.up.label)
    );
    out
}

/// The classes of a series: its colour.
fn colour(i: usize, series: &Series) -> String {
    if series.apart {
        "apart".into()
    } else {
        format!("s{}", i % COLOURS)
    }
}

fn dash(i: usize, series: &Series) -> String {
    let dash = if series.apart {
        "3 3"
    } else {
        DASHES[i % DASHES.len()]
    };
    if dash.is_empty() {
        String::new()
    } else {
        format!(" stroke-dasharray=\"{dash}\"")
    }
}

/// An entry of the legend.
struct Entry<'a> {
    number: usize,
    series: &'a Series,
    row: usize,
    x: f64,
}

/// Entries one after the other, in as many rows as needed; none for a single series without a name.
fn legend(chart: &Chart, width: f64) -> Vec<Entry<'_>> {
    let (mut row, mut x) = (0, 12.0);
    let mut entries = vec![];
    for (number, series) in chart.series.iter().enumerate() {
        if series.name.is_empty() {
            continue;
        }
        let wide = 34.0 + 6.9 * series.name.chars().count() as f64 + 18.0;
        if x > 12.0 && x + wide > width {
            (row, x) = (row + 1, 12.0);
        }
        entries.push(Entry {
            number,
            series,
            row,
            x,
        });
        x += wide;
    }
    entries
}

fn sample(out: &mut String, frame: &Frame, entry: &Entry, y: f64) {
    let (i, series, x) = (entry.number, entry.series, entry.x);
    let colour = colour(i, series);
    match series.shape {
        Shape::Bars => {
            let _ = write!(
                out,
                "<rect class=\"bar {colour} {}\"{}{} x=\"{x:.1}\" y=\"{:.1}\" width=\"24\" height=\"11\"/>",
                filling(i),
                dash(i, series),
                hatch_fill(frame, i),
                y - 10.0
            );
        }
        Shape::Line => {
            let _ = write!(
                out,
                "<path class=\"line {colour}\"{} d=\"M{x:.1} {:.1}h26\"/>",
                dash(i, series),
                y - 4.0
            );
        }
        Shape::Dots => {}
    }
    if series.shape != Shape::Bars {
        mark(out, i, series, (x + 13.0, y - 4.0), false);
    }
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
        x + 34.0,
        escape(&series.name)
    );
}

fn grid(out: &mut String, frame: &Frame) {
    let chart = frame.chart;
    let (left, right, top, bottom) = (frame.left, frame.right, frame.top, frame.bottom);
    let across = |axis: &Axis| axis.log || chart.square;
    for &tick in &chart.up.minor {
        let y = frame.y(tick);
        let _ = writeln!(out, "<path class=\"fine\" d=\"M{left} {y:.1}H{right}\"/>");
    }
    for &value in &chart.up.ticks {
        let y = frame.y(value);
        let _ = writeln!(
            out,
            "<path class=\"grid\" d=\"M{left} {y:.1}H{right}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 7.0,
            y + 4.0,
            tick(value, chart.up.unit)
        );
    }
    for &value in chart.across.minor.iter().filter(|_| across(&chart.across)) {
        let x = frame.x(value);
        let _ = writeln!(out, "<path class=\"fine\" d=\"M{x:.1} {top}V{bottom}\"/>");
    }
    for &value in &chart.across.ticks {
        let x = frame.x(value);
        let (class, from) = if across(&chart.across) {
            ("grid", top)
        } else {
            ("axis", bottom + 4.0)
        };
        let _ = writeln!(
            out,
            "<path class=\"{class}\" d=\"M{x:.1} {from:.1}V{bottom:.1}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            bottom + 19.0,
            tick(value, chart.across.unit)
        );
    }
}

fn guides(out: &mut String, frame: &Frame) {
    for guide in &frame.chart.guides {
        let _ = match guide {
            Guide::Diagonal(factor) => diagonal(out, frame, *factor),
            Guide::Across(value, label) => {
                let y = frame.y(*value);
                writeln!(
                    out,
                    "<path class=\"guide\" d=\"M{} {y:.1}H{}\"/><text class=\"soft\" x=\"{}\" y=\"{:.1}\">{}</text>",
                    frame.left,
                    frame.right,
                    frame.left + 6.0,
                    y - 5.0,
                    escape(label)
                )
            }
            Guide::Up(value, label) => {
                let x = frame.x(*value);
                writeln!(
                    out,
                    "<path class=\"guide\" d=\"M{x:.1} {}V{}\"/><text class=\"soft\" transform=\"translate({:.1} {}) rotate(-90)\">{}</text>",
                    frame.top,
                    frame.bottom,
                    x - 5.0,
                    frame.bottom - 6.0,
                    escape(label)
                )
            }
        };
    }
}

/// Only as far as it is within both axes.
fn diagonal(out: &mut String, frame: &Frame, factor: f64) -> std::fmt::Result {
    let ((left, right), (low, high)) = (frame.chart.across.ends(), frame.chart.up.ends());
    let (from, to) = (left.max(low / factor), right.min(high / factor));
    if from >= to {
        return Ok(());
    }
    let main = if (factor - 1.0).abs() < 1e-9 {
        " main"
    } else {
        ""
    };
    let (x, y) = (frame.x(to), frame.y(to * factor));
    writeln!(
        out,
        "<path class=\"guide{main}\" d=\"M{:.1} {:.1}L{x:.1} {y:.1}\"/>",
        frame.x(from),
        frame.y(from * factor)
    )
}

fn bars(out: &mut String, frame: &Frame, i: usize, series: &Series) {
    let Some(first) = series.points.first() else {
        return;
    };
    let zero = frame.bottom;
    let mut path = format!("M{:.1} {zero:.1}", frame.x(first.x));
    for pair in series.points.windows(2) {
        let _ = write!(path, "V{:.1}H{:.1}", frame.y(pair[0].y), frame.x(pair[1].x));
    }
    let _ = writeln!(
        out,
        "<path class=\"bar {} {}\"{}{} d=\"{path}V{zero:.1}Z\"/>",
        colour(i, series),
        filling(i),
        dash(i, series),
        hatch_fill(frame, i)
    );
}

/// How the bars of a series are filled: the first lightly, the second and fourth hatched, others not at all.
fn filling(i: usize) -> &'static str {
    match i {
        0 => "light",
        1 | 3 => "hatched",
        _ => "none",
    }
}

fn hatch_fill(frame: &Frame, i: usize) -> String {
    if filling(i) == "hatched" {
        format!(" fill=\"url(#{}-hatch{i})\"", frame.id)
    } else {
        String::new()
    }
}

fn hatches(out: &mut String, frame: &Frame) {
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

fn line(out: &mut String, frame: &Frame, i: usize, series: &Series) {
    let at = |point: &Point| (frame.x(point.x), frame.y(point.y));
    let mut path = String::new();
    for (k, point) in series.points.iter().enumerate() {
        let (x, y) = at(point);
        let _ = write!(path, "{}{x:.1} {y:.1}", if k == 0 { 'M' } else { 'L' });
    }
    let _ = writeln!(
        out,
        "<path class=\"line {}\"{} d=\"{path}\"/>",
        colour(i, series),
        dash(i, series)
    );
    // Shapes only as often as they can be told apart, and not all at the same places.
    let every = series.points.len().div_ceil(12).max(1);
    for (k, point) in series.points.iter().enumerate() {
        if let Some((low, high)) = point.spread {
            let (x, low, high) = (frame.x(point.x), frame.y(low), frame.y(high));
            let _ = writeln!(
                out,
                "<path class=\"mark {}\" d=\"M{x:.1} {low:.1}V{high:.1}M{1:.1} {low:.1}h6M{1:.1} {high:.1}h6\"/>",
                colour(i, series),
                x - 3.0
            );
        }
        let last = k + 1 == series.points.len();
        if point.at_least || last || (k + every - i % every).is_multiple_of(every) {
            mark(out, i, series, at(point), point.at_least);
        }
    }
}

fn dots(out: &mut String, frame: &Frame, i: usize, series: &Series) {
    for point in &series.points {
        let place = (frame.x(point.x), frame.y(point.y));
        mark(out, i, series, place, point.at_least);
    }
}

/// A point by the shape of its series.
fn mark(out: &mut String, i: usize, series: &Series, (x, y): (f64, f64), at_least: bool) {
    let shape = match i % 7 {
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

/// A text in lines that are no wider than this.
fn lines(text: &str, width: f64, letter: f64) -> Vec<String> {
    let most = (width / letter) as usize;
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        if lines[last].is_empty() {
            lines[last] = word.into();
        } else if lines[last].chars().count() + 1 + word.chars().count() > most {
            lines.push(word.into());
        } else {
            lines[last] = format!("{} {word}", lines[last]);
        }
    }
    lines
}

/// A text as a part of HTML or SVG.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace(
            |c: char| c.is_control() && c != '\n' && c != '\t',
            "\u{fffd}",
        )
}

#[cfg(test)]
mod tests {
    use super::super::histogram;
    use super::*;

    #[test]
    fn a_chart_is_well_formed_and_shows_every_series() {
        let bars = [
            ("a<b".to_string(), vec![1.0, 0.0, 3.0]),
            ("c".to_string(), vec![0.5; 4]),
        ];
        let svg = standalone(&histogram("title", "value", "entries", &bars));
        assert!(svg.contains("a&lt;b") && svg.ends_with("</svg>"));
        assert_eq!(svg.matches("class=\"bar s0").count(), 2); // the bars and the legend
        assert_eq!(svg.matches("class=\"bar s1").count(), 2);
        assert!(svg.contains("most at 2"), "{svg}");
    }

    #[test]
    fn long_titles_are_broken() {
        assert_eq!(lines("one two three", 40.0, 5.0), ["one two", "three"]);
    }
}
