//! A guide in addition to the bound: states grouped by how many goals are packed.
//!
//! The goal order says how many goals a state has left, and boxes that divide the floor
//! make everything harder. Sorting states by these two numbers would follow the
//! best-packed states to the end; if those are dead and nobody notices, the search gets
//! stuck there. So states wait in groups, called kinds, by goals left and by parts of
//! the floor, and the kinds take turns. That way the search follows progress as soon as
//! there is some, and never gives up on the states behind. Within a kind, a weighted sum
//! decides: pushes so far, bound, distance to the next goal, and goals filled too early.
//!
//! The guide and the queue by bound also take turns. Both hold every waiting state, and
//! a state that was taken from one is skipped in the other. So whichever of the two runs
//! empty first, all states have been seen: an exhausted search still proves that there
//! is no plan.
//!
//! The guide needs a flood fill and a rating for each state, which takes half as much time
//! again, so short searches do without. Finding first plans of Microban 1 to 155 takes
//! 295,815 states without it and 118,205 with it. Levels in which boxes of another room
//! have to be moved first gain nothing.
//!
//! Shoham, Schaeffer: The FESS algorithm: a feature based approach to single-agent
//! search. IEEE Conference on Games 2020. Röger, Helmert: The more, the merrier:
//! combining heuristic estimators for satisficing planning. ICAPS 2010.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::goal_order::GoalOrder;
use super::half::Pushed;
use super::setup::Setup;
use crate::control::Stop;
use crate::core::blocks::Id;
use crate::core::memory::Memory;
use crate::core::queue::{Buckets, Pool};
use crate::core::words::WordStore;
use crate::sokoban::field::enclosure::Field;

/// The weights within a kind: of pushes so far, the bound, pushes to the next goal, and goals filled too early.
const PUSH: u32 = 4;
const BOUND: u32 = 5;
const NEXT: u32 = 10;
const EARLY: u32 = 20;
/// Longer distances to the next goal count as this one, and so does an unreachable goal.
const FAR: u32 = 100;
/// `taken` grows by this many states at a time.
const BLOCK: usize = 1 << 12;

/// Goals left, and parts of the floor.
type Kind = (u32, u32);

/// A second queue for a search over pushes.
pub(crate) struct Guide<'a> {
    setup: &'a Setup,
    order: GoalOrder,
    /// The waiting states by kind; no queue in here is empty.
    kinds: BTreeMap<Kind, Buckets>,
    /// The kind that had its turn last.
    last: Kind,
    /// Whether each state has been taken from one of the two queues.
    taken: Vec<bool>,
    is_turn: bool,
    boxes: Vec<u16>,
    image: Vec<u16>,
    seen: Vec<bool>,
    flood: Vec<u16>,
}

impl<'a> Guide<'a> {
    /// An empty guide; none if there is no goal order.
    pub(crate) fn new(setup: &'a Setup, memory: &mut Memory) -> Result<Option<Guide<'a>>, Stop> {
        let order = GoalOrder::new(&setup.field, memory)?;
        Ok(order.map(|order| Guide {
            setup,
            order,
            kinds: BTreeMap::new(),
            last: (0, 0),
            taken: vec![],
            is_turn: false,
            boxes: vec![],
            image: vec![],
            seen: vec![],
            flood: vec![],
        }))
    }

    /// Adds all states of the queue by bound, whose second key is the bound. They stay in that queue as well.
    pub(crate) fn join(
        &mut self,
        seen: &WordStore<Pushed>,
        pool: &mut Pool,
        open: &mut Buckets,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        let mut all = vec![];
        while let Some(entry) = pool.pop(open, memory) {
            all.push(entry);
        }
        for &(key, id) in all.iter().rev() {
            pool.push(open, key, id, memory)?;
            self.push(seen, id, key.1, pool, memory)?;
        }
        Ok(())
    }

    /// Adds a state. Its rating is the best of its images' ratings.
    pub(crate) fn push(
        &mut self,
        seen: &WordStore<Pushed>,
        id: Id,
        h: u32,
        pool: &mut Pool,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        if id as usize >= self.taken.len() {
            let len = (id as usize / BLOCK + 1) * BLOCK;
            memory.claim(len - self.taken.len())?;
            self.taken.resize(len, false);
        }
        self.setup.packing.unpack(seen.state(id), &mut self.boxes);
        let mut best = self.order.rate(&self.boxes);
        for map in &self.setup.symmetries {
            self.image.clear();
            let images = self.boxes.iter().map(|&cell| map[usize::from(cell)]);
            self.image.extend(images);
            best = best.min(self.order.rate(&self.image));
        }
        let key =
            PUSH * seen.value(id).g + BOUND * h + NEXT * best.next.min(FAR) + EARLY * best.early;
        let kind = (best.left, self.parts());
        let queue = self.kinds.entry(kind).or_default();
        pool.push(queue, (key, h), id, memory)
    }

    /// Takes a state that was not taken before, alternating between this guide and the queue by bound.
    pub(crate) fn take(
        &mut self,
        pool: &mut Pool,
        open: &mut Buckets,
        memory: &mut Memory,
    ) -> Option<Id> {
        self.is_turn = !self.is_turn;
        loop {
            let id = if self.is_turn {
                self.next(pool, memory)?
            } else {
                pool.pop(open, memory)?.1
            };
            if !std::mem::replace(&mut self.taken[id as usize], true) {
                return Some(id);
            }
        }
    }

    /// Takes the best state of the next kind.
    fn next(&mut self, pool: &mut Pool, memory: &mut Memory) -> Option<Id> {
        let after = (Bound::Excluded(self.last), Bound::Unbounded);
        let next = self.kinds.range(after).next();
        let (&kind, _) = next.or_else(|| self.kinds.first_key_value())?;
        self.last = kind;
        let queue = self.kinds.get_mut(&kind).expect("it was found");
        let popped = pool.pop(queue, memory);
        if queue.is_empty() {
            self.kinds.remove(&kind);
        }
        popped.map(|(_, id)| id)
    }

    /// The number of parts into which the boxes divide the floor.
    fn parts(&mut self) -> u32 {
        let field: &Field = &self.setup.field;
        self.seen.clear();
        self.seen.resize(field.len(), false);
        self.seen.push(true); // the wall
        for &cell in &self.boxes {
            self.seen[usize::from(cell)] = true;
        }
        let mut parts = 0;
        for cell in 0..field.wall() {
            if std::mem::replace(&mut self.seen[usize::from(cell)], true) {
                continue;
            }
            parts += 1;
            self.flood.push(cell);
            while let Some(cell) = self.flood.pop() {
                for other in field.floor.next[usize::from(cell)] {
                    if !std::mem::replace(&mut self.seen[usize::from(other)], true) {
                        self.flood.push(other);
                    }
                }
            }
        }
        parts
    }
}
