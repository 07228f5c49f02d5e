//! Places: where in a row of a table the bit of a map and a cell of the blank is.
//!
//! `pdb/blocks.rs` knows that, too, but from a number for each map and cell: 17 MB for six tiles on 5×5. Here a map has eight
//! bytes: the place of its first region of the blank, and for each free cell two bits that say how many places later its
//! own region is. The few maps with more than four regions are looked up in the blocks.

use std::sync::Arc;

use super::prefetch::prefetch;
use crate::tiles::pdb::{Blocks, advise};

/// The map has more regions than two bits can tell.
pub const MANY: u64 = 1 << 63;
/// The two highest bits: free cells beyond them, on boards of more than 25 cells, are in the first region.
const BEYOND: u32 = 62;

/// The places of all maps of a number of tiles.
pub struct Places {
    /// Cells in the lower half, and those of the map's number.
    pub half: u32,
    /// The number of a map is the sum of one for its upper and one for its lower half.
    pub upper: Vec<u32>,
    pub lower: Vec<u16>,
    pub entries: Vec<u64>,
    /// Bits of the place of the first region.
    pub base_bits: u32,
    pub blocks: Arc<Blocks>,
}

impl Places {
    pub fn new(blocks: &Arc<Blocks>) -> Places {
        let cells = blocks.width * blocks.height;
        let (upper, lower) = blocks.halves();
        let mut places = Places {
            half: cells.div_ceil(2) as u32,
            upper: upper.to_vec(),
            lower: lower.iter().map(|&n| n as u16).collect(),
            entries: vec![0; blocks.maps()],
            base_bits: blocks.count().ilog2() + 1,
            blocks: blocks.clone(),
        };
        advise(&mut places.entries);
        for block in 0..blocks.count() {
            let map = blocks.map(block);
            let number = places.number(map) as usize;
            if places.entries[number] == 0 {
                places.entries[number] = places.entry(map, cells);
            }
        }
        places
    }

    fn entry(&self, map: u32, cells: usize) -> u64 {
        let place = |cell| self.blocks.place(self.blocks.block(map, cell)) as u64;
        let free = || (0..cells).filter(|cell| map >> cell & 1 == 0);
        let first = free().map(place).min().expect("the blank has a cell");
        let mut entry = first;
        for (i, cell) in free().enumerate() {
            let (later, shift) = (place(cell) - first, self.base_bits + 2 * i as u32);
            if later > 3 || (later > 0 && shift >= BEYOND) {
                return MANY;
            }
            entry |= later << shift.min(BEYOND);
        }
        entry
    }

    /// The number of a map; its entry will be needed soon.
    #[inline(always)]
    pub fn number(&self, map: u32) -> u32 {
        let lower = map & ((1 << self.half) - 1);
        let lower = self.lower[lower as usize];
        let number = self.upper[(map >> self.half) as usize] + u32::from(lower);
        prefetch(&self.entries, number as usize);
        number
    }

    /// The place of a map and a free cell that has this number of free cells before it; `None` if its blocks have to be
    /// asked.
    #[inline(always)]
    pub fn place(&self, number: u32, free_before: u8) -> Option<usize> {
        let entry = self.entries[number as usize];
        let first = entry & ((1 << self.base_bits) - 1);
        let shift = self.base_bits + 2 * u32::from(free_before);
        let later = entry >> shift.min(BEYOND) & 3;
        (entry < MANY).then_some((first + later) as usize)
    }

    /// The same, slowly.
    #[cold]
    pub fn place_among_many(&self, map: u32, cell: usize) -> usize {
        self.blocks.place(self.blocks.block(map, cell))
    }

    /// The bytes of the entries.
    pub fn bytes(&self) -> usize {
        8 * self.entries.len()
    }
}
