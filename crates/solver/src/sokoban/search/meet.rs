//! Fewest moves from both ends, ties broken by pushes.
//!
//! Forward, a state is the position after a push; backward, it is the position
//! before one. So the player is where a push ends or begins. Both halves file their
//! states by the cells of the boxes. Where both have the same boxes, a walk from the
//! player of one to the player of the other completes a plan.
//!
//! As in `bidirectional`, for a bound F on the moves both halves look only at states
//! whose moves so far plus matching bound are at most F. The forward half expands
//! those with fewer than m moves, the backward half those with fewer than n, where
//! m + n > F. In a plan of at most F moves, let x be the last state after a push that
//! took fewer than m moves. Then the states before all pushes that come after x's
//! next push are fewer than n moves from the end, so the backward half expands them
//! and reaches the state before x's next push. The forward half knows x. F grows
//! until the halves meet within it. Then everything that fits within F is searched
//! before the answer, to break ties by pushes: costs are pairs of moves and pushes,
//! compared in order.
//!
//! A state is not expanded if another state with the same boxes gets the player to
//! its cell at no higher cost.
//!
//! The pushes that are left are a weak bound on moves, but small levels need no better one. A search
//! that takes long gets potentials, made for samples of the states that it has seen so far, and begins again.
//!
//! On a symmetric level a state stands for all its images. If the boxes are an image
//! of themselves, the walk may lead to any image of the other half's player.
//!
//! The search requires as many boxes as goals. It follows Barley et al. 2018, as
//! `bidirectional` does.

use super::bound::PushBound;
use super::canonical::{Spare, canonical};
use super::found::{Costed, Pair};
use super::plan::follow;
use super::setup::Setup;
use super::waiting::Waiting;
use crate::control::{Control, Pace, Stop};
use crate::core::blocks::Id;
use crate::core::memory::Memory;
use crate::core::words::{WordStore, hash_of};
use crate::counts::Counts;
use crate::sokoban::bound::distance::{Distances, Way};
use crate::sokoban::bound::potential::{Potential, Sample};
use crate::sokoban::field::position::Position;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;

const NONE: Id = Id::MAX;
/// For how many states of each half potentials are made.
const SAMPLES: usize = 1_000;

/// A state: its boxes, which are filed in a table, and the player.
#[derive(Clone, Copy)]
struct Stand {
    /// The number of its boxes in the table.
    boxes: Id,
    player: u16,
    is_expanded: bool,
    /// The moves that are left at least.
    h: u32,
    g: Pair,
    parent: Id,
    /// The next state with the same boxes.
    next: Id,
}

/// The states that one half has seen, and those that wait to be expanded.
struct MoveHalf<'a> {
    bound: PushBound<'a>,
    way: Way,
    /// All positions of boxes seen, each with the first state that has them.
    seen: WordStore<Id>,
    states: Vec<Stand>,
    /// The waiting states, by moves.
    waiting: Waiting<u32>,
}

/// Buffers that both halves use in turn.
struct Tools<'a> {
    setup: &'a Setup,
    position: Position,
    walk: Walk,
    meeting: Position,
    between: Walk,
    spare: Spare,
    key: Vec<u64>,
}

/// A search from both ends for fewest moves.
pub(crate) struct Meet<'a> {
    tools: Tools<'a>,
    control: &'a Control,
    ends: [MoveHalf<'a>; 2],
    potentials: [Option<Potential>; 2],
    /// The lower bound: no plan has fewer moves.
    pub(crate) lower: u32,
    /// The cost of the best plan, its last state of the forward half, and its first state of the backward half (`NONE`
    /// if it needs none).
    best: Option<(Pair, Id, Id)>,
    /// Plans that cost this much or more are of no use.
    cutoff: Pair,
    pace: Pace,
}

impl<'a> Meet<'a> {
    /// A search for a plan that costs less than `cutoff`. `from_start` has the distances from the boxes of the start.
    pub(crate) fn new(
        setup: &'a Setup,
        from_start: &'a Distances,
        cutoff: Pair,
        control: &'a Control,
    ) -> Self {
        let field = &setup.field;
        let half = |distances, way| MoveHalf {
            bound: PushBound::new(setup, distances, way),
            way,
            seen: WordStore::new(setup.packing.words),
            states: vec![],
            waiting: Waiting::default(),
        };
        Meet {
            tools: Tools {
                setup,
                position: Position::start(field),
                walk: Walk::new(&field.floor),
                meeting: Position::start(field),
                between: Walk::new(&field.floor),
                spare: Spare::default(),
                key: vec![0; setup.packing.words],
            },
            control,
            ends: [
                half(&setup.distances, Way::Push),
                half(from_start, Way::Pull),
            ],
            potentials: [None, None],
            lower: 0,
            best: None,
            cutoff,
            pace: setup.field.pace(),
        }
    }

    /// From now on uses these bounds, too, forward and backward.
    pub(crate) fn refine(&mut self, potentials: [Option<Potential>; 2]) {
        self.potentials = potentials;
    }

    /// Some of the states that a half has seen.
    pub(crate) fn samples(&mut self, side: usize) -> Vec<Sample> {
        let MoveHalf { seen, states, .. } = &self.ends[side];
        let every = states.len().div_ceil(SAMPLES).max(1);
        let position = &mut self.tools.position;
        let sample = |state: &Stand| {
            position.unpack(&self.tools.setup.packing, seen.state(state.boxes));
            (position.boxes.clone(), state.player)
        };
        states.iter().step_by(every).map(sample).collect()
    }

    /// Searches until the best plan is proven optimal or no states are left, or until `most` states have been expanded. No plan
    /// may have fewer moves than `bound`.
    pub(crate) fn run(
        &mut self,
        mut bound: u32,
        most: u64,
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        let end = counts.expanded.saturating_add(most);
        self.begin(counts, memory)?;
        while let (Some(a), Some(b)) = (self.ends[0].waiting.least(), self.ends[1].waiting.least())
        {
            // 1. The least bound that is still possible.
            self.lower = bound.max(a).max(b);
            if self.worst_useful().0 < self.lower {
                break;
            }
            self.control.raise_lower(self.lower);
            // 2. All states within the bound, as deep as the halves need to meet.
            let mut depth = [0, 0];
            while depth[0] + depth[1] <= self.lower as usize {
                let waiting = [0, 1].map(|side| {
                    self.ends[side]
                        .waiting
                        .count(depth[side], |f| f <= self.lower)
                });
                let side = usize::from(waiting[1] < waiting[0]);
                while let Some(id) = self.ends[side].take(depth[side], self.lower, memory) {
                    if self.pace.is_due() {
                        self.control.poll(counts)?;
                    }
                    if counts.expanded >= end {
                        return Err(Stop::Budget);
                    }
                    self.expand(side, Some(id), counts, memory)?;
                }
                depth[side] += 1;
            }
            if self.worst_useful().0 <= self.lower {
                break;
            }
            bound = self.lower + 1;
        }
        if self.worst_useful().0 < u32::MAX {
            self.lower = self.worst_useful().0;
        }
        Ok(())
    }

    /// Plans that cost this much or more are of no use.
    fn worst_useful(&self) -> Pair {
        self.best.map_or(self.cutoff, |(cost, ..)| cost)
    }

    /// Files the start, and all states before a final push.
    fn begin(&mut self, counts: &mut Counts, memory: &mut Memory) -> Result<(), Stop> {
        let field = &self.tools.setup.field;
        counts.generated += 1;
        self.tools.position.set(&field.boxes, field.player);
        let position = &self.tools.position;
        let Some(h) = self.ends[0].bound.start(position, memory)? else {
            return Ok(());
        };
        self.tools.write_key();
        self.reach(0, NONE, (0, 0), h, None, memory)?;
        let mut seen = vec![false; field.len()];
        for player in 0..field.wall() {
            let cell = usize::from(player);
            if !seen[cell] && !field.floor.is_goal[cell] {
                self.tools.position.set(&field.goals, player);
                self.expand(1, None, counts, memory)?;
                for &cell in self.tools.walk.reached() {
                    seen[usize::from(cell)] = true;
                }
            }
        }
        Ok(())
    }

    /// Reaches all states one push or pull further. Without an `id`, it starts from the solved state in `position`.
    fn expand(
        &mut self,
        side: usize,
        id: Option<Id>,
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        let Tools { setup, .. } = self.tools;
        let field = &setup.field;
        let half = &mut self.ends[side];
        let way = half.way;
        // 1. Lay out the state, and walk from it.
        let mut g = (0, 0);
        if let Some(id) = id {
            let state = half.states[id as usize];
            let words = half.seen.state(state.boxes);
            self.tools.position.unpack(&setup.packing, words);
            self.tools.position.player = state.player;
            g = state.g;
        }
        let tools = &mut self.tools;
        tools.walk.from(
            &field.floor,
            tools.position.player,
            &tools.position.occupied,
        );
        if let Some(id) = id
            && half.is_dominated(id, &tools.walk)
        {
            return Ok(());
        }
        counts.expanded += 1;
        if half.bound.start(&tools.position, memory)?.is_none() {
            return Ok(()); // more boxes are frozen than was known when it was reached
        }
        // 2. Its pushes or pulls.
        for number in 0..self.tools.position.boxes.len() {
            let cell = self.tools.position.boxes[number];
            for d in 0..4 {
                let worst = self.worst_useful();
                let tools = &mut self.tools;
                let behind = field.step(cell, back(d));
                let (to, player) = match way {
                    Way::Push => (field.step(cell, d), cell),
                    Way::Pull => (behind, field.step(behind, back(d))),
                };
                let room = if way == Way::Push { to } else { player };
                if tools.position.occupied[usize::from(room)] != 0 || !tools.walk.reaches(behind) {
                    continue;
                }
                counts.generated += 1;
                let Some(h) = self.ends[side].bound.with(number, to, player, back(d)) else {
                    continue;
                };
                let walked = if id.is_some() {
                    tools.walk.steps(behind)
                } else {
                    0
                };
                let cost = (g.0 + walked + 1, g.1 + 1);
                if (cost.0 + h, cost.1 + h) >= worst {
                    continue;
                }
                let before = std::mem::replace(&mut tools.position.player, player);
                tools.position.shift(number, to);
                tools.write_key();
                let reached = self.reach(side, id.unwrap_or(NONE), cost, h, Some(to), memory);
                self.tools.position.shift(number, cell);
                self.tools.position.player = before;
                reached?;
            }
        }
        Ok(())
    }

    /// Notes a path to the state in `position`, whose words are in `key`. At least `h` pushes are left.
    fn reach(
        &mut self,
        side: usize,
        parent: Id,
        g: Pair,
        mut h: u32,
        moved: Option<u16>,
        memory: &mut Memory,
    ) -> Result<(), Stop> {
        let worst = self.worst_useful();
        let tools = &mut self.tools;
        let half = &mut self.ends[side];
        let player = tools.key[0] as u16;
        tools.key[0] = tools.key[0] >> 16 << 16;
        let hash = hash_of(&tools.key);
        let Position {
            boxes, player: p, ..
        } = &tools.position;
        let potential = self.potentials[side].as_ref();
        let moves = potential.map_or(0, |potential| potential.bound(boxes, *p));
        if (g.0 + h.max(moves), g.1 + h) >= worst {
            return Ok(());
        }
        // 1. File the boxes, and the player with them.
        let boxes = if let Some(boxes) = half.seen.find(&tools.key, hash) {
            boxes
        } else {
            if let Some(to) = moved {
                let settled = half.bound.settle(&tools.position, to, h, memory)?;
                let Some(settled) = settled.filter(|&h| (g.0 + h.max(moves), g.1 + h) < worst)
                else {
                    return Ok(());
                };
                h = settled;
            }
            half.seen.insert(&tools.key, hash, NONE, memory)?
        };
        h = h.max(moves);
        let mut state = Stand {
            boxes,
            player,
            is_expanded: false,
            h,
            g,
            parent,
            next: *half.seen.value(boxes),
        };
        let mut id = state.next;
        while id != NONE && half.states[id as usize].player != player {
            id = half.states[id as usize].next;
        }
        if id == NONE {
            id = half.states.len() as Id;
            *half.seen.value_mut(boxes) = id;
            if half.states.len() == half.states.capacity() {
                let more = half.states.len().max(1 << 10);
                memory.claim(2 * more * size_of::<Stand>())?;
                half.states.reserve_exact(more);
                memory.release(more * size_of::<Stand>());
            }
            half.states.push(state);
        } else {
            let known = &mut half.states[id as usize];
            if known.g <= g {
                return Ok(());
            }
            state.next = known.next;
            *known = state;
        }
        half.wait(id, memory)?;
        // 2. See whether this completes a plan.
        if side == 0 && h == 0 && g < self.worst_useful() {
            self.best = Some((g, id, NONE));
            self.control.reduce_upper(g.0);
        }
        if let Some(met) = self.ends[1 - side].seen.find(&self.tools.key, hash) {
            self.meet(side, id, g, player, met);
        }
        Ok(())
    }

    /// Puts plans together from a state of one half and the states of the other half with the same boxes.
    fn meet(&mut self, side: usize, id: Id, g: Pair, player: u16, boxes: Id) {
        let tools = &mut self.tools;
        let (setup, other) = (tools.setup, &self.ends[1 - side]);
        tools.meeting.unpack(&setup.packing, &tools.key);
        let occupied = &tools.meeting.occupied;
        tools.between.from(&setup.field.floor, player, occupied);
        let keeps = |map: &&Vec<u16>| {
            let image = |&cell: &u16| usize::from(map[usize::from(cell)]);
            tools.meeting.boxes.iter().all(|c| occupied[image(c)] != 0)
        };
        let maps: Vec<&Vec<u16>> = setup.symmetries.iter().filter(keeps).collect();
        let mut worst = self.best.map_or(self.cutoff, |(cost, ..)| cost);
        let mut there = *other.seen.value(boxes);
        while there != NONE {
            let state = &other.states[there as usize];
            let images = maps.iter().map(|map| map[usize::from(state.player)]);
            for player in images.chain([state.player]) {
                if !tools.between.reaches(player) {
                    continue;
                }
                let steps = tools.between.steps(player);
                let cost = (g.0 + steps + state.g.0, g.1 + state.g.1);
                if cost < worst {
                    worst = cost;
                    let (first, second) = if side == 0 { (id, there) } else { (there, id) };
                    self.best = Some((cost, first, second));
                    self.control.reduce_upper(cost.0);
                }
            }
            there = state.next;
        }
    }

    /// The best plan found, and its cost.
    pub(crate) fn plan(&self) -> Option<Costed> {
        let (_, first, second) = self.best?;
        let mut chain = self.ends[0].chain(first);
        chain.reverse();
        // A state before a push leads to the boxes of its parent, and the last one to the solved state.
        let back = self.ends[1].chain(second);
        let forward = &self.ends[0];
        let key =
            |half: &MoveHalf, id: Id| half.seen.state(half.states[id as usize].boxes).to_vec();
        let mut keys: Vec<Vec<u64>> = chain.iter().skip(1).map(|&id| key(forward, id)).collect();
        keys.extend(back.iter().skip(1).map(|&id| key(&self.ends[1], id)));
        if second != NONE {
            let field = &self.tools.setup.field;
            let mut solved = Position::start(field);
            solved.set(&field.goals, 0);
            let mut words = vec![0; self.tools.setup.packing.words];
            canonical(
                self.tools.setup,
                &solved,
                None,
                &mut Spare::default(),
                &mut words,
            );
            keys.push(words);
        }
        let pushes = keys.len() as u32;
        let plan = follow(self.tools.setup, keys.iter().map(|k| &**k));
        let cost = (plan.len() as u32, pushes);
        Some((plan, cost))
    }
}

impl Tools<'_> {
    fn write_key(&mut self) {
        canonical(
            self.setup,
            &self.position,
            None,
            &mut self.spare,
            &mut self.key,
        );
    }
}

impl MoveHalf<'_> {
    fn wait(&mut self, id: Id, memory: &mut Memory) -> Result<(), Stop> {
        let Stand { g, h, .. } = self.states[id as usize];
        self.waiting.push(id, g.0, g.0 + h, memory)
    }

    /// Takes a state that waits after `g` moves, may lead to a plan of at most `most` moves, and is not expanded yet.
    fn take(&mut self, g: usize, most: u32, memory: &mut Memory) -> Option<Id> {
        loop {
            let (_, id) = self.waiting.take(g, |f| f <= most, memory)?;
            let state = &mut self.states[id as usize];
            if state.g.0 as usize == g && !state.is_expanded {
                state.is_expanded = true;
                return Some(id);
            }
        }
    }

    /// Whether another state with the same boxes gets the player to this state's cell at no higher cost. The walk
    /// starts from that cell.
    fn is_dominated(&self, id: Id, walk: &Walk) -> bool {
        let state = &self.states[id as usize];
        let mut other = *self.seen.value(state.boxes);
        while other != NONE {
            let by = &self.states[other as usize];
            if other != id
                && walk.reaches(by.player)
                && (by.g.0 + walk.steps(by.player), by.g.1) <= state.g
            {
                return true;
            }
            other = by.next;
        }
        false
    }

    /// A state, its parent, and so on up to the root.
    fn chain(&self, id: Id) -> Vec<Id> {
        let mut chain = vec![];
        let mut at = id;
        while at != NONE {
            chain.push(at);
            at = self.states[at as usize].parent;
        }
        chain
    }
}
