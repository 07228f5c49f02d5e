//! Plans replayed, and whether there is one at all.

use noyes_check::{board_after, board_plan};
use noyes_puzzle::tiles::{Notation, parse_plan, solvable};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::problem::Problem;
use super::wish::{self, Asked};

/// A plan to replay.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckBody {
    /// A board.
    #[schema(example = "1 2 3/4 0 6/7 5 8")]
    pub puzzle: String,
    /// Letters L U R D.
    #[schema(example = "DR")]
    pub plan: String,
    /// blank-last (the default), blank-first or a board.
    #[schema(example = "blank-last")]
    pub goal: Option<String>,
    /// What the letters name: the movement of the blank (the default) or of the tile.
    #[schema(example = "blank")]
    pub notation: Option<String>,
}

/// How a replay ended.
#[derive(Serialize, ToSchema)]
pub struct Checked {
    /// Whether every move is legal.
    pub valid: bool,
    /// Whether the goal is reached at the end.
    pub solved: bool,
    /// The moves of the plan.
    pub moves: usize,
    /// The puzzle after the plan, if it is legal.
    pub reached: Option<String>,
    /// What is wrong with it.
    pub error: Option<String>,
}

/// Replays a plan.
pub fn check(body: &CheckBody) -> Result<Checked, Problem> {
    let Asked::Board(board) = Asked::read(&body.puzzle)?;
    let goal = wish::goal(body.goal.as_deref(), board.width(), board.height())?;
    let notation: Notation = body
        .notation
        .as_deref()
        .unwrap_or("blank")
        .parse()
        .map_err(|e| Problem::unprocessable(format_args!("notation: {e}")))?;
    let plan = parse_plan(&body.plan, notation)
        .map_err(|e| Problem::unprocessable(format_args!("plan: {e}")))?;
    let reached = board_after(&board, &plan);
    let solved = board_plan(&board, &goal, &plan);
    Ok(Checked {
        valid: reached.is_ok(),
        solved: solved.is_ok(),
        moves: plan.len(),
        reached: reached.ok().map(|board| board.to_string()),
        error: solved.err().map(|fault| fault.to_string()),
    })
}

/// A puzzle that may have no plan.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolvableBody {
    /// A board.
    #[schema(example = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0")]
    pub puzzle: String,
    /// blank-last (the default), blank-first or a board.
    #[schema(example = "blank-last")]
    pub goal: Option<String>,
}

/// Whether there is a plan.
#[derive(Serialize, ToSchema)]
pub struct Solvable {
    /// Whether there is one; null if that takes a search.
    pub solvable: Option<bool>,
    /// Why there is none.
    pub reason: Option<String>,
}

/// Says whether there is a plan.
pub fn is_solvable(body: &SolvableBody) -> Result<Solvable, Problem> {
    let Asked::Board(board) = Asked::read(&body.puzzle)?;
    let goal = wish::goal(body.goal.as_deref(), board.width(), board.height())?;
    let done = solvable(&board, &goal);
    Ok(Solvable {
        solvable: Some(done.is_ok()),
        reason: done.err().map(|why| why.to_string()),
    })
}
