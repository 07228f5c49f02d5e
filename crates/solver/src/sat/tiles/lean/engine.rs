//! Lean: optimal plans by a SAT solver that learns what the pattern databases know.
//!
//! The formula (`formula.rs`) is small, the solver decides forward in time, and what
//! the databases say about the boards on its way is added as clauses (`lazy.rs`).
//! Each budget gets a fresh solver: keeping what was learned would save 2 to 8 %.
//!
//! The strength comes from the tables; what the solver learns itself saves little
//! (docs/measured.md has figures for both).

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use cadical_sys::{CaDiCal, Status};
use noyes_puzzle::tiles::{Board, Direction};

use super::facts::{Facts, Known};
use super::formula::{Formula, decode, manhattan};
use super::lazy::Lazy;
use crate::control::Control;
use crate::counts::SatCounts;
use crate::sat::backend::{BackendError, Learns, Looks, Taken, Verdict, Watch};
#[cfg(test)]
use crate::sat::cnf::Lit;
use crate::sat::encoding::Question;
use crate::sat::keep::{Asked, Keep, Rest};

/// CaDiCaL, and the facts it is given while it searches.
pub struct Lean {
    start: Board,
    goal: Board,
    manhattan: u32,
    facts: Option<(Arc<Facts>, Known)>,
    counts: SatCounts,
    bytes: usize,
    /// The solver of the last question. Freeing it takes a while, so nobody should have to wait for it.
    last: Option<CaDiCal>,
    /// Formula and lazy clauses of the question asked last, in tests.
    #[cfg(test)]
    asked: Option<(Rc<Formula>, Vec<Vec<Lit>>)>,
}

impl Lean {
    /// With these facts, or with the formula alone.
    pub fn new(start: &Board, goal: &Board, facts: Option<Arc<Facts>>) -> Lean {
        let known = facts.map(|facts| {
            let known = facts.know(start);
            (facts, known)
        });
        Lean {
            start: start.clone(),
            goal: goal.clone(),
            manhattan: manhattan(start, goal),
            facts: known,
            counts: SatCounts::default(),
            bytes: 0,
            last: None,
            #[cfg(test)]
            asked: None,
        }
    }
}

/// A lower bound from the tables alone.
pub fn lower_bound(start: &Board, goal: &Board, facts: Option<&Facts>) -> u32 {
    let extra = facts.map_or(0, |facts| facts.know(start).extra());
    manhattan(start, goal) + 2 * u32::from(extra)
}

impl Keep<Direction> for Lean {
    fn ask(
        &mut self,
        question: Question,
        control: &Control,
        watch: &Watch,
    ) -> Result<Asked<Direction>, BackendError> {
        let Question { k, least } = question;
        self.last = None;
        if let Err(stop) = control.poll_stop() {
            return Ok(Asked::Stopped(stop));
        }
        let Some(more) = k.checked_sub(self.manhattan) else {
            return Ok(Asked::No);
        };
        let budget = (k - more % 2) as usize;
        let cells = self.start.tiles().len();
        let expected = Formula::bytes(cells, budget, (more / 2) as usize);
        if let Err(stop) = control.allow_bytes(expected) {
            return Ok(Asked::Stopped(stop));
        }
        let mut wants_more = |bytes| watch.stop(bytes).is_none();
        let least = least as usize;
        let formula = Formula::new(&self.start, &self.goal, budget, least, &mut wants_more);
        let Some(formula) = formula else {
            return Ok(stopped(watch));
        };
        let formula = Rc::new(formula);
        let bytes = formula.clause_bytes() * 2 + formula.variables * 100;
        self.bytes = self.bytes.max(bytes);
        let taken = Taken::new(watch.shared());
        taken.add(expected.max(bytes));
        let lazy = Rc::new(RefCell::new(Lazy::new(formula.clone(), self.facts.clone())));
        let Some(mut solver) = solver(&formula, &lazy, &taken, watch) else {
            return Ok(stopped(watch));
        };
        let watch = Rc::new(watch.clone());
        solver.connect_learner(Learns(taken));
        solver.connect_terminator(Looks(watch.clone()));
        let status = solver.solve();
        let counted = |name| solver.get_statistic_value(name).max(0) as u64;
        let tally = lazy.borrow().tally;
        self.counts = self.counts.and(SatCounts {
            conflicts: counted("conflicts"),
            decisions: counted("decisions"),
            variables: formula.variables as u64,
            clauses: formula.clauses().count() as u64,
            lazy_clauses: tally.clauses,
            lookups: tally.boards,
            shared_clauses: 0,
        });
        #[cfg(test)]
        {
            self.asked = Some((formula.clone(), lazy.borrow().log.clone()));
        }
        let asked = match status {
            Status::UNSATISFIABLE => Asked::No,
            Status::SATISFIABLE => Asked::Plan(decode(&self.start, &self.goal, &formula, |lit| {
                solver.val(lit.dimacs()) > 0
            })),
            Status::UNKNOWN => stopped(&watch),
        };
        self.last = Some(solver);
        Ok(asked)
    }

    fn counts(&self) -> SatCounts {
        self.counts
    }

    fn bytes(&self) -> usize {
        self.bytes
    }

    fn leave(self: Box<Self>) -> Rest {
        self.last.map_or_else(Rest::default, Rest::of)
    }
}

/// Why a question has no answer.
fn stopped(watch: &Watch) -> Asked<Direction> {
    match watch.why() {
        Verdict::Stopped(stop) => Asked::Stopped(stop),
        _ => Asked::Overtaken,
    }
}

/// A solver with the formula and the propagator; none if a limit is reached first.
fn solver(
    formula: &Formula,
    lazy: &Rc<RefCell<Lazy>>,
    taken: &Taken,
    watch: &Watch,
) -> Option<CaDiCal> {
    let mut solver = CaDiCal::new();
    for (option, value) in OPTIONS {
        assert!(solver.set(option, value), "{option} is an option");
    }
    solver.resize(formula.variables as i32);
    solver.connect_external_propagator(lazy.clone());
    let is_over = |i: usize| i.is_multiple_of(1024) && watch.stop(0).is_some();
    for variable in 1..=formula.variables {
        if is_over(variable) {
            return None;
        }
        taken.variable();
        solver.add_observed_var(variable as i32);
    }
    let mut numbers = vec![];
    for (i, clause) in formula.clauses().enumerate() {
        if is_over(i) {
            return None;
        }
        taken.clause(clause.len());
        if !clause.is_empty() {
            numbers.clear();
            numbers.extend(clause.iter().map(|lit| lit.dimacs()));
            solver.clause6(&numbers);
        }
    }
    Some(solver)
}

/// Nothing but search, and of that what a forward search needs: no restarts, no scores, reasons only when asked for.
/// The solver's own guesses, after the blank's, are "false".
const OPTIONS: [(&str, i32); 14] = [
    ("inprocessing", 0),
    ("factor", 0),
    ("lucky", 0),
    ("phase", 0),
    ("chrono", 0),
    ("walk", 0),
    ("rephase", 0),
    ("exteagerreasons", 0),
    ("restart", 0),
    ("shrink", 0),
    ("bumpreason", 0),
    ("eagersubsume", 0),
    ("score", 0),
    ("stabilize", 0),
];

#[cfg(test)]
mod tests {
    use super::super::facts::distances;
    use super::super::fixed::Fixed;
    use super::*;
    use crate::sat::backend::Shared;
    use crate::sat::cnf::Cnf;
    use crate::sat::encoding::{Encoding, unroll};
    use crate::tiles::pdb::{Partition, Tables};
    use crate::tiles::policy;
    use noyes_puzzle::tiles::{Generator, random_board, random_walk};
    use std::collections::HashMap;

    /// A question without limits.
    fn ask(lean: &mut Lean, k: u32, least: u32) -> Option<Vec<Direction>> {
        let control = Control::new();
        let watch = Watch::new(&control, Arc::new(Shared::new(0, 0)), k);
        match lean.ask(Question { k, least }, &control, &watch) {
            Ok(Asked::Plan(plan)) => Some(plan),
            Ok(Asked::No) => None,
            _ => panic!("no limit, no other program"),
        }
    }

    /// The optimum, asked from below.
    fn optimum(start: &Board, goal: &Board, facts: Option<Arc<Facts>>) -> Vec<Direction> {
        let mut k = lower_bound(start, goal, facts.as_deref());
        let mut lean = Lean::new(start, goal, facts);
        loop {
            match ask(&mut lean, k, k) {
                Some(plan) => return plan,
                None => k += 2,
            }
        }
    }

    /// The distance of every board of the goal's, by flooding from it.
    fn flood(goal: &Board) -> HashMap<Board, u32> {
        let mut distance = HashMap::from([(goal.clone(), 0)]);
        let mut layer = vec![goal.clone()];
        for moves in 1.. {
            let mut next = vec![];
            for board in layer {
                for direction in Direction::ALL {
                    let mut after = board.clone();
                    if after.step(direction) && !distance.contains_key(&after) {
                        distance.insert(after.clone(), moves);
                        next.push(after);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        distance
    }

    /// All plans of exactly this many moves.
    fn plans(board: &Board, left: u32, distance: &HashMap<Board, u32>) -> Vec<Vec<Direction>> {
        if left == 0 {
            return vec![vec![]];
        }
        let mut found = vec![];
        for direction in Direction::ALL {
            let mut after = board.clone();
            if after.step(direction) && distance[&after] < left {
                for mut rest in plans(&after, left - 1, distance) {
                    rest.insert(0, direction);
                    found.push(rest);
                }
            }
        }
        found
    }

    /// The truth of every variable, as a plan has it.
    fn model(formula: &Formula, start: &Board, goal: &Board, plan: &[Direction]) -> Vec<bool> {
        let mut model = vec![false; formula.variables];
        let mut set = |lit: Lit, what: &str| {
            assert!(lit.is_some(), "{what}: pruned, but in a plan");
            model[lit.var() - 1] = true;
        };
        let (distance, mut board, mut ups) = (distances(goal), start.clone(), 0);
        set(formula.truth, "truth");
        for time in 0..=plan.len() {
            set(formula.blank(time, board.blank()), "blank");
            for (cell, &tile) in board.tiles().iter().enumerate() {
                // The last board's other half has no variables.
                if tile > 0 && (time < plan.len() || !formula.may_hold_blank(time, cell)) {
                    set(formula.tile_at(time, tile.into(), cell), "tile");
                }
            }
            for number in 1..=ups {
                set(formula.ups(time, number), "ups");
            }
            if time < plan.len() {
                let to = board.blank();
                assert!(board.step(plan[time]));
                let distance = &distance[usize::from(board.tiles()[to])];
                if distance[to] > distance[board.blank()] {
                    ups += 1;
                    set(formula.up(time), "up");
                }
            }
        }
        assert_eq!((&board, ups), (goal, formula.slack));
        model
    }

    fn holds(clause: &[Lit], model: &[bool]) -> bool {
        clause.iter().any(|lit| lit.holds_in(model))
    }

    fn facts(text: &str, goal: &Board, tables: &Tables) -> Option<Arc<Facts>> {
        let partition: Partition = text.parse().unwrap();
        let partition = partition.towards(goal);
        Facts::new(&partition, goal, tables, &Control::new())
            .unwrap()
            .map(Arc::new)
    }

    fn default_facts(goal: &Board, tables: &Tables) -> Option<Arc<Facts>> {
        let partition = policy::of_sat(goal)?;
        let facts = Facts::new(&partition, goal, tables, &Control::new());
        facts.unwrap().map(Arc::new)
    }

    #[test]
    fn optima_are_those_of_flooding() {
        let tables = Tables::in_memory();
        let goals = [
            "1 2 3/4 5 6/7 8 0",
            "0 1 2/3 4 5",
            "5 3/0 1/2 4",
            "1 2 3 4/5 6 7 0",
            "3 1 2/4 0 5/7 8 6",
        ];
        for goal in goals {
            let goal: Board = goal.parse().unwrap();
            let distance = flood(&goal);
            let facts = default_facts(&goal, &tables);
            for i in 0..25 {
                let board = random_board(&goal, &mut Generator::new(7, i));
                let plan = optimum(&board, &goal, facts.clone());
                assert_eq!(
                    noyes_check::board_plan(&board, &goal, &plan).ok(),
                    Some(distance[&board]),
                    "{board} to {goal}"
                );
            }
            for i in 0..4 {
                let board = random_walk(&goal, 12, &mut Generator::new(8, i));
                let plan = optimum(&board, &goal, None);
                assert_eq!(
                    plan.len() as u32,
                    distance[&board],
                    "{board}, the formula alone"
                );
            }
        }
    }

    #[test]
    fn longer_questions_have_the_shorter_plans() {
        let tables = Tables::in_memory();
        for goal in [
            "1 2 3/4 5 6/7 8 0",
            "0 1 2/3 4 5",
            "1 2 3 0/",
            "3 1 2/4 0 5/7 8 6",
        ] {
            let goal: Board = goal.parse().unwrap();
            let distance = flood(&goal);
            let facts = default_facts(&goal, &tables);
            for i in 0..10 {
                let start = random_walk(&goal, 3 * i as usize, &mut Generator::new(9, i));
                let mut lean = Lean::new(&start, &goal, facts.clone());
                for more in [0, 1, 2, 3, 6, 8] {
                    for least in [0, distance[&start]] {
                        let plan = ask(&mut lean, distance[&start] + more, least);
                        let plan = plan.unwrap_or_else(|| panic!("{start} to {goal}, {more} more"));
                        let length = noyes_check::board_plan(&start, &goal, &plan).unwrap();
                        assert!(length <= distance[&start] + more);
                    }
                }
            }
        }
    }

    #[test]
    fn no_lazy_clause_excludes_a_plan() {
        let goal = Board::blank_last(3, 3);
        let distance = flood(&goal);
        let tables = Tables::in_memory();
        let (mut clauses, mut judged) = (0, 0);
        for text in ["2-2-2-2", "3-3-2+reflect", "4-4+reflect", "8", "1,2,3+5,6"] {
            let facts = facts(text, &goal, &tables).unwrap();
            for i in 0..12 {
                let start = random_walk(&goal, 8 + i as usize, &mut Generator::new(5, i));
                for budget in (manhattan(&start, &goal)..=distance[&start] + 4).step_by(2) {
                    if budget == 0 {
                        continue;
                    }
                    let plans = plans(&start, budget, &distance);
                    let mut lean = Lean::new(&start, &goal, Some(facts.clone()));
                    let plan = ask(&mut lean, budget, 0);
                    assert_eq!(plan.is_some(), budget >= distance[&start]);
                    let (formula, log) = lean.asked.take().unwrap();
                    for plan in &plans {
                        let model = model(&formula, &start, &goal, plan);
                        judged += log.len();
                        for clause in &log {
                            assert!(holds(clause, &model), "{clause:?} excludes a plan");
                        }
                        // Above the optimum a plan may go straight back before it is home.
                        if budget == distance[&start] {
                            for clause in formula.clauses() {
                                assert!(holds(clause, &model), "{clause:?} in the formula");
                            }
                        }
                    }
                    clauses += log.len();
                }
            }
        }
        assert!(
            clauses > 1000 && judged > 1000,
            "{clauses} clauses, {judged} judged"
        );
    }

    #[test]
    fn the_static_formula_has_every_optimal_plan_and_no_shorter() {
        for goal in [Board::blank_last(3, 3), Board::blank_first(3, 2)] {
            let distance = flood(&goal);
            for i in 0..12 {
                let start = random_walk(&goal, 10 + i as usize, &mut Generator::new(6, i));
                for k in (manhattan(&start, &goal)..=distance[&start]).step_by(2) {
                    let question = Question { k, least: 0 };
                    let mut fixed = Fixed::new(&start, &goal, question);
                    let mut cnf = Cnf::default();
                    unroll(&mut fixed, k, &mut cnf);
                    let mut solver = CaDiCal::new();
                    solver.resize(cnf.variables() as i32);
                    for clause in cnf.clauses() {
                        let numbers: Vec<i32> = clause.iter().map(|lit| lit.dimacs()).collect();
                        solver.clause6(&numbers);
                    }
                    // What a plan says of blank, tiles and ups holds, and the rest can follow.
                    for plan in plans(&start, k, &distance) {
                        let formula =
                            Formula::new(&start, &goal, k as usize, 0, &mut |_| true).unwrap();
                        let model = model(&formula, &start, &goal, &plan);
                        for (variable, &is) in (1..).zip(&model) {
                            solver.assume(Lit::of(variable).when(is).dimacs());
                        }
                        assert_eq!(solver.solve(), Status::SATISFIABLE, "{start} in {k}");
                    }
                    let is_enough = k >= distance[&start];
                    assert_eq!(
                        solver.solve() == Status::SATISFIABLE,
                        is_enough,
                        "{start} in {k}"
                    );
                    if is_enough {
                        let solver = RefCell::new(&mut solver);
                        let plan =
                            fixed.decode(k, &|lit| solver.borrow_mut().val(lit.dimacs()) > 0);
                        assert!(noyes_check::board_plan(&start, &goal, &plan).is_ok());
                    }
                }
            }
        }
    }
}
