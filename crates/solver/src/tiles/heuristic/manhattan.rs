//! Manhattan distance: every tile must walk home, and each move takes one tile one step.
//!
//! On a board it is the sum, over all tiles, of the rows and columns between a tile
//! and its place; on a graph, of the lengths of the shortest paths. The blank does
//! not count: its steps are the tiles' steps. Each move changes one term by at most
//! one, so the bound is consistent.
//!
//! [`Manhattan`] looks the change up in a table of slide × tile. That suits a fast
//! loop, and the table is small for boards that can be searched deeply.
//! [`GraphDistance`] stores only distances, for larger puzzles: on a graph one row
//! for each tile that is not at home or has moved, made when it is first needed. A
//! row that does not fit the limits counts as zero from then on, which is still a
//! lower bound, and still consistent.

use std::cell::{Cell, OnceCell};

use noyes_puzzle::graph::Graph;
use noyes_puzzle::{Cells, Position, Slide, SlideSpace};

use crate::control::Control;
use crate::search::Heuristic;

/// Manhattan distance by a table of changes.
pub struct Manhattan<'a> {
    distances: GraphDistance<'a>,
    /// By slide and tile: how much the bound grows when the blank slides over this tile.
    change: Vec<i8>,
}

impl<'a> Manhattan<'a> {
    /// The largest number of cells with a table of changes.
    pub(crate) const MOST_CELLS: usize = 256;

    /// The bytes of the table of changes.
    pub(crate) fn table_bytes<C: Cells>(space: &SlideSpace<C>) -> usize {
        space.slides().len() * space.cells()
    }

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

    fn bytes(&self) -> usize {
        self.change.len() + self.distances.table_bytes()
    }
}

/// Manhattan distance from the distances between cells, on boards and graphs of any size.
pub struct GraphDistance<'a> {
    cells: usize,
    metric: Metric<'a>,
    /// The goal cell of each tile.
    home: Vec<u16>,
}

enum Metric<'a> {
    /// Rows and columns of a board this wide: up to 65,536, one more than 16 bits hold.
    Board { width: u32 },
    /// Shortest paths in a graph.
    Graph(Rows<'a>),
}

/// Shortest paths in a graph, from the home of each tile that was needed so far.
struct Rows<'a> {
    graph: &'a Graph,
    /// By tile. An empty row did not fit the limits.
    from_home: Vec<OnceCell<Box<[u16]>>>,
    control: Option<&'a Control>,
    /// The bytes of all rows, including those that did not fit.
    bytes: Cell<usize>,
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
        let rows = Rows {
            graph,
            from_home: vec![OnceCell::new(); space.cells()],
            control: None,
            bytes: Cell::new(0),
        };
        GraphDistance {
            cells: space.cells(),
            metric: Metric::Graph(rows),
            home: home(space),
        }
    }

    /// Makes rows only within these limits.
    #[must_use]
    pub fn within(mut self, limits: &'a Control) -> GraphDistance<'a> {
        if let Metric::Graph(rows) = &mut self.metric {
            rows.control = Some(limits);
        }
        self
    }

    /// Steps of a tile from a cell to its place.
    pub(crate) fn distance(&self, tile: u16, cell: u16) -> u32 {
        let home = self.home[usize::from(tile)];
        match &self.metric {
            _ if tile == 0 || cell == home => 0,
            Metric::Board { width } => {
                let (home, cell) = (u32::from(home), u32::from(cell));
                (home / width).abs_diff(cell / width) + (home % width).abs_diff(cell % width)
            }
            Metric::Graph(rows) => rows.distance(tile, home, cell),
        }
    }

    fn table_bytes(&self) -> usize {
        match &self.metric {
            Metric::Board { .. } => 0,
            Metric::Graph(rows) => rows.bytes.get(),
        }
    }

    /// How much the bound grows when the blank slides over this tile.
    fn change(&self, tile: u16, slide: Slide) -> i32 {
        self.distance(tile, slide.from).cast_signed() - self.distance(tile, slide.to).cast_signed()
    }
}

impl Rows<'_> {
    /// Steps of a tile from a cell to its home.
    fn distance(&self, tile: u16, home: u16, cell: u16) -> u32 {
        let row = self.from_home[usize::from(tile)].get_or_init(|| self.row(home));
        row.get(usize::from(cell)).copied().unwrap_or(0).into()
    }

    /// The distances of all cells from one; empty if that does not fit the limits.
    #[cold]
    fn row(&self, home: u16) -> Box<[u16]> {
        if self.control.is_some_and(|c| c.poll_stop().is_err()) {
            return [].into();
        }
        let row_bytes = size_of::<u16>() * self.from_home.len();
        self.bytes.set(self.bytes.get().saturating_add(row_bytes));
        if (self.control).is_some_and(|c| c.allow_bytes(self.bytes.get()).is_err()) {
            return [].into();
        }
        let distances = self.graph.distances_from(home);
        distances.iter().map(|&d| d as u16).collect() // at most 65,535: shortest paths visit no vertex twice
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

    fn bytes(&self) -> usize {
        self.table_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::tiles::Board;

    #[test]
    fn a_single_row_of_65536_cells_does_not_divide_by_zero() {
        let (start, goal) = (
            Board::blank_first(1 << 16, 1),
            Board::blank_last(1 << 16, 1),
        );
        let space = SlideSpace::<Box<[u16]>>::on_board(&start, &goal);
        let heuristic = GraphDistance::on_board(&space, 1 << 16);
        assert_eq!(heuristic.start(&noyes_puzzle::Space::start(&space)), 65_535);
    }

    #[test]
    fn rows_of_a_graph_stay_within_the_memory_limit() {
        let graph = Graph::named("cycle:100").unwrap();
        let goal: Vec<u16> = (1..100).chain([0]).collect();
        let mut start = goal.clone();
        start[..99].rotate_left(1);
        let space = SlideSpace::<Box<[u16]>>::on_graph(&graph, &start, &goal);
        let of = |control: &Control| {
            let heuristic = GraphDistance::on_graph(&space, &graph).within(control);
            let bound = heuristic.start(&noyes_puzzle::Space::start(&space));
            (bound, heuristic.table_bytes())
        };
        assert_eq!(of(&Control::new()), (100, 99 * 200));
        let (bound, bytes) = of(&Control::new().memory_limit(1000));
        assert!((5..=6).contains(&bound) && bytes > 1000); // five rows, and the engine sees that it needs more
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        assert_eq!(of(&Control::new().stop_flag(stop)), (0, 0));
    }
}
