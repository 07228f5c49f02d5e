//! Numbers for people: three significant digits, a suitable unit, thousands separated by commas.
//!
//! Whole numbers keep all their digits: 4,067,541 states are not "4.07 million".

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Plain,
    Seconds,
    Bytes,
}

impl Unit {
    /// The unit of a measure, by the end of its name.
    pub fn of(measure: &str) -> Unit {
        if measure.ends_with("_s") {
            Unit::Seconds
        } else if measure.ends_with("_bytes") {
            Unit::Bytes
        } else {
            Unit::Plain
        }
    }

    /// The divisor that makes this value easy to read, and the name of the unit.
    fn scale(self, value: f64) -> (f64, &'static str) {
        let value = round(value.abs());
        match self {
            Unit::Plain => (1.0, ""),
            Unit::Seconds if value == 0.0 || value >= 1.0 => (1.0, "s"),
            Unit::Seconds if value >= 1e-3 => (1e-3, "ms"),
            Unit::Seconds => (1e-6, "µs"),
            Unit::Bytes if value < 1e3 => (1.0, "B"),
            Unit::Bytes if value < 1e6 => (1e3, "kB"),
            Unit::Bytes if value < 1e9 => (1e6, "MB"),
            Unit::Bytes => (1e9, "GB"),
        }
    }
}

/// A value with its unit: `3.77 ms`, `2,091 s`, `17.5 MB`, `4,067,542`.
pub fn write(value: f64, unit: Unit) -> String {
    let (by, name) = unit.scale(value);
    join(&digits(value / by), name)
}

/// A mean and its deviation, with the same number of places: `3.77 ± 0.13 ms`.
pub fn write_deviation(value: f64, deviation: f64, unit: Unit) -> String {
    let (by, name) = unit.scale(value);
    let mean = digits(value / by);
    let places = mean.split_once('.').map_or(0, |(_, places)| places.len());
    let deviation = thousands(&format!("{:.places$}", deviation / by));
    join(&format!("{mean} ± {deviation}"), name)
}

/// From one value to another, in the same unit unless they are far apart: `1.50 – 1,200 s`, `3.34 ms – 10.5 s`.
pub fn write_range(from: f64, to: f64, unit: Unit) -> String {
    let (by, name) = unit.scale(to);
    if unit.scale(from).1 != name && from < to / 1000.0 {
        return format!("{} – {}", write(from, unit), write(to, unit));
    }
    let both = format!("{} – {}", digits(from / by), digits(to / by));
    join(&both, name)
}

/// A round value beside an axis: `100 ms`, `10 k`, `2 M`.
pub fn tick(value: f64, unit: Unit) -> String {
    if unit != Unit::Plain {
        let (by, name) = unit.scale(value);
        return join(&trimmed(value / by), name);
    }
    let (by, name) = match value.abs() {
        v if v >= 1e15 => return format!("1e{}", v.log10().round()),
        v if v >= 1e12 => (1e12, "T"),
        v if v >= 1e9 => (1e9, "G"),
        v if v >= 1e6 => (1e6, "M"),
        v if v >= 1e4 => (1e3, "k"),
        _ => (1.0, ""),
    };
    join(&trimmed(value / by), name)
}

/// A ratio: `74×`, `0.52×`.
pub fn write_ratio(ratio: f64) -> String {
    format!("{}×", digits(ratio))
}

fn join(number: &str, unit: &str) -> String {
    if unit.is_empty() {
        number.into()
    } else {
        format!("{number} {unit}")
    }
}

/// Three significant digits, or all digits of a whole number.
pub fn digits(value: f64) -> String {
    if !value.is_finite() {
        return "–".into();
    }
    if value.fract().abs() < f64::EPSILON && value.abs() < 1e15 {
        return thousands(&format!("{value:.0}"));
    }
    let places = (2 - round(value.abs()).log10().floor() as i32).clamp(0, 12);
    thousands(&format!("{value:.*}", places as usize))
}

/// Rounded to three digits.
fn round(value: f64) -> f64 {
    format!("{value:.2e}").parse().unwrap_or(value) // a number that was just written can be parsed
}

/// The fewest places that show a round number.
fn trimmed(value: f64) -> String {
    let text = format!("{:.9}", round(value));
    let text = text.trim_end_matches('0').trim_end_matches('.');
    thousands(text)
}

/// Commas between groups of three digits before the point.
pub fn thousands(number: &str) -> String {
    let (sign, rest) = number.strip_prefix('-').map_or(("", number), |r| ("-", r));
    let (whole, fraction) = rest.split_once('.').map_or((rest, ""), |(w, f)| (w, f));
    let mut text = String::from(sign);
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if !fraction.is_empty() {
        text.push('.');
        text += fraction;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_people_write_them() {
        for (value, unit, text) in [
            (0.0, Unit::Seconds, "0 s"),
            (0.003_767, Unit::Seconds, "3.77 ms"),
            (0.000_012_3, Unit::Seconds, "12.3 µs"),
            (0.999_9, Unit::Seconds, "1.00 s"),
            (27.4419, Unit::Seconds, "27.4 s"),
            (2091.0082, Unit::Seconds, "2,091 s"),
            (4_067_541.5, Unit::Plain, "4,067,542"),
            (12.0, Unit::Plain, "12"),
            (17_500_000.0, Unit::Bytes, "17.5 MB"),
            (9.996, Unit::Plain, "10.0"),
            (f64::NAN, Unit::Plain, "–"),
        ] {
            assert_eq!(write(value, unit), text);
        }
        assert_eq!(
            write_deviation(0.2744, 0.2076, Unit::Seconds),
            "274 ± 208 ms"
        );
        assert_eq!(
            write_deviation(1.3642, 0.0631, Unit::Seconds),
            "1.36 ± 0.06 s"
        );
        assert_eq!(
            write_range(0.003_34, 10.5, Unit::Seconds),
            "3.34 ms – 10.5 s"
        );
        assert_eq!(write_range(0.5, 10.5, Unit::Seconds), "0.500 – 10.5 s");
        assert_eq!(write_range(1.5, 1200.0, Unit::Seconds), "1.50 – 1,200 s");
        assert_eq!(write_ratio(73.84), "73.8×");
    }

    #[test]
    fn ticks_are_short() {
        let told = |v, unit| tick(v, unit);
        assert_eq!(told(0.002, Unit::Seconds), "2 ms");
        assert_eq!(told(0.3, Unit::Plain), "0.3");
        assert_eq!(told(10_000.0, Unit::Plain), "10 k");
        assert_eq!(told(2500.0, Unit::Plain), "2,500");
        assert_eq!(told(1e9, Unit::Plain), "1 G");
    }
}
