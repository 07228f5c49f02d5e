//! What the service allows, per request and in total.

use std::time::Duration;

use super::problem::Problem;
use crate::args::Serve;
use crate::terminal::limits::default_memory;

/// The largest board: 64×64.
pub const MOST_CELLS: usize = 4096;
/// The most steps of a plan to replay, counting those of all players: more than any plan that people make.
pub const MOST_STEPS: usize = 200_000;
/// The memory for searches if the system does not say how much is free.
const FALLBACK_BYTES: usize = 1 << 30;
/// The longest time of a hint, even if searches may take longer.
const MOST_HINT: Duration = Duration::from_secs(10);

/// The limits of this server.
#[derive(Clone, Debug)]
pub struct Limits {
    pub body_bytes: usize,
    /// Searches that run at once.
    pub threads: usize,
    /// Searches that may wait.
    pub queue: usize,
    /// Puzzles that are made at once.
    pub makers: usize,
    /// The time of one search.
    pub time: Duration,
    /// The memory of one search.
    pub search_bytes: usize,
    /// Connections at once.
    pub connections: usize,
}

impl Limits {
    pub fn new(args: &Serve) -> Limits {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let threads = args.threads.map_or(processors, usize::from);
        let bytes = args
            .memory_limit
            .or_else(default_memory)
            .unwrap_or(FALLBACK_BYTES);
        Limits {
            body_bytes: args.max_body,
            threads,
            queue: args.queue as usize,
            makers: threads.div_ceil(2),
            time: args.time_limit,
            search_bytes: bytes / (2 * threads + threads.div_ceil(2)), // jobs, hints and makers at once
            connections: args.connections as usize,
        }
    }

    /// The time of a search, if it is within the limit.
    pub fn time(&self, seconds: Option<f64>) -> Result<Duration, Problem> {
        within("time_limit_s", seconds, self.time, self.time)
    }

    /// The time of a hint.
    pub fn hint_time(&self, seconds: Option<f64>, usual: Duration) -> Result<Duration, Problem> {
        let most = self.time.min(MOST_HINT);
        within("time_limit_s", seconds, usual.min(most), most)
    }

    /// The memory of a search.
    pub fn bytes(&self, bytes: Option<u64>) -> Result<usize, Problem> {
        match bytes {
            None => Ok(self.search_bytes),
            Some(bytes) if bytes <= self.search_bytes as u64 => Ok(bytes as usize),
            Some(bytes) => Err(Problem::unprocessable(format_args!(
                "memory_limit_bytes: expected at most {} here, found {bytes}",
                self.search_bytes
            ))),
        }
    }
}

/// A time in seconds from 0 to the most that is allowed.
pub fn within(
    name: &str,
    seconds: Option<f64>,
    usual: Duration,
    most: Duration,
) -> Result<Duration, Problem> {
    let Some(seconds) = seconds else {
        return Ok(usual);
    };
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if time <= most => Ok(time),
        _ => Err(Problem::unprocessable(format_args!(
            "{name}: expected 0 to {} here, found {seconds:e}",
            most.as_secs_f64()
        ))),
    }
}
