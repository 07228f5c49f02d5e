//! Boxes without names: what our own encodings of levels have in common.
//!
//! For every time t:
//!
//! - b(t,p): a box is at place p. Places know on which side of the box the player is, those from which no goal can be
//!   reached do not exist, and neither do those that no box can have reached by then.
//! - solved(t): every goal has a box, and all stands still from here on. "Solved by k" is the question of the bounds, and
//!   bounds enter only through solved(k) → …, so the formula grows with k and the solver may be kept.
//! - spent(t,j), where steps are pushes: of what a plan has beyond the pushes that are necessary, j units at least are
//!   gone before t, by the prices of [`BoxPlaces`]. A plan of at most k can spend k - h, so at the bound h itself only the
//!   best pushes are left.
//!
//! With as many boxes as goals four cells in a square that are all boxes or walls, not all boxes on goals, are
//! forbidden: none of the boxes can ever move again.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::places::BoxPlaces;
use crate::sat::cnf::{Lit, Sink, at_most_one};

/// A push: the cell the box is on, and which way it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Push {
    /// Where the box is.
    pub cell: u16,
    /// Where it goes; the player takes its place.
    pub direction: Direction,
}

/// No literal: what is always false.
pub(super) const NEVER: Lit = Lit::NONE;

/// The boxes and players of a level over time.
#[derive(Clone)]
pub(super) struct Boxes {
    pub places: BoxPlaces,
    pub times: Vec<Time>,
    /// By k; there are more than times.
    pub solved: Vec<Lit>,
    squares: Vec<Vec<usize>>,
    /// By step: what it may spend, and that it does.
    costs: Vec<Vec<(u32, Lit)>>,
    /// By time and units, less one.
    spent: Vec<Vec<Lit>>,
    /// The least length that is asked for: what is known of shorter plans is stated in one clause.
    asked: u32,
}

/// The literals of a time; `NEVER` where something cannot be.
#[derive(Clone)]
pub(super) struct Time {
    /// By place.
    pub boxes: Vec<Lit>,
    /// By cell: a box is there, whatever the side.
    pub boxed: Vec<Lit>,
    /// By cell: a player is there.
    pub player: Vec<Lit>,
}

impl Boxes {
    /// The boxes of a level that has these places.
    pub fn new(level: &Level, places: BoxPlaces) -> Boxes {
        Boxes {
            squares: dead_squares(level, &places),
            places,
            times: vec![],
            solved: vec![],
            costs: vec![],
            spent: vec![vec![]],
            asked: u32::MAX,
        }
    }

    /// Lengths from here on are asked for, though no plan may be that short.
    pub fn ask_from(&mut self, from: Option<u32>) {
        self.asked = from.unwrap_or(u32::MAX);
    }

    /// The boxes and players of the start, as literals; no plan is shorter than `lower`.
    pub fn start(&mut self, lower: u32, sink: &mut dyn Sink) -> (Vec<Lit>, Vec<Lit>) {
        let mut given = |count: usize, at: &[usize]| {
            let mut lits = vec![NEVER; count];
            for &i in at {
                lits[i] = sink.variable();
                sink.clause(&[lits[i]]);
            }
            lits
        };
        let boxes = given(self.places.all.len(), &self.places.boxes);
        let players = given(self.places.floor.cells.len(), &self.places.players);
        if let Some(most) = lower.min(self.asked).checked_sub(1) {
            let too_soon = self.solved(most, sink);
            sink.clause(&[-too_soon]);
        }
        (boxes, players)
    }

    /// The literal of being solved by k.
    pub fn solved(&mut self, k: u32, sink: &mut dyn Sink) -> Lit {
        while self.solved.len() <= k as usize {
            let lit = sink.variable();
            if let Some(&before) = self.solved.last() {
                sink.clause(&[-before, lit]);
            }
            self.solved.push(lit);
        }
        self.solved[k as usize]
    }

    /// One more time with these boxes and players, valid in itself; `late` is what a box at a place needs at least to
    /// get to a goal.
    pub fn add_time(
        &mut self,
        boxes: Vec<Lit>,
        player: Vec<Lit>,
        late: impl Fn(usize) -> u32,
        sink: &mut dyn Sink,
    ) {
        let t = self.times.len() as u32;
        let solved = self.solved(t, sink);
        // 1. Boxes by cell.
        let mut boxed = vec![NEVER; player.len()];
        for (cell, boxed) in boxed.iter_mut().enumerate() {
            let sides = self.places.of(cell).map(|p| boxes[p]);
            let sides: Vec<Lit> = sides.filter(|&b| b != NEVER).collect();
            at_most_one(&sides, sink);
            *boxed = any(&sides, sink);
            if sides.len() > 1 {
                for &side in &sides {
                    sink.clause(&[-side, *boxed]);
                }
            }
        }
        // 2. What solved means.
        for cell in self.places.ends() {
            clause(&[-solved, boxed[cell]], sink);
        }
        // 3. Places that are too late for some bounds, or waste too much.
        if self.places.unit == 2 {
            for (place, &here) in boxes.iter().enumerate().filter(|b| *b.1 != NEVER) {
                let wasted = self.places.unit * self.places.all[place].waste;
                let alone = self.places.players.len() == 1;
                let wasteful = self.places.fewest.unwrap_or(0) + wasted;
                let least = (t + late(place)).max(if alone { wasteful } else { 0 });
                if least > t {
                    let too_soon = self.solved(least - 1, sink);
                    sink.clause(&[-too_soon, -here]);
                }
            }
        }
        // 4. Squares that will never move.
        for square in self.squares.iter().filter(|_| t > 0) {
            if square.iter().all(|&cell| boxed[cell] != NEVER) {
                let not_all: Vec<Lit> = square.iter().map(|&cell| -boxed[cell]).collect();
                sink.clause(&not_all);
            }
        }
        self.times.push(Time {
            boxes,
            boxed,
            player,
        });
    }

    /// The boxes one step on: they stay, or come and leave with a push; by place the pushes that do it.
    pub fn carry(&self, come: &[Vec<Lit>], leave: &[Vec<Lit>], sink: &mut dyn Sink) -> Vec<Lit> {
        let now = &self.times[self.times.len() - 1].boxes;
        let mut boxes = vec![NEVER; now.len()];
        for (place, &before) in now.iter().enumerate() {
            let (come, leave) = (&come[place], &leave[place]);
            if before == NEVER && come.is_empty() {
                continue;
            }
            let after = sink.variable();
            boxes[place] = after;
            for &push in come {
                sink.clause(&[-push, after]);
            }
            for &push in leave {
                sink.clause(&[-push, -after]);
            }
            clause(&[come, &[-after, before][..]].concat(), sink);
            if before != NEVER {
                clause(&[leave, &[-before, after][..]].concat(), sink);
            }
        }
        boxes
    }

    /// What the last step spends, by the literals that make it so: units of each, at most one of which holds.
    pub fn spend(&mut self, costs: impl Iterator<Item = (u32, Lit)>, sink: &mut dyn Sink) {
        let mut by_cost: Vec<(u32, Lit)> = vec![];
        for (cost, lit) in costs.filter(|c| c.0 > 0) {
            let known = by_cost.iter().find(|c| c.0 == cost).map(|c| c.1);
            let spends = known.unwrap_or_else(|| {
                by_cost.push((cost, sink.variable()));
                by_cost[by_cost.len() - 1].1
            });
            sink.clause(&[-lit, spends]);
        }
        self.costs.push(by_cost);
        self.spent.push(vec![]);
        let Some(fewest) = self.places.fewest else {
            return;
        };
        // A longer plan may spend more: all times so far get more columns.
        let steps = self.costs.len();
        let Some(more) = (steps as u32).checked_sub(fewest) else {
            return;
        };
        for step in 0..steps {
            for units in self.spent[step + 1].len() as u32 + 1..=more / self.places.unit + 1 {
                self.add_column(step, units, fewest, sink);
            }
        }
    }

    /// This many units are spent after a step.
    fn add_column(&mut self, step: usize, units: u32, fewest: u32, sink: &mut dyn Sink) {
        let before = |units: u32| match units.checked_sub(1) {
            None => None, // none at all: always
            Some(i) => Some(self.spent[step].get(i as usize).copied().unwrap_or(NEVER)),
        };
        let mut reasons: Vec<[Lit; 2]> = vec![[NEVER, before(units).unwrap_or(NEVER)]];
        for &(cost, spends) in &self.costs[step] {
            reasons.push(match before(units.saturating_sub(cost)) {
                None => [NEVER, spends],
                Some(NEVER) => continue,
                Some(before) => [spends, before],
            });
        }
        reasons.retain(|r| r[1] != NEVER);
        let after = if reasons.is_empty() {
            NEVER
        } else {
            sink.variable()
        };
        for [a, b] in reasons {
            clause(&[-a, -b, after], sink);
        }
        if after != NEVER {
            if let Some(&fewer) = self.spent[step + 1].last() {
                sink.clause(&[-after, fewer]);
            }
            let too_soon = self.solved(fewest + self.places.unit * units - 1, sink);
            sink.clause(&[-too_soon, -after]);
        }
        self.spent[step + 1].push(after);
    }

    /// What the variables of times stand for.
    pub fn names(&self) -> Vec<(Lit, String)> {
        let mut names = vec![];
        for (t, time) in self.times.iter().enumerate() {
            for (place, &lit) in time.boxes.iter().enumerate().filter(|b| *b.1 != NEVER) {
                let cell = self.places.floor.cells[self.places.all[place].cell];
                names.push((lit, format!("b({t},{cell},{place})")));
            }
            for (i, &lit) in time.player.iter().enumerate().filter(|p| *p.1 != NEVER) {
                names.push((lit, format!("player({t},{})", self.places.floor.cells[i])));
            }
        }
        let solved = self.solved.iter().enumerate();
        names.extend(solved.map(|(k, &lit)| (lit, format!("solved by {k}"))));
        names
    }
}

/// Writes a clause without what is never true.
pub(super) fn clause(lits: &[Lit], sink: &mut dyn Sink) {
    let lits: Vec<Lit> = lits.iter().copied().filter(|&l| l != NEVER).collect();
    sink.clause(&lits);
}

/// A literal that holds only if one of these does.
pub(super) fn any(lits: &[Lit], sink: &mut dyn Sink) -> Lit {
    let mut some: Vec<Lit> = lits.iter().copied().filter(|&l| l != NEVER).collect();
    match some[..] {
        [] => NEVER,
        [only] => only,
        _ => {
            let lit = sink.variable();
            some.push(-lit);
            sink.clause(&some);
            lit
        }
    }
}

/// A literal that holds if and only if one of these does; they are not `NEVER`.
pub(super) fn exactly_any(lits: &[Lit], sink: &mut dyn Sink) -> Lit {
    if lits.is_empty() {
        return NEVER;
    }
    let lit = sink.variable();
    for &one in lits {
        sink.clause(&[-one, lit]);
    }
    clause(&[lits, &[-lit][..]].concat(), sink);
    lit
}

/// What is not wall of squares that may not all be boxes; none with more boxes than goals, where one may be lost.
pub(super) fn dead_squares(level: &Level, places: &BoxPlaces) -> Vec<Vec<usize>> {
    let mut squares = vec![];
    let width = level.width();
    for corner in 0..level.cells().saturating_sub(width + 1) {
        if corner % width == width - 1 || places.has_spare {
            continue;
        }
        let cells = [corner, corner + 1, corner + width, corner + width + 1];
        let floor = cells.iter().filter_map(|&c| places.number(c as u16));
        let floor: Vec<usize> = floor.collect();
        if floor.len() > 1 && floor.iter().any(|&c| !places.floor.is_goal[c]) {
            squares.push(floor);
        }
    }
    squares
}
