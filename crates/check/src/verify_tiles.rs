//! Checks the certificate of a board.
//!
//! 1. The plan is replayed: it has C moves.
//! 2. No plan is shorter than the Manhattan distance d of the start, because a move reduces it by at most one.
//! 3. A move changes the distance by exactly one, so the length of every plan is even or odd as d is. What is left are the
//!    lengths d, d + 2, …, C - 2.
//! 4. The reference formula of the board for at most C - 2 moves (`formula/tiles`) has no solution: this is what the proof
//!    says. Its lemmas are checked by `lrat`, its facts, if it has any, by `facts` and tables computed here (`tables`).
//!
//! So no plan has fewer than C moves. A board without a plan needs no proof, only its parity (`parity`).

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::BufRead;

use noyes_puzzle::tiles::Board;

use crate::certificate::TilesCase;
use crate::facts::Facts;
use crate::formula::{Tiles, manhattan};
use crate::parity::unsolvable;
use crate::proof::Rest;
use crate::refusal::Refusal;
use crate::replay::board_plan;
use crate::store::Store;
use crate::tables::Pattern;
use crate::verdict::{Verdict, count};

pub(crate) fn verify(
    case: &TilesCase,
    rest: &mut Rest<impl BufRead>,
    store: &mut Store,
) -> Result<Verdict, Refusal> {
    let TilesCase { start, goal, .. } = case;
    let mut verdict = Verdict {
        puzzle: format!("tiles {start}, goal {goal}"),
        ..Verdict::default()
    };
    let Some(plan) = &case.plan else {
        let why = unsolvable(start, goal);
        let why = why.ok_or_else(|| Refusal::Claim("parity does not exclude a plan".into()))?;
        verdict.proved = "no plan exists".into();
        verdict.because.push(why);
        rest.nothing()?;
        return Ok(verdict);
    };
    let cost = board_plan(start, goal, plan)?;
    verdict.optimal(cost, "move");
    let distance = manhattan(start, goal);
    verdict.because.push(format!(
        "a plan has at least {}, the Manhattan distance, because a move reduces it by at most one",
        count(distance as u64, "move")
    ));
    if cost as usize == distance {
        rest.nothing()?;
        return Ok(verdict);
    }
    let parity = if distance.is_multiple_of(2) {
        "even"
    } else {
        "odd"
    };
    verdict.because.push(format!(
        "the length of every plan is {parity}, because a move changes the Manhattan distance by exactly one"
    ));
    // The plan and the distance agree in parity, so this is at least the distance.
    let bound = cost as usize - 2;
    rest.refutes(distance, bound)?;
    let formula = Tiles::new(start, goal, bound).ok_or(Refusal::TooLarge)?;
    let mut used = HashSet::new();
    if !case.tables.iter().flatten().all(|tile| used.insert(tile)) {
        // Before any table is computed, which takes time and space.
        return Err(Refusal::Tables("two patterns have a common tile".into()));
    }
    let patterns = patterns(goal, &case.tables)?;
    let tables: Result<Vec<_>, _> = patterns.iter().map(|p| store.table(p)).collect();
    let tables = tables?;
    let facts = Facts::new(&formula, &tables);
    let facts = facts.ok_or_else(|| Refusal::Tables("they do not fit the board".into()))?;
    rest.proof(
        &formula.clauses,
        formula.variables(),
        &|clause| facts.check(clause),
        &mut verdict,
    )?;
    let mut reason = format!(
        "no plan has at most {}: the formula with {} clauses has no solution, by a proof of {}",
        count(bound as u64, "move"),
        formula.clauses.len(),
        count(verdict.steps, "step")
    );
    if verdict.facts > 0 {
        let sizes: Vec<String> = case.tables.iter().map(|t| t.len().to_string()).collect();
        let _ = write!(
            reason,
            ", {} of them facts from the pattern databases {}, which this program {}",
            verdict.facts,
            sizes.join("-"),
            if store.read > 0 {
                "computed in an earlier run and read from its folder"
            } else {
                "computed"
            }
        );
    }
    verdict.because.push(reason);
    Ok(verdict)
}

/// Patterns, given by their tiles, as tables know them.
///
/// # Errors
/// A tile that the board does not have.
pub fn patterns(goal: &Board, tables: &[Vec<u16>]) -> Result<Vec<Pattern>, Refusal> {
    let places = goal.places();
    let pattern = |tiles: &Vec<u16>| {
        let goal_of = |tile: &u16| {
            let place = places.get(usize::from(*tile)).filter(|_| *tile > 0);
            place.copied().map(usize::from)
        };
        let goals: Option<Vec<usize>> = tiles.iter().map(goal_of).collect();
        let mut goals = goals.ok_or_else(|| Refusal::Tables("no such tile".into()))?;
        goals.sort_unstable();
        Ok(Pattern {
            width: goal.width(),
            height: goal.height(),
            goals,
            blank: goal.blank(),
        })
    };
    tables.iter().map(pattern).collect()
}
