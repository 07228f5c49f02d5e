//! Lean: optimal plans by a SAT solver that is told what the pattern databases know.
//!
//! The formula (`formula.rs`) is small, the solver decides forward in time, and what
//! the databases say of the boards it comes across is added as it goes (`lazy.rs`).
//! A fresh solver for each budget, from the databases' bound up by two.
//!
//! The strength comes from the tables: with them the solver reaches no more boards
//! than IDA* would, and pays some hundred times more for each. What it learns from
//! conflicts saves less than half of them.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use cadical_sys::{CaDiCal, Status, Terminator};
use noyes_puzzle::tiles::{Board, Direction};

use super::facts::{Facts, distances};
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
    let mut stats = Stats::default();
    let distance = distances(goal);
    let places = start.places();
    let manhattan = (1..places.len()).map(|tile| u32::from(distance[tile][usize::from(places[tile])]));
    let manhattan: u32 = manhattan.sum();
    if manhattan == 0 {
        return (Outcome::optimal(vec![], 0, Counts::default()), stats);
    }
    let by_default = default_partition(goal);
    let facts = match partition.or(by_default.as_ref()) {
        Some(partition) => match Facts::new(partition, goal, tables, control) {
            Ok(facts) => facts.map(Arc::new),
            Err(error) => return (Outcome::stopped(error.0, manhattan, Counts::default()), stats),
        },
        None => None,
    };
    let known = facts.as_ref().map(|facts| facts.know(start));
    let extra = facts.iter().zip(&known).map(|(facts, known)| facts.extra(known)).sum::<u16>();
    let mut budget = manhattan + 2 * u32::from(extra);
    loop {
        control.raise_lower(budget);
        let facts = facts.clone().zip(known.clone());
        let asked = ask(start, goal, budget as usize, facts, control, &mut stats);
        let counts = Counts {
            expanded: stats.decisions,
            generated: stats.boards,
            peak_bytes: 0,
        };
        match asked {
            Err(stop) => return (Outcome::stopped(stop, budget, counts), stats),
            Ok(Some(plan)) => return (Outcome::optimal(plan, budget, counts), stats),
            Ok(None) => budget += 2,
        }
    }
}

/// The tables to use if none are named: quick to build.
pub fn default_partition(goal: &Board) -> Option<Partition> {
    let (width, height) = (goal.width(), goal.height());
    let cells = width * height;
    if cells > Key::MOST_CELLS || width.min(height) < 2 {
        return None;
    }
    let sizes = match (width, height) {
        (4, 4) => "6-6-3".to_owned(),
        _ => {
            let most = if cells > 16 { 5 } else { 6 };
            let parts = (cells - 1).div_ceil(most);
            let sizes: Vec<String> =
                (0..parts).map(|i| ((cells - 1 + i) / parts).to_string()).collect();
            sizes.join("-")
        }
    };
    let reflected: Partition = format!("{sizes}+reflect").parse().expect("a partition");
    Some(reflected.towards(goal))
}

/// A plan of exactly so many moves, if there is one.
fn ask(
    start: &Board,
    goal: &Board,
    budget: usize,
    facts: Option<(Arc<Facts>, super::facts::Known)>,
    control: &Control,
    stats: &mut Stats,
) -> Result<Option<Vec<Direction>>, Stop> {
    control.poll_stop()?;
    let formula = Rc::new(Formula::new(start, goal, budget));
    let lazy = Rc::new(RefCell::new(Lazy::new(formula.clone(), facts)));
    let mut solver = solver(&formula, &lazy, control);
    let status = solver.solve();
    let counted = |name| solver.get_statistic_value(name) as u64;
    let Told { boards, forbidden, clauses } = lazy.borrow().told;
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
    for (option, value) in options() {
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

/// Nothing but search; the solver's own guesses, at the end, are "false".
fn options() -> Vec<(&'static str, i32)> {
    let mut options = vec![
        ("inprocessing", 0),
        ("factor", 0),
        ("lucky", 0),
        ("phase", 0),
        ("chrono", 0),
        ("walk", 0),
        ("rephase", 0),
        ("exteagerreasons", 0),
    ];
    if let Ok(text) = std::env::var("LEAN_OPTIONS") {
        for option in text.split(',') {
            let (name, value) = option.split_once('=').expect("name=value");
            options.push((name.to_owned().leak(), value.parse().expect("a number")));
        }
    }
    options
}

/// The limits, in the solver's terms.
struct Limits(Control);

impl Terminator for Limits {
    fn terminated(&mut self) -> bool {
        self.0.poll_stop().is_err()
    }
}

/// The plan of a model.
fn decode(start: &Board, formula: &Formula, mut is_true: impl FnMut(i32) -> bool) -> Vec<Direction> {
    let mut cell = start.blank();
    let mut step = |time| {
        let direction = Direction::ALL.into_iter().find(|&d| {
            let to = start.neighbour(cell, d).map(|to| formula.blank(time, to));
            to.is_some_and(|lit| lit != 0 && is_true(lit))
        });
        let direction = direction.expect("the blank goes somewhere");
        cell = start.neighbour(cell, direction).expect("a cell of the board");
        direction
    };
    (1..=formula.budget).map(&mut step).collect()
}
