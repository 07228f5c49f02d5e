//! The cells of a table: our figure with its spread, the paper's figure, and their ratio.

use super::statistics::{Figure, Sample};
use crate::bench::suite::{Bound, Said, Statistic, Suite, Value};
use crate::chart::number::{Unit, write, write_deviation, write_range, write_ratio};

/// Our figure. Runs without an answer always show: `≥ 4.00 s (3 of 4)`. `spread` adds the standard deviation to a mean,
/// and the least and most to a median.
pub fn ours(sample: &Sample, measure: &str, statistic: Statistic, spread: bool) -> String {
    let unit = Unit::of(measure);
    let part = format!(" ({} of {})", sample.known().len(), sample.runs());
    let part = if sample.is_whole() { "" } else { &part };
    match sample.figure(statistic) {
        _ if sample.runs() == 0 => "not run".into(),
        Figure::Known(solved) if statistic == Statistic::Solved => {
            format!("{solved} of {}", sample.runs())
        }
        Figure::Nothing => format!("–{}", if sample.is_empty() { "" } else { part }),
        Figure::AtLeast(value) => format!("≥ {}{part}", write(value, unit)),
        Figure::Known(value) => {
            let told = match statistic {
                Statistic::Mean if spread && sample.runs() > 1 => {
                    match sample.figure(Statistic::Deviation) {
                        Figure::Known(deviation) => write_deviation(value, deviation, unit),
                        _ => write(value, unit),
                    }
                }
                Statistic::Median if spread && sample.runs() > 1 => {
                    format!("{}{}", write(value, unit), range(sample, unit))
                }
                _ => write(value, unit),
            };
            let part = if statistic == Statistic::Par2 {
                ""
            } else {
                part
            };
            format!("{told}{part}")
        }
    }
}

/// The least and the most: ` [1.00 – 6.00 s]`.
fn range(sample: &Sample, unit: Unit) -> String {
    let least = sample.figure(Statistic::Least).number();
    match (least, sample.figure(Statistic::Most)) {
        (Some(least), Figure::Known(most)) if least < most => {
            format!(" [{}]", write_range(least, most, unit))
        }
        (Some(least), Figure::AtLeast(most)) => {
            format!(" [{} – ≥ {}]", write(least, unit), write(most, unit))
        }
        _ => String::new(),
    }
}

/// The paper's figures for a configuration, by index; `of` is the row's instance or value of a tag.
pub fn said(
    suite: Option<&Suite>,
    names: &[&str],
    of: Option<&Value>,
    measure: &str,
    statistic: Statistic,
) -> Vec<usize> {
    let of = of.map(ToString::to_string);
    let all = suite.map_or(&[][..], |suite| &suite.said);
    let fits = |said: &Said| {
        names.contains(&said.configuration.as_str())
            && said.of.as_ref().map(ToString::to_string) == of
            && (said.measure.as_str(), said.statistic) == (measure, statistic)
    };
    (0..all.len()).filter(|&i| fits(&all[i])).collect()
}

/// Notes under a table, each with a letter.
#[derive(Default)]
pub struct Notes(Vec<String>);

impl Notes {
    /// The letter of a note, such as ` [a]`.
    fn letter(&mut self, note: &str) -> String {
        let at = self.0.iter().position(|n| n == note).unwrap_or_else(|| {
            self.0.push(note.into());
            self.0.len() - 1
        });
        format!(" [{}]", name(at))
    }

    pub fn lines(self) -> impl Iterator<Item = String> {
        let all = self.0.into_iter().enumerate();
        all.map(|(i, note)| format!("[{}] {note}", name(i)))
    }
}

/// a, b, … z, a1, b1, …
fn name(at: usize) -> String {
    let letter = char::from(b'a' + (at % 26) as u8);
    match at / 26 {
        0 => letter.into(),
        round => format!("{letter}{round}"),
    }
}

/// The paper's figures, as it prints them.
pub fn paper(said: &[&Said], notes: &mut Notes) -> String {
    let told = said.iter().map(|said| {
        let text = match &said.words {
            Some(words) => words.clone(),
            None => write(said.value, unit(said)),
        };
        let note = said.note.as_ref().map(|note| notes.letter(note));
        text + &note.unwrap_or_default()
    });
    or_none(&told.collect::<Vec<_>>())
}

/// The paper's figures divided by ours.
pub fn ratio(said: &[&Said], ours: Figure) -> String {
    let told = said.iter().map(|said| {
        let (value, ours_at_least) = match ours {
            Figure::Known(value) => (value, false),
            Figure::AtLeast(value) => (value, true),
            Figure::Nothing => return "–".into(),
        };
        let sign = match (said.at, ours_at_least) {
            (None, false) => "",
            (None | Some(Bound::Most), true) | (Some(Bound::Most), false) => "≤ ",
            (Some(Bound::Least), false) => "≥ ",
            (Some(Bound::Least), true) => return "–".into(),
        };
        if value > 0.0 && said.value > 0.0 && said.value.is_finite() {
            format!("{sign}{}", write_ratio(said.value / value))
        } else {
            "–".into()
        }
    });
    or_none(&told.collect::<Vec<_>>())
}

fn unit(said: &Said) -> Unit {
    if said.statistic == Statistic::Solved {
        Unit::Plain
    } else {
        Unit::of(&said.measure)
    }
}

fn or_none(told: &[String]) -> String {
    if told.is_empty() {
        "–".into()
    } else {
        told.join("; ")
    }
}
