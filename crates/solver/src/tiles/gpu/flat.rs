//! A catalogue and an automaton as flat arrays, which go to a card as they are.
//!
//! Everything that a look-up needs beside the bits of the tables: where a move takes the word of a pattern, where the bit
//! of a map and a cell of the blank is in a row, and which pattern a tile belongs to in each stage. Patterns of the same
//! number of tiles share their words and places, so three patterns of eight tiles take 9 MB beside 33 GB of bits, which
//! stays in the card's cache.

use std::sync::Arc;

use noyes_puzzle::tiles::{Board, Direction};

use crate::tiles::pdb::{Blocks, Table};
use crate::tiles::subtrees::{Catalogue, MANY, NONE, TablePart as Part, WalkStep, Walks};

/// In [`Flat::part_of`]: no part.
pub const NO_PART: u16 = u16::MAX;
/// In [`Flat::part_of`]: no earlier stage looks the part up.
pub const NOT_KNOWN: u16 = 15;

/// Turns of a tile that passes no other.
const PASSES_NONE: usize = 16;

/// What does not change from one search to the next.
pub struct Flat {
    /// The distinct tables.
    pub tables: Vec<Arc<Table>>,
    pub parts: Vec<FlatPart>,
    /// By stage, the blank's cell and direction: both cells as the tables see them, the lower one first (5 bits each), 1 if
    /// the tile comes from the later one, and from bit 16 on the blank's new cell on the board.
    pub steps: Vec<u32>,
    /// By stage and tile: the part, and above four bits an earlier stage in which it is looked up.
    pub part_of: Vec<u16>,
    /// By part (from its first one on), group and turn, for tiles that pass others.
    pub turned: Vec<u16>,
    /// By lane and lane, 4096 for each number of tiles.
    pub products: Vec<u8>,
    /// For the number of a map, as in `places.rs`.
    pub upper: Vec<u32>,
    pub lower: Vec<u16>,
    pub entries: Vec<u64>,
    /// The places of the few maps with more than four regions, 32 cells for each.
    pub many: Vec<u32>,
    /// By state of the automaton.
    pub walks: Vec<[u32; 4]>,
    pub stages: usize,
}

/// A part. Numbers without a word to them are where its share of the array of this name begins.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub struct FlatPart {
    /// The number of its table; on a card, the address of its bits.
    pub bits: u64,
    pub row_bits: u64,
    pub lanes: u32,
    pub turned: u32,
    pub turns: u32,
    pub product: u32,
    /// Cells in the lower half of a map.
    pub half: u32,
    /// Bits of a place in an entry.
    pub base_bits: u32,
    pub upper: u32,
    pub lower: u32,
    pub entries: u32,
    pub many: u32,
}

impl Flat {
    /// Of all tables for a goal.
    pub fn new(catalogue: &Catalogue, walks: &Walks, goal: &Board) -> Flat {
        let mut flat = Flat {
            tables: vec![],
            parts: vec![],
            steps: vec![],
            part_of: vec![],
            turned: vec![],
            products: vec![],
            upper: vec![],
            lower: vec![],
            entries: vec![],
            many: vec![],
            walks: walks.all().iter().map(|s| s.map(WalkStep::bits)).collect(),
            stages: catalogue.stages.len(),
        };
        // By the words and by the blocks of parts so far.
        let mut words: Vec<(usize, usize, FlatPart)> = vec![];
        let mut places: Vec<(*const Blocks, FlatPart)> = vec![];
        for part in &catalogue.parts {
            let same = |table: &Arc<Table>| Arc::ptr_eq(table, &part.table);
            let table = flat.tables.iter().position(same).unwrap_or_else(|| {
                flat.tables.push(part.table.clone());
                flat.tables.len() - 1
            });
            let key = (part.turned.len(), part.turns);
            let found = words.iter().find(|w| (w.0, w.1) == key).map(|w| w.2);
            let of_words = found.unwrap_or_else(|| {
                let new = flat.add_words(part);
                words.push((key.0, key.1, new));
                new
            });
            let key = Arc::as_ptr(&part.places.blocks);
            let found = places.iter().find(|p| p.0 == key).map(|p| p.1);
            let of_places = found.unwrap_or_else(|| {
                let new = flat.add_places(part);
                places.push((key, new));
                new
            });
            flat.parts.push(FlatPart {
                bits: table as u64,
                row_bits: part.row_bits as u64,
                lanes: of_words.lanes,
                turned: of_words.turned,
                turns: of_words.turns,
                product: of_words.product,
                ..of_places
            });
        }
        for stage in &catalogue.stages {
            for (part, known) in stage.part_of.into_iter().zip(stage.known_in) {
                let known = if known == NONE {
                    NOT_KNOWN
                } else {
                    known.into()
                };
                flat.part_of.push(match part {
                    NONE => NO_PART,
                    part => u16::from(part) | known << 4,
                });
            }
            let to = &stage.to;
            for from in 0..32 {
                for direction in Direction::ALL {
                    let is_cell = from < goal.tiles().len();
                    let cell = is_cell.then(|| goal.neighbour(from, direction)).flatten();
                    flat.steps.push(cell.map_or(0, |cell| {
                        let (blank, tile) = (to.cell(from) as u32, to.cell(cell) as u32);
                        let back = u32::from(tile > blank);
                        blank.min(tile) | blank.max(tile) << 5 | back << 10 | (cell as u32) << 16
                    }));
                }
            }
        }
        // The kernel for six stages takes five, too.
        flat.part_of.resize(6 * 32, NO_PART);
        flat.steps.resize(6 * 32 * 4, 0);
        flat
    }

    fn add_words(&mut self, part: &Part) -> FlatPart {
        let new = FlatPart {
            lanes: part.lanes as u32,
            turned: self.turned.len() as u32,
            turns: (part.turns - PASSES_NONE) as u32,
            product: self.products.len() as u32,
            ..FlatPart::default()
        };
        // A tile that passes no other keeps the word, so these turns are left out.
        for group in part.turned.chunks(part.turns) {
            self.turned.extend(&group[PASSES_NONE..]);
        }
        self.products.extend(part.product.iter());
        new
    }

    fn add_places(&mut self, part: &Part) -> FlatPart {
        let places = &part.places;
        let new = FlatPart {
            half: places.half,
            base_bits: places.base_bits,
            upper: self.upper.len() as u32,
            lower: self.lower.len() as u32,
            entries: self.entries.len() as u32,
            many: self.many.len() as u32,
            ..FlatPart::default()
        };
        self.upper.extend(&places.upper);
        self.lower.extend(&places.lower);
        self.entries.extend(&places.entries);
        // Maps with many regions get the number of their row instead of places.
        let blocks = &places.blocks;
        for block in 0..blocks.count() {
            let map = blocks.map(block);
            let entry = &mut self.entries[new.entries as usize + blocks.rank(map)];
            if *entry != MANY {
                continue;
            }
            let row = (self.many.len() - new.many as usize) / 32;
            *entry = MANY | (row as u64 + 1) << 32 | row as u64;
            for cell in 0..32 {
                let is_free = cell < blocks.width * blocks.height && map >> cell & 1 == 0;
                let place = if is_free {
                    places.place_among_many(map, cell)
                } else {
                    0
                };
                self.many.push(place as u32);
            }
        }
        new
    }

    /// The bytes of all tables.
    #[cfg(feature = "gpu")]
    pub fn table_bytes(&self) -> usize {
        self.tables.iter().map(|table| table.bits().len()).sum()
    }

    /// The bytes of everything else.
    #[cfg(feature = "gpu")]
    pub fn other_bytes(&self) -> usize {
        size_of_val(&*self.parts)
            + size_of_val(&*self.steps)
            + size_of_val(&*self.part_of)
            + size_of_val(&*self.turned)
            + self.products.len()
            + size_of_val(&*self.upper)
            + size_of_val(&*self.lower)
            + size_of_val(&*self.entries)
            + size_of_val(&*self.many)
            + size_of_val(&*self.walks)
    }
}
