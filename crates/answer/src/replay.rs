//! Replays plans, and says whether a puzzle is solvable.

use noyes_puzzle::sokoban::State;
use noyes_puzzle::tiles::{Goal, Notation};

use crate::limits::MOST_STEPS;
use crate::record::{CheckBody, Replayed, SCHEMA, Solvability, SolvableBody, Subject};
use crate::{Fault, Given, ask, level, tiles, wish};

/// Replays a plan.
pub fn check(body: &CheckBody) -> Result<Replayed, Fault> {
    let given = wish::puzzle(&body.puzzle)?;
    ask::request(ask::of(&given, &Goal::default()).no_wait(body.no_wait))?;
    Ok(match &given {
        Given::Board(board) => {
            let goal = ask::goal(body.goal.as_deref(), board.width(), board.height())?;
            let notation: Notation = body
                .notation
                .as_deref()
                .unwrap_or("blank")
                .parse()
                .map_err(|e| Fault::field("notation", e))?;
            let plan = tiles::read_plan(&body.plan, board, notation)
                .map_err(|e| Fault::field("plan", e))?;
            if plan.len() > MOST_STEPS {
                let moves = plan.len();
                let what = format!("{moves} moves (expected at most {MOST_STEPS})");
                return Err(Fault::field("plan", what));
            }
            tiles::replay(board, &goal, &plan, notation)
        }
        Given::Level(level) => {
            ask::no_goal(body.goal.as_deref())?;
            if body.notation.as_deref().is_some_and(|n| n != "lurd") {
                return Err(Fault::field(
                    "notation",
                    "expected lurd, because the puzzle is a level",
                ));
            }
            let walks = level::read_plan_within(&body.plan, level, MOST_STEPS)
                .map_err(|e| Fault::field("plan", e))?;
            let mut puzzle = level::usual(level);
            puzzle.wait = !body.no_wait;
            level::replay(&puzzle, &walks)
        }
    })
}

/// Says whether there is a plan.
pub fn is_solvable(body: &SolvableBody) -> Result<Solvability, Fault> {
    let given = wish::puzzle(&body.puzzle)?;
    let (subject, goal, is_known) = match &given {
        Given::Board(board) => {
            let goal = ask::goal(body.goal.as_deref(), board.width(), board.height())?;
            (Subject::board(board), Goal::Board(goal), true)
        }
        Given::Level(level) => {
            ask::no_goal(body.goal.as_deref())?;
            let is_solved = State::start(level).is_solved(level);
            (Subject::level(level), Goal::default(), is_solved)
        }
    };
    let request = ask::request(ask::of(&given, &goal))?;
    // A level that is already solved may still look unsolvable.
    let is_solved_level = is_known && matches!(given, Given::Level(_));
    let reason = if is_solved_level {
        None
    } else {
        request.puzzle().why_unsolvable()
    };
    Ok(Solvability {
        schema: SCHEMA,
        subject,
        solvable: match reason {
            Some(_) => Some(false),
            None => is_known.then_some(true),
        },
        reason: reason.map(|reason| reason.to_string()),
    })
}
