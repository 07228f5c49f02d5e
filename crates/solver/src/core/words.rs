//! A store of states of several words each: the same as `store`, for states whose length depends on the level.
//!
//! The words lie side by side, apart from what an engine knows about each state: finding a state reads words, and
//! following a plan reads the rest. The hash of a state is computed once, to find it and to store it.

use super::blocks::{Blocks, Id};
use super::memory::Memory;
use super::numbers::Numbers;
use crate::control::Stop;

/// Distinct states, each with what is known of it.
pub(crate) struct WordStore<V> {
    words: Blocks<u64>,
    values: Blocks<V>,
    numbers: Numbers,
}

impl<V> WordStore<V> {
    /// An empty store for states of this many words.
    pub(crate) fn new(words: usize) -> Self {
        WordStore {
            words: Blocks::new(words),
            values: Blocks::new(1),
            numbers: Numbers::new(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    /// The words of a state.
    #[inline]
    pub(crate) fn state(&self, id: Id) -> &[u64] {
        self.words.row(id)
    }

    #[inline]
    pub(crate) fn value(&self, id: Id) -> &V {
        self.values.get(id)
    }

    #[inline]
    pub(crate) fn value_mut(&mut self, id: Id) -> &mut V {
        self.values.get_mut(id)
    }

    /// The number of a state with this hash, if it is there.
    #[inline]
    pub(crate) fn find(&self, state: &[u64], hash: u64) -> Option<Id> {
        self.numbers.find(hash, |id| self.words.row(id) == state)
    }

    /// Stores a state with this hash that is not there.
    pub(crate) fn insert(
        &mut self,
        state: &[u64],
        hash: u64,
        value: V,
        memory: &mut Memory,
    ) -> Result<Id, Stop> {
        let WordStore {
            words,
            values,
            numbers,
        } = self;
        let id = words.len() as Id;
        words.make_room(memory)?;
        values.make_room(memory)?;
        numbers.insert(hash, id, |id| hash_of(words.row(id)), memory)?;
        words.push_row(state);
        values.push(value);
        Ok(id)
    }
}

/// A hash of a state's words.
#[inline]
pub(crate) fn hash_of(words: &[u64]) -> u64 {
    let mut hash = 0_u64;
    for &word in words {
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(26)
}
