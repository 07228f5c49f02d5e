//! The clocks: wall time everywhere, processor time where the system has it.
//!
//! `std::time::Instant` panics in a browser; `web_time` is the same type elsewhere and asks the page there.

pub(crate) use web_time::Instant;

/// The processor time of this thread; wall time where the system does not know it.
#[cfg(any(unix, windows))]
pub(crate) use cpu_time::ThreadTime as ThreadClock;
#[cfg(not(any(unix, windows)))]
pub(crate) use web_time::Instant as ThreadClock;
