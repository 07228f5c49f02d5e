//! What all kinds of charts of runs have in common.

use super::super::statistics::measure_word;
use crate::chart::{Axis, Chart, Unit};

/// A chart and the notes under it, or why it cannot be drawn.
pub type Drawn = Result<(Chart, Vec<String>), String>;

/// The axis of a measure.
pub fn axis(measure: &str, log: bool, values: impl IntoIterator<Item = f64>) -> Axis {
    let (label, unit) = (measure_word(measure), Unit::of(measure));
    if log {
        Axis::logarithmic(&label, unit, values)
    } else {
        Axis::linear(&label, unit, values.into_iter().chain([0.0]))
    }
}
