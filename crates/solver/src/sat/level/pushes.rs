//! Push by push: the walks between pushes only as reachability.
//!
//! A step is a push ([`Boxes`] says how), and where the player gets to before it is all that is said about its walk:
//! reach(s,n,l), it gets to n in at most l strides. Cells where no box can be in step s are run together, and n is such
//! an area or one cell; a stride is a cell that could hold a box. The layers forbid circles in which one
//! cell is reachable because its neighbour is, and there are as many as the longest way without short cuts can need.
//! How the player really walks is left to `walk.rs`.
//!
//! "Solved by k" is the question of the bounds. As many boxes as goals: numbers of pushes all have one parity.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::boxes::{Boxes, NEVER, Push, any, exactly_any};
use super::places::BoxPlaces;
use crate::sat::cnf::{Lit, Sink, at_most_one};
use crate::sat::encoding::Encoding;

/// The push steps of a level.
pub struct Pushes {
    boxes: Boxes,
    /// By step: from a place, by an edge of it.
    pushes: Vec<Vec<(usize, usize, Lit)>>,
}

impl Pushes {
    /// The encoding of a level with one player.
    ///
    /// # Panics
    /// If there are several players.
    pub fn new(level: &Level) -> Pushes {
        Pushes::of(level, BoxPlaces::new(level))
    }

    /// The same, of a level that has these places.
    pub(crate) fn of(level: &Level, places: BoxPlaces) -> Pushes {
        assert_eq!(level.players().len(), 1, "one player");
        Pushes {
            boxes: Boxes::new(level, places),
            pushes: vec![],
        }
    }

    /// The same for lengths from here on, even if the bound is higher.
    pub(crate) fn asked_from(mut self, from: Option<u32>) -> Pushes {
        self.boxes.ask_from(from);
        self
    }

    fn add_time(&mut self, boxes: Vec<Lit>, player: Vec<Lit>, sink: &mut dyn Sink) {
        let places = self.boxes.places.all.iter();
        let late: Vec<u32> = places.map(|p| p.late).collect();
        self.boxes
            .add_time(boxes, player, |place| late[place], sink);
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
        let mut layer: Vec<Lit> = (nodes.iter())
            .map(|members| {
                any(
                    &members.iter().map(|&m| time.player[m]).collect::<Vec<_>>(),
                    sink,
                )
            })
            .collect();
        for round in 0..=self.strides(&time.boxed) {
            if !sink.wants_more(0) {
                break;
            }
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
                    now[node] = any(&from.chain([layer[node]]).collect::<Vec<_>>(), sink);
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
                for c in square {
                    counted[c] = true;
                }
                squares += 1;
            }
        }
        let all = (0..boxed.len()).filter(|&c| may(c)).count();
        most.min(all - squares)
    }
}

/// The cell and those right of it, below it and below right, if all are floor.
fn square(places: &BoxPlaces, cell: usize) -> Option<[usize; 4]> {
    let (right, below) = (places.next[cell][2]?, places.next[cell][3]?);
    let across = places.next[right][3]?;
    (places.next[below][2] == Some(across)).then_some([cell, right, below, across])
}

impl Encoding for Pushes {
    type Move = Push;

    fn step(&mut self, sink: &mut dyn Sink) {
        if self.boxes.times.is_empty() {
            let fewest = self.boxes.places.fewest.unwrap_or(0);
            let (boxes, player) = self.boxes.start(fewest, sink);
            self.add_time(boxes, player, sink);
        }
        let step = self.pushes.len();
        let solved = self.boxes.solved(step as u32, sink);
        let reach = self.reach(sink);
        let (places, now) = (&self.boxes.places, &self.boxes.times[step]);
        // 1. One push, from where the player gets to, into a free cell.
        let mut pushes: Vec<(usize, usize, Lit)> = vec![];
        let count = now.boxes.len();
        let (mut come, mut leave) = (vec![vec![]; count], vec![vec![]; count]);
        let mut entered = vec![vec![]; places.floor.cells.len()];
        for (i, from) in places.all.iter().enumerate() {
            let here = now.boxes[i];
            for (j, edge) in from.edges.iter().enumerate().filter(|_| here != NEVER) {
                let behind = places.next[from.cell][3 - edge.way].expect("the player's side");
                if reach[behind] == NEVER {
                    continue;
                }
                let push = sink.variable();
                sink.clause(&[-push, here]);
                sink.clause(&[-push, reach[behind]]);
                sink.clause(&[-push, -solved]);
                let into = now.boxed[places.all[edge.to].cell];
                if into != NEVER {
                    sink.clause(&[-push, -into]);
                }
                pushes.push((i, j, push));
                leave[i].push(push);
                come[edge.to].push(push);
                entered[from.cell].push(push);
            }
        }
        let mut all: Vec<Lit> = pushes.iter().map(|p| p.2).collect();
        at_most_one_of_many(&all, sink);
        all.push(solved);
        sink.clause(&all);
        // 2. The next step; the player is where the box was.
        let boxes = self.boxes.carry(&come, &leave, sink);
        let player = entered.iter().map(|pushes| exactly_any(pushes, sink));
        let player = player.collect();
        let waste = pushes
            .iter()
            .map(|&(i, j, push)| (places.all[i].edges[j].waste, push));
        let waste: Vec<(u32, Lit)> = waste.collect();
        self.pushes.push(pushes);
        self.add_time(boxes, player, sink);
        self.boxes.spend(waste.into_iter(), sink);
    }

    fn steps(&self) -> u32 {
        self.pushes.len() as u32
    }

    fn solved_by(&self, k: u32) -> Lit {
        self.boxes.solved[k as usize]
    }

    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Push> {
        let places = &self.boxes.places;
        let made = self.pushes.iter().take(k as usize).map_while(|pushes| {
            let &(place, edge, _) = pushes.iter().find(|p| holds(p.2))?;
            let from = &places.all[place];
            Some(Push {
                cell: places.floor.cells[from.cell],
                direction: Direction::ALL[from.edges[edge].way],
            })
        });
        made.collect()
    }

    fn literals(&self, plan: &[Push]) -> Vec<Lit> {
        let places = &self.boxes.places;
        let mut boxes = places.boxes.clone();
        let mut lits = vec![];
        for (push, pushes) in plan.iter().zip(&self.pushes) {
            let is = |place: usize| places.floor.cells[places.all[place].cell] == push.cell;
            let place = boxes.iter_mut().find(|p| is(**p)).expect("a box");
            let made = pushes.iter().find(|p| {
                let edges = &places.all[p.0].edges;
                p.0 == *place && Direction::ALL[edges[p.1].way] == push.direction
            });
            let &(_, edge, lit) = made.expect("a push that is worth making");
            *place = places.all[*place].edges[edge].to;
            lits.push(lit);
        }
        lits
    }

    fn names(&self) -> Vec<(Lit, String)> {
        let mut names = self.boxes.names();
        let places = &self.boxes.places;
        for (s, pushes) in self.pushes.iter().enumerate() {
            for &(place, edge, lit) in pushes {
                let from = &places.all[place];
                let letter = Direction::ALL[from.edges[edge].way].letter();
                names.push((
                    lit,
                    format!("push({s},{},{letter})", places.floor.cells[from.cell]),
                ));
            }
        }
        names
    }
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
