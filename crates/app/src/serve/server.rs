//! What all answers of a server share.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::http::HeaderValue;
use noyes_answer::wish::Shelf;

use super::hints::Hints;
use super::hosts::Hosts;
use super::jobs::Jobs;
use super::limits::Limits;
use super::metrics::Metrics;
use super::quick::Quick;
use super::token::Token;

/// Everything that answers share.
pub struct Server {
    pub limits: Limits,
    pub tables: Shelf,
    pub jobs: Arc<Jobs>,
    /// Where bodies are read and plans replayed: milliseconds each, but not on the threads that answer.
    pub reading: Quick,
    /// Where hints are searched for and levels explained.
    pub quick: Quick,
    /// Where puzzles are made.
    pub making: Quick,
    /// Where puzzles are certified.
    pub proving: Quick,
    pub hints: Hints,
    pub metrics: Arc<Metrics>,
    pub hosts: Hosts,
    /// The token that clients have to send, if any.
    pub token: Option<Token>,
    pub cors: Option<HeaderValue>,
    /// A folder to read the page from, for developers of the page.
    pub page: Option<PathBuf>,
    /// Raised when the server stops.
    pub stopping: Arc<AtomicBool>,
}

/// The server, as every route gets it.
pub type Shared = Arc<Server>;
