//! The human method: row by row, then the last two rows column by column.
//!
//! 1. The tiles of a row but the last two go straight to their places, each by
//!    the blank walking around it.
//! 2. The last two cannot be placed like that: the second of them would push out the
//!    first. They go to a set-up position, the last tile in the place of its
//!    neighbour, the neighbour behind it and the blank in the corner, from where
//!    two moves bring both home.
//! 3. The same for the next rows, until two are left.
//! 4. The first column of these is set up and solved like the end of a row, turned by
//!    a quarter.
//! 5. The same for the next columns, until two are left.
//! 6. The last three tiles rotate until they are home.
//!
//! If the goal's blank is in the line to solve next, the line on the opposite side is
//! solved instead, so that the blank's place is always in the unsolved rest. The method
//! works because the unsolved cells stay connected without the tile that is being moved.
//! Only one tangle needs a small search: the second last tile in the corner of the row,
//! behind the last one.
//!
//! The plan is far from optimal, with three to five moves for every step of a tile, but it
//! is found at once: each move depends on a few cells only, so the time for an n×n board
//! is proportional to the length of its plan, about 2.8·n³ moves.
//!
//! Stalzer: 15 Puzzle, 2019, section 2.3 "Human solving approach".

use std::collections::VecDeque;

use noyes_puzzle::tiles::{Board, Direction, solvable};

use crate::answer::{HumanStep, Outcome, Status};
use crate::control::{Control, Stop};
use crate::counts::{Bounds, Counts};

/// Finds a plan as people do. `lower` is a lower bound on the optimum that is already known.
///
/// The steps together are the plan.
///
/// # Panics
/// If the two boards differ in size, or the goal cannot be reached from the start.
pub fn human(
    start: &Board,
    goal: &Board,
    lower: u32,
    control: &Control,
) -> (Outcome<Direction>, Vec<HumanStep>) {
    assert!(solvable(start, goal).is_ok(), "a goal that can be reached");
    control.raise_lower(lower);
    let mut hand = Hand::new(start, goal, control);
    let done = if start.width() == 1 || start.height() == 1 {
        hand.walk_home();
        Ok(())
    } else {
        hand.solve()
    };
    let counts = hand.counts();
    if let Err(stop) = done {
        return (Outcome::stopped(stop, lower, counts), vec![]);
    }
    let cost = hand.plan.len() as u32;
    let status = if cost == lower {
        Status::Optimal
    } else {
        Status::Solved
    };
    let steps = hand.steps();
    let outcome = Outcome {
        status,
        bounds: Bounds {
            lower,
            upper: Some(cost),
        },
        plan: Some(hand.plan),
        counts,
    };
    (outcome, steps)
}

/// A cell as a line sees it: how deep behind the line, and how far along it.
type At = (i32, i32);

/// The board being solved.
struct Hand<'a> {
    width: usize,
    goal: &'a Board,
    control: &'a Control,
    /// The tile on each cell.
    tiles: Vec<u16>,
    /// The cell of each tile.
    place: Vec<u16>,
    plan: Vec<Direction>,
    marks: Vec<Mark>,
}

/// Where a step ends in the plan, and which tiles it solved.
struct Mark {
    number: u8,
    tiles: Vec<u16>,
    setup: Option<usize>,
    end: usize,
}

impl<'a> Hand<'a> {
    fn new(start: &Board, goal: &'a Board, control: &'a Control) -> Self {
        Hand {
            width: start.width(),
            goal,
            control,
            tiles: start.tiles().to_vec(),
            place: start.places(),
            plan: vec![],
            marks: vec![],
        }
    }

    /// On a single row or column the blank can only walk.
    fn walk_home(&mut self) {
        let target = self.goal.blank();
        let mut moved = vec![];
        loop {
            let blank = usize::from(self.place[0]);
            let next = match blank.cmp(&target) {
                std::cmp::Ordering::Less => blank + 1,
                std::cmp::Ordering::Greater => blank - 1,
                std::cmp::Ordering::Equal => break,
            };
            moved.push(self.tiles[next]);
            self.slide(next);
        }
        self.mark(1, moved, None);
    }

    fn solve(&mut self) -> Result<(), Stop> {
        let blank = (
            self.goal.blank() / self.width,
            self.goal.blank() % self.width,
        );
        // The unsolved rows and columns, as half-open ranges.
        let (mut rows, mut columns) = ((0, self.goal.height()), (0, self.width));
        let mut first = true;
        while rows.1 - rows.0 > 2 {
            let from_below = blank.0 == rows.0;
            let view = View::of_row(self.width, rows, from_below);
            self.solve_row(view, first)?;
            narrow(&mut rows, from_below);
            first = false;
        }
        first = true;
        while columns.1 - columns.0 > 2 {
            let from_right = blank.1 == columns.0;
            let view = View::of_column(self.width, rows.0, columns, from_right);
            let tiles = view.line().map(|at| self.wanted(&view, at)).collect();
            let setup = Line::new(self, view).set_up_the_last_two()?;
            self.mark(if first { 4 } else { 5 }, tiles, setup);
            narrow(&mut columns, from_right);
            first = false;
        }
        self.rotate(rows.0 * self.width + columns.0);
        Ok(())
    }

    /// Steps 1 and 2, or both as step 3.
    fn solve_row(&mut self, view: View, first: bool) -> Result<(), Stop> {
        let mut tiles: Vec<u16> = view.line().map(|at| self.wanted(&view, at)).collect();
        Line::new(self, view).all_but_the_last_two()?;
        if first {
            let last_two = tiles.split_off(tiles.len() - 2);
            if !tiles.is_empty() {
                self.mark(1, tiles, None);
            }
            tiles = last_two;
        }
        let setup = Line::new(self, view).set_up_the_last_two()?;
        self.mark(if first { 2 } else { 3 }, tiles, setup);
        Ok(())
    }

    /// Step 6: the three tiles of a 2×2 square rotate, the shorter way round.
    fn rotate(&mut self, corner: usize) {
        let ring = [
            corner,
            corner + 1,
            corner + self.width + 1,
            corner + self.width,
        ];
        let goal = ring.map(|cell| self.goal.tiles()[cell]);
        let blank = |tiles: [u16; 4]| tiles.iter().position(|&t| t == 0).expect("in the rest");
        let turns = |way: usize| {
            let mut tiles = ring.map(|cell| self.tiles[cell]);
            (0..12).find(|_| {
                let home = tiles == goal;
                let at = blank(tiles);
                tiles.swap(at, (at + way) % 4);
                home
            })
        };
        let way = [1, 3]
            .into_iter()
            .min_by_key(|&way| turns(way).unwrap_or(12))
            .expect("two ways");
        for _ in 0..turns(way).expect("a solvable board") {
            let at = blank(ring.map(|cell| self.tiles[cell]));
            self.slide(ring[(at + way) % 4]);
        }
        let mut tiles: Vec<u16> = goal.into_iter().filter(|&t| t != 0).collect();
        tiles.sort_unstable();
        self.mark(6, tiles, None);
    }

    /// The tile that belongs on a cell.
    fn wanted(&self, view: &View, at: At) -> u16 {
        self.goal.tiles()[view.cell(at)]
    }

    /// Moves the blank to a cell next to it.
    fn slide(&mut self, to: usize) {
        let blank = usize::from(self.place[0]);
        let tile = self.tiles[to];
        self.tiles[blank] = tile;
        self.tiles[to] = 0;
        self.place[usize::from(tile)] = blank as u16;
        self.place[0] = to as u16;
        self.plan.push(if to == blank + 1 && self.width > 1 {
            Direction::Right
        } else if to + 1 == blank && self.width > 1 {
            Direction::Left
        } else if to > blank {
            Direction::Down
        } else {
            Direction::Up
        });
    }

    fn mark(&mut self, number: u8, tiles: Vec<u16>, setup: Option<usize>) {
        let end = self.plan.len();
        self.marks.push(Mark {
            number,
            tiles,
            setup,
            end,
        });
    }

    /// The plan in steps.
    fn steps(&self) -> Vec<HumanStep> {
        let mut start = 0;
        let step = |mark: &Mark| {
            let moves = self.plan[start..mark.end].to_vec();
            let setup = mark.setup.map(|at| at - start);
            start = mark.end;
            HumanStep {
                number: mark.number,
                tiles: mark.tiles.clone(),
                moves,
                setup,
            }
        };
        self.marks.iter().map(step).collect()
    }

    fn counts(&self) -> Counts {
        let moves = self.plan.len() as u64;
        Counts {
            expanded: moves,
            generated: moves + 1,
            peak_bytes: self.plan.capacity() * size_of::<Direction>(),
            ..Counts::default()
        }
    }

    fn poll(&self) -> Result<(), Stop> {
        let counts = self.counts();
        self.control.poll(&counts)?;
        if counts.expanded > u64::from(u32::MAX) {
            return Err(Stop::Memory); // more moves than a cost can hold
        }
        self.control.allow_bytes(counts.peak_bytes)
    }
}

/// Removes the line just solved from the unsolved lines.
fn narrow(lines: &mut (usize, usize), from_the_end: bool) {
    if from_the_end {
        lines.1 -= 1;
    } else {
        lines.0 += 1;
    }
}

/// The unsolved part of the board, seen from the line to solve next, so that all four sides look the same.
#[derive(Clone, Copy)]
struct View {
    width: usize,
    /// The first cell of the line.
    first: usize,
    /// To the next cell away from the line, and along it.
    deeper: isize,
    along: isize,
    depth: i32,
    length: i32,
}

impl View {
    /// The first or the last of some rows.
    fn of_row(width: usize, rows: (usize, usize), from_below: bool) -> View {
        View {
            width,
            first: if from_below { rows.1 - 1 } else { rows.0 } * width,
            deeper: if from_below { -1 } else { 1 } * width as isize,
            along: 1,
            depth: (rows.1 - rows.0) as i32,
            length: width as i32,
        }
    }

    /// The first or the last of some columns of two rows.
    fn of_column(width: usize, row: usize, columns: (usize, usize), from_right: bool) -> View {
        View {
            width,
            first: row * width + if from_right { columns.1 - 1 } else { columns.0 },
            deeper: if from_right { -1 } else { 1 },
            along: width as isize,
            depth: (columns.1 - columns.0) as i32,
            length: 2,
        }
    }

    fn cell(&self, (deep, far): At) -> usize {
        self.first
            .wrapping_add_signed(self.deeper * deep as isize + self.along * far as isize)
    }

    fn at(&self, cell: usize) -> At {
        let down = (cell / self.width).abs_diff(self.first / self.width) as i32;
        let aside = (cell % self.width).abs_diff(self.first % self.width) as i32;
        if self.along == 1 {
            (down, aside)
        } else {
            (aside, down)
        }
    }

    /// The cells of the line.
    fn line(&self) -> impl Iterator<Item = At> + use<> {
        (0..self.length).map(|far| (0, far))
    }
}

/// A line being solved.
struct Line<'h, 'a> {
    hand: &'h mut Hand<'a>,
    view: View,
    /// How many cells of the line are done and stay as they are.
    fixed: i32,
    blank: At,
}

impl<'h, 'a> Line<'h, 'a> {
    fn new(hand: &'h mut Hand<'a>, view: View) -> Self {
        let blank = view.at(hand.place[0].into());
        Line {
            hand,
            view,
            fixed: 0,
            blank,
        }
    }

    fn all_but_the_last_two(&mut self) -> Result<(), Stop> {
        for far in 0..self.view.length - 2 {
            self.fixed = far;
            let tile = self.hand.wanted(&self.view, (0, far));
            self.bring(tile, (0, far), None)?;
        }
        Ok(())
    }

    /// Brings the last two tiles of the line home; gives the length of the plan in the set-up position.
    fn set_up_the_last_two(&mut self) -> Result<Option<usize>, Stop> {
        let far = self.view.length - 2;
        self.fixed = far;
        let (home, corner, behind) = ((0, far), (0, far + 1), (1, far));
        let neighbour = self.hand.wanted(&self.view, home);
        let last = self.hand.wanted(&self.view, corner);
        if self.at(neighbour) == home && self.at(last) == corner {
            return Ok(None);
        }
        self.bring(last, home, None)?;
        let tangled = self.at(neighbour) == corner
            || (self.at(neighbour) == (1, far + 1) && self.blank == corner);
        if tangled {
            self.untangle(neighbour, last);
        } else {
            self.bring(neighbour, behind, Some(home))?;
            self.walk(corner, [home, behind]);
        }
        let setup = self.hand.plan.len();
        self.step(home);
        self.step(behind);
        Ok(Some(setup))
    }

    /// From the last tile in its neighbour's place and the neighbour in the corner to the set-up position, by
    /// breadth-first search in the 2×3 cells there. All other tiles count as equal.
    fn untangle(&mut self, neighbour: u16, last: u16) {
        let far = self.view.length - 2;
        if self.blank.0 > 2 || self.blank.1 < far {
            self.walk((1, far + 1), [(0, far), (0, far + 1)]);
        }
        let number = |(deep, along): At| (2 * deep + along - far) as usize;
        let at = |number: usize| (number as i32 / 2, number as i32 % 2 + far);
        // The cells of the two tiles and of the blank.
        let start = [
            number(self.at(neighbour)),
            number(self.at(last)),
            number(self.blank),
        ];
        let goal: [usize; 3] = [2, 0, 1];
        let index = |[a, b, c]: [usize; 3]| (6 * a + b) * 6 + c;
        let mut before = [None; 216];
        let mut open = VecDeque::from([goal]);
        // From the goal, so that the way is read forwards.
        while let Some(state) = open.pop_front() {
            let (deep, side) = (state[2] / 2, state[2] % 2);
            let sideways = Some(2 * deep + 1 - side);
            let up = state[2].checked_sub(2);
            let down = Some(state[2] + 2).filter(|&cell| cell < 6);
            for cell in [sideways, up, down].into_iter().flatten() {
                let mut next = state.map(|c| if c == cell { state[2] } else { c });
                next[2] = cell;
                if next != goal && before[index(next)].is_none() {
                    before[index(next)] = Some(state);
                    open.push_back(next);
                }
            }
        }
        let mut state = start;
        while state != goal {
            state = before[index(state)].expect("with equal tiles all states are connected");
            self.step(at(state[2]));
        }
    }

    /// Moves a tile to a cell, step by step, without touching the solved cells and one more.
    fn bring(&mut self, tile: u16, target: At, keep: Option<At>) -> Result<(), Stop> {
        self.hand.poll()?;
        let mut routes = [vec![], vec![]];
        loop {
            let from = self.at(tile);
            if from == target {
                return Ok(());
            }
            let avoid = [from, keep.unwrap_or(from)];
            // The cells one step nearer: across the line, and along it.
            let nearer = [
                (from.0 + (target.0 - from.0).signum(), from.1),
                (from.0, from.1 + (target.1 - from.1).signum()),
            ];
            let mut best = None;
            for (i, next) in nearer.into_iter().enumerate() {
                if next != from && self.is_open(next, avoid) {
                    self.route(next, avoid, &mut routes[i]);
                    let length = routes[i].len();
                    if best.is_none_or(|(shortest, _)| length < shortest) {
                        best = Some((length, i));
                    }
                }
            }
            let (_, best) = best.expect("a way that is nearer and free");
            self.follow(&routes[best]);
            self.step(from);
        }
    }

    /// Moves the blank to a cell without touching two others.
    fn walk(&mut self, to: At, avoid: [At; 2]) {
        let mut route = vec![];
        self.route(to, avoid, &mut route);
        self.follow(&route);
    }

    fn follow(&mut self, route: &[At]) {
        for &at in route {
            self.step(at);
        }
    }

    /// Finds the cells that the blank goes through to get to `to`.
    fn route(&self, to: At, avoid: [At; 2], route: &mut Vec<At>) {
        let from = self.blank;
        // 1. Straight, or around one corner.
        let mut found = self.by([(to.0, from.1), to, to], avoid, route)
            || self.by([(from.0, to.1), to, to], avoid, route);
        // 2. Along the next line on either side, if something is in between.
        for side in [1, -1] {
            if !found && from.0 == to.0 {
                let aside = from.0 + side;
                found = self.by([(aside, from.1), (aside, to.1), to], avoid, route);
            }
            if !found && from.1 == to.1 {
                let aside = from.1 + side;
                found = self.by([(from.0, aside), (to.0, aside), to], avoid, route);
            }
        }
        // 3. By search, in the rare cases that are left.
        if !found {
            self.search(to, avoid, route);
        }
    }

    /// Goes straight from stop to stop; false if something is in the way.
    fn by(&self, stops: [At; 3], avoid: [At; 2], route: &mut Vec<At>) -> bool {
        route.clear();
        let mut at = self.blank;
        for stop in stops {
            while at != stop {
                at = (
                    at.0 + (stop.0 - at.0).signum(),
                    at.1 + (stop.1 - at.1).signum(),
                );
                if !self.is_open(at, avoid) {
                    return false;
                }
                route.push(at);
            }
        }
        true
    }

    /// Finds a shortest route by breadth-first search near the cells concerned, then farther and farther from them.
    fn search(&self, to: At, avoid: [At; 2], route: &mut Vec<At>) {
        let all = [self.blank, avoid[0], avoid[1]];
        let (mut top, mut left) = to;
        let (mut bottom, mut right) = to;
        for (deep, far) in all {
            (top, bottom) = (top.min(deep), bottom.max(deep));
            (left, right) = (left.min(far), right.max(far));
        }
        let mut margin = 1;
        loop {
            let (first, width) = ((top - margin, left - margin), right - left + 2 * margin + 1);
            let height = bottom - top + 2 * margin + 1;
            let index = |at: At| ((at.0 - first.0) * width + at.1 - first.1) as usize;
            let mut before = vec![None; (width * height) as usize];
            // From the target, so that the route is read forwards.
            let mut open = VecDeque::from([to]);
            before[index(to)] = Some(to);
            while let Some(at) = open.pop_front() {
                for next in [
                    (at.0 - 1, at.1),
                    (at.0 + 1, at.1),
                    (at.0, at.1 - 1),
                    (at.0, at.1 + 1),
                ] {
                    let inside = (0..height).contains(&(next.0 - first.0))
                        && (0..width).contains(&(next.1 - first.1));
                    if inside && self.is_open(next, avoid) && before[index(next)].is_none() {
                        before[index(next)] = Some(at);
                        open.push_back(next);
                    }
                }
            }
            if before[index(self.blank)].is_some() {
                route.clear();
                let mut at = self.blank;
                while at != to {
                    at = before[index(at)].expect("on the way");
                    route.push(at);
                }
                return;
            }
            assert!(
                margin < self.view.depth.max(self.view.length),
                "what is left is connected"
            );
            margin *= 2;
        }
    }

    fn at(&self, tile: u16) -> At {
        self.view.at(self.hand.place[usize::from(tile)].into())
    }

    fn step(&mut self, to: At) {
        self.hand.slide(self.view.cell(to));
        self.blank = to;
    }

    /// Whether the blank may go there.
    fn is_open(&self, at: At, avoid: [At; 2]) -> bool {
        let inside = (0..self.view.depth).contains(&at.0) && (0..self.view.length).contains(&at.1);
        inside && !(at.0 == 0 && at.1 < self.fixed) && at != avoid[0] && at != avoid[1]
    }
}
