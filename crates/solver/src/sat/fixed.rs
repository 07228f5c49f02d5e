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
//! Pairs say only what their tiles alone do not.

use noyes_puzzle::tiles::{Board, Direction};

use super::facts::distances;
use super::formula::Formula;

/// A formula in plain clauses.
pub struct Cnf {
    /// Clauses, each ended by 0.
    pub clauses: Vec<i32>,
    /// The last variable.
    pub variables: i32,
    /// Each variable with its name: b(t,x), v(t,p,x), u(t), n(t,j) as in `formula.rs`.
    pub names: Vec<(i32, String)>,
}

/// The clauses of "there is a plan of exactly k moves" for a budget of the right parity, at least the Manhattan distance.
pub fn static_cnf(start: &Board, goal: &Board, budget: usize) -> Cnf {
    let mut formula = Formula::new(start, goal, budget);
    one_each(&mut formula, start.tiles().len());
    both_ways(&mut formula);
    little_puzzles(&mut formula, start, goal);
    Cnf {
        names: formula.names(),
        variables: formula.variables,
        clauses: formula.clauses,
    }
}

/// The plan of a model, given as the true literals.
pub fn read_plan(
    start: &Board,
    goal: &Board,
    budget: usize,
    is_true: impl FnMut(i32) -> bool,
) -> Vec<Direction> {
    super::lean::decode(start, &Formula::new(start, goal, budget), is_true)
}

/// One tile on each cell that has just been left, one cell for each tile.
fn one_each(formula: &mut Formula, cells: usize) {
    let mut some = vec![];
    for time in 1..=formula.budget {
        let left: Vec<usize> = (0..cells)
            .filter(|&c| !formula.may_hold_blank(time, c))
            .collect();
        for &cell in &left {
            some.clear();
            some.extend(
                (1..cells)
                    .map(|tile| formula.tile_at(time, tile, cell))
                    .filter(|&lit| lit != 0),
            );
            formula.clause(&some);
            at_most_one(formula, &some);
        }
        for tile in 1..cells {
            some.clear();
            some.extend(
                left.iter()
                    .map(|&cell| formula.tile_at(time, tile, cell))
                    .filter(|&lit| lit != 0),
            );
            at_most_one(formula, &some);
            // It may also be on a cell of the other colour, as it was before the move.
            let others = (0..cells).filter(|&c| formula.may_hold_blank(time, c));
            some.extend(
                others
                    .map(|cell| formula.tile_at(time - 1, tile, cell))
                    .filter(|&lit| lit != 0),
            );
            formula.clause(&some);
        }
    }
}

fn at_most_one(formula: &mut Formula, lits: &[i32]) {
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
            if next != 0 {
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
                0
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

/// What one tile and two tiles with the blank can do in time.
fn little_puzzles(formula: &mut Formula, start: &Board, goal: &Board) {
    let cells = start.tiles().len();
    // By tile: F and B by time and cell, the smallest over the blank's cells.
    let mut alone = vec![(vec![], vec![])];
    for tile in 1..cells {
        let little = Little::new(formula, start, goal, &[tile]);
        let (mut least, mut rest) = (vec![FAR; little.size()], vec![FAR; little.size()]);
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
                    } else if lit != 0 && formula.blank(time, blank) != 0 {
                        formula.clause(&[-lit, -formula.blank(time, blank)]);
                    }
                }
                if lit != 0 {
                    let i = time * cells + cell;
                    imply(formula, &[-lit], time, (least[i], rest[i]), (0, 0));
                }
            }
        }
        alone.push((least, rest));
    }
    for one in 1..cells {
        for other in 1..cells {
            // Both orders are one little puzzle, but the first tile is the one on a cell just left.
            if one == other {
                continue;
            }
            let little = Little::new(formula, start, goal, &[one, other]);
            for time in 1..formula.budget {
                for place in 0..cells * cells {
                    let (here, there) = (place / cells, place % cells);
                    let lits = (
                        exact(formula, time, one, here),
                        formula.tile_at(time, other, there),
                    );
                    let both_left = !formula.may_hold_blank(time, there);
                    if here == there || lits.0 == 0 || lits.1 == 0 || (both_left && other < one) {
                        continue;
                    }
                    let (mut f, mut b) = (FAR, FAR);
                    for blank in 0..cells {
                        let (x, y) = little.at(time, blank * cells * cells + place);
                        if x != FAR && y != FAR && usize::from(x) + usize::from(y) <= formula.slack
                        {
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
                    // On a cell that the blank may be on, the tile may only just have come.
                    let came = if both_left {
                        0
                    } else {
                        formula.blank(time, there)
                    };
                    let weaker = (p.0.max(q.0), p.1.max(q.1));
                    imply(formula, &[-lits.0, -lits.1, came], time, (f, b), weaker);
                }
            }
        }
    }
}

/// The variable that says exactly that a tile is on a cell at a time; 0 if there is none.
fn exact(formula: &Formula, time: usize, tile: usize, cell: usize) -> i32 {
    if formula.may_hold_blank(time, cell) {
        0
    } else {
        formula.tile_at(time, tile, cell)
    }
}

/// If not these: at least F ups before the time, at most slack − B; unless that is known.
fn imply(formula: &mut Formula, unless: &[i32], time: usize, (f, b): (u8, u8), known: (u8, u8)) {
    let mut clause = unless.to_vec();
    if f == FAR {
        formula.clause(&clause);
        return;
    }
    clause.push(0);
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

    fn size(&self) -> usize {
        self.least.len()
    }

    fn at(&self, time: usize, state: usize) -> (u8, u8) {
        (
            self.least[time * self.states + state],
            self.rest[time * self.states + state],
        )
    }
}
