//! Nodes that can be forgotten: states found by hash and listed by key, within a memory limit.
//!
//! A node is a state with two numbers, g and a lower bound h on the cost left. Nodes
//! lie in blocks. Each block also has as many heads of hash chains as nodes, so
//! the table grows and shrinks with the nodes, one chain at a time, and never pauses
//! to move everything (Litwin: Linear hashing, VLDB 1980). A node may be listed
//! under a key. The lists are linked through the nodes, so one can be taken from
//! anywhere; the first key leads to the best node, the last one to the worst. A packed
//! 4×4 state takes 44 bytes in all.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

use rustc_hash::FxBuildHasher;

pub(crate) use super::blocks::Id;
use super::memory::Memory;
use super::queue::Key;
use crate::control::Stop;

/// Nodes in a block, as many as a word has bits.
const BLOCK: usize = u32::BITS as usize;
/// What an entry of the map takes at most, its share of the inner nodes counted.
const ENTRY_BYTES: usize = 48;

/// In place of a number: no node.
pub(crate) const NONE: Id = Id::MAX;
/// In place of the previous node: not listed.
const UNLISTED: Id = Id::MAX - 1;

/// A state, and what is known about it.
pub(crate) struct Node<T> {
    pub(crate) state: T,
    /// The cost of the way to it.
    pub(crate) g: u32,
    /// The cost left is at least this.
    pub(crate) h: u32,
    /// The node it was reached from; the root is its own parent.
    pub(crate) parent: Id,
    /// The next one of its hash chain, or of the free nodes.
    chain: Id,
    previous: Id,
    next: Id,
}

struct Block<T> {
    nodes: Vec<Node<T>>,
    /// The first node of each hash chain.
    heads: [Id; BLOCK],
    /// A bit for each node that is not to be forgotten.
    pinned: u32,
}

/// Distinct states.
pub(crate) struct Nodes<T> {
    blocks: Vec<Block<T>>,
    free: Id,
    /// What each state owns elsewhere.
    heap_bytes: usize,
    /// The first node of each list, none of them empty.
    lists: BTreeMap<Key, Id>,
}

impl<T: Clone + Eq + Hash> Nodes<T> {
    /// No nodes, of states that take this many bytes each.
    pub(crate) fn new(state_bytes: usize) -> Self {
        Nodes {
            blocks: vec![],
            free: NONE,
            heap_bytes: state_bytes - size_of::<T>(),
            lists: BTreeMap::new(),
        }
    }

    #[inline]
    pub(crate) fn get(&self, node: Id) -> &Node<T> {
        &self.blocks[node as usize / BLOCK].nodes[node as usize % BLOCK]
    }

    #[inline]
    pub(crate) fn get_mut(&mut self, node: Id) -> &mut Node<T> {
        &mut self.blocks[node as usize / BLOCK].nodes[node as usize % BLOCK]
    }

    /// No node has this number or a larger one.
    pub(crate) fn end(&self) -> Id {
        (self.blocks.len() * BLOCK) as Id
    }

    pub(crate) fn is_listed(&self, node: Id) -> bool {
        self.get(node).previous != UNLISTED
    }

    // 1. Finding states.

    /// The node of a state, if there is one.
    pub(crate) fn find(&self, state: &T) -> Option<Id> {
        if self.blocks.is_empty() {
            return None;
        }
        let mut node = self.head(self.chain_of(state));
        while node != NONE {
            let found = self.get(node);
            if found.state == *state {
                return Some(node);
            }
            node = found.chain;
        }
        None
    }

    /// The number of a state's chain. There need not be a power of two of them: those from the last power of two on
    /// are split already, and the others behind still together with the chain half the way before.
    fn chain_of(&self, state: &T) -> usize {
        let chains = self.blocks.len() * BLOCK;
        let all = chains.next_power_of_two();
        let chain = FxBuildHasher.hash_one(state) as usize & (all - 1);
        if chain < chains {
            chain
        } else {
            chain - all / 2
        }
    }

    fn head(&self, chain: usize) -> Id {
        self.blocks[chain / BLOCK].heads[chain % BLOCK]
    }

    fn head_mut(&mut self, chain: usize) -> &mut Id {
        &mut self.blocks[chain / BLOCK].heads[chain % BLOCK]
    }

    /// Puts a node into its chain.
    fn enchain(&mut self, node: Id) {
        let chain = self.chain_of(&self.get(node).state);
        let next = std::mem::replace(self.head_mut(chain), node);
        self.get_mut(node).chain = next;
    }

    fn unchain(&mut self, node: Id) {
        let chain = self.chain_of(&self.get(node).state);
        let next = self.get(node).chain;
        let mut before = self.head(chain);
        if before == node {
            *self.head_mut(chain) = next;
            return;
        }
        while self.get(before).chain != node {
            before = self.get(before).chain;
        }
        self.get_mut(before).chain = next;
    }

    /// All nodes of these chains, which are empty afterwards.
    fn take_chains(&mut self, chains: Range<usize>) -> Vec<Id> {
        let mut nodes = vec![];
        for chain in chains {
            let mut node = std::mem::replace(self.head_mut(chain), NONE);
            while node != NONE {
                nodes.push(node);
                node = self.get(node).chain;
            }
        }
        nodes
    }

    // 2. Storing and forgetting them.

    /// A new node for a state that has none; an error if there is no room.
    pub(crate) fn insert(&mut self, state: &T, memory: &mut Memory) -> Result<Id, Stop> {
        let fresh = || Node {
            state: state.clone(),
            g: 0,
            h: 0,
            parent: NONE,
            chain: NONE,
            previous: UNLISTED,
            next: NONE,
        };
        let node = if self.free == NONE {
            if self.blocks.last().is_none_or(|b| b.nodes.len() == BLOCK) {
                self.grow(memory)?;
            }
            memory.claim(self.heap_bytes)?;
            let block = self.blocks.len() - 1;
            let nodes = &mut self.blocks[block].nodes;
            nodes.push(fresh());
            (block * BLOCK + nodes.len() - 1) as Id
        } else {
            let node = self.free;
            self.free = self.get(node).chain;
            *self.get_mut(node) = fresh();
            node
        };
        self.enchain(node);
        Ok(node)
    }

    /// Adds a block, and splits as many chains as it has heads.
    fn grow(&mut self, memory: &mut Memory) -> Result<(), Stop> {
        let old = self.blocks.len() * BLOCK;
        if old + BLOCK > UNLISTED as usize {
            return Err(Stop::Memory);
        }
        memory.claim(Self::BLOCK_BYTES)?;
        // The chains that are split: those half the way before the new ones.
        let all = (old + BLOCK).next_power_of_two();
        let split = match old {
            0 => vec![],
            _ => self.take_chains(old - all / 2..old + BLOCK - all / 2),
        };
        self.blocks.push(Block {
            nodes: Vec::with_capacity(BLOCK),
            heads: [NONE; BLOCK],
            pinned: 0,
        });
        for node in split {
            self.enchain(node);
        }
        Ok(())
    }

    /// What a block takes: its nodes with the allocator's overhead, and itself in a list that grows by doubling.
    const BLOCK_BYTES: usize = BLOCK * size_of::<Node<T>>() + 16 + 2 * size_of::<Block<T>>();

    /// Forgets the last block with all its nodes, listed under these keys or not, and gives its memory back; none if
    /// there is no block.
    pub(crate) fn shrink(
        &mut self,
        key: impl Fn(&Node<T>) -> Key,
        memory: &mut Memory,
    ) -> Option<()> {
        let last = self.blocks.len().checked_sub(1)?;
        let first = (last * BLOCK) as Id;
        let mut free = std::mem::replace(&mut self.free, NONE);
        let mut used = [true; BLOCK];
        while free != NONE {
            let next = self.get(free).chain;
            if free >= first {
                used[(free - first) as usize] = false;
            } else {
                self.get_mut(free).chain = self.free;
                self.free = free;
            }
            free = next;
        }
        let count = self.blocks[last].nodes.len();
        for node in (0..count).filter(|&i| used[i]).map(|i| first + i as Id) {
            self.unlist(node, key(self.get(node)), memory);
            self.unchain(node);
        }
        let joined = self.take_chains(last * BLOCK..(last + 1) * BLOCK);
        self.blocks.pop();
        for node in joined {
            self.enchain(node);
        }
        memory.release(Self::BLOCK_BYTES + count * self.heap_bytes);
        Some(())
    }

    /// From now on the node is not forgotten, not even if it is listed. `list_all` ends this.
    pub(crate) fn pin(&mut self, node: Id) {
        self.blocks[node as usize / BLOCK].pinned |= 1 << (node as usize % BLOCK);
    }

    /// Forgets the worst of the listed nodes and returns its key. Does nothing if it is pinned or no node is listed.
    pub(crate) fn forget(&mut self, memory: &mut Memory) -> Option<Key> {
        let (&key, &node) = self.lists.last_key_value()?;
        if self.blocks[node as usize / BLOCK].pinned >> (node as usize % BLOCK) & 1 == 1 {
            return None;
        }
        self.unlist(node, key, memory);
        self.remove(node);
        Some(key)
    }

    /// Forgets a node that is not listed.
    pub(crate) fn remove(&mut self, node: Id) {
        self.unchain(node);
        self.get_mut(node).chain = self.free;
        self.free = node;
    }

    // 3. Lists.

    /// The key of the worst of the listed nodes.
    pub(crate) fn worst(&self) -> Option<Key> {
        self.lists.last_key_value().map(|(&key, _)| key)
    }

    /// Takes the best of the listed nodes off its list.
    pub(crate) fn pop(&mut self, memory: &mut Memory) -> Option<(Key, Id)> {
        let (&key, &node) = self.lists.first_key_value()?;
        self.unlist(node, key, memory);
        Some((key, node))
    }

    /// Puts a node under a key, before those that are there.
    pub(crate) fn list(&mut self, node: Id, key: Key, memory: &mut Memory) -> Result<(), Stop> {
        let next = match self.lists.entry(key) {
            Entry::Occupied(mut entry) => entry.insert(node),
            Entry::Vacant(entry) => {
                memory.claim(ENTRY_BYTES)?;
                entry.insert(node);
                NONE
            }
        };
        if next != NONE {
            self.get_mut(next).previous = node;
        }
        let node = self.get_mut(node);
        (node.previous, node.next) = (NONE, next);
        Ok(())
    }

    /// Takes a node off the list of this key, if it is listed.
    pub(crate) fn unlist(&mut self, node: Id, key: Key, memory: &mut Memory) {
        if !self.is_listed(node) {
            return;
        }
        let &Node { previous, next, .. } = self.get(node);
        if previous != NONE {
            self.get_mut(previous).next = next;
        } else if next != NONE {
            self.lists.insert(key, next);
        } else {
            self.lists.remove(&key);
            memory.release(ENTRY_BYTES);
        }
        if next != NONE {
            self.get_mut(next).previous = previous;
        }
        self.get_mut(node).previous = UNLISTED;
    }

    /// Lists every node anew, and pins none: `change` may correct it and gives its key. Where there is no room for a list, nodes are
    /// forgotten.
    pub(crate) fn list_all(&mut self, change: impl Fn(&mut Node<T>) -> Key, memory: &mut Memory) {
        memory.release(self.lists.len() * ENTRY_BYTES);
        self.lists.clear();
        for block in &mut self.blocks {
            block.pinned = 0;
        }
        for chain in 0..self.blocks.len() * BLOCK {
            let mut node = self.head(chain);
            while node != NONE {
                let changed = self.get_mut(node);
                let next = changed.chain;
                changed.previous = UNLISTED;
                let key = change(changed);
                if self.list(node, key, memory).is_err() {
                    self.remove(node);
                }
                node = next;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use std::collections::HashMap;

    #[test]
    fn nodes_are_found_while_they_come_and_go() {
        let control = Control::new();
        let memory = &mut Memory::new(&control);
        let mut nodes: Nodes<u64> = Nodes::new(8);
        let key = |node: &Node<u64>| (node.g, node.h);
        let mut known: HashMap<u64, (u32, u32)> = HashMap::new();
        let mut random = 1u64;
        for round in 0..40_000u32 {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            let state = (random >> 33) % 3000;
            assert_eq!(nodes.find(&state).is_some(), known.contains_key(&state));
            match nodes.find(&state) {
                None => {
                    let node = nodes.insert(&state, memory).unwrap();
                    let new = nodes.get_mut(node);
                    (new.g, new.h) = ((random >> 20) as u32 % 7, round);
                    let key = key(new);
                    known.insert(state, key);
                    nodes.list(node, key, memory).unwrap();
                }
                Some(node) if round % 3 == 0 => {
                    nodes.unlist(node, known[&state], memory);
                    nodes.remove(node);
                    known.remove(&state);
                }
                Some(_) if round % 50 == 1 => {
                    let worst = nodes.forget(memory).unwrap();
                    let state = *known.iter().max_by_key(|(_, key)| **key).unwrap().0;
                    assert_eq!(known.remove(&state), Some(worst));
                }
                Some(_) => {}
            }
            if round % 1000 == 999 {
                nodes.shrink(key, memory).unwrap();
                known.retain(|state, _| nodes.find(state).is_some());
            }
        }
        assert!(known.len() > 500, "{}", known.len());
        let mut best = vec![];
        while let Some((key, node)) = nodes.pop(memory) {
            best.push(key);
            assert_eq!(known.remove(&nodes.get(node).state), Some(key));
        }
        assert!(best.is_sorted() && known.is_empty());
        while nodes.shrink(key, memory).is_some() {}
        assert_eq!(memory.bytes(), 0, "everything is given back");
    }
}
