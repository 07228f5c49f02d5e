//! Move by move, without names: fewest moves of one player, or fewest steps of a crew.
//!
//! Boxes are as in [`Boxes`]. Besides, for every time t: player(t,c), somebody is on cell c; go(t,c,d), the player on c
//! goes that way; stay(t,c), it does not; push(t,p,d), a box goes along. Players have no names either: who went where
//! is read off afterwards by following the moves. Variables exist where players and boxes can be in time.
//!
//! All is judged at the next step, as the rules say: no two in one cell, no two players past each other. A cell that a
//! box leaves is entered by the player that pushes it, so no box ever comes where one was just before.
//!
//! "Solved by k": every goal has a box at k, and nobody moves from there on. Who must not wait waits then only.
//!
//! One player alone has no reason to wait, and its boxes have windows in time: no sooner than it could have brought the
//! box there, were it the only one, and no later than it could bring it to a goal. Of a crew somebody has to be near
//! enough to every box that must be pushed yet.
//!
//! Tried, and no help: counting walks and wasted pushes against the bound as [`Boxes`] can, the colour of the player's
//! cell, how far the player is from a box, and forbidding all but one of several walks of the same length. Without them
//! the maps of that paper (`moves.rs`) and the first levels of Microban take a third less time. Forbidding players of a crew to wait in
//! vain, as the search does, leaves map1MA with as many conflicts (8,914 for 8,445).

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::boxes::{Boxes, NEVER, clause, exactly_any};
use super::places::{BoxPlaces, FAR, cheapest};
use crate::control::{Control, Stop};
use crate::sat::cnf::{Lit, Sink, at_most_one};
use crate::sat::encoding::Encoding;
use crate::sokoban::JointStep;

/// The moves of a level.
#[derive(Clone)]
pub struct Nameless {
    boxes: Boxes,
    wait: bool,
    moves: Vec<Ways>,
    /// By place: the fewest moves until a box can be there.
    early: Vec<u32>,
    /// By place: the fewest moves until that box is on a goal.
    late: Vec<u32>,
    /// By cell: the fewest moves until a player can be there.
    near: Vec<u32>,
    lower: u32,
}

/// The literals between two times.
#[derive(Clone)]
struct Ways {
    /// By cell and way.
    go: Vec<[Lit; 4]>,
    stay: Vec<Lit>,
}

/// What players do between two times: by cell the ways out of it, and the literals that lead into it.
struct Gone {
    go: Vec<[Lit; 4]>,
    stay: Vec<Lit>,
    arrive: Vec<Vec<Lit>>,
}

impl Nameless {
    /// The encoding of a level; whether players may wait.
    pub fn new(level: &Level, wait: bool) -> Nameless {
        let unlimited = Nameless::within(level, BoxPlaces::new(level), wait, &Control::new());
        unlimited.expect("without limits")
    }

    /// The same, of a level that has these places, unless a limit comes first.
    pub(crate) fn within(
        level: &Level,
        places: BoxPlaces,
        wait: bool,
        control: &Control,
    ) -> Result<Nameless, Stop> {
        let boxes = Boxes::new(level, places);
        let places = &boxes.places;
        let mut near = vec![FAR; places.floor.cells.len()];
        for &player in &places.players {
            let steps = places.steps(player, None);
            near.iter_mut().zip(steps).for_each(|(n, s)| *n = s.min(*n));
        }
        let mut encoding = Nameless {
            wait,
            moves: vec![],
            early: places.all.iter().map(|p| p.early).collect(),
            late: places.all.iter().map(|p| p.late).collect(),
            near,
            lower: 0,
            boxes,
        };
        encoding.look_ahead(control)?;
        Ok(encoding)
    }

    /// The same for lengths from here on, even if the bound is higher.
    pub(crate) fn asked_from(mut self, from: Option<u32>) -> Nameless {
        self.boxes.ask_from(from);
        self
    }

    /// No plan has fewer steps.
    pub fn lower(&self) -> u32 {
        self.lower
    }

    fn alone(&self) -> bool {
        self.boxes.places.players.len() == 1
    }

    /// How soon boxes can be somewhere, how late they may, and how many steps are needed at least.
    fn look_ahead(&mut self, control: &Control) -> Result<(), Stop> {
        let places = &self.boxes.places;
        let fewest = places.fewest.unwrap_or(0);
        let start = |place: usize| {
            let from = &places.all[place];
            let behind = from.edges.iter().map(|e| places.next[from.cell][3 - e.way]);
            behind.flatten().map(|c| self.near[c]).min().unwrap_or(0)
        };
        let first = places.boxes.iter().map(|&b| start(b)).min().unwrap_or(0);
        let players = places.players.len() as u32;
        self.lower = fewest.div_ceil(players) + if fewest > 0 { first } else { 0 };
        if !self.alone() {
            // Before the first push of a box somebody has to get there.
            let ahead: Vec<Vec<(usize, u32)>> = (places.all.iter().enumerate())
                .map(|(i, place)| {
                    let edges = place.edges.iter().map(|e| {
                        let behind = places.next[place.cell][3 - e.way].expect("a player's side");
                        let walk = if places.boxes.contains(&i) {
                            self.near[behind]
                        } else {
                            0
                        };
                        (e.to, 1 + walk)
                    });
                    edges.collect()
                })
                .collect();
            self.early = cheapest(&ahead, places.boxes.iter().map(|&b| (b, 0)));
            return Ok(());
        }
        let [early, late] = windows(places, control)?;
        let (cells, count) = (places.floor.cells.len(), places.all.len());
        let least = |costs: &[u32], place: usize| {
            let all = &costs[place * cells..(place + 1) * cells];
            *all.iter().min().expect("a floor")
        };
        self.early = (0..count).map(|p| least(&early, p)).collect();
        if places.unit == 2 {
            self.late = (0..count).map(|p| least(&late, p)).collect();
            let boxes = places.boxes.iter();
            let far = boxes.map(|&b| late[b * cells + places.players[0]]);
            self.lower = self.lower.max(far.max().unwrap_or(0));
        }
        Ok(())
    }

    /// A time with these boxes and players, valid in itself.
    fn add_time(&mut self, boxes: Vec<Lit>, player: Vec<Lit>, sink: &mut dyn Sink) {
        let late = |place: usize| self.late[place];
        self.boxes.add_time(boxes, player, late, sink);
        let t = self.boxes.times.len() as u32 - 1;
        // 1. No two in one cell.
        let time = &self.boxes.times[t as usize];
        for (&boxed, &player) in time.boxed.iter().zip(&time.player) {
            if boxed != NEVER && player != NEVER {
                sink.clause(&[-boxed, -player]);
            }
        }
        if self.alone() {
            let all = time.player.iter().copied().filter(|&p| p != NEVER);
            at_most_one(&all.collect::<Vec<_>>(), sink);
        } else {
            self.call_players(t, sink);
        }
    }

    /// Where players go from the last time.
    fn move_players(&self, solved: Lit, sink: &mut dyn Sink) -> Gone {
        let alone = self.alone();
        let (places, now) = (&self.boxes.places, &self.boxes.times[self.moves.len()]);
        let cells = places.floor.cells.len();
        // 1. Everybody goes somewhere, or stays.
        let mut go = vec![[NEVER; 4]; cells];
        let mut stay = vec![NEVER; cells];
        let mut arrive: Vec<Vec<Lit>> = vec![vec![]; cells];
        for cell in (0..cells).filter(|&c| now.player[c] != NEVER) {
            let mut all = vec![];
            for (way, to) in places.next[cell].into_iter().enumerate() {
                if let Some(to) = to {
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
            let here = now.player[cell];
            for &lit in &all {
                sink.clause(&[-lit, here]);
            }
            at_most_one(&all, sink);
            all.push(-here);
            sink.clause(&all);
        }
        // 2. Not past each other, nor to the same cell; one alone is in one cell anyway.
        for cell in (0..cells).filter(|_| !alone) {
            at_most_one(&arrive[cell], sink);
            for way in [2, 3] {
                let to = places.next[cell][way];
                let past = [go[cell][way], to.map_or(NEVER, |to| go[to][3 - way])];
                if !past.contains(&NEVER) {
                    at_most_one(&past, sink);
                }
            }
        }
        Gone { go, stay, arrive }
    }

    /// Some player of a crew is near enough to each box that must be pushed yet.
    fn call_players(&mut self, t: u32, sink: &mut dyn Sink) {
        for (place, needs) in self.late.clone().into_iter().enumerate() {
            let here = self.boxes.times[t as usize].boxes[place];
            if here == NEVER || needs == 0 || self.boxes.places.unit == 1 {
                continue;
            }
            let places = &self.boxes.places;
            let from = &places.all[place];
            let behind = from.edges.iter().map(|e| places.next[from.cell][3 - e.way]);
            let mut steps = vec![FAR; places.floor.cells.len()];
            for side in behind.flatten() {
                let to_side = places.steps(side, Some(from.cell));
                steps
                    .iter_mut()
                    .zip(to_side)
                    .for_each(|(s, n)| *s = n.min(*s));
            }
            let farthest = steps
                .iter()
                .copied()
                .filter(|&s| s < FAR)
                .max()
                .unwrap_or(0);
            for far in 0..farthest {
                let time = &self.boxes.times[t as usize];
                let who = time.player.iter().zip(&steps).filter(|p| *p.1 <= far);
                let mut some: Vec<Lit> = who.map(|p| *p.0).collect();
                some.extend([-here, -self.boxes.solved(t + needs + far, sink)]);
                clause(&some, sink);
            }
        }
    }
}

/// The fewest moves to and from every state of one box and the player, were no other box there: from where some box
/// is at the start, and to where it is on some goal. By place, then by the player's cell.
fn windows(places: &BoxPlaces, control: &Control) -> Result<[Vec<u32>; 2], Stop> {
    let (cells, count) = (places.floor.cells.len(), places.all.len());
    let player = places.players[0];
    let starts = places.boxes.iter().map(|&b| (b, player)).collect();
    let goals = (0..count).filter(|&p| places.floor.is_goal[places.all[p].cell]);
    let ends = goals.flat_map(|p| (0..cells).map(move |c| (p, c)));
    let ends = ends.filter(|&(p, c)| places.all[p].cell != c).collect();
    // By place: the pushes that lead there.
    let mut into: Vec<Vec<(usize, usize)>> = vec![vec![]; count];
    for (from, place) in places.all.iter().enumerate() {
        for edge in &place.edges {
            into[edge.to].push((from, edge.way));
        }
    }
    let walks = |place: usize, player: usize| {
        let steps = places.next[player].into_iter().flatten();
        steps.filter(move |&to| to != places.all[place].cell)
    };
    let early = flood([count, cells], starts, control, |(place, player), reach| {
        walks(place, player).for_each(|to| reach((place, to)));
        let cell = places.all[place].cell;
        for edge in &places.all[place].edges {
            if places.next[player][edge.way] == Some(cell) {
                reach((edge.to, cell));
            }
        }
    });
    let late = flood([count, cells], ends, control, |(place, player), reach| {
        walks(place, player).for_each(|to| reach((place, to)));
        for &(from, way) in &into[place] {
            // The player stands where the box was, and came from behind it.
            let behind = places.next[player][3 - way];
            if let (true, Some(behind)) = (places.all[from].cell == player, behind) {
                reach((from, behind));
            }
        }
    });
    Ok([early?, late?])
}

/// How many moves lead from some states to each; a state is a place and the player's cell.
fn flood(
    [count, cells]: [usize; 2],
    from: Vec<(usize, usize)>,
    control: &Control,
    next: impl Fn((usize, usize), &mut dyn FnMut((usize, usize))),
) -> Result<Vec<u32>, Stop> {
    control.allow_bytes(2 * count * cells * size_of::<u32>())?; // of early and late
    let mut moves = vec![FAR; count * cells];
    let mut layer = from;
    for (place, player) in &layer {
        moves[place * cells + player] = 0;
    }
    for depth in 1.. {
        control.poll_stop()?;
        let mut after = vec![];
        for &state in &layer {
            next(state, &mut |to| {
                let moves = &mut moves[to.0 * cells + to.1];
                if *moves == FAR {
                    *moves = depth;
                    after.push(to);
                }
            });
        }
        if after.is_empty() {
            break;
        }
        layer = after;
    }
    Ok(moves)
}

impl Encoding for Nameless {
    type Move = JointStep;

    fn step(&mut self, sink: &mut dyn Sink) {
        if self.boxes.times.is_empty() {
            let (boxes, player) = self.boxes.start(self.lower, sink);
            self.add_time(boxes, player, sink);
        }
        let t = self.moves.len();
        let solved = self.boxes.solved(t as u32, sink);
        let alone = self.alone();
        let (places, now) = (&self.boxes.places, &self.boxes.times[t]);
        let (cells, count) = (places.floor.cells.len(), places.all.len());
        let Gone { go, stay, arrive } = self.move_players(solved, sink);
        // 1. A player that goes where a box is takes it along, or does not go.
        let (mut come, mut leave) = (vec![vec![]; count], vec![vec![]; count]);
        let mut into: Vec<Vec<Lit>> = vec![vec![]; cells];
        for (i, place) in places.all.iter().enumerate() {
            let here = now.boxes[i];
            for way in (0..4).filter(|_| here != NEVER) {
                let behind = places.next[place.cell][3 - way];
                let goes = behind.map_or(NEVER, |behind| go[behind][way]);
                if goes == NEVER {
                    continue;
                }
                let edge = place.edges.iter().find(|e| e.way == way);
                let Some(edge) = edge.filter(|e| self.early[e.to] as usize <= t + 1) else {
                    sink.clause(&[-goes, -here]);
                    continue;
                };
                let to = places.all[edge.to].cell;
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
            }
        }
        if !alone {
            for pushes in &into {
                at_most_one(pushes, sink);
            }
        }
        // 2. The next time.
        let boxes = self.boxes.carry(&come, &leave, sink);
        let player = arrive.iter().map(|from| exactly_any(from, sink));
        let player = player.collect();
        self.moves.push(Ways { go, stay });
        self.add_time(boxes, player, sink);
    }

    fn steps(&self) -> u32 {
        self.moves.len() as u32
    }

    fn solved_by(&self, k: u32) -> Lit {
        self.boxes.solved[k as usize]
    }

    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<JointStep> {
        let mut players = self.boxes.places.players.clone();
        let mut plan = vec![];
        for (t, moves) in self.moves.iter().enumerate().take(k as usize) {
            if holds(self.boxes.solved[t]) {
                break;
            }
            let step = players.iter_mut().map(|cell| {
                let goes = |lit: &Lit| *lit != NEVER && holds(*lit);
                let way = moves.go[*cell].iter().position(goes)?;
                *cell = self.boxes.places.next[*cell][way]?;
                Some(Direction::ALL[way])
            });
            plan.push(step.collect::<JointStep>());
        }
        // A lone player has nothing to wait for.
        plan.retain(|step| step.len() > 1 || step[0].is_some());
        plan
    }

    fn literals(&self, plan: &[JointStep]) -> Vec<Lit> {
        let mut players = self.boxes.places.players.clone();
        let mut lits = vec![];
        for (step, moves) in plan.iter().zip(&self.moves) {
            for (cell, goes) in players.iter_mut().zip(step) {
                match goes {
                    None => lits.push(moves.stay[*cell]),
                    Some(direction) => {
                        let way = Direction::ALL.iter().position(|d| d == direction);
                        let way = way.expect("one of four");
                        lits.push(moves.go[*cell][way]);
                        *cell =
                            self.boxes.places.next[*cell][way].expect("a plan stays on the floor");
                    }
                }
            }
        }
        lits
    }

    fn names(&self) -> Vec<(Lit, String)> {
        let mut names = self.boxes.names();
        for (t, moves) in self.moves.iter().enumerate() {
            for (ways, cell) in moves.go.iter().zip(&self.boxes.places.floor.cells) {
                let ways = ways.iter().zip(Direction::ALL).filter(|w| *w.0 != NEVER);
                names.extend(ways.map(|(&l, d)| (l, format!("go({t},{cell},{})", d.letter()))));
            }
        }
        names
    }
}
