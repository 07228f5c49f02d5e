//! A filling plan: in which order goals should be filled, and which boxes wait where
//! meanwhile.
//!
//! `removals` finds a list of steps: a box comes to a goal, or to a cell where it waits,
//! or from there to its goal. Not all of the list's order matters. One step has to come
//! after another only if its box would be in the other's way, so goals in different rooms
//! can be filled in any order. A state has made a step if there is a box on its cell and
//! the steps before it are made.
//!
//! The plan also says when a box is late. Once the boxes of some steps stand, a box behind
//! them may reach none of the goals that are left, or only those that have to be filled
//! soon. The number of boxes that would come too late is counted as in scheduling with
//! deadlines: for each step, the boxes that can be used only up to then, less the
//! goals that are filled up to then. A box that has come too early and can never leave
//! counts as well.
//!
//! A search from the goals back fills the cells at which boxes start; then these are the
//! goals meant here, and pulls take the place of pushes.
//!
//! A filling plan is not a bound, and the right plan may differ from it. Packing plans
//! and boxes out of plan are in Shoham, Schaeffer: The FESS algorithm: a feature based
//! approach to single-agent search. IEEE Conference on Games 2020.

use super::obstacles::Obstacles;
use super::removals::{Arrival, removals};
use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::bound::distance::{Distances, Way};
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::floor::back;

/// The steps of a plan, in an order in which they can be made.
#[derive(Clone)]
pub(crate) struct Filling<'a> {
    field: &'a Field,
    steps: Vec<Step>,
    /// For each cell the last step that a box there can make, counted from 1; 0 if no step is left for it.
    last: Vec<u32>,
    /// Whether some step has its box on a cell or on the way on from there.
    is_step: Vec<bool>,
    /// Whether a box on a cell can never be pushed away from it.
    is_sticky: Vec<bool>,
    obstacles: Obstacles,
    /// The steps that a state has made, and their cells.
    made: Steps,
    is_fixed: Vec<bool>,
    /// The boxes of a state that have made no step, and their number by deadline.
    left: Vec<u64>,
    waiting: Vec<u16>,
    due: Vec<u32>,
}

/// A set of steps, as bits.
#[derive(Clone)]
struct Steps(Vec<u64>);

impl Steps {
    fn add(&mut self, step: usize) {
        self.0[step / 64] |= 1 << (step % 64);
    }

    fn add_all(&mut self, steps: &Steps) {
        for (word, more) in self.0.iter_mut().zip(&steps.0) {
            *word |= more;
        }
    }

    fn has(&self, step: usize) -> bool {
        self.0[step / 64] >> (step % 64) & 1 != 0
    }

    fn has_all(&self, steps: &Steps) -> bool {
        self.0
            .iter()
            .zip(&steps.0)
            .all(|(own, other)| other & !own == 0)
    }
}

/// A step of the plan: a box comes to a cell.
#[derive(Clone)]
struct Step {
    cell: u16,
    /// The cell to which the box goes on from there. A box there counts as well.
    then: Option<u16>,
    /// Whether the box comes from outside, not from the cell of an earlier step.
    is_new: bool,
    /// The steps that have to come before.
    after: Steps,
}

/// How far a state is with the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The steps made.
    pub(crate) done: u32,
    /// The boxes that come too late, or have come too early for ever.
    pub(crate) late: u32,
    /// The price of the cheapest way to a step that can be next.
    pub(crate) next: u32,
}

impl<'a> Filling<'a> {
    /// A plan for a field.
    pub(crate) fn new(
        field: &'a Field,
        distances: &'a Distances,
        way: Way,
        memory: &mut Memory,
    ) -> Result<Filling<'a>, Stop> {
        let before = memory.bytes();
        let mut search = removals(field, distances, way.opposite(), memory)?;
        let arrivals = search.arrivals();
        let none = Steps(vec![0; arrivals.len().div_ceil(64)]);
        let mut steps: Vec<Step> = vec![];
        let mut last = vec![0; field.len()];
        for (number, arrival) in arrivals.iter().enumerate() {
            let mut after = none.clone();
            for (i, earlier) in arrivals[..number].iter().enumerate() {
                memory.poll_stop()?;
                if arrival.from == Some(earlier.cell) || search.blocks(earlier, arrival.cell) {
                    after.add(i);
                    after.add_all(&steps[i].after);
                }
            }
            if let Some(from) = arrival.from
                && let Some(earlier) = steps.iter_mut().rfind(|step| step.cell == from)
            {
                earlier.then = Some(arrival.cell);
            }
            if arrival.from.is_none() {
                for cell in that_reach(field, arrival, way) {
                    last[usize::from(cell)] = number as u32 + 1;
                }
            }
            steps.push(Step {
                cell: arrival.cell,
                then: None,
                is_new: arrival.from.is_none(),
                after,
            });
        }
        drop(search);
        memory.release(memory.bytes() - before);
        let is_sticky = |cell| is_sticky(field, distances, way, cell);
        let mut is_step = vec![false; field.len()];
        for step in &steps {
            for cell in [Some(step.cell), step.then].into_iter().flatten() {
                is_step[usize::from(cell)] = true;
            }
        }
        Ok(Filling {
            field,
            due: vec![0; steps.len() + 1],
            steps,
            last,
            is_step,
            is_sticky: (0..field.wall()).map(is_sticky).collect(),
            obstacles: Obstacles::new(&field.floor, way),
            made: none,
            is_fixed: vec![false; field.len() + 1],
            left: vec![],
            waiting: vec![],
        })
    }

    /// A plan without steps.
    pub(crate) fn none(field: &'a Field, way: Way) -> Filling<'a> {
        Filling {
            field,
            steps: vec![],
            last: vec![0; field.len()],
            is_step: vec![false; field.len()],
            is_sticky: vec![],
            obstacles: Obstacles::new(&field.floor, way),
            made: Steps(vec![]),
            is_fixed: vec![false; field.len() + 1],
            left: vec![],
            waiting: vec![],
            due: vec![0],
        }
    }

    /// The number of steps.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether a state is as far, apart from the way to the next step, if a box goes from one cell to another.
    pub(crate) fn is_same(&self, from: u16, to: u16) -> bool {
        let (from, to) = (usize::from(from), usize::from(to));
        !self.is_step[from] && !self.is_step[to] && self.last[from] == self.last[to]
    }

    /// How far a state is. Its boxes are given as bits and by cells. The way to the next step is looked for only if it is needed.
    pub(crate) fn progress(
        &mut self,
        boxes: &[u64],
        occupied: &[u16],
        player: u16,
        needs_next: bool,
    ) -> Progress {
        let has_box = |c: u16| boxes[usize::from(c / 64)] >> (c % 64) & 1 != 0;
        // 1. The steps made.
        self.made.0.fill(0);
        self.left.clear();
        self.left.extend_from_slice(boxes);
        let (mut done, mut early) = (0, 0);
        for (i, step) in self.steps.iter().enumerate() {
            let is_here = has_box(step.cell);
            if !is_here && !step.then.is_some_and(has_box) {
                continue;
            }
            if self.made.has_all(&step.after) {
                self.made.add(i);
                done += 1;
                self.left[usize::from(step.cell / 64)] &= !(1 << (step.cell % 64));
                self.is_fixed[usize::from(step.cell)] = true;
            } else if is_here && self.is_sticky[usize::from(step.cell)] {
                early += 1;
            }
        }
        // 2. The other boxes, by the last step that they can make.
        self.due.fill(0);
        self.waiting.clear();
        for (i, &word) in self.left.iter().enumerate() {
            let mut word = word;
            while word != 0 {
                let cell = 64 * i + word.trailing_zeros() as usize;
                self.due[self.last[cell] as usize] += 1;
                self.waiting.push(cell as u16);
                word &= word - 1;
            }
        }
        let (mut need, mut open, mut late) = (0, 0, 0);
        for (i, step) in self.steps.iter().enumerate() {
            need += self.due[i];
            late = late.max(u32::saturating_sub(need, open));
            open += u32::from(step.is_new && !self.made.has(i));
        }
        // 3. The way to the next step.
        let made = &self.made;
        let is_next = |(i, step): &(usize, &Step)| !made.has(*i) && made.has_all(&step.after);
        let next = self.steps.iter().enumerate().filter(is_next);
        let price = if needs_next {
            self.obstacles.price(
                self.field,
                occupied,
                &self.is_fixed,
                next.map(|(_, step)| step.cell),
                &self.waiting,
                player,
            )
        } else {
            0
        };
        for step in &self.steps {
            self.is_fixed[usize::from(step.cell)] = false;
        }
        Progress {
            done,
            late: late + early,
            next: price,
        }
    }
}

/// Whether a box can never leave a cell, even if there are no other boxes.
fn is_sticky(field: &Field, distances: &Distances, way: Way, cell: u16) -> bool {
    (0..4).all(|d| {
        let (from, to) = (field.step(cell, back(d)), field.step(cell, d));
        match way {
            Way::Push => {
                from == field.wall()
                    || to == field.wall()
                    || distances.is_dead(distances.place(to, field.side(to, back(d))))
            }
            Way::Pull => field.step(to, d) == field.wall(),
        }
    })
}

/// The cells from which a box can be pushed to an arrival's cell, past the boxes before it, wherever the player is.
fn that_reach(field: &Field, arrival: &Arrival, way: Way) -> Vec<u16> {
    let mut is_taken = vec![false; field.len() + 1];
    is_taken[field.len()] = true;
    for &cell in arrival.before.iter().chain([&arrival.cell]) {
        is_taken[usize::from(cell)] = true;
    }
    let is_wall = |c: u16| c == field.wall() || arrival.before.contains(&c);
    let mut cells = vec![arrival.cell];
    let mut at = 0;
    while let Some(&cell) = cells.get(at) {
        at += 1;
        for d in 0..4 {
            let from = field.step(cell, d);
            let room = match way {
                Way::Push => field.step(from, d),
                Way::Pull => field.step(cell, back(d)),
            };
            if !is_taken[usize::from(from)] && !is_wall(room) {
                is_taken[usize::from(from)] = true;
                cells.push(from);
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::sokoban::test_levels::{pulled_level, read};
    use std::sync::Arc;

    #[test]
    fn a_plan_that_is_not_wanted_any_more_is_not_finished() {
        let field = Field::new(&pulled_level(1));
        let distances =
            Distances::to_goals(&field, &mut Memory::new(&Control::new())).expect("no limits");
        let control = Control::new().stop_flag(Arc::new(true.into()));
        let filling = Filling::new(&field, &distances, Way::Push, &mut Memory::new(&control));
        assert_eq!(filling.err(), Some(Stop::Interrupted));
    }

    #[test]
    fn with_little_memory_the_plan_is_a_guess() {
        let mut smaller = 0;
        for level in (0..300).map(pulled_level) {
            let field = Field::new(&level);
            let all = Control::new();
            let mut memory = Memory::new(&all);
            let distances = Distances::to_goals(&field, &mut memory).expect("no limits");
            let before = memory.bytes();
            Filling::new(&field, &distances, Way::Push, &mut memory).expect("no limits");
            assert_eq!(memory.bytes(), before, "what the search took is given back");
            let taken = memory.peak() - before;
            let little = Control::new().memory_limit(100);
            let mut memory = Memory::new(&little);
            let filling =
                Filling::new(&field, &distances, Way::Push, &mut memory).expect("a guess");
            assert!(filling.len() >= field.goals.len(), "{level:?}");
            smaller += u32::from(memory.peak() <= 100 && taken > 100);
        }
        assert!(smaller > 10, "{smaller}");
    }

    #[test]
    fn a_corridor_of_goals_is_filled_from_its_end() {
        let level = read(&[
            "##########",
            "#@$ $ ...#",
            "#  $ #####",
            "#    #    ",
            "######    ",
        ]);
        let field = Field::new(&level);
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let distances = Distances::to_goals(&field, &mut memory).expect("no limits");
        let mut filling =
            Filling::new(&field, &distances, Way::Push, &mut memory).expect("no limits");
        assert_eq!(filling.len(), 3);
        let [first, second, third] = field.goals[..] else {
            panic!("three goals");
        };
        let others = &field.boxes[1..];
        let with = |goal: u16| [&[goal], others].concat();
        assert_eq!(progress(&mut filling, &with(third)).done, 1);
        // A box in the middle can still go to the end; the others then fill the rest.
        let middle = progress(&mut filling, &with(second));
        assert_eq!((middle.done, middle.late), (0, 0));
        assert_eq!(progress(&mut filling, &field.goals).done, 3);
        let two = [first, third, others[0]];
        assert_eq!(progress(&mut filling, &two).done, 1);
        // A box at the entrance comes before the boxes behind it have a place.
        assert_eq!(progress(&mut filling, &with(first)).done, 0);
    }

    #[test]
    fn rooms_are_filled_in_any_order() {
        let level = read(&[
            "#############",
            "#     @     #",
            "# $  $ $  $ #",
            "#.#########.#",
            "#.#########.#",
            "#############",
        ]);
        let field = Field::new(&level);
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let distances = Distances::to_goals(&field, &mut memory).expect("no limits");
        let mut filling =
            Filling::new(&field, &distances, Way::Push, &mut memory).expect("no limits");
        let [left, right, left_end, right_end] = field.goals[..] else {
            panic!("four goals");
        };
        let others = &field.boxes[1..];
        for (goal, done) in [(left_end, 1), (right_end, 1), (left, 0), (right, 0)] {
            let boxes = [&[goal], others].concat();
            assert_eq!(progress(&mut filling, &boxes).done, done);
        }
    }

    #[test]
    fn some_moves_make_no_difference() {
        let mut compared = 0;
        for level in (0..100).map(pulled_level) {
            let field = Field::new(&level);
            let control = Control::new();
            let mut memory = Memory::new(&control);
            let distances = Distances::to_goals(&field, &mut memory).expect("no limits");
            for way in [Way::Push, Way::Pull] {
                let filling = Filling::new(&field, &distances, way, &mut memory);
                let mut filling = filling.expect("no limits");
                let (mut boxes, before) = (field.boxes.clone(), field.boxes.clone());
                let same = |progress: Progress| (progress.done, progress.late);
                let first = same(progress(&mut filling, &boxes));
                for i in 0..boxes.len() {
                    for to in (0..field.wall()).filter(|to| !before.contains(to)) {
                        if filling.is_same(before[i], to) {
                            boxes[i] = to;
                            assert_eq!(same(progress(&mut filling, &boxes)), first, "{level:?}");
                            compared += 1;
                        }
                    }
                    boxes[i] = before[i];
                }
            }
        }
        assert!(compared > 1000, "{compared}");
    }

    fn progress(filling: &mut Filling, boxes: &[u16]) -> Progress {
        let field = filling.field;
        let mut bits = vec![0; field.len().div_ceil(64)];
        let mut occupied = vec![0; field.len() + 1];
        for &cell in boxes {
            bits[usize::from(cell / 64)] |= 1 << (cell % 64);
            occupied[usize::from(cell)] = 1;
        }
        filling.progress(&bits, &occupied, field.player, true)
    }
}
