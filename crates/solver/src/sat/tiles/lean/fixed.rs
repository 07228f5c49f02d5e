//! The lean formula for any solver: everything written down beforehand.
//!
//! A solver without a propagator decides in its own order, so it gets what a forward
//! search does not need: that each cell has exactly one tile and a tile is on one
//! cell only, and that the count is neither too high nor too low. And in place of the
//! databases it gets what the smallest of them know, those of one tile and of two:
//! with the blank they are little puzzles of their own. F(t,s), the fewest ups of
//! their tiles from the start to s in t moves, and B(t,s), from s to the goal in k − t
//! moves, come from one pass over time each. Every plan is a path of each little
//! puzzle, so
//!
//! - F + B > slack: the tiles (and the blank) are not there at t
//! - tiles there → n(t, smallest F) and → not n(t, slack − smallest B + 1), over the blank's cells
//!
//! Pairs say only what their tiles alone do not. Linear conflicts add up over the lines
//! of the board, which no pair can say: a pair reversed in the line that is its goal is
//! one up more, three that are all reversed are two, and j of them in all at t leave
//! not n(t, slack − j + 1).
//!
//! It is written for one bound, and its blank's variables come first, in the order of
//! time: a solver that decides them in this order goes forward, too, and needs several
//! times fewer conflicts (docs/measured.md).

use noyes_puzzle::tiles::{Board, Direction};

use super::facts::distances;
use super::formula::{Formula, decode, manhattan};
use crate::sat::cnf::{Lit, Sink};
use crate::sat::encoding::{Encoding, Question};

/// Little puzzles of two tiles are for boards of up to this many cells.
const MOST_CELLS_FOR_PAIRS: usize = 25;

/// The lean formula of one question.
pub struct Fixed {
    start: Board,
    goal: Board,
    question: Question,
    /// None if there are too few moves for the Manhattan distance.
    formula: Option<Formula>,
    /// What one tile can do, while pairs are still to come.
    alone: Vec<Alone>,
    /// The first tile of the pairs to come next.
    tile: usize,
    /// Its first variable is this many after 1.
    shift: usize,
    is_written: bool,
}

impl Fixed {
    /// Of a board that can be solved.
    pub fn new(start: &Board, goal: &Board, question: Question) -> Fixed {
        Fixed {
            start: start.clone(),
            goal: goal.clone(),
            question,
            formula: None,
            alone: vec![],
            tile: 0,
            shift: 0,
            is_written: false,
        }
    }
}

/// The most moves of the right parity, if they are as many as the Manhattan distance.
fn of_parity(start: &Board, goal: &Board, question: Question) -> Option<usize> {
    let budget = question.k.checked_sub(manhattan(start, goal))?;
    Some((question.k - budget % 2) as usize)
}

impl Encoding for Fixed {
    type Move = Direction;

    /// Makes a part of the formula, and writes it when it is whole. Limits act between parts and inside of them.
    fn step(&mut self, sink: &mut dyn Sink) {
        let (start, goal) = (&self.start, &self.goal);
        let cells = start.tiles().len();
        let (tile, least) = (self.tile, self.question.least as usize);
        self.tile += 1;
        match (&mut self.formula, of_parity(start, goal, self.question)) {
            (_, None) => {}
            (None, Some(budget)) => {
                let mut wants_more = |bytes| sink.wants_more(bytes);
                let formula = Formula::new(start, goal, budget, least, &mut wants_more);
                let Some(formula) = formula else {
                    return;
                };
                let formula = self.formula.insert(formula);
                one_each(formula, cells, sink);
                both_ways(formula);
                self.alone = alone(formula, start, goal, sink);
                linear_conflicts(formula, goal, sink);
                return;
            }
            (Some(formula), _) if tile < cells && cells <= MOST_CELLS_FOR_PAIRS => {
                return pairs(formula, start, goal, tile, &self.alone, sink);
            }
            _ => {}
        }
        self.alone = vec![];
        self.is_written = true;
        let truth = sink.variable();
        let Some(formula) = &self.formula else {
            return sink.clause(&[-truth]);
        };
        self.shift = truth.var() - formula.truth.var();
        for _ in 1..formula.variables {
            sink.variable();
        }
        let mut shifted = vec![];
        for (i, clause) in formula.clauses().enumerate() {
            if i % 1024 == 0 && !sink.wants_more(formula.clause_bytes()) {
                return;
            }
            shifted.clear();
            shifted.extend(clause.iter().map(|lit| lit.shifted(self.shift)));
            sink.clause(&shifted);
        }
    }

    fn steps(&self) -> u32 {
        if self.is_written {
            self.question.k.max(1)
        } else {
            0
        }
    }

    fn solved_by(&self, k: u32) -> Lit {
        assert_eq!(k, self.question.k, "written for one bound");
        Lit::of(1 + self.shift)
    }

    fn decode(&self, _: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Direction> {
        let formula = self.formula.as_ref().expect("a model");
        decode(&self.start, &self.goal, formula, |lit| {
            holds(lit.shifted(self.shift))
        })
    }

    fn literals(&self, plan: &[Direction]) -> Vec<Lit> {
        let Some(formula) = &self.formula else {
            return vec![];
        };
        let mut cell = self.start.blank();
        let mut lits = vec![];
        for (time, &direction) in (1..).zip(plan) {
            cell = self
                .start
                .neighbour(cell, direction)
                .expect("a plan stays on the board");
            lits.push(match formula.blank(time, cell) {
                Lit::NONE => -Lit::of(1 + self.shift), // it is never there: no model
                lit => lit.shifted(self.shift),
            });
        }
        lits
    }

    fn names(&self) -> Vec<(Lit, String)> {
        let names = self.formula.iter().flat_map(Formula::names);
        names
            .map(|(lit, name)| (lit.shifted(self.shift), name))
            .collect()
    }
}

/// One tile on each cell that has just been left, one cell for each tile.
fn one_each(formula: &mut Formula, cells: usize, sink: &mut dyn Sink) {
    let mut some = vec![];
    for time in 1..=formula.budget {
        if !sink.wants_more(formula.clause_bytes()) {
            return;
        }
        let left: Vec<usize> = (0..cells)
            .filter(|&c| !formula.may_hold_blank(time, c))
            .collect();
        for &cell in &left {
            some.clear();
            some.extend(
                (1..cells)
                    .map(|tile| formula.tile_at(time, tile, cell))
                    .filter(|lit| lit.is_some()),
            );
            formula.clause(&some);
            at_most_one(formula, &some);
        }
        for tile in 1..cells {
            some.clear();
            some.extend(
                left.iter()
                    .map(|&cell| formula.tile_at(time, tile, cell))
                    .filter(|lit| lit.is_some()),
            );
            at_most_one(formula, &some);
            // It may also be on a cell of the other colour, as it was before the move.
            let others = (0..cells).filter(|&c| formula.may_hold_blank(time, c));
            some.extend(
                others
                    .map(|cell| formula.tile_at(time - 1, tile, cell))
                    .filter(|lit| lit.is_some()),
            );
            formula.clause(&some);
        }
    }
}

fn at_most_one(formula: &mut Formula, lits: &[Lit]) {
    for (i, &one) in lits.iter().enumerate() {
        for &other in &lits[i + 1..] {
            formula.clause(&[-one, -other]);
        }
    }
}

/// The blank comes from somewhere, and the count goes up only by an up.
fn both_ways(formula: &mut Formula) {
    let cells = formula.neighbours.len();
    let mut some = vec![];
    for time in 0..formula.budget {
        for cell in 0..cells {
            let next = formula.blank(time + 1, cell);
            if next.is_some() {
                some.clear();
                some.push(-next);
                for i in 0..formula.neighbours[cell].len() {
                    some.push(formula.blank(time, formula.neighbours[cell][i].into()));
                }
                formula.clause(&some);
            }
        }
        for number in 1..=formula.slack.min(time + 1) {
            let (after, up) = (formula.ups(time + 1, number), formula.up(time));
            let same = if number <= time {
                formula.ups(time, number)
            } else {
                Lit::NONE
            };
            formula.clause(&[-after, same, up]);
            formula.clause(&[-after, formula.ups(time, number - 1)]);
        }
    }
    // The count at the end is the slack.
    for time in 0..=formula.budget {
        let least = (formula.slack + time).saturating_sub(formula.budget);
        if least > 0 {
            formula.clause(&[formula.ups(time, least)]);
        }
    }
}

const FAR: u8 = u8::MAX;

/// F and B of one tile by time and cell, the smallest over the blank's cells.
type Alone = (Vec<u8>, Vec<u8>);

/// What one tile with the blank can do in time.
fn alone(formula: &mut Formula, start: &Board, goal: &Board, sink: &mut dyn Sink) -> Vec<Alone> {
    let cells = start.tiles().len();
    let size = (formula.budget + 1) * cells;
    let mut alone = vec![(vec![], vec![])];
    for tile in 1..cells {
        if !sink.wants_more(formula.clause_bytes() + 2 * size * tile) {
            break;
        }
        let little = Little::new(formula, start, goal, &[tile]);
        let (mut least, mut rest) = (vec![FAR; size], vec![FAR; size]);
        for time in 0..=formula.budget {
            for cell in 0..cells {
                let lit = exact(formula, time, tile, cell);
                for blank in 0..cells {
                    let (f, b) = little.at(time, blank * cells + cell);
                    let possible =
                        f != FAR && b != FAR && usize::from(f) + usize::from(b) <= formula.slack;
                    if possible {
                        let i = time * cells + cell;
                        least[i] = least[i].min(f);
                        rest[i] = rest[i].min(b);
                    } else if lit.is_some() && formula.blank(time, blank).is_some() {
                        formula.clause(&[-lit, -formula.blank(time, blank)]);
                    }
                }
                if lit.is_some() {
                    let i = time * cells + cell;
                    imply(formula, &[-lit], time, (least[i], rest[i]), (0, 0));
                }
            }
        }
        alone.push((least, rest));
    }
    alone
}

/// What two tiles with the blank can do, one of them this.
fn pairs(
    formula: &mut Formula,
    start: &Board,
    goal: &Board,
    one: usize,
    alone: &[Alone],
    sink: &mut dyn Sink,
) {
    let cells = start.tiles().len();
    for other in one + 1..cells {
        if !sink.wants_more(formula.clause_bytes()) {
            return;
        }
        let little = Little::new(formula, start, goal, &[one, other]);
        for time in 1..formula.budget {
            for place in 0..cells * cells {
                let (here, there) = (place / cells, place % cells);
                // One of the two is on a cell just left; on one that the blank may be on, it may only just have come.
                let (exact_lit, lit, came) = match (
                    exact(formula, time, one, here),
                    exact(formula, time, other, there),
                ) {
                    (Lit::NONE, Lit::NONE) => continue,
                    (Lit::NONE, q) => (
                        q,
                        formula.tile_at(time, one, here),
                        formula.blank(time, here),
                    ),
                    (p, Lit::NONE) => (
                        p,
                        formula.tile_at(time, other, there),
                        formula.blank(time, there),
                    ),
                    (p, q) => (p, q, Lit::NONE),
                };
                if here == there || lit.is_none() {
                    continue;
                }
                let (mut f, mut b) = (FAR, FAR);
                for blank in 0..cells {
                    let (x, y) = little.at(time, blank * cells * cells + place);
                    if x != FAR && y != FAR && usize::from(x) + usize::from(y) <= formula.slack {
                        f = f.min(x);
                        b = b.min(y);
                    }
                }
                let known = |tile: usize, cell: usize| {
                    let i = time * cells + cell;
                    (alone[tile].0[i], alone[tile].1[i])
                };
                let (p, q) = (known(one, here), known(other, there));
                if p.0 == FAR || q.0 == FAR {
                    continue;
                }
                let weaker = (p.0.max(q.0), p.1.max(q.1));
                imply(formula, &[-exact_lit, -lit, came], time, (f, b), weaker);
            }
        }
    }
}

/// Linear conflicts at every time, added up over rows and columns.
fn linear_conflicts(formula: &mut Formula, goal: &Board, sink: &mut dyn Sink) {
    let (width, cells) = (goal.width(), goal.tiles().len());
    let rows = (0..cells / width).map(|row| (row * width..(row + 1) * width).collect::<Vec<_>>());
    let columns = (0..width).map(|column| (column..cells).step_by(width).collect());
    let lines: Vec<Vec<usize>> = rows.chain(columns).filter(|line| line.len() > 1).collect();
    if formula.slack == 0 {
        return; // one up too many shows at once
    }
    for time in 1..formula.budget {
        if !sink.wants_more(formula.clause_bytes()) {
            return;
        }
        // By number: at least that many ups that conflicts still ask for, in the lines so far.
        let mut sum: Vec<Lit> = vec![];
        for line in &lines {
            let conflicts = conflicts_in(formula, goal, line, time);
            sum = add(formula, &sum, &conflicts);
        }
        for (more, &lit) in (1..).zip(&sum) {
            let ups = formula.slack + 1 - more;
            if ups <= time {
                formula.clause(&[-lit, -formula.ups(time, ups)]);
            }
        }
    }
}

/// Literals that hold if at least one up, and two, come of the conflicts in a line.
fn conflicts_in(formula: &mut Formula, goal: &Board, line: &[usize], time: usize) -> Vec<Lit> {
    let homes: Vec<usize> = line.iter().map(|&cell| goal.tiles()[cell].into()).collect();
    let homes: Vec<usize> = homes.into_iter().filter(|&tile| tile > 0).collect();
    let kinds = homes.len().saturating_sub(1).min(2);
    let mut conflicts: Vec<Lit> = (0..kinds).map(|_| formula.variable()).collect();
    // If not these, the tiles are there. The earlier tile of the line lies farther along it.
    let absent = |formula: &Formula, tile: usize, cell: usize| {
        let lit = formula.tile_at(time, tile, cell);
        let came = if formula.may_hold_blank(time, cell) {
            formula.blank(time, cell)
        } else {
            Lit::NONE
        };
        lit.is_some().then_some([-lit, came])
    };
    let (mut pairs, mut triples) = (false, false);
    for (i, &first) in homes.iter().enumerate() {
        for (j, &second) in homes.iter().enumerate().skip(i + 1) {
            for (x, &far) in line.iter().enumerate() {
                for (y, &near) in line[..x].iter().enumerate() {
                    let (Some(a), Some(b)) =
                        (absent(formula, first, far), absent(formula, second, near))
                    else {
                        continue;
                    };
                    if let Some(&one) = conflicts.first() {
                        pairs = true;
                        formula.clause(&[a[0], a[1], b[0], b[1], one]);
                    }
                    let Some(&two) = conflicts.get(1) else {
                        continue;
                    };
                    for &third in &homes[j + 1..] {
                        for &nearest in &line[..y] {
                            if let Some(c) = absent(formula, third, nearest) {
                                triples = true;
                                formula.clause(&[a[0], a[1], b[0], b[1], c[0], c[1], two]);
                            }
                        }
                    }
                }
            }
        }
    }
    conflicts.truncate(usize::from(pairs) + usize::from(triples));
    conflicts
}

/// The sum of two numbers in unary, up to one more than the slack: at least as many hold as it is.
fn add(formula: &mut Formula, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    if b.is_empty() {
        return a.to_vec();
    }
    let most = (a.len() + b.len()).min(formula.slack + 1);
    let sum: Vec<Lit> = (0..most).map(|_| formula.variable()).collect();
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            if i + j == 0 {
                continue;
            }
            let not = |lits: &[Lit], n: usize| if n == 0 { Lit::NONE } else { -lits[n - 1] };
            let at_least = sum[(i + j).min(most) - 1];
            formula.clause(&[not(a, i), not(b, j), at_least]);
        }
    }
    sum
}

/// The variable that says exactly that a tile is on a cell at a time, if there is one.
fn exact(formula: &Formula, time: usize, tile: usize, cell: usize) -> Lit {
    if formula.may_hold_blank(time, cell) {
        Lit::NONE
    } else {
        formula.tile_at(time, tile, cell)
    }
}

/// If not these: at least F ups before the time, at most slack − B; unless that is known.
fn imply(formula: &mut Formula, unless: &[Lit], time: usize, (f, b): (u8, u8), known: (u8, u8)) {
    let mut clause = unless.to_vec();
    if f == FAR {
        formula.clause(&clause);
        return;
    }
    clause.push(Lit::NONE);
    let last = clause.len() - 1;
    if f > known.0 {
        clause[last] = formula.ups(time, f.into());
        formula.clause(&clause);
    }
    if b > known.1 {
        let more = formula.slack + 1 - usize::from(b);
        if more <= time {
            clause[last] = -formula.ups(time, more);
            formula.clause(&clause);
        }
    }
}

/// The little puzzle of some tiles and the blank: F and B by time and state.
struct Little {
    states: usize,
    least: Vec<u8>,
    rest: Vec<u8>,
}

impl Little {
    fn new(formula: &Formula, start: &Board, goal: &Board, tiles: &[usize]) -> Little {
        let (cells, budget) = (start.tiles().len(), formula.budget);
        let states = cells.pow(tiles.len() as u32 + 1);
        let distance = distances(goal);
        let state_of = |board: &Board| {
            let places = board.places();
            tiles.iter().fold(board.blank(), |state, &tile| {
                state * cells + usize::from(places[tile])
            })
        };
        // Every move once: from, to, ups.
        let mut moves = vec![];
        for state in 0..states {
            let mut on = [0; 2];
            let mut rest = state;
            for slot in (0..tiles.len()).rev() {
                on[slot] = rest % cells;
                rest /= cells;
            }
            let on = &on[..tiles.len()];
            if on.contains(&rest) || (on.len() == 2 && on[0] == on[1]) {
                continue;
            }
            for &to in &formula.neighbours[rest] {
                let to = usize::from(to);
                let (mut next, mut up) = (to, 0);
                for (&cell, &tile) in on.iter().zip(tiles) {
                    next = next * cells + if cell == to { rest } else { cell };
                    up += u8::from(cell == to && distance[tile][rest] > distance[tile][to]);
                }
                moves.push((state as u32, next as u32, up));
            }
        }
        let (mut least, mut rest) = (
            vec![FAR; states * (budget + 1)],
            vec![FAR; states * (budget + 1)],
        );
        least[state_of(start)] = 0;
        rest[budget * states + state_of(goal)] = 0;
        for time in 0..budget {
            let (before, after) = least.split_at_mut((time + 1) * states);
            let before = &before[time * states..];
            for &(from, to, up) in &moves {
                let there = &mut after[to as usize];
                *there = (*there).min(before[from as usize].saturating_add(up));
            }
            let time = budget - 1 - time;
            let (before, after) = rest.split_at_mut((time + 1) * states);
            let before = &mut before[time * states..];
            for &(from, to, up) in &moves {
                let here = &mut before[from as usize];
                *here = (*here).min(after[to as usize].saturating_add(up));
            }
        }
        Little {
            states,
            least,
            rest,
        }
    }

    fn at(&self, time: usize, state: usize) -> (u8, u8) {
        (
            self.least[time * self.states + state],
            self.rest[time * self.states + state],
        )
    }
}
