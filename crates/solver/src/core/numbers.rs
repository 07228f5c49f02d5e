//! The numbers of stored states, found by hash.
//!
//! Many small tables, each for a part of the hashes: a table that grows moves
//! everything it has, and a search that should stop must notice soon. Growth is
//! claimed before it happens, counting both the old table and the new one, so the
//! memory limit holds at every moment. A number
//! takes 6 to 12 bytes once tables are filled.

use hashbrown::HashTable;

use super::blocks::Id;
use super::memory::Memory;
use crate::control::Stop;

/// Tables, a power of two.
const TABLES: usize = 64;
/// Numbers that a table has room for at first, and the bytes that takes at most.
const FIRST: usize = 28;
const FIRST_BYTES: usize = 1 << 8;

/// Numbers by hash.
pub(crate) struct Numbers {
    tables: Box<[HashTable<Id>]>,
}

/// The table for a hash, by bits that the table itself looks at last.
#[inline]
fn table_of(hash: u64) -> usize {
    (hash >> 48) as usize % TABLES
}

impl Numbers {
    /// No numbers yet.
    pub(crate) fn new() -> Self {
        Numbers {
            tables: (0..TABLES).map(|_| HashTable::new()).collect(),
        }
    }

    /// The number with this hash that is the one looked for.
    #[inline]
    pub(crate) fn find(&self, hash: u64, is_it: impl Fn(Id) -> bool) -> Option<Id> {
        let table = &self.tables[table_of(hash)];
        table.find(hash, |&id| is_it(id)).copied()
    }

    /// Adds a number that is not there. `hash_of` gives the hash of one that is.
    #[inline]
    pub(crate) fn insert(
        &mut self,
        hash: u64,
        id: Id,
        hash_of: impl Fn(Id) -> u64,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        let table = &mut self.tables[table_of(hash)];
        if table.len() == table.capacity() {
            grow(table, &hash_of, memory)?;
        }
        table.insert_unique(hash, id, |&id| hash_of(id));
        Ok(())
    }
}

/// Makes a full table twice as large.
#[cold]
fn grow(
    table: &mut HashTable<Id>,
    hash_of: &impl Fn(Id) -> u64,
    memory: &mut Memory,
) -> Result<(), Stop> {
    let old = table.allocation_size();
    let (more, grown) = match old {
        0 => (FIRST, FIRST_BYTES),
        _ => (1, 2 * old),
    };
    memory.claim(grown)?;
    table.reserve(more, |&id| hash_of(id));
    debug_assert!(table.allocation_size() <= grown, "what was claimed");
    memory.release(grown + old - table.allocation_size());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;

    #[test]
    fn what_is_claimed_is_what_the_tables_take() {
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let mut numbers = Numbers::new();
        let hash = |id: Id| u64::from(id).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for id in 0..100_000 {
            assert_eq!(numbers.find(hash(id), |found| found == id), None);
            numbers.insert(hash(id), id, hash, &mut memory).unwrap();
        }
        for id in 0..100_000 {
            assert_eq!(numbers.find(hash(id), |found| found == id), Some(id));
        }
        let taken = numbers.tables.iter().map(HashTable::allocation_size);
        assert_eq!(memory.bytes(), taken.sum::<usize>());
    }

    #[test]
    fn a_limit_leaves_what_is_there() {
        let control = Control::new().memory_limit(TABLES * FIRST_BYTES);
        let mut memory = Memory::new(&control);
        let mut numbers = Numbers::new();
        let hash = |id: Id| u64::from(id).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut count = 0;
        while numbers
            .insert(hash(count), count, hash, &mut memory)
            .is_ok()
        {
            count += 1;
        }
        assert!(count > 100, "{count}");
        for id in 0..=count {
            let found = numbers.find(hash(id), |found| found == id);
            assert_eq!(found, (id < count).then_some(id));
        }
    }
}
