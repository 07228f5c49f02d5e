//! `noyes check`: replays a plan.

use anyhow::Result;
use noyes_check::{Fault, board_plan, replay_board};
use noyes_puzzle::tiles::{parse_plan, write_plan};
use serde::Serialize;

use crate::args::Check;
use crate::exit::{BadInput, Exit};
use crate::input;
use crate::output::{SCHEMA, json_line, print};

#[derive(Serialize)]
struct Record {
    schema: &'static str,
    puzzle: String,
    size: String,
    goal: String,
    plan: String,
    notation: String,
    valid: bool,
    cost: Option<u32>,
    reached: Option<String>,
    error: Option<String>,
}

pub fn run(args: &Check) -> Result<Exit> {
    let board = input::one_board(&args.puzzle, &args.reading)?;
    let goal = args
        .reading
        .goal
        .of_size(board.width(), board.height())
        .map_err(BadInput::new)?;
    let plan = parse_plan(&input::text(&args.plan)?, args.reading.notation)
        .map_err(|e| BadInput::new(format!("plan: {e}")))?;
    let done = board_plan(&board, &goal, &plan);
    if args.json {
        let record = Record {
            schema: SCHEMA,
            puzzle: board.to_string(),
            size: board.size(),
            goal: goal.to_string(),
            plan: write_plan(&plan, args.reading.notation),
            notation: args.reading.notation.to_string(),
            valid: done.is_ok(),
            cost: done.as_ref().ok().copied(),
            reached: replay_board(&board, &plan)
                .ok()
                .and_then(|boards| boards.last().map(ToString::to_string)),
            error: done.as_ref().err().map(ToString::to_string),
        };
        print(&json_line(&record))?;
    }
    match done {
        Ok(cost) => {
            if !args.json {
                print(&format!(
                    "valid: {cost} moves ({} notation) lead from {board} to the goal {goal}\n",
                    args.reading.notation
                ))?;
            }
            Ok(Exit::Answered)
        }
        Err(fault @ Fault::NotGoal { .. }) => {
            if !args.json {
                print(&format!("not valid: {fault}\n"))?;
            }
            Ok(Exit::Unverified)
        }
        Err(fault) => Err(BadInput::new(format!("plan: {fault}")).into()),
    }
}
