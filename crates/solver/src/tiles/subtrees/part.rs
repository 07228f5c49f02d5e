//! A part: the table of one pattern with what its look-ups need, close together in memory.

use std::sync::Arc;

use super::places::Places;
use super::prefetch::prefetch;
use crate::tiles::pdb::{Lookup, Symmetry, Table};

/// Where the tiles of a pattern are and how far they are from home: the map (32 bits), the word (16) and the distance (8).
///
/// One number, because the compiler copies it as one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sight(u64);

impl Sight {
    fn new(map: u32, code: u16, value: u8) -> Sight {
        Sight(u64::from(map) | u64::from(code) << 32 | u64::from(value) << 48)
    }

    #[inline(always)]
    pub fn value(self) -> u8 {
        (self.0 >> 48) as u8
    }

    /// The map, the word and the distance in one number.
    pub fn bits(self) -> u64 {
        self.0
    }
}

/// A move of the blank as the tables of a stage see it.
#[derive(Clone, Copy, Default)]
pub struct Step {
    /// The cells before both cells, those between them, and both.
    before: u32,
    between: u32,
    both: u32,
    /// The cells before the blank's new one.
    before_blank: u32,
    /// 8 if the tile comes from the later of the two cells.
    back: u8,
    /// The blank's new cell on the board.
    pub cell: u8,
}

/// A look-up on its way: what the part will know, but for the bit that is still in memory.
#[derive(Clone, Copy, Default)]
pub struct Wait {
    /// The new placement with the old distance.
    sight: Sight,
    /// The first bit of the row, then the bit itself.
    bit: usize,
    /// The number of the map.
    number: u32,
    /// Free cells before the blank.
    free_before: u8,
    pub part: u8,
    /// The tile, and the cell that it left.
    pub tile: u8,
    pub cell: u8,
}

impl Step {
    /// The move of the blank from a cell of the board to another, seen through a symmetry.
    pub fn new(view: &Symmetry, from: usize, to: usize) -> Step {
        let (blank, tile) = (view.cell(from), view.cell(to));
        let (low, high) = (blank.min(tile), blank.max(tile));
        Step {
            before: (1 << low) - 1,
            between: (1 << high) - (2 << low),
            both: 1 << low | 1 << high,
            before_blank: (1 << tile) - 1,
            back: if tile > blank { 8 } else { 0 },
            cell: to as u8,
        }
    }
}

/// The table of one pattern, seen through a symmetry.
pub struct Part {
    pub table: Arc<Table>,
    to: Symmetry,
    /// The tiles of the pattern, in order.
    tiles: Vec<u8>,
    pub places: Arc<Places>,
    pub lanes: usize,
    pub row_bits: usize,
    /// By group and turn.
    pub turned: Vec<u16>,
    pub turns: usize,
    /// By lane and lane.
    pub product: Box<[u8; 64 * 64]>,
}

impl Part {
    pub fn new(lookup: &Lookup, table: &Arc<Table>, places: &Arc<Places>) -> Part {
        let ground = table.ground();
        let words = &ground.words;
        let turns = 16 * ground.blocks.width;
        Part {
            table: table.clone(),
            to: lookup.symmetry().clone(),
            tiles: in_order(lookup.tiles()),
            places: places.clone(),
            lanes: words.lanes(),
            row_bits: 8 * ground.row_bytes(),
            turned: (0..words.groups() * turns)
                .map(|i| words.turned(i % turns)[i / turns].bits())
                .collect(),
            turns,
            product: Box::new(std::array::from_fn(|i| words.product(i / 64, i % 64))),
        }
    }

    /// Whether it is this table for the same tiles. Then the distances are the same through any symmetry, because they
    /// are exact: a pattern that is its own mirror image needs one look-up for a board and its mirror image.
    pub fn is_same(&self, table: &Arc<Table>, tiles: &[u8]) -> bool {
        Arc::ptr_eq(&self.table, table) && self.tiles == in_order(tiles)
    }

    /// The bytes of what it has beside its table.
    pub fn bytes(&self) -> usize {
        self.places.bytes() + 2 * self.turned.len() + self.product.len()
    }

    /// What the part of a look-up knows about a board.
    pub fn look(lookup: &Lookup, tile: impl Fn(usize) -> usize, blank: usize) -> Sight {
        let sight = lookup.look(tile, blank);
        let placed = sight.placed();
        Sight::new(placed.map, placed.code.bits(), sight.value())
    }

    /// Begins to look up what it knows after a tile of the pattern moved: which row, and which map.
    #[inline(always)]
    pub fn ask(&self, part: u8, sight: Sight, step: &Step, tile: u8) -> Wait {
        let map = sight.0 as u32;
        let before = (map & step.before).count_ones() as usize;
        let passed = (map & step.between).count_ones() as usize;
        let turn = 16 * passed + usize::from(step.back) + before;
        let group = (sight.0 >> 38 & 0x3ff) as usize;
        let turned = self.turned[group * self.turns + turn];
        let lanes = (sight.0 >> 26 & 63 << 6) as usize | usize::from(turned & 63);
        let lane = self.product[lanes & 0xfff];
        let code = turned & !63 | u16::from(lane);
        let map = map ^ step.both;
        let row = usize::from(turned >> 6) * self.lanes + usize::from(lane);
        let value = sight.0 & 0xff << 48;
        Wait {
            sight: Sight(u64::from(map) | u64::from(code) << 32 | value),
            bit: row * self.row_bits,
            number: self.places.number(map),
            free_before: (step.before_blank & !map).count_ones() as u8,
            part,
            tile,
            cell: step.cell,
        }
    }

    /// Goes on with it: which bit.
    #[inline(always)]
    pub fn find(&self, wait: &mut Wait) {
        let place = self.places.place(wait.number, wait.free_before);
        wait.bit += place.unwrap_or_else(|| {
            let cell = self.to.cell(wait.cell.into());
            self.places.place_among_many(wait.sight.0 as u32, cell)
        });
        prefetch(self.table.bits(), wait.bit / 8);
    }

    /// The end of a look-up, and 1 if the distance went up, else 0.
    #[inline(always)]
    pub fn answer(&self, wait: &Wait) -> (Sight, u64) {
        let bit = u64::from(self.table.bits()[wait.bit / 8] >> (wait.bit % 8));
        let old = wait.sight.0 >> 48;
        // One more has this bit, or one less.
        let up = (old ^ old >> 1 ^ bit ^ 1) & 1;
        let sight = wait.sight.0.wrapping_add((2 * up).wrapping_sub(1) << 48);
        (Sight(sight), up)
    }
}

fn in_order(tiles: &[u8]) -> Vec<u8> {
    let mut tiles = tiles.to_vec();
    tiles.sort_unstable();
    tiles
}
