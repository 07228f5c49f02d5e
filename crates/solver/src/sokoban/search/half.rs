//! One half of a bidirectional search: pushes from the start, or pulls from the goals.
//!
//! A pull undoes a push: the player steps back and the box follows. The backward half
//! begins with a box on every goal and the player in any part of the floor. Its bound
//! is the cheapest matching with the boxes of the start. In both halves a state means
//! the same, where the boxes are and where the player can walk. So the halves meet
//! where they have equal states.
//!
//! If the level is symmetric, a state stands for all its images. Then the backward
//! bound is the least over them, because the start might be any of its images.

use super::bound::PushBound;
use super::canonical::{Spare, canonical};
use super::errors::{Estimate, RootMatching, Window};
use super::setup::Setup;
use super::waiting::Waiting;
use crate::control::Stop;
use crate::core::memory::Memory;
use crate::core::store::{Id, chain};
use crate::core::words::{WordStore, hash_of};
use crate::counts::Counts;
use crate::sokoban::bound::conflicts::Conflicts;
use crate::sokoban::bound::distance::{Distances, Way};
use crate::sokoban::field::position::Position;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;
use crate::sokoban::prune::corral::Corrals;

/// On a level with more cells than this, expanding a single state takes long.
const LARGE: usize = 1 << 12;

/// How a state was reached: its parent (a root is its own parent), the pushes so far, and a lower bound on the rest.
#[derive(Clone, Copy)]
pub(crate) struct Pushed {
    pub(crate) parent: Id,
    pub(crate) g: u32,
    pub(crate) h: u32,
}

/// The states that one half has seen, and those that wait to be expanded.
pub(crate) struct PushHalf<'a> {
    setup: &'a Setup,
    distances: &'a Distances,
    pub(crate) way: Way,
    /// Whether PI-corrals may prune pushes.
    prune: bool,
    /// Whether the first path to a state is good enough.
    pub(crate) greedy: bool,
    pub(crate) seen: WordStore<Pushed>,
    /// The states that `begin` or the last `expand` opened, each with its cost and its bound.
    pub(crate) fresh: Vec<(Id, u32, u32)>,
    pub(crate) waiting: Waiting<Estimate>,
    is_refined: bool,
    /// What was estimated of the state that `take` gave.
    taken: Estimate,
    /// States that turn out to cost more than this keep waiting.
    pub(crate) limit: u32,
    /// The plain bound of each fresh state, and its error.
    errors: Vec<(u32, u32)>,
    root_matching: Option<RootMatching<'a>>,
    bound: PushBound<'a>,
    corrals: Corrals,
    position: Position,
    walk: Walk,
    after: Walk,
    spare: Spare,
    key: Vec<u64>,
    pushes: Vec<(u16, usize)>,
}

/// A meeting of both halves: the cost of the plan through it, and its state in this half and in the other.
pub(crate) type Meeting = (u32, Id, Id);

impl<'a> PushHalf<'a> {
    /// A half that has not begun.
    pub(crate) fn new(
        setup: &'a Setup,
        distances: &'a Distances,
        way: Way,
        prune: bool,
    ) -> PushHalf<'a> {
        let field = &setup.field;
        PushHalf {
            setup,
            distances,
            way,
            prune,
            greedy: false,
            seen: WordStore::new(setup.packing.words),
            fresh: vec![],
            waiting: Waiting::default(),
            is_refined: false,
            taken: Estimate {
                total: 0,
                plain: 0,
                error: 0,
            },
            limit: u32::MAX,
            errors: vec![],
            root_matching: None,
            bound: PushBound::new(setup, distances, way),
            corrals: Corrals::new(field),
            position: Position::start(field),
            walk: Walk::new(&field.floor),
            after: Walk::new(&field.floor),
            spare: Spare::default(),
            key: vec![0; setup.packing.words],
            pushes: vec![],
        }
    }

    /// Refines the bound for a long search: adds conflicts to it, and estimates errors if the level has no symmetries
    /// that make a difference to the start. `from_root` are the distances from this half's root.
    pub(crate) fn refine(&mut self, conflicts: Option<&'a Conflicts>, from_root: &'a Distances) {
        self.is_refined = true;
        self.bound.refine(conflicts);
        if self.setup.turns.is_empty() {
            let boxes = self.setup.field.boxes.len();
            self.root_matching = Some(RootMatching::new(boxes, from_root));
        }
    }

    /// Opens the states to begin from: the start, or all solved states.
    pub(crate) fn begin(&mut self, memory: &mut Memory) -> Result<(), Stop> {
        let field = &self.setup.field;
        match self.way {
            Way::Push => {
                self.position.set(&field.boxes, field.player);
                self.root(memory)
            }
            Way::Pull => {
                let mut seen = vec![false; field.len()];
                for player in 0..field.wall() {
                    if !seen[usize::from(player)] && !field.floor.is_goal[usize::from(player)] {
                        self.position.set(&field.goals, player);
                        self.walk
                            .from(&field.floor, player, &self.position.occupied);
                        if self.setup.may_end(&self.walk) {
                            self.root(memory)?;
                        }
                        for &cell in self.walk.reached() {
                            seen[usize::from(cell)] = true;
                        }
                    }
                }
                Ok(())
            }
        }
    }

    /// Forgets all states and opens this one.
    pub(crate) fn begin_at(
        &mut self,
        boxes: &[u16],
        player: u16,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        self.seen = WordStore::new(self.setup.packing.words);
        self.fresh.clear();
        self.errors.clear();
        self.position.set(boxes, player);
        self.root(memory)
    }

    fn root(&mut self, memory: &mut Memory) -> Result<(), Stop> {
        let Some(h) = self.bound.start(&self.position, memory)? else {
            return Ok(());
        };
        self.write_key(None);
        let hash = hash_of(&self.key);
        if self.seen.find(&self.key, hash).is_none() {
            let parent = self.seen.len() as Id;
            let root = Pushed { parent, g: 0, h };
            let id = self.seen.insert(&self.key, hash, root, memory)?;
            self.fresh.push((id, 0, h));
            self.errors.push((self.bound.plain_bound, 0));
        }
        Ok(())
    }

    /// Writes the words of the state in `position`. `moved` says which cell a box has left and which it has taken, if
    /// the state is one push or pull from the last walk; that may save another walk.
    fn write_key(&mut self, moved: Option<(u16, u16)>) {
        let field = &self.setup.field;
        let Position { occupied, .. } = &self.position;
        let quick = moved
            .filter(|_| self.setup.symmetries.is_empty())
            .and_then(|(left, taken)| self.walk.least_after(&field.floor, occupied, left, taken));
        if let Some(least) = quick {
            self.position.player = least;
        } else {
            self.after
                .from(&field.floor, self.position.player, occupied);
        }
        let anywhere = quick.is_none().then_some(&self.after);
        canonical(
            self.setup,
            &self.position,
            anywhere,
            &mut self.spare,
            &mut self.key,
        );
    }

    /// Puts the fresh states into their layers of waiting states.
    pub(crate) fn keep_fresh(&mut self, memory: &mut Memory) -> Result<(), Stop> {
        let has_errors = self.root_matching.is_some();
        for ((id, g, h), (plain, error)) in self.fresh.drain(..).zip(self.errors.drain(..)) {
            let estimate = Estimate {
                total: g + h,
                plain: if has_errors { g + plain } else { 0 },
                error,
            };
            self.waiting.push(id, g, estimate, memory)?;
        }
        Ok(())
    }

    /// Takes a waiting state whose cost so far is `g` and which is in the window.
    pub(crate) fn take(&mut self, g: usize, window: &Window, memory: &mut Memory) -> Option<Id> {
        loop {
            let (estimate, id) = (self.waiting).take(g, |state| window.has(state), memory)?;
            if self.seen.value(id).g as usize == g {
                self.taken = estimate;
                return Some(id);
            }
        }
    }

    /// Reaches all states one push or pull further whose cost plus bound is at most `best`. Returns the best meeting
    /// with the other half, if it costs less than `best`.
    pub(crate) fn expand(
        &mut self,
        id: Id,
        best: &mut u32,
        other: Option<&WordStore<Pushed>>,
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<Option<Meeting>, Stop> {
        let Setup { field, packing, .. } = self.setup;
        counts.expanded += 1;
        self.fresh.clear();
        self.errors.clear();
        let mut meeting = None;
        let g = self.seen.value(id).g + 1;
        self.position.unpack(packing, self.seen.state(id));
        let Some(h) = self.bound.start(&self.position, memory)? else {
            return Ok(None); // more boxes are frozen than was known when it was reached
        };
        let mut own = self.raise(id, h);
        if self.is_refined && g - 1 + own <= self.limit && self.bound.exceeds(self.limit + 1 - g) {
            let more = self.limit + 2 - g;
            own = self.raise(id, more + (more - own) % 2); // all plans have the same parity
        }
        if g - 1 + own > self.limit {
            let total = g - 1 + own;
            self.bound.note_excess(total - self.limit);
            let estimate = Estimate {
                total,
                ..self.taken
            };
            self.waiting.push(id, g - 1, estimate, memory)?;
            return Ok(None);
        }
        let player = self.position.player;
        self.walk
            .from(&field.floor, player, &self.position.occupied);
        self.walk.find_least();
        self.find_moves();
        if let Some(matching) = &mut self.root_matching {
            matching.start(field, &self.position);
        }
        for i in 0..self.pushes.len() {
            let (cell, d) = self.pushes[i];
            let number = usize::from(self.position.occupied[usize::from(cell)]) - 1;
            counts.generated += 1;
            // 1. Where the box and the player go.
            let behind = field.step(cell, back(d));
            let (to, player) = match self.way {
                Way::Push => (field.step(cell, d), cell),
                Way::Pull => (behind, field.step(behind, back(d))),
            };
            // 2. The bound.
            let h = self.bound.with(number, to, player, back(d));
            let h = h.map(|h| {
                if self.is_refined {
                    h.max(own.saturating_sub(1))
                } else {
                    h
                }
            });
            let Some(h) = h.filter(|h| g + h <= *best) else {
                continue;
            };
            // 3. The state, if it is new or cheaper than before.
            self.position.player = player;
            self.position.shift(number, to);
            let reached = self.reach(id, g, h, (cell, to), *best, memory);
            self.position.shift(number, cell);
            if let Ok(Some(_)) = reached {
                let matching = self.root_matching.as_mut();
                let error = matching.map_or(0, |m| g.saturating_sub(m.with(number, to, back(d))));
                self.errors.push((self.bound.plain_bound, error));
            }
            // 4. Whether the other half knows it.
            if let Some(reached) = reached?
                && let Some(other) = other
                && let Some(met) = other.find(&self.key, hash_of(&self.key))
            {
                let cost = g + other.value(met).g;
                if cost < *best {
                    *best = cost;
                    meeting = Some((cost, reached, met));
                }
            }
        }
        Ok(meeting)
    }

    /// Raises the bound of a state in a long search, in which expanding it may show that it costs more. Returns its bound.
    fn raise(&mut self, id: Id, h: u32) -> u32 {
        let known = self.seen.value_mut(id);
        if self.is_refined {
            known.h = known.h.max(h);
        }
        known.h
    }

    /// Finds the pushes or pulls that have to be tried, each as a box's cell and the direction of the push.
    fn find_moves(&mut self) {
        let Setup { field, surplus, .. } = self.setup;
        let Position {
            boxes, occupied, ..
        } = &self.position;
        self.pushes.clear();
        if self.way == Way::Push && self.prune {
            let corral =
                (self.corrals).find(field, self.distances, occupied, boxes, &self.walk, *surplus);
            if let Some(pushes) = corral {
                self.pushes.extend_from_slice(pushes);
                return;
            }
        }
        for &cell in boxes {
            for d in 0..4 {
                let behind = field.step(cell, back(d));
                let free = match self.way {
                    Way::Push => field.step(cell, d),
                    Way::Pull => field.step(behind, back(d)),
                };
                if occupied[usize::from(free)] == 0 && self.walk.reaches(behind) {
                    self.pushes.push((cell, d));
                }
            }
        }
    }

    /// Notes a path to the state in `position`. Returns the state's number; none if it was known at no higher cost, is
    /// dead, or would cost more than `most`.
    fn reach(
        &mut self,
        parent: Id,
        g: u32,
        h: u32,
        (left, to): (u16, u16),
        most: u32,
        memory: &mut Memory,
    ) -> Result<Option<Id>, Stop> {
        if self.setup.field.len() > LARGE {
            memory.poll_stop()?; // walks are long, and there are many pushes
        }
        self.write_key(Some((left, to)));
        let hash = hash_of(&self.key);
        let mut pushed = Pushed { parent, g, h };
        let id = if let Some(id) = self.seen.find(&self.key, hash) {
            let known = self.seen.value_mut(id);
            if known.g <= g || self.greedy {
                return Ok(None);
            }
            pushed.h = known.h.max(h);
            *known = pushed;
            id
        } else {
            let settled = self.bound.settle(&self.position, to, h, memory)?;
            let Some(h) = settled.filter(|h| g + h <= most) else {
                return Ok(None);
            };
            pushed.h = h;
            self.seen.insert(&self.key, hash, pushed, memory)?
        };
        self.fresh.push((id, g, pushed.h));
        Ok(Some(id))
    }

    /// The states from a root to this one.
    pub(crate) fn chain(&self, id: Id) -> Vec<Id> {
        chain(id, |id| self.seen.value(id).parent)
    }
}
