//! Feature-space search: states wait in cells by what they have achieved, and the
//! cells take turns.
//!
//! No single number says which state of a large level is nearest to a plan. So each
//! state has several features: how far it is with the filling plan, how many boxes
//! would come too late for it, and into how many parts its boxes divide the floor.
//! States with equal features share a cell. The search visits the cells in rotation
//! and takes one state from each, so that it follows progress of every kind and is
//! stuck in none. Every second state comes from the cells that are furthest with the
//! filling plan, which also take turns.
//!
//! Within a cell the state of least weight comes first. A move weighs 1, but for each
//! state a few *advisors* each pick one move that weighs nothing: the one that gets
//! furthest with the filling plan, makes the fewest boxes late, joins the most parts
//! of the floor, lowers the bound most, gives the player the most room, or brings a box nearest to
//! the next goal of the plan. So a state
//! of weight 3 took three moves that no advisor wanted. The bound breaks ties.
//!
//! Moves are macro moves. If there is a PI-corral, only moves that begin with one of its
//! pushes are tried. Dead states are recognised by the bound, by frozen boxes, by
//! corrals and by learned patterns; all of these are sound. Nothing is proven when the
//! search ends without a plan, because equal hashes count as equal states.
//!
//! Shoham, Schaeffer: The FESS algorithm: a feature based approach to single-agent
//! search. IEEE Conference on Games 2020.

use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Bound;

use rustc_hash::FxHashSet;

use super::filling::Filling;
use super::macros::{Macro, Macros, sides_reached};
use super::regions::Regions;
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::sokoban::bound::distance::Way;
use crate::sokoban::field::position::Position;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;
use crate::sokoban::prune::corral::Corrals;
use crate::sokoban::prune::learned::Learned;
use crate::sokoban::search::bound::PushBound;
use crate::sokoban::search::setup::Setup;

/// The number of advisors.
const ADVISORS: usize = 6;

/// What tells the cells apart: steps of the filling plan left, boxes that come too late, parts of the floor.
type Features = (u32, u32, u32);

/// What sets one feature-space search apart from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Style {
    /// Which advisors are heard, as bits.
    pub(crate) advisors: u32,
    /// What breaks ties of weight within a cell.
    pub(crate) tie: Tie,
}

/// What breaks ties of weight; lower is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tie {
    /// The bound, with late boxes and parts of the floor.
    Bound,
    /// The pushes to the next goal of the filling plan, then the bound.
    Next,
}

/// The searches that take turns.
pub(crate) const STYLES: [Style; 2] = [
    Style {
        advisors: 0b11_1111,
        tie: Tie::Bound,
    },
    Style {
        advisors: 0b11_0111,
        tie: Tie::Next,
    },
];

/// A move that waits to be made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting {
    /// The weight and the bound, negated: the greatest comes first.
    key: (i32, i32),
    /// The newest of equal ones comes first.
    parent: u32,
    from: u16,
    to: u16,
    side: u8,
}

/// A state that has been reached.
struct Reached {
    parent: u32,
    from: u16,
    to: u16,
    side: u8,
    weight: i32,
    player: u16,
}

/// A child of the state being expanded.
struct Child {
    waiting: Waiting,
    features: Features,
    h: u32,
    size: u32,
    next: u32,
}

/// How an advisor ranks a child; the lowest is best.
type Rank = fn(&Child) -> (u32, u32);

/// A feature-space search.
pub(crate) struct FeatureSearch<'a> {
    setup: &'a Setup,
    style: Style,
    learned: Learned,
    filling: Filling,
    states: Vec<Reached>,
    boxes: Vec<u16>,
    cells: BTreeMap<Features, BinaryHeap<Waiting>>,
    last: Features,
    last_ahead: Features,
    is_ahead: bool,
    /// Hashes of the states that have been reached or wait.
    known: FxHashSet<u64>,
    keys: Vec<[u64; 2]>,
    bound: PushBound<'a>,
    corrals: Corrals,
    macros: Macros,
    regions: Regions,
    walk: Walk,
    position: Position,
    children: Vec<Child>,
    bits: Vec<u64>,
    pace: Pace,
    claimed: usize,
}

/// A push: the cell of the box, and the direction.
pub(crate) type Push = (u16, usize);

impl<'a> FeatureSearch<'a> {
    /// A search that has not begun, for a level with as many boxes as goals.
    pub(crate) fn new(setup: &'a Setup, style: Style, memory: &Memory) -> Result<Self, Stop> {
        let field = &setup.field;
        let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
        let mut random = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        Ok(FeatureSearch {
            setup,
            style,
            learned: Learned::new(field),
            filling: Filling::new(field, memory)?,
            states: vec![],
            boxes: vec![],
            cells: BTreeMap::new(),
            last: (0, 0, 0),
            last_ahead: (0, 0, 0),
            is_ahead: false,
            known: FxHashSet::default(),
            keys: (0..field.len()).map(|_| [random(), random()]).collect(),
            bound: PushBound::new(setup, &setup.distances, Way::Push),
            corrals: Corrals::new(field),
            macros: Macros::new(&field.floor),
            regions: Regions::new(&field.floor),
            walk: Walk::new(&field.floor),
            position: Position::start(field),
            children: vec![],
            bits: vec![0; field.len().div_ceil(64)],
            pace: Pace::new(1 << 15),
            claimed: 0,
        })
    }

    /// Searches for a plan until this many more states have been expanded. None if there is no state left.
    pub(crate) fn run(
        &mut self,
        most: u64,
        counts: &mut Counts,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<Option<Vec<Push>>, Stop> {
        let end = counts.expanded.saturating_add(most);
        if self.states.is_empty() {
            let field = &self.setup.field;
            self.states.push(Reached {
                parent: u32::MAX,
                from: 0,
                to: 0,
                side: 0,
                weight: 0,
                player: field.player,
            });
            self.boxes.extend_from_slice(&field.boxes);
            if let Some(plan) = self.expand(0, counts, memory)? {
                return Ok(Some(plan));
            }
        }
        while let Some(next) = self.take() {
            if self.pace.is_due() {
                control.poll(counts)?;
                self.claim(memory)?;
            }
            if counts.expanded >= end {
                return Err(Stop::Budget);
            }
            let id = self.make(next);
            if let Some(plan) = self.expand(id, counts, memory)? {
                return Ok(Some(plan));
            }
        }
        Ok(None)
    }

    /// Claims the memory that the search has come to use.
    fn claim(&mut self, memory: &mut Memory) -> Result<(), Stop> {
        let waiting: usize = self.cells.values().map(BinaryHeap::capacity).sum();
        let bytes = waiting * size_of::<Waiting>()
            + self.states.capacity() * size_of::<Reached>()
            + self.boxes.capacity() * size_of::<u16>()
            + self.known.capacity() * 10;
        memory.claim(bytes.saturating_sub(self.claimed))?;
        self.claimed = self.claimed.max(bytes);
        Ok(())
    }

    /// Takes a move from the next cell. Every second time, only the cells that are furthest with the filling plan count.
    fn take(&mut self) -> Option<Waiting> {
        self.is_ahead = !self.is_ahead;
        let (&first, _) = self.cells.first_key_value()?;
        let (last, end) = if self.is_ahead {
            (
                self.last_ahead,
                Bound::Included((first.0, u32::MAX, u32::MAX)),
            )
        } else {
            (self.last, Bound::Unbounded)
        };
        let is_past = self.is_ahead && last.0 != first.0;
        let after = (Bound::Excluded(last), end);
        let next = if is_past {
            None
        } else {
            self.cells.range(after).next()
        };
        let features = next.map_or(first, |(&features, _)| features);
        if self.is_ahead {
            self.last_ahead = features;
        } else {
            self.last = features;
        }
        let cell = self.cells.get_mut(&features).expect("it was just found");
        let taken = cell.pop();
        if cell.is_empty() {
            self.cells.remove(&features);
        }
        taken
    }

    /// Makes a move.
    fn make(&mut self, next: Waiting) -> u32 {
        let count = self.setup.field.boxes.len();
        let first = next.parent as usize * count;
        let id = self.states.len() as u32;
        for i in first..first + count {
            let cell = self.boxes[i];
            self.boxes
                .push(if cell == next.from { next.to } else { cell });
        }
        self.states.push(Reached {
            parent: next.parent,
            from: next.from,
            to: next.to,
            side: next.side,
            weight: -next.key.0,
            player: (self.setup.field).step(next.to, usize::from(next.side)),
        });
        id
    }

    /// Puts the children of a state into their cells. Returns a plan if one of them is solved.
    #[expect(clippy::too_many_lines, reason = "one state, step by step")]
    fn expand(
        &mut self,
        id: u32,
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<Option<Vec<Push>>, Stop> {
        let Setup {
            field, distances, ..
        } = self.setup;
        let count = field.boxes.len();
        let boxes = &self.boxes[id as usize * count..][..count];
        let Reached { weight, player, .. } = self.states[id as usize];
        counts.expanded += 1;
        self.position.set(boxes, player);
        let Some(bound) = self.bound.start(&self.position, memory)? else {
            return Ok(None);
        };
        if bound == 0 {
            return Ok(Some(self.plan(id)));
        }
        let before = self.rate(weight, bound);
        self.walk
            .from(&field.floor, player, &self.position.occupied);
        let Position {
            boxes, occupied, ..
        } = &self.position;
        if (self.learned).examine(field, distances, occupied, boxes, &self.walk) {
            return Ok(None);
        }
        let corral = self
            .corrals
            .find(
                field,
                distances,
                &self.position.occupied,
                &self.position.boxes,
                &self.walk,
                0,
            )
            .map(<[_]>::to_vec);
        self.children.clear();
        let mut hash = 0;
        for &cell in &self.position.boxes {
            hash ^= self.keys[usize::from(cell)][0];
        }
        for number in 0..count {
            let cell = self.position.boxes[number];
            let mut sides = sides_reached(&field.floor, &self.walk, cell);
            if let Some(pushes) = &corral {
                let mut first = 0;
                for (_, d) in pushes.iter().filter(|push| push.0 == cell) {
                    first |= 1 << back(*d);
                }
                sides &= first;
            }
            if sides == 0 {
                continue;
            }
            let occupied = &mut self.position.occupied;
            self.macros
                .find(field, occupied, cell, sides, Way::Push, |to, side| {
                    !distances.is_dead(distances.place(to, side))
                });
            for i in 1..self.macros.found.len() {
                let place = self.macros.found[i];
                if place.is_double {
                    continue;
                }
                counts.generated += 1;
                let (to, side) = (place.to, usize::from(place.side));
                let player = field.step(to, side);
                self.position.shift(number, to);
                let occupied = &self.position.occupied;
                let parts = self.regions.parts(&field.floor, occupied, player);
                let [from_key, _] = self.keys[usize::from(cell)];
                let [to_key, _] = self.keys[usize::from(to)];
                let [_, player_key] = self.keys[usize::from(parts.least)];
                let child_hash = hash ^ from_key ^ to_key ^ player_key;
                let mut child = None;
                if self.known.insert(child_hash) {
                    self.position.player = player;
                    let h = self.bound.with(number, to, player, side);
                    let occupied = &self.position.occupied;
                    let h = match h {
                        Some(_) if self.learned.completes(occupied, to, player) => None,
                        Some(h) => self.bound.settle(&self.position, to, h, memory)?,
                        None => None,
                    };
                    if let Some(h) = h {
                        write_bits(&self.position.boxes, &mut self.bits);
                        let progress = self.filling.progress(&self.bits);
                        let tie = match self.style.tie {
                            Tie::Bound => h + 10 * progress.late + 10 * parts.count,
                            Tie::Next => 8 * progress.next + h,
                        };
                        let waiting = Waiting {
                            key: (-weight - 1, -(tie as i32)),
                            parent: id,
                            from: cell,
                            to,
                            side: place.side,
                        };
                        let left = self.filling.len() as u32 - progress.done;
                        child = Some(Child {
                            waiting,
                            features: (left, progress.late, parts.count),
                            h,
                            size: parts.size,
                            next: progress.next,
                        });
                    }
                }
                self.position.shift(number, cell);
                self.children.extend(child);
            }
        }
        self.advise(&before);
        if let Some(solved) = self.children.iter().find(|child| child.h == 0) {
            let id = self.make(solved.waiting);
            return Ok(Some(self.plan(id)));
        }
        for child in self.children.drain(..) {
            let cell = self.cells.entry(child.features).or_default();
            cell.push(child.waiting);
        }
        Ok(None)
    }

    /// The features of the state in `position` as a child with the given bound.
    fn rate(&mut self, weight: i32, h: u32) -> Child {
        let Position {
            occupied, player, ..
        } = &self.position;
        let parts = (self.regions).parts(&self.setup.field.floor, occupied, *player);
        write_bits(&self.position.boxes, &mut self.bits);
        let progress = self.filling.progress(&self.bits);
        let left = self.filling.len() as u32 - progress.done;
        Child {
            waiting: Waiting {
                key: (-weight, 0),
                parent: 0,
                from: 0,
                to: 0,
                side: 0,
            },
            features: (left, progress.late, parts.count),
            h,
            size: parts.size,
            next: progress.next,
        }
    }

    /// Lets each advisor pick one of the children that are better than their parent.
    fn advise(&mut self, before: &Child) {
        let ranks: [Rank; ADVISORS] = [
            |child| (child.features.0, child.h),
            |child| (child.features.1, child.h),
            |child| (child.features.2, child.h),
            |child| (child.h, child.features.2),
            |child| (u32::MAX - child.size, child.h),
            |child| (child.next, child.h),
        ];
        for (i, rank) in ranks.into_iter().enumerate() {
            if self.style.advisors >> i & 1 == 0 {
                continue;
            }
            let picked = self.children.iter_mut().min_by_key(|child| rank(child));
            if let Some(child) = picked
                && rank(child).0 < rank(before).0
            {
                child.waiting.key.0 = before.waiting.key.0;
            }
        }
    }

    /// The pushes that lead to a state.
    fn plan(&mut self, id: u32) -> Vec<Push> {
        let field = &self.setup.field;
        let count = field.boxes.len();
        let mut chain = vec![id];
        while let Some(&last) = chain.last()
            && self.states[last as usize].parent != u32::MAX
        {
            chain.push(self.states[last as usize].parent);
        }
        chain.reverse();
        let mut pushes = vec![];
        for pair in chain.windows(2) {
            let (before, after) = (
                &self.states[pair[0] as usize],
                &self.states[pair[1] as usize],
            );
            let boxes = &self.boxes[pair[0] as usize * count..][..count];
            self.position.set(boxes, before.player);
            let Position { occupied, .. } = &mut self.position;
            self.walk.from(&field.floor, before.player, occupied);
            let sides = sides_reached(&field.floor, &self.walk, after.from);
            self.macros
                .find(field, occupied, after.from, sides, Way::Push, |_, _| true);
            // With the player on another side of the same part of the floor, the plan goes on all the same.
            let is_end = |p: &Macro| (p.to, p.side) == (after.to, after.side) && p.pushes > 0;
            let at = self.macros.found.iter().position(is_end);
            let at = at.expect("the move was made");
            for (from, to) in self.macros.path(at) {
                let d = (0..4).find(|&d| field.step(from, d) == to);
                pushes.push((from, d.expect("they are neighbours")));
            }
        }
        pushes
    }
}

/// Writes the cells of boxes as bits.
fn write_bits(boxes: &[u16], bits: &mut [u64]) {
    bits.fill(0);
    for &cell in boxes {
        bits[usize::from(cell / 64)] |= 1 << (cell % 64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::search::plan::walked;
    use crate::sokoban::test_levels::{pulled_level, read};

    fn solves(level: &noyes_puzzle::sokoban::Level, style: Style) -> bool {
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let setup = Setup::new(level, &mut memory).expect("no limits");
        let mut search = FeatureSearch::new(&setup, style, &memory).expect("no limits");
        let plan = search.run(20_000, &mut Counts::default(), &mut memory, &control);
        plan.is_ok_and(|pushes| {
            let pushes = pushes.expect("there is a plan");
            let plan = walked(&setup, &pushes).expect("each push is possible");
            let mut boxes = setup.field.boxes.clone();
            for (cell, d) in pushes {
                let moved = boxes.iter_mut().find(|b| **b == cell);
                *moved.expect("a box") = setup.field.step(cell, d);
            }
            boxes.sort_unstable();
            plan.is_empty() || boxes == setup.field.goals
        })
    }

    #[test]
    fn levels_that_have_a_plan_are_solved() {
        for style in STYLES {
            let solved = (0..200).filter(|&seed| solves(&pulled_level(seed), style));
            assert_eq!(solved.count(), 200, "{style:?}");
        }
    }

    #[test]
    fn a_goal_room_is_filled_in_order() {
        let level = read(&[
            "################",
            "#        #     #",
            "# $ $ $  # ... #",
            "#          ... #",
            "# $ $ $  #     #",
            "#    @   #     #",
            "################",
        ]);
        for style in STYLES {
            assert!(solves(&level, style), "{style:?}");
        }
    }
}
