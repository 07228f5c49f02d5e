//! Plans replayed, and whether there is one at all.

use noyes_check::{board_after, board_plan, sokoban_after, sokoban_plan};
use noyes_puzzle::sokoban::{Level, Metrics, State, Walks, write_xsb};
use noyes_puzzle::tiles::{Board, Notation, parse_plan, solvable};
use noyes_solver::{Request, why_unsolvable};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::problem::Problem;
use super::wish::{self, Asked};

/// A plan to replay.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckBody {
    /// A board, or a level of Sokoban.
    #[schema(example = "1 2 3/4 0 6/7 5 8")]
    pub puzzle: String,
    /// Letters L U R D; of several players a line for each.
    #[schema(example = "DR")]
    pub plan: String,
    /// blank-last (the default), blank-first or a board.
    #[schema(example = "blank-last")]
    pub goal: Option<String>,
    /// What the letters name: the movement of the blank (the default) or of the tile.
    #[schema(example = "blank")]
    pub notation: Option<String>,
    /// Levels of several players: nobody may wait.
    #[serde(default)]
    pub no_wait: bool,
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
    /// The pushes among them, in a level.
    pub pushes: Option<usize>,
    /// The puzzle after the plan, if it is legal.
    pub reached: Option<String>,
    /// What is wrong with it.
    pub error: Option<String>,
}

/// Replays a plan.
pub fn check(body: &CheckBody) -> Result<Checked, Problem> {
    match Asked::read(&body.puzzle)? {
        Asked::Board(board) => check_board(body, &board),
        Asked::Level(level) => check_level(body, &level),
    }
}

fn check_board(body: &CheckBody, board: &Board) -> Result<Checked, Problem> {
    wish::no_level_choices(body.no_wait, None)?;
    let goal = wish::goal(body.goal.as_deref(), board.width(), board.height())?;
    let notation: Notation = body
        .notation
        .as_deref()
        .unwrap_or("blank")
        .parse()
        .map_err(|e| Problem::unprocessable(format_args!("notation: {e}")))?;
    let plan = parse_plan(&body.plan, notation)
        .map_err(|e| Problem::unprocessable(format_args!("plan: {e}")))?;
    let reached = board_after(board, &plan);
    let solved = board_plan(board, &goal, &plan);
    Ok(Checked {
        valid: reached.is_ok(),
        solved: solved.is_ok(),
        moves: plan.len(),
        pushes: None,
        reached: reached.ok().map(|board| board.to_string()),
        error: solved.err().map(|fault| fault.to_string()),
    })
}

fn check_level(body: &CheckBody, level: &Level) -> Result<Checked, Problem> {
    if body.goal.is_some() || body.notation.as_deref().is_some_and(|n| n != "lurd") {
        return Err(Problem::unprocessable(
            "a level of Sokoban has its goals in it, and its plans are LURD",
        ));
    }
    let walks = Walks::parse(&body.plan, level.players().len())
        .map_err(|e| Problem::unprocessable(format_args!("plan: {e}")))?;
    let wait = !body.no_wait;
    let solved = sokoban_plan(level, &walks, wait);
    let reached = sokoban_after(level, &walks, wait);
    let metrics = Metrics::of(level, &walks).ok();
    Ok(Checked {
        valid: reached.is_ok(),
        solved: solved.is_ok(),
        moves: metrics.as_ref().map_or(walks.len(), |m| m.moves),
        pushes: metrics.map(|m| m.pushes),
        reached: reached.ok().map(|(after, _)| write_xsb(&after)),
        error: solved.err().map(|fault| fault.to_string()),
    })
}

/// A puzzle that may have no plan.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolvableBody {
    /// A board, or a level of Sokoban.
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
    let (solvable, reason) = match Asked::read(&body.puzzle)? {
        Asked::Board(board) => {
            let goal = wish::goal(body.goal.as_deref(), board.width(), board.height())?;
            let done = solvable(&board, &goal);
            (Some(done.is_ok()), done.err().map(|why| why.to_string()))
        }
        Asked::Level(level) => {
            let request = wish::level_request(&level, None, false, body.goal.as_deref())?;
            let is_solved = State::start(&level).is_solved(&level);
            let reason = if is_solved { None } else { reason(&request) };
            let known = is_solved.then_some(true);
            (known.or(reason.as_ref().map(|_| false)), reason)
        }
    };
    Ok(Solvable { solvable, reason })
}

/// Why there is no plan, where that needs no search.
pub fn reason(request: &Request) -> Option<String> {
    why_unsolvable(request.puzzle())
}
