//! Sliding tiles as a space, on any graph; a w×h board is one of them.
//!
//! Which cells touch is a table of slides, so boards and Wilson's graphs share
//! one set of rules. The tiles themselves are kept in a packed word for up to
//! 16 cells, in bytes for up to 32, and in 16-bit numbers beyond: the search is
//! compiled once for each, and the rules stay the same.

use std::fmt::Debug;
use std::hash::Hash;
use std::iter::Copied;
use std::slice::Iter;

use crate::graph::Graph;
use crate::tiles::Board;
use crate::{Duplicates, Reverse, Space};

/// Tiles on cells, stored one way or another.
pub trait Cells: Clone + Eq + Hash + Debug {
    /// The most cells that fit.
    const MOST: usize;
    /// Stores these tiles.
    fn store(tiles: &[u16]) -> Self;
    /// The tile on a cell.
    fn tile(&self, cell: u16) -> u16;
    /// Moves the tile on `from` to `blank`; `from` is blank afterwards.
    fn slide(&mut self, from: u16, blank: u16);
    /// The bytes it owns elsewhere, with what an allocator keeps beside them.
    fn heap_bytes(&self) -> usize {
        0
    }
}

/// As many cells as there are bytes, at most 256.
impl<const N: usize> Cells for [u8; N] {
    const MOST: usize = N;

    fn store(tiles: &[u16]) -> Self {
        std::array::from_fn(|i| tiles.get(i).map_or(0, |&t| t as u8))
    }

    #[inline]
    fn tile(&self, cell: u16) -> u16 {
        u16::from(self[usize::from(cell)])
    }

    #[inline]
    fn slide(&mut self, from: u16, blank: u16) {
        self[usize::from(blank)] = self[usize::from(from)];
        self[usize::from(from)] = 0;
    }
}

/// Any number of cells.
impl Cells for Box<[u16]> {
    const MOST: usize = 1 << 16;

    fn store(tiles: &[u16]) -> Self {
        tiles.into()
    }

    #[inline]
    fn tile(&self, cell: u16) -> u16 {
        self[usize::from(cell)]
    }

    #[inline]
    fn slide(&mut self, from: u16, blank: u16) {
        self[usize::from(blank)] = self[usize::from(from)];
        self[usize::from(from)] = 0;
    }

    /// With what an allocator adds: a word of its own, rounded up to 16 bytes, 32 at least.
    fn heap_bytes(&self) -> usize {
        (size_of_val::<[u16]>(self) + 8)
            .next_multiple_of(16)
            .max(32)
    }
}

/// Up to 16 cells, four bits each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Nibbles(u64);

impl Cells for Nibbles {
    const MOST: usize = 16;

    fn store(tiles: &[u16]) -> Self {
        Nibbles(
            tiles
                .iter()
                .rev()
                .fold(0, |word, &tile| word << 4 | u64::from(tile)),
        )
    }

    #[inline]
    fn tile(&self, cell: u16) -> u16 {
        (self.0 >> (4 * cell) & 15) as u16
    }

    #[inline]
    fn slide(&mut self, from: u16, blank: u16) {
        let tile = self.0 >> (4 * from) & 15;
        self.0 ^= tile << (4 * from) | tile << (4 * blank);
    }
}

/// The blank's step from one cell to the next, and so the tile's step back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slide {
    /// The cell the blank leaves.
    pub from: u16,
    /// The cell the blank enters.
    pub to: u16,
    /// The number of this slide among all slides of the graph.
    pub index: u32,
    /// The walk it ends, as far as that decides what may follow.
    walk: u32,
}

/// Where the tiles lie, and where the blank is.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Position<C> {
    cells: C,
    blank: u16,
}

impl<C: Cells> Position<C> {
    /// These tiles by cell, one of them the blank 0.
    ///
    /// # Panics
    /// If there is no blank, or there are too many tiles for this store.
    pub fn new(tiles: &[u16]) -> Self {
        assert!(tiles.len() <= C::MOST, "at most {} cells here", C::MOST);
        let blank = tiles.iter().position(|&t| t == 0);
        Position {
            cells: C::store(tiles),
            blank: blank.expect("a blank") as u16,
        }
    }

    /// The tile on a cell.
    #[inline]
    pub fn tile(&self, cell: u16) -> u16 {
        self.cells.tile(cell)
    }

    /// The cell of the blank.
    #[inline]
    pub fn blank(&self) -> u16 {
        self.blank
    }
}

/// Tiles on a graph, a position to start from and one to reach.
#[derive(Clone, Debug)]
pub struct SlideSpace<C> {
    slides: Slides,
    start: Position<C>,
    goal: Position<C>,
}

impl<C: Cells> SlideSpace<C> {
    /// The space of a graph; tiles by vertex, 0 for the blank.
    ///
    /// # Panics
    /// If the tiles are not one for each vertex, or too many for this store.
    pub fn on_graph(graph: &Graph, start: &[u16], goal: &[u16]) -> Self {
        SlideSpace::new(
            Slides::new(graph.len(), |v| graph.neighbours(v).to_vec()),
            start,
            goal,
        )
    }

    /// The space of a board, the blank going up, left, right, down in this order.
    ///
    /// # Panics
    /// If the two boards differ in size.
    pub fn on_board(start: &Board, goal: &Board) -> Self {
        assert_eq!(start.width(), goal.width(), "one size");
        let neighbours = |cell: u16| {
            let next = |d| start.neighbour(usize::from(cell), d).map(|c| c as u16);
            crate::tiles::Direction::ALL
                .into_iter()
                .filter_map(next)
                .collect()
        };
        SlideSpace::new(
            Slides::new(start.tiles().len(), neighbours),
            start.tiles(),
            goal.tiles(),
        )
    }

    fn new(slides: Slides, start: &[u16], goal: &[u16]) -> Self {
        assert_eq!(
            (start.len(), goal.len()),
            (slides.cells(), slides.cells()),
            "a tile for every cell"
        );
        SlideSpace {
            start: Position::new(start),
            goal: Position::new(goal),
            slides,
        }
    }

    /// The same space for a depth-first search that need not follow duplicate walks: `moves_after` leaves out what
    /// the automaton forbids. Only for engines that keep no states, see [`Duplicates`].
    #[must_use]
    pub fn without_duplicates(self, duplicates: &Duplicates) -> Self {
        SlideSpace {
            slides: self.slides.without(duplicates),
            ..self
        }
    }

    /// The position to reach.
    pub fn goal(&self) -> &Position<C> {
        &self.goal
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.slides.cells()
    }

    /// The slide from one cell to the next.
    ///
    /// # Panics
    /// If the two do not touch.
    pub fn slide(&self, from: u16, to: u16) -> Slide {
        *self
            .slides
            .of_cell(from)
            .iter()
            .find(|s| s.to == to)
            .expect("cells that touch")
    }

    /// Every slide there is, by its number.
    pub fn slides(&self) -> &[Slide] {
        self.slides.all()
    }
}

impl<C: Cells> Space for SlideSpace<C> {
    type State = Position<C>;
    type Move = Slide;
    type Moves<'a>
        = Copied<Iter<'a, Slide>>
    where
        Self: 'a;

    fn start(&self) -> Position<C> {
        self.start.clone()
    }

    fn is_goal(&self, state: &Position<C>) -> bool {
        *state == self.goal
    }

    #[inline]
    fn moves(&self, state: &Position<C>) -> Self::Moves<'_> {
        self.slides.of_cell(state.blank).iter().copied()
    }

    #[inline]
    fn moves_after(&self, _: &Position<C>, last: Slide) -> Self::Moves<'_> {
        self.slides.after(last).iter().copied()
    }

    #[inline]
    fn apply(&self, state: &mut Position<C>, slide: Slide) {
        state.cells.slide(slide.to, slide.from);
        state.blank = slide.to;
    }

    #[inline]
    fn undo(&self, state: &mut Position<C>, slide: Slide) {
        state.cells.slide(slide.from, slide.to);
        state.blank = slide.from;
    }

    fn state_bytes(&self) -> usize {
        size_of::<Position<C>>() + self.start.cells.heap_bytes()
    }
}

impl<C: Cells> Reverse for SlideSpace<C> {
    type Back = SlideSpace<C>;

    fn reversed(&self) -> SlideSpace<C> {
        SlideSpace {
            slides: self.slides.clone(),
            start: self.goal.clone(),
            goal: self.start.clone(),
        }
    }

    fn turned(&self, slide: Slide) -> Slide {
        *self
            .slides
            .of_cell(slide.to)
            .iter()
            .find(|back| back.to == slide.from)
            .expect("edges have no direction")
    }

    fn least_cost(&self) -> u32 {
        1
    }
}

/// The most pairs of slides, one right after the other, that a space keeps in its lists: 32 MiB.
const MOST_FOLLOWING: usize = 1 << 22;

/// Every slide of a graph, in lists: those of each cell, and those that may follow each slide.
///
/// A dense graph has very many such pairs. There the second list is left out, and all slides of the cell may follow,
/// including the one straight back: among hundreds, that one costs little.
#[derive(Clone, Debug)]
struct Slides {
    /// Each once, and behind them those that follow each.
    list: Vec<Slide>,
    count: usize,
    /// Where the slides of each cell start in the list; one more at the end.
    of_cell: Vec<u32>,
    /// Where in the list those that follow each walk start and end. A walk is its last slide, or a state of an
    /// automaton that knows more of it.
    after: Vec<[u32; 2]>,
}

impl Slides {
    fn new(cells: usize, neighbours: impl Fn(u16) -> Vec<u16>) -> Slides {
        let mut slides = Slides {
            list: vec![],
            count: 0,
            of_cell: vec![0],
            after: vec![],
        };
        for from in 0..cells as u32 {
            for to in neighbours(from as u16) {
                let index = slides.list.len() as u32;
                slides.list.push(Slide {
                    from: from as u16,
                    to,
                    index,
                    walk: index,
                });
            }
            slides.of_cell.push(slides.list.len() as u32);
        }
        slides.count = slides.list.len();
        let degree = |slide: &Slide| slides.of_cell(slide.to).len();
        let pairs: usize = slides.list.iter().map(|s| degree(s) - 1).sum();
        slides.after.reserve_exact(slides.count);
        if pairs > MOST_FOLLOWING {
            for i in 0..slides.count {
                let cell = usize::from(slides.list[i].to);
                slides
                    .after
                    .push([slides.of_cell[cell], slides.of_cell[cell + 1]]);
            }
            return slides;
        }
        slides.list.reserve_exact(pairs);
        for i in 0..slides.count {
            let (last, start) = (slides.list[i], slides.list.len() as u32);
            let cell = usize::from(last.to);
            for next in slides.of_cell[cell]..slides.of_cell[cell + 1] {
                let next = slides.list[next as usize];
                if next.to != last.from {
                    slides.list.push(next);
                }
            }
            slides.after.push([start, slides.list.len() as u32]);
        }
        slides
    }

    /// The same slides, with what may follow decided by an automaton.
    fn without(mut self, duplicates: &Duplicates) -> Slides {
        self.list.truncate(self.count);
        for slide in &mut self.list {
            let number = slide.index - self.of_cell[usize::from(slide.from)];
            let next = duplicates.next(duplicates.start(slide.from), number as usize);
            slide.walk = next.expect("a single step is never a duplicate");
        }
        // The cell of each state, known once it is reached.
        let mut cell_of = vec![None; duplicates.states()];
        let mut open: Vec<(u32, u16)> = self.list.iter().map(|s| (s.walk, s.to)).collect();
        while let Some((state, cell)) = open.pop() {
            if cell_of[state as usize].replace(cell).is_none() {
                let next = |(i, s): (usize, &Slide)| Some((duplicates.next(state, i)?, s.to));
                open.extend(self.of_cell(cell).iter().enumerate().filter_map(next));
            }
        }
        let mut list = self.list.clone();
        let mut after = Vec::with_capacity(cell_of.len());
        for (state, cell) in cell_of.iter().enumerate() {
            let slides = cell.map_or(&[][..], |cell| self.of_cell(cell));
            let next = |(i, s): (usize, &Slide)| {
                Some(Slide {
                    walk: duplicates.next(state as u32, i)?,
                    ..*s
                })
            };
            let start = list.len() as u32;
            list.extend(slides.iter().enumerate().filter_map(next));
            after.push([start, list.len() as u32]);
        }
        Slides {
            list,
            after,
            ..self
        }
    }

    fn cells(&self) -> usize {
        self.of_cell.len() - 1
    }

    fn all(&self) -> &[Slide] {
        &self.list[..self.count]
    }

    #[inline]
    fn of_cell(&self, cell: u16) -> &[Slide] {
        let i = usize::from(cell);
        &self.list[self.of_cell[i] as usize..self.of_cell[i + 1] as usize]
    }

    #[inline]
    fn after(&self, last: Slide) -> &[Slide] {
        let [start, end] = self.after[last.walk as usize];
        &self.list[start as usize..end as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dense_graph_needs_no_list_of_what_follows() {
        for (size, following) in [(20, 18), (200, 199)] {
            let graph = Graph::named(&format!("complete:{size}")).unwrap();
            let tiles: Vec<u16> = (0..size).collect();
            let space = SlideSpace::<Box<[u16]>>::on_graph(&graph, &tiles, &tiles);
            let mut state = space.start();
            let first = space.moves(&state).next().unwrap();
            space.apply(&mut state, first);
            let after: Vec<Slide> = space.moves_after(&state, first).collect();
            assert_eq!(after.len(), following);
            assert!(after.iter().all(|s| s.from == state.blank()));
        }
    }
}
