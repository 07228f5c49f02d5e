//! The content of a chart: two axes, some series, and guide lines.

use super::axis::Axis;

/// A chart.
#[derive(Clone, Debug)]
pub struct Chart {
    pub title: String,
    /// A description for screen readers.
    pub about: String,
    pub across: Axis,
    pub up: Axis,
    pub series: Vec<Series>,
    pub guides: Vec<Guide>,
    /// Whether it is square, for two axes of the same kind.
    pub square: bool,
}

/// What is drawn in one colour and style.
#[derive(Clone, Debug)]
pub struct Series {
    pub name: String,
    pub shape: Shape,
    pub points: Vec<Point>,
    /// Whether it is drawn in grey, because it is not ours.
    pub apart: bool,
}

/// How the points of a series are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Dots,
    Line,
    /// Each point is the left end of a bar; the last one only ends the bar before it.
    Bars,
}

/// A point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    pub x: f64,
    pub y: f64,
    /// The ends of a line from the least to the most.
    pub spread: Option<(f64, f64)>,
    /// Whether the value is only a lower bound: hollow, with an arrow.
    pub at_least: bool,
}

/// A guide line.
#[derive(Clone, Debug)]
pub enum Guide {
    /// Where the vertical value is this many times the horizontal one.
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
