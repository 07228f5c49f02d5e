//! What hints remember from one to the next: the rest of their plans.
//!
//! A player who follows a hint asks next about the position that it leads to. The rest of the plan is remembered for that
//! position: a proven plan needs no second search, and an unproven one never gets longer.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use noyes_puzzle::tiles::{Board, Direction};

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

/// The plans of hints.
#[derive(Default)]
pub struct Memory(Mutex<Remembered>);

#[derive(Default)]
struct Remembered {
    plans: HashMap<(Board, Board), Known>,
    /// Positions, the oldest first.
    order: VecDeque<(Board, Board)>,
}

impl Memory {
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
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

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
