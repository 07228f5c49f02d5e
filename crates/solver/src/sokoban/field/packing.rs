//! Packing: a state in a few machine words.
//!
//! A state consists of the cells of its boxes, which are interchangeable, and the
//! cell of the player. Usually each cell that may hold a box takes one bit. On a
//! large level with few boxes, a sorted list of cells is shorter. Either way, equal
//! states have equal words.

/// Packs states into words, and unpacks them.
pub(crate) struct Packing {
    /// The number of words in a state.
    pub(crate) words: usize,
    boxes: usize,
    /// The bit of each cell; empty if states are lists of cells.
    bit_of: Vec<u16>,
    /// The cell of each bit.
    cell_of: Vec<u16>,
}

impl Packing {
    /// A packing for this many boxes on the cells that may hold one.
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

    /// Whether a state can have a box on this cell.
    #[inline]
    pub(crate) fn may_hold(&self, cell: u16) -> bool {
        self.bit_of.is_empty() || self.bit_of[usize::from(cell)] != u16::MAX
    }

    /// Packs a state. The boxes may come in any order.
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

    /// Unpacks a state: fills `boxes` in ascending order and returns the player's cell.
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
