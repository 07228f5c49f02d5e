//! Checks the certificate of a level.
//!
//! 1. The plan is replayed: it costs C.
//! 2. If there are as many boxes as goals, every box ends on a goal. So a plan has at least as many pushes as the boxes
//!    need if each were alone and went to the nearest goal. And a push takes a box to the other colour of a chessboard, so
//!    whether the number of pushes is even or odd is fixed by the colours of the boxes and of the goals.
//! 3. The reference formula of the level for the next lower cost has no solution: this is what the proof says.
//!
//! So no plan costs less than C. That a level has no plan is shown by a search (`stuck`).

use std::fmt::Write as _;
use std::io::BufRead;

use noyes_puzzle::sokoban::write_xsb;

use crate::certificate::{Counts, LevelCase};
use crate::clauses::{Clauses, Lit};
use crate::formula::{Pushes, Walks, least_pushes};
use crate::proof::Rest;
use crate::refusal::Refusal;
use crate::sokoban::sokoban_plan;
use crate::stuck::stuck;
use crate::verdict::{Verdict, count};

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
        Counts::Pushes => (replayed.pushes, "push"),
        _ if one_player => (replayed.steps, "move"),
        _ => (replayed.steps, "step"),
    };
    verdict.optimal(cost, unit);
    let least = if one_player { least_pushes(level) } else { 0 };
    if least > 0 {
        verdict.because.push(format!(
            "a plan has at least {}, because every box has to get to a goal, and would need this even if it were alone",
            count(least as u64, "push")
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
    let formula = LevelFormula::new(case, bound).ok_or(Refusal::TooLarge)?;
    let clauses = formula.clauses();
    rest.proof(
        clauses,
        formula.variables(),
        &|clause| formula.check_fact(clause),
        &mut verdict,
    )?;
    let mut reason = format!(
        "no plan has at most {}: the formula with {} clauses has no solution, by a proof of {}",
        count(bound as u64, unit),
        clauses.len(),
        count(verdict.steps, "step")
    );
    if verdict.facts > 0 {
        let _ = write!(
            reason,
            ", {} of them facts about rooms: who gets into a room was in it or gets to a cell beside it",
            verdict.facts
        );
    }
    verdict.because.push(reason);
    Ok(verdict)
}

/// The reference formula of a level.
pub enum LevelFormula {
    /// Counted in pushes.
    Pushes(Box<Pushes>),
    /// Counted in steps.
    Steps(Walks),
}

impl LevelFormula {
    /// For plans of at most this cost. Nothing if it would be too large.
    pub fn new(case: &LevelCase, bound: usize) -> Option<LevelFormula> {
        if case.counts == Counts::Pushes {
            return Pushes::new(&case.level, bound).map(|f| LevelFormula::Pushes(Box::new(f)));
        }
        // A single player has no reason to wait.
        let wait = case.counts.may_wait() && case.level.players().len() > 1;
        Walks::new(&case.level, wait, bound).map(LevelFormula::Steps)
    }

    /// The clauses, by number.
    pub fn clauses(&self) -> &Clauses {
        match self {
            LevelFormula::Pushes(formula) => &formula.clauses,
            LevelFormula::Steps(formula) => &formula.clauses,
        }
    }

    /// The number of variables.
    pub fn variables(&self) -> usize {
        match self {
            LevelFormula::Pushes(formula) => formula.variables,
            LevelFormula::Steps(formula) => formula.variables,
        }
    }

    /// Whether a clause is a fact, or why not.
    fn check_fact(&self, clause: &[Lit]) -> Result<(), String> {
        match self {
            LevelFormula::Pushes(formula) => formula.check_room(clause),
            LevelFormula::Steps(_) => Err("a proof about steps has no facts".into()),
        }
    }
}
