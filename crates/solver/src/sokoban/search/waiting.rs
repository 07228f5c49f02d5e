//! States that wait to be expanded, by cost so far and by estimated total cost.
//!
//! The searches from both ends work in layers: a layer holds the states of equal
//! cost so far. They take the states whose estimated total cost fits a bound, and
//! leave the others until the bound has grown. Few total costs differ within a
//! layer, so a layer is a short sorted list of buckets. Stale entries are not
//! removed; the caller checks that a state still has the cost of its layer.

use crate::control::Stop;
use crate::core::blocks::Id;
use crate::core::memory::Memory;

/// The most bytes that an entry takes, because lists grow by doubling.
const ENTRY_BYTES: usize = 2 * size_of::<Id>();

/// Waiting states, by layer.
#[derive(Default)]
pub(crate) struct Waiting {
    layers: Vec<Vec<(u32, Vec<Id>)>>,
}

impl Waiting {
    /// Adds a state with cost so far `g` and estimated total cost `f`.
    pub(crate) fn push(&mut self, id: Id, g: u32, f: u32, memory: &mut Memory) -> Result<(), Stop> {
        let at = g as usize;
        if self.layers.len() <= at {
            self.layers.resize_with(at + 1, Vec::new);
        }
        memory.claim(ENTRY_BYTES)?;
        let layer = &mut self.layers[at];
        match layer.binary_search_by_key(&f, |bucket| bucket.0) {
            Ok(i) => layer[i].1.push(id),
            Err(i) => layer.insert(i, (f, vec![id])),
        }
        Ok(())
    }

    /// The number of states of a layer whose estimated total cost is at most `most`.
    pub(crate) fn count(&self, g: usize, most: u32) -> usize {
        let layer = self.layers.get(g).map_or(&[][..], |layer| layer);
        let fit = layer.iter().filter(|bucket| bucket.0 <= most);
        fit.map(|bucket| bucket.1.len()).sum()
    }

    /// Takes one of these states.
    pub(crate) fn take(&mut self, g: usize, most: u32, memory: &mut Memory) -> Option<Id> {
        let layer = self.layers.get_mut(g)?;
        while let Some((f, ids)) = layer.first_mut() {
            if *f > most {
                return None;
            }
            if let Some(id) = ids.pop() {
                memory.release(ENTRY_BYTES);
                return Some(id);
            }
            layer.remove(0);
        }
        None
    }

    /// The least estimated total cost of all waiting states.
    pub(crate) fn least(&self) -> Option<u32> {
        let buckets = self.layers.iter().flatten();
        let filled = buckets.filter(|bucket| !bucket.1.is_empty());
        filled.map(|bucket| bucket.0).min()
    }
}
