//! One of the two searches for a crew: the states that it has reached, and those that wait, layer by layer.

use std::collections::BTreeMap;
use std::hash::Hash;

use crate::control::Stop;
use crate::core::memory::Memory;
use crate::core::queue::{Buckets, Pool};
use crate::core::store::{Id, Store};

/// A state: the cells of the boxes in ascending order, then those of the players in ascending order, then zeros.
pub(super) trait CrewState: Clone + Eq + Hash + AsRef<[u16]> + AsMut<[u16]> {}
impl<T: Clone + Eq + Hash + AsRef<[u16]> + AsMut<[u16]>> CrewState for T {}

/// How a state was reached: its parent (a root is its own parent), the number of steps, and which of its players waited
/// in the last step, as bits in the players' order.
#[derive(Clone, Copy)]
pub(super) struct StepReached {
    pub(super) parent: Id,
    pub(super) g: u32,
    pub(super) waited: u32,
}

/// The states of one of the two searches.
pub(super) struct Side<T> {
    pub(super) seen: Store<T, StepReached>,
    pool: Pool,
    /// The states that wait to be expanded, by g.
    open: Vec<Layer>,
}

/// The states of one g, by the least length of a plan through them or their remaining children.
#[derive(Default)]
struct Layer {
    buckets: Buckets,
    counts: BTreeMap<u32, u64>,
}

impl<T: CrewState> Side<T> {
    pub(super) fn new(state_bytes: usize) -> Side<T> {
        Side {
            seen: Store::new(state_bytes),
            pool: Pool::new(),
            open: vec![],
        }
    }

    /// Whether no state is waiting.
    pub(super) fn is_used_up(&self) -> bool {
        self.open.iter().all(|layer| layer.buckets.is_empty())
    }

    /// The number of waiting states of a layer that a plan of this length may lead through.
    pub(super) fn waiting(&self, g: u32, length: u32) -> u64 {
        let layer = self.open.get(g as usize);
        layer.map_or(0, |layer| {
            layer.counts.range(..=length).map(|(_, n)| n).sum()
        })
    }

    /// Lets a state wait until the search looks for plans of this length.
    pub(super) fn open(
        &mut self,
        id: Id,
        g: u32,
        length: u32,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        while self.open.len() <= g as usize {
            self.open.push(Layer::default());
        }
        let layer = &mut self.open[g as usize];
        *layer.counts.entry(length).or_default() += 1;
        self.pool.push(&mut layer.buckets, (length, 0), id, memory)
    }

    /// Takes a waiting state of a layer that a plan of at most this length may lead through.
    pub(super) fn take(&mut self, g: u32, length: u32, memory: &mut Memory) -> Option<Id> {
        let layer = self.open.get_mut(g as usize)?;
        let (&(least, _), _) = layer.buckets.first_key_value()?;
        if least > length {
            return None;
        }
        *layer.counts.get_mut(&least).expect("counted") -= 1;
        let taken = self.pool.pop(&mut layer.buckets, memory);
        taken.map(|(_, id)| id)
    }
}
