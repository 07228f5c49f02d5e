//! Lean: optimal plans by a SAT solver that is told what the pattern databases know.
//!
//! The formula (`formula.rs`) is small, the solver decides forward in time, and what
//! the databases say of the boards it comes across is added as it goes (`lazy.rs`).
//! A fresh solver for each budget, from the databases' bound up by two.
//!
//! The strength comes from the tables; what the solver learns saves little beside
//! them. Believed to make it quick, though not measured one by one: moves forbidden
//! ahead of time by lazy reasons rather than by a conflict each; no eager
//! explanations; each cell's tiles written every second step; no clauses that lead
//! backward. Measured: decisions that really go forward, with six options of the
//! solver off, took Korf's 100 from 21 to 11 s and from 233,000 to 22,700 conflicts.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use cadical_sys::{CaDiCal, Status, Terminator};
use noyes_puzzle::tiles::{Board, Direction};

use super::facts::{Facts, Known, distances};
use super::formula::Formula;
use super::lazy::{Lazy, Told};
use crate::answer::{Counts, Outcome};
use crate::control::{Control, Stop};
use crate::pdb::{Key, Partition, Tables};

/// What lean counted, over all budgets but for the sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Budgets asked.
    pub budgets: u32,
    /// Conflicts of the solver.
    pub conflicts: u64,
    /// Its decisions.
    pub decisions: u64,
    /// Literals it propagated.
    pub propagations: u64,
    /// Clauses added lazily: reasons from the databases.
    pub lazy_clauses: u64,
    /// Moves that the databases forbade.
    pub forbidden: u64,
    /// Boards looked up.
    pub boards: u64,
    /// Variables of the last formula.
    pub variables: u64,
    /// Its clauses.
    pub clauses: u64,
}

/// Finds an optimal plan for a board that can be solved.
pub fn lean(
    start: &Board,
    goal: &Board,
    partition: Option<&Partition>,
    tables: &Tables,
    control: &Control,
) -> (Outcome<Direction>, Stats) {
    let stats = Stats::default();
    let manhattan = manhattan(start, goal);
    if manhattan == 0 {
        return (Outcome::optimal(vec![], 0, Counts::default()), stats);
    }
    let by_default = default_partition(goal);
    let facts = match partition.or(by_default.as_ref()) {
        Some(partition) => match Facts::new(partition, goal, tables, control) {
            Ok(facts) => facts.map(Arc::new),
            Err(error) => {
                return (
                    Outcome::stopped(error.0, manhattan, Counts::default()),
                    stats,
                );
            }
        },
        None => None,
    };
    with_facts(start, goal, facts.as_ref(), control, &mut |_, _| ())
}

/// The same with these facts, or with the formula alone; every budget's formula and lazy clauses are shown.
fn with_facts(
    start: &Board,
    goal: &Board,
    facts: Option<&Arc<Facts>>,
    control: &Control,
    show: &mut dyn FnMut(&Formula, &Lazy),
) -> (Outcome<Direction>, Stats) {
    let mut stats = Stats::default();
    let manhattan = manhattan(start, goal);
    let known = facts.map(|facts| facts.know(start));
    let extra = known.as_ref().map_or(0, Known::extra);
    let mut budget = manhattan + 2 * u32::from(extra);
    loop {
        control.raise_lower(budget);
        let facts = facts.cloned().zip(known.clone());
        let asked = ask(
            start,
            goal,
            budget as usize,
            facts,
            control,
            &mut stats,
            show,
        );
        let counts = Counts {
            expanded: stats.decisions,
            generated: stats.boards,
            peak_bytes: 0,
            ..Counts::default()
        };
        match asked {
            Err(stop) => return (Outcome::stopped(stop, budget, counts), stats),
            Ok(Some(plan)) => return (Outcome::optimal(plan, budget, counts), stats),
            Ok(None) => budget += 2,
        }
    }
}

/// The sum of the tiles' distances from their places.
fn manhattan(start: &Board, goal: &Board) -> u32 {
    let (distance, places) = (distances(goal), start.places());
    (1..places.len())
        .map(|tile| u32::from(distance[tile][usize::from(places[tile])]))
        .sum()
}

/// The tables to use if none are named: quick to build.
pub fn default_partition(goal: &Board) -> Option<Partition> {
    let (width, height) = (goal.width(), goal.height());
    let cells = width * height;
    if cells > Key::MOST_CELLS || width.min(height) < 2 {
        return None;
    }
    let sizes = if (width, height) == (4, 4) {
        "6-6-3".to_owned()
    } else {
        let most = if cells > 16 { 5 } else { 6 };
        let parts = (cells - 1).div_ceil(most);
        let size = |i: usize| ((cells - 1 + i) / parts).to_string();
        (0..parts).map(size).collect::<Vec<_>>().join("-")
    };
    let reflected: Partition = format!("{sizes}+reflect").parse().expect("a partition");
    Some(reflected.towards(goal))
}

/// A plan of exactly so many moves, if there is one.
fn ask(
    start: &Board,
    goal: &Board,
    budget: usize,
    facts: Option<(Arc<Facts>, Known)>,
    control: &Control,
    stats: &mut Stats,
    show: &mut dyn FnMut(&Formula, &Lazy),
) -> Result<Option<Vec<Direction>>, Stop> {
    control.poll_stop()?;
    let formula = Rc::new(Formula::new(start, goal, budget));
    let lazy = Rc::new(RefCell::new(Lazy::new(formula.clone(), facts)));
    let mut solver = solver(&formula, &lazy, control);
    let status = solver.solve();
    let counted = |name| solver.get_statistic_value(name) as u64;
    show(&formula, &lazy.borrow());
    let Told {
        boards,
        forbidden,
        clauses,
    } = lazy.borrow().told;
    stats.budgets += 1;
    stats.conflicts += counted("conflicts");
    stats.decisions += counted("decisions");
    stats.propagations += counted("propagations");
    stats.lazy_clauses += clauses;
    stats.forbidden += forbidden;
    stats.boards += boards;
    stats.variables = formula.variables as u64;
    stats.clauses = formula.clauses.iter().filter(|&&lit| lit == 0).count() as u64;
    match status {
        Status::UNSATISFIABLE => Ok(None),
        Status::SATISFIABLE => Ok(Some(decode(start, &formula, |lit| solver.val(lit) > 0))),
        Status::UNKNOWN => Err(control.poll_stop().err().unwrap_or(Stop::Interrupted)),
    }
}

/// A solver with the formula, the propagator and the limits.
fn solver(formula: &Formula, lazy: &Rc<RefCell<Lazy>>, control: &Control) -> CaDiCal {
    let mut solver = CaDiCal::new();
    for (option, value) in OPTIONS {
        assert!(solver.set(option, value), "{option} is an option");
    }
    solver.resize(formula.variables);
    solver.connect_terminator(Limits(control.clone()));
    solver.connect_external_propagator(lazy.clone());
    for variable in 1..=formula.variables {
        solver.add_observed_var(variable);
    }
    for clause in formula.clauses.split(|&lit| lit == 0) {
        if !clause.is_empty() {
            solver.clause6(clause);
        }
    }
    solver
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

/// The limits, in the solver's terms.
struct Limits(Control);

impl Terminator for Limits {
    fn terminated(&mut self) -> bool {
        self.0.poll_stop().is_err()
    }
}

/// The plan of a model.
pub fn decode(
    start: &Board,
    formula: &Formula,
    mut is_true: impl FnMut(i32) -> bool,
) -> Vec<Direction> {
    let mut cell = start.blank();
    let mut step = |time| {
        let direction = Direction::ALL.into_iter().find(|&d| {
            let to = start.neighbour(cell, d).map(|to| formula.blank(time, to));
            to.is_some_and(|lit| lit != 0 && is_true(lit))
        });
        let direction = direction.expect("the blank goes somewhere");
        cell = start
            .neighbour(cell, direction)
            .expect("a cell of the board");
        direction
    };
    (1..=formula.budget).map(&mut step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::tiles::{Generator, random_board, random_walk};
    use std::collections::HashMap;

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

    /// All plans of exactly so many moves.
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
        let mut model = vec![false; formula.variables as usize + 1];
        let mut set = |lit: i32, what: &str| {
            assert_ne!(lit, 0, "{what}: pruned, but in a plan");
            model[lit as usize] = true;
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

    fn holds(clause: &[i32], model: &[bool]) -> bool {
        clause
            .iter()
            .any(|&lit| model[lit.unsigned_abs() as usize] == (lit > 0))
    }

    fn facts(text: &str, goal: &Board, tables: &Tables) -> Option<Arc<Facts>> {
        let partition: Partition = text.parse().unwrap();
        let partition = partition.towards(goal);
        Facts::new(&partition, goal, tables, &Control::new())
            .unwrap()
            .map(Arc::new)
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
            for i in 0..25 {
                let board = random_board(&goal, &mut Generator::new(7, i));
                let (outcome, stats) = lean(&board, &goal, None, &tables, &Control::new());
                assert_eq!(
                    outcome.bounds.upper,
                    Some(distance[&board]),
                    "{board} to {goal}"
                );
                let plan = outcome.plan.unwrap();
                assert_eq!(
                    noyes_check::board_plan(&board, &goal, &plan).ok(),
                    Some(distance[&board])
                );
                assert!(stats.budgets > 0 || board == goal);
            }
            for i in 0..4 {
                let board = random_walk(&goal, 12, &mut Generator::new(8, i));
                let (outcome, _) = with_facts(&board, &goal, None, &Control::new(), &mut |_, _| ());
                assert_eq!(
                    outcome.bounds.upper,
                    Some(distance[&board]),
                    "{board}, the formula alone"
                );
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
                    let known = facts.know(&start);
                    let plans = plans(&start, budget, &distance);
                    let mut show = |formula: &Formula, lazy: &Lazy| {
                        let models: Vec<_> = plans
                            .iter()
                            .map(|plan| model(formula, &start, &goal, plan))
                            .collect();
                        clauses += lazy.log.len();
                        judged += lazy.log.len() * models.len();
                        for clause in &lazy.log {
                            assert!(
                                models.iter().all(|m| holds(clause, m)),
                                "{clause:?} excludes a plan"
                            );
                        }
                        if budget == distance[&start] {
                            for clause in formula
                                .clauses
                                .split(|&lit| lit == 0)
                                .filter(|c| !c.is_empty())
                            {
                                assert!(
                                    models.iter().all(|m| holds(clause, m)),
                                    "{clause:?} in the formula"
                                );
                            }
                        }
                    };
                    let facts = Some((facts.clone(), known));
                    let mut stats = Stats::default();
                    let asked = ask(
                        &start,
                        &goal,
                        budget as usize,
                        facts,
                        &Control::new(),
                        &mut stats,
                        &mut show,
                    );
                    // Above the optimum every plan may go straight back somewhere.
                    if budget <= distance[&start] {
                        assert_eq!(asked.unwrap().is_some(), budget == distance[&start]);
                    }
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
                for budget in (manhattan(&start, &goal)..=distance[&start]).step_by(2) {
                    let cnf = super::super::static_cnf(&start, &goal, budget as usize);
                    assert_eq!(cnf.names.len(), cnf.variables as usize);
                    let formula = Formula::new(&start, &goal, budget as usize);
                    let clauses = || cnf.clauses.split(|&lit| lit == 0).filter(|c| !c.is_empty());
                    for plan in plans(&start, budget, &distance) {
                        let model = model(&formula, &start, &goal, &plan);
                        for clause in clauses() {
                            assert!(holds(clause, &model), "{clause:?} of {start} in {budget}");
                        }
                    }
                    let mut solver = CaDiCal::new();
                    solver.resize(cnf.variables);
                    clauses().for_each(|clause| solver.clause6(clause));
                    let status = solver.solve();
                    assert_eq!(
                        status == Status::SATISFIABLE,
                        budget == distance[&start],
                        "{start} in {budget}"
                    );
                    if status == Status::SATISFIABLE {
                        let plan = decode(&start, &formula, |lit| solver.val(lit) > 0);
                        assert!(noyes_check::board_plan(&start, &goal, &plan).is_ok());
                    }
                }
            }
        }
    }

    #[test]
    fn limits_end_it() {
        let goal = Board::blank_first(4, 4);
        let start: Board = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3".parse().unwrap();
        let control = Control::new().time_limit(std::time::Duration::from_millis(1));
        let (outcome, _) = lean(&start, &goal, None, &Tables::in_memory(), &control);
        assert_eq!(outcome.status, crate::Status::Limit(Stop::Time));
        assert!(outcome.bounds.lower >= manhattan(&start, &goal) && outcome.bounds.lower <= 57);
    }
}
