//! Values of flags: sizes, times, bytes, names.

use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use noyes_puzzle::tiles::MAX_CELLS;
use noyes_solver::DeviceName;

/// The help of an argument that is a puzzle.
pub(super) const PUZZLES: &str = "A board such as \"1 2 3/4 0 6/7 5 8\" (spaces or commas separate tiles; slashes, semicolons or line ends separate rows; \
0 or _ is the blank; without rows it is square; 123406758 and [[1,2],[3,0]] are read as well), a level of Sokoban such as '5#|#@$.#|5#' \
(XSB, run lengths, or a map of W B P T X), a file of boards (one per line, # starts a comment) or of levels, or - for standard input";

/// The help of an argument that is a plan.
pub(super) const PLAN: &str = "A plan: letters L U R D, a file of them, a file with a planner's plan, or - for standard input. \
With several players, one line per player, or parts separated by slashes; . is a wait";

pub(super) fn names<'a>(names: impl Iterator<Item = &'static str> + 'a) -> PossibleValuesParser {
    PossibleValuesParser::new(names.collect::<Vec<_>>())
}

/// What searches.
pub(super) fn device() -> impl TypedValueParser<Value = DeviceName> {
    names(DeviceName::ALL.iter().map(|d| d.name()))
        .map(|n| n.parse::<DeviceName>().expect("a possible value"))
}

pub(super) fn size(text: &str) -> Result<(usize, usize), String> {
    let parts = text
        .split_once(['x', 'X', '×'])
        .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
    match parts {
        Some((w @ 1..=MAX_CELLS, h @ 1..=MAX_CELLS)) if w * h <= MAX_CELLS => Ok((w, h)),
        Some(_) => Err(format!("a board has 1 to {MAX_CELLS} cells")),
        None => Err("expected columns x rows, such as 4x4".into()),
    }
}

pub(super) fn range(text: &str) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok((first, last)),
        _ => Err("expected a number from 1, or a range such as 3-7".into()),
    }
}

pub fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "" | "s" => 1.0,
        "ms" => 1e-3,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => f64::NAN,
    };
    let value = digits.parse::<f64>().unwrap_or(f64::NAN) * seconds;
    Duration::try_from_secs_f64(value)
        .map_err(|_| "expected a time such as 500ms, 60s, 5m or 1h".into())
}

/// A time greater than zero.
pub(super) fn some_duration(text: &str) -> Result<Duration, String> {
    match duration(text)? {
        Duration::ZERO => Err("must be greater than zero".into()),
        time => Ok(time),
    }
}

/// An amount greater than zero.
pub(super) fn some_bytes(text: &str) -> Result<usize, String> {
    match bytes(text)? {
        0 => Err("must be greater than zero".into()),
        bytes => Ok(bytes),
    }
}

/// A time between two moves, of at most an hour.
pub(super) fn delay(text: &str) -> Result<Duration, String> {
    duration(text).map(|time| time.min(Duration::from_secs(3600)))
}

pub fn bytes(text: &str) -> Result<usize, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => f64::NAN,
    };
    let value = digits.parse::<f64>().unwrap_or(f64::NAN) * unit;
    if (0.0..1e18).contains(&value) {
        Ok(value as usize)
    } else {
        Err("expected an amount such as 500MB or 4GiB".into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_times_and_amounts_are_read() {
        assert_eq!(size("4x3"), Ok((4, 3)));
        assert!(
            size("0x3").is_err()
                && size("4").is_err()
                && size("1000x1000").is_err()
                && size("99999999999999999999x1").is_err()
        );
        assert_eq!((range("3"), range("3-7")), (Ok((3, 3)), Ok((3, 7))));
        assert!(range("0").is_err() && range("7-3").is_err() && range("x").is_err());
        assert_eq!(duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert!(
            duration("-1").is_err()
                && duration("soon").is_err()
                && duration("").is_err()
                && duration("nan").is_err()
                && duration("1e300").is_err()
        );
        assert_eq!(bytes("4GiB"), Ok(4 << 30));
        assert_eq!(bytes("100"), Ok(100));
        assert_eq!(
            (bytes("2TiB"), bytes("2TB")),
            (Ok(2 << 40), Ok(2_000_000_000_000))
        );
        assert_eq!(delay("1e19"), Ok(Duration::from_secs(3600)));
        assert!(bytes("-5").is_err() && bytes("much").is_err());
    }
}
