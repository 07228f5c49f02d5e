//! Removals: a filling plan, found from its end.
//!
//! Start with a box on every goal and pull. A box that can be pulled to the starting
//! cell of some box is removed: it can come last. Removing a box blocks nobody, and the
//! player can walk back, so whatever could be pulled before still can be. So the removal
//! that takes the fewest pulls is made at once. If no box can be removed, one of them has
//! to step aside first. Then all such moves are tried, with weights and cells as in
//! `feature_search`: the cells are numbers of boxes and of parts of the floor, and two
//! advisors look for fewer parts and for more room. If the budget or the memory
//! is used up, the boxes that are left come first, in any order: there the plan is a guess.
//!
//! A search from the goals back fills the cells at which boxes start. Its plan is found
//! in the same way: start with the boxes of the level, and push them to goals.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};
use std::ops::Bound;

use rustc_hash::FxHashSet;

use super::macros::{Macros, sides_reached};
use super::regions::{Parts, Regions};
use crate::control::{Pace, Stop};
use crate::core::memory::Memory;
use crate::sokoban::bound::distance::{Distances, Way};
use crate::sokoban::field::enclosure::Field;
use crate::sokoban::field::walk::Walk;

/// The most states with a box that steps aside.
const MOST_STATES: usize = 3000;

#[derive(Clone)]
struct Node {
    parent: u32,
    boxes: Vec<u16>,
    player: u16,
    /// The number of boxes that have stepped aside.
    moves: u32,
}

/// A box that comes to a cell.
pub(super) struct Arrival {
    pub(super) cell: u16,
    /// Where it was before, if it was placed before.
    pub(super) from: Option<u16>,
    /// The boxes that stand already, without this one.
    pub(super) before: Vec<u16>,
    /// The player afterwards; none if it is a guess.
    player: Option<u16>,
}

/// A search from a box on every goal, or from the boxes of the start, to no box at all. `way` is how boxes are removed.
pub(super) fn removals<'a>(
    field: &'a Field,
    distances: &'a Distances,
    way: Way,
    memory: &mut Memory,
) -> Result<Removals<'a>, Stop> {
    let mut search = Removals::new(field, distances, way);
    search.begin();
    while let Some(id) = search.take() {
        memory.poll_stop()?;
        if search.nodes[id].boxes.is_empty() || search.expanded > MOST_STATES {
            break;
        }
        match search.expand(id, memory) {
            Err(Stop::Memory) => {
                put(&mut search.occupied, &search.nodes[id].boxes, 0);
                break;
            }
            end => end?,
        }
    }
    Ok(search)
}

/// A waiting state: its weight, what breaks ties, and its number. The least comes first.
type Waiting = Reverse<(u32, u32, u32)>;

/// The search for a filling plan, from the goals back.
pub(super) struct Removals<'a> {
    field: &'a Field,
    distances: &'a Distances,
    /// How boxes are removed: pulled from goals, or pushed from where they start.
    way: Way,
    /// The cells that are filled, and those where boxes come from.
    filled: &'a [u16],
    outside: &'a [u16],
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
    pace: Pace,
    claimed: usize,
}

/// A state that might follow.
struct Next {
    number: usize,
    to: u16,
    parts: Parts,
    pulls: u32,
}

impl<'a> Removals<'a> {
    fn new(field: &'a Field, distances: &'a Distances, way: Way) -> Removals<'a> {
        let (filled, outside) = match way {
            Way::Pull => (&field.goals, &field.boxes),
            Way::Push => (&field.boxes, &field.goals),
        };
        let mut occupied = vec![0; field.len() + 1];
        occupied[field.len()] = u16::MAX;
        Removals {
            field,
            distances,
            way,
            filled,
            outside,
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
            pace: field.pace(),
            claimed: 0,
        }
    }

    /// Now and then, an error if the search has to end, or if its states and this many children take too much memory.
    fn check(&mut self, children: usize, memory: &mut Memory) -> Result<(), Stop> {
        if !self.pace.is_due() {
            return Ok(());
        }
        memory.poll_stop()?;
        // The boxes of a state are stored twice: with the state, and among the known ones.
        let state_bytes = 2 * (size_of::<Node>() + 2 * self.field.goals.len());
        let bytes = self.nodes.len() * state_bytes + children * size_of::<Next>();
        memory.claim(bytes.saturating_sub(self.claimed))?;
        self.claimed = self.claimed.max(bytes);
        Ok(())
    }

    /// Opens the states with a box on every goal and the player in any part of the floor.
    fn begin(&mut self) {
        let field = self.field;
        let filled = self.filled;
        let mut seen = vec![false; field.len()];
        put(&mut self.occupied, filled, 1);
        for player in 0..field.wall() {
            if self.occupied[usize::from(player)] != 0 || seen[usize::from(player)] {
                continue;
            }
            self.walk.from(&field.floor, player, &self.occupied);
            for &cell in self.walk.reached() {
                seen[usize::from(cell)] = true;
            }
            if self.way == Way::Push && !self.walk.reaches(field.player) {
                continue;
            }
            let parts = self.regions.parts(&field.floor, &self.occupied, player);
            self.open(u32::MAX, filled.to_vec(), parts, 0, 0);
        }
        put(&mut self.occupied, filled, 0);
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
    fn expand(&mut self, id: usize, memory: &mut Memory) -> Result<(), Stop> {
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
        self.regions.mark(&field.floor, &self.occupied);
        let outside = self.outside;
        let is_start = |cell: u16| outside.binary_search(&cell).is_ok();
        let mut removal: Option<((bool, u32), usize, u16)> = None;
        let mut children: Vec<Next> = vec![];
        for (i, &cell) in boxes.iter().enumerate() {
            let sides = sides_reached(&field.floor, &self.walk, cell);
            if sides == 0 && !is_start(cell) {
                continue;
            }
            self.find_places(cell, sides);
            let mut found = self.macros.found.iter();
            let out = found.find(|p| p.pushes > 0 && is_start(p.to));
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
            for number in 0..self.macros.found.len() {
                let place = self.macros.found[number];
                if place.pushes == 0 || place.is_double {
                    continue;
                }
                self.check(children.len(), memory)?;
                let occupied = &mut self.occupied;
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
            return Ok(());
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
            self.check(children.len(), memory)?;
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
        Ok(())
    }

    /// The plan, forward: first the boxes that could not be removed, then the others.
    pub(super) fn arrivals(&self) -> Vec<Arrival> {
        let Some(best) = self.nodes.get(self.best) else {
            return vec![];
        };
        let mut arrivals: Vec<Arrival> = (best.boxes.iter().enumerate())
            .map(|(i, &cell)| Arrival {
                cell,
                from: None,
                before: best.boxes[..i].to_vec(),
                player: None,
            })
            .collect();
        let mut node = best;
        while let Some(next) = self.nodes.get(node.parent as usize) {
            let is_new = |c: &&u16| !node.boxes.contains(c);
            let is_gone = |c: &&u16| !next.boxes.contains(c);
            let Some(&cell) = next.boxes.iter().find(is_new) else {
                node = next; // only the player went to another part of the floor
                continue;
            };
            let from = node.boxes.iter().find(is_gone).copied();
            let stays = |c: &u16| Some(*c) != from;
            arrivals.push(Arrival {
                cell,
                from,
                before: node.boxes.iter().copied().filter(stays).collect(),
                player: Some(next.player),
            });
            node = next;
        }
        arrivals
    }

    /// Finds where the box on a cell can go, among the boxes for which the regions are marked.
    fn find_places(&mut self, cell: u16, sides: u8) {
        let (way, distances) = (self.way, self.distances);
        let is_allowed =
            |to, side| way == Way::Pull || !distances.is_dead(distances.place(to, side));
        let cuts = self.regions.marked();
        (self.macros).find(
            self.field,
            &mut self.occupied,
            cuts,
            cell,
            sides,
            way,
            is_allowed,
        );
    }

    /// Whether a box on another cell would be in the way of an arrival.
    pub(super) fn blocks(&mut self, arrival: &Arrival, other: u16) -> bool {
        let field = self.field;
        if arrival.before.contains(&other) || arrival.cell == other || arrival.from == Some(other) {
            return false;
        }
        put(&mut self.occupied, &arrival.before, 1);
        put(&mut self.occupied, &[arrival.cell, other], 1);
        let player = arrival.player.filter(|&p| p != other);
        let sides = if let Some(player) = player {
            self.walk.from(&field.floor, player, &self.occupied);
            sides_reached(&field.floor, &self.walk, arrival.cell)
        } else {
            let is_free = |d: &usize| self.occupied[usize::from(field.step(arrival.cell, *d))] == 0;
            (0..4).filter(is_free).map(|d| 1 << d).sum()
        };
        self.regions.mark(&field.floor, &self.occupied);
        self.find_places(arrival.cell, sides);
        let is_there = |c: u16| match arrival.from {
            Some(from) => c == from,
            None => self.outside.binary_search(&c).is_ok(),
        };
        let reaches = self.macros.found.iter().any(|p| is_there(p.to));
        put(&mut self.occupied, &arrival.before, 0);
        put(&mut self.occupied, &[arrival.cell, other], 0);
        !reaches
    }
}

fn put(occupied: &mut [u16], boxes: &[u16], value: u16) {
    for &cell in boxes {
        occupied[usize::from(cell)] = value;
    }
}
