//! Cells: moves that wait to be made, grouped by the features of the state that they lead to.
//!
//! The cells take turns, so that the search follows progress of every kind and is stuck in
//! none. Every second move comes from the cells that are furthest, which also take turns.
//! Within a cell the least weight comes first.
//!
//! What progress is can be seen in several ways. Then each move waits in one cell of each
//! view, the views take turns, and a move that was taken from one view is skipped in the
//! others.

use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Bound;

/// What tells the cells apart. The first number says how far a state is; lower is further.
pub(super) type Features = (u32, u32, u32);

/// A macro move: a box goes somewhere, and the player ends on a side of it.
#[derive(Clone, Copy)]
pub(super) struct Move {
    /// The state in which it is made.
    pub(super) parent: u32,
    pub(super) from: u16,
    pub(super) to: u16,
    pub(super) side: u8,
    pub(super) weight: u32,
}

/// The weight and what breaks ties, negated, and the number of the move. The greatest comes first: the newest of equal
/// ones.
type Entry = (i32, i32, u32);

/// One way to see progress.
struct View {
    /// No cell is empty.
    cells: BTreeMap<Features, BinaryHeap<Entry>>,
    /// The cell that had its turn last, and the last one among those that are furthest.
    last: Features,
    last_ahead: Features,
    /// The least first number of all features so far.
    furthest: u32,
}

/// Waiting moves.
pub(super) struct Cells {
    views: Vec<View>,
    moves: Vec<Move>,
    is_taken: Vec<bool>,
    turn: usize,
}

impl Cells {
    pub(super) fn new(views: usize) -> Cells {
        Cells {
            views: (0..views).map(|_| View::new()).collect(),
            moves: vec![],
            is_taken: vec![],
            turn: 0,
        }
    }

    /// Adds a move, with the features of the state that it leads to in each view.
    pub(super) fn add(&mut self, made: Move, tie: u32, features: impl Iterator<Item = Features>) {
        let entry = (
            -(made.weight as i32),
            -(tie as i32),
            self.moves.len() as u32,
        );
        self.moves.push(made);
        self.is_taken.push(false);
        for (view, features) in self.views.iter_mut().zip(features) {
            view.furthest = view.furthest.min(features.0);
            view.cells.entry(features).or_default().push(entry);
        }
    }

    /// Takes a move, and says whether it was taken because it leads furthest.
    pub(super) fn take(&mut self) -> Option<(Move, bool)> {
        let is_ahead = self.turn.is_multiple_of(2);
        let count = self.views.len();
        let view = &mut self.views[self.turn / 2 % count];
        self.turn += 1;
        loop {
            let number = view.take(is_ahead)? as usize;
            if !std::mem::replace(&mut self.is_taken[number], true) {
                return Some((self.moves[number], is_ahead));
            }
        }
    }

    /// The sum of what is left in the cells that are furthest.
    pub(super) fn front(&self) -> u32 {
        self.views.iter().map(|view| view.furthest).sum()
    }

    /// All moves, taken or not.
    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().copied()
    }

    /// How much memory the moves use.
    pub(super) fn bytes(&self) -> usize {
        let entries = |view: &View| view.cells.values().map(BinaryHeap::capacity).sum::<usize>();
        self.views.iter().map(entries).sum::<usize>() * size_of::<Entry>()
            + self.moves.capacity() * size_of::<Move>()
            + self.is_taken.capacity()
    }
}

impl View {
    fn new() -> View {
        View {
            cells: BTreeMap::new(),
            last: (0, 0, 0),
            last_ahead: (0, 0, 0),
            furthest: 1 << 16,
        }
    }

    /// Takes a move from the next cell, or from the next of the cells that are furthest.
    fn take(&mut self, is_ahead: bool) -> Option<u32> {
        let (&first, _) = self.cells.first_key_value()?;
        let (last, end) = if is_ahead {
            let end = Bound::Included((first.0, u32::MAX, u32::MAX));
            (self.last_ahead, end)
        } else {
            (self.last, Bound::Unbounded)
        };
        let next = if is_ahead && last.0 != first.0 {
            None
        } else {
            self.cells.range((Bound::Excluded(last), end)).next()
        };
        let features = next.map_or(first, |(&features, _)| features);
        if is_ahead {
            self.last_ahead = features;
        } else {
            self.last = features;
        }
        let cell = self.cells.get_mut(&features)?;
        let taken = cell.pop();
        if cell.is_empty() {
            self.cells.remove(&features);
        }
        taken.map(|(_, _, number)| number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_move_is_taken_once_and_every_second_one_leads_furthest() {
        let mut cells = Cells::new(2);
        for number in 0..30 {
            let made = Move {
                parent: number,
                from: 0,
                to: 0,
                side: 0,
                weight: number % 2,
            };
            let features = [(number % 3, 0, 0), (number / 10, 0, 0)];
            cells.add(made, 0, features.into_iter());
        }
        let taken: Vec<(Move, bool)> = std::iter::from_fn(|| cells.take()).collect();
        let mut numbers: Vec<u32> = taken.iter().map(|(made, _)| made.parent).collect();
        let ahead = taken.iter().filter(|(_, is_ahead)| *is_ahead).count();
        assert_eq!(ahead, 15);
        assert_eq!(
            numbers[0], 24,
            "the newest of least weight in the first cell"
        );
        assert_eq!(numbers[2], 8, "the same in the other view");
        numbers.sort_unstable();
        assert_eq!(numbers, (0..30).collect::<Vec<u32>>());
    }
}
