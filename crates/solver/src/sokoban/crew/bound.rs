//! Lower bounds on the steps of a crew.
//!
//! Two things take time. First, pushes. The cheapest matching of goals and boxes by
//! push distance says how many pushes are left at least. In `t` steps a player makes
//! at most `t - w` of them, where `w` is the number of steps before that player can
//! push a box. Summing over the players gives the least `t`. The first box that a
//! player pushes is either one that nobody has moved in the meantime, or one that
//! another player has pushed towards this one. In the second case the other player
//! had to reach the box first, and from then on box and player approach each other at
//! twice the speed at most. Second, each box by itself: it moves one cell a step, and
//! not before somebody has reached it. Every goal needs some box, and without boxes
//! to spare every box needs some goal.
//!
//! Boxes that block one another for good are frozen: each of them has a wall or
//! another such box next to it, both horizontally and vertically. To push a box, the
//! cells in front of it and behind it must be free of boxes before the step, for crews
//! as for one player (see `joint`). So none of these boxes can be the first to move. A
//! frozen box serves the goal it is on and no other.
//!
//! Backward in time, the same bounds hold for the way from the start: the boxes of the
//! start have to be pushed to where the boxes are now, and each player has to walk from
//! a starting cell to where some player is now.

use std::convert::Infallible;

use noyes_puzzle::sokoban::Level;

use super::distance::{FAR, StepDistances};
use crate::sokoban::bound::assignment::Assignment;
use crate::sokoban::floor::Floor;

/// A number of steps that means "impossible"; sums of real distances stay below it.
pub(super) const NO_WAY: u32 = 1 << 24;

/// What a bound estimates the distance to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Toward {
    /// The nearest solved state.
    Goals,
    /// The start, backward in time.
    Start,
}

/// Lower bounds for the states of a level.
pub(super) struct CrewBound {
    /// For each goal, the pushes from each cell to it.
    to_goal: Vec<Vec<u16>>,
    /// For each box of the start, the pushes from there to each cell, and the steps before its first push.
    from_start: Vec<(Vec<u16>, u32)>,
    /// Where the players start, and the steps before each one's first push in ascending order.
    players: Vec<u16>,
    idle: Vec<u32>,
    spare: bool,
    assignment: Assignment,
    frozen: Vec<bool>,
    /// The same, indexed by box.
    is_frozen: Vec<bool>,
    first: Vec<u32>,
    room: Vec<u32>,
}

impl CrewBound {
    pub(super) fn new(
        distances: &StepDistances,
        level: &Level,
        boxes: &[u16],
        players: &[u16],
    ) -> CrewBound {
        let goals = distances.floor.numbers(level.goals());
        let mut bound = CrewBound {
            spare: boxes.len() > goals.len(),
            to_goal: goals.iter().map(|&g| distances.pushes_to(g)).collect(),
            from_start: vec![],
            players: players.to_vec(),
            idle: vec![],
            assignment: Assignment::default(),
            frozen: vec![false; distances.floor.len()],
            is_frozen: vec![],
            first: vec![],
            room: vec![],
        };
        bound.wait_for_pushes(distances, boxes, players);
        bound.idle.clone_from(&bound.room);
        bound.from_start = boxes
            .iter()
            .zip(&bound.first)
            .map(|(&b, &first)| (distances.pushes_from(b), first))
            .collect();
        bound
    }

    pub(super) fn bytes(&self) -> usize {
        2 * self.frozen.len() * (self.to_goal.len() + self.from_start.len())
    }

    /// A lower bound on the pushes left, or on the pushes since the start; none if it is impossible.
    pub(super) fn pushes(
        &mut self,
        distances: &StepDistances,
        toward: Toward,
        boxes: &[u16],
    ) -> Option<u32> {
        if toward == Toward::Start {
            let from = &self.from_start;
            return least(
                &mut self.assignment,
                from.len(),
                boxes.len(),
                |start, at| steps(from[start].0[usize::from(boxes[at])]),
            );
        }
        self.freeze(&distances.floor, boxes);
        let (to_goal, is_frozen) = (&self.to_goal, &self.is_frozen);
        least(
            &mut self.assignment,
            to_goal.len(),
            boxes.len(),
            |goal, at| match to_goal[goal][usize::from(boxes[at])] {
                0 => 0,
                _ if is_frozen[at] => NO_WAY,
                pushes => steps(pushes),
            },
        )
    }

    /// A lower bound on the steps for these pushes, from here to the goals or from the start to here.
    pub(super) fn steps(
        &mut self,
        distances: &StepDistances,
        toward: Toward,
        pushes: u32,
        boxes: &[u16],
        players: &[u16],
    ) -> u32 {
        if toward == Toward::Start {
            let walk = self.regroup(distances, players);
            return self.farthest_back(boxes, walk.max(shared(pushes, &self.idle)));
        }
        if pushes == 0 {
            return 0;
        }
        self.wait_for_pushes(distances, boxes, players);
        self.farthest(boxes, shared(pushes, &self.room))
    }

    /// Finds the boxes that can never be moved again.
    fn freeze(&mut self, floor: &Floor, boxes: &[u16]) {
        for &at in boxes {
            self.frozen[usize::from(at)] = true;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &at in boxes {
                let holds = |d: usize| {
                    let beside = floor.step(at, d);
                    beside == floor.wall() || self.frozen[usize::from(beside)]
                };
                let frozen = (holds(0) || holds(3)) && (holds(1) || holds(2));
                changed |= self.frozen[usize::from(at)] && !frozen;
                self.frozen[usize::from(at)] &= frozen;
            }
        }
        self.is_frozen.clear();
        for &at in boxes {
            self.is_frozen.push(self.frozen[usize::from(at)]);
            self.frozen[usize::from(at)] = false;
        }
    }

    /// Finds the steps before each box can first be pushed, and, in ascending order, before each player can first push.
    fn wait_for_pushes(&mut self, distances: &StepDistances, boxes: &[u16], players: &[u16]) {
        self.first.clear();
        self.room.clear();
        for &at in boxes {
            let near = players.iter().map(|&p| steps(distances.near(at, p))).min();
            self.first.push(near.expect("a player"));
        }
        for &p in players {
            let can_move = boxes
                .iter()
                .zip(&self.first)
                .filter(|(_, first)| **first < NO_WAY);
            let wait = can_move.map(|(&at, &first)| {
                let apart = steps(distances.walk(p, at)).saturating_sub(1);
                steps(distances.near(at, p)).min((apart + first).div_ceil(2))
            });
            self.room.push(wait.min().unwrap_or(NO_WAY));
        }
        self.room.sort_unstable();
    }

    /// The steps until the slowest box is on a goal, with each box free to choose its goal; `most` if that is more.
    fn farthest(&self, boxes: &[u16], mut most: u32) -> u32 {
        let steps = |goal: &[u16], at: usize| match goal[usize::from(boxes[at])] {
            0 => 0,
            pushes => steps(pushes) + self.first[at],
        };
        for goal in &self.to_goal {
            raise(&mut most, (0..boxes.len()).map(|at| steps(goal, at)));
        }
        if !self.spare {
            for at in 0..boxes.len() {
                raise(&mut most, self.to_goal.iter().map(|goal| steps(goal, at)));
            }
        }
        most
    }

    /// The steps that the slowest box has needed since the start; `most` if that is more.
    fn farthest_back(&self, boxes: &[u16], mut most: u32) -> u32 {
        let steps = |(pushes, first): &(Vec<u16>, u32), at: u16| match pushes[usize::from(at)] {
            0 => 0,
            pushes => steps(pushes) + first,
        };
        for start in &self.from_start {
            raise(&mut most, boxes.iter().map(|&at| steps(start, at)));
        }
        for &at in boxes {
            raise(
                &mut most,
                self.from_start.iter().map(|start| steps(start, at)),
            );
        }
        most
    }

    /// A lower bound on the steps in which the players got from their starting cells to these cells.
    fn regroup(&self, distances: &StepDistances, players: &[u16]) -> u32 {
        let nearest = |from: &[u16], to: u16| from.iter().map(|&f| distances.walk(f, to)).min();
        let to_place = players
            .iter()
            .filter_map(|&p| nearest(&self.players, p))
            .max();
        let from_start = self
            .players
            .iter()
            .filter_map(|&p| nearest(players, p))
            .max();
        to_place.max(from_start).unwrap_or(0).into()
    }
}

/// The least cost of giving each row its own column; none if that is impossible.
fn least(
    assignment: &mut Assignment,
    rows: usize,
    columns: usize,
    cost: impl Fn(usize, usize) -> u32,
) -> Option<u32> {
    let go_on = || Ok::<(), Infallible>(());
    let Ok(found) = assignment.find(rows, columns, |r, c| cost(r, c).into(), go_on);
    if !found {
        return None;
    }
    let total: u64 = (assignment.pairs())
        .map(|(row, column)| u64::from(cost(row, column)))
        .sum();
    (total < u64::from(NO_WAY)).then_some(total as u32)
}

/// Raises `most` to the least of these numbers, if there are any. Stops early at one that is not above `most`.
fn raise(most: &mut u32, ways: impl Iterator<Item = u32>) {
    let mut least = None;
    for way in ways {
        if way <= *most {
            return;
        }
        least = Some(least.map_or(way, |l: u32| l.min(way)));
    }
    *most = least.unwrap_or(*most);
}

/// A distance as a number of steps.
fn steps(distance: u16) -> u32 {
    if distance == FAR {
        NO_WAY
    } else {
        distance.into()
    }
}

/// The least number of steps in which the players can make these pushes, when each cannot push for the first `idle`
/// steps (in ascending order). It is the best of using the first player, the first two, and so on.
fn shared(pushes: u32, idle: &[u32]) -> u32 {
    let mut sum = pushes;
    let with = |(i, &idle): (usize, &u32)| {
        sum = sum.saturating_add(idle);
        sum.div_ceil(i as u32 + 1)
    };
    idle.iter()
        .enumerate()
        .map(with)
        .min()
        .unwrap_or(NO_WAY)
        .min(NO_WAY)
}
