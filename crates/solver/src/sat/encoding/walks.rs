//! Push by push, with the moves between pushes counted: fewest moves of one player.
//!
//! Steps are pushes as in [`Boxes`], so a plan of 51 moves has 17 of them and not 51. Besides, for every step s:
//!
//! - reach(s,c,d): the player gets to cell c in at most d moves from where its last push left it.
//! - walk(s,d): it walks d moves or more before its push. A push whose walk is not longer than d needs reach(s,c,d).
//! - walked(s,j): j moves or more were walked before step s, the sum of these.
//!
//! A plan of at most k moves has n pushes and no more than k - n moves between them: for all n, "solved by k" and n
//! pushes or more forbid walked(s,k - n + 1). Waste of pushes counts as well, as it raises n.
//!
//! The formula of k speaks of as many pushes as k moves allow after the first walk, and of walks up to k - h, where h
//! is the fewest pushes.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::Encoding;
use super::boxes::{Boxes, NEVER, Push, clause};
use crate::sat::cnf::{Lit, Sink};
use crate::sat::level::{pushes, walk};

/// The push steps of a level and the walks between them.
pub struct Walks {
    level: Level,
    boxes: Boxes,
    /// The fewest moves to the first push.
    first: u32,
    /// By push.
    phases: Vec<Phase>,
    /// By push and moves, less one: so many were walked before.
    walked: Vec<Vec<Lit>>,
    /// By k.
    solved: Vec<Lit>,
    steps: u32,
}

/// The walk before a push.
#[derive(Default)]
struct Phase {
    /// By moves and cell.
    reach: Vec<Vec<Lit>>,
    /// By moves, less one: it is no shorter.
    walk: Vec<Lit>,
    /// The fewest moves to each cell.
    near: Vec<u32>,
}

impl Walks {
    /// The encoding of a level with one player.
    ///
    /// # Panics
    /// If there are several players.
    pub fn new(level: &Level) -> Walks {
        let boxes = Boxes::new(level);
        let first = first_walk(level, &boxes);
        Walks {
            level: level.clone(),
            boxes,
            first,
            phases: vec![],
            walked: vec![vec![]],
            solved: vec![],
            steps: 0,
        }
    }

    /// No plan has fewer moves.
    pub fn lower(&self) -> u32 {
        self.boxes.places.fewest.unwrap_or(0) + self.first
    }

    /// The walk before the next push, and that push.
    fn add_phase(&mut self, sink: &mut dyn Sink) {
        let time = self.boxes.times.last().expect("the start at least");
        let from = (0..time.player.len()).filter(|&c| time.player[c] != NEVER);
        let mut near = vec![u32::MAX; time.player.len()];
        for cell in from {
            let steps = self.boxes.places.steps(cell, None);
            near.iter_mut().zip(steps).for_each(|(n, s)| *n = s.min(*n));
        }
        self.phases.push(Phase {
            reach: vec![time.player.clone()],
            walk: vec![],
            near,
        });
        self.walked.push(vec![]);
        // Whether the player gets there is said as walks grow: any cell will do for now.
        let anywhere = sink.variable();
        let reach = vec![anywhere; self.boxes.times[0].player.len()];
        self.boxes.push(&reach, sink);
    }

    /// Makes walks up to this long, before every push.
    fn widen(&mut self, most: usize, sink: &mut dyn Sink) {
        let places = &self.boxes.places;
        for (s, phase) in self.phases.iter_mut().enumerate() {
            let time = &self.boxes.times[s];
            while phase.walk.len() < most {
                // 1. A push without a longer walk is one that was reached.
                let d = phase.walk.len();
                let longer = sink.variable();
                if let Some(&before) = phase.walk.last() {
                    sink.clause(&[-longer, before]);
                }
                phase.walk.push(longer);
                for &(place, i, push) in &self.boxes.moves[s].pushes {
                    let from = &places.places[place];
                    let way = from.edges[i].way;
                    let behind = places.next[from.cell][3 - way].expect("the player's side");
                    clause(&[-push, longer, phase.reach[d][behind]], sink);
                }
                // 2. One move on.
                let before = &phase.reach[d];
                let mut now = vec![NEVER; before.len()];
                for cell in 0..before.len() {
                    if phase.near[cell] as usize > d + 1 {
                        continue;
                    }
                    let mut some = vec![before[cell]];
                    some.extend(places.next[cell].into_iter().flatten().map(|n| before[n]));
                    some.retain(|&l| l != NEVER);
                    now[cell] = sink.variable();
                    if time.boxed[cell] != NEVER {
                        sink.clause(&[-now[cell], -time.boxed[cell]]);
                    }
                    some.push(-now[cell]);
                    sink.clause(&some);
                }
                phase.reach.push(now);
            }
            // 3. The sum.
            while self.walked[s + 1].len() < most {
                let j = self.walked[s + 1].len() + 1;
                let sum = sink.variable();
                if let Some(&before) = self.walked[s + 1].last() {
                    sink.clause(&[-sum, before]);
                }
                if let Some(&before) = self.walked[s].get(j - 1) {
                    sink.clause(&[-before, sum]);
                }
                for d in 1..j {
                    if let Some(&before) = self.walked[s].get(j - d - 1) {
                        sink.clause(&[-before, -phase.walk[d - 1], sum]);
                    }
                }
                sink.clause(&[-phase.walk[j - 1], sum]);
                self.walked[s + 1].push(sum);
            }
        }
    }
}

/// The fewest moves before a push is made, on the floor as it is.
fn first_walk(level: &Level, boxes: &Boxes) -> u32 {
    let places = &boxes.places;
    let steps = places.steps(places.players[0], None);
    let mut least = u32::MAX;
    for &place in &places.boxes {
        let from = &places.places[place];
        for edge in &from.edges {
            let behind = places.next[from.cell][3 - edge.way].expect("the player's side");
            if !level.boxes().contains(&places.cells[behind]) {
                least = least.min(steps[behind]);
            }
        }
    }
    if least == u32::MAX { 0 } else { least }
}

impl Encoding for Walks {
    type Move = Direction;

    fn step(&mut self, sink: &mut dyn Sink) {
        if self.boxes.times.is_empty() {
            self.boxes.start(sink);
        }
        self.steps += 1;
        // The question of no moves comes with the first.
        while self.solved.len() <= self.steps as usize {
            let k = self.solved.len() as u32;
            let solved = sink.variable();
            if let Some(&before) = self.solved.last() {
                sink.clause(&[-before, solved]);
            }
            self.solved.push(solved);
            let fewest = self.boxes.places.fewest.unwrap_or(0);
            if k < fewest + self.first {
                sink.clause(&[-solved]);
                continue;
            }
            let most = (k - self.first) as usize;
            while self.phases.len() < most {
                self.add_phase(sink);
            }
            self.widen((k - fewest + 1) as usize, sink);
            let done = self.boxes.solved(most, sink);
            sink.clause(&[-solved, done]);
            for n in fewest..=most as u32 {
                let more = self.walked[most][(k - n) as usize];
                let fewer = match n.checked_sub(1) {
                    Some(n) => self.boxes.solved(n as usize, sink),
                    None => NEVER,
                };
                clause(&[-solved, fewer, -more], sink);
            }
        }
    }

    fn steps(&self) -> u32 {
        self.steps
    }

    fn solved_by(&self, k: u32) -> Lit {
        self.solved[k as usize]
    }

    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Direction> {
        let plan: Vec<Push> = self.boxes.decode(k as usize, holds);
        walk(&self.level, &plan)
    }

    fn literals(&self, plan: &[Direction]) -> Vec<Lit> {
        self.boxes.literals(&pushes(&self.level, plan))
    }

    fn names(&self) -> Vec<(Lit, String)> {
        let mut names = self.boxes.names();
        for (s, phase) in self.phases.iter().enumerate() {
            let walks = phase.walk.iter().enumerate();
            names.extend(walks.map(|(d, &lit)| (lit, format!("walk({s})>={}", d + 1))));
        }
        let solved = self.solved.iter().enumerate();
        names.extend(solved.map(|(k, &lit)| (lit, format!("solved by {k} moves"))));
        names
    }
}
