//! Breaking ties: a plan of fewest moves among the plans of fewest pushes.
//!
//! The search from both ends stops at the fewest pushes P. By then it has listed all
//! states, with the player anywhere in its region, whose pushes so far plus bound are
//! at most P: forward to depth m, backward to depth P - m. Take the states that both
//! halves have at depth m, and the states that lead to and from them at the right
//! depths. These include all states of plans of fewest pushes, and few others. None is
//! missing, because that search does not prune by PI-corrals.
//!
//! Each such state has one depth, so the fewest moves can be computed layer by layer.
//! For each state, now with the player where a push left it, this gives the fewest
//! moves to reach it, and from it every push that leads to a state of the next layer
//! is made. States with the same boxes and region have the same pushes, which are
//! found once for all of them.

use noyes_puzzle::tiles::Direction;

use super::bidirectional::Bidirectional;
use super::canonical::{Spare, canonical};
use super::half::PushHalf;
use super::plan::follow;
use super::setup::Setup;
use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::core::store::{Id, Reached};
use crate::core::words::{WordStore, hash_of};
use crate::counts::Counts;
use crate::sokoban::field::position::Position;
use crate::sokoban::field::walk::Walk;
use crate::sokoban::floor::back;

/// A plan of fewest moves among the plans of fewest pushes, given a search that has completed its last bound.
pub(crate) fn fewest_moves_of(
    search: Bidirectional,
    counts: &mut Counts,
    memory: &mut Memory,
    control: &Control,
) -> Result<Vec<Direction>, Stop> {
    let Bidirectional {
        setup, ends, depth, ..
    } = search;
    let mut ties = Ties {
        setup,
        control,
        ends,
        depth,
        useful: vec![],
        position: Position::start(&setup.field),
        walk: Walk::new(&setup.field.floor),
        region: Region {
            after: Walk::new(&setup.field.floor),
            spare: Spare::default(),
            key: vec![0; setup.packing.words],
        },
        spare: Spare::default(),
        key: vec![0; setup.packing.words],
        pace: setup.field.pace(),
    };
    ties.mark(counts)?;
    ties.layers(counts, memory)
}

struct Ties<'a> {
    setup: &'a Setup,
    control: &'a Control,
    ends: [PushHalf<'a>; 2],
    /// How deep each half went.
    depth: [usize; 2],
    /// Whether each state of the forward half is on a plan of fewest pushes.
    useful: Vec<bool>,
    position: Position,
    walk: Walk,
    region: Region,
    spare: Spare,
    key: Vec<u64>,
    pace: Pace,
}

impl Ties<'_> {
    /// Marks the states of the forward half from which the halves meet at the right depth.
    fn mark(&mut self, counts: &Counts) -> Result<(), Stop> {
        let [forward, backward] = &self.ends;
        let seen = &forward.seen;
        self.useful = vec![false; seen.len()];
        let mut layer: Vec<Id> = vec![];
        for id in 0..seen.len() as Id {
            if seen.value(id).g as usize == self.depth[0] {
                let met = backward.seen.find(seen.state(id), hash_of(seen.state(id)));
                let left = met.map(|met| backward.seen.value(met).g as usize);
                if left == Some(self.depth[1]) {
                    self.useful[id as usize] = true;
                    layer.push(id);
                }
            }
        }
        for g in (0..self.depth[0] as u32).rev() {
            let mut before: Vec<Id> = vec![];
            for id in layer {
                if self.pace.is_due() {
                    self.control.poll(counts)?;
                }
                let field = &self.setup.field;
                self.position.unpack(&self.setup.packing, seen.state(id));
                self.walk
                    .from(&field.floor, self.position.player, &self.position.occupied);
                self.walk.find_least();
                for number in 0..self.position.boxes.len() {
                    let cell = self.position.boxes[number];
                    for d in 0..4 {
                        let to = field.step(cell, back(d));
                        let player = field.step(to, back(d));
                        if !self.walk.reaches(to)
                            || self.position.occupied[usize::from(player)] != 0
                            || !self.setup.packing.may_hold(to)
                        {
                            continue;
                        }
                        self.position.shift(number, to);
                        let region = self.region.write(
                            self.setup,
                            &mut self.position,
                            (cell, to, player),
                            &self.walk,
                        );
                        let known = seen.find(region, hash_of(region));
                        self.position.shift(number, cell);
                        if let Some(known) = known
                            && seen.value(known).g == g
                            && !std::mem::replace(&mut self.useful[known as usize], true)
                        {
                            before.push(known);
                        }
                    }
                }
            }
            layer = before;
        }
        Ok(())
    }

    /// Finds the fewest moves to each of these states, with the player where the last push left it. Returns the plan to
    /// the best solved one.
    fn layers(&mut self, counts: &mut Counts, memory: &mut Memory) -> Result<Vec<Direction>, Stop> {
        let setup = self.setup;
        let field = &setup.field;
        let mut exact = WordStore::new(setup.packing.words);
        self.position.set(&field.boxes, field.player);
        self.write_exact();
        let root = Reached { parent: 0, g: 0 };
        exact.insert(&self.key, hash_of(&self.key), root, memory)?;
        let pushes = self.depth[0] + self.depth[1];
        let mut first = 0;
        for depth in 1..=pushes {
            // 1. The states of a layer, grouped by boxes.
            let mut layer: Vec<Id> = (first..exact.len()).map(|id| id as Id).collect();
            first = exact.len();
            let boxes = |id: Id| (&exact.state(id)[1..], exact.state(id)[0] >> 16);
            layer.sort_by(|&a, &b| boxes(a).cmp(&boxes(b)).then(a.cmp(&b)));
            let mut groups: Vec<&[Id]> = layer.chunk_by(|&a, &b| boxes(a) == boxes(b)).collect();
            let groups: Vec<Vec<Id>> = groups.drain(..).map(<[Id]>::to_vec).collect();
            for mut group in groups {
                // 2. States of one region have the same pushes. Find these once, then relax them from each state.
                while let Some(&id) = group.first() {
                    if self.pace.is_due() {
                        self.control.poll(counts)?;
                    }
                    counts.expanded += 1;
                    self.position.unpack(&setup.packing, exact.state(id));
                    self.walk
                        .from(&field.floor, self.position.player, &self.position.occupied);
                    self.walk.find_least();
                    let children = self.useful_pushes(depth, &mut exact, counts, memory)?;
                    let player = |id: Id| exact.state(id)[0] as u16;
                    let inside: Vec<Id> = (group.iter().copied())
                        .filter(|&other| self.walk.reaches(player(other)))
                        .collect();
                    group.retain(|other| !inside.contains(other));
                    for &id in &inside {
                        let (moves, player) = (exact.value(id).g, exact.state(id)[0] as u16);
                        self.walk
                            .from(&field.floor, player, &self.position.occupied);
                        for &(from, child) in &children {
                            let moves = moves + self.walk.steps(from) + 1;
                            let known = exact.value_mut(child);
                            if moves < known.g {
                                *known = Reached {
                                    parent: id,
                                    g: moves,
                                };
                            }
                        }
                    }
                }
            }
        }
        let last = (first..exact.len()).map(|id| id as Id);
        let best = last.min_by_key(|&id| exact.value(id).g);
        let mut chain = vec![best.expect("there is a plan with that many pushes")];
        for _ in 0..pushes {
            let id = *chain.last().expect("at least the last state");
            chain.push(exact.value(id).parent);
        }
        let states = chain.iter().rev().skip(1).map(|&id| exact.state(id));
        Ok(follow(setup, states))
    }

    /// The pushes from the state in `position` to states of plans of fewest pushes: for each the cell where the player
    /// has to stand, and the number of the state, which is stored if it is new.
    fn useful_pushes(
        &mut self,
        depth: usize,
        exact: &mut WordStore<Reached>,
        counts: &mut Counts,
        memory: &mut Memory,
    ) -> Result<Vec<(u16, Id)>, Stop> {
        let setup = self.setup;
        let field = &setup.field;
        let mut found = vec![];
        for number in 0..self.position.boxes.len() {
            let cell = self.position.boxes[number];
            for d in 0..4 {
                let (from, to) = (field.step(cell, back(d)), field.step(cell, d));
                if self.position.occupied[usize::from(to)] != 0
                    || !self.walk.reaches(from)
                    || !setup.distances.is_live(to)
                {
                    continue;
                }
                counts.generated += 1;
                self.position.shift(number, to);
                let moved = (cell, to, cell);
                let region = (self.region).write(setup, &mut self.position, moved, &self.walk);
                if is_useful(&self.ends, self.depth, &self.useful, region, depth) {
                    self.position.player = cell;
                    self.write_exact();
                    let hash = hash_of(&self.key);
                    let id = if let Some(id) = exact.find(&self.key, hash) {
                        id
                    } else {
                        let unknown = Reached {
                            parent: 0,
                            g: u32::MAX,
                        };
                        exact.insert(&self.key, hash, unknown, memory)?
                    };
                    found.push((from, id));
                }
                self.position.shift(number, cell);
            }
        }
        Ok(found)
    }

    fn write_exact(&mut self) {
        canonical(
            self.setup,
            &self.position,
            None,
            &mut self.spare,
            &mut self.key,
        );
    }
}

/// Whether a state is on a plan of fewest pushes at this depth.
fn is_useful(
    [forward, backward]: &[PushHalf; 2],
    deepest: [usize; 2],
    useful: &[bool],
    state: &[u64],
    depth: usize,
) -> bool {
    let hash = hash_of(state);
    if depth <= deepest[0] {
        let known = forward.seen.find(state, hash);
        known.is_some_and(|id| useful[id as usize] && forward.seen.value(id).g as usize == depth)
    } else {
        let known = backward.seen.find(state, hash);
        let left = deepest[0] + deepest[1] - depth;
        known.is_some_and(|id| backward.seen.value(id).g as usize == left)
    }
}

/// Writes the words of states in which the player may be anywhere in its region.
struct Region {
    after: Walk,
    spare: Spare,
    key: Vec<u64>,
}

impl Region {
    /// The words of the state in `position`, which is one push or pull from a walk: a box has left a cell and taken
    /// another, and the player is now on a third.
    fn write(
        &mut self,
        setup: &Setup,
        position: &mut Position,
        (left, taken, player): (u16, u16, u16),
        walk: &Walk,
    ) -> &[u64] {
        let (field, occupied) = (&setup.field, &position.occupied);
        let plain = setup.symmetries.is_empty();
        let quick = plain.then(|| walk.least_after(&field.floor, occupied, left, taken));
        let quick = quick.flatten();
        if quick.is_none() {
            self.after.from(&field.floor, player, occupied);
        }
        position.player = quick.unwrap_or(player);
        let anywhere = quick.is_none().then_some(&self.after);
        canonical(setup, position, anywhere, &mut self.spare, &mut self.key);
        &self.key
    }
}
