//! PI-corrals: areas that the player cannot reach but must enter sooner or later.
//!
//! Boxes and walls may fence off an area. Let C be one or more such areas, and B
//! the boxes around them. Suppose that every push that could be the first push of
//! a box in B, whatever boxes outside B do before it, goes into C and can be made
//! right away, because the player reaches the cell behind the box. Suppose also
//! that some box of B has to be pushed, because C has an empty goal or a box of B
//! is needed elsewhere. Then a search has to try only these pushes.
//!
//! Proof. Take a plan, and let its t-th push be the first that pushes a box of B.
//! Until then nothing enters C, because only walls and B surround it. So this push
//! can be made first. It moves a box into C and frees the box's old cell, so all
//! cells that the other t - 1 pushes and the walks between them need are as free as
//! before. After them the player can get back to the cell behind the box's old
//! cell, and the rest of the plan stays the same. The number of pushes is
//! unchanged, so the fewest pushes stay the fewest. The walks do change, so this is
//! not used for fewest moves or for breaking ties among plans of fewest pushes.
//!
//! If there is no such push, the state is dead. That is true when moves count, too,
//! but there the test takes longer than it saves.
//!
//! If an area does not satisfy the conditions by itself, it is extended. If a push
//! starts in or leads into another area that the player cannot reach, or is blocked
//! by a box outside B, that area or box is added, and the test starts again.
//!
//! Brian Damgaard and Matthias Meger named and described PI-corrals in the Sokoban
//! Wiki (sokobano.de). The solvers YASS and `JSoko` use them.

use crate::sokoban::bound::distance::Distances;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;

/// Finds PI-corrals.
pub(crate) struct Corrals {
    /// For each cell the number of its area; 0 if it is in none.
    area: Vec<u16>,
    /// The cells of all areas, one area after the other.
    seen: Vec<u16>,
    /// For each area where its cells end in `seen`, and whether it has an empty goal; the first one is for no area.
    areas: Vec<(usize, bool)>,
    boxes: Vec<u16>,
    is_in: Vec<bool>,
    taken: Vec<bool>,
    pushes: Vec<(u16, usize)>,
    best: Vec<(u16, usize)>,
}

impl Corrals {
    pub(crate) fn new(field: &Field) -> Corrals {
        Corrals {
            area: vec![0; field.len() + 1],
            seen: vec![],
            areas: vec![],
            boxes: vec![],
            is_in: vec![false; field.len() + 1],
            taken: vec![],
            pushes: vec![],
            best: vec![],
        }
    }

    /// The pushes of the PI-corral that has the fewest, each as a box's cell and a direction; none if there is no
    /// PI-corral.
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
        self.areas.clear();
        self.areas.push((0, false));
        for &b in boxes {
            for start in field.floor.next[usize::from(b)] {
                if occupied[usize::from(start)] != 0
                    || self.area[usize::from(start)] != 0
                    || walk.reaches(start)
                {
                    continue;
                }
                let number = self.areas.len() as u16;
                let mut i = self.seen.len();
                let mut has_goal = false;
                self.area[usize::from(start)] = number;
                self.seen.push(start);
                while let Some(&cell) = self.seen.get(i) {
                    i += 1;
                    has_goal |= field.floor.is_goal[usize::from(cell)];
                    for other in field.floor.next[usize::from(cell)] {
                        let o = usize::from(other);
                        if occupied[o] == 0 && self.area[o] == 0 {
                            self.area[o] = number;
                            self.seen.push(other);
                        }
                    }
                }
                self.areas.push((i, has_goal));
            }
        }
        // 2. Each of them, joined with others where necessary.
        let mut found = false;
        for first in 1..self.areas.len() as u16 {
            let is_corral = self.grow(field, distances, occupied, walk, surplus, first);
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

    /// Whether an area is a PI-corral, perhaps together with others. Leaves its pushes in `pushes`.
    fn grow(
        &mut self,
        field: &Field,
        distances: &Distances,
        occupied: &[u16],
        walk: &Walk,
        surplus: usize,
        first: u16,
    ) -> bool {
        self.taken.clear();
        self.taken.resize(self.areas.len(), false);
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
                    // A push to a dead place is part of no plan.
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
                        continue; // the player is not in there, and cannot be before the first push
                    }
                    if in_to && walk.reaches(from) {
                        self.pushes.push((b, d));
                        continue;
                    }
                    // Add the box or the area that is in the way. If it is neither, this is no PI-corral.
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
        let mut areas = self.taken.iter().zip(&self.areas);
        let has_goal = areas.any(|(&is_taken, &(_, has_goal))| is_taken && has_goal);
        has_goal || surplus == 0 && self.boxes.iter().any(off_goal)
    }

    /// Adds the boxes around an area.
    fn take_fence(&mut self, field: &Field, occupied: &[u16], area: u16) {
        let area = usize::from(area);
        for i in self.areas[area - 1].0..self.areas[area].0 {
            let cell = self.seen[i];
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
