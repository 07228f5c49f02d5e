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
//! by a box outside B, that area or box is added, and its pushes are tested as well.
//! Pushes that were tested before need no second look: more areas and boxes change
//! nothing about them.
//!
//! Brian Damgaard and Matthias Meger named and described PI-corrals in the Sokoban
//! Wiki (sokobano.de). The solvers YASS and `JSoko` use them.

use crate::sokoban::bound::distance::Distances;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;

/// An area that the player does not reach.
struct Area {
    has_goal: bool,
    /// Where the boxes around it end in `fences`.
    fence_end: usize,
}

/// Finds PI-corrals.
pub(crate) struct Corrals {
    /// For each cell the number of its area; 0 if it is in none.
    area: Vec<u16>,
    /// The cells of all areas.
    seen: Vec<u16>,
    /// The areas; the first one is for no area.
    areas: Vec<Area>,
    /// The boxes around the areas, one area after the other, and for each cell the last area that has it there.
    fences: Vec<u16>,
    fence_of: Vec<u16>,
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
            fences: vec![],
            fence_of: vec![0; field.len() + 1],
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
        self.areas.push(Area {
            has_goal: false,
            fence_end: 0,
        });
        for b in self.fences.drain(..) {
            self.fence_of[usize::from(b)] = 0;
        }
        for &b in boxes {
            for start in field.floor.next[usize::from(b)] {
                if occupied[usize::from(start)] == 0
                    && self.area[usize::from(start)] == 0
                    && !walk.reaches(start)
                {
                    self.flood(field, occupied, start);
                }
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

    /// Finds the cells of an area and the boxes around it.
    fn flood(&mut self, field: &Field, occupied: &[u16], start: u16) {
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
                if occupied[o] == 0 {
                    if self.area[o] == 0 {
                        self.area[o] = number;
                        self.seen.push(other);
                    }
                } else if other != field.wall() && self.fence_of[o] != number {
                    self.fence_of[o] = number;
                    self.fences.push(other);
                }
            }
        }
        self.areas.push(Area {
            has_goal,
            fence_end: self.fences.len(),
        });
    }

    /// Whether an area is a PI-corral, perhaps together with others. Leaves its pushes in `pushes`.
    ///
    /// Areas and boxes are only added, and what is added changes nothing for the pushes before: one that was passed over
    /// still is, and one that was kept starts where the player is and still leads into the corral. So each push is looked
    /// at once.
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
        self.boxes.clear();
        self.pushes.clear();
        self.take(first);
        let mut i = 0;
        while let Some(&b) = self.boxes.get(i) {
            i += 1;
            for d in 0..4 {
                let (from, to) = (field.step(b, back(d)), field.step(b, d));
                if from == field.wall() || to == field.wall() {
                    continue;
                }
                let (a_from, a_to) = (self.area[usize::from(from)], self.area[usize::from(to)]);
                loop {
                    if self.is_in[usize::from(from)] || self.is_in[usize::from(to)] {
                        break;
                    }
                    if self.taken[usize::from(a_from)] {
                        break; // the player is not in there, and cannot be before the first push
                    }
                    // A push to a dead place is part of no plan.
                    if surplus == 0 && distances.is_dead(distances.place(to, back(d))) {
                        break;
                    }
                    let in_to = self.taken[usize::from(a_to)];
                    if in_to && walk.reaches(from) {
                        self.pushes.push((b, d));
                        break;
                    }
                    // Add the box or the area that is in the way. If it is neither, this is no PI-corral.
                    let missing = if in_to { from } else { to };
                    let area = self.area[usize::from(missing)];
                    if area != 0 {
                        self.take(area);
                    } else if occupied[usize::from(missing)] != 0 {
                        self.is_in[usize::from(missing)] = true;
                        self.boxes.push(missing);
                    } else {
                        return false;
                    }
                }
            }
        }
        let off_goal = |b: &u16| !field.floor.is_goal[usize::from(*b)];
        let mut areas = self.taken.iter().zip(&self.areas);
        let has_goal = areas.any(|(&is_taken, area)| is_taken && area.has_goal);
        has_goal || surplus == 0 && self.boxes.iter().any(off_goal)
    }

    /// Adds an area and the boxes around it.
    fn take(&mut self, area: u16) {
        let area = usize::from(area);
        self.taken[area] = true;
        for &b in &self.fences[self.areas[area - 1].fence_end..self.areas[area].fence_end] {
            if !std::mem::replace(&mut self.is_in[usize::from(b)], true) {
                self.boxes.push(b);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::core::memory::Memory;
    use crate::sokoban::all_states::states;
    use crate::sokoban::field::position::Position;
    use crate::sokoban::test_levels::{crowded_level, pulled_level, random_level};

    /// The pushes of the corral around an area, found by looking at all pushes again each time something is added.
    fn pushes(
        field: &Field,
        distances: &Distances,
        occupied: &[u16],
        walk: &Walk,
        surplus: usize,
        first: u16,
    ) -> Option<Vec<(u16, usize)>> {
        let flood = |start: u16| {
            let mut area = Walk::new(&field.floor);
            area.from(&field.floor, start, occupied);
            area.reached().to_vec()
        };
        let is_box = |c: u16| c != field.wall() && occupied[usize::from(c)] != 0;
        let is_free = |c: u16| occupied[usize::from(c)] == 0;
        let mut inside: Vec<u16> = vec![];
        let mut boxes: Vec<u16> = vec![];
        let mut missing = first;
        'again: loop {
            // 1. Add a box or an area.
            if is_box(missing) {
                boxes.push(missing);
            } else {
                for cell in flood(missing) {
                    inside.push(cell);
                    for other in field.floor.next[usize::from(cell)] {
                        if is_box(other) && !boxes.contains(&other) {
                            boxes.push(other);
                        }
                    }
                }
            }
            // 2. All pushes.
            let mut pushes = vec![];
            for &b in &boxes {
                for d in 0..4 {
                    let (from, to) = (field.step(b, back(d)), field.step(b, d));
                    let fixed = |c: u16| c == field.wall() || boxes.contains(&c);
                    if fixed(from) || fixed(to) || inside.contains(&from) {
                        continue;
                    }
                    let place = distances.place(to, field.side(to, back(d)));
                    if surplus == 0 && distances.is_dead(place) {
                        continue;
                    }
                    let in_to = inside.contains(&to);
                    if in_to && walk.reaches(from) {
                        pushes.push((b, d));
                        continue;
                    }
                    missing = if in_to { from } else { to };
                    if is_free(missing) && walk.reaches(missing) {
                        return None;
                    }
                    continue 'again;
                }
            }
            let is_goal = |&c: &u16| field.floor.is_goal[usize::from(c)];
            let matters = inside.iter().any(is_goal) || surplus == 0 && !boxes.iter().all(is_goal);
            return matters.then_some(pushes);
        }
    }

    #[test]
    fn each_push_has_to_be_looked_at_only_once() {
        let control = Control::new();
        let mut compared = [0; 2];
        let levels = (0..300).map(random_level);
        let levels = levels.chain((0..100).map(pulled_level));
        for level in levels.chain((0..100).map(crowded_level)) {
            let field = Field::new(&level);
            let mut memory = Memory::new(&control);
            let distances = Distances::to_goals(&field, &mut memory).expect("no limits");
            let Some(all) = states(&field) else {
                continue;
            };
            let (mut corrals, mut walk) = (Corrals::new(&field), Walk::new(&field.floor));
            let mut position = Position::start(&field);
            for state in all.iter().step_by(7) {
                position.set(&state.boxes, state.player);
                let occupied = &position.occupied;
                walk.from(&field.floor, state.player, occupied);
                for surplus in 0..2 {
                    let mut known: Vec<u16> = vec![];
                    let mut best: Option<Vec<(u16, usize)>> = None;
                    let sides =
                        (state.boxes.iter()).flat_map(|&b| field.floor.next[usize::from(b)]);
                    for start in sides {
                        if occupied[usize::from(start)] != 0
                            || walk.reaches(start)
                            || known.contains(&start)
                            || best.as_ref().is_some_and(|best| best.len() <= 1)
                        {
                            continue;
                        }
                        let mut area = Walk::new(&field.floor);
                        area.from(&field.floor, start, occupied);
                        known.extend(area.reached());
                        let one = pushes(&field, &distances, occupied, &walk, surplus, start);
                        if let Some(one) = one
                            && best.as_ref().is_none_or(|best| one.len() < best.len())
                        {
                            best = Some(one);
                        }
                    }
                    let boxes = &state.boxes;
                    let quick = corrals.find(&field, &distances, occupied, boxes, &walk, surplus);
                    assert_eq!(quick, best.as_deref(), "{level:?} {boxes:?}");
                    compared[usize::from(best.is_some())] += 1;
                }
            }
        }
        assert!(compared[0] > 1000 && compared[1] > 1000, "{compared:?}");
    }
}
