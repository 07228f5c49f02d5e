//! Statistics over several runs.
//!
//! A run without an answer only says that its value is at least what it had reached. It is never left out: each statistic
//! is computed twice, with such values as low and as high as possible. If both agree, as for a median of mostly answered
//! runs, the statistic is known; otherwise the lower one is a lower bound.

use crate::bench::record::Run;
use crate::bench::suite::Statistic;

/// The values of a measure in some runs.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// Known values, sorted.
    known: Vec<f64>,
    /// Runs without an answer.
    open: Vec<Open>,
    /// Runs with an answer that lack the measure.
    pub lacking: usize,
}

/// A run without an answer.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// How far it got, if that is known.
    reached: Option<f64>,
    /// Its value for PAR-2: twice its time limit.
    penalty: f64,
}

/// A statistic.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// The runs do not have it.
    Nothing,
    Known(f64),
    AtLeast(f64),
}

impl Figure {
    /// The number, known or at least.
    pub fn number(self) -> Option<f64> {
        match self {
            Figure::Nothing => None,
            Figure::Known(value) | Figure::AtLeast(value) => Some(value),
        }
    }
}

impl Sample {
    pub fn of<'a>(runs: impl IntoIterator<Item = &'a Run>, measure: &str) -> Sample {
        let mut sample = Sample::default();
        for run in runs {
            let value = run.measure(measure).filter(|v| v.is_finite());
            match value {
                Some(value) if run.ending.is_answered() => sample.known.push(value),
                None if run.ending.is_answered() => sample.lacking += 1,
                value => {
                    let reached = match measure {
                        "cost" => run.lower.map(f64::from),
                        _ => value,
                    };
                    let penalty = 2.0 * run.time_limit_s;
                    sample.open.push(Open { reached, penalty });
                }
            }
        }
        sample.known.sort_by(f64::total_cmp);
        sample
    }

    /// How many runs ended with an answer.
    pub fn answered(&self) -> usize {
        self.known.len() + self.lacking
    }

    pub fn runs(&self) -> usize {
        self.answered() + self.open.len()
    }

    /// Whether every run gave a value.
    pub fn is_whole(&self) -> bool {
        self.open.is_empty() && self.lacking == 0
    }

    /// Whether any run gave one.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    pub fn known(&self) -> &[f64] {
        &self.known
    }

    pub fn figure(&self, statistic: Statistic) -> Figure {
        if statistic == Statistic::Solved && self.runs() > 0 {
            return Figure::Known(self.answered() as f64);
        }
        if self.known.is_empty() && self.open.iter().all(|open| open.reached.is_none()) {
            return Figure::Nothing; // not a measure of these runs
        }
        match statistic {
            Statistic::Par2 => Figure::Known(mean(&self.with(|open| open.penalty))),
            Statistic::Deviation if !self.open.is_empty() => Figure::Nothing, // no bound can be given
            _ => {
                let low = self.compute(statistic, |open| open.reached.unwrap_or(0.0));
                let high = self.compute(statistic, |_| f64::INFINITY);
                match low {
                    None => Figure::Nothing,
                    low if low == high => Figure::Known(low.unwrap_or_default()),
                    Some(low) => Figure::AtLeast(low),
                }
            }
        }
    }

    /// All values, sorted; those of open runs as given.
    fn with(&self, open: impl Fn(&Open) -> f64) -> Vec<f64> {
        let mut values = self.known.clone();
        values.extend(self.open.iter().map(open));
        values.sort_by(f64::total_cmp);
        values
    }

    fn compute(&self, statistic: Statistic, open: impl Fn(&Open) -> f64) -> Option<f64> {
        let values = self.with(open);
        match statistic {
            Statistic::Solved => Some(self.answered() as f64),
            Statistic::Total => Some(values.iter().sum()),
            Statistic::Mean | Statistic::Par2 => Some(mean(&values)),
            Statistic::Deviation => deviation(&values),
            Statistic::Median => Some(median(&values)),
            Statistic::Least => values.first().copied(),
            Statistic::Most => values.last().copied(),
        }
    }
}

pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The middle one of sorted values, or the mean of the two in the middle.
pub fn median(sorted: &[f64]) -> f64 {
    let middle = sorted.len() / 2;
    if sorted.len() % 2 == 1 {
        sorted[middle]
    } else if sorted[middle].is_infinite() {
        f64::INFINITY // the mean with infinity, also where both are infinite
    } else {
        f64::midpoint(sorted[middle - 1], sorted[middle])
    }
}

/// The standard deviation, with n - 1.
fn deviation(values: &[f64]) -> Option<f64> {
    if values.len() < 2 {
        return None;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    Some((squares / (values.len() - 1) as f64).sqrt())
}

/// What a statistic is called.
pub fn word(statistic: Statistic) -> &'static str {
    match statistic {
        Statistic::Solved => "answered",
        Statistic::Total => "total",
        Statistic::Mean => "mean",
        Statistic::Deviation => "standard deviation",
        Statistic::Median => "median",
        Statistic::Least => "least",
        Statistic::Most => "most",
        Statistic::Par2 => "PAR-2",
    }
}

/// What a measure is called.
pub fn measure_word(measure: &str) -> String {
    match measure {
        "wall_s" => "time".into(),
        "cpu_s" => "processor time".into(),
        "peak_bytes" => "peak memory".into(),
        "expanded" => "states expanded".into(),
        "generated" => "states generated".into(),
        "lower" => "lower bound".into(),
        "upper" => "upper bound".into(),
        other => {
            let name = other.strip_suffix("_s").unwrap_or(other);
            let name = name.strip_suffix("_bytes").unwrap_or(name);
            name.replace('_', " ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known values, and where open runs stopped; the limit is 10.
    fn sample(known: &[f64], open: &[f64]) -> Sample {
        Sample {
            known: known.to_vec(),
            open: open
                .iter()
                .map(|&reached| Open {
                    reached: Some(reached),
                    penalty: 20.0,
                })
                .collect(),
            lacking: 0,
        }
    }

    #[test]
    fn statistics_of_answered_runs_are_known() {
        let all = sample(&[1.0, 2.0, 3.0, 6.0], &[]);
        let is = |statistic, value| assert_eq!(all.figure(statistic), Figure::Known(value));
        is(Statistic::Solved, 4.0);
        is(Statistic::Total, 12.0);
        is(Statistic::Mean, 3.0);
        is(Statistic::Median, 2.5);
        is(Statistic::Par2, 3.0);
        is(Statistic::Least, 1.0);
        is(Statistic::Most, 6.0);
        is(Statistic::Deviation, (14.0f64 / 3.0).sqrt());
        assert_eq!(
            sample(&[1.0], &[]).figure(Statistic::Deviation),
            Figure::Nothing
        );
    }

    #[test]
    fn runs_without_an_answer_are_never_left_out() {
        let most = sample(&[1.0, 2.0, 3.0], &[10.0]);
        assert_eq!(most.figure(Statistic::Solved), Figure::Known(3.0));
        assert_eq!(most.figure(Statistic::Median), Figure::Known(2.5));
        assert_eq!(most.figure(Statistic::Mean), Figure::AtLeast(4.0));
        assert_eq!(most.figure(Statistic::Most), Figure::AtLeast(10.0));
        assert_eq!(most.figure(Statistic::Least), Figure::Known(1.0));
        assert_eq!(most.figure(Statistic::Par2), Figure::Known(26.0 / 4.0));
        assert_eq!(most.figure(Statistic::Deviation), Figure::Nothing);
    }

    #[test]
    fn a_median_among_open_runs_is_only_bounded() {
        // One stopped early, out of memory: its time could be anything from 0.5 on.
        let few = sample(&[1.0, 2.0], &[0.5, 10.0, 10.0]);
        assert_eq!(few.figure(Statistic::Median), Figure::AtLeast(2.0));
        assert_eq!(few.figure(Statistic::Least), Figure::AtLeast(0.5));
        let half = sample(&[1.0, 2.0], &[10.0, 10.0]);
        assert_eq!(half.figure(Statistic::Median), Figure::AtLeast(6.0));
        let none = sample(&[], &[10.0, 10.0]);
        assert_eq!(none.figure(Statistic::Median), Figure::AtLeast(10.0));
        assert_eq!(none.figure(Statistic::Par2), Figure::Known(20.0));
        assert_eq!(sample(&[], &[]).figure(Statistic::Mean), Figure::Nothing);
    }
}
