//! An axis: the position of a value between its ends, with ticks at round numbers.

use super::number::Unit;

/// One axis of a chart.
#[derive(Clone, Debug)]
pub struct Axis {
    pub label: String,
    pub unit: Unit,
    pub log: bool,
    from: f64,
    to: f64,
    /// Ticks with a number.
    pub ticks: Vec<f64>,
    /// Ticks without one, on logarithmic axes.
    pub minor: Vec<f64>,
}

impl Axis {
    /// A linear axis for these values.
    pub fn linear(label: &str, unit: Unit, values: impl IntoIterator<Item = f64>) -> Axis {
        let (mut low, mut high) = ends(values, f64::is_finite).unwrap_or((0.0, 1.0));
        if low >= high {
            (low, high) = if low > 0.0 {
                (0.0, high)
            } else {
                (low, low + 1.0)
            };
        }
        let step = round_step((high - low) / 5.0);
        let (from, to) = ((low / step).floor() * step, (high / step).ceil() * step);
        let count = ((to - from) / step).round() as usize;
        Axis {
            label: label.into(),
            unit,
            log: false,
            from,
            to,
            ticks: (0..=count).map(|i| from + i as f64 * step).collect(),
            minor: vec![],
        }
    }

    /// A logarithmic axis for these values; values up to zero lie at its lower end.
    pub fn logarithmic(label: &str, unit: Unit, values: impl IntoIterator<Item = f64>) -> Axis {
        let (low, high) = ends(values, |v| v.is_finite() && v > 0.0).unwrap_or((1.0, 10.0));
        let mut from = steps(low, |step| step <= low * 1.000_001, true);
        let mut to = steps(high, |step| step >= high * 0.999_999, false);
        if to / from < 5.0 {
            (from, to) = (from / 2.0, to * 2.0);
            from = steps(from, |step| step <= from * 1.000_001, true);
            to = steps(to, |step| step >= to * 0.999_999, false);
        }
        let decades = (to / from).log10();
        let first = from.log10().floor() as i32;
        let last = to.log10().ceil() as i32;
        let within = |v: &f64| *v >= from * 0.999_999 && *v <= to * 1.000_001;
        let times = |multiples: &'static [f64], every: usize| -> Vec<f64> {
            (first..=last)
                .step_by(every)
                .flat_map(|power| multiples.iter().map(move |m| m * 10f64.powi(power)))
                .filter(within)
                .collect()
        };
        let (ticks, minor) = if decades < 2.5 {
            let all = times(&[1., 2., 5.], 1);
            (all, times(&[3., 4., 6., 7., 8., 9.], 1))
        } else if decades <= 7.0 {
            (times(&[1.], 1), times(&[2., 3., 4., 5., 6., 7., 8., 9.], 1))
        } else {
            (
                times(&[1.], (decades / 6.0).ceil() as usize),
                times(&[1.], 1),
            )
        };
        Axis {
            label: label.into(),
            unit,
            log: true,
            from,
            to,
            ticks,
            minor,
        }
    }

    /// A linear axis of whole numbers.
    pub fn whole(mut self) -> Axis {
        self.ticks.retain(|t| (t - t.round()).abs() < 1e-9);
        self
    }

    /// The axis with exactly these ends.
    pub fn within(mut self, from: f64, to: f64) -> Axis {
        (self.from, self.to) = (from, to);
        self.ticks.retain(|t| (from..=to).contains(t));
        self
    }

    /// The position of a value: 0 at the start, 1 at the end.
    pub fn place(&self, value: f64) -> f64 {
        let place = if self.log {
            (value.max(self.from) / self.from).log10() / (self.to / self.from).log10()
        } else {
            (value - self.from) / (self.to - self.from)
        };
        place.clamp(0.0, 1.0)
    }

    pub fn ends(&self) -> (f64, f64) {
        (self.from, self.to)
    }
}

fn ends(values: impl IntoIterator<Item = f64>, fits: impl Fn(f64) -> bool) -> Option<(f64, f64)> {
    values
        .into_iter()
        .filter(|v| fits(*v))
        .fold(None, |ends, v| {
            Some(ends.map_or((v, v), |(low, high): (f64, f64)| (low.min(v), high.max(v))))
        })
}

/// The least number not below this that is 1, 2 or 5 times a power of ten.
pub fn round_step(about: f64) -> f64 {
    steps(about, |step| step >= about * 0.999, false)
}

/// The first suitable round number near a value, from the largest or from the smallest.
fn steps(near: f64, fits: impl Fn(f64) -> bool, from_above: bool) -> f64 {
    let power = near.log10().floor() as i32;
    let mut all: Vec<f64> = (power - 1..=power + 1)
        .flat_map(|p| [1.0, 2.0, 5.0].map(|m| m * 10f64.powi(p)))
        .collect();
    if from_above {
        all.reverse();
    }
    all.into_iter().find(|step| fits(*step)).unwrap_or(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        let axis = Axis::linear("n", Unit::Plain, [0.0, 97.0]);
        assert_eq!(axis.ticks, [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        let axis = Axis::logarithmic("t", Unit::Seconds, [0.003, 0.0, 40.0]);
        assert_eq!(axis.ends(), (0.002, 50.0));
        let rounded: Vec<String> = axis.ticks.iter().map(|t| format!("{t}")).collect();
        assert_eq!(rounded, ["0.01", "0.1", "1", "10"]);
        let short = Axis::logarithmic("t", Unit::Plain, [30.0, 200.0]);
        assert_eq!(short.ticks, [20.0, 50.0, 100.0, 200.0]);
    }

    #[test]
    fn places_are_on_the_axis_whatever_the_values() {
        for values in [
            vec![],
            vec![0.0],
            vec![5.0, 5.0],
            vec![-3.0, 8.0],
            vec![f64::NAN],
        ] {
            let axes = [
                Axis::linear("", Unit::Plain, values.clone()),
                Axis::logarithmic("", Unit::Plain, values.clone()),
            ];
            for axis in axes {
                assert!(
                    axis.ends().0 < axis.ends().1 && !axis.ticks.is_empty(),
                    "{values:?}"
                );
                assert!(
                    [-1.0, 0.0, 1e12]
                        .iter()
                        .all(|v| (0.0..=1.0).contains(&axis.place(*v)))
                );
            }
        }
    }
}
