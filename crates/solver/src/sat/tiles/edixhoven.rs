//! Edixhoven's constraint problem: integers for what each cell holds and where the blank is.
//!
//! For every step s the number `num(s,i,j)` on each cell, the row and column `empty_i(s)` and `empty_j(s)` of the blank,
//! its movement `d_i(s)` and `d_j(s)`, and whether the goal is reached, `goal(s)`; once for all, how many `steps` are
//! used. The constraints are those of section 6.2, by its numbers: 1 the start, 2a two ways to say where the blank is,
//! 2b all numbers differ, 2c what the goal is, 2d `steps`, 3a no diagonal moves, 3b moves are made until the goal is
//! reached and not after, 3c and 3d the blank moves as they say, 3e the other cells keep their numbers. In 3d the
//! thesis bounds the new place by `h` and `w`, one more than there is; here the domain of the variable bounds it.
//!
//! After the goal all stands still, so "`steps` ≤ k" means a plan of at most k moves whatever is unrolled. The domain of
//! `steps` grows with the formula: its order literals are the questions that the bounds ask.
//!
//! Extras: `no-undo` and `blocks` are section 6.3's additional constraints, `manhattan` what chapter 8 proposes: at
//! each step the moves left are no fewer than the Manhattan distance, which is an integer of its own here, carried from
//! step to step by the one tile that moves. `blocks` keeps rows, from the top, and columns, from the left, in place
//! once they are complete. An optimal plan may have to break them, so optimality is given up, as the thesis says; where
//! the goal has its blank at the top or left, they are counted from the other side.
//!
//! How `blocks` reads the thesis: its block of height cap, from 1 to h - 2, has the rows i ∈ [0, cap] and the columns
//! j ∈ [0, w]. There is no column w, so these intervals leave out their ends, as those of 3d do, and a block of height
//! cap has cap rows. (With its end, the least block on 3×3 would be two rows: it would never keep the first row alone,
//! and what remains of the largest would be a single row, in which no tile can pass another.) Both readings have the same
//! number of constraints. The thesis does not say when it uses `blocks`. The suites use them with its flag opt set to False, an
//! assumption: with True they would contradict what the flag promises.
//!
//! `noyes encode --csp` prints all of this for a board (`problem.rs`).
//!
//! Edixhoven: Attacking the n-puzzle using SAT solvers. Bachelor thesis, Leiden 2016, chapters 6 and 8.

use noyes_puzzle::tiles::{Board, Direction};

use super::boards::boards;
use super::name::Extras;
use crate::sat::cnf::{Lit, Sink};
use crate::sat::csp::{Csp, Formula, Name, Var};
use crate::sat::encoding::{Encoding, Size};

/// The constraint problem of a board.
pub struct Edixhoven {
    start: Board,
    goal: Board,
    extras: Extras,
    csp: Csp,
    times: Vec<Time>,
    moves: Vec<Move>,
    steps: Var,
    size: Size,
}

/// The variables of a step.
struct Time {
    num: Vec<Var>,
    empty_i: Var,
    empty_j: Var,
    goal: Var,
    manhattan: Option<Var>,
}

/// The variables between two steps.
struct Move {
    d_i: Var,
    d_j: Var,
}

/// What a constraint counts as.
#[derive(Clone, Copy)]
enum Part {
    Essential,
    Additional,
    Manhattan,
}

/// The number of what is about the Manhattan distance, which the thesis does not number.
const MANHATTAN: &str = "M";

impl Edixhoven {
    /// The encoding of a board and its goal.
    pub fn new(start: &Board, goal: &Board, extras: Extras) -> Edixhoven {
        let mut csp = Csp::default();
        let steps = csp.growing("1", Name::new("steps", &[]));
        Edixhoven {
            start: start.clone(),
            goal: goal.clone(),
            extras,
            csp,
            times: vec![],
            moves: vec![],
            steps,
            size: Size::default(),
        }
    }

    /// The same, with its constraints kept to be printed.
    pub(crate) fn kept(mut self) -> Edixhoven {
        self.csp.keep();
        self
    }

    /// The variables and constraints so far.
    pub(crate) fn csp(&self) -> &Csp {
        &self.csp
    }

    fn post(&mut self, part: Part, number: &'static str, formula: Formula, sink: &mut dyn Sink) {
        match part {
            Part::Essential => self.size.essential += 1,
            Part::Additional => self.size.additional += 1,
            Part::Manhattan => self.size.manhattan += 1,
        }
        self.csp.post(number, formula, sink);
    }

    /// num(s, cell) = tile.
    fn num(&self, s: usize, cell: usize, tile: u16) -> Formula {
        Formula::Is(self.times[s].num[cell], tile.into())
    }

    /// The blank is on this cell.
    fn empty(&self, s: usize, cell: usize) -> Formula {
        let (row, column) = self.place(cell);
        let time = &self.times[s];
        Formula::And(vec![
            Formula::Is(time.empty_i, row),
            Formula::Is(time.empty_j, column),
        ])
    }

    fn place(&self, cell: usize) -> (i32, i32) {
        let width = self.start.width();
        ((cell / width) as i32, (cell % width) as i32)
    }

    /// Steps of a tile to its place from here.
    fn distance(&self, tile: u16, cell: usize) -> i32 {
        let home = usize::from(self.goal.places()[usize::from(tile)]);
        let ((a, b), (c, d)) = (self.place(cell), self.place(home));
        (a - c).abs() + (b - d).abs()
    }

    /// The Manhattan distance of the start.
    fn first_distance(&self) -> i32 {
        let tiles = self.start.tiles().iter().enumerate();
        tiles
            .filter(|(_, t)| **t != 0)
            .map(|(cell, &t)| self.distance(t, cell))
            .sum()
    }

    /// Variables of one more step, and the constraints 2a to 2d.
    fn add_time(&mut self, sink: &mut dyn Sink) {
        let cells = self.start.tiles().len();
        let (w, h) = (self.start.width(), self.start.height());
        let s = self.times.len();
        let csp = &mut self.csp;
        let time = Time {
            num: (0..cells)
                .map(|cell| {
                    let name = Name::new("num", &[s, cell / w, cell % w]);
                    csp.int("3", name, (0, cells as i32 - 1), sink)
                })
                .collect(),
            empty_i: csp.int("2", Name::new("empty_i", &[s]), (0, h as i32 - 1), sink),
            empty_j: csp.int("2", Name::new("empty_j", &[s]), (0, w as i32 - 1), sink),
            goal: csp.boolean("4", Name::new("goal", &[s]), sink),
            manhattan: None,
        };
        csp.grow(self.steps, sink);
        let goal = Formula::Is(time.goal, 1);
        let numbers = time.num.clone();
        self.times.push(time);
        // 2a
        for cell in 0..cells {
            let blank = self.num(s, cell, 0).iff(self.empty(s, cell));
            self.post(Part::Essential, "2a", blank, sink);
        }
        // 2b
        let differ = Formula::AllDifferent(numbers);
        self.post(Part::Essential, "2b", differ, sink);
        // 2c
        let tiles = self.goal.tiles().iter().enumerate();
        let tiles = tiles.filter(|(_, number)| **number != 0); // the blank follows
        let reached = tiles.map(|(cell, &number)| self.num(s, cell, number));
        let reached = goal.clone().iff(Formula::And(reached.collect()));
        self.post(Part::Essential, "2c", reached, sink);
        // 2d
        let by_now = Formula::AtMost(self.steps, s as i32);
        self.post(Part::Essential, "2d", by_now.implies(goal), sink);
        if self.extras.manhattan {
            self.add_distance(s, sink);
        }
    }

    /// The Manhattan distance as an integer; none of it can be left when no moves are.
    fn add_distance(&mut self, s: usize, sink: &mut dyn Sink) {
        let (first, spread) = (self.first_distance(), s as i32);
        let domain = ((first - spread).max(0), first + spread);
        let name = Name::new("manhattan", &[s]);
        let int = self.csp.int(MANHATTAN, name, domain, sink);
        self.size.manhattan_variables += 1;
        self.times[s].manhattan = Some(int);
        self.size.manhattan += 1;
        let enough = Formula::LeavesRoom(self.steps, int, spread);
        let enough = Formula::Or(vec![enough, Formula::Is(int, 0)]);
        self.csp.note(MANHATTAN, enough); // its clauses come as `steps` grows
    }

    /// "steps ≤ k" leaves k - s moves at step s, which are no fewer than the distance.
    fn bound_distances(&mut self, k: usize, sink: &mut dyn Sink) {
        for s in 0..=k {
            if let Some(int) = self.times[s].manhattan {
                let enough = Formula::AtMost(int, (k - s) as i32);
                let enough = Formula::AtMost(self.steps, k as i32).implies(enough);
                self.csp.write(&enough, sink);
            }
        }
    }

    /// The constraints 3a to 3e between the last two steps.
    fn add_move(&mut self, sink: &mut dyn Sink) {
        let cells = self.start.tiles().len();
        let s = self.moves.len();
        let mv = Move {
            d_i: self.csp.int("5", Name::new("d_i", &[s]), (-1, 1), sink),
            d_j: self.csp.int("5", Name::new("d_j", &[s]), (-1, 1), sink),
        };
        self.moves.push(mv);
        let still = Formula::And(vec![self.d_i(s, 0), self.d_j(s, 0)]);
        // 3a
        let straight = Formula::Or(vec![self.d_i(s, 0), self.d_j(s, 0)]);
        self.post(Part::Essential, "3a", straight, sink);
        // 3b
        let goal = Formula::Is(self.times[s].goal, 1);
        self.post(Part::Essential, "3b", goal.iff(still.clone()), sink);
        // 3c
        let stays = self.blank_moves(s, 0, 0);
        self.post(Part::Essential, "3c", still.implies(stays), sink);
        // 3d
        for (i, j) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let made = Formula::And(vec![self.d_i(s, i), self.d_j(s, j)]);
            let moves = self.blank_moves(s, i, j);
            self.post(Part::Essential, "3d", made.implies(moves), sink);
        }
        // 3e
        for cell in 0..cells {
            let here = Formula::Or(vec![self.empty(s, cell), self.empty(s + 1, cell)]);
            let (now, next) = (self.times[s].num[cell], self.times[s + 1].num[cell]);
            let same = Formula::Shifted(now, 0, next);
            self.post(Part::Essential, "3e", here.not().implies(same), sink);
        }
    }

    fn d_i(&self, s: usize, v: i32) -> Formula {
        Formula::Is(self.moves[s].d_i, v)
    }

    fn d_j(&self, s: usize, v: i32) -> Formula {
        Formula::Is(self.moves[s].d_j, v)
    }

    /// The blank moves by (i, j) after step s.
    fn blank_moves(&self, s: usize, i: i32, j: i32) -> Formula {
        let (now, next) = (&self.times[s], &self.times[s + 1]);
        Formula::And(vec![
            Formula::Shifted(now.empty_i, i, next.empty_i),
            Formula::Shifted(now.empty_j, j, next.empty_j),
        ])
    }

    /// Move s does not undo the one before.
    fn forbid_undo(&mut self, s: usize, sink: &mut dyn Sink) {
        for v in [1, -1] {
            for of in [Edixhoven::d_i, Edixhoven::d_j] {
                let undone = of(self, s - 1, v).implies(of(self, s, -v).not());
                self.post(Part::Additional, "undo", undone, sink);
            }
        }
    }

    /// The blocks that stay once they are complete: rows and columns on the far side of the goal's blank, all but two.
    fn blocks(&self) -> Vec<Vec<usize>> {
        let (w, h) = (self.goal.width(), self.goal.height());
        let (row, column) = (self.goal.blank() / w, self.goal.blank() % w);
        let mut blocks = vec![];
        let mut lines = |count: usize, blank: usize, line: &dyn Fn(usize) -> Vec<usize>| {
            let from_end = blank < count - 1 - blank;
            let (space, at): (usize, Box<dyn Fn(usize) -> usize>) = if from_end {
                (count - 1 - blank, Box::new(move |i| count - 1 - i))
            } else {
                (blank, Box::new(|i| i))
            };
            for cap in 1..=count.saturating_sub(2).min(space) {
                blocks.push((0..cap).flat_map(|i| line(at(i))).collect());
            }
        };
        lines(h, row, &|i| (0..w).map(|j| i * w + j).collect());
        lines(w, column, &|j| (0..h).map(|i| i * w + j).collect());
        blocks
    }

    fn keep_blocks(&mut self, s: usize, sink: &mut dyn Sink) {
        for block in self.blocks() {
            let complete = |s: usize| {
                let cells = block.iter();
                let formulas = cells.map(|&cell| self.num(s, cell, self.goal.tiles()[cell]));
                Formula::And(formulas.collect())
            };
            let stays = complete(s).implies(complete(s + 1));
            self.post(Part::Additional, "blocks", stays, sink);
        }
    }

    /// The distance changes as the tile that moves comes closer to its place or goes away from it.
    fn carry_distance(&mut self, s: usize, sink: &mut dyn Sink) {
        let cells = self.start.tiles().len();
        let closer = self.csp.boolean(MANHATTAN, Name::new("closer", &[s]), sink);
        self.size.manhattan_variables += 1;
        let mut every = vec![];
        for from in 0..cells {
            for direction in Direction::ALL {
                let Some(to) = self.start.neighbour(from, direction) else {
                    continue;
                };
                for tile in 1..cells as u16 {
                    let comes = self.distance(tile, from) < self.distance(tile, to);
                    let (before, after) = (self.empty(s, from), self.empty(s + 1, to));
                    let made = Formula::And(vec![before, after, self.num(s, to, tile)]);
                    every.push(made.implies(Formula::Is(closer, comes.into())));
                }
            }
        }
        self.post(Part::Manhattan, MANHATTAN, Formula::And(every), sink);
        let goal = Formula::Is(self.times[s].goal, 1);
        let change = |c| {
            let of = |s: usize| self.times[s].manhattan.expect("made with the step");
            Formula::Shifted(of(s), c, of(s + 1))
        };
        let changes = [
            goal.clone().implies(change(0)),
            Formula::Or(vec![goal.clone(), Formula::Is(closer, 0), change(-1)]),
            Formula::Or(vec![goal, Formula::Is(closer, 1), change(1)]),
        ];
        self.post(
            Part::Manhattan,
            MANHATTAN,
            Formula::And(changes.into()),
            sink,
        );
    }
}

impl Encoding for Edixhoven {
    type Move = Direction;

    fn step(&mut self, sink: &mut dyn Sink) {
        if self.times.is_empty() {
            self.add_time(sink);
            // 1
            for cell in 0..self.start.tiles().len() {
                let is = self.num(0, cell, self.start.tiles()[cell]);
                self.post(Part::Essential, "1", is, sink);
            }
            self.bound_distances(0, sink);
        }
        self.add_time(sink);
        self.add_move(sink);
        let s = self.moves.len() - 1;
        if self.extras.no_undo && s > 0 {
            self.forbid_undo(s, sink);
        }
        if self.extras.blocks {
            self.keep_blocks(s, sink);
        }
        if self.extras.manhattan {
            self.carry_distance(s, sink);
            self.bound_distances(s + 1, sink);
        }
    }

    fn steps(&self) -> u32 {
        self.moves.len() as u32
    }

    fn solved_by(&self, k: u32) -> Lit {
        self.csp.lit(self.steps, k as i32)
    }

    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Direction> {
        let moves = self.moves.iter().take(k as usize);
        let value = |x| self.csp.value(x, holds);
        let direction = |mv: &Move| match (value(mv.d_i), value(mv.d_j)) {
            (-1, _) => Some(Direction::Up),
            (1, _) => Some(Direction::Down),
            (_, -1) => Some(Direction::Left),
            (_, 1) => Some(Direction::Right),
            _ => None,
        };
        moves.map_while(direction).collect()
    }

    fn literals(&self, plan: &[Direction]) -> Vec<Lit> {
        let mut says = vec![];
        for (time, board) in self.times.iter().zip(boards(&self.start, plan)) {
            for (&num, &tile) in time.num.iter().zip(board.tiles()) {
                says.extend(self.csp.says(num, tile.into()));
            }
            let (row, column) = self.place(board.blank());
            says.extend(self.csp.says(time.empty_i, row));
            says.extend(self.csp.says(time.empty_j, column));
        }
        says
    }

    fn names(&self) -> Vec<(Lit, String)> {
        self.csp.names()
    }

    fn size(&self) -> Option<Size> {
        Some(Size {
            variables: self.csp.count_but(MANHATTAN),
            ..self.size
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::cnf::Cnf;
    use crate::sat::encoding::unroll;

    fn size(side: usize, steps: u32) -> Size {
        let board = Board::blank_last(side, side);
        let extras = Extras {
            no_undo: true,
            manhattan: true,
            blocks: true,
        };
        let mut encoding = Edixhoven::new(&board, &board, extras);
        unroll(&mut encoding, steps, &mut Cnf::default());
        encoding.size().unwrap()
    }

    #[test]
    fn counts_are_those_of_the_thesis() {
        let counts = |s: Size| (s.variables, s.essential, s.additional);
        assert_eq!(counts(size(3, 32)), (461, 917, 188));
        assert_eq!(counts(size(4, 64)), (1364, 2723, 508));
    }

    #[test]
    fn blocks_lie_away_from_the_blank_of_the_goal() {
        let blocks = |goal: &Board| Edixhoven::new(goal, goal, Extras::default()).blocks();
        assert_eq!(
            blocks(&Board::blank_last(3, 3)),
            [vec![0, 1, 2], vec![0, 3, 6]]
        );
        assert_eq!(
            blocks(&Board::blank_first(3, 3)),
            [vec![6, 7, 8], vec![2, 5, 8]]
        );
        assert!(blocks(&Board::blank_last(2, 2)).is_empty());
        assert_eq!(
            blocks(&"1 2 3/4 0 5/6 7 8".parse().unwrap()),
            [vec![0, 1, 2], vec![0, 3, 6]]
        );
    }
}
