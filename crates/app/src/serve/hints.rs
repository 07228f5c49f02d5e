//! The tables for hints on 4×4 boards, built in the background, and the plans that hints remember.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use noyes_answer::Memory;
use noyes_puzzle::tiles::Board;
use noyes_solver::tiles::policy;
use noyes_solver::{Control, TilesCache};

/// What hints know besides the tables.
#[derive(Default)]
pub struct Hints {
    pub memory: Memory,
    warming: AtomicBool,
    warm: Arc<AtomicBool>,
}

impl Hints {
    /// Whether the tables for 4×4 boards are built.
    pub fn is_warm(&self) -> bool {
        self.warm.load(SeqCst)
    }

    /// Builds the tables for 4×4 boards in the background, once.
    pub fn warm(&self, cache: &Arc<TilesCache>, stop: &Arc<AtomicBool>) {
        if self.warming.swap(true, SeqCst) {
            return;
        }
        let (cache, stop, warm) = (cache.clone(), stop.clone(), self.warm.clone());
        let build = move || {
            let goal = Board::blank_last(4, 4);
            let control = Control::new().stop_flag(stop);
            for partition in policy::worth_building() {
                for key in partition.keys(&goal).expect("a partition of 4×4") {
                    if cache.tables().get_unsaved(&key, &control).is_err() {
                        return; // the server stops
                    }
                }
            }
            warm.store(true, SeqCst);
        };
        let _ = std::thread::Builder::new()
            .name("tables".into())
            .spawn(build);
    }
}
