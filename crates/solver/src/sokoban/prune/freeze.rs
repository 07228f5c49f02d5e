//! Freeze: boxes that can never be pushed again.
//!
//! A box is stuck along an axis if a wall is on either side of it, if both sides
//! are dead squares, or if a box beside it is frozen itself; that box may lean on
//! this one, so while it is looked at this one counts as a wall. Stuck along both
//! axes it is frozen for ever: whichever of the boxes leaning on each other moved
//! first would have to move along an axis on which nothing gives way. Frozen off
//! a goal, a box serves none, and if there are then fewer others than goals, no
//! plan exists.
//!
//! Where boxes outnumber goals, one may well be pushed onto a dead square, so
//! then dead squares stop nothing here.

use crate::sokoban::bound::distance::Distances;
use crate::sokoban::field::enclosure::Field;

/// Looks for frozen boxes.
pub(crate) struct Freeze {
    /// Boxes that count as walls while others are looked at.
    as_wall: Vec<bool>,
    cluster: Vec<u16>,
    dead_squares: bool,
    /// Boxes that may still be looked at; without an end, boxes in large heaps would be looked at again and again.
    left: u32,
}

/// Boxes looked at before the answer is that nothing is known to be frozen.
const MOST_LOOKS: u32 = 400;

impl Freeze {
    /// Nothing looked at yet.
    pub(crate) fn new(field: &Field) -> Freeze {
        Freeze {
            as_wall: vec![false; field.len() + 1],
            cluster: vec![],
            dead_squares: field.boxes.len() <= field.goals.len(),
            left: 0,
        }
    }

    /// The same where every box has to get onto a goal, however many there are.
    pub(crate) fn strict(field: &Field) -> Freeze {
        Freeze {
            dead_squares: true,
            ..Freeze::new(field)
        }
    }

    /// The boxes that are frozen together with the one on this cell; none if it is not frozen.
    pub(crate) fn cluster(
        &mut self,
        field: &Field,
        distances: &Distances,
        occupied: &[u16],
        cell: u16,
    ) -> &[u16] {
        for cell in self.cluster.drain(..) {
            self.as_wall[usize::from(cell)] = false;
        }
        self.left = MOST_LOOKS;
        if !self.is_frozen(field, distances, occupied, cell) {
            for cell in self.cluster.drain(..) {
                self.as_wall[usize::from(cell)] = false;
            }
        }
        &self.cluster
    }

    fn is_frozen(
        &mut self,
        field: &Field,
        distances: &Distances,
        occupied: &[u16],
        cell: u16,
    ) -> bool {
        let mark = self.cluster.len();
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.cluster.push(cell);
        self.as_wall[usize::from(cell)] = true;
        let frozen = [(1, 2), (0, 3)].into_iter().all(|(one, other)| {
            let (a, b) = (field.step(cell, one), field.step(cell, other));
            let wall = |c: u16| c == field.wall() || self.as_wall[usize::from(c)];
            if wall(a) || wall(b) {
                return true;
            }
            if self.dead_squares && !distances.is_live(a) && !distances.is_live(b) {
                return true;
            }
            occupied[usize::from(a)] != 0 && self.is_frozen(field, distances, occupied, a)
                || occupied[usize::from(b)] != 0 && self.is_frozen(field, distances, occupied, b)
        });
        if !frozen {
            // What was found frozen leaning on this box is not.
            for cell in self.cluster.drain(mark..) {
                self.as_wall[usize::from(cell)] = false;
            }
        }
        frozen
    }
}
