//! Manhattan distance: every tile must walk home, and each move takes one tile one step.
//!
//! On a board that is the sum of the rows and columns each tile is away from its
//! place; on a graph, of the lengths of the shortest ways. The blank does not
//! count: its steps are the tiles' steps. Each move changes one term by at most
//! one, so the bound is consistent.
//!
//! [`Manhattan`] looks the change up in a table of slide × tile, which is what a
//! fast loop wants and small for the boards that can be searched far.
//! [`GraphDistance`] keeps distances only, for larger ones.

use std::cell::OnceCell;

use noyes_puzzle::graph::Graph;
use noyes_puzzle::{Cells, Position, Slide, SlideSpace};

use super::Heuristic;

/// Manhattan distance by a table of changes.
pub struct Manhattan<'a> {
    distances: GraphDistance<'a>,
    /// By slide and tile: what the bound gains when the blank slides over this tile.
    change: Vec<i8>,
}

impl<'a> Manhattan<'a> {
    /// The most cells that the table of changes is made for.
    pub const MOST_CELLS: usize = 256;

    /// The heuristic of a space.
    pub fn new<C: Cells>(space: &SlideSpace<C>, distances: GraphDistance<'a>) -> Manhattan<'a> {
        let cells = space.cells();
        assert!(cells <= Self::MOST_CELLS, "too many cells for a table");
        let tiles = 0..cells as u16;
        let change = space
            .slides()
            .iter()
            .flat_map(|s| tiles.clone().map(|t| distances.change(t, *s) as i8))
            .collect();
        Manhattan { distances, change }
    }
}

impl<C: Cells> Heuristic<SlideSpace<C>> for Manhattan<'_> {
    type Memo = u32;

    fn start(&self, state: &Position<C>) -> u32 {
        self.distances.start(state)
    }

    #[inline]
    fn after(&self, memo: u32, state: &Position<C>, slide: Slide) -> u32 {
        let row = slide.index as usize * self.distances.cells;
        memo.wrapping_add_signed(self.change[row + usize::from(state.tile(slide.to))].into())
    }

    #[inline]
    fn bound(&self, memo: u32) -> u32 {
        memo
    }
}

/// Manhattan distance by the distances of cells, on boards and graphs of any size.
pub struct GraphDistance<'a> {
    cells: usize,
    metric: Metric<'a>,
    /// The goal cell of each tile.
    home: Vec<u16>,
}

enum Metric<'a> {
    /// Rows and columns of a board this wide.
    Board { width: u32 },
    /// Shortest ways in a graph, from the home of each tile that has moved yet.
    Graph {
        graph: &'a Graph,
        from_home: Vec<OnceCell<Vec<u32>>>,
    },
}

impl<'a> GraphDistance<'a> {
    /// Distances on a board of this width.
    pub fn on_board<C: Cells>(space: &SlideSpace<C>, width: usize) -> GraphDistance<'a> {
        GraphDistance {
            cells: space.cells(),
            metric: Metric::Board {
                width: width as u32,
            },
            home: home(space),
        }
    }

    /// Distances on a graph.
    pub fn on_graph<C: Cells>(space: &SlideSpace<C>, graph: &'a Graph) -> GraphDistance<'a> {
        let from_home = vec![OnceCell::new(); space.cells()];
        GraphDistance {
            cells: space.cells(),
            metric: Metric::Graph { graph, from_home },
            home: home(space),
        }
    }

    /// Steps of a tile from a cell to its place.
    fn distance(&self, tile: u16, cell: u16) -> u32 {
        let home = self.home[usize::from(tile)];
        match &self.metric {
            _ if tile == 0 || cell == home => 0,
            Metric::Board { width } => {
                let (home, cell) = (u32::from(home), u32::from(cell));
                (home / width).abs_diff(cell / width) + (home % width).abs_diff(cell % width)
            }
            Metric::Graph { graph, from_home } => from_home[usize::from(tile)]
                .get_or_init(|| graph.distances_from(home))[usize::from(cell)],
        }
    }

    /// What the bound gains when the blank slides over this tile.
    fn change(&self, tile: u16, slide: Slide) -> i32 {
        self.distance(tile, slide.from).cast_signed() - self.distance(tile, slide.to).cast_signed()
    }
}

/// The goal cell of each tile.
pub(super) fn home<C: Cells>(space: &SlideSpace<C>) -> Vec<u16> {
    let mut home = vec![0; space.cells()];
    for cell in 0..space.cells() {
        home[usize::from(space.goal().tile(cell as u16))] = cell as u16;
    }
    home
}

impl<C: Cells> Heuristic<SlideSpace<C>> for GraphDistance<'_> {
    type Memo = u32;

    fn start(&self, state: &Position<C>) -> u32 {
        (0..self.cells)
            .map(|cell| self.distance(state.tile(cell as u16), cell as u16))
            .sum()
    }

    fn after(&self, memo: u32, state: &Position<C>, slide: Slide) -> u32 {
        memo.wrapping_add_signed(self.change(state.tile(slide.to), slide))
    }

    fn bound(&self, memo: u32) -> u32 {
        memo
    }
}
