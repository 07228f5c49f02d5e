//! Macro moves: all places to which one box can go while the others stay put.
//!
//! A plan of a large level has hundreds of pushes, but only a few dozen times does it
//! turn from one box to another. So a search whose moves are "this box goes there"
//! looks at far shorter plans. A breadth-first search over the box's cell and the
//! player's side of it finds all of them, each by the fewest pushes. Sides count as
//! one if the player can walk from one to the other; usually the eight cells around
//! the box are enough to see that, otherwise the `cuts` of the state decide.
//!
//! A macro move may return the box to its own cell with the player on another side.
//! The same search with pulls instead of pushes goes back in time.
//!
//! Moves of this kind are in Shoham, Schaeffer: The FESS algorithm: a feature based
//! approach to single-agent search. IEEE Conference on Games 2020.

use super::cuts::{Cuts, Piece};
use crate::sokoban::bound::distance::Way;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::walk::{RING, Walk};
use crate::sokoban::floor::{Floor, back};

/// Where a box can go.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Macro {
    /// The cell of the box afterwards.
    pub(crate) to: u16,
    /// The direction from the box to the player afterwards.
    pub(crate) side: u8,
    /// Whether another entry has the same cell, with the player in the same part of the floor.
    pub(crate) is_double: bool,
    /// The number of pushes.
    pub(crate) pushes: u16,
    /// The entry that is one push shorter.
    before: u32,
}

/// Finds macro moves.
pub(crate) struct Macros {
    /// For each cell the sides that have been reached, as bits.
    reached: Vec<u8>,
    /// For each cell the sides that have been examined, together with those in walking distance.
    opened: Vec<u8>,
    /// The places of the last search in the order of pushes; the first is where the box was.
    pub(crate) found: Vec<Macro>,
}

impl Macros {
    pub(crate) fn new(floor: &Floor) -> Macros {
        Macros {
            reached: vec![0; floor.len() + 1],
            opened: vec![0; floor.len() + 1],
            found: vec![],
        }
    }

    /// Finds all places to which the box on a cell can go. The player begins on one of these sides of it, given as
    /// bits, and may end only where `is_allowed` says so, given cell and side. `occupied` is the same afterwards. `cuts` are
    /// those of the state.
    #[expect(clippy::too_many_arguments, reason = "a state, a box and a rule")]
    pub(crate) fn find(
        &mut self,
        field: &Field,
        occupied: &mut [u16],
        cuts: &Cuts,
        cell: u16,
        sides: u8,
        way: Way,
        mut is_allowed: impl FnMut(u16, usize) -> bool,
    ) {
        for place in self.found.drain(..) {
            self.reached[usize::from(place.to)] = 0;
            self.opened[usize::from(place.to)] = 0;
        }
        let number = std::mem::replace(&mut occupied[usize::from(cell)], 0);
        self.found.push(Macro {
            to: cell,
            side: 0,
            is_double: false,
            pushes: 0,
            before: 0,
        });
        self.opened[usize::from(cell)] = sides;
        let mut at = 0;
        while at < self.found.len() {
            let Macro {
                to: here,
                side,
                pushes,
                ..
            } = self.found[at];
            let sides = if at == 0 {
                sides
            } else if self.opened[usize::from(here)] >> side & 1 != 0 {
                self.found[at].is_double = true;
                at += 1;
                continue;
            } else {
                let sides = sides_from(&field.floor, occupied, cuts, cell, here, usize::from(side));
                self.opened[usize::from(here)] |= sides;
                sides
            };
            for e in (0..4).filter(|e| sides >> e & 1 != 0) {
                let (to, room) = match way {
                    Way::Push => (field.step(here, back(e)), field.step(here, back(e))),
                    Way::Pull => (field.step(here, e), field.step(field.step(here, e), e)),
                };
                let seen = self.reached[usize::from(to)] | self.opened[usize::from(to)];
                if occupied[usize::from(room)] == 0 && seen >> e & 1 == 0 && is_allowed(to, e) {
                    self.reached[usize::from(to)] |= 1 << e;
                    self.found.push(Macro {
                        to,
                        side: e as u8,
                        is_double: false,
                        pushes: pushes + 1,
                        before: at as u32,
                    });
                }
            }
            at += 1;
        }
        occupied[usize::from(cell)] = number;
    }

    /// The pushes or pulls that lead to an entry of `found`, each as the box's cell before it and the cell after it.
    pub(crate) fn path(&self, mut at: usize) -> Vec<(u16, u16)> {
        let mut path = vec![];
        while at > 0 {
            let before = self.found[at].before as usize;
            path.push((self.found[before].to, self.found[at].to));
            at = before;
        }
        path.reverse();
        path
    }
}

/// The sides of a box that the player can walk to from one of them, as bits. The box has gone from cell `left` to cell
/// `taken`; `cuts` are those from before.
fn sides_from(
    floor: &Floor,
    occupied: &[u16],
    cuts: &Cuts,
    left: u16,
    taken: u16,
    side: usize,
) -> u8 {
    let free = |c: u16| occupied[usize::from(c)] == 0;
    let [up, west, east, down] = floor.next[usize::from(taken)];
    let mut ring = 0;
    let mut sides = 0;
    for (i, (c, d, turn)) in [(up, 0, 2), (east, 2, 3), (down, 3, 1), (west, 1, 0)]
        .into_iter()
        .enumerate()
    {
        if free(c) {
            sides |= 1 << d;
            ring |= 1 << (2 * i);
            if free(floor.step(c, turn)) {
                ring |= 1 << (2 * i + 1);
            }
        }
    }
    if RING[ring] {
        return sides;
    }
    // The cell that the box has left joins the pieces around it.
    let piece = |c: u16| {
        if left == taken {
            let root = cuts.root(c);
            Piece { root, below: None }
        } else {
            cuts.piece(floor, c, taken)
        }
    };
    let mut joined = [None; 4];
    if left != taken {
        for (one, c) in joined.iter_mut().zip(floor.next[usize::from(left)]) {
            *one = (c != taken && free(c)).then(|| piece(c));
        }
    }
    let of = |c: u16| Some(c).filter(|&c| c != left).map(piece);
    let of = |c: u16| of(c).filter(|one| !joined.contains(&Some(*one)));
    let own = of(floor.step(taken, side));
    let reached = |d: &usize| sides >> d & 1 != 0 && of(floor.step(taken, *d)) == own;
    (0..4).filter(reached).map(|d| 1 << d).sum()
}

/// The sides of a box that a walk reaches, as bits.
pub(crate) fn sides_reached(floor: &Floor, walk: &Walk, cell: u16) -> u8 {
    let reached = |d: &usize| walk.reaches(floor.step(cell, *d));
    (0..4).filter(reached).map(|d| 1 << d).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::test_levels::random_level;

    #[test]
    fn sides_are_one_if_there_is_a_walk() {
        let mut compared = [0; 2];
        for seed in 0..300 {
            let field = Field::new(&random_level(seed));
            let floor = &field.floor;
            let mut occupied = vec![0; field.len() + 1];
            occupied[field.len()] = 1;
            for &cell in &field.boxes {
                occupied[usize::from(cell)] = 1;
            }
            let mut cuts = Cuts::new(floor);
            cuts.find(floor, &occupied);
            let mut walk = Walk::new(floor);
            for &left in &field.boxes {
                occupied[usize::from(left)] = 0;
                for taken in (0..field.wall()).filter(|&c| occupied[usize::from(c)] == 0) {
                    let sides = (0..4).map(|d| (d, field.step(taken, d)));
                    for (side, from) in sides.filter(|side| occupied[usize::from(side.1)] == 0) {
                        let quick = sides_from(floor, &occupied, &cuts, left, taken, side);
                        let mut with = occupied.clone();
                        with[usize::from(taken)] = 1;
                        walk.from(floor, from, &with);
                        let slow = sides_reached(floor, &walk, taken);
                        assert_eq!(quick, slow, "seed {seed}: {left} to {taken}, {side}");
                        compared[usize::from(slow.count_ones() > 1)] += 1;
                    }
                }
                occupied[usize::from(left)] = 1;
            }
        }
        assert!(compared[0] > 1000 && compared[1] > 1000, "{compared:?}");
    }
}
