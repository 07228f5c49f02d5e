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
//! Edixhoven: Attacking the n-puzzle using SAT solvers. Bachelor thesis, Leiden 2016, chapters 6 and 8.

use noyes_puzzle::tiles::{Board, Direction};

use super::boards::boards;
use super::name::Extras;
use crate::sat::cnf::{Lit, Sink, at_most_one};
use crate::sat::csp::{Constraint, Csp, Int};
use crate::sat::encoding::{Encoding, Size};

/// The constraint problem of a board.
pub struct Edixhoven {
    start: Board,
    goal: Board,
    extras: Extras,
    csp: Csp,
    times: Vec<Time>,
    moves: Vec<Move>,
    /// By k: steps ≤ k.
    steps: Vec<Lit>,
    size: Size,
}

/// The variables of a step.
struct Time {
    num: Vec<Int>,
    empty_i: Int,
    empty_j: Int,
    goal: Lit,
    manhattan: Option<Int>,
}

/// The variables between two steps.
struct Move {
    d_i: Int,
    d_j: Int,
    /// Whether the tile that moves comes closer to its place.
    closer: Option<Lit>,
}

/// What a constraint counts as.
#[derive(Clone, Copy)]
enum Part {
    Essential,
    Additional,
    Manhattan,
}

impl Edixhoven {
    /// The encoding of a board and its goal.
    pub fn new(start: &Board, goal: &Board, extras: Extras) -> Edixhoven {
        Edixhoven {
            start: start.clone(),
            goal: goal.clone(),
            extras,
            csp: Csp::default(),
            times: vec![],
            moves: vec![],
            steps: vec![],
            size: Size::default(),
        }
    }

    fn post(&mut self, part: Part, formula: Constraint, sink: &mut dyn Sink) {
        match part {
            Part::Essential => self.size.essential += 1,
            Part::Additional => self.size.additional += 1,
            Part::Manhattan => self.size.manhattan += 1,
        }
        self.csp.post(formula, sink);
    }

    /// num(s, cell) = tile.
    fn num(&mut self, s: usize, cell: usize, tile: u16, sink: &mut dyn Sink) -> Constraint {
        self.csp.eq(&self.times[s].num[cell], tile.into(), sink)
    }

    /// The blank is on this cell.
    fn empty(&mut self, s: usize, cell: usize, sink: &mut dyn Sink) -> Constraint {
        let (row, column) = self.place(cell);
        let time = &self.times[s];
        Constraint::And(vec![
            self.csp.eq(&time.empty_i, row, sink),
            self.csp.eq(&time.empty_j, column, sink),
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
        let (w, h) = (self.start.width() as i32, self.start.height() as i32);
        let s = self.times.len();
        let time = Time {
            num: (0..cells)
                .map(|_| self.csp.int(0, cells as i32 - 1, sink))
                .collect(),
            empty_i: self.csp.int(0, h - 1, sink),
            empty_j: self.csp.int(0, w - 1, sink),
            goal: self.csp.boolean(sink),
            manhattan: None,
        };
        self.times.push(time);
        let by_now = self.csp.grow(&mut self.steps, sink);
        // 2a
        for cell in 0..cells {
            let blank = self.num(s, cell, 0, sink);
            let empty = self.empty(s, cell, sink);
            self.post(Part::Essential, blank.iff(empty), sink);
        }
        // 2b, one constraint of many clauses
        for tile in 0..cells {
            let mut places = vec![];
            for cell in 0..cells {
                match self.num(s, cell, tile as u16, sink) {
                    Constraint::Lit(lit) => places.push(lit),
                    _ => unreachable!("a board of two cells at least"),
                }
            }
            at_most_one(&places, sink);
            sink.clause(&places); // follows, and helps
        }
        self.size.essential += 1;
        // 2c
        let mut reached = vec![];
        for cell in 0..cells {
            let number = self.goal.tiles()[cell];
            if number != 0 {
                reached.push(self.num(s, cell, number, sink)); // the blank follows
            }
        }
        let goal = Constraint::Lit(self.times[s].goal);
        self.post(
            Part::Essential,
            goal.clone().iff(Constraint::And(reached)),
            sink,
        );
        // 2d
        self.post(Part::Essential, Constraint::Lit(by_now).implies(goal), sink);
        if self.extras.manhattan {
            self.add_distance(s, sink);
        }
    }

    /// The Manhattan distance as an integer; none of it can be left when no moves are.
    fn add_distance(&mut self, s: usize, sink: &mut dyn Sink) {
        let (first, declared) = (self.first_distance(), self.csp.declared);
        let spread = s as i32;
        let int = self.csp.int((first - spread).max(0), first + spread, sink);
        self.csp.declared = declared;
        self.size.manhattan_variables += 1;
        self.times[s].manhattan = Some(int);
        self.size.manhattan += 1;
    }

    /// "steps ≤ k" leaves k - s moves at step s, which are no fewer than the distance.
    fn bound_distances(&mut self, k: usize, sink: &mut dyn Sink) {
        for s in 0..=k {
            if let Some(int) = &self.times[s].manhattan {
                let enough = int.le((k - s) as i32);
                self.csp
                    .post(Constraint::Lit(self.steps[k]).implies(enough), sink);
            }
        }
    }

    /// The constraints 3a to 3e between the last two steps.
    fn add_move(&mut self, sink: &mut dyn Sink) {
        let cells = self.start.tiles().len();
        let s = self.moves.len();
        let mv = Move {
            d_i: self.csp.int(-1, 1, sink),
            d_j: self.csp.int(-1, 1, sink),
            closer: None,
        };
        self.moves.push(mv);
        let (still_i, still_j) = (self.d_i(s, 0, sink), self.d_j(s, 0, sink));
        let still = Constraint::And(vec![still_i.clone(), still_j.clone()]);
        // 3a
        self.post(
            Part::Essential,
            Constraint::Or(vec![still_i, still_j]),
            sink,
        );
        // 3b
        let goal = Constraint::Lit(self.times[s].goal);
        self.post(Part::Essential, goal.iff(still.clone()), sink);
        // 3c
        let stays = self.blank_moves(s, 0, 0);
        self.post(Part::Essential, still.implies(stays), sink);
        // 3d
        for (i, j) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            let made = Constraint::And(vec![self.d_i(s, i, sink), self.d_j(s, j, sink)]);
            let moves = self.blank_moves(s, i, j);
            self.post(Part::Essential, made.implies(moves), sink);
        }
        // 3e
        for cell in 0..cells {
            let here = [self.empty(s, cell, sink), self.empty(s + 1, cell, sink)];
            let same = self.times[s].num[cell].plus_is(0, &self.times[s + 1].num[cell]);
            let [before, after] = here;
            self.post(
                Part::Essential,
                Constraint::Or(vec![before, after, same]),
                sink,
            );
        }
    }

    fn d_i(&mut self, s: usize, v: i32, sink: &mut dyn Sink) -> Constraint {
        self.csp.eq(&self.moves[s].d_i, v, sink)
    }

    fn d_j(&mut self, s: usize, v: i32, sink: &mut dyn Sink) -> Constraint {
        self.csp.eq(&self.moves[s].d_j, v, sink)
    }

    /// The blank moves by (i, j) after step s.
    fn blank_moves(&self, s: usize, i: i32, j: i32) -> Constraint {
        let (now, next) = (&self.times[s], &self.times[s + 1]);
        Constraint::And(vec![
            now.empty_i.plus_is(i, &next.empty_i),
            now.empty_j.plus_is(j, &next.empty_j),
        ])
    }

    /// Move s does not undo the one before.
    fn forbid_undo(&mut self, s: usize, sink: &mut dyn Sink) {
        for v in [1, -1] {
            let (before, now) = (self.d_i(s - 1, v, sink), self.d_i(s, -v, sink));
            self.post(Part::Additional, before.implies(now.not()), sink);
            let (before, now) = (self.d_j(s - 1, v, sink), self.d_j(s, -v, sink));
            self.post(Part::Additional, before.implies(now.not()), sink);
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
            let mut complete = |s: usize| {
                let cells = block.iter();
                let formulas = cells.map(|&cell| {
                    let tile = self.goal.tiles()[cell];
                    self.csp.eq(&self.times[s].num[cell], tile.into(), sink)
                });
                Constraint::And(formulas.collect())
            };
            let (now, next) = (complete(s), complete(s + 1));
            self.post(Part::Additional, now.implies(next), sink);
        }
    }

    /// The distance changes as the tile that moves comes closer to its place or goes away from it.
    fn carry_distance(&mut self, s: usize, sink: &mut dyn Sink) {
        let cells = self.start.tiles().len();
        let closer = sink.variable();
        self.moves[s].closer = Some(closer);
        self.size.manhattan_variables += 1;
        for from in 0..cells {
            for direction in Direction::ALL {
                let Some(to) = self.start.neighbour(from, direction) else {
                    continue;
                };
                let (before, after) = (self.empty(s, from, sink), self.empty(s + 1, to, sink));
                for tile in 1..cells as u16 {
                    let comes = self.distance(tile, from) < self.distance(tile, to);
                    let which = Constraint::Lit(if comes { closer } else { -closer });
                    let moved = self.num(s, to, tile, sink);
                    let made = Constraint::And(vec![before.clone(), after.clone(), moved]);
                    self.csp.post(made.implies(which), sink);
                }
            }
        }
        self.size.manhattan += 1;
        let goal = Constraint::Lit(self.times[s].goal);
        let change = |c| {
            let of = |s: usize| {
                self.times[s]
                    .manhattan
                    .as_ref()
                    .expect("made with the step")
            };
            of(s).plus_is(c, of(s + 1))
        };
        let changes = [
            goal.clone().implies(change(0)),
            Constraint::Or(vec![goal.clone(), Constraint::Lit(-closer), change(-1)]),
            Constraint::Or(vec![goal, Constraint::Lit(closer), change(1)]),
        ];
        self.post(Part::Manhattan, Constraint::And(changes.into()), sink);
    }
}

impl Encoding for Edixhoven {
    type Move = Direction;

    fn step(&mut self, sink: &mut dyn Sink) {
        if self.times.is_empty() {
            self.add_time(sink);
            // 1
            for cell in 0..self.start.tiles().len() {
                let is = self.num(0, cell, self.start.tiles()[cell], sink);
                self.post(Part::Essential, is, sink);
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
        self.steps[k as usize]
    }

    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Direction> {
        let moves = self.moves.iter().take(k as usize);
        let direction = |mv: &Move| match (mv.d_i.value(holds), mv.d_j.value(holds)) {
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
            for (int, &tile) in time.num.iter().zip(board.tiles()) {
                says.extend(int.says(tile.into()));
            }
            let (row, column) = self.place(board.blank());
            says.extend(time.empty_i.says(row));
            says.extend(time.empty_j.says(column));
        }
        says
    }

    fn names(&self) -> Vec<(Lit, String)> {
        let mut names = vec![];
        for (s, time) in self.times.iter().enumerate() {
            for (cell, int) in time.num.iter().enumerate() {
                let (i, j) = self.place(cell);
                names.extend(int.names(&format!("num({s},{i},{j})")));
            }
            names.extend(time.empty_i.names(&format!("empty_i({s})")));
            names.extend(time.empty_j.names(&format!("empty_j({s})")));
            if let Some(int) = &time.manhattan {
                names.extend(int.names(&format!("manhattan({s})")));
            }
            names.push((time.goal, format!("goal({s})")));
            names.push((self.steps[s], format!("steps<={s}")));
        }
        for (s, mv) in self.moves.iter().enumerate() {
            names.extend(mv.d_i.names(&format!("d_i({s})")));
            names.extend(mv.d_j.names(&format!("d_j({s})")));
            names.extend(mv.closer.map(|lit| (lit, format!("closer({s})"))));
        }
        names
    }

    fn size(&self) -> Option<Size> {
        Some(Size {
            variables: self.csp.declared,
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
