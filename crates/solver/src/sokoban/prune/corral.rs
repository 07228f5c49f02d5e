//! PI-corrals: where the player cannot go, and must sooner or later.
//!
//! Boxes and walls may fence off an area. Take such areas C and the boxes B
//! around them. Suppose that every push that could come first among those of B,
//! whatever boxes outside B do meanwhile, goes into C and can be made at once: the
//! player reaches the cell behind. Suppose too that C has to be entered: it has
//! an empty goal, or a box of B is needed elsewhere. Then only these pushes have
//! to be looked at.
//!
//! For let a plan's first push of B be its t-th. Until then nothing enters C, since
//! all around it are walls and B. So this push can be made first: it puts a box
//! into C and clears its old cell, hence what the t - 1 others and the walks
//! between them need is as free as before; and after them the player gets to where
//! it stood behind the box, and the rest goes on as it did. The number of pushes
//! is the same, so fewest pushes stay fewest. The walks are others: for fewest
//! moves, and for ties among fewest pushes, this is not used.
//!
//! If there is no such push the state is dead. That holds for moves, too, but there
//! looking for it takes longer than it saves.
//!
//! Areas that are not enough by themselves are joined: if a push leads from or
//! into another area that the player cannot reach, or past a box outside B, that
//! area or box is taken in and everything is asked again.
//!
//! Brian Damgaard and Matthias Meger, in the Sokoban Wiki (sokobano.de), named
//! and described PI-corrals; YASS and `JSoko` have them.

use crate::sokoban::bound::distance::Distances;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;

/// Looks for PI-corrals.
pub(crate) struct Corrals {
    /// By cell, the area it belongs to; 0 if none is known.
    area: Vec<u16>,
    seen: Vec<u16>,
    boxes: Vec<u16>,
    is_in: Vec<bool>,
    taken: Vec<bool>,
    pushes: Vec<(u16, usize)>,
    best: Vec<(u16, usize)>,
}

impl Corrals {
    /// Nothing looked at yet.
    pub(crate) fn new(field: &Field) -> Corrals {
        Corrals {
            area: vec![0; field.len() + 1],
            seen: vec![],
            boxes: vec![],
            is_in: vec![false; field.len() + 1],
            taken: vec![],
            pushes: vec![],
            best: vec![],
        }
    }

    /// The pushes, as cells of boxes and directions, of the PI-corral that has fewest, if there is one.
    pub(crate) fn find(
        &mut self,
        field: &Field,
        distances: &Distances,
        occupied: &[u16],
        boxes: &[u16],
        walk: &Walk,
        surplus: usize,
    ) -> Option<&[(u16, usize)]> {
        if walk.reached().len() + boxes.len() == field.len() {
            return None;
        }
        // 1. The areas that the player does not reach.
        for cell in self.seen.drain(..) {
            self.area[usize::from(cell)] = 0;
        }
        let mut areas: Vec<u16> = vec![]; // a cell of each
        for &b in boxes {
            for start in field.floor.next[usize::from(b)] {
                if occupied[usize::from(start)] != 0
                    || self.area[usize::from(start)] != 0
                    || walk.reaches(start)
                {
                    continue;
                }
                areas.push(start);
                let number = areas.len() as u16;
                let mut i = self.seen.len();
                self.area[usize::from(start)] = number;
                self.seen.push(start);
                while let Some(&cell) = self.seen.get(i) {
                    i += 1;
                    for other in field.floor.next[usize::from(cell)] {
                        let o = usize::from(other);
                        if occupied[o] == 0 && self.area[o] == 0 {
                            self.area[o] = number;
                            self.seen.push(other);
                        }
                    }
                }
            }
        }
        // 2. Each of them, joined with others as far as needed.
        let mut found = false;
        for first in 1..=areas.len() as u16 {
            let is_corral = self.grow(
                field,
                distances,
                occupied,
                walk,
                surplus,
                first,
                areas.len(),
            );
            for &b in &self.boxes {
                self.is_in[usize::from(b)] = false;
            }
            if is_corral && (!found || self.pushes.len() < self.best.len()) {
                found = true;
                std::mem::swap(&mut self.pushes, &mut self.best);
                if self.best.len() <= 1 {
                    break;
                }
            }
        }
        found.then_some(&self.best)
    }

    /// Whether an area is a PI-corral or becomes one with others; its pushes are in `pushes`.
    #[expect(clippy::too_many_arguments, reason = "what makes up a state")]
    fn grow(
        &mut self,
        field: &Field,
        distances: &Distances,
        occupied: &[u16],
        walk: &Walk,
        surplus: usize,
        first: u16,
        areas: usize,
    ) -> bool {
        self.taken.clear();
        self.taken.resize(areas + 1, false);
        self.taken[usize::from(first)] = true;
        self.boxes.clear();
        self.take_fence(field, occupied, first);
        'again: loop {
            self.pushes.clear();
            for i in 0..self.boxes.len() {
                let b = self.boxes[i];
                for d in 0..4 {
                    let (from, to) = (field.step(b, back(d)), field.step(b, d));
                    let fixed = |c: u16| c == field.wall() || self.is_in[usize::from(c)];
                    if fixed(from) || fixed(to) {
                        continue;
                    }
                    // A push that can lead to nothing needs no thought.
                    let place = distances.place(to, field.side(to, back(d)));
                    if surplus == 0 && distances.is_dead(place) {
                        continue;
                    }
                    let (a_from, a_to) = (self.area[usize::from(from)], self.area[usize::from(to)]);
                    let (in_from, in_to) = (
                        self.taken[usize::from(a_from)],
                        self.taken[usize::from(a_to)],
                    );
                    if in_from {
                        continue; // the player is not in there, and will not be before the first push
                    }
                    if in_to && walk.reaches(from) {
                        self.pushes.push((b, d));
                        continue;
                    }
                    // Something is missing: a box in the way or an area beside, or there is no hope.
                    let missing = if in_to { from } else { to };
                    let area = self.area[usize::from(missing)];
                    if area != 0 {
                        self.taken[usize::from(area)] = true;
                        self.take_fence(field, occupied, area);
                    } else if occupied[usize::from(missing)] != 0 {
                        self.is_in[usize::from(missing)] = true;
                        self.boxes.push(missing);
                    } else {
                        return false;
                    }
                    continue 'again;
                }
            }
            break;
        }
        let off_goal = |b: &u16| !field.floor.is_goal[usize::from(*b)];
        let is_open_goal = |&c: &u16| {
            field.floor.is_goal[usize::from(c)]
                && self.taken[usize::from(self.area[usize::from(c)])]
        };
        surplus == 0 && self.boxes.iter().any(off_goal) || self.seen.iter().any(is_open_goal)
    }

    /// Takes in the boxes around an area.
    fn take_fence(&mut self, field: &Field, occupied: &[u16], area: u16) {
        for i in 0..self.seen.len() {
            let cell = self.seen[i];
            if self.area[usize::from(cell)] != area {
                continue;
            }
            for other in field.floor.next[usize::from(cell)] {
                let o = usize::from(other);
                if other != field.wall() && occupied[o] != 0 && !self.is_in[o] {
                    self.is_in[o] = true;
                    self.boxes.push(other);
                }
            }
        }
    }
}
