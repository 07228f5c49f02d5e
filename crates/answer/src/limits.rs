//! What a question may ask for, wherever it is answered.

use std::time::Duration;

use noyes_solver::Stop;

use crate::Fault;

/// The largest board: 64×64.
pub const MOST_CELLS: usize = 4096;
/// The most steps of a plan to replay, counting those of all players: more than any plan that people make.
pub const MOST_STEPS: usize = 200_000;

/// The time and memory of one search.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    pub time: Duration,
    pub search_bytes: usize,
}

/// The longest time of a hint, even if searches may take longer.
const MOST_HINT: Duration = Duration::from_secs(10);

impl Limits {
    /// The time of a search, if it is within the limit.
    pub fn time(&self, seconds: Option<f64>) -> Result<Duration, Fault> {
        within("time_limit_s", seconds, self.time, self.time)
    }

    /// The time of a hint.
    pub fn hint_time(&self, seconds: Option<f64>, usual: Duration) -> Result<Duration, Fault> {
        let most = self.time.min(MOST_HINT);
        within("time_limit_s", seconds, usual.min(most), most)
    }

    /// The memory of a search.
    pub fn bytes(&self, bytes: Option<u64>) -> Result<usize, Fault> {
        match bytes {
            None => Ok(self.search_bytes),
            Some(bytes) if bytes <= self.search_bytes as u64 => Ok(bytes as usize),
            Some(bytes) => Err(Fault::field(
                "memory_limit_bytes",
                format_args!("expected at most {} here, found {bytes}", self.search_bytes),
            )),
        }
    }
}

/// A time in seconds from 0 to the most that is allowed.
pub fn within(
    name: &str,
    seconds: Option<f64>,
    usual: Duration,
    most: Duration,
) -> Result<Duration, Fault> {
    let Some(seconds) = seconds else {
        return Ok(usual);
    };
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if time <= most => Ok(time),
        _ => Err(Fault::field(
            name,
            format_args!(
                "expected 0 to {} here, found {seconds:e}",
                most.as_secs_f64()
            ),
        )),
    }
}

/// Why a search stopped, for the user.
pub fn in_words(stop: Stop) -> &'static str {
    match stop {
        Stop::Time => "time limit reached",
        Stop::Memory => "memory limit reached",
        Stop::Interrupted => "interrupted",
        Stop::Budget => "state budget used up",
        Stop::Bound => "there is no plan of at most this length",
    }
}
