//! Short work: a bounded amount at once, not on the threads that answer, and stopped when its client has gone.
//!
//! There is one pool each for reading requests, for hints, and for making puzzles, which can take seconds: none of them
//! waits for the others.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::problem::Problem;
use axum::http::StatusCode;

/// A pool for short work of one kind.
pub struct Quick {
    /// What clients wait for, for the message to those turned away.
    what: &'static str,
    room: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
}

/// Raises a flag when it is dropped, which also happens when the client goes.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, SeqCst);
    }
}

/// A client that waits, until this is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, SeqCst);
    }
}

impl Quick {
    pub fn new(what: &'static str, threads: usize, most_waiting: usize) -> Quick {
        Quick {
            what,
            room: Arc::new(Semaphore::new(threads)),
            waiting: AtomicUsize::new(0),
            most_waiting,
        }
    }

    /// Does some work, which should end soon after its flag goes up.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(Arc<AtomicBool>) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = if let Ok(permit) = self.room.clone().try_acquire_owned() {
            permit
        } else {
            let waiting = Waiting(&self.waiting);
            if self.waiting.fetch_add(1, SeqCst) >= self.most_waiting {
                return Err(Problem::busy(format_args!(
                    "too many clients wait for {} already: try again in a moment",
                    self.what
                )));
            }
            let permit = self.room.clone().acquire_owned().await;
            drop(waiting);
            permit.expect("never closed")
        };
        let stop = StopOnDrop(Arc::default());
        let flag = stop.0.clone();
        // If the client goes, its work goes on until it sees the flag, and keeps its place until then.
        let done = spawn_blocking(move || {
            let done = work(flag);
            drop(permit);
            done
        });
        done.await.map_err(|_| {
            Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "internal error, please report it",
            )
        })
    }
}
