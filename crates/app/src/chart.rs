//! Charts as SVG that read well on light and dark pages, and as bars in the terminal.

use std::fmt::Write;

/// Counts by value, with a name.
pub struct Series {
    pub name: String,
    /// Height of the bar at each value.
    pub bars: Vec<f64>,
}

/// Colours that can be told apart by most eyes, on light and on dark; shape tells them apart, too: the second is
/// hatched, the third outlined.
const STYLE: &str = "
text{font:13px system-ui,sans-serif;fill:var(--ink)}
.axis{stroke:var(--ink);stroke-width:1}.grid{stroke:var(--ink);stroke-opacity:.15}
.s0{fill:#3b7dd8;fill-opacity:.75}.s1{fill:url(#hatch);stroke:#d9822b}.s2{fill:none;stroke:#3a9d5d;stroke-width:2}
svg{--ink:#1b1f24;--page:#ffffff}
@media(prefers-color-scheme:dark){svg{--ink:#e6e8eb;--page:#15181c}}";

/// Histograms over one another, with axes and a legend.
pub fn histogram_svg(title: &str, across: &str, up: &str, series: &[Series]) -> String {
    const WIDTH: f64 = 760.0;
    const HEIGHT: f64 = 420.0;
    const LEFT: f64 = 90.0;
    const BOTTOM: f64 = 60.0;
    const TOP: f64 = 60.0;
    let longest = series
        .iter()
        .map(|s| s.bars.len())
        .max()
        .unwrap_or(1)
        .max(1);
    let highest = series
        .iter()
        .flat_map(|s| &s.bars)
        .copied()
        .fold(f64::MIN_POSITIVE, f64::max);
    let step = tick(highest / 5.0);
    let top = (highest / step).ceil() * step;
    let x = |value: f64| LEFT + value / longest as f64 * (WIDTH - LEFT - 20.0);
    let y = |height: f64| HEIGHT - BOTTOM - height / top * (HEIGHT - BOTTOM - TOP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{0}\"><title>{0}</title><style>{STYLE}</style>\
         <defs><pattern id=\"hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
         <rect width=\"2\" height=\"6\" fill=\"#d9822b\"/></pattern></defs>\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"var(--page)\"/><text x=\"{LEFT}\" y=\"24\" font-weight=\"600\">{0}</text>\n",
        escape(title)
    );
    let mut line = 0.0;
    while line <= top * 1.0001 {
        let _ = writeln!(
            svg,
            "<line class=\"grid\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\"/><text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>",
            WIDTH - 20.0,
            y(line),
            LEFT - 8.0,
            y(line) + 4.0,
            number(line)
        );
        line += step;
    }
    for (i, series) in series.iter().enumerate() {
        for (value, &height) in series.bars.iter().enumerate().filter(|(_, h)| **h > 0.0) {
            let _ = writeln!(
                svg,
                "<rect class=\"s{}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                i % 3,
                x(value as f64 + 0.1),
                y(height),
                x(0.8) - x(0.0),
                y(0.0) - y(height)
            );
        }
        let legend = LEFT + 230.0 * i as f64;
        let _ = writeln!(
            svg,
            "<rect class=\"s{}\" x=\"{legend}\" y=\"34\" width=\"14\" height=\"12\"/><text x=\"{}\" y=\"45\">{}</text>",
            i % 3,
            legend + 20.0,
            escape(&series.name)
        );
    }
    for value in (0..longest).step_by((longest / 10).max(1)) {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{value}</text>",
            x(value as f64 + 0.5),
            HEIGHT - BOTTOM + 18.0
        );
    }
    let _ = writeln!(
        svg,
        "<line class=\"axis\" x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\"/><text x=\"{2}\" y=\"{3}\" text-anchor=\"middle\">{4}</text>\
         <text transform=\"translate(18 {5}) rotate(-90)\" text-anchor=\"middle\">{6}</text></svg>",
        WIDTH - 20.0,
        y(0.0),
        f64::midpoint(LEFT, WIDTH),
        HEIGHT - 16.0,
        escape(across),
        HEIGHT / 2.0,
        escape(up)
    );
    svg
}

/// A histogram as rows of blocks, at most `width` wide.
pub fn bars(series: &Series, width: usize) -> String {
    let highest = series
        .bars
        .iter()
        .copied()
        .fold(f64::MIN_POSITIVE, f64::max);
    let labels: Vec<String> = series.bars.iter().map(|&h| number(h)).collect();
    let label = labels.iter().map(String::len).max().unwrap_or(0);
    let row = |(value, &height): (usize, &f64)| {
        let eighths = (height / highest * width as f64 * 8.0).round() as usize;
        let rest = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
        format!(
            "{value:>4} {:>label$} {}{rest}\n",
            labels[value],
            "█".repeat(eighths / 8)
        )
    };
    series.bars.iter().enumerate().map(row).collect()
}

/// 1, 2 or 5 times a power of ten, about this large.
fn tick(about: f64) -> f64 {
    let power = 10f64.powf(about.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|t| *t >= about * 0.999)
        .unwrap_or(about)
}

/// A number as a reader wants it: whole, or with three digits.
fn number(value: f64) -> String {
    if value.fract().abs() < f64::EPSILON {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chart_is_well_formed_and_shows_every_bar() {
        let series = [
            Series {
                name: "a<b".into(),
                bars: vec![1.0, 0.0, 3.0],
            },
            Series {
                name: "c".into(),
                bars: vec![0.5; 4],
            },
        ];
        let svg = histogram_svg("title", "value", "entries", &series);
        assert!(svg.contains("a&lt;b") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("class=\"s0\"").count(), 3); // two bars and the legend
        assert_eq!(svg.matches("class=\"s1\"").count(), 5);
        assert_eq!(bars(&series[0], 10).lines().count(), 3);
    }
}
