//! The progress of a suite, and an estimate of the time left.
//!
//! A run is expected to take as long as the average run of its configuration, or as the average of all runs before there is
//! one. A terminal shows a progress line; elsewhere a line is printed every ten seconds.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use super::jobs::Job;
use super::record::Run;
use crate::terminal::print::warn;
use crate::terminal::progress;

/// The time between two lines without a terminal.
const QUIET: Duration = Duration::from_secs(10);

pub struct Pace {
    /// The number of runs to be made, by configuration.
    left: HashMap<String, usize>,
    /// The number of runs made and their seconds, by configuration.
    took: HashMap<String, (usize, f64)>,
    made: usize,
    all: usize,
    printed: Instant,
}

impl Pace {
    /// `todo` is to come; earlier runs help to estimate its time.
    pub fn new(todo: &[&Job], before: &[Run]) -> Pace {
        let mut pace = Pace {
            left: HashMap::new(),
            took: HashMap::new(),
            made: 0,
            all: todo.len(),
            printed: Instant::now(),
        };
        for job in todo {
            *pace.left.entry(job.configuration.clone()).or_default() += 1;
        }
        for run in before {
            pace.learn(run);
        }
        pace
    }

    fn learn(&mut self, run: &Run) {
        let (count, seconds) = self.took.entry(run.configuration.clone()).or_default();
        *count += 1;
        *seconds += run.wall_s;
    }

    /// Shows what comes next.
    pub fn next(&mut self, job: &Job) {
        let text = format!(
            "run {} of {}, {}: {} on {}",
            self.made + 1,
            self.all,
            self.left_in_words(),
            job.configuration,
            if job.instance.is_empty() {
                "no puzzle"
            } else {
                &job.instance
            }
        );
        if progress::there_is_a_line() {
            progress::note(Some(text));
        } else if self.printed.elapsed() >= QUIET {
            warn(text);
            self.printed = Instant::now();
        }
    }

    /// Counts a run that was made.
    pub fn done(&mut self, run: &Run) {
        self.learn(run);
        self.made += 1;
        if let Some(left) = self.left.get_mut(&run.configuration) {
            *left -= 1;
        }
    }

    fn left_in_words(&self) -> String {
        self.left_s().map_or("time left unknown".into(), |s| {
            format!("about {} left", in_words(s))
        })
    }

    /// An estimate of the seconds left, after the first run.
    fn left_s(&self) -> Option<f64> {
        let (count, seconds) = self
            .took
            .values()
            .fold((0, 0.0), |sum, &(n, s)| (sum.0 + n, sum.1 + s));
        if count == 0 {
            return None;
        }
        let mean = seconds / count as f64;
        let of = |(configuration, &left): (&String, &usize)| {
            let each = (self.took.get(configuration)).map_or(mean, |&(n, s)| s / n as f64);
            left as f64 * each
        };
        Some(self.left.iter().map(of).sum())
    }
}

impl Drop for Pace {
    fn drop(&mut self) {
        progress::note(None);
    }
}

fn in_words(seconds: f64) -> String {
    match seconds.round() as u64 {
        s @ 0..100 => format!("{s} s"),
        s if s < 100 * 60 => format!("{} min", (s + 30) / 60),
        s => format!("{:.1} h", s as f64 / 3600.0),
    }
}
