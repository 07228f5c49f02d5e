//! The reference formula of Sokoban by pushes, for one player: it has a solution if and only if there is a plan of at most
//! `bound` pushes.
//!
//! Variables, for each time t from 0 to `bound`, where a time is after t pushes:
//!
//! - box(t,c): a box is on cell c
//! - after(t,c): the player is on cell c, as push t has left it
//! - reach(t,c): the player gets from there to cell c without a push
//! - push(t,s): push t + 1 takes the player along s, from one cell to the next, and the box there one further
//! - some(t,s): push(t,r) for some r up to s
//! - done(t): every goal has a box, and nothing more has to happen
//! - waste(t,1), waste(t,2): push t + 1 wastes at least one push, or two (see below)
//! - wasted(t,j): the first t pushes waste at least j
//!
//! Clauses:
//!
//! - *start*: what is on each cell at time 0; *end*: done(bound)
//! - *done*: done(t) means a box on each goal
//! - *act*: unless the plan is done, there is a push; *one*: there is at most one (by `some`)
//! - *pushed*: push(t,s) means all that the rules say: the player gets to the cell behind the box, the box is on its cell
//!   and then on the next, which was free, and the player is where the box was
//! - *stay*: a box leaves its cell only by a push; *arrive*: a box comes to a cell only by a push; *after*: the player is
//!   where a push has left it
//! - *walk*: reach(t,c) means after(t,c), or reach(t,n) for a neighbour n; no box is on a cell that is reached
//! - *room*: for any set of cells, the room: if the player gets to a cell of it, push t has left the player in the room, or
//!   the player gets to a cell beside it
//!
//! Without *room*, two cells could each be reached because the other one is. With it, the player can really walk to every
//! cell that is reached: if not, the cells without a walk are a room, and *room* says that there is one more of them beside
//! it. There are far too many rooms to write all these clauses down. A proof brings those that it uses, as facts, and
//! `check_room` sees to it that they are of this form.
//!
//! Two more kinds of clause do not exclude any plan. Both need as many boxes as goals, so that every box ends on a goal.
//! *hopeless*: no box is on a cell from which it needs more pushes than are left, even if it were alone. *waste*: let d be
//! the sum, over all boxes, of the pushes to the nearest goal if each were alone. It is 0 in the end. A push changes the
//! distance of one box, and reduces it by at most one. If it does not reduce it, it wastes one push, and if it makes it
//! greater, at least two. With m pushes that waste w, d - m + w is at most 0, so w is at most m - d, which is at most
//! bound - d: the slack.

use noyes_puzzle::sokoban::Level;

use super::floor::{Floor, Slide};
use crate::clauses::{Clauses, Lit};

/// The formula of a level, counted in pushes.
pub struct Pushes {
    /// The clauses, by number.
    pub clauses: Clauses,
    /// The number of variables.
    pub variables: usize,
    /// The number of pushes that plans may have.
    pub bound: usize,
    floor: Floor,
    numbers: Numbers,
}

struct Numbers {
    cells: usize,
    slides: usize,
    /// How many pushes may be wasted, if that is limited.
    slack: Option<usize>,
}

impl Numbers {
    fn variable(&self, time: usize, offset: usize) -> Lit {
        (1 + time * self.per_time() + offset) as Lit
    }

    fn per_time(&self) -> usize {
        self.waste_at() + 2 + self.slack.unwrap_or(0)
    }

    fn waste_at(&self) -> usize {
        1 + 3 * self.cells + 2 * self.slides
    }

    fn done(&self, time: usize) -> Lit {
        self.variable(time, 0)
    }

    fn holds_box(&self, time: usize, cell: usize) -> Lit {
        self.variable(time, 1 + cell)
    }

    fn after(&self, time: usize, cell: usize) -> Lit {
        self.variable(time, 1 + self.cells + cell)
    }

    fn reach(&self, time: usize, cell: usize) -> Lit {
        self.variable(time, 1 + 2 * self.cells + cell)
    }

    fn push(&self, time: usize, slide: usize) -> Lit {
        self.variable(time, 1 + 3 * self.cells + slide)
    }

    fn some(&self, time: usize, slide: usize) -> Lit {
        self.variable(time, 1 + 3 * self.cells + self.slides + slide)
    }

    /// `count` is 1 or 2.
    fn waste(&self, time: usize, count: usize) -> Lit {
        self.variable(time, self.waste_at() + count - 1)
    }

    /// `count` is at least 1.
    fn wasted(&self, time: usize, count: usize) -> Lit {
        self.variable(time, self.waste_at() + 1 + count)
    }
}

/// The least number of pushes: the sum of all boxes' pushes to their nearest goals, if every box has to end on one.
pub fn least_pushes(level: &Level) -> usize {
    Floor::new(level).least_pushes().unwrap_or(0)
}

impl Pushes {
    /// The formula of a level for plans of at most `bound` pushes. Nothing if it would be too large, if there is not one
    /// player, or if `bound` is less than the least number of pushes.
    pub fn new(level: &Level, bound: usize) -> Option<Pushes> {
        let floor = Floor::new(level);
        if floor.players.len() != 1 {
            return None;
        }
        let slack = match floor.pushes {
            Some(_) => Some(bound.checked_sub(floor.least_pushes()?)?),
            None => None,
        };
        let numbers = Numbers {
            cells: floor.cells,
            slides: floor.slides.len(),
            slack,
        };
        let counts = 10 * (slack.unwrap_or(0) + 1);
        let per_step = numbers.cells * 12 + numbers.slides * 40 + counts;
        if per_step.checked_mul(bound + 1)? > super::MOST_LITERALS {
            return None;
        }
        let variables = usize::try_from(numbers.done(bound + 1)).ok()? - 1;
        let mut all = Clauses::default();
        write_ends(&floor, &numbers, bound, &mut all);
        for t in 0..=bound {
            write_time(&floor, &numbers, t, bound, &mut all);
        }
        for t in 0..bound {
            write_walk(&floor, &numbers, t, &mut all);
            write_pushes(&floor, &numbers, t, &mut all);
            write_boxes(&floor, &numbers, t, &mut all);
            if let Some(slack) = slack {
                write_waste(&floor, &numbers, t, slack, &mut all);
            }
        }
        Some(Pushes {
            clauses: all,
            variables,
            bound,
            floor,
            numbers,
        })
    }

    /// What *room* says of a time, a cell and a room that it is in. The cells of the room ascend.
    pub fn room(&self, time: usize, cell: usize, room: &[usize]) -> Vec<Lit> {
        let mut is_beside = vec![false; self.floor.cells];
        for &next in room
            .iter()
            .flat_map(|&inside| &self.floor.neighbours[inside])
        {
            is_beside[next] = true;
        }
        for &inside in room {
            is_beside[inside] = false;
        }
        let mut clause = vec![-self.numbers.reach(time, cell)];
        clause.extend(room.iter().map(|&inside| self.numbers.after(time, inside)));
        let beside = (0..self.floor.cells).filter(|&cell| is_beside[cell]);
        clause.extend(beside.map(|next| self.numbers.reach(time, next)));
        clause
    }

    /// Whether a clause is one of *room*, exactly as `room` writes it.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn check_room(&self, clause: &[Lit]) -> Result<(), String> {
        let negated = clause.first().and_then(|lit| lit.checked_neg());
        let Some((Kind::Reach, time, cell)) = negated.and_then(|lit| self.meaning(lit)) else {
            return Err("it does not begin with a cell that the player gets to".into());
        };
        let inside = |&lit: &Lit| match self.meaning(lit) {
            Some((Kind::After, _, cell)) => Some(cell),
            _ => None,
        };
        let room: Vec<usize> = clause.iter().filter_map(inside).collect();
        if !room.is_sorted_by(|a, b| a < b) {
            return Err("the cells of the room do not ascend".into());
        }
        if !room.contains(&cell) {
            return Err(format!("cell {cell} is not in the room"));
        }
        if clause != self.room(time, cell, &room) {
            return Err("it does not name each cell of the room, and each cell beside it".into());
        }
        Ok(())
    }

    fn meaning(&self, variable: Lit) -> Option<(Kind, usize, usize)> {
        let number = usize::try_from(variable).ok()?.checked_sub(1)?;
        let (time, offset) = (
            number / self.numbers.per_time(),
            number % self.numbers.per_time(),
        );
        let (kind, cell) = match offset.checked_sub(1 + self.numbers.cells)? {
            n if n < self.numbers.cells => (Kind::After, n),
            n if n < 2 * self.numbers.cells => (Kind::Reach, n - self.numbers.cells),
            _ => return None,
        };
        (time <= self.bound).then_some((kind, time, cell))
    }

    /// What a solution says of a time, if there is a push. It is given as a function that says whether a variable is true.
    pub fn moment(&self, time: usize, holds: &mut dyn FnMut(Lit) -> bool) -> Option<Moment> {
        let n = &self.numbers;
        let push = (0..n.slides).find(|&slide| holds(n.push(time, slide)))?;
        Some(Moment {
            boxes: (0..n.cells)
                .map(|cell| holds(n.holds_box(time, cell)))
                .collect(),
            player: (0..n.cells).find(|&cell| holds(n.after(time, cell)))?,
            pushes_from: self.floor.slides[push].from,
        })
    }

    /// The cells beside a cell.
    pub fn neighbours(&self, cell: usize) -> &[usize] {
        &self.floor.neighbours[cell]
    }
}

/// What `room` needs to know of variables.
enum Kind {
    After,
    Reach,
}

/// What a solution of the formula says of one time.
pub struct Moment {
    /// By cell: whether a box is there.
    pub boxes: Vec<bool>,
    /// Where the last push has left the player.
    pub player: usize,
    /// Where the player has to get to for the next push.
    pub pushes_from: usize,
}

fn write_ends(floor: &Floor, n: &Numbers, bound: usize, all: &mut Clauses) {
    let signed = |holds: bool, lit: Lit| if holds { lit } else { -lit };
    for cell in 0..floor.cells {
        all.add(&[signed(floor.boxes.contains(&cell), n.holds_box(0, cell))]);
        all.add(&[signed(floor.players[0] == cell, n.after(0, cell))]);
    }
    all.add(&[n.done(bound)]);
}

fn write_time(floor: &Floor, n: &Numbers, t: usize, bound: usize, all: &mut Clauses) {
    for &goal in &floor.goals {
        all.add(&[-n.done(t), n.holds_box(t, goal)]);
    }
    for cell in (0..floor.cells).filter(|&cell| floor.is_hopeless(cell, bound - t)) {
        all.add(&[-n.holds_box(t, cell)]);
    }
}

fn write_walk(floor: &Floor, n: &Numbers, t: usize, all: &mut Clauses) {
    for cell in 0..floor.cells {
        let mut walk = vec![-n.reach(t, cell), n.after(t, cell)];
        walk.extend(floor.neighbours[cell].iter().map(|&from| n.reach(t, from)));
        all.add(&walk);
        all.add(&[-n.reach(t, cell), -n.holds_box(t, cell)]);
    }
}

fn write_pushes(floor: &Floor, n: &Numbers, t: usize, all: &mut Clauses) {
    let mut act = vec![n.done(t)];
    for (number, &Slide { from, to, beyond }) in floor.slides.iter().enumerate() {
        let push = n.push(t, number);
        match beyond {
            None => all.add(&[-push]),
            Some(beyond) => {
                act.push(push);
                for means in [
                    n.reach(t, from),
                    n.holds_box(t, to),
                    -n.holds_box(t, beyond),
                    -n.holds_box(t + 1, to),
                    n.holds_box(t + 1, beyond),
                    n.after(t + 1, to),
                ] {
                    all.add(&[-push, means]);
                }
            }
        }
        // one
        all.add(&[-push, n.some(t, number)]);
        if number > 0 {
            all.add(&[-n.some(t, number - 1), n.some(t, number)]);
            all.add(&[-n.some(t, number - 1), -push]);
        }
    }
    all.add(&act);
}

fn write_boxes(floor: &Floor, n: &Numbers, t: usize, all: &mut Clauses) {
    let pushes =
        |slides: &[usize]| -> Vec<Lit> { slides.iter().map(|&slide| n.push(t, slide)).collect() };
    for cell in 0..floor.cells {
        let leaving = pushes(&floor.leaving[cell]);
        let mut stay = vec![-n.holds_box(t, cell), n.holds_box(t + 1, cell)];
        stay.extend(&leaving);
        all.add(&stay);
        let mut arrive = vec![n.holds_box(t, cell), -n.holds_box(t + 1, cell)];
        arrive.extend(pushes(&floor.arriving[cell]));
        all.add(&arrive);
        let mut after = vec![-n.after(t + 1, cell)];
        after.extend(&leaving);
        all.add(&after);
    }
}

fn write_waste(floor: &Floor, n: &Numbers, t: usize, slack: usize, all: &mut Clauses) {
    let pushes = floor.pushes.as_ref().expect("there is a slack");
    for (number, slide) in floor.slides.iter().enumerate() {
        if let Some(beyond) = slide.beyond
            && let (Some(before), Some(after)) = (pushes[slide.to], pushes[beyond])
        {
            for waste in (1..=2).filter(|waste| after + 1 >= before + waste) {
                all.add(&[-n.push(t, number), n.waste(t, waste)]);
            }
        }
    }
    // wasted(t,0) is true, and more than the slack is false
    for j in 0..=slack {
        for waste in 1..=2 {
            let mut add = vec![-n.waste(t, waste)];
            add.extend((j > 0).then(|| -n.wasted(t, j)));
            add.extend((j + waste <= slack).then(|| n.wasted(t + 1, j + waste)));
            all.add(&add);
        }
        if j > 0 {
            all.add(&[-n.wasted(t, j), n.wasted(t + 1, j)]);
        }
        if j > 1 {
            all.add(&[-n.wasted(t, j), n.wasted(t, j - 1)]);
        }
    }
}
