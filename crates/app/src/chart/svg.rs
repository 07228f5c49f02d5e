//! Charts as SVG that reads well on light and dark pages and on paper.
//!
//! Most people can distinguish the colours; lines also differ in dashes, points in shapes, and bars in hatches. Colours are
//! variables of the style sheet, so that one picture serves light and dark.

use std::fmt::Write;

use super::content::{Chart, Guide, Series, Shape};
use super::frame::Frame;
use super::legend::Legend;
use super::marks::{bars, dots, hatches, line};
use super::number::tick;
use super::text::{escape, lines};

/// The style of all charts; a page with charts needs it once.
pub const STYLE: &str = "
.chart{--ink:#1b1f24;--page:#fff;--soft:#59636e;--c0:#0067a5;--c1:#c64d00;--c2:#00795a;--c3:#a4478c;--c4:#806300;--c5:#5548c4;--c6:#3f4a55}
@media screen and (prefers-color-scheme:dark){.chart{--ink:#e6e8eb;--page:#15181c;--soft:#9aa4af;--c0:#5cb8f0;--c1:#ff9a5c;--c2:#37cfa2;--c3:#ee9fd0;--c4:#e3c04a;--c5:#aea3ff;--c6:#c3cad1}}
.chart .back{fill:var(--page)}
.chart text{font:12px system-ui,sans-serif;fill:var(--ink);font-variant-numeric:tabular-nums}
.chart .title{font-weight:600;font-size:14px}.chart .halo{paint-order:stroke;stroke:var(--page);stroke-width:3px}.chart .soft{fill:var(--soft)}
.chart .axis{stroke:var(--ink)}.chart .grid{stroke:var(--ink);stroke-opacity:.16}.chart .fine{stroke:var(--ink);stroke-opacity:.06}
.chart .guide{stroke:var(--soft);stroke-dasharray:5 4;fill:none}.chart .guide.main{stroke-dasharray:none}
.chart .line{fill:none;stroke-width:2;stroke-linejoin:round}.chart .mark{stroke-width:1.5}.chart .spread{stroke-width:1;stroke-opacity:.7;fill:none}.chart .bar{stroke-width:1.5}
.chart .s0{stroke:var(--c0);color:var(--c0)}.chart .s1{stroke:var(--c1);color:var(--c1)}.chart .s2{stroke:var(--c2);color:var(--c2)}
.chart .s3{stroke:var(--c3);color:var(--c3)}.chart .s4{stroke:var(--c4);color:var(--c4)}.chart .s5{stroke:var(--c5);color:var(--c5)}
.chart .s6{stroke:var(--c6);color:var(--c6)}.chart .apart{stroke:var(--soft);color:var(--soft)}.chart .line.apart{stroke-width:8;stroke-opacity:.35;stroke-linecap:round}
.chart .full{fill:currentColor}.chart .light{fill:currentColor;fill-opacity:.3}.chart .hollow{fill:var(--page)}.chart .none{fill:none}";

const WIDTH: f64 = 680.0;
const LEFT: f64 = 74.0;
const RIGHT: f64 = 22.0;
/// The height of each of several histograms in panels.
const PANEL: f64 = 76.0;
const PANEL_GAP: f64 = 26.0;
/// The most histograms that can be distinguished in one chart.
const OVER_ONE_ANOTHER: usize = 3;

/// A chart as a complete file.
pub fn standalone(chart: &Chart) -> String {
    draw(chart, "chart", true)
}

/// A chart as part of a page, which has the style and the title; `id` is unique on it.
pub fn svg(chart: &Chart, id: &str) -> String {
    draw(chart, id, false)
}

fn draw(chart: &Chart, id: &str, alone: bool) -> String {
    let is_bars = |s: &Series| s.shape == Shape::Bars;
    let count = chart.series.len();
    let panels = count > OVER_ONE_ANOTHER && chart.series.iter().all(is_bars);
    // 1. What is above the plot, and therefore where it starts.
    let width = if chart.square { 540.0 } else { WIDTH };
    let title = if alone {
        lines(&chart.title, (width / 8.0) as usize)
    } else {
        vec![]
    };
    let legend = Legend::of(if panels { &[] } else { &chart.series }, width);
    let above = 12.0 + title.len() as f64 * 20.0;
    let top = above + legend.height() + if panels { PANEL_GAP - 8.0 } else { 10.0 };
    let frame = |top: f64, high: f64, only| Frame {
        chart,
        id,
        left: LEFT,
        right: width - RIGHT,
        top,
        bottom: top + high,
        only,
    };
    let frames: Vec<Frame> = if panels {
        let place = |i: usize| top + i as f64 * (PANEL + PANEL_GAP);
        (0..count)
            .map(|i| frame(place(i), PANEL, Some(i)))
            .collect()
    } else if chart.square {
        vec![frame(top, width - LEFT - RIGHT, None)]
    } else {
        vec![frame(top, 300.0, None)]
    };
    let bottom = frames.last().map_or(top, |frame| frame.bottom);
    let height = bottom + 52.0;
    // 2. What is around the plot.
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         aria-labelledby=\"{id}-title {id}-about\"><title id=\"{id}-title\">{}</title><desc id=\"{id}-about\">{}</desc>\n",
        escape(&chart.title),
        escape(&chart.about)
    );
    if alone {
        let _ = writeln!(out, "<style>{STYLE}</style>");
    }
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
    if !panels {
        hatches(&mut out, &frames[0]);
        legend.draw(&mut out, &frames[0], above);
    }
    // 3. The plot, or one for each series.
    for (i, frame) in frames.iter().enumerate() {
        grid(&mut out, frame, i + 1 == frames.len());
        plot(&mut out, frame);
    }
    let _ = write!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\
         <text transform=\"translate(14 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text></svg>",
        f64::midpoint(LEFT, width - RIGHT),
        bottom + 40.0,
        escape(&chart.across.label),
        f64::midpoint(top, bottom),
        escape(&chart.up.label)
    );
    out
}

/// The content of a frame.
fn plot(out: &mut String, frame: &Frame) {
    guides(out, frame);
    let chart = frame.chart;
    let numbered = || chart.series.iter().enumerate();
    // Series that are set apart lie below the others.
    let ordered = numbered()
        .filter(|(_, s)| s.apart)
        .chain(numbered().filter(|(_, s)| !s.apart));
    for (i, series) in ordered.filter(|(i, _)| frame.only.is_none_or(|only| only == *i)) {
        match series.shape {
            Shape::Bars => bars(out, frame, i, series),
            Shape::Line => line(out, frame, i, series),
            Shape::Dots => dots(out, frame, i, series),
        }
    }
    let _ = writeln!(
        out,
        "<path class=\"none axis\" d=\"M{:.1} {:.1}V{:.1}H{:.1}\"/>",
        frame.left, frame.top, frame.bottom, frame.right
    );
    if let Some(only) = frame.only {
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            frame.left,
            frame.top - 7.0,
            escape(&chart.series[only].name)
        );
    }
}

/// The grid lines and their numbers; those of the horizontal axis only below the last plot.
fn grid(out: &mut String, frame: &Frame, last: bool) {
    let chart = frame.chart;
    let (left, right, top, bottom) = (frame.left, frame.right, frame.top, frame.bottom);
    for &value in &chart.up.minor {
        let y = frame.y(value);
        let _ = writeln!(out, "<path class=\"fine\" d=\"M{left} {y:.1}H{right}\"/>");
    }
    let every = if frame.only.is_some() {
        (chart.up.ticks.len() - 1).max(1)
    } else {
        1
    };
    for &value in chart.up.ticks.iter().step_by(every) {
        let y = frame.y(value);
        let _ = writeln!(
            out,
            "<path class=\"grid\" d=\"M{left} {y:.1}H{right}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 7.0,
            y + 4.0,
            tick(value, chart.up.unit)
        );
    }
    let is_wide = chart.across.log || chart.square;
    for &value in chart.across.minor.iter().filter(|_| is_wide) {
        let x = frame.x(value);
        let _ = writeln!(out, "<path class=\"fine\" d=\"M{x:.1} {top}V{bottom}\"/>");
    }
    for &value in &chart.across.ticks {
        let x = frame.x(value);
        let (class, from) = if is_wide {
            ("grid", top)
        } else {
            ("axis", bottom + 4.0)
        };
        let _ = writeln!(
            out,
            "<path class=\"{class}\" d=\"M{x:.1} {from:.1}V{bottom:.1}\"/>"
        );
        if last {
            let _ = writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 19.0,
                tick(value, chart.across.unit)
            );
        }
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
                    "<path class=\"guide\" d=\"M{} {y:.1}H{}\"/><text class=\"soft halo\" x=\"{}\" y=\"{:.1}\">{}</text>",
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
                    "<path class=\"guide\" d=\"M{x:.1} {}V{}\"/><text class=\"soft halo\" transform=\"translate({:.1} {}) rotate(-90)\">{}</text>",
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

/// The part of a line that is within both axes.
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

#[cfg(test)]
mod tests {
    use super::super::histogram::histogram;
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
}
