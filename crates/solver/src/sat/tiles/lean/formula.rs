//! The stripped forward formula: is there a plan of exactly k moves?
//!
//! Where the blank is, b(t,x), is all that is ever decided; everything else follows
//! forward in time, and only what follows forward is kept. A literal that is true
//! without need does no harm: it only forbids more, and the solver may leave it false.
//!
//! The cells are coloured like a chess board and the blank changes colour with each
//! move. So a cell changes only at every second move, and its tiles need variables
//! only there: v(t,p,x), for cells x of the colour that the blank has at t, says that
//! tile p is on x at t+1 (and was at t, unless the blank was there).
//!
//! - the blank: b(0,start); at most one x for each t; b(t,x) → some b(t+1,y), y next to x;
//!   not back at once: not b(t,x) or not b(t+2,x)
//! - rest: v(t−2,p,x) and not b(t,x) → v(t,p,x)
//! - move: b(t,x), b(t+1,y), v(t−1,p,y) → v(t,p,x), and → u(t) if that takes p farther from its place
//! - count: n(t,j), at least j ups before t: n(t,j) → n(t+1,j); n(t,j), u(t) → n(t+1,j+1); n(t,slack) → not u(t)
//!
//! There is no goal: after k moves of which at most slack = (k − m) / 2 are ups, the
//! Manhattan distance is m + slack − (k − slack) = 0.
//!
//! A shorter plan is one of k moves that goes to and fro at the goal, and going
//! straight back is forbidden anywhere else: at t, of the parity of k, the board is
//! solved, h(t), only if there were at most (t − m) / 2 ups before. Where it is known
//! that no plan is that short, there is no such variable. Variables exist only where
//! the blank can be in time, and tiles where their own ups stay within the slack.

use noyes_puzzle::tiles::{Board, Direction};

use super::facts::distances;
use crate::sat::cnf::Lit;

/// The variables and clauses of a board and a budget.
pub struct Formula {
    /// The moves of the plan.
    pub budget: usize,
    /// The ups it has.
    pub slack: usize,
    /// The blank's first cell.
    pub start: usize,
    /// By cell.
    pub neighbours: Vec<Vec<u8>>,
    /// By variable, as far as they are the blank's: time and cell. They come first, after `truth`.
    pub blanks: Vec<(u16, u8)>,
    /// A literal that is always true.
    pub truth: Lit,
    /// The last variable.
    pub variables: usize,
    /// Clauses, each ended by `Lit::NONE`.
    clauses: Vec<Lit>,
    cells: usize,
    /// By time and cell; none where the blank cannot be.
    blank: Vec<Lit>,
    /// By time + 2, tile and cell; none where the tile cannot be.
    tile: Vec<Lit>,
    /// By time and number; none where there are never as many.
    up_count: Vec<Lit>,
    /// By time: the move then is an up; none without slack.
    up: Vec<Lit>,
    /// By time: the board is solved; none where it cannot be.
    home: Vec<Lit>,
    /// By cell: its colour.
    colour: Vec<u8>,
}

impl Formula {
    /// About the bytes that the formula of a budget takes, before it is made.
    #[cfg(feature = "cadical")]
    pub fn bytes(cells: usize, budget: usize, slack: usize) -> usize {
        let steps = budget + 2;
        let per_step = cells * (cells + 1) * 44 + slack * 60;
        steps.saturating_mul(per_step)
    }

    /// The formula of a budget that has the right parity and is at least the Manhattan distance, where no plan has
    /// fewer moves than `least`. None if it is not wanted any more: `wants_more` is asked step by step, with the bytes
    /// so far.
    pub fn new(
        start: &Board,
        goal: &Board,
        budget: usize,
        least: usize,
        wants_more: &mut dyn FnMut(usize) -> bool,
    ) -> Option<Formula> {
        let cells = start.tiles().len();
        let distance = distances(goal);
        let places = start.places();
        let manhattan: usize = (1..cells)
            .map(|tile| usize::from(distance[tile][usize::from(places[tile])]))
            .sum();
        assert!(budget >= manhattan && (budget - manhattan).is_multiple_of(2));
        let slack = (budget - manhattan) / 2;
        let neighbours = (0..cells).map(|cell| {
            let next = Direction::ALL
                .into_iter()
                .filter_map(|d| start.neighbour(cell, d));
            next.map(|c| c as u8).collect()
        });
        let width = start.width();
        let mut formula = Formula {
            budget,
            slack,
            start: start.blank(),
            neighbours: neighbours.collect(),
            blanks: vec![(0, 0); 2],
            truth: Lit::of(1),
            variables: 1,
            clauses: Vec::with_capacity(budget * cells * cells * 10),
            cells,
            blank: vec![Lit::NONE; (budget + 1) * cells],
            tile: vec![Lit::NONE; (budget + 2) * cells * cells],
            up_count: vec![Lit::NONE; (budget + 1) * (slack + 1)],
            up: vec![],
            home: vec![Lit::NONE; budget + 1],
            colour: (0..cells)
                .map(|c| ((c / width + c % width) % 2) as u8)
                .collect(),
        };
        formula.clause(&[formula.truth]);
        formula.move_blank(goal, width);
        if !formula.count(start, &distance, wants_more) {
            return None;
        }
        formula.rest_at_home(manhattan, least);
        Some(formula)
    }

    /// The bytes of its clauses.
    pub fn clause_bytes(&self) -> usize {
        self.clauses.len() * size_of::<Lit>()
    }

    /// The clauses, in the order they came.
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let clauses = self.clauses.split_inclusive(|lit| lit.is_none());
        clauses.map(|clause| &clause[..clause.len() - 1])
    }

    /// The variable of the blank on a cell at a time; none if it cannot be there.
    #[inline]
    pub fn blank(&self, time: usize, cell: usize) -> Lit {
        self.blank[time * self.cells + cell]
    }

    /// The variable of a tile on a cell at a time, the blank being elsewhere; none if it cannot be there.
    #[inline]
    pub fn tile_at(&self, time: usize, tile: usize, cell: usize) -> Lit {
        self.tile(
            time + 1 + usize::from(self.may_hold_blank(time, cell)),
            tile,
            cell,
        )
    }

    /// The variable of at least this many ups before a time; none if there are never as many.
    #[inline]
    pub fn ups(&self, time: usize, number: usize) -> Lit {
        self.up_count[time * (self.slack + 1) + number]
    }

    /// The variable of the move at a time being an up; none without slack.
    pub fn up(&self, time: usize) -> Lit {
        self.up[time]
    }

    /// The variable of the board being solved at a time; none if it cannot be.
    pub fn home(&self, time: usize) -> Lit {
        self.home[time]
    }

    /// Whether the blank has the cell's colour at a time.
    pub fn may_hold_blank(&self, time: usize, cell: usize) -> bool {
        self.colour[cell] == self.colour[self.start] ^ (time % 2) as u8
    }

    /// The names of all variables.
    pub fn names(&self) -> Vec<(Lit, String)> {
        let mut names = vec![(self.truth, "true".to_owned())];
        for time in 0..=self.budget {
            for cell in 0..self.cells {
                names.push((self.blank(time, cell), format!("b({time},{cell})")));
                for tile in 1..self
                    .cells
                    .min(if time < self.budget { self.cells } else { 0 })
                {
                    let lit = self.tile(time + 2, tile, cell);
                    names.push((lit, format!("v({time},{tile},{cell})")));
                }
            }
            for number in 1..=self.slack {
                names.push((self.ups(time, number), format!("n({time},{number})")));
            }
            names.extend(self.up.get(time).map(|&lit| (lit, format!("u({time})"))));
            names.push((self.home(time), format!("h({time})")));
        }
        names.retain(|(lit, name)| *lit > self.truth || name == "true");
        names.sort();
        names
    }

    #[inline]
    fn tile(&self, time_and_two: usize, tile: usize, cell: usize) -> Lit {
        self.tile[(time_and_two * self.cells + tile) * self.cells + cell]
    }

    pub fn variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::of(self.variables)
    }

    /// Adds a clause, without literals that are false (none, or not `truth`) and unless it is true anyway.
    pub fn clause(&mut self, lits: &[Lit]) {
        if lits.len() > 1 && lits.contains(&self.truth) {
            return;
        }
        let truth = self.truth;
        self.clauses
            .extend(lits.iter().filter(|&&lit| lit.is_some() && lit != -truth));
        self.clauses.push(Lit::NONE);
    }

    fn move_blank(&mut self, goal: &Board, width: usize) {
        let steps =
            |a: usize, b: usize| (a / width).abs_diff(b / width) + (a % width).abs_diff(b % width);
        self.blank[self.start] = self.truth;
        for time in 1..=self.budget {
            for cell in 0..self.cells {
                let (from, to) = (steps(self.start, cell), steps(cell, goal.blank()));
                if from <= time && (time - from).is_multiple_of(2) && to <= self.budget - time {
                    self.blank[time * self.cells + cell] = self.variable();
                    self.blanks.push((time as u16, cell as u8));
                }
            }
        }
        let mut some = vec![];
        for time in 0..=self.budget {
            for cell in 0..self.cells {
                let here = self.blank(time, cell);
                if here.is_none() {
                    continue;
                }
                for other in cell + 1..self.cells {
                    let there = self.blank(time, other);
                    if there.is_some() {
                        self.clause(&[-here, -there]);
                    }
                }
                if time < self.budget {
                    some.clear();
                    some.push(-here);
                    for i in 0..self.neighbours[cell].len() {
                        some.push(self.blank(time + 1, self.neighbours[cell][i].into()));
                    }
                    self.clause(&some);
                }
            }
        }
    }

    /// Straight back only at the goal.
    fn rest_at_home(&mut self, manhattan: usize, least: usize) {
        let first = least.max(manhattan);
        let first = first + (first - manhattan) % 2;
        for time in (first..self.budget).step_by(2) {
            let home = self.variable();
            self.home[time] = home;
            let more = self.ups(time, (time - manhattan) / 2 + 1);
            if more.is_some() {
                self.clause(&[-home, -more]);
            }
        }
        for time in 0..self.budget.saturating_sub(1) {
            // Of the two times, the one with the parity of the budget.
            let home = self.home[time + (self.budget - time) % 2];
            for cell in 0..self.cells {
                let (here, again) = (self.blank(time, cell), self.blank(time + 2, cell));
                if here.is_some() && again.is_some() {
                    self.clause(&[-here, -again, home]);
                }
            }
        }
    }

    fn count(
        &mut self,
        start: &Board,
        distance: &[Vec<u8>],
        wants_more: &mut dyn FnMut(usize) -> bool,
    ) -> bool {
        let (cells, slack) = (self.cells, self.slack);
        let width = start.width();
        let places = start.places();
        for (cell, &tile) in start.tiles().iter().enumerate().filter(|(_, t)| **t > 0) {
            let time_and_two = usize::from(self.colour[cell] != self.colour[self.start]);
            self.tile[(time_and_two * cells + usize::from(tile)) * cells + cell] = self.truth;
        }
        self.up_count[0] = self.truth;
        for time in 0..self.budget {
            if !wants_more(self.clause_bytes()) {
                return false;
            }
            let up = if slack > 0 {
                self.variable()
            } else {
                Lit::NONE
            };
            self.up.push(up);
            // 1. The tiles on the cells that may change.
            let colour = self.colour[self.start] ^ (time % 2) as u8;
            for tile in 1..cells {
                let first = usize::from(places[tile]);
                for cell in 0..cells {
                    if self.colour[cell] != colour {
                        continue;
                    }
                    let far = (cell / width).abs_diff(first / width)
                        + (cell % width).abs_diff(first % width);
                    let there = far + usize::from(distance[tile][cell])
                        - usize::from(distance[tile][first]);
                    let rested = self.tile(time, tile, cell);
                    let here = self.blank(time, cell);
                    let came = |&from: &u8| {
                        here.is_some()
                            && self.blank(time + 1, from.into()).is_some()
                            && self.tile(time + 1, tile, from.into()).is_some()
                    };
                    let possible = there / 2 <= slack
                        && usize::from(distance[tile][cell]) < self.budget - time
                        && (rested.is_some() || self.neighbours[cell].iter().any(came));
                    let after = match (possible, rested == self.truth && here.is_none()) {
                        (false, _) => Lit::NONE,
                        (true, true) => self.truth,
                        (true, false) => self.variable(),
                    };
                    self.tile[((time + 2) * cells + tile) * cells + cell] = after;
                    if rested.is_some() {
                        self.clause(&[-rested, here, after]);
                    }
                    if here.is_none() {
                        continue;
                    }
                    for i in 0..self.neighbours[cell].len() {
                        let from = usize::from(self.neighbours[cell][i]);
                        let (next, before) =
                            (self.blank(time + 1, from), self.tile(time + 1, tile, from));
                        if next.is_none() || before.is_none() {
                            continue;
                        }
                        self.clause(&[-here, -next, -before, after]);
                        if after.is_some() && distance[tile][cell] > distance[tile][from] {
                            self.clause(&[-here, -next, -before, up]);
                        }
                    }
                }
            }
            // 2. The ups so far.
            self.up_count[(time + 1) * (slack + 1)] = self.truth;
            for number in 1..=slack.min(time + 1) {
                self.up_count[(time + 1) * (slack + 1) + number] = self.variable();
            }
            for number in 0..=slack.min(time) {
                let before = self.ups(time, number);
                self.clause(&[-before, self.ups(time + 1, number)]);
                if slack > 0 {
                    let after = if number < slack {
                        self.ups(time + 1, number + 1)
                    } else {
                        Lit::NONE
                    };
                    self.clause(&[-before, -up, after]);
                }
            }
        }
        true
    }
}

/// The sum of the tiles' distances from their places.
pub fn manhattan(start: &Board, goal: &Board) -> u32 {
    let (distance, places) = (distances(goal), start.places());
    (1..places.len())
        .map(|tile| u32::from(distance[tile][usize::from(places[tile])]))
        .sum()
}

/// The plan of a model, up to where it first reaches the goal.
pub fn decode(
    start: &Board,
    goal: &Board,
    formula: &Formula,
    mut is_true: impl FnMut(Lit) -> bool,
) -> Vec<Direction> {
    let mut board = start.clone();
    let mut plan = vec![];
    while plan.len() < formula.budget && board != *goal {
        let time = plan.len() + 1;
        let direction = Direction::ALL.into_iter().find(|&d| {
            let to = start.neighbour(board.blank(), d);
            let lit = to.map(|to| formula.blank(time, to));
            lit.is_some_and(|lit| lit.is_some() && is_true(lit))
        });
        let direction = direction.expect("the blank goes somewhere");
        board.step(direction);
        plan.push(direction);
    }
    plan
}
