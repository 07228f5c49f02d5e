//! Move by move, without names: fewest moves of one player, or fewest steps of a crew.
//!
//! For every time t: player(t,c), somebody is on cell c; b(t,p), a box is at place p; go(t,c,d), whoever is on c goes
//! that way; stay(t,c), it does not; push(t,p,d), a box goes along. Neither boxes nor players have names: who went where
//! is read off afterwards by following the moves. Variables exist where players and boxes can be in time.
//!
//! All is judged at the next step, as the rules say: no two in one cell, no two players past each other. A cell that a
//! box leaves is entered by whoever pushes it, so no box ever comes where one was just before.
//!
//! "Solved by k": every goal has a box at k, and nobody moves from there on. Who must not wait waits then only.
//!
//! One player alone has no reason to wait, and more is known of its plans:
//!
//! - A plan of k moves with h pushes that are necessary has k - h to spend on walking and on pushes that waste (the
//!   prices of [`Places`]): spent(t,j), at least j of it is gone before t.
//! - Its moves alternate between the colours of a chequered floor.
//! - A box at p with the player at c needs so many more moves, were it the only box.
//! - Of two walks of the same length only one is looked at: across and then up or down only where a box is
//!   in the way of the other. And no walk comes back to a cell or to one beside it, where a step would do.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::Encoding;
use super::boxes::{NEVER, clause, dead_squares};
use crate::sat::cnf::{Lit, Sink, at_most_one};
use crate::sat::level::Step;
use crate::sat::places::{Places, cheapest};

/// The moves of a level.
pub struct LeanMoves {
    places: Places,
    squares: Vec<Vec<usize>>,
    wait: bool,
    times: Vec<Time>,
    moves: Vec<Moves>,
    /// By k; there may be more than steps.
    solved: Vec<Lit>,
    /// By time and moves, less one.
    spent: Vec<Vec<Lit>>,
    /// By time: what pushes waste, and that it is so much.
    wastes: Vec<Vec<(u32, Lit)>>,
    /// By place: the fewest moves until a box can be there.
    early: Vec<u32>,
    /// By place and the player's cell: the fewest moves until that box is on a goal; only for one player.
    late: Vec<Vec<u32>>,
    /// By cell: the fewest moves until a player can be there.
    near: Vec<u32>,
    lower: u32,
}

/// The literals of a time; `NEVER` where something cannot be.
struct Time {
    boxes: Vec<Lit>,
    boxed: Vec<Lit>,
    player: Vec<Lit>,
}

/// The literals between two times.
struct Moves {
    /// By cell and way.
    go: Vec<[Lit; 4]>,
    stay: Vec<Lit>,
    /// No push is made; only for one player.
    walk: Lit,
}

impl LeanMoves {
    /// The encoding of a level; whether players may wait.
    pub fn new(level: &Level, wait: bool) -> LeanMoves {
        let places = Places::new(level);
        let mut near = vec![u32::MAX; places.cells.len()];
        for &player in &places.players {
            let steps = places.steps(player, None);
            near.iter_mut().zip(steps).for_each(|(n, s)| *n = s.min(*n));
        }
        let mut encoding = LeanMoves {
            squares: dead_squares(level, &places),
            wait,
            times: vec![],
            moves: vec![],
            solved: vec![],
            spent: vec![vec![]],
            wastes: vec![],
            early: places.places.iter().map(|p| p.early).collect(),
            late: vec![],
            near,
            lower: 0,
            places,
        };
        encoding.look_ahead();
        encoding
    }

    /// No plan has fewer steps.
    pub fn lower(&self) -> u32 {
        self.lower
    }

    fn alone(&self) -> bool {
        self.places.players.len() == 1
    }

    /// How soon boxes can be somewhere, how late they may, and how many steps are needed at least.
    fn look_ahead(&mut self) {
        let places = &self.places;
        let fewest = places.fewest.unwrap_or(0);
        let start = |place: usize| {
            let from = &places.places[place];
            let behind = from.edges.iter().map(|e| places.next[from.cell][3 - e.way]);
            behind.flatten().map(|c| self.near[c]).min().unwrap_or(0)
        };
        let first = places.boxes.iter().map(|&b| start(b)).min().unwrap_or(0);
        let players = places.players.len() as u32;
        self.lower = fewest.div_ceil(players) + if fewest > 0 { first } else { 0 };
        if !self.alone() {
            return;
        }
        // States of one box: its place and the player's cell.
        let (cells, count) = (places.cells.len(), places.places.len());
        let state = |place: usize, player: usize| place * cells + player;
        let mut ahead = vec![vec![]; count * cells];
        for (i, place) in places.places.iter().enumerate() {
            for player in 0..cells {
                for way in 0..4 {
                    let Some(to) = places.next[player][way] else {
                        continue;
                    };
                    if to != place.cell {
                        ahead[state(i, player)].push((state(i, to), 1));
                    } else if let Some(edge) = place.edges.iter().find(|e| e.way == way) {
                        ahead[state(i, player)].push((state(edge.to, to), 1));
                    }
                }
            }
        }
        let mut back = vec![vec![]; ahead.len()];
        for (from, edges) in ahead.iter().enumerate() {
            for &(to, cost) in edges {
                back[to].push((from, cost));
            }
        }
        let starts = places
            .boxes
            .iter()
            .map(|&b| (state(b, places.players[0]), 0));
        let early = cheapest(&ahead, starts);
        let least = |costs: &[u32], place: usize| {
            let all = &costs[place * cells..(place + 1) * cells];
            *all.iter().min().expect("a floor")
        };
        self.early = (0..count).map(|p| least(&early, p)).collect();
        let goals = (0..count).filter(|&p| places.goal[places.places[p].cell]);
        let ends = goals.flat_map(|p| (0..cells).map(move |c| (state(p, c), 0)));
        let late = cheapest(&back, ends);
        if places.unit == 2 {
            self.late = (0..count)
                .map(|p| late[p * cells..(p + 1) * cells].to_vec())
                .collect();
            let far = places
                .boxes
                .iter()
                .map(|&b| late[state(b, places.players[0])]);
            self.lower = self.lower.max(far.max().unwrap_or(0));
        }
    }

    /// The literal of being solved by k.
    fn solved(&mut self, k: usize, sink: &mut dyn Sink) -> Lit {
        while self.solved.len() <= k {
            let lit = sink.variable();
            if let Some(&before) = self.solved.last() {
                sink.clause(&[-before, lit]);
            }
            self.solved.push(lit);
        }
        self.solved[k]
    }

    fn start(&mut self, sink: &mut dyn Sink) {
        let mut boxes = vec![NEVER; self.places.places.len()];
        for &place in &self.places.boxes {
            boxes[place] = sink.variable();
            sink.clause(&[boxes[place]]);
        }
        let mut player = vec![NEVER; self.places.cells.len()];
        for &cell in &self.places.players {
            player[cell] = sink.variable();
            sink.clause(&[player[cell]]);
        }
        self.add_time(boxes, player, sink);
        if let Some(most) = self.lower.checked_sub(1) {
            let lit = self.solved(most as usize, sink);
            sink.clause(&[-lit]);
        }
    }

    /// A time with these boxes and players, valid in itself.
    fn add_time(&mut self, boxes: Vec<Lit>, player: Vec<Lit>, sink: &mut dyn Sink) {
        let t = self.times.len();
        let solved = self.solved(t, sink);
        // 1. Boxes by cell.
        let mut boxed = vec![NEVER; player.len()];
        for (cell, boxed) in boxed.iter_mut().enumerate() {
            let sides = self.places.of(cell).map(|p| boxes[p]);
            let sides: Vec<Lit> = sides.filter(|&b| b != NEVER).collect();
            *boxed = match sides[..] {
                [] => NEVER,
                [only] => only,
                _ => {
                    let any = sink.variable();
                    at_most_one(&sides, sink);
                    sides.iter().for_each(|&side| sink.clause(&[-side, any]));
                    let mut some = sides;
                    some.push(-any);
                    sink.clause(&some);
                    any
                }
            };
        }
        // 2. No two in one cell; all goals full when solved.
        for cell in 0..boxed.len() {
            if boxed[cell] != NEVER && player[cell] != NEVER {
                sink.clause(&[-boxed[cell], -player[cell]]);
            }
            if self.places.goal[cell] {
                clause(&[-solved, boxed[cell]], sink);
            }
        }
        if t > 0 {
            for square in &self.squares {
                if square.iter().all(|&cell| boxed[cell] != NEVER) {
                    let not_all: Vec<Lit> = square.iter().map(|&cell| -boxed[cell]).collect();
                    sink.clause(&not_all);
                }
            }
        }
        // 3. What is too late for some bounds.
        if self.places.unit == 2 {
            for (place, &here) in boxes.iter().enumerate().filter(|b| *b.1 != NEVER) {
                let at = &self.places.places[place];
                let mut least = t as u32 + at.late;
                if self.alone() {
                    let wasteful = self.places.fewest.unwrap_or(0) + 2 * at.waste;
                    let alone = self.late[place].iter().min().copied().unwrap_or(0);
                    least = least.max(wasteful).max(t as u32 + alone);
                }
                if least > t as u32 {
                    let too_soon = self.solved(least as usize - 1, sink);
                    sink.clause(&[-too_soon, -here]);
                }
                if self.alone() {
                    for (cell, &who) in player.iter().enumerate().filter(|p| *p.1 != NEVER) {
                        let needs = t as u32 + self.late[place][cell];
                        if needs > least && self.late[place][cell] < 1 << 20 {
                            let too_soon = self.solved(needs as usize - 1, sink);
                            sink.clause(&[-too_soon, -here, -who]);
                        } else if needs > least {
                            sink.clause(&[-here, -who]);
                        }
                    }
                }
            }
        }
        if self.alone() {
            let all: Vec<Lit> = player.iter().copied().filter(|&p| p != NEVER).collect();
            at_most_one(&all, sink);
            for (cell, &who) in player.iter().enumerate().filter(|p| *p.1 != NEVER) {
                if (self.near[cell] as usize + t) % 2 == 1 {
                    let before = self.solved(t - 1, sink);
                    sink.clause(&[-who, before]);
                }
            }
        }
        self.times.push(Time {
            boxes,
            boxed,
            player,
        });
    }

    /// One player's walks that are not worth looking at, ending at the last time.
    fn prune(&self, sink: &mut dyn Sink) {
        let t = self.moves.len();
        let walks: Vec<Lit> = self.moves.iter().rev().take(3).map(|m| -m.walk).collect();
        let next = &self.places.next;
        let [.., before, _, last] = self.times.as_slice() else {
            return;
        };
        for cell in 0..next.len() {
            let from = before.player[cell];
            if from == NEVER {
                continue;
            }
            if last.player[cell] != NEVER {
                sink.clause(&[walks[0], walks[1], -from, -last.player[cell]]);
            }
            // Up and down come before left and right, if nothing is in the way.
            for across in [1, 2] {
                for along in [0, 3] {
                    let Some(corner) = next[cell][across] else {
                        continue;
                    };
                    let (Some(end), Some(other)) = (next[corner][along], next[cell][along]) else {
                        continue;
                    };
                    let go = [
                        self.moves[t - 2].go[cell][across],
                        self.moves[t - 1].go[corner][along],
                    ];
                    if last.player[end] == NEVER || go.contains(&NEVER) {
                        continue;
                    }
                    let lits = [walks[0], walks[1], -go[0], -go[1], before.boxed[other]];
                    clause(&lits, sink);
                }
            }
        }
        let [.., before, _, _, last] = self.times.as_slice() else {
            return;
        };
        for cell in 0..next.len() {
            for to in next[cell].into_iter().flatten() {
                let ends = [before.player[cell], last.player[to]];
                if !ends.contains(&NEVER) {
                    sink.clause(&[walks[0], walks[1], walks[2], -ends[0], -ends[1]]);
                }
            }
        }
    }

    /// What walking and waste have taken of the moves that are not necessary.
    fn spend(&mut self, t: usize, j: u32, wastes: &[(u32, Lit)], sink: &mut dyn Sink) {
        let after = sink.variable();
        let before = |j: u32| match j {
            0 => None,
            j => Some(self.spent[t].get(j as usize - 1).copied().unwrap_or(NEVER)),
        };
        match before(j) {
            Some(NEVER) | None => {}
            Some(lit) => sink.clause(&[-lit, after]),
        }
        let walk = (1, self.moves[t].walk);
        for &(waste, lit) in wastes.iter().chain([&walk]) {
            match before(j.saturating_sub(waste)) {
                None => sink.clause(&[-lit, after]),
                Some(NEVER) => {}
                Some(before) => sink.clause(&[-lit, -before, after]),
            }
        }
        if let Some(&less) = self.spent[t + 1].last() {
            sink.clause(&[-after, less]);
        }
        self.spent[t + 1].push(after);
        let least = self.places.fewest.unwrap_or(0) + j;
        let too_soon = self.solved(least as usize - 1, sink);
        sink.clause(&[-too_soon, -after]);
    }
}

impl Encoding for LeanMoves {
    type Move = Step;

    fn step(&mut self, sink: &mut dyn Sink) {
        if self.times.is_empty() {
            self.start(sink);
        }
        let t = self.times.len() - 1;
        let solved = self.solved(t, sink);
        let (cells, count) = (self.places.cells.len(), self.places.places.len());
        let alone = self.alone();
        let now = &self.times[t];
        // 1. Everybody goes somewhere, or stays.
        let mut go = vec![[NEVER; 4]; cells];
        let mut stay = vec![NEVER; cells];
        let mut arrive: Vec<Vec<Lit>> = vec![vec![]; cells];
        for cell in 0..cells {
            let here = now.player[cell];
            if here == NEVER {
                continue;
            }
            let mut all = vec![];
            for way in 0..4 {
                if let Some(to) = self.places.next[cell][way] {
                    let lit = sink.variable();
                    sink.clause(&[-lit, -solved]);
                    go[cell][way] = lit;
                    arrive[to].push(lit);
                    all.push(lit);
                }
            }
            let lit = sink.variable();
            if alone || !self.wait {
                sink.clause(&[-lit, solved]);
            }
            stay[cell] = lit;
            arrive[cell].push(lit);
            all.push(lit);
            all.iter().for_each(|&lit| sink.clause(&[-lit, here]));
            at_most_one(&all, sink);
            all.push(-here);
            sink.clause(&all);
        }
        for cell in 0..cells {
            for way in [2, 3] {
                if let Some(to) = self.places.next[cell][way]
                    && go[cell][way] != NEVER
                    && go[to][3 - way] != NEVER
                    && !alone
                {
                    sink.clause(&[-go[cell][way], -go[to][3 - way]]);
                }
            }
        }
        // 2. Pushes: whoever goes where a box is takes it along, or does not go.
        let (mut come, mut leave) = (vec![vec![]; count], vec![vec![]; count]);
        let mut into: Vec<Vec<Lit>> = vec![vec![]; cells];
        let mut wastes: Vec<(u32, Lit)> = vec![];
        let mut pushes = vec![];
        for (i, place) in self.places.places.iter().enumerate() {
            let here = now.boxes[i];
            if here == NEVER {
                continue;
            }
            for way in 0..4 {
                let Some(behind) = self.places.next[place.cell][3 - way] else {
                    continue;
                };
                let goes = go[behind][way];
                if goes == NEVER {
                    continue;
                }
                let edge = place.edges.iter().find(|e| e.way == way);
                let Some(edge) = edge.filter(|e| self.early[e.to] as usize <= t + 1) else {
                    sink.clause(&[-goes, -here]);
                    continue;
                };
                let to = self.places.places[edge.to].cell;
                let push = sink.variable();
                sink.clause(&[-push, goes]);
                sink.clause(&[-push, here]);
                sink.clause(&[-goes, -here, push]);
                if now.boxed[to] != NEVER {
                    sink.clause(&[-push, -now.boxed[to]]);
                }
                come[edge.to].push(push);
                leave[i].push(push);
                into[to].push(push);
                pushes.push(push);
                if edge.waste > 0 {
                    let waste = edge.waste * self.places.unit;
                    match wastes.iter().find(|w| w.0 == waste) {
                        Some(&(_, lit)) => sink.clause(&[-push, lit]),
                        None => {
                            let lit = sink.variable();
                            wastes.push((waste, lit));
                            sink.clause(&[-push, lit]);
                        }
                    }
                }
            }
        }
        // 3. Boxes stay, or come and go with a push.
        let mut boxes = vec![NEVER; count];
        for place in 0..count {
            let before = now.boxes[place];
            if before == NEVER && come[place].is_empty() {
                continue;
            }
            let after = sink.variable();
            boxes[place] = after;
            come[place]
                .iter()
                .for_each(|&push| sink.clause(&[-push, after]));
            leave[place]
                .iter()
                .for_each(|&push| sink.clause(&[-push, -after]));
            let mut from = come[place].clone();
            from.extend([-after, before].into_iter().filter(|&l| l != NEVER));
            sink.clause(&from);
            if before != NEVER {
                let mut to = leave[place].clone();
                to.extend([-before, after]);
                sink.clause(&to);
            }
        }
        if !alone {
            into.iter().for_each(|into| at_most_one(into, sink));
        }
        // 4. Players are where they went.
        let mut player = vec![NEVER; cells];
        for cell in 0..cells {
            if arrive[cell].is_empty() {
                continue;
            }
            player[cell] = sink.variable();
            arrive[cell]
                .iter()
                .for_each(|&lit| sink.clause(&[-lit, player[cell]]));
            if !alone {
                at_most_one(&arrive[cell], sink);
            }
            let mut some = std::mem::take(&mut arrive[cell]);
            some.push(-player[cell]);
            sink.clause(&some);
        }
        let walk = if alone { sink.variable() } else { NEVER };
        if alone {
            let mut some = pushes.clone();
            some.extend([walk, solved]);
            sink.clause(&some);
            pushes.iter().for_each(|&push| sink.clause(&[-push, -walk]));
            sink.clause(&[-walk, -solved]);
        }
        self.moves.push(Moves { go, stay, walk });
        self.add_time(boxes, player, sink);
        if !alone {
            return;
        }
        self.prune(sink);
        self.wastes.push(wastes);
        self.spent.push(vec![]);
        let most = (t as u32 + 2).saturating_sub(self.places.fewest.unwrap_or(0));
        for t in 0..self.moves.len() {
            let wastes = self.wastes[t].clone();
            for j in self.spent[t + 1].len() as u32 + 1..=most {
                self.spend(t, j, &wastes, sink);
            }
        }
    }

    fn steps(&self) -> u32 {
        self.moves.len() as u32
    }

    fn solved_by(&self, k: u32) -> Lit {
        self.solved[k as usize]
    }

    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Step> {
        let mut players = self.places.players.clone();
        let mut plan = vec![];
        for (t, moves) in self.moves.iter().enumerate().take(k as usize) {
            if holds(self.solved[t]) {
                break;
            }
            let step = players.iter_mut().map(|cell| {
                let goes =
                    |way: &usize| moves.go[*cell][*way] != NEVER && holds(moves.go[*cell][*way]);
                let way = (0..4).find(goes)?;
                *cell = self.places.next[*cell][way]?;
                Some(Direction::ALL[way])
            });
            plan.push(step.collect());
        }
        plan
    }

    fn literals(&self, plan: &[Step]) -> Vec<Lit> {
        let mut players = self.places.players.clone();
        let mut lits = vec![];
        for (step, moves) in plan.iter().zip(&self.moves) {
            for (cell, goes) in players.iter_mut().zip(step) {
                match goes {
                    None => lits.push(moves.stay[*cell]),
                    Some(direction) => {
                        let way = Direction::ALL.iter().position(|d| d == direction);
                        let way = way.expect("one of four");
                        lits.push(moves.go[*cell][way]);
                        *cell = self.places.next[*cell][way].expect("a plan stays on the floor");
                    }
                }
            }
        }
        lits
    }

    fn names(&self) -> Vec<(Lit, String)> {
        let mut names = vec![];
        for (t, time) in self.times.iter().enumerate() {
            for (place, &lit) in time.boxes.iter().enumerate().filter(|b| *b.1 != NEVER) {
                let cell = self.places.cells[self.places.places[place].cell];
                names.push((lit, format!("b({t},{cell},{place})")));
            }
            for (i, &lit) in time.player.iter().enumerate().filter(|p| *p.1 != NEVER) {
                names.push((lit, format!("player({t},{})", self.places.cells[i])));
            }
        }
        for (t, moves) in self.moves.iter().enumerate() {
            for (i, ways) in moves.go.iter().enumerate() {
                let cell = self.places.cells[i];
                for (way, &lit) in ways.iter().enumerate().filter(|w| *w.1 != NEVER) {
                    let letter = Direction::ALL[way].letter();
                    names.push((lit, format!("go({t},{cell},{letter})")));
                }
            }
        }
        let solved = self.solved.iter().enumerate();
        names.extend(solved.map(|(k, &lit)| (lit, format!("solved by {k}"))));
        names
    }
}
