//! Places: where a box can be, and on which side of it the player then is.
//!
//! A box in a corridor cuts the floor in two, and the player stays on one side until it pushes that very box, whatever
//! the others do. So a place is a cell together with the part of the floor, the cell taken away, that the player is in.
//! Pushes lead from place to place, and the fewest of them to a goal is a distance that knows about the player. With
//! several players there may be one on each side, and a place is just a cell.
//!
//! Prices turn distances into a bound that can be counted push by push. Let h be the cost of the cheapest assignment of
//! boxes to goals and u(g) the prices of goals that come with it (the dual variables). A place weighs
//! w(p) = min over g of distance(p, g) - u(g). Then each push from p to q costs 1 + w(q) - w(p) ≥ 0 too much, and a plan
//! of k pushes wastes k - h in all. Boxes beyond the goals go to a goal of distance 0 that is everywhere. With as many
//! boxes as goals all waste is even, since each push changes the colour of a chequered floor: prices are chosen so that
//! it is even for every single push.
//!
//! The assignment and its prices are found by the Hungarian method (`sokoban/bound/assignment.rs`).

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use noyes_puzzle::sokoban::Level;

use crate::control::{Control, Stop};
use crate::sokoban::{Assignment, Floor};

/// Farther than anything.
pub(crate) const FAR: u32 = 1 << 20;

/// A push: which way, to which place and what it wastes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PushEdge {
    /// By its number in `Direction::ALL`; the opposite of d is 3 - d.
    pub way: usize,
    pub to: usize,
    /// In units of `BoxPlaces::unit`.
    pub waste: u32,
}

/// A cell and a side of it.
#[derive(Clone, Debug)]
pub(crate) struct BoxPlace {
    pub cell: usize,
    /// The pushes that are worth making.
    pub edges: Vec<PushEdge>,
    /// The fewest pushes to bring some box here; `FAR` if none can.
    pub early: u32,
    /// The fewest pushes from here to a goal, for boxes that must get to one.
    pub late: u32,
    /// What a box wastes at least that is ever here, in units.
    pub waste: u32,
    /// By way: whether the player is where it can push that way.
    open: [bool; 4],
}

/// The floor of a level and the places on it.
#[derive(Clone, Debug)]
pub(crate) struct BoxPlaces {
    /// The cells, numbered.
    pub floor: Floor,
    /// By number and way: the next number on the floor.
    pub next: Vec<[Option<usize>; 4]>,
    /// All places, cell by cell.
    pub all: Vec<BoxPlace>,
    /// Of the boxes, at the start.
    pub boxes: Vec<usize>,
    /// Where the players are at the start.
    pub players: Vec<usize>,
    /// No plan has fewer pushes; none if boxes cannot be assigned to goals.
    pub fewest: Option<u32>,
    /// Numbers of pushes differ by multiples of this.
    pub unit: u32,
    /// Whether there are more boxes than goals, so that one may be lost.
    pub has_spare: bool,
    /// By cell: whether it needs a box at the end: all goals, or some of them in a stage on the way there.
    pub needs_box: Vec<bool>,
    /// By cell: its first place, one more at the end.
    first: Vec<usize>,
    /// By cell and way: which part of the floor is there when the cell is taken away, counted from 0.
    part: Vec<[usize; 4]>,
}

impl BoxPlaces {
    /// The places of a level.
    pub fn new(level: &Level) -> BoxPlaces {
        BoxPlaces::within(level, &Control::new()).expect("without limits")
    }

    /// The same, unless a limit comes first.
    pub fn within(level: &Level, control: &Control) -> Result<BoxPlaces, Stop> {
        let floor = Floor::new(level);
        let is_cell = |next: u16| (next != floor.wall()).then_some(usize::from(next));
        let next = floor.next[..floor.len()].iter();
        let next: Vec<[Option<usize>; 4]> = next.map(|ways| ways.map(is_cell)).collect();
        let numbers = |cells: &[u16]| -> Vec<usize> {
            let numbers = floor.numbers(cells.iter().copied());
            numbers.into_iter().map(usize::from).collect()
        };
        let (boxes, players) = (numbers(level.boxes()), numbers(level.players()));
        let goals = level.goals().count();
        let mut places = BoxPlaces {
            part: vec![[0; 4]; floor.len()],
            first: vec![],
            all: vec![],
            boxes: vec![],
            players,
            fewest: None,
            unit: if boxes.len() == goals { 2 } else { 1 },
            has_spare: boxes.len() > goals,
            needs_box: floor.is_goal.clone(),
            floor,
            next,
        };
        places.cut(control)?;
        places.join();
        let player = places.players[0];
        places.boxes = boxes.iter().map(|&cell| places.at(cell, player)).collect();
        places.measure(level.width(), control)?;
        Ok(places)
    }

    /// The same for a stage, after which these goals have a box. Other boxes may be anywhere, so pushes waste nothing and
    /// no box is late; but places that no goal can be reached from stay forbidden.
    pub fn stage(mut self, goals: &[u16]) -> BoxPlaces {
        for place in &mut self.all {
            place.late = if place.late < FAR { 0 } else { FAR };
            place.waste = 0;
            place.edges.iter_mut().for_each(|edge| edge.waste = 0);
        }
        let is_needed = |cell: &u16| goals.contains(cell);
        self.needs_box = self.floor.cells.iter().map(is_needed).collect();
        let boxes = self.boxes.iter().map(|&place| self.all[place].cell);
        let there = boxes.filter(|&cell| self.needs_box[cell]).count();
        // A push brings one box to a goal.
        self.fewest = Some((goals.len() - there) as u32);
        self.unit = 1;
        self
    }

    /// The cells that need a box at the end.
    pub fn ends(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.needs_box.len()).filter(|&cell| self.needs_box[cell])
    }

    /// Whether some goals need no box yet.
    pub fn is_stage(&self) -> bool {
        self.needs_box != self.floor.is_goal
    }

    /// Whether a box here is lost, on whichever side the player is.
    pub fn is_dead(&self, cell: usize) -> bool {
        self.of(cell).all(|place| !self.is_live(place))
    }

    /// The number of a cell on the floor.
    pub fn number(&self, cell: u16) -> Option<usize> {
        self.floor.number(cell).map(usize::from)
    }

    /// The places of a cell.
    pub fn of(&self, cell: usize) -> std::ops::Range<usize> {
        self.first[cell]..self.first[cell + 1]
    }

    /// The place of a box on a cell when the player is on another.
    pub fn at(&self, cell: usize, player: usize) -> usize {
        if self.of(cell).len() == 1 {
            return self.first[cell];
        }
        let ways = self.steps(player, Some(cell));
        let way = (0..4).find(|&way| self.next[cell][way].is_some_and(|n| ways[n] < FAR));
        // Where the player cannot get to the box at all, any side will do that has no pushes for it.
        way.map_or(self.first[cell + 1] - 1, |way| {
            self.first[cell] + self.part[cell][way]
        })
    }

    /// The fewest steps from a cell to each other, on a floor without boxes but for one.
    pub fn steps(&self, from: usize, without: Option<usize>) -> Vec<u32> {
        let mut steps = vec![FAR; self.floor.cells.len()];
        steps[from] = 0;
        let mut queue = VecDeque::from([from]);
        while let Some(cell) = queue.pop_front() {
            for next in self.next[cell].into_iter().flatten() {
                if steps[next] == FAR && Some(next) != without {
                    steps[next] = steps[cell] + 1;
                    queue.push_back(next);
                }
            }
        }
        steps
    }

    /// Whether a box may be worth having here.
    pub fn is_live(&self, place: usize) -> bool {
        let place = &self.all[place];
        place.early < FAR && place.late < FAR
    }

    /// Which parts of the floor each cell divides, and the places of that.
    fn cut(&mut self, control: &Control) -> Result<(), Stop> {
        for cell in 0..self.floor.cells.len() {
            control.poll_stop()?;
            self.first.push(self.all.len());
            let mut parts = 0;
            let mut part = [usize::MAX; 4];
            if self.players.len() > 1 {
                part = [0; 4];
                parts = 1;
            }
            for way in 0..4 {
                let Some(from) = self.next[cell][way] else {
                    continue;
                };
                if part[way] != usize::MAX {
                    continue;
                }
                let steps = self.steps(from, Some(cell));
                for (part, next) in part.iter_mut().zip(self.next[cell]) {
                    if next.is_some_and(|n| steps[n] < FAR) {
                        *part = parts;
                    }
                }
                parts += 1;
            }
            // A last one for players that are elsewhere altogether, if the floor is not of one piece.
            let in_pieces = self.players.len() == 1 && {
                let whole = self.steps(cell, None);
                whole[self.players[0]] == FAR
            };
            let sides = (parts + usize::from(in_pieces)).max(1);
            for side in 0..sides {
                let mut open = [false; 4];
                for way in 0..4 {
                    let behind = self.next[cell][3 - way].is_some() && part[3 - way] == side;
                    open[way] = behind && self.next[cell][way].is_some();
                }
                self.all.push(BoxPlace {
                    cell,
                    edges: vec![],
                    early: FAR,
                    late: FAR,
                    waste: 0,
                    open,
                });
            }
            self.part[cell] = part;
        }
        self.first.push(self.all.len());
        Ok(())
    }

    /// Pushes from place to place.
    fn join(&mut self) {
        for place in 0..self.all.len() {
            let BoxPlace { cell, open, .. } = self.all[place];
            for way in (0..4).filter(|&way| open[way]) {
                let to = self.next[cell][way].expect("open that way");
                // The player is then where the box was.
                let part = self.part[to][3 - way];
                let to = if self.of(to).len() == 1 {
                    self.first[to]
                } else {
                    self.first[to] + part
                };
                let edge = PushEdge { way, to, waste: 0 };
                self.all[place].edges.push(edge);
            }
        }
    }

    /// Distances, prices and what follows from them.
    fn measure(&mut self, width: usize, control: &Control) -> Result<(), Stop> {
        let goals: Vec<usize> = (0..self.floor.cells.len())
            .filter(|&c| self.floor.is_goal[c])
            .collect();
        let to_goal = self.measure_ways(&goals, control)?;
        if self.boxes.len() < goals.len() {
            return Ok(());
        }
        // With as many boxes as goals in pairs of pushes, colours made up for.
        let unit = i64::from(self.unit);
        let colours: Vec<i64> = (self.floor.cells.iter())
            .map(|&cell| (usize::from(cell) / width + usize::from(cell) % width) as i64 % 2)
            .map(|colour| if unit == 2 { colour } else { 0 })
            .collect();
        let cost = |place: usize, goal: usize| -> i64 {
            match to_goal.get(goal).map(|d| d[place]) {
                None => 0,
                Some(FAR) => FAR.into(),
                Some(distance) => {
                    let colour = colours[goals[goal]] - colours[self.all[place].cell];
                    (i64::from(distance) + colour) / unit
                }
            }
        };
        let columns = 0..self.boxes.len();
        let matrix: Vec<Vec<i64>> = (self.boxes.iter())
            .map(|&b| columns.clone().map(|g| cost(b, g)).collect())
            .collect();
        let mut assignment = Assignment::default();
        let cost_of = |b: usize, g: usize| matrix[b][g];
        let poll = || control.poll_stop();
        assignment.find(matrix.len(), matrix.len(), cost_of, poll)?;
        if (assignment.pairs()).any(|(b, g)| matrix[b][g] >= FAR.into()) {
            return Ok(());
        }
        let pushes = |(b, g): (usize, usize)| to_goal.get(g).map_or(0, |d| d[self.boxes[b]]);
        self.fewest = Some(assignment.pairs().map(pushes).sum());
        let prices = assignment.prices();
        let weights = (0..self.all.len()).map(|place| {
            let least = columns.clone().map(|g| cost(place, g) - prices[g]).min();
            least.unwrap_or(0) * unit + colours[self.all[place].cell]
        });
        let weights: Vec<i64> = weights.collect();
        let mut ends = vec![];
        for (g, &goal) in goals.iter().enumerate() {
            // At its goal a place weighs minus the price, or less.
            let own = colours[goal] - prices[g] * unit;
            let places = self.of(goal);
            ends.extend(places.map(|p| (p, ((own - weights[p]) / unit) as u32)));
        }
        self.measure_waste(&weights, ends);
        Ok(())
    }

    /// Pushes from the boxes and to the goals; by goal and place.
    fn measure_ways(&mut self, goals: &[usize], control: &Control) -> Result<Vec<Vec<u32>>, Stop> {
        let ahead = self.graph(|_| 1);
        let early = cheapest(&ahead, self.boxes.iter().map(|&b| (b, 0)));
        let back = reversed(&ahead);
        let to_goal = goals.iter().map(|&goal| {
            control.poll_stop()?;
            Ok(cheapest(&back, self.of(goal).map(|p| (p, 0))))
        });
        let to_goal: Vec<Vec<u32>> = to_goal.collect::<Result<_, Stop>>()?;
        for (i, place) in self.all.iter_mut().enumerate() {
            place.early = early[i];
            // A box too many need not get anywhere.
            let nearest = to_goal.iter().map(|d| d[i]).min().unwrap_or(FAR);
            place.late = if self.unit == 2 { nearest } else { 0 };
        }
        Ok(to_goal)
    }

    /// Waste, push by push, and of every box that comes through a place; `ends` are goals and what is wasted there.
    fn measure_waste(&mut self, weights: &[i64], ends: Vec<(usize, u32)>) {
        let live: Vec<bool> = (0..self.all.len()).map(|p| self.is_live(p)).collect();
        for (i, place) in self.all.iter_mut().enumerate() {
            place.edges.retain(|edge| live[i] && live[edge.to]);
            for edge in &mut place.edges {
                let waste = 1 + weights[edge.to] - weights[i];
                debug_assert!(waste >= 0 && waste % i64::from(self.unit) == 0);
                edge.waste = (waste / i64::from(self.unit)) as u32;
            }
        }
        if self.unit == 2 {
            let ahead = self.graph(|edge| edge.waste);
            let came = cheapest(&ahead, self.boxes.iter().map(|&b| (b, 0)));
            let goes = cheapest(&reversed(&ahead), ends);
            for (i, place) in self.all.iter_mut().enumerate() {
                place.waste = (came[i] + goes[i]).min(FAR);
            }
        }
    }

    /// By place: where pushes lead, at what cost.
    fn graph(&self, cost: impl Fn(&PushEdge) -> u32) -> Vec<Vec<(usize, u32)>> {
        let ways = |place: &BoxPlace| place.edges.iter().map(|e| (e.to, cost(e))).collect();
        self.all.iter().map(ways).collect()
    }
}

/// The same edges, the other way round.
fn reversed(edges: &[Vec<(usize, u32)>]) -> Vec<Vec<(usize, u32)>> {
    let mut back = vec![vec![]; edges.len()];
    for (from, edges) in edges.iter().enumerate() {
        for &(to, cost) in edges {
            back[to].push((from, cost));
        }
    }
    back
}

/// The cheapest ways from some nodes to all.
pub(crate) fn cheapest(
    edges: &[Vec<(usize, u32)>],
    from: impl IntoIterator<Item = (usize, u32)>,
) -> Vec<u32> {
    let mut cost = vec![FAR; edges.len()];
    let mut queue: BinaryHeap<Reverse<(u32, usize)>> = BinaryHeap::new();
    for (node, at) in from {
        cost[node] = cost[node].min(at);
        queue.push(Reverse((at, node)));
    }
    while let Some(Reverse((at, node))) = queue.pop() {
        if at > cost[node] {
            continue;
        }
        for &(to, more) in &edges[node] {
            if at + more < cost[to] {
                cost[to] = at + more;
                queue.push(Reverse((at + more, to)));
            }
        }
    }
    cost
}
