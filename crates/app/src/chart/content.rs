//! What a chart shows, apart from how it is drawn: two axes, some series, and lines that help to read it.

use super::axis::Axis;

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
    /// Where up is this many times across.
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
