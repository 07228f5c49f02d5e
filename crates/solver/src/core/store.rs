//! A store of states: each once, numbered in the order of arrival, within a memory limit.
//!
//! States lie in blocks that never move, each beside what its engine knows of
//! it, and hash tables hold their numbers: many small ones, each for a part of the
//! hashes. A table that grows moves everything it has, and a search that is
//! told to stop meanwhile must not take long to hear it. Growth is asked for
//! before it happens, with the old table and the new one both counted, so the
//! limit holds at every moment. A packed 4×4 state with its parent and cost takes
//! 24 bytes, and 6 to 12 more in its table.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use noyes_puzzle::Space;
use rustc_hash::FxBuildHasher;

use super::memory::Memory;
use crate::control::Stop;

/// States in a block; small enough that the last block wastes little.
const BLOCK: usize = 1 << 12;

/// Tables, a power of two.
const TABLES: usize = 64;

/// The number of a stored state.
pub(crate) type Id = u32;

/// How a state was reached: from which one, and at what cost from the root. The root is its own parent.
#[derive(Clone, Copy)]
pub(crate) struct Reached {
    pub(crate) parent: Id,
    pub(crate) g: u32,
}

/// The table for states of a hash, by bits that the table itself looks at last.
#[inline]
fn table_of(hash: u64) -> usize {
    (hash >> 48) as usize % TABLES
}

/// Distinct states, each with what is known of it.
pub(crate) struct Store<T, V> {
    blocks: Vec<Vec<(T, V)>>,
    tables: Box<[HashTable<Id>]>,
    len: usize,
    /// What each state owns elsewhere.
    heap_bytes: usize,
}

impl<T: Clone + Eq + Hash, V> Store<T, V> {
    /// An empty store of states that take so many bytes each.
    pub(crate) fn new(state_bytes: usize) -> Self {
        Store {
            blocks: vec![],
            tables: (0..TABLES).map(|_| HashTable::new()).collect(),
            len: 0,
            heap_bytes: state_bytes - size_of::<T>(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub(crate) fn state(&self, id: Id) -> &T {
        &self.blocks[id as usize / BLOCK][id as usize % BLOCK].0
    }

    #[inline]
    pub(crate) fn value(&self, id: Id) -> &V {
        &self.blocks[id as usize / BLOCK][id as usize % BLOCK].1
    }

    #[inline]
    pub(crate) fn value_mut(&mut self, id: Id) -> &mut V {
        &mut self.blocks[id as usize / BLOCK][id as usize % BLOCK].1
    }

    /// The number of a state, if it is there.
    pub(crate) fn find(&self, state: &T) -> Option<Id> {
        let hash = FxBuildHasher.hash_one(state);
        self.tables[table_of(hash)]
            .find(hash, |&id| self.state(id) == state)
            .copied()
    }

    /// The number of a state, and whether it is new: then it is stored with this value.
    pub(crate) fn find_or_insert(
        &mut self,
        state: &T,
        value: V,
        memory: &mut Memory,
    ) -> Result<(Id, bool), Stop> {
        let hash = FxBuildHasher.hash_one(state);
        let table = &self.tables[table_of(hash)];
        if let Some(&id) = table.find(hash, |&id| self.state(id) == state) {
            return Ok((id, false));
        }
        self.make_room(hash, memory)?;
        let id = self.len() as Id;
        self.blocks
            .last_mut()
            .expect("room was made")
            .push((state.clone(), value));
        self.tables[table_of(hash)].insert_unique(hash, id, |_| unreachable!("room was made"));
        self.len += 1;
        Ok((id, true))
    }

    /// Room for a state of this hash.
    fn make_room(&mut self, hash: u64, memory: &mut Memory) -> Result<(), Stop> {
        if self.len().is_multiple_of(BLOCK) && self.blocks.len() * BLOCK == self.len() {
            // Numbers end at 2³²: more states than any memory here holds.
            if self.len() >= Id::MAX as usize - BLOCK {
                return Err(Stop::Memory);
            }
            memory.claim(BLOCK * size_of::<(T, V)>())?;
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        let Store { blocks, tables, .. } = self;
        let table = &mut tables[table_of(hash)];
        if table.len() == table.capacity() {
            let old = table.allocation_size();
            let grown = (2 * old).max(1 << 7);
            memory.claim(grown)?;
            let state = |id: &Id| &blocks[*id as usize / BLOCK][*id as usize % BLOCK].0;
            table.reserve(1, |id| FxBuildHasher.hash_one(state(id))); // twice as many buckets, no more
            debug_assert!(table.allocation_size() <= grown, "what was claimed");
            memory.release(grown + old - table.allocation_size());
        }
        memory.claim(self.heap_bytes)
    }

    /// The moves from the root to a state, each found again from its two ends, and what they cost.
    pub(crate) fn plan_to<S: Space<State = T>>(
        &self,
        space: &S,
        mut id: Id,
        parent: impl Fn(&V) -> Id,
    ) -> (Vec<S::Move>, u32) {
        let (mut plan, mut cost) = (vec![], 0);
        loop {
            let from = parent(self.value(id));
            if from == id {
                break;
            }
            let mut state = self.state(from).clone();
            let leads_here = |mv: &S::Move| {
                space.apply(&mut state, *mv);
                let here = state == *self.state(id);
                space.undo(&mut state, *mv);
                here
            };
            let mv = space
                .moves(self.state(from))
                .filter(leads_here)
                .min_by_key(|mv| space.cost(*mv))
                .expect("a child of its parent");
            plan.push(mv);
            cost += space.cost(mv);
            id = from;
        }
        plan.reverse();
        (plan, cost)
    }
}
