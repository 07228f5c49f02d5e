//! Freeze deadlocks: boxes that can never be pushed again.
//!
//! A box is blocked along an axis if it has a wall on one side, if the cells on
//! both sides are dead squares, or if a box next to it is frozen. That box may in
//! turn be blocked by this one, so this one counts as a wall while that one is
//! examined. A box that is blocked along both axes is frozen for good: among boxes
//! that block one another, the first to move would have to move along an axis on
//! which it is blocked. A box that is frozen off a goal serves no goal. If fewer
//! other boxes than goals are left then, there is no plan.
//!
//! If there are more boxes than goals, pushing a box onto a dead square may be part
//! of a plan. Then dead squares block nothing here.

use crate::sokoban::bound::distance::Distances;
use crate::sokoban::field::enclosure::Field;

/// Finds frozen boxes.
pub(crate) struct Freeze {
    /// Boxes that count as walls while others are examined.
    as_wall: Vec<bool>,
    cluster: Vec<u16>,
    dead_squares: bool,
    /// How many more boxes may be examined. Without this limit, large heaps of boxes would be examined over and over.
    left: u32,
}

/// After examining this many boxes, `cluster` gives up and reports that nothing is known to be frozen.
const MOST_LOOKS: u32 = 400;

impl Freeze {
    pub(crate) fn new(field: &Field) -> Freeze {
        Freeze {
            as_wall: vec![false; field.len() + 1],
            cluster: vec![],
            dead_squares: field.boxes.len() <= field.goals.len(),
            left: 0,
        }
    }

    /// The same for a task in which every box has to reach a goal, however many boxes there are.
    pub(crate) fn strict(field: &Field) -> Freeze {
        Freeze {
            dead_squares: true,
            ..Freeze::new(field)
        }
    }

    /// The boxes that are frozen together with the one on this cell; empty if that one is not frozen.
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
            // Boxes that were found to be frozen because of this one are not frozen.
            for cell in self.cluster.drain(mark..) {
                self.as_wall[usize::from(cell)] = false;
            }
        }
        frozen
    }
}
