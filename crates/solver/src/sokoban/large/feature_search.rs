//! Feature-space search: states wait in cells by what they have achieved, and the
//! cells take turns.
//!
//! No single number says which state of a large level is nearest to a plan. So each
//! state has several features: how far it is with the filling plan, how many boxes
//! come too late for it, how many goals are filled, the bound, how many moves could be made
//! in the state before, and into how many parts its boxes divide the floor. States with equal features share a cell; see `cells` for how
//! the cells take turns.
//!
//! A search goes forward from the start or backward from the goals, where it pulls boxes
//! to the cells at which they start. Backward, boxes leave a goal room in an order in which
//! they can enter it, and few states are dead. Some levels are easy in one way and
//! hard in the other.
//!
//! Within a cell the state of least weight comes first. A move weighs 1, but for each
//! state a few `advisors` each pick one move that weighs nothing. So a state of weight 3
//! took three moves that no advisor wanted. The bound breaks ties, with some luck: how long a search
//! takes depends on small things, so a search that takes long begins anew with other luck.
//!
//! Moves are macro moves. Forward, if there is a PI-corral, only moves that begin with one of its
//! pushes are tried. Dead states are recognised by the bound, by frozen boxes, by
//! corrals and by learned patterns. States that are furthest are often dead without
//! looking so. So some of them are probed, and if one is dead, the states that it comes
//! from are probed as well: nothing that comes from a dead state is searched any more. All
//! of this is sound. Nothing is proven when the search ends without a plan, because equal
//! hashes count as equal states.
//!
//! Shoham, Schaeffer: The FESS algorithm: a feature based approach to single-agent
//! search. IEEE Conference on Games 2020.

mod pushes;

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::advisors::{Child, NEXT, advise};
use super::cells::{Cells, Features, Move};
use super::filling::{Filling, Progress};
use super::macros::{Macros, sides_reached};
use super::meeting::{Hashes, Push};
use super::probe::{Probe, Verdict};
use super::regions::Regions;
use super::style::{BY_MOVES, Style, Tie};
use super::technique::Technique;
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::counts::Counts;
use crate::sokoban::bound::distance::{Distances, Way};
use crate::sokoban::field::position::Position;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;
use crate::sokoban::prune::corral::Corrals;
use crate::sokoban::prune::learned::Learned;
use crate::sokoban::search::bound::PushBound;
use crate::sokoban::search::setup::Setup;

/// One of this many states that are furthest with the filling plan is probed, with a budget of states.
const PROBE_EVERY: u32 = 50;
const PROBE_STATES: u64 = 1000;
/// Bounds count as equal progress if they are equal after division by this.
const COARSE: u32 = 4;
/// The most moves of a box, in quarters, that make a difference.
const MOST_OPEN: u32 = 10_000;
/// By how much luck may outweigh what breaks ties, and into how many parts a point of that is divided.
const LUCK: u32 = 2;
const FINE: u32 = 16;
/// An open state is the best of this many, and is tried at most this often.
const SAMPLE: usize = 1000;
const TRIES: u8 = 2;

/// A state that has been reached.
struct Reached {
    parent: u32,
    from: u16,
    to: u16,
    side: u8,
    weight: u32,
    player: u16,
    /// Whether a probe has proven that there is no plan from here.
    is_dead: bool,
    /// The moves that can be made, once they have been counted.
    mobility: u32,
    /// How often it was one of those to begin or to end with.
    tries: u8,
}

impl Reached {
    /// The move that has led here.
    fn made(&self) -> Move {
        Move {
            parent: self.parent,
            from: self.from,
            to: self.to,
            side: self.side,
            weight: self.weight,
        }
    }
}

/// A feature-space search.
pub(crate) struct FeatureSearch<'a> {
    setup: &'a Setup,
    distances: &'a Distances,
    style: Style,
    /// Whether each cell is to be filled: a goal, or backward a box's cell at the start.
    is_end: Vec<bool>,
    /// The hash of the start.
    start: u64,
    learned: Option<Rc<RefCell<Learned>>>,
    probe: Probe<'a>,
    /// The states that are furthest with the filling plan until the next probe.
    until_probe: u32,
    filling: Filling<'a>,
    states: Vec<Reached>,
    boxes: Vec<u16>,
    cells: Cells,
    /// Hashes of the states that have been reached or wait.
    pub(crate) known: FxHashSet<u64>,
    hashes: &'a Hashes<'a>,
    bound: PushBound<'a>,
    corrals: Corrals,
    macros: Macros,
    regions: Regions,
    walk: Walk,
    position: Position,
    children: Vec<Child>,
    bits: Vec<u64>,
    pace: Pace,
    child_pace: Pace,
    /// The memory that it has claimed.
    pub(crate) claimed: usize,
    /// What sets searches of the same style apart.
    seed: u64,
}

/// What a search has found: pushes between its own end and a state.
pub(crate) struct Part {
    pub(crate) pushes: Vec<Push>,
    /// The hash of that state if a search from the other end knows it. Without one, the pushes lead to the other end, or to
    /// an image of it.
    pub(crate) met: Option<u64>,
}

impl Part {
    fn whole(pushes: Vec<Push>) -> Part {
        Part { pushes, met: None }
    }
}

impl<'a> FeatureSearch<'a> {
    /// A search that has not begun, for a level with as many boxes as goals. A forward search may learn dead groups and share
    /// them with others.
    pub(crate) fn new(
        setup: &'a Setup,
        from_start: &'a Distances,
        style: Style,
        filling: Filling<'a>,
        hashes: &'a Hashes<'a>,
        learned: Option<Rc<RefCell<Learned>>>,
        seed: u64,
    ) -> Self {
        let field = &setup.field;
        let distances = match style.way {
            Way::Push => &setup.distances,
            Way::Pull => from_start,
        };
        let position = Position::start(field);
        let mut regions = Regions::new(&field.floor);
        let region = regions.own(&field.floor, &position.occupied, field.player);
        let start = hashes.of(&position.boxes, region);
        let mut is_end = vec![false; field.len() + 1];
        let ends = match style.way {
            Way::Push => &field.goals,
            Way::Pull => &field.boxes,
        };
        for &b in ends {
            is_end[usize::from(b)] = true;
        }
        FeatureSearch {
            setup,
            distances,
            is_end,
            start,
            style,
            learned,
            probe: Probe::new(setup),
            until_probe: PROBE_EVERY,
            filling,
            states: vec![],
            boxes: vec![],
            cells: Cells::new(style.views.count_ones() as usize),
            known: FxHashSet::default(),
            hashes,
            bound: PushBound::new(setup, distances, style.way),
            corrals: Corrals::new(field),
            macros: Macros::new(&field.floor),
            regions,
            walk: Walk::new(&field.floor),
            position,
            children: vec![],
            bits: vec![0; field.len().div_ceil(64)],
            pace: Pace::new((32 * field.len() * field.boxes.len()).max(1 << 15)),
            child_pace: field.pace(),
            claimed: 0,
            seed,
        }
    }

    /// How far the search has got, in all its views together; lower is further.
    pub(crate) fn front(&self) -> u32 {
        self.cells.front()
    }

    /// Whether it goes forward or backward.
    pub(crate) fn way(&self) -> Way {
        self.style.way
    }

    /// Searches for a plan, or for a state that is among the `others`, which searches from the other end know, until this many more states
    /// have been generated. None if there is no state left.
    pub(crate) fn run(
        &mut self,
        most: u64,
        others: &[&FxHashSet<u64>],
        counts: &mut Counts,
        memory: &mut Memory,
        control: &Control,
    ) -> Result<Option<Part>, Stop> {
        let end = counts.generated.saturating_add(most);
        if self.states.is_empty() {
            for (id, (boxes, player)) in self.roots().into_iter().enumerate() {
                self.states.push(Reached {
                    parent: u32::MAX,
                    from: 0,
                    to: 0,
                    side: 0,
                    weight: 0,
                    player,
                    is_dead: false,
                    mobility: 0,
                    tries: 0,
                });
                self.boxes.extend_from_slice(&boxes);
                self.position.set(&boxes, player);
                let occupied = &self.position.occupied;
                let region = (self.regions).own(&self.setup.field.floor, occupied, player);
                let hash = self.hashes.of(&boxes, region);
                self.known.insert(hash);
                if self.style.way == Way::Pull && hash == self.start {
                    return Ok(Some(Part::whole(vec![])));
                }
                if let Some(part) = self.expand(id as u32, others, counts, memory)? {
                    return Ok(Some(part));
                }
            }
        }
        loop {
            if counts.generated >= end {
                return Err(Stop::Budget);
            }
            let Some((next, is_ahead)) = self.cells.take() else {
                return Ok(None);
            };
            if self.pace.is_due() {
                control.poll(counts)?;
                self.claim(memory)?;
            }
            if self.has_dead_ancestor(next.parent) {
                continue;
            }
            let id = self.make(next);
            let may_probe = self.style.way == Way::Push && Technique::Probes.is_on();
            self.until_probe -= u32::from(is_ahead && may_probe);
            if self.until_probe == 0 {
                self.until_probe = PROBE_EVERY;
                if let Some(plan) = self.probe_up(id, counts, memory)? {
                    return Ok(Some(Part::whole(plan)));
                }
                if self.states[id as usize].is_dead {
                    continue;
                }
            }
            if let Some(part) = self.expand(id, others, counts, memory)? {
                return Ok(Some(part));
            }
        }
    }

    /// The states to begin from: the start, or a box on every goal and the player in any part of the floor.
    fn roots(&mut self) -> Vec<(Vec<u16>, u16)> {
        let field = &self.setup.field;
        if self.style.way == Way::Push {
            return vec![(field.boxes.clone(), field.player)];
        }
        let mut roots: Vec<(Vec<u16>, u16)> = vec![];
        let mut seen = vec![false; field.len()];
        self.position.set(&field.goals, 0);
        let occupied = &self.position.occupied;
        for player in 0..field.wall() {
            if occupied[usize::from(player)] != 0 || seen[usize::from(player)] {
                continue;
            }
            self.walk.from(&field.floor, player, occupied);
            for &cell in self.walk.reached() {
                seen[usize::from(cell)] = true;
            }
            if self.setup.may_end(&self.walk) {
                roots.push((field.goals.clone(), player));
            }
        }
        roots
    }

    /// Whether a state or one that it comes from is known to be dead.
    fn has_dead_ancestor(&self, mut id: u32) -> bool {
        while let Some(state) = self.states.get(id as usize) {
            if state.is_dead {
                return true;
            }
            id = state.parent;
        }
        false
    }

    /// Probes a state, and if it is dead the states that it comes from.
    fn probe_up(
        &mut self,
        mut id: u32,
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<Option<Vec<Push>>, Stop> {
        let count = self.setup.field.boxes.len();
        while id != u32::MAX {
            let boxes = &self.boxes[id as usize * count..][..count];
            let player = self.states[id as usize].player;
            let mut probed = Counts::default();
            let verdict = self
                .probe
                .run(boxes, player, PROBE_STATES, &mut probed, memory)?;
            counts.generated += probed.generated;
            match verdict {
                Verdict::Solved(rest) => {
                    let mut plan = self.plan(id);
                    plan.extend(rest);
                    return Ok(Some(plan));
                }
                Verdict::Unknown => break,
                Verdict::Dead => {
                    self.states[id as usize].is_dead = true;
                    id = self.states[id as usize].parent;
                }
            }
        }
        Ok(None)
    }

    /// One of the states in which most moves can be made: the best of a sample.
    pub(crate) fn open_state(&self, mut random: impl FnMut() -> u64) -> Option<u32> {
        let mut best: Option<(u32, u32)> = None;
        for _ in 0..SAMPLE {
            let id = (random() % self.states.len().max(1) as u64) as u32;
            let Reached {
                mobility, tries, ..
            } = *self.states.get(id as usize)?;
            let is_better = best.is_none_or(|best| (mobility, id) > best);
            if is_better && mobility > 0 && tries < TRIES && !self.has_dead_ancestor(id) {
                best = Some((mobility, id));
            }
        }
        best.map(|(_, id)| id)
    }

    /// Notes that a state was tried.
    pub(crate) fn note_try(&mut self, id: u32) {
        self.states[id as usize].tries += 1;
    }

    /// The boxes and the player of a state.
    pub(crate) fn state(&self, id: u32) -> (&[u16], u16) {
        let count = self.setup.field.boxes.len();
        (
            &self.boxes[id as usize * count..][..count],
            self.states[id as usize].player,
        )
    }

    /// Claims the memory that the search has come to use.
    fn claim(&mut self, memory: &mut Memory) -> Result<(), Stop> {
        let bytes = self.cells.bytes()
            + self.states.capacity() * size_of::<Reached>()
            + self.boxes.capacity() * size_of::<u16>()
            + self.known.capacity() * 10;
        memory.claim(bytes.saturating_sub(self.claimed))?;
        self.claimed = self.claimed.max(bytes);
        Ok(())
    }

    /// Makes a move.
    fn make(&mut self, next: Move) -> u32 {
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
            weight: next.weight,
            player: (self.setup.field).step(next.to, usize::from(next.side)),
            is_dead: false,
            mobility: 0,
            tries: 0,
        });
        id
    }

    /// Puts the children of a state into their cells. Returns what leads to one of them if it is solved, or known to one
    /// of the others.
    #[expect(clippy::too_many_lines, reason = "one state, step by step")]
    fn expand(
        &mut self,
        id: u32,
        others: &[&FxHashSet<u64>],
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<Option<Part>, Stop> {
        let field = &self.setup.field;
        let distances = self.distances;
        let forward = self.style.way == Way::Push;
        let count = field.boxes.len();
        let boxes = &self.boxes[id as usize * count..][..count];
        let Reached { weight, player, .. } = self.states[id as usize];
        counts.expanded += 1;
        self.position.set(boxes, player);
        let Some(bound) = self.bound.start(&self.position, memory)? else {
            return Ok(None);
        };
        self.regions.mark(&field.floor, &self.position.occupied);
        write_bits(&self.position.boxes, &mut self.bits);
        let progress = self.progress();
        let open = self.open_ends();
        let before = self.rate(weight, bound, &progress, open);
        if self.is_solved(&before) {
            return Ok(Some(Part::whole(self.plan(id))));
        }
        self.walk
            .from(&field.floor, player, &self.position.occupied);
        let Position {
            boxes, occupied, ..
        } = &self.position;
        if let Some(learned) = &self.learned {
            let mut learned = learned.borrow_mut();
            let to = self.states[id as usize].to;
            if learned.examine(field, distances, occupied, boxes, &self.walk)
                || id > 0 && learned.examine_near(field, distances, occupied, to, player)
            {
                return Ok(None);
            }
        }
        let corral = if forward && Technique::Corrals.is_on() {
            let Position {
                boxes, occupied, ..
            } = &self.position;
            let found = (self.corrals).find(field, distances, occupied, boxes, &self.walk, 0);
            found.map(<[_]>::to_vec)
        } else {
            None
        };
        let generated = counts.generated;
        self.children.clear();
        let hashes = self.hashes;
        let keys = self.position.boxes.iter().map(|&b| hashes.of_box(b));
        let hash = keys.fold(0, |hash, key| hash ^ key);
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
            let is_allowed = |to, side| !distances.is_dead(distances.place(to, side));
            let (cuts, way) = (self.regions.marked(), self.style.way);
            (self.macros).find(field, occupied, cuts, cell, sides, way, is_allowed);
            for i in 1..self.macros.found.len() {
                let place = self.macros.found[i];
                if place.is_double {
                    continue;
                }
                counts.generated += 1;
                if self.child_pace.is_due() {
                    memory.poll_stop()?;
                    memory.allow_beside(self.children.capacity() * size_of::<Child>())?;
                }
                let (to, side) = (place.to, usize::from(place.side));
                let player = field.step(to, side);
                self.position.shift(number, to);
                let occupied = &self.position.occupied;
                let parts = (self.regions).after(&field.floor, occupied, (cell, to), player);
                let child_hash = if hashes.has_images() {
                    let region = self.regions.own(&field.floor, occupied, player);
                    hashes.of(&self.position.boxes, region)
                } else {
                    hash ^ hashes.of_box(cell) ^ hashes.of_box(to) ^ hashes.of_player(parts.least)
                };
                let mut child = None;
                if self.known.insert(child_hash) {
                    let is_end = !forward && child_hash == self.start;
                    if is_end || others.iter().any(|other| other.contains(&child_hash)) {
                        let made = Move {
                            parent: id,
                            from: cell,
                            to,
                            side: place.side,
                            weight,
                        };
                        self.position.shift(number, cell);
                        let id = self.make(made);
                        return Ok(Some(Part {
                            pushes: self.plan(id),
                            met: (!is_end).then_some(child_hash),
                        }));
                    }
                    self.position.player = player;
                    let h = self.bound.with(number, to, player, side);
                    let h = match h {
                        Some(_) if self.is_learned(to, player) => None,
                        Some(h) => self.bound.settle(&self.position, to, h, memory)?,
                        None => None,
                    };
                    if let Some(h) = h {
                        let progress = if !self.needs_next() && self.filling.is_same(cell, to) {
                            progress
                        } else {
                            flip(&mut self.bits, [cell, to]);
                            let own = self.progress();
                            flip(&mut self.bits, [cell, to]);
                            own
                        };
                        let open = open + u32::from(self.is_end[usize::from(cell)])
                            - u32::from(self.is_end[usize::from(to)]);
                        let tie = match self.style.tie {
                            Tie::Bound => h + 10 * progress.late + 10 * parts.count,
                            Tie::Next => 8 * progress.next + h,
                        };
                        // The first search of a style does without luck.
                        let luck = child_hash.wrapping_mul(2 * self.seed + 1) >> 40;
                        let most = LUCK * FINE * u32::from(self.seed > 0);
                        let tie = FINE * tie + (luck as u32) % most.max(1);
                        let made = Move {
                            parent: id,
                            from: cell,
                            to,
                            side: place.side,
                            weight: weight + 1,
                        };
                        child = Some(Child {
                            made,
                            tie,
                            features: self.features(&progress, parts.count, open, h),
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
        self.states[id as usize].mobility = (counts.generated - generated) as u32;
        if Technique::Advisors.is_on() {
            advise(self.style.advisors, &mut self.children, &before);
        }
        let is_solved = |child: &&Child| self.is_solved(child);
        let solved = self.children.iter().find(is_solved);
        if let Some(solved) = solved {
            let made = solved.made;
            let id = self.make(made);
            return Ok(Some(Part::whole(self.plan(id))));
        }
        let openness = 4 * self.states[id as usize].mobility / count as u32;
        for mut child in self.children.drain(..) {
            child.features[BY_MOVES.trailing_zeros() as usize].0 =
                MOST_OPEN.saturating_sub(openness);
            let views = child.features.iter().enumerate();
            let features = views.filter(|(i, _)| self.style.views >> i & 1 != 0);
            let features = features.map(|(_, &features)| features);
            self.cells.add(child.made, child.tie, features);
        }
        Ok(None)
    }

    /// Whether the box on a cell completes a group that is known to be dead.
    fn is_learned(&self, cell: u16, player: u16) -> bool {
        let learned = self.learned.as_ref();
        let occupied = &self.position.occupied;
        learned.is_some_and(|learned| learned.borrow().completes(occupied, cell, player))
    }

    /// How far the state in `position` and `bits` is with the filling plan.
    fn progress(&mut self) -> Progress {
        let needs_next = self.needs_next();
        let Position {
            occupied, player, ..
        } = &self.position;
        self.filling
            .progress(&self.bits, occupied, *player, needs_next)
    }

    /// Whether the way to the next step of the filling plan matters.
    fn needs_next(&self) -> bool {
        (self.style.tie == Tie::Next || self.style.advisors & NEXT != 0)
            && Technique::Prices.is_on()
    }

    /// The number of cells that are still to be filled in the state in `position`.
    fn open_ends(&self) -> u32 {
        let boxes = &self.position.boxes;
        let filled = boxes.iter().filter(|&&b| self.is_end[usize::from(b)]);
        (boxes.len() - filled.count()) as u32
    }

    /// The features of a state in each view: what is left (of the filling plan, with late boxes; of the cells to be filled; of
    /// the bound; the number of moves is not known yet), late boxes, parts of the floor.
    fn features(&self, progress: &Progress, parts: u32, open: u32, h: u32) -> [Features; 4] {
        let left = self.filling.len() as u32 - progress.done;
        [
            (left + progress.late, progress.late, parts),
            (open, 0, parts),
            (h / COARSE, 0, parts),
            (0, 0, parts),
        ]
    }

    /// The features of the state in `position`, whose regions are marked, as a child with the given bound.
    fn rate(&self, weight: u32, h: u32, progress: &Progress, open: u32) -> Child {
        let parts = self.regions.marked_parts(self.position.player);
        Child {
            made: Move {
                parent: 0,
                from: 0,
                to: 0,
                side: 0,
                weight,
            },
            tie: 0,
            features: self.features(progress, parts.count, open, h),
            h,
            size: parts.size,
            next: progress.next,
        }
    }

    /// Whether a state has a box on every goal, and it does not matter where the player is. Otherwise, and backward, the hash
    /// tells whether a state is the last one.
    fn is_solved(&self, child: &Child) -> bool {
        child.h == 0 && self.style.way == Way::Push && self.setup.last_player.is_none()
    }
}

/// Writes the cells of boxes as bits.
fn write_bits(boxes: &[u16], bits: &mut [u64]) {
    bits.fill(0);
    for &cell in boxes {
        bits[usize::from(cell / 64)] |= 1 << (cell % 64);
    }
}

/// Puts a box on a cell or takes it away.
fn flip(bits: &mut [u64], cells: [u16; 2]) {
    for cell in cells {
        bits[usize::from(cell / 64)] ^= 1 << (cell % 64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::large::style::STYLES;
    use crate::sokoban::search::plan::walked;
    use crate::sokoban::test_levels::{pulled_level, read};

    /// What comes of a search that has not begun, prepared without limits.
    fn with_search<T>(
        level: &noyes_puzzle::sokoban::Level,
        style: Style,
        run: impl FnOnce(&Setup, &mut FeatureSearch) -> T,
    ) -> T {
        let control = Control::new();
        let mut memory = Memory::new(&control);
        let setup = Setup::new(level, &mut memory).expect("no limits");
        let from_start = Distances::from_start(&setup.field, &mut memory).expect("no limits");
        let filling = Filling::new(&setup.field, &setup.distances, style.way, &mut memory);
        let filling = filling.expect("no limits");
        let hashes = Hashes::new(&setup);
        let learned = || Rc::new(RefCell::new(Learned::new(&setup.field)));
        let learned = (style.way == Way::Push).then(learned);
        let mut search =
            FeatureSearch::new(&setup, &from_start, style, filling, &hashes, learned, 1);
        run(&setup, &mut search)
    }

    /// How a search of at most this many states ends.
    fn run(search: &mut FeatureSearch, most: u64, control: &Control) -> Result<Option<Part>, Stop> {
        let mut memory = Memory::new(control);
        search.run(most, &[], &mut Counts::default(), &mut memory, control)
    }

    fn solves(level: &noyes_puzzle::sokoban::Level, style: Style) -> bool {
        with_search(level, style, |setup, search| {
            run(search, 5_000_000, &Control::new()).is_ok_and(|part| {
                let pushes = part.expect("there is a plan").pushes;
                let plan = walked(setup, &pushes).expect("each push is possible");
                let mut boxes = setup.field.boxes.clone();
                for (cell, d) in pushes {
                    let moved = boxes.iter_mut().find(|b| **b == cell);
                    *moved.expect("a box") = setup.field.step(cell, d);
                }
                boxes.sort_unstable();
                plan.is_empty() || boxes == setup.field.goals
            })
        })
    }

    #[test]
    fn levels_that_have_a_plan_are_solved() {
        for style in STYLES {
            let solved = (0..200).filter(|&seed| solves(&pulled_level(seed), style));
            assert_eq!(solved.count(), 200, "{style:?}");
        }
    }

    fn end_under(control: &Control) -> Option<Stop> {
        let level = pulled_level(1);
        with_search(&level, STYLES[0], |_, search| {
            run(search, u64::MAX, control).err()
        })
    }

    #[test]
    fn a_single_state_keeps_to_the_limits() {
        let stopped = Control::new().stop_flag(std::sync::Arc::new(true.into()));
        assert_eq!(end_under(&stopped), Some(Stop::Interrupted));
        assert_eq!(
            end_under(&Control::new().memory_limit(1)),
            Some(Stop::Memory)
        );
        assert_eq!(end_under(&Control::new()), None);
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
