//! Rows in blocks that never move.
//!
//! A list that grows by doubling copies everything it has, and holds one and a
//! half times as much as it needs on average. Blocks of a fixed number of rows do
//! neither. Each is claimed before it is allocated.

use super::memory::Memory;
use crate::control::Stop;

/// Rows in a block; small enough that the last block wastes little.
const BLOCK: usize = 1 << 12;

/// The number of a row, which is that of a stored state.
pub(crate) type Id = u32;

/// Rows with the same number of entries each.
pub(crate) struct Blocks<T> {
    /// Blocks of rows, all but the last one full.
    all: Vec<Vec<T>>,
    /// Entries in a row.
    width: usize,
    len: usize,
}

impl<T> Blocks<T> {
    /// No rows yet; each will have this many entries.
    pub(crate) fn new(width: usize) -> Self {
        Blocks {
            all: vec![],
            width,
            len: 0,
        }
    }

    /// The number of rows.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Makes room for one more row.
    #[inline]
    pub(crate) fn make_room(&mut self, memory: &mut Memory) -> Result<(), Stop> {
        if self.all.len() * BLOCK == self.len {
            // Numbers end at 2³²: more rows than any memory here holds.
            if self.len >= Id::MAX as usize - BLOCK {
                return Err(Stop::Memory);
            }
            memory.claim(BLOCK * self.width * size_of::<T>())?;
            self.all.push(Vec::with_capacity(BLOCK * self.width));
        }
        Ok(())
    }

    /// Adds a row of one entry, for which room was made.
    #[inline]
    pub(crate) fn push(&mut self, entry: T) {
        self.len += 1;
        self.all.last_mut().expect("room was made").push(entry);
    }

    /// The entry of a row of one.
    #[inline]
    pub(crate) fn get(&self, id: Id) -> &T {
        &self.all[id as usize / BLOCK][id as usize % BLOCK]
    }

    /// The same, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, id: Id) -> &mut T {
        &mut self.all[id as usize / BLOCK][id as usize % BLOCK]
    }

    /// All entries of a row.
    #[inline]
    pub(crate) fn row(&self, id: Id) -> &[T] {
        &self.all[id as usize / BLOCK][id as usize % BLOCK * self.width..][..self.width]
    }
}

impl<T: Copy> Blocks<T> {
    /// Adds a row, for which room was made.
    #[inline]
    pub(crate) fn push_row(&mut self, row: &[T]) {
        debug_assert_eq!(row.len(), self.width);
        self.len += 1;
        let block = self.all.last_mut().expect("room was made");
        block.extend_from_slice(row);
    }
}
