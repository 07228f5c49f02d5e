//! The rotated grid: boards as seen from the blank.
//!
//! The grid is rotated, in rows and in columns, until the blank is in the top left corner; a tile then has a place
//! relative to it. Each place has the number of its tile in binary. Where the corner really is, is said by two one-hot
//! vectors, `h` for its column and `v` for its row, and the move of a step by two literals, m0 and m1. A move shifts
//! whole rows or columns, which is the same clauses whatever cell the blank is on; only the one tile that the blank
//! passes goes from one side of it to the other. `h` and `v` shift along, and forbid moves across the border.
//!
//! Small: for 4×4 70 variables and some 550 clauses a step, less than any other encoding here. But it propagates little,
//! as nothing says where a tile is until the whole way of the blank is known.
//!
//! Any configuration of right parity may be the solved one: "solved by k" means that one of the first k is, and what
//! comes after it does not matter.
//!
//! Clausecker, Kaiser: Sliding Tile Puzzles. SAT Competition 2021.

use noyes_puzzle::tiles::{Board, Direction};

use super::boards::boards;
use crate::sat::cnf::{Lit, Sink, exactly_one};
use crate::sat::encoding::Encoding;

/// The rotated grid of a board.
pub struct Rotated {
    start: Board,
    goal: Board,
    times: Vec<Time>,
    moves: Vec<[Lit; 2]>,
    /// By k: one of the configurations up to k is the goal.
    solved: Vec<Lit>,
}

/// One configuration.
struct Time {
    /// By place relative to the blank, the blank's own left out: the bits of the tile, lowest first.
    tiles: Vec<Vec<Lit>>,
    h: Vec<Lit>,
    v: Vec<Lit>,
}

impl Time {
    /// The literals that say a board.
    fn says(&self, board: &Board) -> Vec<Lit> {
        let (w, h) = (board.width(), board.height());
        let (column, row) = (board.blank() % w, board.blank() / w);
        let mut says = vec![];
        for (place, bits) in self.tiles.iter().enumerate() {
            let (x, y) = ((place + 1) % w, (place + 1) / w);
            let number = board.tiles()[(row + y) % h * w + (column + x) % w];
            for (i, &bit) in bits.iter().enumerate() {
                says.push(if number >> i & 1 == 1 { bit } else { -bit });
            }
        }
        let one_hot = |lits: &[Lit], at| -> Vec<Lit> {
            let lit = |(i, &l): (usize, &Lit)| if i == at { l } else { -l };
            lits.iter().enumerate().map(lit).collect()
        };
        says.extend(one_hot(&self.h, column));
        says.extend(one_hot(&self.v, row));
        says
    }
}

impl Rotated {
    /// The encoding of a board and its goal.
    pub fn new(start: &Board, goal: &Board) -> Rotated {
        Rotated {
            start: start.clone(),
            goal: goal.clone(),
            times: vec![],
            moves: vec![],
            solved: vec![],
        }
    }

    fn bits(&self) -> usize {
        (usize::BITS - (self.start.tiles().len() - 1).leading_zeros()) as usize
    }

    /// Adds the variables of one more configuration, and whether the goal is reached by it.
    fn add_time(&mut self, sink: &mut dyn Sink) {
        let (w, h) = (self.start.width(), self.start.height());
        let mut row = |n: usize| -> Vec<Lit> { (0..n).map(|_| sink.variable()).collect() };
        let time = Time {
            tiles: (1..w * h).map(|_| row(self.bits())).collect(),
            h: row(w),
            v: row(h),
        };
        exactly_one(&time.h, sink);
        exactly_one(&time.v, sink);
        let t = self.times.len();
        let solved = sink.variable();
        let before = self.solved.last().copied();
        if has_parity(&self.start, &self.goal, t) {
            let goal = sink.variable();
            for lit in time.says(&self.goal) {
                sink.clause(&[-goal, lit]);
            }
            let or: Vec<Lit> = [-solved, goal].into_iter().chain(before).collect();
            sink.clause(&or);
        } else {
            let or: Vec<Lit> = [-solved].into_iter().chain(before).collect();
            sink.clause(&or);
        }
        self.times.push(time);
        self.solved.push(solved);
    }
}

/// Whether the blank can be at its goal after this many moves.
fn has_parity(start: &Board, goal: &Board, moves: usize) -> bool {
    let side = |b: &Board| b.blank() % b.width() + b.blank() / b.width();
    (side(start) + side(goal) + moves).is_multiple_of(2)
}

/// Moves as the two literals say them: by whether m0 and m1 hold.
const MOVES: [(Direction, bool, bool); 4] = [
    (Direction::Up, false, false),
    (Direction::Left, false, true),
    (Direction::Right, true, false),
    (Direction::Down, true, true),
];

/// The literals of a move that do not hold when it is made.
fn unless(moves: [Lit; 2], m0: bool, m1: bool) -> [Lit; 2] {
    [
        if m0 { -moves[0] } else { moves[0] },
        if m1 { -moves[1] } else { moves[1] },
    ]
}

/// Where the tile at a place comes from when the blank moves so; places as (column, row) from the blank.
fn origin(place: (usize, usize), direction: Direction, w: usize, h: usize) -> (usize, usize) {
    let (x, y) = place;
    // The tile that the blank passes was on one side of it and is now on the other.
    match direction {
        Direction::Right if y == 0 && x == w - 1 => (1, 0),
        Direction::Left if y == 0 && x == 1 => (w - 1, 0),
        Direction::Down if x == 0 && y == h - 1 => (0, 1),
        Direction::Up if x == 0 && y == 1 => (0, h - 1),
        Direction::Right => ((x + 1) % w, y),
        Direction::Left => ((x + w - 1) % w, y),
        Direction::Down => (x, (y + 1) % h),
        Direction::Up => (x, (y + h - 1) % h),
    }
}

impl Encoding for Rotated {
    type Move = Direction;

    fn step(&mut self, sink: &mut dyn Sink) {
        if self.times.is_empty() {
            self.add_time(sink);
            for lit in self.times[0].says(&self.start) {
                sink.clause(&[lit]);
            }
        }
        self.add_time(sink);
        let moves = [sink.variable(), sink.variable()];
        self.moves.push(moves);
        let (w, h) = (self.start.width(), self.start.height());
        let [.., now, next] = self.times.as_slice() else {
            unreachable!("two of them were added");
        };
        let mut same = |unless: [Lit; 2], a: Lit, b: Lit| {
            sink.clause(&[unless[0], unless[1], -a, b]);
            sink.clause(&[unless[0], unless[1], a, -b]);
        };
        for (direction, m0, m1) in MOVES {
            let unless = unless(moves, m0, m1);
            // 1. Where the corner is; a vector of one place cannot shift.
            let (lits, then, forward) = match direction {
                Direction::Right => (&now.h, &next.h, true),
                Direction::Left => (&now.h, &next.h, false),
                Direction::Down => (&now.v, &next.v, true),
                Direction::Up => (&now.v, &next.v, false),
            };
            let (still, stays) = if matches!(direction, Direction::Left | Direction::Right) {
                (&now.v, &next.v)
            } else {
                (&now.h, &next.h)
            };
            let last = lits.len() - 1;
            for i in 0..last {
                if forward {
                    same(unless, lits[i], then[i + 1]);
                } else {
                    same(unless, lits[i + 1], then[i]);
                }
            }
            for (&a, &b) in still.iter().zip(stays) {
                same(unless, a, b);
            }
            // 2. Every tile, one place on.
            if last > 0 {
                for place in 1..w * h {
                    let (x, y) = origin((place % w, place / w), direction, w, h);
                    let from = &now.tiles[y * w + x - 1];
                    for (&a, &b) in from.iter().zip(&next.tiles[place - 1]) {
                        same(unless, a, b);
                    }
                }
            }
        }
        // 3. Not across the border.
        for (direction, m0, m1) in MOVES {
            let unless = unless(moves, m0, m1);
            let edge = match direction {
                Direction::Right => now.h[w - 1],
                Direction::Left => now.h[0],
                Direction::Down => now.v[h - 1],
                Direction::Up => now.v[0],
            };
            sink.clause(&[unless[0], unless[1], -edge]);
        }
    }

    fn steps(&self) -> u32 {
        self.moves.len() as u32
    }

    fn solved_by(&self, k: u32) -> Lit {
        self.solved[k as usize]
    }

    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Direction> {
        let mut plan = vec![];
        for (time, moves) in self.times.iter().zip(&self.moves).take(k as usize) {
            if time.says(&self.goal).iter().all(|&lit| holds(lit)) {
                break;
            }
            let made = moves.map(holds);
            let (direction, ..) = MOVES[usize::from(made[0]) * 2 + usize::from(made[1])];
            plan.push(direction);
        }
        plan
    }

    fn literals(&self, plan: &[Direction]) -> Vec<Lit> {
        let boards = boards(&self.start, plan);
        let says = self
            .times
            .iter()
            .zip(&boards)
            .flat_map(|(time, board)| time.says(board));
        let moves = plan
            .iter()
            .zip(&self.moves)
            .flat_map(|(&direction, &moves)| {
                let (_, m0, m1) = MOVES
                    .into_iter()
                    .find(|m| m.0 == direction)
                    .expect("all four");
                unless(moves, m0, m1).map(|lit| -lit)
            });
        says.chain(moves).collect()
    }

    fn names(&self) -> Vec<(Lit, String)> {
        let mut names = vec![];
        for (t, time) in self.times.iter().enumerate() {
            let w = self.start.width();
            for (place, bits) in time.tiles.iter().enumerate() {
                let (x, y) = ((place + 1) % w, (place + 1) / w);
                let bits = bits.iter().enumerate();
                names.extend(bits.map(|(i, &l)| (l, format!("t({t},{y},{x}) bit {i}"))));
            }
            let one_hot = |lits: &[Lit], name| -> Vec<(Lit, String)> {
                let each = |(i, &l): (usize, &Lit)| (l, format!("{name}({t})={i}"));
                lits.iter().enumerate().map(each).collect()
            };
            names.extend(one_hot(&time.h, "h"));
            names.extend(one_hot(&time.v, "v"));
            names.push((self.solved[t], format!("solved by {t}")));
        }
        for (t, moves) in self.moves.iter().enumerate() {
            names.extend([
                (moves[0], format!("m0({t})")),
                (moves[1], format!("m1({t})")),
            ]);
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_shifts_the_grid_but_for_the_tile_that_is_passed() {
        // 0 1 2 3 in a row: the blank goes right, the tile 1 is now last as seen from it.
        let places = |d| {
            (1..4)
                .map(|x| origin((x, 0), d, 4, 1).0)
                .collect::<Vec<_>>()
        };
        assert_eq!(places(Direction::Right), [2, 3, 1]);
        assert_eq!(places(Direction::Left), [3, 1, 2]);
    }
}
