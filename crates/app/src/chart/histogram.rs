//! Histograms of whole values as charts.

use super::axis::Axis;
use super::content::{Chart, Point, Series, Shape};
use super::number::Unit;

/// Histograms of whole values from zero on, in one chart.
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
