//! What a worker says about itself when it is asked.

use serde::{Deserialize, Serialize};

/// What a worker says about itself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Status {
    pub worker: String,
    pub version: String,
    pub threads: usize,
    /// Whether a graphics card searches parts.
    pub has_card: bool,
    /// Items that are being performed.
    pub busy: usize,
    pub done: u64,
    pub failed: u64,
    pub returned: u64,
    pub up_s: f64,
    /// Processor time of all items.
    pub cpu_s: f64,
    pub host: String,
}
