//! Transition formulas: the next board is this one with two cells exchanged.
//!
//! A variable for each step, cell and tile. Basic constraints: every cell holds exactly one tile and no tile stands
//! twice, the last board is the goal, and the board two steps on is not this one again. For every cell there is a
//! transition formula: if the blank is there, one of the exchanges with its neighbours is made, two in a corner, three
//! at an edge, four elsewhere ("filler"). The exchange of two cells is one and the same formula seen from either. Its
//! conclusion proposes to collect them in a set so that none stands twice; so it is here, one literal for each pair of
//! cells that touch, half as many as there are moves. with `repeated` every cell has its own, as the thesis writes them first.
//!
//! The corner formula of the thesis exchanges x0 with y4, which are two cells apart diagonally: it should be y3.
//!
//! The thesis writes "not the same board" as "all cells differ", which forbids too much. After two moves the board
//! is the same if and only if the blank is where it was, which is what the clauses here forbid. On a board of one row
//! or column the blank could then get stuck at the end, so they are left out there.
//!
//! Large: about twice the cube of the cells, in every step (972 clauses for 3×3, 6,144 for 4×4, and the constraints), and
//! about four times with `repeated`. The thesis says that the formula grows exponentially with the cells; it does not.
//!
//! Stalzer: 15 Puzzle. Bachelor thesis, 2019, section 4.

use std::collections::BTreeSet;

use noyes_puzzle::tiles::{Board, Direction};

use super::boards::boards;
use crate::sat::cnf::{Lit, Sink, at_most_one, exactly_one};
use crate::sat::encoding::Encoding;

/// The transition formulas of a board.
pub struct Transitions {
    start: Board,
    goal: Board,
    repeated: bool,
    /// Cells that touch: the smaller first, each pair once, or all moves from the first to the second.
    pairs: Vec<(usize, usize)>,
    /// By step, cell and tile.
    tiles: Vec<Vec<Vec<Lit>>>,
    /// By step and pair: these two cells are exchanged.
    exchanges: Vec<Vec<Lit>>,
    /// By k: one of the boards up to k is the goal.
    solved: Vec<Lit>,
}

impl Transitions {
    /// The encoding of a board and its goal, with exchanges once or, if `repeated`, once from either cell.
    pub fn new(start: &Board, goal: &Board, repeated: bool) -> Transitions {
        let mut pairs = BTreeSet::new();
        for cell in 0..start.tiles().len() {
            for direction in Direction::ALL {
                if let Some(next) = start.neighbour(cell, direction) {
                    pairs.insert(if repeated {
                        (cell, next)
                    } else {
                        (cell.min(next), cell.max(next))
                    });
                }
            }
        }
        Transitions {
            start: start.clone(),
            goal: goal.clone(),
            repeated,
            pairs: pairs.into_iter().collect(),
            tiles: vec![],
            exchanges: vec![],
            solved: vec![],
        }
    }

    /// Whether an exchange can be made with the blank on this cell.
    fn leaves(&self, (a, b): (usize, usize), cell: usize) -> bool {
        a == cell || (b == cell && !self.repeated)
    }

    /// The literals that say where each tile is.
    fn says(tiles: &[Vec<Lit>], board: &Board) -> impl Iterator<Item = Lit> {
        let cells = tiles.iter().zip(board.tiles());
        cells.map(|(tiles, &tile)| tiles[usize::from(tile)])
    }

    /// Adds one more board, valid in itself, and whether the goal is reached by it.
    fn add_board(&mut self, sink: &mut dyn Sink) {
        let cells = self.start.tiles().len();
        let tiles: Vec<Vec<Lit>> = (0..cells)
            .map(|_| (0..cells).map(|_| sink.variable()).collect())
            .collect();
        for cell in &tiles {
            exactly_one(cell, sink);
        }
        for tile in 0..cells {
            let places: Vec<Lit> = tiles.iter().map(|cell| cell[tile]).collect();
            at_most_one(&places, sink);
        }
        let (solved, goal) = (sink.variable(), sink.variable());
        for lit in Transitions::says(&tiles, &self.goal) {
            sink.clause(&[-goal, lit]);
        }
        let or: Vec<Lit> = [-solved, goal]
            .into_iter()
            .chain(self.solved.last().copied())
            .collect();
        sink.clause(&or);
        self.solved.push(solved);
        self.tiles.push(tiles);
    }
}

impl Encoding for Transitions {
    type Move = Direction;

    fn step(&mut self, sink: &mut dyn Sink) {
        if self.tiles.is_empty() {
            self.add_board(sink);
            for lit in Transitions::says(&self.tiles[0], &self.start) {
                sink.clause(&[lit]);
            }
        }
        self.add_board(sink);
        let t = self.tiles.len() - 1;
        let (now, next) = (&self.tiles[t - 1], &self.tiles[t]);
        let exchange: Vec<Lit> = self.pairs.iter().map(|_| sink.variable()).collect();
        for (&(a, b), &made) in self.pairs.iter().zip(&exchange) {
            let mut from = vec![-made, now[a][0]];
            from.extend((!self.repeated).then_some(now[b][0]));
            sink.clause(&from);
            for (cell, tiles) in now.iter().enumerate() {
                let to = match cell {
                    c if c == a => b,
                    c if c == b => a,
                    c => c,
                };
                for (&before, &after) in tiles.iter().zip(&next[to]) {
                    sink.clause(&[-made, -before, after]);
                }
            }
        }
        for (cell, tiles) in now.iter().enumerate() {
            let here = self.pairs.iter().zip(&exchange);
            let here = here.filter(|(pair, _)| self.leaves(**pair, cell));
            let one: Vec<Lit> = [-tiles[0]]
                .into_iter()
                .chain(here.map(|(_, &e)| e))
                .collect();
            sink.clause(&one);
        }
        if t >= 2 && self.start.width() > 1 && self.start.height() > 1 {
            for (before, after) in self.tiles[t - 2].iter().zip(next) {
                sink.clause(&[-before[0], -after[0]]);
            }
        }
        self.exchanges.push(exchange);
    }

    fn steps(&self) -> u32 {
        self.exchanges.len() as u32
    }

    fn solved_by(&self, k: u32) -> Lit {
        self.solved[k as usize]
    }

    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Direction> {
        let mut plan = vec![];
        let mut blank = self.start.blank();
        for (tiles, exchange) in self.tiles.iter().zip(&self.exchanges).take(k as usize) {
            if Transitions::says(tiles, &self.goal).all(holds) {
                break;
            }
            let mut here = self.pairs.iter().zip(exchange);
            // A wrong model may have no exchange: the plan then ends, and does not pass its replay.
            let made = here.find(|(pair, e)| self.leaves(**pair, blank) && holds(**e));
            let Some((&(a, b), _)) = made else { break };
            let to = if a == blank { b } else { a };
            plan.push(Direction::between(blank, to, self.start.width()));
            blank = to;
        }
        plan
    }

    fn literals(&self, plan: &[Direction]) -> Vec<Lit> {
        let boards = boards(&self.start, plan);
        let says = self.tiles.iter().zip(&boards);
        says.flat_map(|(tiles, board)| Transitions::says(tiles, board))
            .collect()
    }

    fn names(&self) -> Vec<(Lit, String)> {
        let mut names = vec![];
        for (t, cells) in self.tiles.iter().enumerate() {
            for (cell, tiles) in cells.iter().enumerate() {
                let tiles = tiles.iter().enumerate();
                names.extend(tiles.map(|(tile, &l)| (l, format!("x({t},{cell})={tile}"))));
            }
            names.push((self.solved[t], format!("solved by {t}")));
        }
        for (t, exchange) in self.exchanges.iter().enumerate() {
            let pairs = self.pairs.iter().zip(exchange);
            names.extend(pairs.map(|((a, b), &l)| (l, format!("exchange({t},{a},{b})"))));
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::cnf::Cnf;

    #[test]
    fn no_transition_stands_twice_unless_it_is_to() {
        let board = Board::blank_last(3, 3);
        let pairs = |repeated| Transitions::new(&board, &board, repeated).pairs.len();
        assert_eq!((pairs(false), pairs(true)), (12, 24)); // there are 24 moves
    }

    #[test]
    fn the_size_of_a_step_is_as_the_essay_says() {
        for (side, exchanges) in [(3, 972), (4, 6144)] {
            for (repeated, times) in [(false, 1), (true, 2)] {
                let board = Board::blank_last(side, side);
                let mut encoding = Transitions::new(&board, &board, repeated);
                let mut cnf = Cnf::default();
                encoding.step(&mut cnf);
                let three = cnf
                    .clauses()
                    .filter(|c| c.iter().map(|l| l.is_positive()).eq([false, false, true]));
                assert_eq!(three.count(), times * exchanges);
            }
        }
    }
}
