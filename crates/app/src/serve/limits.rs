//! What the service allows, per request and in total.

use noyes_answer::limits::Limits as SearchLimits;

use crate::args::Serve;
use crate::terminal::limits::default_memory;

/// The memory for searches if the system does not say how much is free.
const FALLBACK_BYTES: usize = 1 << 30;

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
    /// The time and memory of one search.
    pub search: SearchLimits,
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
            search: SearchLimits {
                time: args.time_limit,
                search_bytes: bytes / (2 * threads + threads.div_ceil(2)), // jobs, hints and makers at once
            },
            connections: args.connections as usize,
        }
    }
}
