//! A position: a state laid out on the floor, so that the box on a cell can be looked up.

use super::enclosure::Field;
use super::packing::Packing;

/// A state laid out on the floor.
pub(crate) struct Position {
    pub(crate) boxes: Vec<u16>,
    pub(crate) player: u16,
    /// For each cell the index of its box plus one, or zero if it is empty; nonzero for the wall.
    pub(crate) occupied: Vec<u16>,
}

impl Position {
    /// The start of a level.
    pub(crate) fn start(field: &Field) -> Position {
        let mut position = Position {
            boxes: vec![],
            player: 0,
            occupied: vec![0; field.len() + 1],
        };
        position.occupied[field.len()] = u16::MAX;
        position.set(&field.boxes, field.player);
        position
    }

    /// Removes all boxes and puts down these.
    pub(crate) fn set(&mut self, boxes: &[u16], player: u16) {
        self.lift();
        self.boxes.extend_from_slice(boxes);
        self.player = player;
        self.put();
    }

    /// Lays out a packed state.
    pub(crate) fn unpack(&mut self, packing: &Packing, words: &[u64]) {
        self.lift();
        self.player = packing.unpack(words, &mut self.boxes);
        self.put();
    }

    fn lift(&mut self) {
        for cell in self.boxes.drain(..) {
            self.occupied[usize::from(cell)] = 0;
        }
    }

    fn put(&mut self) {
        for (i, &cell) in self.boxes.iter().enumerate() {
            self.occupied[usize::from(cell)] = i as u16 + 1;
        }
    }

    /// Moves one box to another cell.
    #[inline]
    pub(crate) fn shift(&mut self, number: usize, to: u16) {
        let from = std::mem::replace(&mut self.boxes[number], to);
        self.occupied[usize::from(from)] = 0;
        self.occupied[usize::from(to)] = number as u16 + 1;
    }
}
