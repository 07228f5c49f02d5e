//! States that wait to be expanded, by cost so far and by estimated total cost.
//!
//! The searches from both ends work in layers: a layer holds the states of equal
//! cost so far. They take the states whose estimates fit a bound, and leave the
//! others until the bound has grown. Few estimates differ within a layer, so a
//! layer is a short sorted list of buckets. A bucket stays when it is empty, so
//! that a layer still says which states it has had. Stale entries are not
//! removed; the caller checks that a state still has the cost of its layer.

use crate::control::Stop;
use crate::core::blocks::Id;
use crate::core::memory::Memory;

/// The most bytes that an entry takes, because lists grow by doubling.
const ENTRY_BYTES: usize = 2 * size_of::<Id>();

/// Waiting states, by layer and by what is estimated of them: their total cost, and perhaps more.
pub(crate) struct Waiting<K> {
    layers: Vec<Vec<(K, Vec<Id>)>>,
}

impl<K> Default for Waiting<K> {
    fn default() -> Self {
        Waiting { layers: vec![] }
    }
}

impl<K: Copy + Ord> Waiting<K> {
    /// Adds a state with cost so far `g`.
    pub(crate) fn push(&mut self, id: Id, g: u32, key: K, memory: &mut Memory) -> Result<(), Stop> {
        let at = g as usize;
        if self.layers.len() <= at {
            self.layers.resize_with(at + 1, Vec::new);
        }
        memory.claim(ENTRY_BYTES)?;
        let layer = &mut self.layers[at];
        match layer.binary_search_by_key(&key, |bucket| bucket.0) {
            Ok(i) => layer[i].1.push(id),
            Err(i) => layer.insert(i, (key, vec![id])),
        }
        Ok(())
    }

    /// What has been estimated of the states of a layer, whether they still wait or not.
    pub(crate) fn keys(&self, g: usize) -> impl Iterator<Item = K> {
        let layer = self.layers.get(g).map_or(&[][..], |layer| layer);
        layer.iter().map(|bucket| bucket.0)
    }

    /// The number of states of a layer that fit.
    pub(crate) fn count(&self, g: usize, fits: impl Fn(K) -> bool) -> usize {
        let layer = self.layers.get(g).map_or(&[][..], |layer| layer);
        let fit = layer.iter().filter(|bucket| fits(bucket.0));
        fit.map(|bucket| bucket.1.len()).sum()
    }

    /// Takes one of these states. Returns what has been estimated of it, too.
    pub(crate) fn take(
        &mut self,
        g: usize,
        fits: impl Fn(K) -> bool,
        memory: &mut Memory,
    ) -> Option<(K, Id)> {
        let layer = self.layers.get_mut(g)?;
        let bucket = (layer.iter_mut()).find(|(key, ids)| !ids.is_empty() && fits(*key))?;
        memory.release(ENTRY_BYTES);
        bucket.1.pop().map(|id| (bucket.0, id))
    }

    /// The least estimate of all waiting states.
    pub(crate) fn least(&self) -> Option<K> {
        let buckets = self.layers.iter().flatten();
        let filled = buckets.filter(|bucket| !bucket.1.is_empty());
        filled.map(|bucket| bucket.0).min()
    }
}
