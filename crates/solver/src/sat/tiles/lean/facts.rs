//! Facts: what the pattern databases know of a board, carried along move by move.
//!
//! A move takes its tile one step nearer to its place or one farther from it: an
//! *up*. A plan of k moves from a board with Manhattan distance m has exactly
//! (k − m) / 2 ups, its *slack*. A database tells how many moves the tiles of its
//! pattern still make at least; what that is above their Manhattan distance, halved,
//! is the number of ups they still make, the pattern's *extra*. Ups of different
//! tiles are different ups, so the extras of disjoint patterns add up, and so do
//! those of any few of them.
//!
//! As in `search/ida_pdb.rs` a move changes one pattern in each view (the board, and
//! its mirror image), and one bit of a table says which way its value went.

use std::sync::Arc;

use noyes_puzzle::tiles::Board;

use crate::control::Control;
use crate::tiles::pdb::{Counting, Key, Partition, Placed, Symmetry, Table, TableError, Tables};

/// The most look-ups of a partition, both views together.
const MOST_LOOKUPS: usize = 16;
const NONE: u8 = u8::MAX;

/// Databases for one goal.
pub struct Facts {
    /// Those of the board, then those of its mirror image.
    lookups: Vec<Lookup>,
    views: usize,
    /// By view and tile: its look-up, if any.
    lookup_of: [[u8; Key::MOST_CELLS]; 2],
    /// By tile and cell: the Manhattan distance of the tile from its place.
    distance: Vec<Vec<u8>>,
}

/// One pattern, looked up through a symmetry.
struct Lookup {
    table: Arc<Table>,
    /// From cells of the board to cells of the table.
    to: Symmetry,
    tiles: Vec<u8>,
}

/// A board, and what the databases know of it.
#[derive(Clone)]
pub struct Known {
    pub tiles: [u8; Key::MOST_CELLS],
    pub blank: u8,
    /// Ups on the way here.
    pub ups: u16,
    placed: [Placed; MOST_LOOKUPS],
    value: [u8; MOST_LOOKUPS],
    extra: [u8; MOST_LOOKUPS],
    /// The extras of each view together.
    extras: [u16; 2],
}

impl Known {
    /// The ups that a plan from here makes at least.
    pub fn extra(&self) -> u16 {
        self.extras[0].max(self.extras[1])
    }
}

/// What a move changes in a view.
#[derive(Clone, Copy)]
struct Change {
    lookup: usize,
    placed: Placed,
    value: u8,
    extra: u8,
}

/// Why a move cannot be part of a plan with so much slack.
#[derive(Default)]
pub struct Why {
    /// These tiles, where they are before the move.
    pub tiles: Vec<u8>,
    /// At least so many ups before the move.
    pub ups: u16,
}

impl Facts {
    /// The databases of a partition; none if they do not count tile by tile (`fringe`).
    ///
    /// # Errors
    /// If a limit comes before all tables are there.
    pub fn new(
        partition: &Partition,
        goal: &Board,
        tables: &Tables,
        control: &Control,
    ) -> Result<Option<Facts>, TableError> {
        let keys = partition.keys(goal).expect("the partition was checked");
        let mirror = partition
            .reflect
            .then(|| partition.mirror(goal).expect("the partition was checked"));
        if keys.iter().any(|key| key.counting == Counting::Every) {
            return Ok(None);
        }
        let identity = Symmetry::all(goal.width(), goal.height()).swap_remove(0);
        let mut lookups = vec![];
        let mut lookup_of = [[NONE; Key::MOST_CELLS]; 2];
        let mut views = 0;
        for view in [Some(identity), mirror].into_iter().flatten() {
            for key in &keys {
                let lookup = Lookup::new(key, &view, goal, tables, control)?;
                for &tile in &lookup.tiles {
                    lookup_of[views][usize::from(tile)] = lookups.len() as u8;
                }
                lookups.push(lookup);
            }
            views += 1;
        }
        assert!(lookups.len() <= MOST_LOOKUPS, "the partition was checked");
        Ok(Some(Facts {
            lookups,
            views,
            lookup_of,
            distance: distances(goal),
        }))
    }

    /// What is known of a board that can be solved.
    pub fn know(&self, board: &Board) -> Known {
        let mut known = Known {
            tiles: [0; Key::MOST_CELLS],
            blank: board.blank() as u8,
            ups: 0,
            placed: [self.lookups[0].placed(board); MOST_LOOKUPS],
            value: [0; MOST_LOOKUPS],
            extra: [0; MOST_LOOKUPS],
            extras: [0; 2],
        };
        for (tile, &number) in known.tiles.iter_mut().zip(board.tiles()) {
            *tile = number as u8;
        }
        let places = board.places();
        for (i, lookup) in self.lookups.iter().enumerate() {
            let placed = lookup.placed(board);
            let value = lookup.table.distance(placed, lookup.to.cell(board.blank()));
            let manhattan = |&tile: &u8| {
                let tile = usize::from(tile);
                self.distance[tile][usize::from(places[tile])]
            };
            known.placed[i] = placed;
            known.value[i] = value.expect("a board that can be solved") as u8;
            known.extra[i] = (known.value[i] - lookup.tiles.iter().map(manhattan).sum::<u8>()) / 2;
            known.extras[i / self.parts()] += u16::from(known.extra[i]);
        }
        known
    }

    /// Whether the blank's move to a cell leaves no plan within the slack.
    #[inline]
    pub fn cuts(&self, known: &Known, cell: usize, slack: u16) -> bool {
        let up = self.is_up(known, cell);
        (0..self.views).any(|view| {
            let extras = match self.change(known, view, cell, up) {
                Some(c) => {
                    known.extras[view] + u16::from(c.extra) - u16::from(known.extra[c.lookup])
                }
                None => known.extras[view],
            };
            known.ups + u16::from(up) + extras > slack
        })
    }

    /// What is known after the blank's move to a cell.
    #[inline]
    pub fn step(&self, known: &Known, cell: usize, after: &mut Known) {
        after.clone_from(known);
        let up = self.is_up(known, cell);
        for view in 0..self.views {
            if let Some(c) = self.change(known, view, cell, up) {
                after.extras[view] =
                    known.extras[view] + u16::from(c.extra) - u16::from(known.extra[c.lookup]);
                after.placed[c.lookup] = c.placed;
                after.value[c.lookup] = c.value;
                after.extra[c.lookup] = c.extra;
            }
        }
        after.ups += u16::from(up);
        after.tiles[usize::from(known.blank)] = known.tiles[cell];
        after.tiles[cell] = 0;
        after.blank = cell as u8;
    }

    /// The fewest facts that show why a move that [`Facts::cuts`] leaves no plan.
    ///
    /// Patterns that are not needed for the sum are left out, and no more ups are asked for than it takes.
    pub fn explain(&self, known: &Known, cell: usize, slack: u16, why: &mut Why) {
        let up = self.is_up(known, cell);
        let moved = known.tiles[cell];
        let needed = slack + 1;
        let mut best = (usize::MAX, 0, 0);
        for view in 0..self.views {
            let change = self.change(known, view, cell, up);
            let first = view * self.parts();
            for chosen in 0..1usize << self.parts() {
                let (mut extras, mut literals) = (0, 0);
                for part in 0..self.parts() {
                    if chosen >> part & 1 == 1 {
                        let i = first + part;
                        let changed = change.filter(|c| c.lookup == i).map(|c| c.extra);
                        extras += u16::from(changed.unwrap_or(known.extra[i]));
                        literals += self.lookups[i].tiles.len();
                    }
                }
                let holds_moved = {
                    let i = usize::from(self.lookup_of[view][usize::from(moved)]);
                    (first..first + self.parts()).contains(&i) && chosen >> (i - first) & 1 == 1
                };
                // The move's own up counts if its tile is named.
                for named in [false, true] {
                    let ups = u16::from(up && (named || holds_moved));
                    let literals = literals + usize::from(named && !holds_moved);
                    if known.ups + ups + extras >= needed && literals < best.0 {
                        why.ups = needed.saturating_sub(ups + extras);
                        best = (
                            literals,
                            first,
                            chosen | usize::from(named && !holds_moved) << 31,
                        );
                    }
                }
            }
        }
        let (literals, first, chosen) = best;
        assert!(literals < usize::MAX, "the move is cut");
        why.tiles.clear();
        for part in (0..self.parts()).filter(|part| chosen >> part & 1 == 1) {
            why.tiles
                .extend_from_slice(&self.lookups[first + part].tiles);
        }
        if chosen >> 31 == 1 {
            why.tiles.push(moved);
        }
    }

    fn parts(&self) -> usize {
        self.lookups.len() / self.views
    }

    #[inline]
    fn is_up(&self, known: &Known, cell: usize) -> bool {
        let distance = &self.distance[usize::from(known.tiles[cell])];
        distance[usize::from(known.blank)] > distance[cell]
    }

    #[inline]
    fn change(&self, known: &Known, view: usize, cell: usize, up: bool) -> Option<Change> {
        let i = usize::from(self.lookup_of[view][usize::from(known.tiles[cell])]);
        let lookup = self.lookups.get(i)?;
        let (from, to) = (lookup.to.cell(cell), lookup.to.cell(known.blank.into()));
        let ground = lookup.table.ground();
        let placed = ground.moved(known.placed[i], from, to);
        let block = ground.blocks.block(placed.map, from);
        let value = Table::stepped(
            known.value[i].into(),
            lookup.table.second_bit(block, placed.code),
        ) as u8;
        // One more move and one more of distance, or both less: the same extra. Else one more or less.
        let extra = match (value > known.value[i], up) {
            (true, false) => known.extra[i] + 1,
            (false, true) => known.extra[i] - 1,
            _ => known.extra[i],
        };
        Some(Change {
            lookup: i,
            placed,
            value,
            extra,
        })
    }
}

impl Lookup {
    fn new(
        key: &Key,
        view: &Symmetry,
        goal: &Board,
        tables: &Tables,
        control: &Control,
    ) -> Result<Lookup, TableError> {
        let table = tables.get(key, control)?;
        let (kept, canonical) = key.canonical();
        let to = view.then(&canonical);
        let back = to.inverse(goal.width(), goal.height());
        let tile = |&cell: &u8| goal.tiles()[back.cell(cell.into())] as u8;
        let tiles = kept.cells.iter().map(tile).collect();
        Ok(Lookup { table, to, tiles })
    }

    fn placed(&self, board: &Board) -> Placed {
        let places = board.places();
        let cell = |letter: usize| self.to.cell(places[usize::from(self.tiles[letter])].into());
        self.table.ground().place(cell)
    }
}

/// By tile and cell: the Manhattan distance of the tile from its place.
pub fn distances(goal: &Board) -> Vec<Vec<u8>> {
    let width = goal.width();
    let from = |home: &u16| {
        let home = usize::from(*home);
        let to = |cell: usize| {
            ((cell / width).abs_diff(home / width) + (cell % width).abs_diff(home % width)) as u8
        };
        (0..goal.tiles().len()).map(to).collect()
    };
    goal.places().iter().map(from).collect()
}
