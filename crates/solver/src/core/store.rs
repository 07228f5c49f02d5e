//! A store of states: each once, numbered in the order of arrival, within a memory limit.
//!
//! States lie in blocks that never move, each beside what its engine knows about
//! it, and their numbers are found by hash. A packed 4×4 state with its parent and
//! cost takes 24 bytes, and 6 to 12 more for its number.

use std::hash::{BuildHasher, Hash};

use noyes_puzzle::Space;
use rustc_hash::FxBuildHasher;

use super::blocks::Blocks;
pub(crate) use super::blocks::Id;
use super::memory::Memory;
use super::numbers::Numbers;
use crate::control::Stop;

/// How a state was reached: from which one, and at what cost from the root. The root is its own parent.
#[derive(Clone, Copy)]
pub(crate) struct Reached<G = u32> {
    pub(crate) parent: Id,
    pub(crate) g: G,
}

/// Distinct states, each with what is known of it.
pub(crate) struct Store<T, V> {
    rows: Blocks<(T, V)>,
    numbers: Numbers,
    /// What each state owns elsewhere.
    heap_bytes: usize,
}

impl<T: Clone + Eq + Hash, V> Store<T, V> {
    /// An empty store of states that take this many bytes each.
    pub(crate) fn new(state_bytes: usize) -> Self {
        Store {
            rows: Blocks::new(1),
            numbers: Numbers::new(),
            heap_bytes: state_bytes - size_of::<T>(),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    #[inline]
    pub(crate) fn state(&self, id: Id) -> &T {
        &self.rows.get(id).0
    }

    #[inline]
    pub(crate) fn value(&self, id: Id) -> &V {
        &self.rows.get(id).1
    }

    #[inline]
    pub(crate) fn value_mut(&mut self, id: Id) -> &mut V {
        &mut self.rows.get_mut(id).1
    }

    /// The number of a state, if it is there.
    pub(crate) fn find(&self, state: &T) -> Option<Id> {
        let hash = FxBuildHasher.hash_one(state);
        self.numbers.find(hash, |id| self.state(id) == state)
    }

    /// The number of a state, and whether it is new: then it is stored with this value.
    pub(crate) fn find_or_insert(
        &mut self,
        state: &T,
        value: V,
        memory: &mut Memory,
    ) -> Result<(Id, bool), Stop> {
        let hash = FxBuildHasher.hash_one(state);
        let known = self.numbers.find(hash, |id| self.state(id) == state);
        if let Some(id) = known {
            return Ok((id, false));
        }
        let Store { rows, numbers, .. } = self;
        let id = rows.len() as Id;
        rows.make_room(memory)?;
        memory.claim(self.heap_bytes)?;
        let hash_of = |id: Id| FxBuildHasher.hash_one(&rows.get(id).0);
        numbers.insert(hash, id, hash_of, memory)?;
        rows.push((state.clone(), value));
        Ok((id, true))
    }

    /// The moves from the root to a state, each found again from its two ends, and what they cost.
    pub(crate) fn plan_to<S: Space<State = T>>(
        &self,
        space: &S,
        id: Id,
        parent: impl Fn(&V) -> Id,
    ) -> (Vec<S::Move>, u32) {
        let states = chain(id, |id| parent(self.value(id)));
        plan_through(space, states.into_iter().map(|id| self.state(id)))
    }
}

/// The moves that lead through these states, each found again from its two ends, and what they cost.
pub(crate) fn plan_through<'a, S: Space>(
    space: &S,
    mut states: impl Iterator<Item = &'a S::State>,
) -> (Vec<S::Move>, u32)
where
    S::State: 'a,
{
    let (mut plan, mut cost) = (vec![], 0);
    let mut state = states.next().expect("the root").clone();
    for to in states {
        let moves = space.moves(&state);
        let leads_there = |mv: &S::Move| {
            space.apply(&mut state, *mv);
            let there = state == *to;
            space.undo(&mut state, *mv);
            there
        };
        let mv = moves
            .filter(leads_there)
            .min_by_key(|mv| space.cost(*mv))
            .expect("a child of its parent");
        plan.push(mv);
        cost += space.cost(mv);
        space.apply(&mut state, mv);
    }
    (plan, cost)
}

/// The numbers from a root, which is its own parent, to a state.
pub(crate) fn chain(mut id: Id, parent: impl Fn(Id) -> Id) -> Vec<Id> {
    let mut chain = vec![id];
    while parent(id) != id {
        id = parent(id);
        chain.push(id);
    }
    chain.reverse();
    chain
}
