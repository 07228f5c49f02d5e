//! Tamura's constraint problem: push steps, and a tree of the cells that the player can reach.
//!
//! For every step s, which is a push: where the player is, as `pi(s)` and `pj(s)` and again as p(s,i,j); whether a box is
//! on a cell, b(s,i,j); whether the level is solved, g(s). Between two steps the direction of the push, `di(s)` and
//! `dj(s)`, and which cells the player reaches, r(s,i,j). These hang on a tree with the player as root: e(s,i,j,k,l) is
//! an edge of it, in(s,i,j) says that one edge comes in, and levels x(s,i,j) become smaller along edges, so that
//! nothing is reached from itself. The constraints are those of section 5.2.2, by its numbers: 1 a step in itself, 2 the
//! start, 3 reachability, 4 what a push does.
//!
//! One constraint differs from the text. In 4d a box comes to a cell from behind it, and the text asks that the cell ahead is no
//! wall, either: then no box could ever be pushed against a wall, and figure 5.2 had no solution. Table 5.1 does not ask
//! it of the cells beside the walls, and neither do we: 4c says what can be pushed. Where the table differs from the
//! text (4b with → for ⇔, b(0,0,0) for b(0,1,1) in 4d), we follow the text. `noyes encode --csp` prints the problem
//! (`problem.rs`).
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
use crate::sat::cnf::{Lit, Sink};
use crate::sat::csp::{Csp, Formula, Name, Var};
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
    steps: Var,
    size: Size,
}

/// The variables of a step.
struct Time {
    pi: Var,
    pj: Var,
    /// By cell of the level, walls too.
    p: Vec<Var>,
    /// By number on the floor.
    b: Vec<Var>,
    g: Var,
}

/// The variables between two steps.
struct Move {
    di: Var,
    dj: Var,
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
        let mut csp = Csp::default();
        let steps = csp.growing("1", Name::new("steps", &[]));
        Tamura {
            level: level.clone(),
            squares: dead_squares(level, &places),
            places,
            blocks,
            csp,
            times: vec![],
            moves: vec![],
            steps,
            size: Size::default(),
        }
    }

    /// The same, with its constraints kept to be printed.
    pub(crate) fn kept(mut self) -> Tamura {
        self.csp.keep();
        self
    }

    /// The variables and constraints so far.
    pub(crate) fn csp(&self) -> &Csp {
        &self.csp
    }

    fn post(&mut self, number: &'static str, formula: Formula, sink: &mut dyn Sink) {
        self.size.essential += 1;
        self.csp.post(number, formula, sink);
    }

    /// p(s, cell) = v, by number on the floor.
    fn p(&self, s: usize, cell: usize, v: i32) -> Formula {
        Formula::Is(
            self.times[s].p[usize::from(self.places.floor.cells[cell])],
            v,
        )
    }

    /// b(s, cell) = v, by number on the floor.
    fn b(&self, s: usize, cell: usize, v: i32) -> Formula {
        Formula::Is(self.times[s].b[cell], v)
    }

    /// The row and column of a cell, by number on the floor.
    fn place(&self, cell: usize) -> [usize; 2] {
        let (at, width) = (
            usize::from(self.places.floor.cells[cell]),
            self.level.width(),
        );
        [at / width, at % width]
    }

    /// A Boolean for each cell of the floor.
    fn booleans(
        &mut self,
        number: &'static str,
        word: &'static str,
        s: usize,
        sink: &mut dyn Sink,
    ) -> Vec<Var> {
        let floor = 0..self.places.floor.cells.len();
        let names = floor.map(|cell| {
            let [i, j] = self.place(cell);
            Name::new(word, &[s, i, j])
        });
        let names: Vec<Name> = names.collect();
        let each = names.into_iter();
        each.map(|name| self.csp.boolean(number, name, sink))
            .collect()
    }

    /// Variables of one more step, and the constraints 1.
    fn add_time(&mut self, sink: &mut dyn Sink) {
        let (width, height) = (self.level.width(), self.level.height());
        let (all, floor) = (self.level.cells(), self.places.floor.cells.len());
        let s = self.times.len();
        let rows = (0, height as i32 - 1);
        let columns = (0, width as i32 - 1);
        let pi = self.csp.int("2", Name::new("pi", &[s]), rows, sink);
        let pj = self.csp.int("3", Name::new("pj", &[s]), columns, sink);
        let player = (0..all).map(|cell| {
            let name = Name::new("p", &[s, cell / width, cell % width]);
            self.csp.boolean("4", name, sink)
        });
        let player = player.collect();
        let time = Time {
            pi,
            pj,
            p: player,
            b: self.booleans("5", "b", s, sink),
            g: self.csp.boolean("6", Name::new("g", &[s]), sink),
        };
        self.times.push(time);
        self.csp.grow(self.steps, sink);
        // 1a
        for cell in 0..all {
            let (i, j) = ((cell / width) as i32, (cell % width) as i32);
            let is = Formula::And(vec![Formula::Is(pi, i), Formula::Is(pj, j)]);
            let here = Formula::Is(self.times[s].p[cell], 1);
            self.post("1a", here.iff(is), sink);
        }
        // 1b
        for cell in 0..all {
            if self.places.number(cell as u16).is_none() {
                self.post("1b", Formula::Is(self.times[s].p[cell], 0), sink);
            }
        }
        // 1c
        let full = Formula::And(self.places.ends().map(|c| self.b(s, c, 1)).collect());
        let solved = Formula::Is(self.times[s].g, 1);
        self.post("1c", solved.clone().iff(full), sink);
        // 1d
        let by_now = Formula::AtMost(self.steps, s as i32);
        self.post("1d", by_now.implies(solved), sink);
        // Extras
        if self.places.has_spare {
            return;
        }
        let mut extras = vec![];
        if self.blocks.dead || self.places.is_stage() {
            let dead = (0..floor).filter(|&c| self.places.is_dead(c));
            extras.extend(dead.map(|cell| ("dead", self.b(s, cell, 0))));
        }
        if self.blocks.bad {
            let free = |&c: &usize| self.b(s, c, 0);
            let not_all = |square: &Vec<usize>| Formula::Or(square.iter().map(free).collect());
            extras.extend(self.squares.iter().map(|square| ("bad", not_all(square))));
        }
        for (number, formula) in extras {
            self.size.additional += 1;
            self.csp.post(number, formula, sink);
        }
    }

    /// The constraints 3: which cells the player reaches at step s, by number on the floor.
    fn reach(&mut self, s: usize, sink: &mut dyn Sink) -> Vec<Var> {
        let floor = self.places.floor.cells.len();
        let reached = self.booleans("8", "r", s, sink);
        let entered = self.booleans("11", "in", s, sink);
        let heights: Vec<Var> = (0..floor)
            .map(|cell| {
                let [i, j] = self.place(cell);
                let name = Name::new("x", &[s, i, j]);
                self.csp.int("9", name, (0, floor as i32), sink)
            })
            .collect();
        // By cell: the edges into it, with where they come from.
        let mut edges: Vec<Vec<(usize, Var)>> = vec![];
        for cell in 0..floor {
            let to = self.place(cell);
            let next = self.places.next[cell];
            let from = next.iter().flatten().map(|&from| {
                let places = [&[s][..], &self.place(from), &to].concat();
                let name = Name::new("e", &places);
                (from, self.csp.boolean("10", name, sink))
            });
            edges.push(from.collect());
        }
        for cell in 0..floor {
            if !sink.wants_more(0) {
                break;
            }
            let here = |v| self.p(s, cell, v);
            let enters = |v| Formula::Is(entered[cell], v);
            let rest = Formula::Or(vec![enters(1), Formula::Is(heights[cell], 0)]);
            let either = Formula::Or(vec![here(1), Formula::Above(entered[cell], 0)]);
            let each = [
                ("3c", here(1).implies(enters(0))),
                ("3d", here(0).implies(rest)),
                ("3e", self.b(s, cell, 1).implies(enters(0))),
                ("3f", Formula::Is(reached[cell], 1).iff(either)),
            ];
            // 3a: the sum is 0 or 1
            let into = edges[cell].iter().map(|e| e.1).collect();
            self.post("3a", Formula::Sum(entered[cell], into), sink);
            for &(from, edge) in &edges[cell] {
                let falls = Formula::Exceeds(heights[from], heights[cell]);
                self.post("3b", Formula::Is(edge, 1).implies(falls), sink);
            }
            for (number, formula) in each {
                self.post(number, formula, sink);
            }
        }
        reached
    }

    /// The constraints 3 and 4 between the last two steps.
    fn add_move(&mut self, sink: &mut dyn Sink) {
        let s = self.moves.len();
        let made = Move {
            di: self.csp.int("7", Name::new("di", &[s]), (-1, 1), sink),
            dj: self.csp.int("7", Name::new("dj", &[s]), (-1, 1), sink),
        };
        let (di, dj) = (made.di, made.dj);
        self.moves.push(made);
        let r = self.reach(s, sink);
        let way = |i: i32, j: i32| vec![Formula::Is(di, i), Formula::Is(dj, j)];
        // 4a
        let still = Formula::And(way(0, 0));
        let g = Formula::Is(self.times[s].g, 1);
        self.post("4a", g.clone().iff(still.clone()), sink);
        // 4b
        let (now, next) = (&self.times[s], &self.times[s + 1]);
        let stays = Formula::And(vec![
            Formula::Shifted(now.pi, 0, next.pi),
            Formula::Shifted(now.pj, 0, next.pj),
        ]);
        self.post("4b", still.iff(stays), sink);
        for cell in 0..self.places.floor.cells.len() {
            if !sink.wants_more(0) {
                break;
            }
            let beside = self.places.next[cell];
            // 4c
            let mut pushes = vec![];
            for ((i, j), number) in WAYS {
                if let (Some(behind), Some(ahead)) = (beside[3 - number], beside[number]) {
                    let mut push = way(i, j);
                    push.push(Formula::Is(r[behind], 1));
                    push.push(self.b(s, ahead, 0));
                    pushes.push(Formula::And(push));
                }
            }
            let pushed = Formula::And(vec![self.b(s, cell, 1), Formula::Or(pushes)]);
            let stood = Formula::And(vec![self.p(s, cell, 1), g.clone()]);
            let comes = Formula::Or(vec![stood, pushed]);
            self.post("4c", self.p(s + 1, cell, 1).implies(comes), sink);
            // 4d: the box comes from behind; whether it could be pushed from there, 4c says
            let mut pushes = vec![];
            for ((i, j), number) in WAYS {
                if let Some(behind) = beside[3 - number] {
                    let mut push = way(i, j);
                    push.push(self.b(s, behind, 1));
                    push.push(self.p(s + 1, behind, 1));
                    pushes.push(Formula::And(push));
                }
            }
            let stays = Formula::And(vec![self.b(s, cell, 1), self.p(s + 1, cell, 0)]);
            pushes.push(stays);
            self.post("4d", self.b(s + 1, cell, 1).iff(Formula::Or(pushes)), sink);
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
                let p = self.p(0, cell, (self.level.players()[0] == at).into());
                let b = self.b(0, cell, self.level.boxes().contains(&at).into());
                self.post("2a", p, sink);
                self.post("2b", b, sink);
            }
        }
        self.add_time(sink);
        self.add_move(sink);
    }

    fn steps(&self) -> u32 {
        self.moves.len() as u32
    }

    fn solved_by(&self, k: u32) -> Lit {
        self.csp.lit(self.steps, k as i32)
    }

    fn decode(&self, k: u32, holds: &dyn Fn(Lit) -> bool) -> Vec<Push> {
        let value = |x| self.csp.value(x, holds);
        let mut plan = vec![];
        for (s, made) in self.moves.iter().enumerate().take(k as usize) {
            let after = &self.times[s + 1];
            let pushed = (value(made.di), value(made.dj));
            let (i, j) = (value(after.pi), value(after.pj));
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
            lits.extend(self.csp.says(self.moves[s].di, di));
            lits.extend(self.csp.says(self.moves[s].dj, dj));
            let player = self.times[s + 1].p[usize::from(push.cell)];
            lits.push(self.csp.lit(player, 1));
        }
        lits
    }

    fn names(&self) -> Vec<(Lit, String)> {
        self.csp.names()
    }

    fn size(&self) -> Option<Size> {
        Some(Size {
            variables: self.csp.count_but(""),
            ..self.size
        })
    }
}
