//! The part of a picture that holds a plot, and the positions of values in it.

use super::content::Chart;

/// The area of a plot.
pub struct Frame<'a> {
    pub chart: &'a Chart,
    pub id: &'a str,
    pub left: f64,
    pub right: f64,
    pub top: f64,
    pub bottom: f64,
    /// The only series in it, if each series has its own plot.
    pub only: Option<usize>,
}

impl Frame<'_> {
    pub fn x(&self, value: f64) -> f64 {
        self.left + self.chart.across.place(value) * (self.right - self.left)
    }

    pub fn y(&self, value: f64) -> f64 {
        self.bottom - self.chart.up.place(value) * (self.bottom - self.top)
    }
}
