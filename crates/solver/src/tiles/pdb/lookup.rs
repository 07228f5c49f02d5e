//! Look-ups: the values of a partition's tables for a board, first from scratch and then from move to move.
//!
//! A table is for one pattern, in the frame of its tables (`symmetry.rs`). A [`Lookup`] is a table and the symmetry that
//! takes the board to that frame: one for each pattern, and with `+reflect` one more for each, through the mirror. The
//! look-ups of the board itself are one *view*, those of its mirror image another.
//!
//! A [`Sight`] is what a look-up knows about a board: where the tiles of the pattern are, and their value. From scratch,
//! that takes a scan of the board and a walk home through the table. A move changes one look-up in each view: the one
//! that the tile belongs to or, where every move counts, the only one. That costs one turn of the word and one bit: a
//! distance goes up or down by exactly one, and the table knows its second-lowest bit.
//!
//! The heuristic (`heuristic.rs`) and the facts of the SAT engine (`sat/tiles/lean/facts.rs`) use look-ups. The loop of
//! the fifteen puzzle has its own (`tiles/ida_pdb.rs`, which says why).

use std::collections::HashMap;
use std::sync::Arc;

use noyes_puzzle::tiles::Board;

use super::blocks::Counting;
use super::partition::Partition;
use super::plain::PlainTable;
use super::symmetry::Symmetry;
use super::table::{Ground, Key, Placed, Table};
use super::tables::{TableError, Tables};
use super::words::{Code, MOST_TILES};
use crate::control::Control;

/// No letter, or no look-up.
const NONE: u8 = u8::MAX;

/// Where the tiles of a pattern are, and their value: eight bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    map: u32,
    code: Code,
    value: u8,
}

impl Sight {
    /// A placement and its value.
    #[inline]
    pub fn new(placed: Placed, value: u8) -> Sight {
        let Placed { map, code } = placed;
        Sight { map, code, value }
    }

    /// A lower bound on the moves left.
    #[inline]
    pub fn value(self) -> u8 {
        self.value
    }

    /// Where the tiles are.
    #[inline]
    pub fn placed(self) -> Placed {
        let Sight { map, code, .. } = self;
        Placed { map, code }
    }
}

/// The look-ups of a partition for one goal.
pub struct Lookups {
    /// The look-ups of the board, then those of its mirror image.
    all: Vec<Lookup>,
    views: usize,
    /// By view and tile: the look-up that it belongs to, if any.
    of_tile: [[u8; Key::MOST_CELLS]; 2],
    counting: Counting,
}

impl Lookups {
    /// The look-ups of a partition that fits the goal; tables are found or built.
    ///
    /// # Errors
    /// If a limit is reached before all tables are ready.
    ///
    /// # Panics
    /// If the partition does not fit the goal.
    pub fn new(
        partition: &Partition,
        goal: &Board,
        tables: &Tables,
        control: &Control,
    ) -> Result<Lookups, TableError> {
        let keys = partition.keys(goal).expect("the partition was checked");
        let mirror = partition
            .reflect
            .then(|| Partition::mirror(goal).expect("the partition was checked"));
        let identity = Symmetry::identity(goal.width(), goal.height());
        let mut lookups = Lookups {
            all: vec![],
            views: 0,
            of_tile: [[NONE; Key::MOST_CELLS]; 2],
            counting: keys[0].counting,
        };
        for view in [Some(identity), mirror].into_iter().flatten() {
            for key in &keys {
                let values = if partition.plain {
                    Values::Plain(tables.plain(key, control)?)
                } else {
                    Values::Aware(tables.get(key, control)?)
                };
                let lookup = Lookup::new(values, key, &view, goal);
                for &tile in &lookup.tiles {
                    lookups.of_tile[lookups.views][usize::from(tile)] = lookups.all.len() as u8;
                }
                lookups.all.push(lookup);
            }
            lookups.views += 1;
        }
        Ok(lookups)
    }

    /// All look-ups, view after view.
    pub fn all(&self) -> &[Lookup] {
        &self.all
    }

    /// One view, or two with the mirror image.
    pub fn views(&self) -> usize {
        self.views
    }

    /// The number of look-ups in a view.
    pub fn parts(&self) -> usize {
        self.all.len() / self.views
    }

    /// The look-up of a view that a tile belongs to, if any.
    #[inline]
    pub fn of_tile(&self, view: usize, tile: usize) -> Option<usize> {
        let lookup = self.of_tile[view][tile];
        (lookup != NONE).then_some(lookup.into())
    }

    /// What changes in a view when a tile goes from a cell to the blank's: a look-up, and what it knows after the move.
    /// `before` gives what each look-up knows before the move.
    #[inline]
    pub fn after(
        &self,
        view: usize,
        tile: usize,
        (from, blank): (usize, usize),
        before: impl Fn(usize) -> Sight,
    ) -> Option<(usize, Sight)> {
        match self.of_tile(view, tile) {
            Some(i) => Some((i, self.all[i].tile_moved(before(i), from, blank))),
            // Such a view has only one look-up.
            None if self.counting == Counting::Every => {
                Some((view, self.all[view].blank_moved(before(view), from)))
            }
            None => None,
        }
    }

    /// The bytes of all tables. Look-ups share tables, and each table counts once.
    pub fn table_bytes(&self) -> usize {
        let tables: HashMap<usize, usize> = self.all.iter().map(|l| l.values.bytes()).collect();
        tables.values().sum()
    }
}

/// The table of one pattern, seen through a symmetry.
pub struct Lookup {
    values: Values,
    /// From cells of the board to cells of the table, and back.
    to: Symmetry,
    back: Symmetry,
    /// By letter of the table.
    tiles: Vec<u8>,
    /// By tile: its letter in the table, if any.
    letter: Vec<u8>,
}

enum Values {
    Aware(Arc<Table>),
    Plain(Arc<PlainTable>),
}

impl Values {
    #[inline]
    fn ground(&self) -> &Ground {
        match self {
            Values::Aware(table) => table.ground(),
            Values::Plain(table) => table.ground(),
        }
    }

    /// Where the table is in memory, and its bytes.
    fn bytes(&self) -> (usize, usize) {
        match self {
            Values::Aware(table) => (Arc::as_ptr(table).addr(), table.bits().len()),
            Values::Plain(table) => (Arc::as_ptr(table).addr(), table.bytes()),
        }
    }
}

impl Lookup {
    /// The values of the canonical table of a key, for boards seen through `view`.
    fn new(values: Values, key: &Key, view: &Symmetry, goal: &Board) -> Lookup {
        let (kept, canonical) = key.canonical();
        let to = view.then(&canonical);
        let back = to.inverse(goal.width(), goal.height());
        let tile = |&cell: &u8| goal.tiles()[back.cell(cell.into())] as u8;
        let tiles: Vec<u8> = kept.cells.iter().map(tile).collect();
        let mut letter = vec![NONE; goal.tiles().len()];
        for (i, &tile) in tiles.iter().enumerate() {
            letter[usize::from(tile)] = i as u8;
        }
        Lookup {
            values,
            to,
            back,
            tiles,
            letter,
        }
    }

    /// Its table, unless it is a plain one.
    pub fn table(&self) -> Option<&Arc<Table>> {
        match &self.values {
            Values::Aware(table) => Some(table),
            Values::Plain(_) => None,
        }
    }

    /// From cells of the board to cells of the table.
    pub fn symmetry(&self) -> &Symmetry {
        &self.to
    }

    /// The tiles of the pattern.
    pub fn tiles(&self) -> &[u8] {
        &self.tiles
    }

    /// What it knows about a solvable board, from the tile on each cell and the cell of the blank.
    pub fn look(&self, tile: impl Fn(usize) -> usize, blank: usize) -> Sight {
        let placed = self.placed(tile);
        let value = match &self.values {
            Values::Aware(table) => table
                .distance(placed, self.to.cell(blank))
                .expect("a board that can be solved") as u8,
            Values::Plain(table) => table.value(placed),
        };
        Sight::new(placed, value)
    }

    /// Where the tiles of the pattern are, from the tile on each cell.
    ///
    /// Cell by cell in the order of the table, without a branch: which cells hold tiles of the pattern is hard to
    /// predict.
    #[inline]
    pub fn placed(&self, tile: impl Fn(usize) -> usize) -> Placed {
        let mut word = [0; MOST_TILES + 1]; // one more, for a letter that is written but not kept
        let (mut map, mut length) = (0, 0);
        for cell in 0..self.letter.len() {
            let letter = self.letter[tile(self.back.cell(cell))];
            let belongs = letter != NONE;
            word[length] = letter;
            map |= u32::from(belongs) << cell;
            length += usize::from(belongs);
        }
        let code = self.values.ground().words.code(&word[..length]);
        Placed { map, code }
    }

    /// What it knows after a tile of the pattern went from a cell to the blank's.
    #[inline]
    fn tile_moved(&self, before: Sight, from: usize, blank: usize) -> Sight {
        let (from, blank) = (self.to.cell(from), self.to.cell(blank));
        let ground = self.values.ground();
        self.stepped(before, ground.moved(before.placed(), from, blank), from)
    }

    /// What it knows after the blank changed places with a tile outside the pattern, in a table where that counts.
    #[inline]
    fn blank_moved(&self, before: Sight, to: usize) -> Sight {
        self.stepped(before, before.placed(), self.to.cell(to))
    }

    /// What it knows after a move that counts, from the new placement and the blank's new cell in the table.
    #[inline]
    fn stepped(&self, before: Sight, placed: Placed, blank: usize) -> Sight {
        let value = match &self.values {
            Values::Aware(table) => {
                let block = table.ground().blocks.block(placed.map, blank);
                Table::stepped(before.value.into(), table.second_bit(block, placed.code)) as u8
            }
            Values::Plain(table) => table.value(placed),
        };
        Sight::new(placed, value)
    }
}
