//! Charts: what is drawn, apart from how.
//!
//! A chart is two axes and some series; `svg` draws it. It is written by hand because a page must read well in
//! light and in dark: plotting libraries write fixed colours, here they are style sheet variables.

mod axis;
mod blocks;
mod legend;
mod marks;
pub mod number;
mod svg;

pub use axis::{Axis, round_step};
pub use blocks::blocks;
pub use number::Unit;
pub use svg::{STYLE, escape, lines, standalone, svg};

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    pub title: String,
    /// What it shows, for those who cannot see it.
    pub about: String,
    pub across: Axis,
    pub up: Axis,
    pub series: Vec<Series>,
    pub guides: Vec<Guide>,
    /// As high as wide, for two axes of the same kind.
    pub square: bool,
}

/// What is drawn in one colour and style.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    pub shape: Shape,
    pub points: Vec<Point>,
    /// Not of ours: drawn in grey.
    pub apart: bool,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Dots,
    Line,
    /// Each point is the left end of a bar; the last one only ends the bar before.
    Bars,
}

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    /// A line from the least to the most.
    pub spread: Option<(f64, f64)>,
    /// The value is no lower than this, and not known: hollow, with an arrow.
    pub at_least: bool,
}

/// A line that helps to read the chart.
#[derive(Clone, Debug)]
pub enum Guide {
    /// Where up is so many times across.
    Diagonal(f64),
    Across(f64, String),
    Up(f64, String),
}

impl Point {
    pub fn at(x: f64, y: f64) -> Point {
        Point {
            x,
            y,
            ..Point::default()
        }
    }
}

/// Histograms of whole values from zero on, drawn over one another.
pub fn histogram(title: &str, across: &str, up: &str, bars: &[(String, Vec<f64>)]) -> Chart {
    let longest = bars.iter().map(|(_, bars)| bars.len()).max().unwrap_or(0);
    let highest = bars.iter().flat_map(|(_, bars)| bars).copied();
    let series = bars.iter().map(|(name, bars)| Series {
        name: name.clone(),
        shape: Shape::Bars,
        points: (0..=bars.len())
            .map(|i| Point::at(i as f64 - 0.5, bars.get(i).copied().unwrap_or(0.0)))
            .collect(),
        apart: false,
    });
    let told = bars.iter().map(|(name, bars)| {
        let most = (0..bars.len()).max_by(|&a, &b| bars[a].total_cmp(&bars[b]));
        format!("{name}: most at {}", most.unwrap_or(0))
    });
    Chart {
        title: title.into(),
        about: format!("Histogram. {}.", told.collect::<Vec<_>>().join("; ")),
        across: Axis::linear(across, Unit::Plain, [-0.5, longest as f64 - 0.5])
            .within(-0.5, longest.max(1) as f64 - 0.5)
            .whole(),
        up: Axis::linear(up, Unit::Plain, highest.chain([0.0])),
        series: series.collect(),
        guides: vec![],
        square: false,
    }
}
