//! Forward in time, with facts on demand: what lean tells the solver while it searches.
//!
//! The solver is asked to decide where the blank goes, earliest time first. So at
//! any moment the blank's path is fixed up to some t, and with it the whole board at
//! t: we replay it here, one step per move, a stack of boards by time, so that going
//! back costs nothing. For each way on we ask the databases. One that leaves no plan
//! within the slack is forbidden at once: the literal is propagated, and its reason,
//! a clause, is made only if the solver's conflict analysis asks for it.
//!
//! The reason for "not from x to y at t" is
//!
//! not b(t,x) or not b(t+1,y) or not v(tile on its cell at t) for a few tiles or not n(t,j)
//!
//! Why no plan of k moves violates it: in such a plan the blank is on x at t and on y
//! at t+1, the named tiles lie where they lie here, and at least j ups came before.
//! The databases of the named patterns look at their tiles and the blank's region
//! alone, so the plan makes at least their extras in ups after the move, besides the
//! move's own up if its tile is named; j is chosen so that all together are more than
//! the slack. But a plan of k moves has exactly slack ups (see `facts.rs`).

use std::rc::Rc;
use std::sync::Arc;

use cadical_sys::ExternalPropagator;

use super::facts::{Facts, Known, Why};
use super::formula::Formula;
use crate::sat::cnf::Lit;

/// What it counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Boards looked up: those on the path and each way on from them.
    pub boards: u64,
    /// Ways on that were forbidden.
    pub forbidden: u64,
    /// Reasons that were asked for: lazily added clauses.
    pub clauses: u64,
}

/// The propagator: the path, the boards on it and what to tell next.
pub struct Lazy {
    formula: Rc<Formula>,
    facts: Option<Arc<Facts>>,
    /// By variable: whether it is true (1), false (-1) or open, for the blank's variables only.
    value: Vec<i8>,
    /// The blank's literals as they came, and how many there were at each decision.
    trail: Vec<Lit>,
    levels: Vec<usize>,
    /// The blank's cell by time, where known.
    path: Vec<u8>,
    /// The path is known from 0 to here without a gap.
    depth: usize,
    /// By time: the board, valid up to `depth`.
    boards: Vec<Known>,
    /// The ways on from times before this one have been looked at.
    looked: usize,
    /// Literals to propagate.
    queue: Vec<Lit>,
    /// The rest of the clause that the solver is reading, last literal first.
    clause: Vec<Lit>,
    telling: bool,
    why: Why,
    pub tally: Tally,
    /// Every clause given to the solver, in tests.
    #[cfg(test)]
    pub log: Vec<Vec<Lit>>,
}

const OPEN: u8 = u8::MAX;

impl Lazy {
    /// At the start of a search; `start` is what is known of the first board if there are facts.
    pub fn new(formula: Rc<Formula>, facts: Option<(Arc<Facts>, Known)>) -> Lazy {
        let budget = formula.budget;
        let (facts, boards) = match facts {
            Some((facts, start)) => (Some(facts), vec![start; budget + 1]),
            None => (None, vec![]),
        };
        let mut path = vec![OPEN; budget + 1];
        path[0] = formula.start as u8;
        let mut value = vec![0; formula.blanks.len()];
        value[formula.truth.var()] = 1; // known, and no cell of the blank
        Lazy {
            facts,
            value,
            trail: vec![],
            levels: vec![],
            path,
            depth: 0,
            boards,
            looked: 0,
            queue: vec![],
            clause: vec![],
            telling: false,
            why: Why::default(),
            tally: Tally::default(),
            #[cfg(test)]
            log: vec![],
            formula,
        }
    }

    /// Replays the path as far as it is known, and looks at the ways on.
    fn look(&mut self) {
        let Some(facts) = self.facts.clone() else {
            while self.depth < self.formula.budget && self.path[self.depth + 1] != OPEN {
                self.depth += 1;
            }
            return;
        };
        let slack = self.formula.slack as u16;
        loop {
            let time = self.depth;
            if time == self.formula.budget {
                return;
            }
            let next = self.path[time + 1];
            if self.looked <= time {
                self.looked = time + 1;
                self.tally.boards += 1;
                let known = &self.boards[time];
                for &cell in &self.formula.neighbours[usize::from(known.blank)] {
                    let lit = self.formula.blank(time + 1, cell.into());
                    if lit.is_none() || self.value[lit.var()] < 0 {
                        continue;
                    }
                    self.tally.boards += 1;
                    if facts.cuts(known, cell.into(), slack) {
                        self.tally.forbidden += 1;
                        self.queue.push(-lit);
                        if next == cell {
                            return; // a conflict: nothing after it matters
                        }
                    }
                }
            }
            if next == OPEN {
                return;
            }
            let (before, after) = self.boards.split_at_mut(time + 1);
            facts.step(&before[time], next.into(), &mut after[0]);
            self.depth += 1;
        }
    }

    /// Writes the reason why the blank does not go to a cell at a time, its literals reversed.
    fn reason(&mut self, lit: Lit) {
        let (time, cell) = self.formula.blanks[lit.var()];
        let (time, cell) = (usize::from(time) - 1, usize::from(cell));
        let facts = self.facts.as_ref().expect("only facts forbid");
        let known = &self.boards[time];
        facts.explain(known, cell, self.formula.slack as u16, &mut self.why);
        self.tally.clauses += 1;
        self.clause.clear();
        self.clause.push(Lit::NONE);
        self.clause.push(lit);
        let mut name = |lit: Lit| {
            if lit != self.formula.truth {
                self.clause.push(-lit);
            }
        };
        name(self.formula.blank(time, known.blank.into()));
        for &tile in &self.why.tiles {
            let on = known.tiles.iter().position(|&t| t == tile);
            name(
                self.formula
                    .tile_at(time, tile.into(), on.expect("a tile of the board")),
            );
        }
        if self.why.ups > 0 {
            name(self.formula.ups(time, self.why.ups.into()));
        }
        #[cfg(test)]
        self.log.push(self.clause[1..].to_vec());
    }
}

impl ExternalPropagator for Lazy {
    fn are_reasons_forgettable(&mut self) -> bool {
        true
    }

    fn notify_assignment(&mut self, lits: &[i32]) {
        for lit in lits.iter().filter_map(|&number| Lit::from_dimacs(number)) {
            let variable = lit.var();
            // The root's literals may come twice.
            if variable < self.value.len() && self.value[variable] == 0 {
                self.value[variable] = if lit.is_positive() { 1 } else { -1 };
                self.trail.push(lit);
                if lit.is_positive() {
                    let (time, cell) = self.formula.blanks[variable];
                    self.path[usize::from(time)] = cell;
                }
            }
        }
    }

    fn notify_new_decision_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn notify_backtrack(&mut self, level: usize) {
        let keep = self.levels[level];
        self.levels.truncate(level);
        for lit in self.trail.drain(keep..) {
            let variable = lit.var();
            self.value[variable] = 0;
            if lit.is_positive() {
                let time = usize::from(self.formula.blanks[variable].0);
                self.path[time] = OPEN;
                self.depth = self.depth.min(time - 1);
            }
        }
        for lit in self.queue.drain(..) {
            let time = usize::from(self.formula.blanks[lit.var()].0);
            self.looked = self.looked.min(time - 1);
        }
        self.looked = self.looked.min(self.depth + 1);
    }

    fn cb_check_found_model(&mut self, _: &[i32]) -> bool {
        true
    }

    fn cb_decide(&mut self) -> i32 {
        self.look();
        let Some(time) = (self.depth < self.formula.budget).then_some(self.depth + 1) else {
            return 0; // the rest follows
        };
        let open = |&cell: &u8| {
            let lit = self.formula.blank(time, cell.into());
            (lit.is_some() && self.value[lit.var()] == 0).then_some(lit.dimacs())
        };
        let mut ways = self.formula.neighbours[usize::from(self.path[self.depth])].iter();
        ways.find_map(open).unwrap_or(0)
    }

    fn cb_propagate(&mut self) -> i32 {
        if self.queue.is_empty() {
            self.look();
        }
        self.queue.pop().map_or(0, Lit::dimacs)
    }

    fn cb_add_reason_clause_lit(&mut self, propagated: i32) -> i32 {
        if !std::mem::replace(&mut self.telling, true) {
            self.reason(Lit::from_dimacs(propagated).expect("a literal"));
        }
        let lit = self.clause.pop().expect("none at the end");
        self.telling = lit.is_some();
        lit.dimacs()
    }

    fn cb_has_external_clause(&mut self, _: &mut bool) -> bool {
        false
    }

    fn cb_add_external_clause_lit(&mut self) -> i32 {
        0
    }
}
