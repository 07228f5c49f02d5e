//! Buckets of states, the least key first: the open list of best-first engines.
//!
//! Costs are whole numbers and few of them differ, so states wait in buckets,
//! one for each key that occurs, and taking the best one needs no comparing of
//! states. A bucket is a chain of small chunks out of one pool: a waiting state
//! costs four bytes, nothing is moved when a bucket grows, and chunks are used
//! again. Costs of any size may occur, so buckets are found through an ordered
//! map and not by their index.
//!
//! Nothing is ever removed from the middle. An engine that finds a cheaper way
//! to a waiting state puts it in again under the cheaper key and knows the old
//! entry, when it comes up, by its outdated cost.
//!
//! Dial: Algorithm 360: shortest-path forest with topological ordering.
//! Communications of the ACM 12, 1969, has buckets by cost; the second key is
//! what breaks ties.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::blocks::Id;
use super::memory::Memory;
use crate::control::Stop;

/// States in a chunk: with its link it fills two cache lines.
const CHUNK: usize = 31;
/// Chunks that are made at a time.
const BLOCK: usize = 256;
/// What an entry of the map takes at most, its share of the inner nodes counted.
const ENTRY_BYTES: usize = 48;
const NONE: u32 = u32::MAX;

/// What buckets are ordered by: cost first, then whatever breaks ties.
pub(crate) type Key = (u32, u32);

/// Buckets by key, none of them empty.
pub(crate) type Buckets = BTreeMap<Key, Bucket>;

/// A chain of chunks, of which only the first may have room.
pub(crate) struct Bucket {
    first: u32,
    filled: u32,
}

struct Chunk {
    states: [Id; CHUNK],
    next: u32,
}

/// Where the chunks of all buckets come from.
pub(crate) struct Pool {
    blocks: Vec<Vec<Chunk>>,
    free: u32,
}

impl Pool {
    pub(crate) fn new() -> Self {
        Pool {
            blocks: vec![],
            free: NONE,
        }
    }

    /// Puts a state under a key.
    pub(crate) fn push(
        &mut self,
        buckets: &mut Buckets,
        key: Key,
        state: Id,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        let bucket = match buckets.entry(key) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                memory.claim(ENTRY_BYTES)?;
                let first = self.take(NONE, memory)?;
                entry.insert(Bucket { first, filled: 0 })
            }
        };
        if bucket.filled as usize == CHUNK {
            bucket.first = self.take(bucket.first, memory)?;
            bucket.filled = 0;
        }
        self.chunk(bucket.first).states[bucket.filled as usize] = state;
        bucket.filled += 1;
        Ok(())
    }

    /// The state under the least key that was put in last, and this key; it stays.
    pub(crate) fn peek(&self, buckets: &Buckets) -> Option<(Key, Id)> {
        let (&key, bucket) = buckets.first_key_value()?;
        let chunk = &self.blocks[bucket.first as usize / BLOCK][bucket.first as usize % BLOCK];
        Some((key, chunk.states[bucket.filled as usize - 1]))
    }

    /// The state under the least key that was put in last, and this key; it is taken out.
    pub(crate) fn pop(&mut self, buckets: &mut Buckets, memory: &mut Memory) -> Option<(Key, Id)> {
        let mut entry = buckets.first_entry()?;
        let key = *entry.key();
        let bucket = entry.get_mut();
        bucket.filled -= 1;
        let (first, filled, free) = (bucket.first, bucket.filled as usize, self.free);
        let chunk = self.chunk(first);
        let state = chunk.states[filled];
        if filled == 0 {
            let rest = chunk.next;
            chunk.next = free;
            self.free = first;
            if rest == NONE {
                entry.remove();
                memory.release(ENTRY_BYTES);
            } else {
                *bucket = Bucket {
                    first: rest,
                    filled: CHUNK as u32,
                };
            }
        }
        Some((key, state))
    }

    fn chunk(&mut self, index: u32) -> &mut Chunk {
        &mut self.blocks[index as usize / BLOCK][index as usize % BLOCK]
    }

    /// A chunk with this one behind it.
    fn take(&mut self, next: u32, memory: &mut Memory) -> Result<u32, Stop> {
        if self.free == NONE {
            memory.claim(BLOCK * size_of::<Chunk>())?;
            let first = (self.blocks.len() * BLOCK) as u32;
            let link = |i: u32| {
                if i + 1 < BLOCK as u32 {
                    first + i + 1
                } else {
                    NONE
                }
            };
            let fresh = |i| Chunk {
                states: [0; CHUNK],
                next: link(i),
            };
            self.blocks.push((0..BLOCK as u32).map(fresh).collect());
            self.free = first;
        }
        let taken = self.free;
        self.free = self.chunk(taken).next;
        self.chunk(taken).next = next;
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;

    #[test]
    fn the_least_key_comes_first_and_nothing_is_lost() {
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let (mut pool, mut buckets) = (Pool::new(), Buckets::new());
        let key = |i: u32| (i % 13 * 5 % 13, i % 3);
        for i in 0..50_000 {
            pool.push(&mut buckets, key(i), i, &mut memory).unwrap();
            if i % 3 == 0 {
                pool.pop(&mut buckets, &mut memory).unwrap();
                pool.push(&mut buckets, key(i), i, &mut memory).unwrap();
            }
        }
        let (mut last, mut count) = ((0, 0), 0);
        while let Some((at, state)) = pool.pop(&mut buckets, &mut memory) {
            assert!(at >= last && at == key(state));
            (last, count) = (at, count + 1);
        }
        assert_eq!(count, 50_000);
        // All chunks are free again: as much fits without another block of them.
        let before = memory.peak();
        for i in 0..49_000 {
            pool.push(&mut buckets, key(i), i, &mut memory).unwrap();
        }
        assert!(memory.peak() < before + BLOCK * size_of::<Chunk>());
    }
}
