//! Boxes, push by push: what the encodings by pushes have in common.
//!
//! For every step s:
//!
//! - b(s,p): a box is at place p. Boxes have no names. Places know on which side of the box the player is, those from
//!   which no goal can be reached do not exist, and neither do those that no box can reach in s pushes.
//! - push(s,p,d): the box at p is pushed in direction d. Exactly one of them, unless solved(s).
//! - solved(s): every goal has a box, and all stands still from here on.
//! - waste(s,j): the first s pushes waste j units at least, by the prices of [`Places`]. At most k pushes means that
//!   no more than k - h pushes are wasted, so at the bound h itself only the best pushes are left.
//!
//! With as many boxes as goals four cells in a square that are all boxes or walls, not all boxes on goals, are
//! forbidden: none of the boxes can ever move again.
//!
//! The number of pushes enters only through solved(k) → …, so the formula grows with it and the solver may be kept. Where
//! the player gets to, each encoding says in its own way.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use crate::sat::cnf::{Lit, Sink, at_most_one};
use crate::sat::places::Places;

/// A push: the cell the box is on, and which way it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Push {
    /// Where the box is.
    pub cell: u16,
    /// Where it goes; the player takes its place.
    pub direction: Direction,
}

/// No literal: what is always false.
pub(super) const NEVER: Lit = 0;

/// The boxes of a level.
pub(super) struct Boxes {
    pub places: Places,
    squares: Vec<Vec<usize>>,
    pub times: Vec<Time>,
    pub moves: Vec<Moves>,
    /// By k; there are more than steps.
    pub solved: Vec<Lit>,
    /// By step and units, less one.
    waste: Vec<Vec<Lit>>,
}

/// The literals of a step; `NEVER` where something cannot be.
pub(super) struct Time {
    /// By place.
    pub boxes: Vec<Lit>,
    /// By cell: a box is there, whatever the side.
    pub boxed: Vec<Lit>,
    /// By cell: the player is there after its push.
    pub player: Vec<Lit>,
}

/// The literals between two steps.
pub(super) struct Moves {
    /// From place, edge of it.
    pub pushes: Vec<(usize, usize, Lit)>,
    /// What pushes waste, if anything: units and that it is so much.
    pub wastes: Vec<(u32, Lit)>,
}

impl Boxes {
    /// The encoding of a level with one player.
    ///
    /// # Panics
    /// If there are several players.
    pub fn new(level: &Level) -> Boxes {
        assert_eq!(level.players().len(), 1, "one player");
        let places = Places::new(level);
        Boxes {
            squares: dead_squares(level, &places),
            places,
            times: vec![],
            moves: vec![],
            solved: vec![],
            waste: vec![],
        }
    }

    /// The literal of being solved by k.
    pub fn solved(&mut self, k: usize, sink: &mut dyn Sink) -> Lit {
        while self.solved.len() <= k {
            let lit = sink.variable();
            if let Some(&before) = self.solved.last() {
                sink.clause(&[-before, lit]);
            }
            self.solved.push(lit);
        }
        self.solved[k]
    }

    pub fn start(&mut self, sink: &mut dyn Sink) {
        let mut boxes = vec![NEVER; self.places.places.len()];
        for &place in &self.places.boxes {
            boxes[place] = sink.variable();
            sink.clause(&[boxes[place]]);
        }
        let mut player = vec![NEVER; self.places.cells.len()];
        player[self.places.players[0]] = sink.variable();
        sink.clause(&[player[self.places.players[0]]]);
        self.add_time(boxes, player, sink);
        // No plan at all is known only of finitely many bounds.
        if let Some(most) = self.places.fewest.and_then(|h| h.checked_sub(1)) {
            let lit = self.solved(most as usize, sink);
            sink.clause(&[-lit]);
        }
    }

    /// A step with these boxes, valid in itself.
    fn add_time(&mut self, boxes: Vec<Lit>, player: Vec<Lit>, sink: &mut dyn Sink) {
        let step = self.times.len();
        let solved = self.solved(step, sink);
        // 1. Boxes by cell.
        let mut boxed = vec![NEVER; self.places.cells.len()];
        for (cell, boxed) in boxed.iter_mut().enumerate() {
            let sides = self.places.of(cell).map(|p| boxes[p]);
            let sides: Vec<Lit> = sides.filter(|&b| b != NEVER).collect();
            *boxed = match sides[..] {
                [] => NEVER,
                [only] => only,
                _ => {
                    let any = sink.variable();
                    at_most_one(&sides, sink);
                    for &side in &sides {
                        sink.clause(&[-side, any]);
                    }
                    let mut some = sides.clone();
                    some.push(-any);
                    sink.clause(&some);
                    any
                }
            };
        }
        // 2. What solved means.
        for cell in (0..boxed.len()).filter(|&c| self.places.goal[c]) {
            clause(&[-solved, boxed[cell]], sink);
        }
        // 3. Places that are too late for some bounds, or waste too much.
        for (place, &here) in boxes.iter().enumerate() {
            if here == NEVER || self.places.unit == 1 {
                continue;
            }
            let at = &self.places.places[place];
            let wasteful = self.places.fewest.unwrap_or(0) + self.places.unit * at.waste;
            let least = (step as u32 + at.late).max(wasteful);
            if least > step as u32 {
                let too_soon = self.solved(least as usize - 1, sink);
                sink.clause(&[-too_soon, -here]);
            }
        }
        // 4. Squares that will never move.
        if step > 0 {
            for square in &self.squares {
                if square.iter().all(|&cell| boxed[cell] != NEVER) {
                    let not_all: Vec<Lit> = square.iter().map(|&cell| -boxed[cell]).collect();
                    sink.clause(&not_all);
                }
            }
        }
        self.times.push(Time {
            boxes,
            boxed,
            player,
        });
    }

    /// Adds the waste of j units to the push after a step.
    fn count(&mut self, step: usize, j: u32, sink: &mut dyn Sink) {
        while self.waste.len() <= step + 1 {
            self.waste.push(vec![]);
        }
        let units = |waste: &Vec<Vec<Lit>>, step: usize, j: u32| match j.checked_sub(1) {
            None => None,
            Some(i) => Some(waste[step].get(i as usize).copied().unwrap_or(NEVER)),
        };
        let wastes = self.moves[step].wastes.clone();
        let before = units(&self.waste, step, j).unwrap_or(NEVER);
        let mut clauses = vec![];
        if before != NEVER {
            clauses.push([-before, NEVER]);
        }
        for (waste, lit) in wastes {
            match units(&self.waste, step, j.saturating_sub(waste)) {
                None => clauses.push([-lit, NEVER]),
                Some(NEVER) => {}
                Some(before) => clauses.push([-lit, -before]),
            }
        }
        let after = if clauses.is_empty() {
            NEVER
        } else {
            sink.variable()
        };
        for [a, b] in clauses {
            clause(&[a, b, after], sink);
        }
        let column = &mut self.waste[step + 1];
        debug_assert_eq!(column.len() + 1, j as usize);
        column.push(after);
        let above = column.iter().rev().nth(1).copied();
        if let (Some(above), true) = (above, after != NEVER) {
            clause(&[-after, above], sink);
        }
        if after != NEVER {
            let least = self.places.fewest.unwrap_or(0) + self.places.unit * j;
            let too_soon = self.solved(least as usize - 1, sink);
            sink.clause(&[-too_soon, -after]);
        }
    }

    /// The box of a push, by steps of a plan: place and edge.
    fn follow(&self, plan: &[Push]) -> Vec<(usize, usize)> {
        let mut boxes = self.places.boxes.clone();
        let mut edges = vec![];
        for push in plan {
            let cell = self.places.number(push.cell).expect("a push on the floor");
            let of = boxes
                .iter_mut()
                .find(|p| self.places.places[**p].cell == cell);
            let place = of.expect("a push of a box");
            let ways = &self.places.places[*place].edges;
            let edge = ways
                .iter()
                .position(|e| Direction::ALL[e.way] == push.direction);
            let edge = edge.expect("a push that is worth making");
            edges.push((*place, edge));
            *place = ways[edge].to;
        }
        edges
    }

    /// One more step: a push by a player who is on one of these cells, by the literal of it.
    pub fn push(&mut self, reach: &[Lit], sink: &mut dyn Sink) {
        let step = self.times.len() - 1;
        let solved = self.solved(step, sink);
        let now = &self.times[step];
        // 1. One push, from where the player gets to, into a free cell.
        let mut pushes: Vec<(usize, usize, Lit)> = vec![];
        for (place, &here) in now.boxes.iter().enumerate() {
            if here == NEVER {
                continue;
            }
            let from = &self.places.places[place];
            for (i, edge) in from.edges.iter().enumerate() {
                let behind = self.places.next[from.cell][3 - edge.way].expect("the player's side");
                if reach[behind] == NEVER {
                    continue;
                }
                let push = sink.variable();
                sink.clause(&[-push, here]);
                sink.clause(&[-push, reach[behind]]);
                let into = now.boxed[self.places.places[edge.to].cell];
                if into != NEVER {
                    sink.clause(&[-push, -into]);
                }
                sink.clause(&[-push, -solved]);
                pushes.push((place, i, push));
            }
        }
        let all: Vec<Lit> = pushes.iter().map(|p| p.2).collect();
        at_most_one_of_many(&all, sink);
        let mut some = all;
        some.push(solved);
        sink.clause(&some);
        // 2. Boxes stay, or come and go with a push; the player is where the box was.
        let count = now.boxes.len();
        let (mut come, mut go) = (vec![vec![]; count], vec![vec![]; count]);
        let mut came = vec![vec![]; self.places.cells.len()];
        for &(place, i, push) in &pushes {
            let from = &self.places.places[place];
            go[place].push(push);
            come[from.edges[i].to].push(push);
            came[from.cell].push(push);
        }
        let mut boxes = vec![NEVER; count];
        for place in 0..count {
            let before = now.boxes[place];
            if before == NEVER && come[place].is_empty() {
                continue;
            }
            let after = sink.variable();
            boxes[place] = after;
            for &push in &come[place] {
                sink.clause(&[-push, after]);
            }
            for &push in &go[place] {
                sink.clause(&[-push, -after]);
            }
            let mut from = come[place].clone();
            from.push(-after);
            if before != NEVER {
                from.push(before);
                let mut to = go[place].clone();
                to.extend([-before, after]);
                sink.clause(&to);
            }
            sink.clause(&from);
        }
        let mut player = vec![NEVER; came.len()];
        for (cell, came) in came.into_iter().enumerate() {
            if came.is_empty() {
                continue;
            }
            player[cell] = sink.variable();
            for &push in &came {
                sink.clause(&[-push, player[cell]]);
            }
            let mut some = came;
            some.push(-player[cell]);
            sink.clause(&some);
        }
        // 3. What the push wastes.
        let mut wastes: Vec<(u32, Lit)> = vec![];
        for &(place, i, push) in &pushes {
            let waste = self.places.places[place].edges[i].waste;
            if waste == 0 {
                continue;
            }
            let lit = match wastes.iter().find(|w| w.0 == waste) {
                Some(&(_, lit)) => lit,
                None => {
                    wastes.push((waste, sink.variable()));
                    wastes[wastes.len() - 1].1
                }
            };
            sink.clause(&[-push, lit]);
        }
        self.moves.push(Moves { pushes, wastes });
        self.add_time(boxes, player, sink);
        let Some(fewest) = self.places.fewest else {
            return;
        };
        let steps = self.moves.len();
        let Some(more) = (steps as u32).checked_sub(fewest) else {
            return;
        };
        let units = more / self.places.unit + 1;
        if self.waste.is_empty() {
            self.waste.push(vec![]);
        }
        for step in 0..steps {
            let have = self.waste.get(step + 1).map_or(0, Vec::len) as u32;
            for j in have + 1..=units {
                self.count(step, j, sink);
            }
        }
    }

    /// The plan of a model, of so many steps at most.
    pub fn decode(&self, steps: usize, holds: &dyn Fn(Lit) -> bool) -> Vec<Push> {
        let mut plan = vec![];
        for moves in self.moves.iter().take(steps) {
            let Some(&(place, i, _)) = moves.pushes.iter().find(|p| holds(p.2)) else {
                break;
            };
            let from = &self.places.places[place];
            plan.push(Push {
                cell: self.places.cells[from.cell],
                direction: Direction::ALL[from.edges[i].way],
            });
        }
        plan
    }

    /// The literals that say the pushes of a plan.
    pub fn literals(&self, plan: &[Push]) -> Vec<Lit> {
        let pushes = self.follow(plan).into_iter().zip(&self.moves);
        let lits = pushes.map(|((place, edge), moves)| {
            let push = moves.pushes.iter().find(|p| (p.0, p.1) == (place, edge));
            push.expect("a push that is possible by then").2
        });
        lits.collect()
    }

    /// What its variables stand for.
    pub fn names(&self) -> Vec<(Lit, String)> {
        let mut names = vec![];
        let cell = |place: usize| self.places.cells[self.places.places[place].cell];
        for (s, time) in self.times.iter().enumerate() {
            for (place, &lit) in time.boxes.iter().enumerate().filter(|b| *b.1 != NEVER) {
                names.push((lit, format!("b({s},{},{place})", cell(place))));
            }
            for (i, &lit) in time.player.iter().enumerate().filter(|p| *p.1 != NEVER) {
                names.push((lit, format!("player({s},{})", self.places.cells[i])));
            }
        }
        for (s, moves) in self.moves.iter().enumerate() {
            for &(place, i, lit) in &moves.pushes {
                let way = Direction::ALL[self.places.places[place].edges[i].way];
                names.push((lit, format!("push({s},{},{})", cell(place), way.letter())));
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

/// The cell and those right of it, below it and below right, if all are floor.
pub(super) fn square(places: &Places, cell: usize) -> Option<[usize; 4]> {
    let (right, below) = (places.next[cell][2]?, places.next[cell][3]?);
    let across = places.next[right][3]?;
    (places.next[below][2] == Some(across)).then_some([cell, right, below, across])
}

/// What is not wall of squares that may not all be boxes.
pub(super) fn dead_squares(level: &Level, places: &Places) -> Vec<Vec<usize>> {
    let mut squares = vec![];
    if places.unit == 1 {
        return squares; // a box that stands still may be one too many
    }
    let width = level.width();
    for corner in 0..level.cells().saturating_sub(width + 1) {
        if corner % width == width - 1 {
            continue;
        }
        let cells = [corner, corner + 1, corner + width, corner + width + 1];
        let floor: Vec<usize> = cells
            .iter()
            .filter_map(|&c| places.number(c as u16))
            .collect();
        if floor.len() > 1 && floor.iter().any(|&c| !places.goal[c]) {
            squares.push(floor);
        }
    }
    squares
}

/// At most one of these, pair by pair if they are few and else with a counter.
fn at_most_one_of_many(lits: &[Lit], sink: &mut dyn Sink) {
    if lits.len() <= 6 {
        return at_most_one(lits, sink);
    }
    let mut before = lits[0];
    for (i, &lit) in lits.iter().enumerate().skip(1) {
        sink.clause(&[-before, -lit]);
        if i + 1 < lits.len() {
            let so_far = sink.variable();
            sink.clause(&[-before, so_far]);
            sink.clause(&[-lit, so_far]);
            before = so_far;
        }
    }
}
