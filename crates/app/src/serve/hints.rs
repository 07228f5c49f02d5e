//! What hints remember from one to the next: the rest of their plans, and whether the tables for 4×4 boards are built.
//!
//! A player who follows a hint asks next about the position that it leads to. The rest of the plan is remembered for that
//! position: a proven plan needs no second search, and an unproven one never gets longer.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError};

use noyes_puzzle::tiles::{Board, Direction};
use noyes_solver::tiles::policy;
use noyes_solver::{Control, TilesCache};

/// The number of positions that are remembered.
const MOST_REMEMBERED: usize = 4096;
/// Longer plans are not remembered.
const LONGEST_REMEMBERED: usize = 4096;

/// A plan and a lower bound, which is equal to its length if the plan is optimal.
#[derive(Clone)]
pub struct Known {
    pub plan: Vec<Direction>,
    /// No plan has fewer moves.
    pub lower: u32,
}

/// What hints know besides the tables.
#[derive(Default)]
pub struct Hints {
    remembered: Mutex<Remembered>,
    warming: AtomicBool,
    warm: Arc<AtomicBool>,
}

#[derive(Default)]
struct Remembered {
    plans: HashMap<(Board, Board), Known>,
    /// Positions, the oldest first.
    order: VecDeque<(Board, Board)>,
}

impl Hints {
    /// What is known of a position.
    pub fn recall(&self, at: &(Board, Board)) -> Option<Known> {
        self.lock().plans.get(at).cloned()
    }

    fn remember(&self, at: (Board, Board), known: Known) {
        if known.plan.len() > LONGEST_REMEMBERED {
            return;
        }
        let mut remembered = self.lock();
        if remembered.plans.insert(at.clone(), known).is_none() {
            remembered.order.push_back(at);
        }
        while remembered.order.len() > MOST_REMEMBERED {
            let oldest = remembered.order.pop_front().expect("not empty");
            remembered.plans.remove(&oldest);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Remembered> {
        self.remembered
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

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

impl Hints {
    /// Remembers the rest of a plan for the position that its first move leads to.
    pub fn follow(&self, at: &(Board, Board), known: &Known) {
        let Some((&first, rest)) = known.plan.split_first() else {
            return;
        };
        let mut next = at.0.clone();
        next.step(first);
        // A lower bound of a position, less one, is a lower bound of its neighbours.
        let rest = Known {
            plan: rest.to_vec(),
            lower: known.lower.saturating_sub(1),
        };
        self.remember((next, at.1.clone()), rest);
    }
}
