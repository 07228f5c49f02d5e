//! Push by push: the walks between pushes only as reachability.
//!
//! A step is a push ([`Boxes`] says how), and where the player gets to before it is all that is said about its walk:
//! reach(s,n,l), it gets to n in at most l strides. Cells where no box can be in step s are run together, and n is such
//! an area or one cell; a stride is a cell that could hold a box. The layers forbid circles in which one
//! cell is reachable because its neighbour is, and there are as many as the longest way without short cuts can need.
//! How the player really walks is left to whoever replays the plan.
//!
//! "Solved by k" is the question of the bounds. As many boxes as goals: numbers of pushes all have one parity.

use noyes_puzzle::sokoban::Level;

use super::Encoding;
use super::boxes::{Boxes, NEVER, Push, square};
use crate::sat::cnf::{Lit, Sink};

/// The push steps of a level.
pub struct Pushes {
    boxes: Boxes,
}

impl Pushes {
    /// The encoding of a level with one player.
    ///
    /// # Panics
    /// If there are several players.
    pub fn new(level: &Level) -> Pushes {
        Pushes {
            boxes: Boxes::new(level),
        }
    }

    /// The last step's reachable cells: by cell the literal of it.
    fn reach(&self, sink: &mut dyn Sink) -> Vec<Lit> {
        let time = self.boxes.times.last().expect("the start at least");
        let next = &self.boxes.places.next;
        let cells = time.boxed.len();
        // 1. Areas: cells that touch and can hold no box; every other cell for itself.
        let mut area = vec![usize::MAX; cells];
        let mut nodes: Vec<Vec<usize>> = vec![];
        for cell in 0..cells {
            if area[cell] != usize::MAX {
                continue;
            }
            let mut members = vec![cell];
            area[cell] = nodes.len();
            let mut i = 0;
            while i < members.len() && time.boxed[cell] == NEVER {
                for to in next[members[i]].into_iter().flatten() {
                    if area[to] == usize::MAX && time.boxed[to] == NEVER {
                        area[to] = nodes.len();
                        members.push(to);
                    }
                }
                i += 1;
            }
            nodes.push(members);
        }
        let open: Vec<bool> = nodes.iter().map(|m| time.boxed[m[0]] == NEVER).collect();
        let touching: Vec<Vec<usize>> = (nodes.iter().enumerate())
            .map(|(node, members)| {
                let cells = members.iter().flat_map(|&m| next[m].into_iter().flatten());
                let mut touching: Vec<usize> =
                    cells.map(|c| area[c]).filter(|&n| n != node).collect();
                touching.sort_unstable();
                touching.dedup();
                touching
            })
            .collect();
        // 2. Layer by layer: open areas come with the cells beside them.
        let any = |lits: Vec<Lit>, sink: &mut dyn Sink| -> Lit {
            let lits: Vec<Lit> = lits.into_iter().filter(|&l| l != NEVER).collect();
            match lits[..] {
                [] => NEVER,
                [only] => only,
                _ => {
                    let lit = sink.variable();
                    let mut some = lits;
                    some.push(-lit);
                    sink.clause(&some);
                    lit
                }
            }
        };
        let mut layer: Vec<Lit> = (nodes.iter())
            .map(|members| any(members.iter().map(|&m| time.player[m]).collect(), sink))
            .collect();
        for round in 0..=self.strides(&time.boxed) {
            let mut now = layer.clone();
            if round > 0 {
                for node in (0..nodes.len()).filter(|&n| !open[n]) {
                    let before = touching[node].iter().map(|&n| layer[n]);
                    let before: Vec<Lit> = before
                        .chain([layer[node]])
                        .filter(|&l| l != NEVER)
                        .collect();
                    if before.iter().any(|&l| l != layer[node]) {
                        now[node] = sink.variable();
                        let boxed = time.boxed[nodes[node][0]];
                        sink.clause(&[-now[node], -boxed]);
                        let mut some = before;
                        some.push(-now[node]);
                        sink.clause(&some);
                    }
                }
            }
            for node in (0..nodes.len()).filter(|&n| open[n]) {
                if touching[node].iter().any(|&n| now[n] != layer[n]) || round == 0 {
                    let from = touching[node].iter().map(|&n| now[n]);
                    now[node] = any(from.chain([layer[node]]).collect(), sink);
                }
            }
            layer = now;
        }
        area.iter().map(|&node| layer[node]).collect()
    }

    /// How many cells that could hold a box may lie on the longest way without short cuts.
    fn strides(&self, boxed: &[Lit]) -> usize {
        let may = |cell: usize| boxed[cell] != NEVER;
        let mut most = (0..boxed.len()).filter(|&c| may(c)).count();
        most = most.saturating_sub(self.boxes.places.boxes.len());
        // Such a way leaves out one of every four cells in a square.
        let mut counted = vec![false; boxed.len()];
        let mut squares = 0;
        for cell in 0..boxed.len() {
            if let Some(square) = square(&self.boxes.places, cell)
                && square.iter().all(|&c| may(c) && !counted[c])
            {
                square.iter().for_each(|&c| counted[c] = true);
                squares += 1;
            }
        }
        let all = (0..boxed.len()).filter(|&c| may(c)).count();
        most.min(all - squares)
    }
}

impl Encoding for Pushes {
    type Move = Push;

    fn step(&mut self, sink: &mut dyn Sink) {
        if self.boxes.times.is_empty() {
            self.boxes.start(sink);
        }
        let reach = self.reach(sink);
        self.boxes.push(&reach, sink);
    }

    fn steps(&self) -> u32 {
        self.boxes.moves.len() as u32
    }

    fn solved_by(&self, k: u32) -> Lit {
        self.boxes.solved[k as usize]
    }

    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Push> {
        self.boxes.decode(k as usize, holds)
    }

    fn literals(&self, plan: &[Push]) -> Vec<Lit> {
        self.boxes.literals(plan)
    }

    fn names(&self) -> Vec<(Lit, String)> {
        self.boxes.names()
    }
}
