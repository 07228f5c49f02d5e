//! Puzzles as tasks for planners: written in PDDL, and planners' plans read back.
//!
//! A task is a domain (the rules) and a problem (the puzzle). The domains use
//! only what optimal planners support: STRIPS with types, and action costs where
//! not every action costs 1. The problem says in comments which
//! puzzle it is, so it can be read back without being parsed.
//!
//! A plan is read by replay: in each state there are at most four actions, and
//! the next line has to be one of them, word by word.
//!
//! Ghallab and others: PDDL, the Planning Domain Definition Language, 1998.
//! Helmert, Do, Refanidis: IPC-2008 (action costs; Sokoban in the optimal track).

use std::fmt::Write;

mod plan;
mod sokoban;
mod tiles;

pub use plan::{PlanFault, TaskPlanError, claimed_cost, is_plan};
pub use sokoban::{Counted, NotForPlanners, level_of, level_plan, level_task};
pub use tiles::{board_plan, board_task, boards_of};

/// A task for a planner, as the texts of its two files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The rules.
    pub domain: String,
    /// The puzzle.
    pub problem: String,
}

/// What a comment of a problem says under this name.
fn comment<'a>(problem: &'a str, name: &str) -> Option<&'a str> {
    (problem.lines())
        .take_while(|line| line.starts_with(';'))
        .find_map(|line| {
            line.strip_prefix("; ")?
                .strip_prefix(name)?
                .strip_prefix(' ')
        })
        .map(str::trim)
}

/// The name of a cell: its row and column, from 1.
fn cell_name(cell: usize, width: usize) -> String {
    format!("r{}c{}", cell / width + 1, cell % width + 1)
}

/// Facts, as lines of a problem.
fn lines(facts: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    for fact in facts {
        let _ = writeln!(text, "    {fact}");
    }
    text
}
