//! The heuristic: the values of all patterns added, or the larger sum of the board and its mirror image.
//!
//! Each counted move moves a tile of one pattern, so the values of disjoint
//! patterns add up to a lower bound. A move changes the one value of the pattern
//! whose tile moved, by exactly one where the blank is known: the bound is
//! consistent. (Plain values may jump, see `plain.rs`.)

use std::collections::HashMap;
use std::sync::Arc;

use noyes_puzzle::tiles::Board;
use noyes_puzzle::{Cells, Position, Slide, SlideSpace};

use super::blocks::Counting;
use super::partition::Partition;
use super::plain::PlainTable;
use super::symmetry::Symmetry;
use super::table::{Ground, Key, Placed, Table};
use super::tables::{TableError, Tables};
use crate::control::Control;
use crate::search::Heuristic;
use crate::tiles::heuristic::Words;

/// The values of at most so many look-ups are carried along.
pub const MOST_LOOKUPS: usize = 16;

/// Additive pattern databases as a heuristic.
pub struct Databases {
    /// Those of the board, then those of its mirror image.
    lookups: Vec<Lookup>,
    views: usize,
    cells: usize,
    /// By view and tile: which look-up it belongs to, if any.
    lookup_of: Vec<Vec<Option<u8>>>,
    counts_every_move: bool,
}

/// One pattern, looked up through a symmetry.
struct Lookup {
    values: Values,
    /// From cells of the board to cells of the table.
    to: Symmetry,
    /// By tile: its letter in the table.
    letter: Vec<Option<u8>>,
}

enum Values {
    Aware(Arc<Table>),
    Plain(Arc<PlainTable>),
}

impl Values {
    fn ground(&self) -> &Ground {
        match self {
            Values::Aware(table) => table.ground(),
            Values::Plain(table) => table.ground(),
        }
    }
}

/// The value of every look-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looked([u8; MOST_LOOKUPS]);

impl Words for Looked {
    const WORDS: usize = MOST_LOOKUPS / 4;

    fn write(self, words: &mut [u32]) {
        for (word, bytes) in words.iter_mut().zip(self.0.chunks_exact(4)) {
            *word = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
        }
    }

    fn read(words: &[u32]) -> Looked {
        let mut looked = [0; MOST_LOOKUPS];
        for (bytes, word) in looked.chunks_exact_mut(4).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Looked(looked)
    }
}

impl Databases {
    /// The databases of a partition that fits the goal; tables are found or built.
    ///
    /// # Errors
    /// If a limit comes before all tables are there.
    ///
    /// # Panics
    /// If the partition does not fit the goal.
    pub fn new(
        partition: &Partition,
        goal: &Board,
        tables: &Tables,
        control: &Control,
    ) -> Result<Databases, TableError> {
        let keys = partition.keys(goal).expect("the partition was checked");
        let mirror = partition
            .reflect
            .then(|| partition.mirror(goal).expect("the partition was checked"));
        let identity = Symmetry::all(goal.width(), goal.height()).swap_remove(0);
        let mut lookups = vec![];
        let mut lookup_of = vec![];
        for view in [Some(identity), mirror].into_iter().flatten() {
            let mut of_tile = vec![None; goal.tiles().len()];
            for key in &keys {
                let lookup = Lookup::new(key, &view, goal, partition.plain, tables, control)?;
                for tile in (0..of_tile.len()).filter(|&t| lookup.letter[t].is_some()) {
                    of_tile[tile] = Some(lookups.len() as u8);
                }
                lookups.push(lookup);
            }
            lookup_of.push(of_tile);
        }
        assert!(lookups.len() <= MOST_LOOKUPS, "the partition was checked");
        let counts_every_move = keys[0].counting == Counting::Every;
        Ok(Databases {
            views: lookup_of.len(),
            cells: goal.tiles().len(),
            lookups,
            lookup_of,
            counts_every_move,
        })
    }
}

impl Lookup {
    fn new(
        key: &Key,
        view: &Symmetry,
        goal: &Board,
        plain: bool,
        tables: &Tables,
        control: &Control,
    ) -> Result<Lookup, TableError> {
        let values = if plain {
            Values::Plain(tables.plain(key, control)?)
        } else {
            Values::Aware(tables.get(key, control)?)
        };
        let (kept, canonical) = key.canonical();
        let to = view.then(&canonical);
        let mut letter = vec![None; goal.tiles().len()];
        for (cell, &tile) in goal.tiles().iter().enumerate() {
            let home = to.cell(cell) as u8;
            letter[usize::from(tile)] = kept
                .cells
                .binary_search(&home)
                .ok()
                .map(|i| i as u8)
                .filter(|_| tile != 0);
        }
        Ok(Lookup { values, to, letter })
    }

    /// Where the tiles of the pattern lie in the table's cells.
    fn placed<C: Cells>(&self, state: &Position<C>, cells: usize) -> Placed {
        let mut cell_of = [0; super::words::MOST_TILES];
        for cell in 0..cells {
            if let Some(letter) = self.letter[usize::from(state.tile(cell as u16))] {
                cell_of[usize::from(letter)] = self.to.cell(cell);
            }
        }
        self.values.ground().place(|letter| cell_of[letter])
    }

    fn value<C: Cells>(&self, state: &Position<C>, cells: usize) -> u8 {
        let placed = self.placed(state, cells);
        match &self.values {
            Values::Aware(table) => {
                let blank = self.to.cell(state.blank().into());
                table
                    .distance(placed, blank)
                    .expect("a position that can be solved") as u8
            }
            Values::Plain(table) => table.value(placed),
        }
    }

    /// The value after a slide, from the one before it.
    fn after<C: Cells>(&self, value: u8, state: &Position<C>, slide: Slide, cells: usize) -> u8 {
        let mut placed = self.placed(state, cells);
        let (tile_cell, blank) = (
            self.to.cell(slide.to.into()),
            self.to.cell(slide.from.into()),
        );
        if self.letter[usize::from(state.tile(slide.to))].is_some() {
            placed = self.values.ground().moved(placed, tile_cell, blank);
        }
        match &self.values {
            Values::Aware(table) => {
                let block = table.ground().blocks.block(placed.map, tile_cell);
                Table::stepped(value.into(), table.second_bit(block, placed.code)) as u8
            }
            Values::Plain(table) => table.value(placed),
        }
    }
}

impl<C: Cells> Heuristic<SlideSpace<C>> for Databases {
    type Memo = Looked;

    fn start(&self, state: &Position<C>) -> Looked {
        let mut looked = [0; MOST_LOOKUPS];
        for (value, lookup) in looked.iter_mut().zip(&self.lookups) {
            *value = lookup.value(state, self.cells);
        }
        Looked(looked)
    }

    fn after(&self, mut looked: Looked, state: &Position<C>, slide: Slide) -> Looked {
        let tile = usize::from(state.tile(slide.to));
        for (view, of_tile) in self.lookup_of.iter().enumerate() {
            let lookup = if self.counts_every_move {
                Some(view as u8)
            } else {
                of_tile[tile]
            };
            if let Some(i) = lookup {
                let value = &mut looked.0[usize::from(i)];
                *value = self.lookups[usize::from(i)].after(*value, state, slide, self.cells);
            }
        }
        looked
    }

    fn bytes(&self) -> usize {
        let each = |lookup: &Lookup| match &lookup.values {
            Values::Aware(table) => (Arc::as_ptr(table).addr(), table.bits().len()),
            Values::Plain(table) => (Arc::as_ptr(table).addr(), table.bytes()),
        };
        // A table is there once, however often it is looked up.
        let tables: HashMap<usize, usize> = self.lookups.iter().map(each).collect();
        tables.values().sum()
    }

    fn bound(&self, looked: Looked) -> u32 {
        let sum = |view: &[u8]| view.iter().map(|&v| u32::from(v)).sum();
        let views = looked.0[..self.lookups.len()].chunks_exact(self.lookups.len() / self.views);
        views.map(sum).max().unwrap_or(0)
    }
}
