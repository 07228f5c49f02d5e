//! Pulling: all positions that can be solved, in the order of the pushes they need.
//!
//! This is breadth-first search backward from the solved boxes, with the player in
//! every part of the floor where it may end. A pull undoes a push: the player steps
//! back and takes the box along. Walks in between cost nothing, so a state consists of
//! the boxes and the part of the floor that the player can reach, named by its first
//! cell. The layer of a state is then exactly the fewest pushes that solve it.

use crate::control::{Control, Pace, Stop};
use crate::core::memory::Memory;
use crate::core::store::{Id, Store};
use crate::sokoban::floor::Floor;

/// One push: where the box was, and where it is afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Push {
    pub(super) from: u16,
    pub(super) to: u16,
    /// Where the player stands before the push.
    pub(super) player: u16,
}

/// Positions, each with the fewest pushes that solve it.
pub(super) struct Pulled<'a> {
    floor: &'a Floor,
    /// The boxes in ascending order, then the first cell of the player's part of the floor; with each state the one
    /// that an optimal push leads to, and the number of pushes left.
    seen: Store<Box<[u16]>, (Id, u32)>,
    free: Free,
}

impl<'a> Pulled<'a> {
    /// Pulls boxes from these goals until `most_states` states are expanded, or all.
    pub(super) fn new(
        floor: &'a Floor,
        goals: &[u16],
        most_states: usize,
        control: &Control,
    ) -> Result<Pulled<'a>, Stop> {
        let mut memory = Memory::new(control);
        let mut pulled = Pulled {
            floor,
            seen: Store::new(16 + (2 * goals.len() + 2).next_multiple_of(16) + 16),
            free: Free::new(floor.len()),
        };
        // 1. The solved boxes, with the player in each part of the floor.
        let mut state: Box<[u16]> = [goals, &[0]].concat().into();
        for cell in 0..floor.len() as u16 {
            if !goals.contains(&cell) && pulled.free.flood(floor, goals, cell) == cell {
                state[goals.len()] = cell;
                let own = pulled.seen.len() as Id;
                pulled.seen.find_or_insert(&state, (own, 0), &mut memory)?;
            }
        }
        // 2. Layer by layer, so that states are stored in the order of the pushes they need.
        // A state costs a flood of the floor for each pull.
        let mut pace = Pace::new(floor.len() * goals.len());
        let mut id = 0;
        while (id as usize) < pulled.seen.len().min(most_states) {
            if pace.is_due() {
                control.poll_stop()?;
            }
            pulled.expand(id, &mut memory)?;
            id += 1;
        }
        Ok(pulled)
    }

    fn expand(&mut self, id: Id, memory: &mut Memory) -> Result<(), Stop> {
        let state = self.seen.state(id).clone();
        let pushes = self.seen.value(id).1;
        let (&player, boxes) = state.split_last().expect("a player");
        self.free.flood(self.floor, boxes, player);
        let mut pulls = vec![];
        for (i, &at) in boxes.iter().enumerate() {
            for d in 0..4 {
                let stand = self.floor.step(at, d);
                let back = self.floor.step(stand, d);
                if back != self.floor.wall()
                    && self.free.is_reached(stand)
                    && !boxes.contains(&back)
                {
                    pulls.push((i, stand, back));
                }
            }
        }
        for (i, stand, back) in pulls {
            let mut child = state.clone();
            let (player, boxes) = child.split_last_mut().expect("a player");
            boxes[i] = stand;
            boxes.sort_unstable();
            *player = self.free.flood(self.floor, boxes, back);
            self.seen.find_or_insert(&child, (id, pushes + 1), memory)?;
        }
        Ok(())
    }

    /// The number of positions seen. They are numbered in the order of the pushes they need.
    pub(super) fn len(&self) -> u32 {
        self.seen.len() as u32
    }

    /// The fewest pushes that solve a position.
    pub(super) fn pushes(&self, id: u32) -> u32 {
        self.seen.value(id).1
    }

    /// The boxes of a position, and a cell that the player can reach.
    pub(super) fn position(&self, id: u32) -> (&[u16], u16) {
        let (&player, boxes) = self.seen.state(id).split_last().expect("a player");
        (boxes, player)
    }

    /// The cells that the player can reach.
    pub(super) fn reachable(&mut self, id: u32) -> Vec<u16> {
        let (&player, boxes) = self.seen.state(id).split_last().expect("a player");
        self.free.flood(self.floor, boxes, player);
        let cells = 0..self.floor.len() as u16;
        cells.filter(|&cell| self.free.is_reached(cell)).collect()
    }

    /// An optimal plan of a position.
    pub(super) fn plan(&self, mut id: u32) -> Vec<Push> {
        let mut plan = vec![];
        while self.pushes(id) > 0 {
            let later = self.seen.value(id).0;
            let (before, after) = (self.position(id).0, self.position(later).0);
            let only = |a: &[u16], b: &[u16]| *a.iter().find(|c| !b.contains(c)).expect("moved");
            let (from, to) = (only(before, after), only(after, before));
            let way = (0..4)
                .find(|&d| self.floor.step(from, d) == to)
                .expect("a push");
            let player = self.floor.step(from, 3 - way);
            plan.push(Push { from, to, player });
            id = later;
        }
        plan
    }
}

/// The free cells that a player reaches; reused from one flood fill to the next.
struct Free {
    /// The number of the last flood fill that reached each cell; one more if the cell had a box then.
    mark: Vec<u32>,
    now: u32,
    open: Vec<u16>,
}

impl Free {
    fn new(cells: usize) -> Free {
        Free {
            mark: vec![0; cells],
            now: 0,
            open: vec![],
        }
    }

    /// Finds the cells that a player reaches from a cell, and returns the first of them.
    fn flood(&mut self, floor: &Floor, boxes: &[u16], from: u16) -> u16 {
        self.now += 2;
        for &at in boxes {
            self.mark[usize::from(at)] = self.now + 1;
        }
        self.mark[usize::from(from)] = self.now;
        self.open.push(from);
        let mut first = from;
        while let Some(cell) = self.open.pop() {
            first = first.min(cell);
            for next in floor.next[usize::from(cell)] {
                if next != floor.wall() && self.mark[usize::from(next)] < self.now {
                    self.mark[usize::from(next)] = self.now;
                    self.open.push(next);
                }
            }
        }
        first
    }

    fn is_reached(&self, cell: u16) -> bool {
        self.mark[usize::from(cell)] == self.now
    }
}
