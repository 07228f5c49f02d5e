//! A store of states: each once, numbered in the order of arrival, within a memory limit.
//!
//! States lie in blocks that never move, and a hash table holds their numbers.
//! Growth is asked for before it happens, with the old table and the new one
//! both counted, so the limit holds at every moment.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::control::{Control, Stop};

/// States in a block; small enough that the last block wastes little.
const BLOCK: usize = 1 << 12;

/// The number of a stored state.
pub(crate) type Id = u32;

/// Distinct states, each with the state it was reached from.
pub(crate) struct Store<T> {
    blocks: Vec<Vec<(T, Id)>>,
    table: HashTable<Id>,
    entry_bytes: usize,
    bytes: usize,
    peak_bytes: usize,
}

impl<T: std::hash::Hash + Eq> Store<T> {
    /// An empty store of states that take so many bytes each.
    pub(crate) fn new(state_bytes: usize) -> Self {
        let entry_bytes = state_bytes - size_of::<T>() + size_of::<(T, Id)>();
        Store {
            blocks: vec![],
            table: HashTable::new(),
            entry_bytes,
            bytes: 0,
            peak_bytes: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    pub(crate) fn peak_bytes(&self) -> usize {
        self.peak_bytes
    }

    pub(crate) fn state(&self, id: Id) -> &T {
        &self.blocks[id as usize / BLOCK][id as usize % BLOCK].0
    }

    pub(crate) fn parent(&self, id: Id) -> Id {
        self.blocks[id as usize / BLOCK][id as usize % BLOCK].1
    }

    /// Stores a state that is not there yet and gives its number.
    pub(crate) fn insert(
        &mut self,
        state: &T,
        parent: Id,
        control: &Control,
    ) -> Result<Option<Id>, Stop>
    where
        T: Clone,
    {
        let hash = FxBuildHasher.hash_one(state);
        if self
            .table
            .find(hash, |&id| self.state(id) == state)
            .is_some()
        {
            return Ok(None);
        }
        self.make_room(control)?;
        let id = self.len() as Id;
        self.blocks
            .last_mut()
            .expect("room was made")
            .push((state.clone(), parent));
        self.table
            .insert_unique(hash, id, |_| unreachable!("room was made"));
        Ok(Some(id))
    }

    fn make_room(&mut self, control: &Control) -> Result<(), Stop> {
        if self.len().is_multiple_of(BLOCK) {
            // Numbers end at 2³²: more states than any memory here holds.
            let block = BLOCK * self.entry_bytes;
            if self.len() >= Id::MAX as usize - BLOCK {
                return Err(Stop::Memory);
            }
            self.claim(block, control)?;
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        if self.table.len() == self.table.capacity() {
            let old = self.table.allocation_size();
            let grown = (2 * old).max(1 << 10);
            self.claim(grown, control)?;
            let Store { blocks, table, .. } = self;
            let state = |id: &Id| &blocks[*id as usize / BLOCK][*id as usize % BLOCK].0;
            table.reserve(table.capacity() + 1, |id| FxBuildHasher.hash_one(state(id)));
            self.bytes = self.bytes - grown - old + table.allocation_size();
        }
        Ok(())
    }

    fn claim(&mut self, bytes: usize, control: &Control) -> Result<(), Stop> {
        control.allow_bytes(self.bytes + bytes)?;
        self.bytes += bytes;
        self.peak_bytes = self.peak_bytes.max(self.bytes);
        Ok(())
    }
}
