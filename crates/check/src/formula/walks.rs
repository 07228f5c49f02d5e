//! The reference formula of Sokoban by steps: it has a solution if and only if there is a plan of at most `bound` steps.
//!
//! For one player a step is a move; in a crew all players act at once. Variables, for each time t from 0 to `bound`:
//!
//! - player(t,p,c): player p is on cell c after t steps
//! - box(t,c): a box is on cell c after t steps
//! - push(t,p,s): in step t + 1 player p goes along s, from one cell to the next, and pushes a box out of its way
//! - done(t): every goal has a box at time t, and nothing more has to happen
//!
//! Clauses:
//!
//! - *start*: what is on each cell at time 0; *end*: done(bound)
//! - *done*: done(t) means a box on each goal
//! - *act*: unless the plan is done, a player goes to a neighbour of its cell, or waits if that is allowed
//! - *come*: a player was on the same cell or on a neighbour before
//! - *one*: a player is not on two cells that are at most two steps apart; with *come*, this means a single cell
//! - *push*: a player that goes to a cell with a box pushes it, and cannot if there is no floor beyond
//! - *pushed*: push(t,p,s) means all that the rules say: where the player was and is, and where the box was and is
//! - *stay*: a box leaves its cell only by a push; *arrive*: a box comes to a cell only by a push
//! - *apart*: no two players, and no player and box, share a cell; *swap*: no two players change places
//!
//! A plan gives a solution, with the last state repeated after its end; a solution gives a plan: follow the players.
//! Two more kinds of clause do not exclude a shortest plan. *hopeless*: if there are as many boxes as goals, every box
//! ends on a goal, and a step pushes a box at most once, so no box is on a cell from which it needs more pushes to a goal
//! than steps are left. *back*: a single player does not return at once to the cell that it came from unless it has pushed.

use noyes_puzzle::sokoban::Level;

use super::floor::{Floor, Slide};
use crate::clauses::{Clauses, Lit};

/// The formula of a level, counted in steps.
pub struct Walks {
    /// The clauses, by number.
    pub clauses: Clauses,
    /// The number of variables.
    pub variables: usize,
}

struct Numbers {
    cells: usize,
    players: usize,
    slides: usize,
}

impl Numbers {
    fn variable(&self, time: usize, offset: usize) -> Lit {
        let per_time = self.cells * (1 + self.players) + self.slides * self.players + 1;
        (1 + time * per_time + offset) as Lit
    }

    fn done(&self, time: usize) -> Lit {
        self.variable(time, 0)
    }

    fn holds_box(&self, time: usize, cell: usize) -> Lit {
        self.variable(time, 1 + cell)
    }

    fn player(&self, time: usize, player: usize, cell: usize) -> Lit {
        self.variable(time, 1 + self.cells * (1 + player) + cell)
    }

    fn push(&self, time: usize, player: usize, slide: usize) -> Lit {
        let before = 1 + self.cells * (1 + self.players);
        self.variable(time, before + self.slides * player + slide)
    }
}

impl Walks {
    /// The formula of a level for plans of at most `bound` steps; with `wait`, players may wait. Nothing if it would be too
    /// large.
    pub fn new(level: &Level, wait: bool, bound: usize) -> Option<Walks> {
        let floor = Floor::new(level);
        let numbers = Numbers {
            cells: floor.cells,
            players: floor.players.len(),
            slides: floor.slides.len(),
        };
        let per_step = (floor.slides.len() * 32 + floor.cells * 32) * numbers.players.pow(2);
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
            write_players(&floor, &numbers, t, wait, &mut all);
            write_boxes(&floor, &numbers, t, &mut all);
        }
        if floor.players.len() == 1 {
            for t in 1..bound {
                for slide in &floor.slides {
                    // back
                    all.add(&[
                        -numbers.player(t - 1, 0, slide.from),
                        -numbers.player(t, 0, slide.to),
                        -numbers.player(t + 1, 0, slide.from),
                        numbers.holds_box(t - 1, slide.to),
                    ]);
                }
            }
        }
        Some(Walks {
            clauses: all,
            variables,
        })
    }
}

fn write_ends(floor: &Floor, n: &Numbers, bound: usize, all: &mut Clauses) {
    let signed = |holds: bool, lit: Lit| if holds { lit } else { -lit };
    for cell in 0..floor.cells {
        all.add(&[signed(floor.boxes.contains(&cell), n.holds_box(0, cell))]);
        for (player, &place) in floor.players.iter().enumerate() {
            all.add(&[signed(place == cell, n.player(0, player, cell))]);
        }
    }
    all.add(&[n.done(bound)]);
}

/// What holds at every time.
fn write_time(floor: &Floor, n: &Numbers, t: usize, bound: usize, all: &mut Clauses) {
    for &goal in &floor.goals {
        all.add(&[-n.done(t), n.holds_box(t, goal)]);
    }
    for cell in 0..floor.cells {
        if floor.is_hopeless(cell, bound - t) {
            all.add(&[-n.holds_box(t, cell)]);
        }
        for player in 0..n.players {
            all.add(&[-n.player(t, player, cell), -n.holds_box(t, cell)]);
            for other in 0..player {
                all.add(&[-n.player(t, player, cell), -n.player(t, other, cell)]);
            }
            for near in near(floor, cell) {
                all.add(&[-n.player(t, player, cell), -n.player(t, player, near)]);
            }
        }
    }
}

/// The cells with greater numbers that are at most two steps away.
fn near(floor: &Floor, cell: usize) -> Vec<usize> {
    let mut near: Vec<usize> = (floor.neighbours[cell].iter())
        .flat_map(|&next| floor.neighbours[next].iter().copied().chain([next]))
        .filter(|&other| other > cell)
        .collect();
    near.sort_unstable();
    near.dedup();
    near
}

fn write_players(floor: &Floor, n: &Numbers, t: usize, wait: bool, all: &mut Clauses) {
    for player in 0..n.players {
        for cell in 0..floor.cells {
            let next = floor.neighbours[cell].iter();
            let mut act = vec![-n.player(t, player, cell), n.done(t)];
            act.extend(next.clone().map(|&to| n.player(t + 1, player, to)));
            act.extend(wait.then(|| n.player(t + 1, player, cell)));
            all.add(&act);
            let mut come = vec![-n.player(t + 1, player, cell), n.player(t, player, cell)];
            come.extend(next.map(|&from| n.player(t, player, from)));
            all.add(&come);
        }
        for (number, &Slide { from, to, beyond }) in floor.slides.iter().enumerate() {
            let goes = [-n.player(t, player, from), -n.player(t + 1, player, to)];
            for other in (0..n.players).filter(|&other| other != player && from < to) {
                let comes = [-n.player(t, other, to), -n.player(t + 1, other, from)];
                all.add(&[goes, comes].concat()); // swap
            }
            let meets = -n.holds_box(t, to);
            let Some(beyond) = beyond else {
                all.add(&[goes[0], goes[1], meets]);
                continue;
            };
            let push = n.push(t, player, number);
            all.add(&[goes[0], goes[1], meets, push]);
            for means in [
                n.player(t, player, from),
                n.player(t + 1, player, to),
                n.holds_box(t, to),
                -n.holds_box(t, beyond),
                n.holds_box(t + 1, beyond),
            ] {
                all.add(&[-push, means]); // pushed
            }
        }
    }
}

fn write_boxes(floor: &Floor, n: &Numbers, t: usize, all: &mut Clauses) {
    let pushes = |slides: &[usize]| -> Vec<Lit> {
        let of = |&slide| (0..n.players).map(move |player| n.push(t, player, slide));
        slides.iter().flat_map(of).collect()
    };
    for cell in 0..floor.cells {
        let mut stay = vec![-n.holds_box(t, cell), n.holds_box(t + 1, cell)];
        stay.extend(pushes(&floor.leaving[cell]));
        all.add(&stay);
        let mut arrive = vec![n.holds_box(t, cell), -n.holds_box(t + 1, cell)];
        arrive.extend(pushes(&floor.arriving[cell]));
        all.add(&arrive);
    }
}
