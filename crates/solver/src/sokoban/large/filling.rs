//! A filling plan: in which order goals should be filled, and which boxes wait where
//! meanwhile.
//!
//! The plan is found backward. Start with a box on every goal and pull. A box that can
//! be pulled to the starting cell of some box is removed: it can come last. Removing a
//! box blocks nobody, and the player can walk back, so whatever could be pulled before
//! still can be. So the removal that takes the fewest pulls is made at once. If no box
//! can be removed, one of them has to step aside first. Then all such moves are tried,
//! with weights and cells as in `feature_search`: the cells are numbers of boxes and of
//! parts of the floor, and two advisors look for fewer parts and for more room. If the
//! budget is used up, the boxes that are left come first, in any order: there the plan
//! is a guess.
//!
//! Read forward, the plan is a list of sets of cells, each of which has one box more
//! than the one before, or one box elsewhere. A state has come as far as the last set
//! whose cells all hold a box.
//!
//! The plan also says when a box is late. Once the boxes of a set stand, a box behind
//! them may reach none of the goals that are left, or only those that have to be filled
//! soon. The number of boxes that would come too late is counted as in scheduling with
//! deadlines: for each step, the boxes that can be used only up to then, less the
//! goals that are filled up to then.
//!
//! A filling plan is not a bound, and the right plan may differ from it. Packing plans
//! and boxes out of plan are in Shoham, Schaeffer: The FESS algorithm: a feature based
//! approach to single-agent search. IEEE Conference on Games 2020.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Bound;

use rustc_hash::FxHashSet;

use super::macros::{Macros, sides_reached};
use super::regions::{Parts, Regions};
use crate::control::Stop;
use crate::core::memory::Memory;
use crate::sokoban::bound::distance::Way;
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::walk::Walk;

/// The most states with a box that steps aside.
const MOST_STATES: usize = 3000;

/// Sets of cells, as bits, in the order in which they should be filled.
pub(crate) struct Filling {
    /// The first set is empty, the last has all goals.
    sets: Vec<Vec<u64>>,
    /// The cell that each set has in addition to the one before; none if a box has only moved.
    added: Vec<Option<u16>>,
    /// For each cell the last step that a box there can fill, counted from 1; 0 if no step is left for it.
    last: Vec<u32>,
    /// For each set after the first, the pushes from each cell to the cell that it adds, past the set before.
    near: Vec<Vec<u16>>,
    /// The number of boxes by deadline.
    due: Vec<u32>,
}

/// How far a state is with the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Progress {
    /// The steps done.
    pub(crate) done: u32,
    /// The boxes that would come too late.
    pub(crate) late: u32,
    /// The pushes from the nearest box to the next cell.
    pub(crate) next: u32,
}

/// The distance of a cell that cannot be reached.
const FAR: u16 = 500;

#[derive(Clone)]
struct Node {
    parent: u32,
    boxes: Vec<u16>,
    player: u16,
    /// The number of boxes that have stepped aside.
    moves: u32,
}

impl Filling {
    /// A plan for a field.
    pub(crate) fn new(field: &Field, memory: &Memory) -> Result<Filling, Stop> {
        let lists = removals(field, memory)?;
        let mut filling = Filling {
            sets: vec![vec![0; field.len().div_ceil(64)]],
            added: vec![None],
            last: vec![0; field.len()],
            near: vec![],
            due: vec![],
        };
        let mut walls = vec![false; field.len() + 1];
        walls[field.len()] = true;
        let mut before: Vec<u16> = vec![];
        for list in lists {
            let step = filling.sets.len() as u32;
            let mut set = vec![0; field.len().div_ceil(64)];
            for &cell in &list {
                set[usize::from(cell / 64)] |= 1 << (cell % 64);
            }
            let new = list.iter().copied().find(|c| !before.contains(c));
            let added = new.filter(|_| list.len() > before.len());
            if let Some(added) = added {
                for cell in &before {
                    walls[usize::from(*cell)] = true;
                }
                filling.reach(field, added, step, &walls);
                for cell in &before {
                    walls[usize::from(*cell)] = false;
                }
            }
            filling.near.resize(filling.sets.len(), vec![]);
            filling.sets.push(set);
            filling.added.push(added);
            before = list;
        }
        filling.due = vec![0; filling.sets.len()];
        Ok(filling)
    }

    /// Notes that boxes which can be pushed to a cell can be used up to this step; ignores where the player is.
    fn reach(&mut self, field: &Field, cell: u16, step: u32, walls: &[bool]) {
        let mut far = vec![FAR; field.len()];
        far[usize::from(cell)] = 0;
        let mut queue = vec![cell];
        let mut at = 0;
        while let Some(&cell) = queue.get(at) {
            at += 1;
            self.last[usize::from(cell)] = step;
            for d in 0..4 {
                let from = field.step(cell, d);
                let behind = field.step(from, d);
                if !walls[usize::from(from)]
                    && !walls[usize::from(behind)]
                    && far[usize::from(from)] == FAR
                {
                    far[usize::from(from)] = far[usize::from(cell)] + 1;
                    queue.push(from);
                }
            }
        }
        self.near.push(far);
    }

    /// The number of steps.
    pub(crate) fn len(&self) -> usize {
        self.sets.len() - 1
    }

    /// How far a state is, given its boxes as bits.
    pub(crate) fn progress(&mut self, boxes: &[u64]) -> Progress {
        let holds = |set: &Vec<u64>| set.iter().zip(boxes).all(|(set, boxes)| set & !boxes == 0);
        let done = self
            .sets
            .iter()
            .rposition(holds)
            .expect("the first is empty");
        // Boxes by the last step that they can fill.
        self.due.fill(0);
        let mut next = FAR;
        let near = self.near.get(done).filter(|near| !near.is_empty());
        for (i, (&set, &boxes)) in self.sets[done].iter().zip(boxes).enumerate() {
            let mut left = boxes & !set;
            while left != 0 {
                let cell = 64 * i + left.trailing_zeros() as usize;
                self.due[(self.last[cell] as usize).max(done)] += 1;
                next = next.min(near.map_or(0, |near| near[cell]));
                left &= left - 1;
            }
        }
        let (mut need, mut steps, mut late) = (self.due[done], 0, self.due[done]);
        for step in done + 1..self.sets.len() {
            steps += u32::from(self.added[step].is_some());
            need += self.due[step];
            late = late.max(need.saturating_sub(steps));
        }
        Progress {
            done: done as u32,
            late,
            next: next.into(),
        }
    }
}

/// The sets of boxes on the way from no box to a box on every goal, without the empty one.
fn removals(field: &Field, memory: &Memory) -> Result<Vec<Vec<u16>>, Stop> {
    let mut search = Removals::new(field);
    search.begin();
    while let Some(id) = search.take() {
        memory.poll_stop()?;
        if search.nodes[id].boxes.is_empty() || search.expanded > MOST_STATES {
            break;
        }
        search.expand(id);
    }
    Ok(search.lists())
}

/// A waiting state: its weight, what breaks ties, and its number. The least comes first.
type Waiting = Reverse<(u32, u32, u32)>;

/// The search for a filling plan, from the goals back.
struct Removals<'a> {
    field: &'a Field,
    nodes: Vec<Node>,
    /// Waiting states by number of boxes and parts of the floor.
    cells: BTreeMap<(usize, u32), BinaryHeap<Waiting>>,
    last: (usize, u32),
    known: FxHashSet<(Vec<u16>, u16)>,
    expanded: usize,
    best: usize,
    occupied: Vec<u16>,
    walk: Walk,
    macros: Macros,
    regions: Regions,
}

/// A state that might follow.
struct Next {
    number: usize,
    to: u16,
    parts: Parts,
    pulls: u32,
}

impl<'a> Removals<'a> {
    fn new(field: &'a Field) -> Removals<'a> {
        let mut occupied = vec![0; field.len() + 1];
        occupied[field.len()] = u16::MAX;
        Removals {
            field,
            nodes: vec![],
            cells: BTreeMap::new(),
            last: (0, 0),
            known: FxHashSet::default(),
            expanded: 0,
            best: 0,
            occupied,
            walk: Walk::new(&field.floor),
            macros: Macros::new(&field.floor),
            regions: Regions::new(&field.floor),
        }
    }

    /// Opens the states with a box on every goal and the player in any part of the floor.
    fn begin(&mut self) {
        let field = self.field;
        let mut seen = vec![false; field.len()];
        for player in 0..field.wall() {
            if field.floor.is_goal[usize::from(player)] || seen[usize::from(player)] {
                continue;
            }
            put(&mut self.occupied, &field.goals, 1);
            self.walk.from(&field.floor, player, &self.occupied);
            let parts = self.regions.parts(&field.floor, &self.occupied, player);
            put(&mut self.occupied, &field.goals, 0);
            for &cell in self.walk.reached() {
                seen[usize::from(cell)] = true;
            }
            self.open(u32::MAX, field.goals.clone(), parts, 0, 0);
        }
    }

    fn open(&mut self, parent: u32, boxes: Vec<u16>, parts: Parts, moves: u32, tie: u32) {
        let id = self.nodes.len() as u32;
        if boxes.len()
            < self
                .nodes
                .get(self.best)
                .map_or(usize::MAX, |n| n.boxes.len())
        {
            self.best = id as usize;
        }
        let cell = self.cells.entry((boxes.len(), parts.count)).or_default();
        cell.push(Reverse((moves, tie, id)));
        self.nodes.push(Node {
            parent,
            boxes,
            player: parts.least,
            moves,
        });
    }

    /// Takes a state from the next cell.
    fn take(&mut self) -> Option<usize> {
        let after = (Bound::Excluded(self.last), Bound::Unbounded);
        let next = self.cells.range(after).next();
        let (&key, _) = next.or_else(|| self.cells.first_key_value())?;
        self.last = key;
        let cell = self.cells.get_mut(&key)?;
        let taken = cell.pop();
        if cell.is_empty() {
            self.cells.remove(&key);
        }
        taken.map(|Reverse((_, _, id))| id as usize)
    }

    /// Removes a box if possible; otherwise opens all states in which one has stepped aside.
    fn expand(&mut self, id: usize) {
        let field = self.field;
        self.expanded += 1;
        let Node {
            boxes,
            player,
            moves,
            ..
        } = self.nodes[id].clone();
        put(&mut self.occupied, &boxes, 1);
        self.walk.from(&field.floor, player, &self.occupied);
        let before = self.regions.parts(&field.floor, &self.occupied, player);
        let is_start = |cell: u16| field.boxes.binary_search(&cell).is_ok();
        let mut removal: Option<((bool, u32), usize, u16)> = None;
        let mut children: Vec<Next> = vec![];
        for (i, &cell) in boxes.iter().enumerate() {
            let sides = sides_reached(&field.floor, &self.walk, cell);
            if sides == 0 && !is_start(cell) {
                continue;
            }
            let occupied = &mut self.occupied;
            (self.macros).find(field, occupied, cell, sides, Way::Pull, |_, _| true);
            let found = self.macros.found.iter();
            let out = found.clone().find(|p| p.pushes > 0 && is_start(p.to));
            if let Some(out) = out {
                let pulls = u32::from(out.pushes);
                let key = (false, pulls);
                let at = field.step(out.to, usize::from(out.side));
                if removal.is_none_or(|(least, ..)| key < least) {
                    removal = Some((key, i, at));
                }
            } else if is_start(cell) && removal.is_none() {
                removal = Some(((true, 0), i, player));
            }
            if removal.is_some() {
                continue;
            }
            for place in found.filter(|p| p.pushes > 0 && !p.is_double) {
                let player = field.step(place.to, usize::from(place.side));
                occupied[usize::from(cell)] = 0;
                occupied[usize::from(place.to)] = 1;
                let parts = self.regions.parts(&field.floor, occupied, player);
                occupied[usize::from(place.to)] = 0;
                occupied[usize::from(cell)] = 1;
                children.push(Next {
                    number: i,
                    to: place.to,
                    parts,
                    pulls: place.pushes.into(),
                });
            }
        }
        if let Some((_, i, player)) = removal {
            let gone = boxes[i];
            self.occupied[usize::from(gone)] = 0;
            let parts = self.regions.parts(&field.floor, &self.occupied, player);
            put(&mut self.occupied, &boxes, 0);
            let mut fewer = boxes;
            fewer.remove(i);
            self.open(id as u32, fewer, parts, moves, 0);
            return;
        }
        put(&mut self.occupied, &boxes, 0);
        // One move that joins the most parts of the floor, and one that gives the player the most room, weigh nothing.
        let join = |next: &Next| (next.parts.count, u32::MAX - next.parts.size, next.pulls);
        let room = |next: &Next| (u32::MAX - next.parts.size, next.parts.count, next.pulls);
        let index = |rank: &dyn Fn(&Next) -> (u32, u32, u32)| {
            let best = children
                .iter()
                .enumerate()
                .min_by_key(|(_, next)| rank(next));
            best.map_or(usize::MAX, |(i, _)| i)
        };
        let joined = index(&join);
        let roomy = index(&room);
        for (i, next) in children.iter().enumerate() {
            let mut list = boxes.clone();
            list[next.number] = next.to;
            list.sort_unstable();
            if self.known.insert((list.clone(), next.parts.least)) {
                let is_advised = i == joined && next.parts.count < before.count
                    || i == roomy && next.parts.size > before.size;
                let weight = moves + u32::from(!is_advised);
                self.open(
                    id as u32,
                    list,
                    next.parts,
                    weight,
                    u32::MAX - next.parts.size,
                );
            }
        }
    }

    /// The plan, forward: first the boxes that could not be removed, then the others.
    fn lists(&self) -> Vec<Vec<u16>> {
        let Some(best) = self.nodes.get(self.best) else {
            return vec![];
        };
        let mut lists: Vec<Vec<u16>> = (1..best.boxes.len())
            .map(|count| best.boxes[..count].to_vec())
            .collect();
        let mut id = self.best as u32;
        while id != u32::MAX {
            let node = &self.nodes[id as usize];
            if !node.boxes.is_empty() {
                lists.push(node.boxes.clone());
            }
            id = node.parent;
        }
        lists
    }
}

fn put(occupied: &mut [u16], boxes: &[u16], value: u16) {
    for &cell in boxes {
        occupied[usize::from(cell)] = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::sokoban::test_levels::read;

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
        let mut filling = Filling::new(&field, &Memory::new(&control)).expect("no limits");
        assert_eq!(filling.len(), 3);
        let bits = |boxes: &[u16]| {
            let mut bits = vec![0; field.len().div_ceil(64)];
            for &cell in boxes {
                bits[usize::from(cell / 64)] |= 1 << (cell % 64);
            }
            bits
        };
        let [first, second, third] = field.goals[..] else {
            panic!("three goals");
        };
        let others = &field.boxes[1..];
        let with = |goal: u16| bits(&[&[goal], others].concat());
        assert_eq!(filling.progress(&with(third)).done, 1);
        // A box in the middle can still go to the end; the others then fill the rest.
        let middle = filling.progress(&with(second));
        assert_eq!((middle.done, middle.late), (0, 0));
        assert_eq!(filling.progress(&bits(&field.goals)).done, 3);
        let two = bits(&[first, third, others[0]]);
        assert_eq!(filling.progress(&two).done, 1);
    }
}
