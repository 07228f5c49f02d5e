//! Runs as charts, a file for each kind.

mod cactus;
mod entries;
mod growth;
mod histogram;
mod scatter;

pub use cactus::cactus;
pub use entries::entries;
pub use growth::growth;
pub use histogram::histogram;
pub use scatter::scatter;

use super::statistics::measure_word;
use crate::chart::{Axis, Chart, Unit};

/// A chart, what is to be said under it; or why there is none.
pub type Drawn = Result<(Chart, Vec<String>), String>;

/// The axis of a measure.
fn axis(measure: &str, log: bool, values: impl IntoIterator<Item = f64>) -> Axis {
    let (label, unit) = (measure_word(measure), Unit::of(measure));
    if log {
        Axis::logarithmic(&label, unit, values)
    } else {
        Axis::linear(&label, unit, values.into_iter().chain([0.0]))
    }
}

/// Sentences with blanks between.
fn sentences(all: &[String]) -> String {
    all.join(" ")
}
