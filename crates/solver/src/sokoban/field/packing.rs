//! Packing: a state in few words, and the table of all states met.
//!
//! A state is the cells of its boxes, whichever box is where, and the cell of the
//! player. Where boxes may be, each such cell is one bit; on a large level with
//! few boxes a sorted list of cells is shorter. Either way the same state gives
//! the same words. The table holds each state once, with how it was reached, in
//! blocks that never move; growth is asked for before it happens.

use hashbrown::HashTable;

use crate::control::Stop;
use crate::core::memory::Memory;

/// The number of a stored state.
pub(crate) type Id = u32;

/// How states become words.
pub(crate) struct Packing {
    /// Words in a state.
    pub(crate) words: usize,
    boxes: usize,
    /// By cell, its bit; empty if cells are listed.
    bit_of: Vec<u16>,
    /// By bit, its cell.
    cell_of: Vec<u16>,
}

impl Packing {
    /// For so many boxes, each on one of the cells that may hold one.
    pub(crate) fn new(boxes: usize, may_hold: &[bool]) -> Packing {
        let cell_of: Vec<u16> = (0..may_hold.len())
            .filter(|&c| may_hold[c])
            .map(|c| c as u16)
            .collect();
        let (bits, list) = (cell_of.len() + 16, 16 * (boxes + 1));
        let mut bit_of = vec![];
        if bits <= list {
            bit_of = vec![u16::MAX; may_hold.len()];
            for (bit, &cell) in cell_of.iter().enumerate() {
                bit_of[usize::from(cell)] = bit as u16 + 16;
            }
        }
        Packing {
            words: bits.min(list).div_ceil(64),
            boxes,
            bit_of,
            cell_of,
        }
    }

    /// Whether a state may have a box here.
    #[inline]
    pub(crate) fn may_hold(&self, cell: u16) -> bool {
        self.bit_of.is_empty() || self.bit_of[usize::from(cell)] != u16::MAX
    }

    /// Writes a state. Boxes need no order.
    pub(crate) fn pack(&self, boxes: &[u16], player: u16, to: &mut [u64]) {
        to.fill(0);
        to[0] = player.into();
        if self.bit_of.is_empty() {
            let mut sorted: Vec<u16> = boxes.to_vec();
            sorted.sort_unstable();
            for (i, &cell) in sorted.iter().enumerate() {
                to[(i + 1) / 4] |= u64::from(cell) << (16 * ((i + 1) % 4));
            }
        } else {
            for &cell in boxes {
                let bit = self.bit_of[usize::from(cell)];
                to[usize::from(bit / 64)] |= 1 << (bit % 64);
            }
        }
    }

    /// Reads a state: boxes in order, and gives back the player.
    pub(crate) fn unpack(&self, from: &[u64], boxes: &mut Vec<u16>) -> u16 {
        boxes.clear();
        if self.bit_of.is_empty() {
            let cell = |i: usize| (from[i / 4] >> (16 * (i % 4))) as u16;
            boxes.extend((1..=self.boxes).map(cell));
        } else {
            for (i, &word) in from.iter().enumerate() {
                let mut left = if i == 0 { word >> 16 << 16 } else { word };
                while left != 0 {
                    let bit = 64 * i + left.trailing_zeros() as usize;
                    boxes.push(self.cell_of[bit - 16]);
                    left &= left - 1;
                }
            }
        }
        from[0] as u16
    }
}

/// How a state was reached.
#[derive(Clone, Copy)]
pub(crate) struct Node {
    /// From which one; the root is its own parent.
    pub(crate) parent: Id,
    /// What it cost, first and second.
    pub(crate) g: (u32, u32),
}

/// States in a block.
const BLOCK: usize = 1 << 12;

/// All states met.
pub(crate) struct Table {
    words: usize,
    len: usize,
    keys: Vec<Vec<u64>>,
    nodes: Vec<Vec<Node>>,
    numbers: HashTable<Id>,
}

impl Table {
    /// An empty table for states of so many words.
    pub(crate) fn new(words: usize) -> Table {
        Table {
            words,
            len: 0,
            keys: vec![],
            nodes: vec![],
            numbers: HashTable::new(),
        }
    }

    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The words of a state.
    #[inline]
    pub(crate) fn key(&self, id: Id) -> &[u64] {
        key(&self.keys, self.words, id)
    }

    /// How a state was reached.
    #[inline]
    pub(crate) fn node(&self, id: Id) -> &Node {
        &self.nodes[id as usize / BLOCK][id as usize % BLOCK]
    }

    /// The same, to be changed.
    #[inline]
    pub(crate) fn node_mut(&mut self, id: Id) -> &mut Node {
        &mut self.nodes[id as usize / BLOCK][id as usize % BLOCK]
    }

    /// The number of a state, if it is known.
    #[inline]
    pub(crate) fn find(&self, state: &[u64], hash: u64) -> Option<Id> {
        let same = |&id: &Id| self.key(id) == state;
        self.numbers.find(hash, same).copied()
    }

    /// Stores a state that is not known.
    pub(crate) fn insert(
        &mut self,
        state: &[u64],
        hash: u64,
        node: Node,
        memory: &mut Memory,
    ) -> Result<Id, Stop> {
        self.make_room(memory)?;
        let id = self.len as Id;
        self.len += 1;
        let (keys, nodes) = (self.keys.last_mut(), self.nodes.last_mut());
        keys.expect("room was made").extend_from_slice(state);
        nodes.expect("room was made").push(node);
        self.numbers
            .insert_unique(hash, id, |_| unreachable!("room was made"));
        Ok(id)
    }

    fn make_room(&mut self, memory: &mut Memory) -> Result<(), Stop> {
        if self.nodes.len() * BLOCK == self.len {
            // Numbers end at 2³²: more states than any memory here holds.
            if self.len >= Id::MAX as usize - BLOCK {
                return Err(Stop::Memory);
            }
            memory.claim(BLOCK * (8 * self.words + size_of::<Node>()))?;
            self.keys.push(Vec::with_capacity(BLOCK * self.words));
            self.nodes.push(Vec::with_capacity(BLOCK));
        }
        if self.numbers.len() == self.numbers.capacity() {
            let old = self.numbers.allocation_size();
            let grown = (2 * old).max(1 << 10);
            memory.claim(grown)?;
            let Table {
                words,
                keys,
                numbers,
                ..
            } = self;
            numbers.reserve(1, |&id| hash(key(keys, *words, id)));
            memory.release(grown + old - numbers.allocation_size());
        }
        Ok(())
    }
}

fn key(keys: &[Vec<u64>], words: usize, id: Id) -> &[u64] {
    &keys[id as usize / BLOCK][id as usize % BLOCK * words..][..words]
}

/// A hash of a state's words.
#[inline]
pub(crate) fn hash(words: &[u64]) -> u64 {
    let mut hash = 0_u64;
    for &word in words {
        hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        hash ^= hash >> 29;
    }
    hash.wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(26)
}
