//! States that wait to be expanded, by cost so far and by cost in all.
//!
//! The searches from both ends take states of one layer, those of the same cost
//! so far, as far as their cost in all fits a bound, and leave the others there
//! until the bound has grown. Few costs differ within a layer, so it is a short
//! sorted list of buckets. Nothing is taken from the middle: who takes a state
//! looks whether it still has that cost.

use crate::control::Stop;
use crate::core::blocks::Id;
use crate::core::memory::Memory;

/// What an entry takes at most: lists grow by doubling.
const ENTRY_BYTES: usize = 2 * size_of::<Id>();

/// States by layers.
#[derive(Default)]
pub(crate) struct Waiting {
    layers: Vec<Vec<(u32, Vec<Id>)>>,
}

impl Waiting {
    /// Puts in a state that cost `g` and may cost `f` in all.
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

    /// How many states of a layer wait whose cost in all is at most this.
    pub(crate) fn count(&self, g: usize, most: u32) -> usize {
        let layer = self.layers.get(g).map_or(&[][..], |layer| layer);
        let fit = layer.iter().filter(|bucket| bucket.0 <= most);
        fit.map(|bucket| bucket.1.len()).sum()
    }

    /// One of them, which waits no more.
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

    /// The least cost in all of a state that waits.
    pub(crate) fn least(&self) -> Option<u32> {
        let buckets = self.layers.iter().flatten();
        let filled = buckets.filter(|bucket| !bucket.1.is_empty());
        filled.map(|bucket| bucket.0).min()
    }
}
