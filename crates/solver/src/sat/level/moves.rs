//! The paper's constraints A to J: where each player and each box is, by name, at every step.
//!
//! P(c,i,t): player i is on cell c at step t; B(c,j,t): box j is. Walls have no literals. The constraints, by their
//! letters: A the start; B players go to a neighbouring cell, or stay if waiting is allowed; C a box that is somewhere was
//! there before or was pushed, which is a disjunction of conjunctions; D no two players past each other; E and F each
//! player and each box in at most one cell; G to I no two things in the same; J every goal has some box at the end.
//!
//! E and F say at most one cell, as the paper does. That every player is somewhere follows from B, step by step. That
//! every box is somewhere follows from J, back in time by C, if there are as many boxes as goals. A box beyond the goals
//! could vanish, and its cell be walked on: then F says exactly one cell, where the paper's formula has models that are
//! no plans.
//!
//! C becomes clauses by the Cartesian product, one factor of every conjunction. A factor of a direction is the box behind,
//! or one literal of each player who may have pushed: products in which a clause contains another are left out, as
//! they say nothing new (625 clauses for two players instead of 6,561).
//!
//! J stands under an assumption for each step, as in section III of the paper. Once solved everybody may wait, so that
//! "solved by k" holds for shorter plans, too. Where it is known that no plan has fewer than k moves, one clause says
//! that it is not solved by k - 1. That leaves the paper's question, which is about exactly k moves: with nobody waiting
//! the player's colour on a chequered floor follows by unit propagation.
//!
//! Puzzle Solving with Modern SAT Engine, section I, is the paper.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::places::BoxPlaces;
use crate::sat::cnf::{Lit, Sink, at_most_one};
use crate::sat::encoding::Encoding;
use crate::sokoban::JointStep;

/// The moves of a level.
pub struct Moves {
    places: BoxPlaces,
    wait: bool,
    /// Where boxes are at the start.
    boxes: Vec<usize>,
    times: Vec<Time>,
    /// By k.
    solved: Vec<Lit>,
    /// No plan is shorter.
    least: u32,
}

/// The literals of a step.
struct Time {
    /// By player and cell.
    players: Vec<Vec<Lit>>,
    /// By box and cell.
    boxes: Vec<Vec<Lit>>,
}

impl Moves {
    /// The encoding of a level; whether players may wait.
    pub fn new(level: &Level, wait: bool) -> Moves {
        Moves::of(BoxPlaces::new(level), wait)
    }

    /// The same, of a level that has these places.
    pub(crate) fn of(places: BoxPlaces, wait: bool) -> Moves {
        let boxes = places.boxes.iter().map(|&b| places.all[b].cell);
        Moves {
            boxes: boxes.collect(),
            places,
            wait,
            times: vec![],
            solved: vec![],
            least: 0,
        }
    }

    /// The same, where it is known that no plan is shorter: then everybody moves up to there.
    pub(crate) fn knowing(self, least: u32) -> Moves {
        Moves { least, ..self }
    }

    /// Whether a box is not needed at the end, so that nothing else keeps it on the floor.
    fn may_vanish(&self) -> bool {
        self.places.ends().count() < self.boxes.len()
    }

    /// The literals of one more step: E to J.
    fn add_time(&mut self, sink: &mut dyn Sink) {
        let cells = self.places.floor.cells.len();
        let mut all = |count: usize| -> Vec<Vec<Lit>> {
            let one = |_| (0..cells).map(|_| sink.variable()).collect();
            (0..count).map(one).collect()
        };
        let time = Time {
            players: all(self.places.players.len()),
            boxes: all(self.boxes.len()),
        };
        // E, F
        for thing in time.players.iter().chain(&time.boxes) {
            at_most_one(thing, sink);
        }
        if self.may_vanish() {
            for thing in &time.boxes {
                sink.clause(thing);
            }
        }
        // G, H, I
        for cell in 0..cells {
            let things = time.players.iter().chain(&time.boxes);
            let here: Vec<Lit> = things.map(|thing| thing[cell]).collect();
            at_most_one(&here, sink);
        }
        // J
        let solved = sink.variable();
        for cell in self.places.ends() {
            let mut some: Vec<Lit> = time.boxes.iter().map(|thing| thing[cell]).collect();
            some.push(-solved);
            sink.clause(&some);
        }
        // A stage must not lose a box that is needed later.
        for cell in (0..cells).filter(|&c| self.places.is_stage() && self.places.is_dead(c)) {
            time.boxes
                .iter()
                .for_each(|thing| sink.clause(&[-thing[cell]]));
        }
        if self.times.len() as u32 + 1 == self.least {
            sink.clause(&[-solved]);
        }
        if let Some(&before) = self.solved.last() {
            sink.clause(&[-before, solved]);
        }
        self.solved.push(solved);
        self.times.push(time);
    }

    /// B and D: players between the last two steps.
    fn move_players(&self, sink: &mut dyn Sink) {
        let t = self.times.len() - 2;
        let (now, then) = (&self.times[t].players, &self.times[t + 1].players);
        for (before, after) in now.iter().zip(then) {
            for (cell, next) in self.places.next.iter().enumerate() {
                let beside = || next.iter().flatten().copied().chain([cell]);
                let mut from: Vec<Lit> = beside().map(|c| before[c]).collect();
                from.push(-after[cell]);
                sink.clause(&from);
                let mut to: Vec<Lit> = beside().map(|c| after[c]).collect();
                to.push(-before[cell]);
                sink.clause(&to);
                if !self.wait {
                    // As the paper writes it, without staying: unit propagation sees more than if staying is forbidden.
                    let elsewhere = |at: &[Lit]| -> Vec<Lit> {
                        let cells = next.iter().flatten();
                        cells.map(|&c| at[c]).chain([self.solved[t]]).collect()
                    };
                    sink.clause(&[&elsewhere(before)[..], &[-after[cell]]].concat());
                    sink.clause(&[&elsewhere(after)[..], &[-before[cell]]].concat());
                }
            }
        }
        for one in 0..now.len() {
            for other in (0..now.len()).filter(|&o| o != one) {
                for (cell, next) in self.places.next.iter().enumerate() {
                    for &to in next[2..].iter().flatten() {
                        sink.clause(&[
                            -now[one][cell],
                            -then[one][to],
                            -now[other][to],
                            -then[other][cell],
                        ]);
                    }
                }
            }
        }
    }

    /// C: boxes between the last two steps.
    fn move_boxes(&self, sink: &mut dyn Sink) {
        let t = self.times.len() - 2;
        let (now, then) = (&self.times[t], &self.times[t + 1]);
        for (before, after) in now.boxes.iter().zip(&then.boxes) {
            if !sink.wants_more(0) {
                return;
            }
            for cell in 0..before.len() {
                let mut ways: Vec<Vec<Vec<Lit>>> = vec![];
                for way in 0..4 {
                    let Some(from) = self.places.next[cell][3 - way] else {
                        continue;
                    };
                    let Some(behind) = self.places.next[from][3 - way] else {
                        continue;
                    };
                    let pushers = now.players.iter().zip(&then.players);
                    let pushers = pushers.map(|(p, q)| vec![vec![p[behind]], vec![q[from]]]);
                    let mut factors = product(&pushers.collect::<Vec<_>>());
                    factors.push(vec![before[from]]);
                    ways.push(factors);
                }
                for mut clause in product(&ways) {
                    clause.extend([-after[cell], before[cell]]);
                    sink.clause(&clause);
                }
            }
        }
    }
}

/// The Cartesian product: one of each, put together in all ways.
fn product(factors: &[Vec<Vec<Lit>>]) -> Vec<Vec<Lit>> {
    let mut all = vec![vec![]];
    for factor in factors {
        let with = |some: &Vec<Lit>| -> Vec<Vec<Lit>> {
            factor
                .iter()
                .map(|f| [some.as_slice(), f].concat())
                .collect()
        };
        all = all.iter().flat_map(with).collect();
    }
    all
}

impl Encoding for Moves {
    type Move = JointStep;

    fn step(&mut self, sink: &mut dyn Sink) {
        if self.times.is_empty() {
            self.add_time(sink);
            // A
            let first = &self.times[0];
            let places = [&self.places.players, &self.boxes];
            for (things, at) in [&first.players, &first.boxes].into_iter().zip(places) {
                for (thing, &at) in things.iter().zip(at) {
                    for (cell, &lit) in thing.iter().enumerate() {
                        sink.clause(&[if cell == at { lit } else { -lit }]);
                    }
                }
            }
        }
        self.add_time(sink);
        self.move_players(sink);
        self.move_boxes(sink);
    }

    fn steps(&self) -> u32 {
        self.times.len().saturating_sub(1) as u32
    }

    fn solved_by(&self, k: u32) -> Lit {
        self.solved[k as usize]
    }

    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<JointStep> {
        let at = |t: usize, player: usize| {
            let cells = &self.times[t].players[player];
            cells.iter().position(|&lit| holds(lit))
        };
        let until = (0..k as usize).find(|&t| holds(self.solved[t]));
        let until = until.unwrap_or(k as usize);
        let step = |t: usize| -> JointStep {
            let players = 0..self.places.players.len();
            let goes = players.map(|player| {
                let (from, to) = (at(t, player)?, at(t + 1, player)?);
                let way = (0..4).find(|&way| self.places.next[from][way] == Some(to))?;
                Some(Direction::ALL[way])
            });
            goes.collect()
        };
        // A lone player has nothing to wait for.
        let goes = |step: &JointStep| step.len() > 1 || step[0].is_some();
        (0..until).map(step).filter(goes).collect()
    }

    fn literals(&self, plan: &[JointStep]) -> Vec<Lit> {
        let (mut players, mut boxes) = (self.places.players.clone(), self.boxes.clone());
        let mut lits = vec![];
        for (t, step) in plan.iter().enumerate() {
            let mut pushed = vec![];
            for (cell, goes) in players.iter_mut().zip(step) {
                let Some(direction) = goes else { continue };
                let way = Direction::ALL.iter().position(|d| d == direction);
                let way = way.expect("one of four");
                *cell = self.places.next[*cell][way].expect("a plan stays on the floor");
                if let Some(j) = boxes.iter().position(|b| b == cell) {
                    pushed.push((j, self.places.next[*cell][way].expect("so do boxes")));
                }
            }
            for (j, to) in pushed {
                boxes[j] = to;
            }
            let time = &self.times[t + 1];
            let who = time.players.iter().zip(&players);
            lits.extend(who.map(|(lits, &cell)| lits[cell]));
            lits.extend(
                time.boxes
                    .iter()
                    .zip(&boxes)
                    .map(|(lits, &cell)| lits[cell]),
            );
        }
        lits
    }

    fn names(&self) -> Vec<(Lit, String)> {
        let mut names = vec![];
        for (t, time) in self.times.iter().enumerate() {
            for (what, things) in [("P", &time.players), ("B", &time.boxes)] {
                for (i, lits) in things.iter().enumerate() {
                    let cells = lits.iter().zip(&self.places.floor.cells);
                    names
                        .extend(cells.map(|(&lit, cell)| (lit, format!("{what}({cell},{i},{t})"))));
                }
            }
            names.push((self.solved[t], format!("solved by {t}")));
        }
        names
    }
}
