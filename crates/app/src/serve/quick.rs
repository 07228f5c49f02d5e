//! Short work: a bounded number at once, off the threads that answer, stopped when the client that asked has gone.
//!
//! Hints have a room of their own, and so has the making of puzzles, which may take seconds: neither waits for the other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::problem::Problem;
use axum::http::StatusCode;

/// Room for short work of one kind.
pub struct Quick {
    /// What is done here, for those who are turned away.
    what: &'static str,
    room: Arc<Semaphore>,
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
    pub fn new(what: &'static str, threads: usize, most_waiting: usize) -> Quick {
        Quick {
            what,
            room: Arc::new(Semaphore::new(threads)),
            waiting: AtomicUsize::new(0),
            most_waiting,
        }
    }

    /// Does some work, which ends soon after the flag that it is given goes up.
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
                    "too many wait for {} already: try again in a moment",
                    self.what
                )));
            }
            let permit = self.room.clone().acquire_owned().await;
            drop(waiting);
            permit.expect("never closed")
        };
        let stop = StopOnDrop(Arc::default());
        let flag = stop.0.clone();
        // A client that has gone leaves work behind that is about to end; its room is free when it has.
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
