//! Misplaced tiles: each tile that is not on its goal cell must move at least once.
//!
//! The weakest of the heuristics, for boards and graphs alike. The blank does not
//! count: a single move can bring two pieces home, a tile and the blank, so the
//! bound would be too high. A move moves one tile and changes only that tile's
//! term, by at most one: the bound is consistent.

use noyes_puzzle::{Cells, Position, Slide, SlideSpace};

use super::manhattan::home;
use crate::search::Heuristic;

/// The number of tiles that are not on their goal cells.
pub struct Misplaced {
    /// The goal cell of each tile.
    home: Vec<u16>,
}

impl Misplaced {
    /// The heuristic of a space.
    pub fn new<C: Cells>(space: &SlideSpace<C>) -> Misplaced {
        Misplaced { home: home(space) }
    }
}

impl<C: Cells> Heuristic<SlideSpace<C>> for Misplaced {
    type Memo = u32;

    fn start(&self, state: &Position<C>) -> u32 {
        let misplaced = |&cell: &u16| {
            let tile = state.tile(cell);
            tile != 0 && self.home[usize::from(tile)] != cell
        };
        let cells = self.home.len() as u32;
        (0..cells).map(|c| c as u16).filter(misplaced).count() as u32
    }

    #[inline]
    fn after(&self, memo: u32, state: &Position<C>, slide: Slide) -> u32 {
        let home = self.home[usize::from(state.tile(slide.to))];
        memo + u32::from(slide.to == home) - u32::from(slide.from == home)
    }

    #[inline]
    fn bound(&self, memo: u32) -> u32 {
        memo
    }
}
