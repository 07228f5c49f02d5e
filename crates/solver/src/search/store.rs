//! A store of states: each once, numbered in the order of arrival, within a memory limit.
//!
//! States lie in blocks that never move, each beside what its engine knows of
//! it, and a hash table holds their numbers. Growth is asked for before it
//! happens, with the old table and the new one both counted, so the limit holds
//! at every moment. A packed 4×4 state with its parent and cost takes 24 bytes,
//! and 6 to 12 more in the table.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use noyes_puzzle::Space;
use rustc_hash::FxBuildHasher;

use super::memory::Memory;
use crate::control::Stop;

/// States in a block; small enough that the last block wastes little.
const BLOCK: usize = 1 << 12;

/// The number of a stored state.
pub(crate) type Id = u32;

/// How a state was reached: from which one, and at what cost from the root. The root is its own parent.
#[derive(Clone, Copy)]
pub(crate) struct Reached {
    pub(crate) parent: Id,
    pub(crate) g: u32,
}

/// Distinct states, each with what is known of it.
pub(crate) struct Store<T, V> {
    blocks: Vec<Vec<(T, V)>>,
    table: HashTable<Id>,
    /// What each state owns elsewhere.
    heap_bytes: usize,
}

impl<T: Clone + Eq + Hash, V> Store<T, V> {
    /// An empty store of states that take so many bytes each.
    pub(crate) fn new(state_bytes: usize) -> Self {
        Store {
            blocks: vec![],
            table: HashTable::new(),
            heap_bytes: state_bytes - size_of::<T>(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
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
        self.table
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
        if let Some(&id) = self.table.find(hash, |&id| self.state(id) == state) {
            return Ok((id, false));
        }
        self.make_room(memory)?;
        let id = self.len() as Id;
        self.blocks
            .last_mut()
            .expect("room was made")
            .push((state.clone(), value));
        self.table
            .insert_unique(hash, id, |_| unreachable!("room was made"));
        Ok((id, true))
    }

    fn make_room(&mut self, memory: &mut Memory) -> Result<(), Stop> {
        if self.len().is_multiple_of(BLOCK) && self.blocks.len() * BLOCK == self.len() {
            // Numbers end at 2³²: more states than any memory here holds.
            if self.len() >= Id::MAX as usize - BLOCK {
                return Err(Stop::Memory);
            }
            memory.claim(BLOCK * size_of::<(T, V)>())?;
            self.blocks.push(Vec::with_capacity(BLOCK));
        }
        if self.table.len() == self.table.capacity() {
            let old = self.table.allocation_size();
            let grown = (2 * old).max(1 << 10);
            memory.claim(grown)?;
            let Store { blocks, table, .. } = self;
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
