//! The value of a position on a large board: how unsorted it is, and how far the next piece of the border is.
//!
//! Three parts are added up:
//!
//! 1. A power of the distance of each tile from its place, so that tiles far away hurry.
//!    With plain Manhattan distance the beam sorts what is near the blank and leaves
//!    stragglers elsewhere, which cost much later. Tiles that belong to the border weigh more.
//! 2. A fine for each pair of tiles in their row or column in the wrong order.
//! 3. The moves to bring the next piece of the border home (see `escort.rs`), and a
//!    large amount for every piece that is left. Pieces at home are fixed: the blank does not
//!    enter their cells any more. This part leads out of every dead end, if it has enough
//!    weight.
//!
//! A move changes each part a little, so that a value costs no sum over the board, except
//! when a piece is home and the next ones have to be found.

use noyes_puzzle::tiles::{Board, Generator};
use noyes_puzzle::{Cells, Position, Slide, SlideSpace};

use super::escort::{Escort, Field};
use super::peel::Peel;
use crate::control::{Control, Stop};
use crate::search::Guide;

/// One step of a tile next to its place.
const STEP: f64 = 256.0;

/// The weights of the parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// The power of the distance.
    pub(super) power: f64,
    /// How much more a step of the first tile of the border counts than one of the last tile.
    pub(super) border: f64,
    /// The fine for a pair in the wrong order, in steps.
    pub(super) conflict: f64,
    /// What a move towards the next piece counts, in steps.
    pub(super) piece: f64,
}

/// The value of positions of one board.
pub(super) struct LargeGuide {
    width: usize,
    height: usize,
    /// The cell of each tile in the goal.
    home: Vec<u16>,
    goal: Vec<u16>,
    peel: Peel,
    escorts: Vec<Escort>,
    /// By tile and distance from home.
    price: Vec<i32>,
    conflict: i32,
    /// What a move towards the next piece counts, and each piece that is left.
    move_price: i64,
    piece_price: i64,
    /// Random numbers of tiles and of cells: a position's key is the sum of their products.
    tile_key: Vec<u64>,
    cell_key: Vec<u64>,
}

/// What is known of a position.
#[derive(Clone, Copy)]
pub(super) struct Memo {
    key: u64,
    value: i64,
    /// Parts 1 and 2.
    disorder: i32,
    /// The piece to fix next.
    piece: u16,
    /// Where its tiles are.
    at: [u16; 2],
}

impl Memo {
    /// How many pieces are fixed.
    pub(super) fn fixed(&self) -> u16 {
        self.piece
    }
}

impl LargeGuide {
    /// The guide to a goal; an error if a limit is reached before its tables are ready.
    pub(super) fn new(goal: &Board, control: &Control) -> Result<LargeGuide, Stop> {
        let peel = Peel::new(goal);
        control.allow_bytes(peel.pieces.len() * Escort::bytes(goal.tiles().len()))?;
        let escort = |(number, homes): (usize, &Vec<u16>)| {
            control.poll_stop()?;
            let field = Field {
                width: goal.width(),
                piece_of: &peel.piece_of,
                piece: number as u16,
            };
            Ok(Escort::new(&field, homes))
        };
        let escorts: Result<_, Stop> = peel.pieces.iter().enumerate().map(escort).collect();
        let cells = goal.tiles().len();
        let mut generator = Generator::new(0, 0);
        let mut keys = || {
            let key = |_| (generator.below(usize::MAX) as u64) << 1 | 1;
            (0..cells).map(key).collect()
        };
        Ok(LargeGuide {
            width: goal.width(),
            height: goal.height(),
            home: goal.places(),
            goal: goal.tiles().to_vec(),
            escorts: escorts?,
            price: vec![],
            conflict: 0,
            move_price: 0,
            piece_price: 0,
            tile_key: keys(),
            cell_key: keys(),
            peel,
        })
    }

    /// Sets the weights.
    pub(super) fn weigh(&mut self, weights: Weights) {
        let pieces = self.peel.pieces.len();
        let distances = self.width + self.height;
        self.price.clear();
        for &home in &self.home {
            let left = pieces - usize::from(self.peel.piece_of[usize::from(home)]);
            let weight = STEP * (1.0 + weights.border * left as f64 / pieces.max(1) as f64);
            let price = |distance| (weight * f64::powf(distance as f64, weights.power)).round();
            self.price
                .extend((0..distances).map(|distance| price(distance) as i32));
        }
        self.price[..distances].fill(0); // the blank
        self.conflict = (STEP * weights.conflict) as i32;
        self.set_piece(weights.piece);
    }

    /// Sets the weight of the next piece alone.
    pub(super) fn set_piece(&mut self, weight: f64) {
        self.move_price = (STEP * weight) as i64;
        self.piece_price = self.move_price * i64::from(Escort::most(self.width, self.height));
    }

    fn price(&self, tile: u16, cell: u16) -> i32 {
        let (home, cell) = (usize::from(self.home[usize::from(tile)]), usize::from(cell));
        let rows = (home / self.width).abs_diff(cell / self.width);
        let columns = (home % self.width).abs_diff(cell % self.width);
        self.price[usize::from(tile) * (self.width + self.height) + rows + columns]
    }

    /// How many tiles of its goal line a tile has on the wrong side, if it is on this cell.
    #[inline]
    fn conflicts<C: Cells>(&self, state: &Position<C>, tile: u16, cell: u16, by: Line) -> i32 {
        let (width, cell) = (self.width, usize::from(cell));
        let home = usize::from(self.home[usize::from(tile)]);
        let (first, stride, length) = match by {
            Line::Row => (cell - cell % width, 1, width),
            Line::Column => (cell % width, width, self.height),
        };
        let mut count = 0;
        for i in 0..length {
            let there = first + i * stride;
            let other = state.tile(there as u16);
            if other == 0 || other == tile {
                continue;
            }
            let other = usize::from(self.home[usize::from(other)]);
            // Both homes are in this line, so their order is that of the cells.
            let belongs = match by {
                Line::Row => other / width == cell / width,
                Line::Column => other % width == cell % width,
            };
            count += i32::from(belongs && (there < cell) != (other < home));
        }
        count
    }

    /// Sets the value, after fixing all pieces that are home; `tile_at` looks at the position.
    #[inline]
    fn settle(&self, memo: &mut Memo, blank: u16, tile_at: impl Fn(u16) -> u16) {
        let left = loop {
            let Some(escort) = self.escorts.get(usize::from(memo.piece)) else {
                break 0;
            };
            let moves = escort.moves(memo.at, blank);
            if moves > 0 {
                break moves;
            }
            memo.piece += 1;
            memo.at = self.find(memo.piece, &tile_at);
        };
        let pieces = self.escorts.len() - usize::from(memo.piece);
        memo.value = i64::from(memo.disorder)
            + self.move_price * i64::from(left)
            + self.piece_price * pieces as i64;
    }

    /// Where the tiles of a piece are.
    fn find(&self, piece: u16, tile_at: impl Fn(u16) -> u16) -> [u16; 2] {
        let mut at = [0; 2];
        if let Some(homes) = self.peel.pieces.get(usize::from(piece)) {
            for (at, &home) in at.iter_mut().zip(homes) {
                let tile = self.goal[usize::from(home)];
                let mut cells = 0..self.goal.len() as u16;
                *at = cells.find(|&cell| tile_at(cell) == tile).expect("a tile");
            }
            if homes.len() == 1 {
                at[1] = u16::MAX;
            }
        }
        at
    }
}

#[derive(Clone, Copy)]
enum Line {
    Row,
    Column,
}

impl<C: Cells> Guide<SlideSpace<C>> for LargeGuide {
    type Memo = Memo;
    const FINE_BITS: u32 = 6; // a quarter of a step

    fn start(&self, state: &Position<C>) -> Memo {
        let mut memo = Memo {
            key: 0,
            value: 0,
            disorder: 0,
            piece: 0,
            at: self.find(0, |cell| state.tile(cell)),
        };
        let mut conflicts = 0;
        for cell in 0..self.goal.len() as u16 {
            let tile = state.tile(cell);
            let (at, home) = (usize::from(cell), usize::from(self.home[usize::from(tile)]));
            let key = self.tile_key[usize::from(tile)].wrapping_mul(self.cell_key[at]);
            memo.key = memo.key.wrapping_add(key);
            memo.disorder += self.price(tile, cell);
            if tile != 0 && home / self.width == at / self.width {
                conflicts += self.conflicts(state, tile, cell, Line::Row);
            }
            if tile != 0 && home % self.width == at % self.width {
                conflicts += self.conflicts(state, tile, cell, Line::Column);
            }
        }
        memo.disorder += conflicts / 2 * self.conflict; // each pair was counted from both sides
        self.settle(&mut memo, state.blank(), |cell| state.tile(cell));
        memo
    }

    #[inline]
    fn after(&self, mut memo: Memo, state: &Position<C>, slide: Slide) -> Option<Memo> {
        let Slide { from, to, .. } = slide;
        if self.peel.piece_of[usize::from(to)] < memo.piece {
            return None;
        }
        // The tile goes from `to` to `from`.
        let tile = state.tile(to);
        let t = usize::from(tile);
        let (old, new, home) = (
            usize::from(to),
            usize::from(from),
            usize::from(self.home[t]),
        );
        memo.key = memo.key.wrapping_add(
            self.tile_key[t]
                .wrapping_sub(self.tile_key[0])
                .wrapping_mul(self.cell_key[new].wrapping_sub(self.cell_key[old])),
        );
        memo.disorder += self.price(tile, from) - self.price(tile, to);
        let (line, line_of): (Line, fn(usize, usize) -> usize) =
            if old.abs_diff(new) == self.width && self.width > 1 {
                (Line::Row, |cell, width| cell / width)
            } else {
                (Line::Column, |cell, width| cell % width)
            };
        let home_line = line_of(home, self.width);
        if home_line == line_of(old, self.width) {
            memo.disorder -= self.conflict * self.conflicts(state, tile, to, line);
        } else if home_line == line_of(new, self.width) {
            memo.disorder += self.conflict * self.conflicts(state, tile, from, line);
        }
        for at in &mut memo.at {
            if *at == to {
                *at = from;
            }
        }
        self.settle(&mut memo, to, |cell| {
            if cell == from {
                tile
            } else if cell == to {
                0
            } else {
                state.tile(cell)
            }
        });
        Some(memo)
    }

    #[inline]
    fn value(&self, memo: Memo) -> i64 {
        memo.value
    }

    #[inline]
    fn key(&self, memo: Memo) -> u64 {
        memo.key
    }

    fn bytes(&self) -> usize {
        self.escorts.len() * Escort::bytes(self.goal.len()) + size_of_val(&self.price[..])
    }
}
