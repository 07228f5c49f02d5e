//! The legend of a chart.

use std::fmt::Write;

use super::content::{Series, Shape};
use super::frame::Frame;
use super::marks::{colour, dash, filling, hatch_fill, mark};
use super::text::escape;

const LINE: f64 = 19.0;
const LEFT: f64 = 12.0;
/// The distance from the start of an entry to its name.
const SAMPLE: f64 = 34.0;
/// The approximate width of a letter.
const LETTER: f64 = 6.9;

/// The entries in their places.
pub struct Legend<'a> {
    entries: Vec<Entry<'a>>,
}

struct Entry<'a> {
    number: usize,
    series: &'a Series,
    name: String,
    row: usize,
    x: f64,
}

impl Legend<'_> {
    /// Entries one after the other, in as many rows as needed; series without a name have no entry.
    pub fn of(series: &[Series], width: f64) -> Legend<'_> {
        let (mut row, mut x) = (0, LEFT);
        let most = ((width - LEFT - SAMPLE) / LETTER) as usize;
        let mut entries = vec![];
        for (number, series) in series
            .iter()
            .enumerate()
            .filter(|(_, s)| !s.name.is_empty())
        {
            let mut name = series.name.clone();
            if name.chars().count() > most {
                name = name.chars().take(most - 1).chain(['…']).collect();
            }
            let wide = SAMPLE + LETTER * name.chars().count() as f64;
            if x > LEFT && x + wide > width {
                (row, x) = (row + 1, LEFT);
            }
            entries.push(Entry {
                number,
                series,
                name,
                row,
                x,
            });
            x += wide + 16.0;
        }
        Legend { entries }
    }

    pub fn height(&self) -> f64 {
        self.entries
            .last()
            .map_or(0.0, |e| (e.row + 1) as f64 * LINE)
    }

    pub fn draw(&self, out: &mut String, frame: &Frame, top: f64) {
        for entry in &self.entries {
            entry.draw(out, frame, top + entry.row as f64 * LINE + 12.0);
        }
    }
}

impl Entry<'_> {
    fn draw(&self, out: &mut String, frame: &Frame, y: f64) {
        let (i, series, x) = (self.number, self.series, self.x);
        let colour = colour(i, series);
        let _ = match series.shape {
            Shape::Bars => write!(
                out,
                "<rect class=\"bar {colour} {}\"{}{} x=\"{x:.1}\" y=\"{:.1}\" width=\"26\" height=\"11\"/>",
                filling(i),
                dash(i, series),
                hatch_fill(frame, i),
                y - 10.0
            ),
            Shape::Line => write!(
                out,
                "<path class=\"line {colour}\"{} d=\"M{x:.1} {:.1}h26\"/>",
                dash(i, series),
                y - 4.0
            ),
            Shape::Dots => Ok(()),
        };
        if series.shape == Shape::Dots || (series.shape == Shape::Line && !series.apart) {
            mark(out, i, series, (x + 13.0, y - 4.0), false);
        }
        let _ = writeln!(
            out,
            "<text x=\"{:.1}\" y=\"{y:.1}\">{}</text>",
            x + SAMPLE,
            escape(&self.name)
        );
    }
}
