//! The reference formula of sliding tiles: it has a solution if and only if there is a plan of at most `bound` moves.
//!
//! Variables, for each time t from 0 to `bound`:
//!
//! - blank(t,x): the blank is on cell x after t moves
//! - tile(t,i,x): tile i is on cell x after t moves
//! - done(t): the goal has been reached at time t, and nothing more has to happen
//! - up(t): move t + 1 takes its tile away from that tile's goal
//! - ups(t,j): at least j of the first t moves go up
//!
//! Clauses:
//!
//! - *start*: the blank and all tiles are where they are at time 0
//! - *end*: done(bound)
//! - *done*: done(t) forbids every tile, and the blank, to be anywhere but on its goal
//! - *move*: if the blank is on x and the plan is not done, it moves to a neighbour of x
//! - *slide*: if the blank moves from x to y, a tile on y comes to x
//! - *stay*: if the blank is on y at time t + 1, a tile that was on another cell than y stays there. The clause is also
//!   there for cells that cannot matter, so that it needs no condition
//! - *rise*: a slide away from the tile's goal means up(t)
//! - *count*: up(t) and ups(t,j) make ups(t+1,j+1); *carry*: ups(t,j) makes ups(t+1,j); *order*: ups(t,j) means
//!   ups(t,j-1)
//! - *back*: the blank does not return at once to the cell that it came from
//!
//! Why each plan of at most `bound` moves gives a solution, so that a formula without one proves that there is no such
//! plan: take a shortest plan, with the state repeated after its end. Only two kinds of clause are not the rules
//! themselves. (1) *back*: a shortest plan never undoes a move. (2) *count* has no literal ups(t+1,j+1) for j = `slack`;
//! it says that at most `slack` moves go up. A move takes one tile one step closer to its goal or one step away from it,
//! so it changes the sum of all tiles' distances to their goals (Manhattan distance) by exactly one. The sum is d at the
//! start and 0 at the end. With m moves, u of them up, d + u - (m - u) = 0, so u = (m - d) / 2, which is at most
//! (bound - d) / 2, rounded down: that is `slack`. The same equation says that m and d are both even or both odd.
//!
//! Why each solution gives a plan: follow the blank's variables from the start. Each *move* clause makes a next cell true
//! until a time that is done, *slide* and *stay* make the tiles' variables true as the rules say, and *done* allows none
//! of them off its goal.

use noyes_puzzle::tiles::{Board, Direction};

use crate::clauses::{Clauses, Lit};

/// The formula of a board, and what its numbers mean.
pub struct Tiles {
    /// The clauses, by number.
    pub clauses: Clauses,
    /// The number of cells.
    pub cells: usize,
    /// The moves that a plan may have.
    pub bound: usize,
    /// How many of them may go up.
    pub slack: usize,
    /// The neighbours of each cell.
    pub neighbours: Vec<Vec<usize>>,
    /// Where each tile, and the blank as number 0, is at the start.
    pub start: Vec<usize>,
    /// Where it is in the end.
    pub goal: Vec<usize>,
    width: usize,
    /// By a cell and a neighbour: the number of this pair.
    pairs: Vec<usize>,
    pair_count: usize,
    /// By pair and tile: the number of the *rise* clause within a step, if the slide goes up.
    rises: Vec<Option<u32>>,
    rise_count: usize,
}

/// What a variable says; see the list above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// The blank is on a cell.
    Blank {
        /// When.
        time: usize,
        /// Where.
        cell: usize,
    },
    /// A tile is on a cell.
    Tile {
        /// When.
        time: usize,
        /// Which.
        tile: usize,
        /// Where.
        cell: usize,
    },
    /// The goal has been reached.
    Done {
        /// When.
        time: usize,
    },
    /// The next move goes up.
    Up {
        /// When.
        time: usize,
    },
    /// Some number of moves have gone up.
    Ups {
        /// When.
        time: usize,
        /// At least this many.
        count: usize,
    },
}

/// The sum of all tiles' distances to their goals.
pub fn manhattan(start: &Board, goal: &Board) -> usize {
    let (from, to) = (start.places(), goal.places());
    let width = start.width();
    (1..from.len())
        .map(|tile| distance(width, from[tile].into(), to[tile].into()))
        .sum()
}

fn distance(width: usize, a: usize, b: usize) -> usize {
    (a % width).abs_diff(b % width) + (a / width).abs_diff(b / width)
}

impl Tiles {
    /// The formula of a board for plans of at most `bound` moves; nothing if it would be too large, or if `bound` is less
    /// than the Manhattan distance, so that there is nothing to ask.
    pub fn new(start: &Board, goal: &Board, bound: usize) -> Option<Tiles> {
        let cells = start.tiles().len();
        let slack = bound.checked_sub(manhattan(start, goal))? / 2;
        let per_step = cells
            .checked_pow(3)?
            .checked_mul(4)?
            .checked_add(10 * (slack + 1))?;
        if per_step.checked_mul(bound + 1)? > super::MOST_LITERALS {
            return None;
        }
        let neighbours: Vec<Vec<usize>> = (0..cells)
            .map(|cell| {
                let next = |d: &Direction| start.neighbour(cell, *d);
                Direction::ALL.iter().filter_map(next).collect()
            })
            .collect();
        let places = |board: &Board| board.places().into_iter().map(usize::from).collect();
        let mut formula = Tiles {
            clauses: Clauses::default(),
            cells,
            bound,
            slack,
            neighbours,
            start: places(start),
            goal: places(goal),
            width: start.width(),
            pairs: vec![usize::MAX; cells * cells],
            pair_count: 0,
            rises: vec![],
            rise_count: 0,
        };
        formula.number_pairs();
        formula.write();
        Some(formula)
    }

    fn number_pairs(&mut self) {
        for x in 0..self.cells {
            for y in self.neighbours[x].clone() {
                self.pairs[x * self.cells + y] = self.pair_count;
                self.pair_count += 1;
                for tile in 1..self.cells {
                    let rises = self.is_up(tile, y, x);
                    self.rises.push(rises.then_some(self.rise_count as u32));
                    self.rise_count += usize::from(rises);
                }
            }
        }
    }

    /// Columns of the board.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Whether a tile that slides between two cells moves away from its goal.
    pub fn is_up(&self, tile: usize, from: usize, to: usize) -> bool {
        let goal = self.goal[tile];
        distance(self.width, to, goal) > distance(self.width, from, goal)
    }

    fn write(&mut self) {
        let (cells, bound) = (self.cells, self.bound);
        let mut all = Clauses::default();
        // start, end
        all.add(&[self.blank(0, self.start[0])]);
        for tile in 1..cells {
            all.add(&[self.tile(0, tile, self.start[tile])]);
        }
        all.add(&[self.done(bound)]);
        for t in 0..=bound {
            // done
            for cell in (0..cells).filter(|&cell| cell != self.goal[0]) {
                all.add(&[-self.done(t), -self.blank(t, cell)]);
            }
            for tile in 1..cells {
                for cell in (0..cells).filter(|&cell| cell != self.goal[tile]) {
                    all.add(&[-self.done(t), -self.tile(t, tile, cell)]);
                }
            }
            // order
            for j in 2..=self.slack {
                all.add(&[-self.ups(t, j), self.ups(t, j - 1)]);
            }
        }
        for t in 0..bound {
            self.write_step(t, &mut all);
        }
        // back
        for t in 1..bound {
            for x in 0..cells {
                for &y in &self.neighbours[x] {
                    all.add(&[
                        -self.blank(t - 1, y),
                        -self.blank(t, x),
                        -self.blank(t + 1, y),
                    ]);
                }
            }
        }
        self.clauses = all;
    }

    fn write_step(&self, t: usize, all: &mut Clauses) {
        let cells = self.cells;
        // move
        for x in 0..cells {
            let mut clause = vec![-self.blank(t, x), self.done(t)];
            clause.extend(self.neighbours[x].iter().map(|&y| self.blank(t + 1, y)));
            all.add(&clause);
        }
        // slide
        for x in 0..cells {
            for &y in &self.neighbours[x] {
                for tile in 1..cells {
                    all.add(&[
                        -self.blank(t, x),
                        -self.blank(t + 1, y),
                        -self.tile(t, tile, y),
                        self.tile(t + 1, tile, x),
                    ]);
                }
            }
        }
        // stay
        for y in 0..cells {
            for tile in 1..cells {
                for cell in (0..cells).filter(|&cell| cell != y) {
                    all.add(&[
                        -self.blank(t + 1, y),
                        -self.tile(t, tile, cell),
                        self.tile(t + 1, tile, cell),
                    ]);
                }
            }
        }
        // rise
        for x in 0..cells {
            for &y in &self.neighbours[x] {
                for tile in (1..cells).filter(|&tile| self.is_up(tile, y, x)) {
                    all.add(&[
                        -self.blank(t, x),
                        -self.blank(t + 1, y),
                        -self.tile(t, tile, y),
                        self.up(t),
                    ]);
                }
            }
        }
        // count; ups(t,0) is true, and ups(t+1,slack+1) is false
        for j in 0..=self.slack {
            let mut clause = vec![-self.up(t)];
            clause.extend((j > 0).then(|| -self.ups(t, j)));
            clause.extend((j < self.slack).then(|| self.ups(t + 1, j + 1)));
            all.add(&clause);
        }
        // carry
        for j in 1..=self.slack {
            all.add(&[-self.ups(t, j), self.ups(t + 1, j)]);
        }
    }
}

/// Variables.
impl Tiles {
    fn per_time(&self) -> usize {
        self.cells * self.cells + 2 + self.slack
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        (self.bound + 1) * self.per_time()
    }

    fn variable(&self, time: usize, offset: usize) -> Lit {
        (1 + time * self.per_time() + offset) as Lit
    }

    /// The blank is on a cell.
    pub fn blank(&self, time: usize, cell: usize) -> Lit {
        self.variable(time, cell)
    }

    /// A tile is on a cell.
    pub fn tile(&self, time: usize, tile: usize, cell: usize) -> Lit {
        self.variable(time, tile * self.cells + cell)
    }

    /// The goal has been reached.
    pub fn done(&self, time: usize) -> Lit {
        self.variable(time, self.cells * self.cells)
    }

    /// The next move goes up.
    pub fn up(&self, time: usize) -> Lit {
        self.variable(time, self.cells * self.cells + 1)
    }

    /// At least `count` moves have gone up; `count` is at least 1 and at most the slack.
    pub fn ups(&self, time: usize, count: usize) -> Lit {
        self.variable(time, self.cells * self.cells + 1 + count)
    }

    /// What a variable says.
    pub fn meaning(&self, variable: usize) -> Option<Meaning> {
        let number = variable.checked_sub(1)?;
        let (time, offset) = (number / self.per_time(), number % self.per_time());
        let square = self.cells * self.cells;
        if time > self.bound {
            return None;
        }
        Some(match offset {
            cell if cell < self.cells => Meaning::Blank { time, cell },
            both if both < square => Meaning::Tile {
                time,
                tile: both / self.cells,
                cell: both % self.cells,
            },
            rest if rest == square => Meaning::Done { time },
            rest if rest == square + 1 => Meaning::Up { time },
            rest => Meaning::Ups {
                time,
                count: rest - square - 1,
            },
        })
    }
}

/// Clauses by what they say: their numbers, for those who write proofs.
impl Tiles {
    fn pair(&self, x: usize, y: usize) -> usize {
        self.pairs[x * self.cells + y]
    }

    fn tiles(&self) -> usize {
        self.cells - 1
    }

    fn time_at(&self, t: usize) -> usize {
        let per_time = self.tiles() + self.tiles() * self.tiles() + self.slack.saturating_sub(1);
        1 + self.cells + 1 + t * per_time
    }

    fn step_at(&self, t: usize) -> usize {
        let (cells, tiles) = (self.cells, self.tiles());
        let counts = 2 * self.slack + 1;
        let per_step =
            cells + self.pair_count * tiles + cells * tiles * tiles + self.rise_count + counts;
        self.time_at(self.bound + 1) + t * per_step
    }

    /// *start* of the blank (number 0) or a tile.
    pub fn start_clause(&self, tile: usize) -> usize {
        1 + tile
    }

    /// *done*: the blank is on a cell that is not its goal.
    pub fn done_blank(&self, t: usize, cell: usize) -> usize {
        self.time_at(t) + without(cell, self.goal[0])
    }

    /// *done*: a tile is on a cell that is not its goal.
    pub fn done_tile(&self, t: usize, tile: usize, cell: usize) -> usize {
        self.time_at(t) + self.tiles() * tile + without(cell, self.goal[tile])
    }

    /// *order* from `count`, at least 2.
    pub fn order(&self, t: usize, count: usize) -> usize {
        self.time_at(t) + self.tiles() * self.cells + count - 2
    }

    /// *move* from a cell.
    pub fn moves(&self, t: usize, x: usize) -> usize {
        self.step_at(t) + x
    }

    /// *slide* of a tile from y to x.
    pub fn slide(&self, t: usize, x: usize, y: usize, tile: usize) -> usize {
        self.step_at(t) + self.cells + self.pair(x, y) * self.tiles() + tile - 1
    }

    /// *stay* of a tile on a cell while the blank goes to y.
    pub fn stay(&self, t: usize, y: usize, tile: usize, cell: usize) -> usize {
        let before = self.cells + self.pair_count * self.tiles();
        let row = y * self.tiles() + tile - 1;
        self.step_at(t) + before + row * self.tiles() + without(cell, y)
    }

    /// *rise* of a tile that slides up from y to x.
    ///
    /// # Panics
    /// If that is no way up.
    pub fn rise(&self, t: usize, x: usize, y: usize, tile: usize) -> usize {
        let rise = self.rises[self.pair(x, y) * self.tiles() + tile - 1];
        self.counts_at(t) - self.rise_count + rise.expect("a slide up") as usize
    }

    fn counts_at(&self, t: usize) -> usize {
        self.step_at(t + 1) - (2 * self.slack + 1)
    }

    /// *count* from `count`, at most the slack.
    pub fn count(&self, t: usize, count: usize) -> usize {
        self.counts_at(t) + count
    }

    /// *carry* of `count`, at least 1.
    pub fn carry(&self, t: usize, count: usize) -> usize {
        self.counts_at(t) + self.slack + count
    }

    /// *back*: from y to x and to y again, the second move at time t, which is at least 1.
    pub fn back(&self, t: usize, x: usize, y: usize) -> usize {
        self.step_at(self.bound) + (t - 1) * self.pair_count + self.pair(x, y)
    }
}

/// The index of a cell in a list of all cells without another one.
fn without(cell: usize, other: usize) -> usize {
    cell - usize::from(cell > other)
}
