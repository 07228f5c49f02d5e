//! What all answers of a server share.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::http::HeaderValue;

use super::hints::Hints;
use super::hosts::Hosts;
use super::jobs::Jobs;
use super::limits::Limits;
use super::metrics::Metrics;
use super::quick::Quick;
use super::wish::Shelf;

/// Everything that answers share.
pub struct Server {
    pub limits: Limits,
    pub tables: Shelf,
    pub jobs: Arc<Jobs>,
    pub quick: Quick,
    pub making: Quick,
    pub hints: Hints,
    pub metrics: Arc<Metrics>,
    pub hosts: Hosts,
    pub cors: Option<HeaderValue>,
    /// A folder to read the page from, for those who work on it.
    pub page: Option<PathBuf>,
    /// Raised when the server stops.
    pub stopping: Arc<AtomicBool>,
}

/// The server as each answer has it.
pub type Shared = Arc<Server>;
