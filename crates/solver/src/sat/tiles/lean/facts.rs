//! Facts: what the pattern databases know of a board, carried along move by move.
//!
//! A move takes its tile one step nearer to its place or one farther from it: an
//! *up*. A plan of k moves from a board with Manhattan distance m has exactly
//! (k − m) / 2 ups, its *slack*. A database says how many moves the tiles of its
//! pattern still make at least; what that is above their Manhattan distance, halved,
//! is the number of ups they still make, the pattern's *extra*. Ups of different
//! tiles are different ups, so the extras of disjoint patterns add up, and so do
//! those of any few of them.
//!
//! A move changes one pattern in each view, the board and its mirror image
//! (`tiles/pdb/lookup.rs`).

use noyes_puzzle::tiles::Board;

use crate::control::Control;
use crate::tiles::pdb::{
    Counting, Key, Lookups, MOST_LOOKUPS, Partition, Sight, TableError, Tables,
};

/// Databases for one goal.
pub struct Facts {
    lookups: Lookups,
    /// By tile and cell: the Manhattan distance of the tile from its place.
    distance: Vec<Vec<u8>>,
}

/// A board, and what the databases know of it.
#[derive(Clone)]
pub struct Known {
    pub tiles: [u8; Key::MOST_CELLS],
    pub blank: u8,
    /// Ups on the way here.
    pub ups: u16,
    sights: [Sight; MOST_LOOKUPS],
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
    sight: Sight,
    extra: u8,
}

/// Why a move cannot be part of a plan within the slack.
#[derive(Default)]
pub struct Why {
    /// These tiles, where they are before the move.
    pub tiles: Vec<u8>,
    /// At least this number of ups before the move.
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
        if keys.iter().any(|key| key.counting == Counting::Every) {
            return Ok(None);
        }
        // Ups are counted by values that change by one, which those without the blank do not.
        let mut aware = partition.clone();
        aware.plain = false;
        Ok(Some(Facts {
            lookups: Lookups::new(&aware, goal, tables, control)?,
            distance: distances(goal),
        }))
    }

    /// The bytes of the tables.
    pub fn table_bytes(&self) -> usize {
        self.lookups.table_bytes()
    }

    /// What is known of a board that can be solved.
    pub fn know(&self, board: &Board) -> Known {
        let mut known = Known {
            tiles: [0; Key::MOST_CELLS],
            blank: board.blank() as u8,
            ups: 0,
            sights: [Sight::default(); MOST_LOOKUPS],
            extra: [0; MOST_LOOKUPS],
            extras: [0; 2],
        };
        for (tile, &number) in known.tiles.iter_mut().zip(board.tiles()) {
            *tile = number as u8;
        }
        let places = board.places();
        let tile = |cell: usize| usize::from(board.tiles()[cell]);
        for (i, lookup) in self.lookups.all().iter().enumerate() {
            let manhattan = |&tile: &u8| {
                let tile = usize::from(tile);
                self.distance[tile][usize::from(places[tile])]
            };
            let sight = lookup.look(tile, board.blank());
            known.sights[i] = sight;
            known.extra[i] = (sight.value() - lookup.tiles().iter().map(manhattan).sum::<u8>()) / 2;
            known.extras[i / self.lookups.parts()] += u16::from(known.extra[i]);
        }
        known
    }

    /// Whether the blank's move to a cell leaves no plan within the slack.
    #[inline]
    pub fn cuts(&self, known: &Known, cell: usize, slack: u16) -> bool {
        let up = self.is_up(known, cell);
        (0..self.lookups.views()).any(|view| {
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
        for view in 0..self.lookups.views() {
            if let Some(c) = self.change(known, view, cell, up) {
                after.extras[view] =
                    known.extras[view] + u16::from(c.extra) - u16::from(known.extra[c.lookup]);
                after.sights[c.lookup] = c.sight;
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
        for view in 0..self.lookups.views() {
            let change = self.change(known, view, cell, up);
            let first = view * self.lookups.parts();
            for chosen in 0..1usize << self.lookups.parts() {
                let (mut extras, mut literals) = (0, 0);
                for part in 0..self.lookups.parts() {
                    if chosen >> part & 1 == 1 {
                        let i = first + part;
                        let changed = change.filter(|c| c.lookup == i).map(|c| c.extra);
                        extras += u16::from(changed.unwrap_or(known.extra[i]));
                        literals += self.lookups.all()[i].tiles().len();
                    }
                }
                let holds_moved = self
                    .lookups
                    .of_tile(view, moved.into())
                    .is_some_and(|i| chosen >> (i - first) & 1 == 1);
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
        for part in (0..self.lookups.parts()).filter(|part| chosen >> part & 1 == 1) {
            why.tiles
                .extend_from_slice(self.lookups.all()[first + part].tiles());
        }
        if chosen >> 31 == 1 {
            why.tiles.push(moved);
        }
    }

    #[inline]
    fn is_up(&self, known: &Known, cell: usize) -> bool {
        let distance = &self.distance[usize::from(known.tiles[cell])];
        distance[usize::from(known.blank)] > distance[cell]
    }

    #[inline]
    fn change(&self, known: &Known, view: usize, cell: usize, up: bool) -> Option<Change> {
        let (tile, cells) = (known.tiles[cell].into(), (cell, known.blank.into()));
        let (lookup, sight) = (self.lookups).after(view, tile, cells, |i| known.sights[i])?;
        // One more move and one more of distance, or both less: the same extra. Else one more or less.
        let extra = match (sight.value() > known.sights[lookup].value(), up) {
            (true, false) => known.extra[lookup] + 1,
            (false, true) => known.extra[lookup] - 1,
            _ => known.extra[lookup],
        };
        Some(Change {
            lookup,
            sight,
            extra,
        })
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
