//! The queue at a moment: what waits, what is being worked on, and by whom.

use std::fmt::Write;

use anyhow::Result;
use serde::Serialize;

use super::link::Link;
use super::run::workers;
use super::state::Status;

#[derive(Serialize)]
pub struct Queue {
    pub workers: Vec<Status>,
    /// Items that wait, or are being worked on.
    pub queued: u64,
    /// Items that are being worked on.
    pub delivered: usize,
    /// The age of the oldest item, in seconds.
    pub oldest_s: Option<f64>,
}

impl Queue {
    pub async fn look(link: &Link) -> Result<Queue> {
        let workers = workers(link).await;
        let work = link.work.get_info().await?;
        let delivered = link.queue().await?.info().await?.num_ack_pending;
        let oldest_s = (work.state.messages > 0).then(|| {
            let now = jiff::Timestamp::now().as_second() as f64;
            (now - work.state.first_timestamp.unix_timestamp() as f64).max(0.0)
        });
        Ok(Queue {
            workers,
            queued: work.state.messages,
            delivered,
            oldest_s,
        })
    }

    /// The figures in Prometheus' text format.
    pub fn metrics(&self) -> String {
        let sum = |count: fn(&Status) -> usize| self.workers.iter().map(count).sum::<usize>();
        let mut text = String::new();
        for (name, help, value) in [
            (
                "waiting",
                "Items that wait for a worker.",
                self.queued.saturating_sub(self.delivered as u64) as f64,
            ),
            (
                "delivered",
                "Items that workers have taken.",
                self.delivered as f64,
            ),
            (
                "oldest_seconds",
                "The age of the oldest item, or 0.",
                self.oldest_s.unwrap_or(0.0),
            ),
            ("workers", "Workers that answer.", self.workers.len() as f64),
            ("threads", "Their threads.", sum(|one| one.threads) as f64),
            (
                "busy",
                "Items that they perform now.",
                sum(|one| one.busy) as f64,
            ),
        ] {
            let _ = write!(
                text,
                "# HELP noyes_queue_{name} {help}\n# TYPE noyes_queue_{name} gauge\nnoyes_queue_{name} {value}\n"
            );
        }
        text
    }
}
