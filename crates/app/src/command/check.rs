//! `noyes check`: replays a plan.

use anyhow::Result;
use noyes_check::{Fault, board_after, board_plan};
use noyes_puzzle::pddl::is_plan;
use noyes_puzzle::tiles::{Board, Direction, Notation, parse_plan, write_plan};
use serde::Serialize;

use crate::args::Check;
use crate::command::pddl;
use crate::puzzle::level as sokoban;
use crate::record::{SCHEMA, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input::{self, Given};
use crate::terminal::print::complain;
use crate::terminal::print::{counted, print};

/// A replay as JSON; on a graph, positions are labels by vertex and the plan names vertices.
#[derive(Serialize)]
pub struct Record {
    pub schema: &'static str,
    pub puzzle: String,
    pub size: String,
    pub goal: String,
    pub plan: String,
    pub notation: String,
    pub valid: bool,
    pub cost: Option<u32>,
    pub reached: Option<String>,
    pub error: Option<String>,
}

pub fn run(args: &Check) -> Result<Exit> {
    input::only_one_dash([args.puzzle.as_str(), &args.plan])?;
    let board = match input::one_puzzle(&args.puzzle, &args.reading)? {
        Given::Board(board) => board,
        Given::Level(level) => return sokoban::check(args, &level),
    };
    let goal = args
        .reading
        .goal()?
        .of_size(board.width(), board.height())
        .map_err(BadInput::new)?;
    let notation = args.reading.notation();
    let text = input::plan(&args.plan)?;
    let plan = read_plan(&text, &board, notation)?;
    if is_plan(&text) {
        pddl::note_claim(&text, &[(plan.len(), ("move", "moves"))]);
        if !args.json {
            print(&format!(
                "plan ({notation} notation): {}\n",
                write_plan(&plan, notation)
            ))?;
        }
    }
    let done = board_plan(&board, &goal, &plan);
    let record = Record {
        schema: SCHEMA,
        puzzle: board.to_string(),
        size: board.size(),
        goal: goal.to_string(),
        plan: write_plan(&plan, notation),
        notation: notation.to_string(),
        valid: done.is_ok(),
        cost: done.as_ref().ok().copied(),
        reached: board_after(&board, &plan).ok().map(|b| b.to_string()),
        error: done.as_ref().err().map(ToString::to_string),
    };
    tell(&record, &done, args.json)
}

/// The moves of a plan: letters, or a planner's.
pub fn read_plan(text: &str, board: &Board, notation: Notation) -> Result<Vec<Direction>> {
    let place = |e: String| BadInput::new(format!("plan: {e}")).into();
    if is_plan(text) {
        return noyes_puzzle::pddl::board_plan(board, text).map_err(|e| place(e.to_string()));
    }
    parse_plan(text, notation).map_err(|e| place(e.to_string()))
}

/// Tells how a replay ended.
pub fn tell(record: &Record, done: &Result<u32, Fault>, json: bool) -> Result<Exit> {
    if json {
        print(&json_line(record))?;
    }
    match done {
        Ok(cost) => {
            if !json {
                let (lead, moves) = (
                    if *cost == 1 { "leads" } else { "lead" },
                    counted(*cost as usize, "move", "moves"),
                );
                print(&format!(
                    "valid: {moves} ({} notation) {lead} from {} to the goal {}\n",
                    record.notation, record.puzzle, record.goal
                ))?;
            }
            Ok(Exit::Answered)
        }
        Err(fault @ Fault::NotGoal { .. }) => {
            if !json {
                print(&format!("not valid: {fault}\n"))?;
            }
            Ok(Exit::Unverified)
        }
        Err(fault) => {
            complain(format_args!("noyes: plan: {fault}"));
            Ok(Exit::BadInput)
        }
    }
}
