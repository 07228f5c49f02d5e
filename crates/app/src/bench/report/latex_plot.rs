//! Charts by pgfplots, which every TeX distribution has: they take the fonts of the paper and can be edited.

use std::fmt::Write;

use super::latex_text::escape;
use crate::chart::{Axis, Chart, Guide, Series, Shape, Unit};

const COLOURS: [&str; 7] = [
    "0067A5", "C64D00", "00795A", "A4478C", "806300", "5548C4", "3F4A55",
];
const MARKS: [&str; 7] = [
    "*",
    "square*",
    "triangle*",
    "diamond*",
    "pentagon*",
    "+",
    "x",
];
const DASHES: [&str; 5] = ["solid", "dashed", "dotted", "dash dot", "densely dashed"];

/// The colours of the series, for the head of the document.
pub fn colours() -> String {
    let define =
        |(i, code): (usize, &&str)| format!("\\definecolor{{series{i}}}{{HTML}}{{{code}}}\n");
    COLOURS.iter().enumerate().map(define).collect()
}

pub fn write(out: &mut String, chart: &Chart) {
    let mut options = vec![
        if chart.square {
            "width=10cm,height=10cm".to_string()
        } else {
            "width=0.95\\linewidth,height=8cm".into()
        },
        "grid=major".into(),
        "legend style={at={(0.5,1.03)},anchor=south,draw=none,font=\\small}".into(),
        "legend columns=2,legend cell align=left".into(),
    ];
    options.extend(axis("x", &chart.across));
    options.extend(axis("y", &chart.up));
    let _ = writeln!(
        out,
        "\n\\begin{{tikzpicture}}\\begin{{axis}}[{}]",
        options.join(",")
    );
    for guide in &chart.guides {
        write_guide(out, chart, guide);
    }
    for (i, series) in chart.series.iter().enumerate() {
        write_series(out, i, series);
    }
    out.push_str("\\end{axis}\\end{tikzpicture}\n");
}

fn axis(name: &str, axis: &Axis) -> Vec<String> {
    let unit = match axis.unit {
        Unit::Plain => "",
        Unit::Seconds => " (s)",
        Unit::Bytes => " (bytes)",
    };
    let (from, to) = axis.ends();
    let mut options = vec![
        format!("{name}label={{{}{unit}}}", escape(&axis.label)),
        format!("{name}min={from:e},{name}max={to:e}"),
    ];
    if axis.log {
        options.push(format!("{name}mode=log"));
    }
    options
}

fn write_series(out: &mut String, i: usize, series: &Series) {
    let colour = if series.apart {
        "gray".into()
    } else {
        format!("series{}", i % COLOURS.len())
    };
    let (mark, dash) = (
        MARKS[(i + i / COLOURS.len()) % MARKS.len()],
        DASHES[i % DASHES.len()],
    );
    let every = match series.points.len() {
        0..=32 => 1,
        many => many.div_ceil(12),
    };
    let style = match series.shape {
        Shape::Bars => {
            format!(
                "const plot,no marks,{dash},thick,draw={colour},fill={colour},fill opacity=0.15"
            )
        }
        Shape::Line if series.apart => "no marks,line width=4pt,gray,opacity=0.35".into(),
        Shape::Line => {
            format!(
                "{colour},{dash},mark={mark},mark repeat={every},mark options={{solid,fill={colour}}}"
            )
        }
        Shape::Dots => format!("only marks,{colour},mark={mark},mark options={{fill={colour}}}"),
    };
    let spread = series.points.iter().any(|p| p.spread.is_some());
    let errors = if spread {
        ",error bars/.cd,y dir=both,y explicit"
    } else {
        ""
    };
    let _ = write!(out, "\\addplot[{style}{errors}] coordinates {{");
    for point in &series.points {
        let _ = write!(out, "({:e},{:e})", point.x, point.y);
        if let Some((low, high)) = point.spread {
            let (over, under) = (high - point.y, point.y - low);
            let _ = write!(out, " += (0,{over:e}) -= (0,{under:e})");
        }
    }
    out.push_str(match series.shape {
        Shape::Bars => "} \\closedcycle;\n",
        Shape::Line | Shape::Dots => "};\n",
    });
    if !series.name.is_empty() {
        let _ = writeln!(out, "\\addlegendentry{{{}}}", escape(&series.name));
    }
    let mut open = String::new();
    for point in series.points.iter().filter(|p| p.at_least) {
        let _ = write!(open, "({:e},{:e})", point.x, point.y);
    }
    if !open.is_empty() {
        let _ = writeln!(
            out,
            "\\addplot[only marks,{colour},mark=o,mark size=4pt,forget plot] coordinates {{{open}}};"
        );
    }
}

fn write_guide(out: &mut String, chart: &Chart, guide: &Guide) {
    let ((left, right), (low, high)) = (chart.across.ends(), chart.up.ends());
    let ends = match guide {
        Guide::Diagonal(factor) => {
            let (from, to) = (left.max(low / factor), right.min(high / factor));
            if from >= to {
                return;
            }
            [(from, from * factor), (to, to * factor)]
        }
        Guide::Across(value, _) => [(left, *value), (right, *value)],
        Guide::Up(value, _) => [(*value, low), (*value, high)],
    };
    let [(a, b), (c, d)] = ends;
    let _ = writeln!(
        out,
        "\\addplot[gray,dashed,forget plot] coordinates {{({a:e},{b:e})({c:e},{d:e})}};"
    );
}
