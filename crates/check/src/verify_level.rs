//! Checks the certificate of a level.
//!
//! 1. The plan is replayed: it costs C.
//! 2. If there are as many boxes as goals, every box ends on a goal. So a plan has at least as many pushes as the boxes
//!    need if each were alone and went to the nearest goal. And a push takes a box to the other colour of a chessboard, so
//!    whether the number of pushes is even or odd is fixed by the colours of the boxes and of the goals.
//! 3. The reference formula of the level for the next lower cost has no solution: this is what the proof says.
//!
//! So no plan costs less than C. That a level has no plan is shown by a search (`stuck`).

use std::io::BufRead;

use noyes_puzzle::sokoban::write_xsb;

use crate::certificate::{Counts, LevelCase};
use crate::clauses::Clauses;
use crate::formula::{Pushes, Walks, least_pushes};
use crate::proof::Rest;
use crate::refusal::Refusal;
use crate::sokoban::sokoban_plan;
use crate::stuck::stuck;
use crate::verdict::Verdict;

pub(crate) fn verify(case: &LevelCase, rest: &mut Rest<impl BufRead>) -> Result<Verdict, Refusal> {
    let LevelCase { level, counts, .. } = case;
    let rows = write_xsb(&level.clone().titled(None));
    let mut verdict = Verdict {
        puzzle: format!("sokoban {}", rows.trim_end().replace('\n', "/")),
        ..Verdict::default()
    };
    let Some(plan) = &case.plan else {
        verdict.proved = "no plan exists".into();
        verdict
            .because
            .push(stuck(level, &case.stuck).map_err(Refusal::Claim)?);
        rest.nothing()?;
        return Ok(verdict);
    };
    let replayed = sokoban_plan(level, plan, counts.may_wait())
        .map_err(|fault| Refusal::Plan(fault.into()))?;
    let one_player = level.players().len() == 1;
    let (cost, unit) = match counts {
        Counts::Pushes if !one_player => {
            return Err(Refusal::Claim(
                "pushes are counted for one player only".into(),
            ));
        }
        Counts::Pushes => (replayed.pushes, "pushes"),
        _ if one_player => (replayed.steps, "moves"),
        _ => (replayed.steps, "steps"),
    };
    verdict.optimal(cost, unit);
    let least = if one_player { least_pushes(level) } else { 0 };
    if least > 0 {
        verdict.because.push(format!(
            "a plan has at least {least} pushes, because every box has to get to a goal, and needs these even if it were alone"
        ));
    }
    let mut below = 1;
    if *counts == Counts::Pushes && level.boxes().len() == level.goals().count() {
        below = 2;
        verdict.because.push(
            "the number of pushes is always even or always odd, because a push takes a box to the other colour of a chessboard"
                .into(),
        );
    }
    let Some(bound) = (cost as usize)
        .checked_sub(below)
        .filter(|&bound| bound >= least)
    else {
        rest.nothing()?;
        return Ok(verdict);
    };
    rest.refutes(least, bound)?;
    let (clauses, variables) = level_formula(case, bound).ok_or(Refusal::TooLarge)?;
    rest.proof(&clauses, variables, None, &mut verdict)?;
    verdict.because.push(format!(
        "no plan has at most {bound} {unit}: the formula with {} clauses has no solution, by a proof of {} steps",
        clauses.len(),
        verdict.steps
    ));
    Ok(verdict)
}

/// The reference formula of a level for plans of at most this cost, and the number of its variables. Nothing if it would be
/// too large.
pub fn level_formula(case: &LevelCase, bound: usize) -> Option<(Clauses, usize)> {
    match case.counts {
        Counts::Pushes => {
            let formula = Pushes::new(&case.level, bound)?;
            Some((formula.clauses, formula.variables))
        }
        counts => {
            // A single player has no reason to wait.
            let wait = counts.may_wait() && case.level.players().len() > 1;
            let formula = Walks::new(&case.level, wait, bound)?;
            Some((formula.clauses, formula.variables))
        }
    }
}
