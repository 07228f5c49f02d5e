//! Short work: a bounded number at once, off the threads that answer, stopped when whoever asked has gone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::problem::Problem;
use axum::http::StatusCode;

/// Room for short work.
pub struct Quick {
    room: Semaphore,
    waiting: AtomicUsize,
    most_waiting: usize,
}

/// Raises a flag when it is dropped, so also when the answer is not wanted any more.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

/// One who waits.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

impl Quick {
    pub fn new(threads: usize, most_waiting: usize) -> Quick {
        Quick {
            room: Semaphore::new(threads),
            waiting: AtomicUsize::new(0),
            most_waiting,
        }
    }

    /// Does some work, which ends soon after the flag that it is given goes up.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Arc<AtomicBool>) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let waiting = Waiting(&self.waiting);
        if self.waiting.fetch_add(1, SeqCst) >= self.most_waiting {
            return Err(Problem::busy(
                "too many wait for hints and puzzles already: try again in a moment",
            ));
        }
        let permit = self.room.acquire().await.expect("never closed");
        drop(waiting);
        let stop = StopOnDrop(Arc::default());
        let flag = stop.0.clone();
        let done = spawn_blocking(move || work(flag)).await;
        drop(permit);
        done.map_err(|_| {
            Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal error, please report it",
            )
        })
    }
}
