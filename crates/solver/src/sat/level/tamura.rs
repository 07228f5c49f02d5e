//! Tamura's constraint problem: push steps, and a tree of the cells that the player can reach.
//!
//! For every step s, which is a push: where the player is, as `pi(s)` and `pj(s)` and again as p(s,i,j); whether a box is
//! on a cell, b(s,i,j); whether the level is solved, g(s). Between two steps the direction of the push, `di(s)` and
//! `dj(s)`, and which cells the player reaches, r(s,i,j). These hang on a tree with the player as root: e(s,i,j,k,l) is
//! an edge of it, in(s,i,j) says that one edge comes in, and levels x(s,i,j) become smaller along edges, so that
//! nothing is reached from itself. The constraints are those of section 5.2.2, by its numbers: 1 a step in itself, 2 the
//! start, 3 reachability, 4 what a push does.
//!
//! After the solution all stands still, so "`steps` ≤ k" means a plan of at most k pushes whatever is unrolled.
//!
//! Extras: the thesis names dead blocks and bad blocks and leaves them out. Here `dead` is: no box on a cell from which
//! it could not be pushed to any goal, were it alone; and `bad`: no square of four cells that are all boxes or walls, not
//! all of the boxes on goals. Both need as many boxes as goals, as a box too many may be lost; else they add nothing.
//!
//! Edixhoven: Attacking the n-puzzle using SAT solvers. Bachelor thesis, Leiden 2016, section 5.2, after Tamura's program.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use super::boxes::{Push, dead_squares};
use super::name::Blocks;
use super::places::BoxPlaces;
use crate::sat::cnf::{Lit, Sink, at_most_one};
use crate::sat::csp::{Constraint, Csp, Int};
use crate::sat::encoding::{Encoding, Size};

/// The constraint problem of a level with one player.
pub struct Tamura {
    level: Level,
    places: BoxPlaces,
    blocks: Blocks,
    /// What is not wall of squares that never move again.
    squares: Vec<Vec<usize>>,
    csp: Csp,
    times: Vec<Time>,
    moves: Vec<Move>,
    /// By k: steps ≤ k.
    steps: Vec<Lit>,
    size: Size,
}

/// The variables of a step.
struct Time {
    pi: Int,
    pj: Int,
    /// By cell of the level, walls too.
    p: Vec<Lit>,
    /// By number on the floor.
    b: Vec<Lit>,
    g: Lit,
}

/// The variables between two steps.
struct Move {
    di: Int,
    dj: Int,
}

/// The pushing directions of the thesis, (di, dj), and their numbers in `Direction::ALL`.
const WAYS: [((i32, i32), usize); 4] = [((1, 0), 3), ((-1, 0), 0), ((0, 1), 2), ((0, -1), 1)];

impl Tamura {
    /// The encoding of a level.
    ///
    /// # Panics
    /// If there are several players.
    pub fn new(level: &Level, blocks: Blocks) -> Tamura {
        Tamura::of(level, BoxPlaces::new(level), blocks)
    }

    /// The same, of a level that has these places.
    pub(crate) fn of(level: &Level, places: BoxPlaces, blocks: Blocks) -> Tamura {
        assert_eq!(level.players().len(), 1, "one player");
        Tamura {
            level: level.clone(),
            squares: dead_squares(level, &places),
            places,
            blocks,
            csp: Csp::default(),
            times: vec![],
            moves: vec![],
            steps: vec![],
            size: Size::default(),
        }
    }

    fn post(&mut self, formula: Constraint, sink: &mut dyn Sink) {
        self.size.essential += 1;
        self.csp.post(formula, sink);
    }

    /// p(s, cell), by number on the floor.
    fn p(&self, s: usize, cell: usize) -> Constraint {
        Constraint::Lit(self.times[s].p[usize::from(self.places.floor.cells[cell])])
    }

    /// b(s, cell), by number on the floor.
    fn b(&self, s: usize, cell: usize) -> Constraint {
        Constraint::Lit(self.times[s].b[cell])
    }

    /// Variables of one more step, and the constraints 1.
    fn add_time(&mut self, sink: &mut dyn Sink) {
        let (width, height) = (self.level.width() as i32, self.level.height() as i32);
        let (all, floor) = (self.level.cells(), self.places.floor.cells.len());
        let s = self.times.len();
        let time = Time {
            pi: self.csp.int(0, height - 1, sink),
            pj: self.csp.int(0, width - 1, sink),
            p: (0..all).map(|_| self.csp.boolean(sink)).collect(),
            b: (0..floor).map(|_| self.csp.boolean(sink)).collect(),
            g: self.csp.boolean(sink),
        };
        self.times.push(time);
        let by_now = self.csp.grow(&mut self.steps, sink);
        // 1a
        for cell in 0..all {
            let (i, j) = (cell as i32 / width, cell as i32 % width);
            let time = &self.times[s];
            let is = Constraint::And(vec![
                self.csp.eq(&time.pi, i, sink),
                self.csp.eq(&time.pj, j, sink),
            ]);
            self.post(Constraint::Lit(self.times[s].p[cell]).iff(is), sink);
        }
        // 1b
        for cell in 0..all {
            if self.places.number(cell as u16).is_none() {
                self.post(Constraint::Lit(-self.times[s].p[cell]), sink);
            }
        }
        // 1c
        let full = Constraint::And(self.places.ends().map(|c| self.b(s, c)).collect());
        let g = Constraint::Lit(self.times[s].g);
        self.post(g.clone().iff(full), sink);
        // 1d
        self.post(Constraint::Lit(by_now).implies(g), sink);
        // Extras
        if self.places.has_spare {
            return;
        }
        if self.blocks.dead || self.places.is_stage() {
            for cell in (0..floor).filter(|&c| self.places.is_dead(c)) {
                self.size.additional += 1;
                sink.clause(&[-self.times[s].b[cell]]);
            }
        }
        if self.blocks.bad {
            for square in &self.squares {
                self.size.additional += 1;
                let not_all: Vec<Lit> = square.iter().map(|&c| -self.times[s].b[c]).collect();
                sink.clause(&not_all);
            }
        }
    }

    /// The constraints 3: which cells the player reaches at step s, by number on the floor.
    fn reach(&mut self, s: usize, sink: &mut dyn Sink) -> Vec<Lit> {
        let floor = self.places.floor.cells.len();
        let mut booleans =
            |csp: &mut Csp| -> Vec<Lit> { (0..floor).map(|_| csp.boolean(sink)).collect() };
        let r = booleans(&mut self.csp);
        let entered = booleans(&mut self.csp);
        let x: Vec<Int> = (0..floor)
            .map(|_| self.csp.int(0, floor as i32, sink))
            .collect();
        // By cell: the edges into it, with where they come from.
        let next = self.places.next.clone();
        let edges: Vec<Vec<(usize, Lit)>> = next
            .iter()
            .map(|next| {
                let from = next.iter().flatten();
                from.map(|&from| (from, self.csp.boolean(sink))).collect()
            })
            .collect();
        for cell in 0..floor {
            if !sink.wants_more(0) {
                break;
            }
            let l = Constraint::Lit;
            let (here, boxed) = (self.p(s, cell), self.b(s, cell));
            let enters = l(entered[cell]);
            // 3a: the sum is 0 or 1
            let into: Vec<Lit> = edges[cell].iter().map(|e| e.1).collect();
            at_most_one(&into, sink);
            let some = Constraint::Or(into.iter().map(|&e| l(e)).collect());
            self.post(enters.clone().iff(some), sink);
            // 3b
            for &(from, edge) in &edges[cell] {
                self.post(l(edge).implies(x[from].exceeds(&x[cell])), sink);
            }
            // 3c, 3d, 3e, 3f
            self.post(here.clone().implies(enters.clone().not()), sink);
            let rest = Constraint::Or(vec![enters.clone(), x[cell].le(0)]);
            self.post(Constraint::Or(vec![here.clone(), rest]), sink);
            self.post(boxed.implies(enters.clone().not()), sink);
            let reached = Constraint::Or(vec![here, enters]);
            self.post(l(r[cell]).iff(reached), sink);
        }
        r
    }

    /// The constraints 3 and 4 between the last two steps.
    fn add_move(&mut self, sink: &mut dyn Sink) {
        let s = self.moves.len();
        let made = Move {
            di: self.csp.int(-1, 1, sink),
            dj: self.csp.int(-1, 1, sink),
        };
        self.moves.push(made);
        let r = self.reach(s, sink);
        let way = |this: &mut Tamura, di: i32, dj: i32, sink: &mut dyn Sink| {
            let made = &this.moves[s];
            vec![
                this.csp.eq(&made.di, di, sink),
                this.csp.eq(&made.dj, dj, sink),
            ]
        };
        // 4a
        let still = Constraint::And(way(self, 0, 0, sink));
        let g = Constraint::Lit(self.times[s].g);
        self.post(g.clone().iff(still.clone()), sink);
        // 4b
        let (now, next) = (&self.times[s], &self.times[s + 1]);
        let stays = Constraint::And(vec![
            now.pi.plus_is(0, &next.pi),
            now.pj.plus_is(0, &next.pj),
        ]);
        self.post(still.iff(stays), sink);
        for cell in 0..self.places.floor.cells.len() {
            if !sink.wants_more(0) {
                break;
            }
            let beside = self.places.next[cell];
            // 4c
            let mut pushes = vec![];
            for ((di, dj), number) in WAYS {
                if let (Some(behind), Some(ahead)) = (beside[3 - number], beside[number]) {
                    let mut push = way(self, di, dj, sink);
                    push.push(Constraint::Lit(r[behind]));
                    push.push(self.b(s, ahead).not());
                    pushes.push(Constraint::And(push));
                }
            }
            let pushed = Constraint::And(vec![self.b(s, cell), Constraint::Or(pushes)]);
            let stood = Constraint::And(vec![self.p(s, cell), g.clone()]);
            let comes = Constraint::Or(vec![stood, pushed]);
            self.post(self.p(s + 1, cell).implies(comes), sink);
            // 4d: the box comes from behind; whether it could be pushed from there, 4c says
            let mut pushes = vec![];
            for ((di, dj), number) in WAYS {
                if let Some(behind) = beside[3 - number] {
                    let mut push = way(self, di, dj, sink);
                    push.push(self.b(s, behind));
                    push.push(self.p(s + 1, behind));
                    pushes.push(Constraint::And(push));
                }
            }
            let stays = Constraint::And(vec![self.b(s, cell), self.p(s + 1, cell).not()]);
            pushes.push(stays);
            self.post(self.b(s + 1, cell).iff(Constraint::Or(pushes)), sink);
        }
    }
}

impl Encoding for Tamura {
    type Move = Push;

    fn step(&mut self, sink: &mut dyn Sink) {
        if self.times.is_empty() {
            self.add_time(sink);
            // 2a, 2b
            for cell in 0..self.places.floor.cells.len() {
                let at = self.places.floor.cells[cell];
                let is = |here: bool, is: Constraint| if here { is } else { is.not() };
                let (p, b) = (self.p(0, cell), self.b(0, cell));
                self.post(is(self.level.players()[0] == at, p), sink);
                self.post(is(self.level.boxes().contains(&at), b), sink);
            }
        }
        self.add_time(sink);
        self.add_move(sink);
        self.size.variables = self.csp.declared;
    }

    fn steps(&self) -> u32 {
        self.moves.len() as u32
    }

    fn solved_by(&self, k: u32) -> Lit {
        self.steps[k as usize]
    }

    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Push> {
        let mut plan = vec![];
        for (s, made) in self.moves.iter().enumerate().take(k as usize) {
            let after = &self.times[s + 1];
            let pushed = (made.di.value(holds), made.dj.value(holds));
            let (i, j) = (after.pi.value(holds), after.pj.value(holds));
            let Some((_, number)) = WAYS.into_iter().find(|w| w.0 == pushed) else {
                break;
            };
            plan.push(Push {
                cell: (i * self.level.width() as i32 + j) as u16,
                direction: Direction::ALL[number],
            });
        }
        plan
    }

    fn literals(&self, plan: &[Push]) -> Vec<Lit> {
        let mut lits = vec![];
        for (s, push) in plan.iter().enumerate() {
            let ((di, dj), _) = WAYS
                .into_iter()
                .find(|w| Direction::ALL[w.1] == push.direction)
                .expect("all four");
            lits.extend(self.moves[s].di.says(di));
            lits.extend(self.moves[s].dj.says(dj));
            lits.push(self.times[s + 1].p[usize::from(push.cell)]);
        }
        lits
    }

    fn names(&self) -> Vec<(Lit, String)> {
        let width = self.level.width();
        let place = |cell: usize| format!("{},{}", cell / width, cell % width);
        let mut names = vec![];
        for (s, time) in self.times.iter().enumerate() {
            names.extend(time.pi.names(&format!("pi({s})")));
            names.extend(time.pj.names(&format!("pj({s})")));
            let p = time.p.iter().enumerate();
            names.extend(p.map(|(c, &l)| (l, format!("p({s},{})", place(c)))));
            let b = time.b.iter().zip(&self.places.floor.cells);
            names.extend(b.map(|(&l, &c)| (l, format!("b({s},{})", place(c.into())))));
            names.push((time.g, format!("g({s})")));
            names.push((self.steps[s], format!("steps<={s}")));
        }
        for (s, made) in self.moves.iter().enumerate() {
            names.extend(made.di.names(&format!("di({s})")));
            names.extend(made.dj.names(&format!("dj({s})")));
        }
        names
    }

    fn size(&self) -> Option<Size> {
        Some(self.size)
    }
}
