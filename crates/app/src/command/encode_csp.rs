//! `noyes encode --csp`: the constraint problem behind an encoding, as Edixhoven's tables 5.1 and 5.2 print it.

use std::fmt::Write as _;

use anyhow::Result;
use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Board;
use noyes_solver::sat::{BoardEncoding, ByPushes, LevelEncoding, Problem};
use noyes_solver::{Field, Stop};

use crate::args::Encode;
use crate::ask::Refusal;
use crate::puzzle::{Replay, level, tiles};
use crate::terminal::exit::Exit;
use crate::terminal::fault::{BadInput, in_plan};
use crate::terminal::target::Target;
use crate::terminal::{input, limits};

/// The number of the variables p(s,i,j) of a level: nearly all are 0, and table 5.2 shows the others.
const PLAYER: &str = "4";

/// The problem of a board, or the values that a plan gives to its variables.
pub fn of_board(
    args: &Encode,
    board: &Board,
    goal: &Board,
    encoding: BoardEncoding,
    steps: u32,
) -> Result<Exit> {
    let BoardEncoding::Edixhoven(extras) = encoding else {
        return Err(no_problem(&encoding.to_string(), "edixhoven").into());
    };
    let mut problem = Problem::of_board(board, goal, extras, at_least_one(steps)?);
    let Some(plan) = &args.solution else {
        return write(args, &listed(&problem));
    };
    let notation = args.reading.notation();
    let plan = tiles::read_plan(&input::plan(plan)?, board, notation).map_err(in_plan)?;
    solves(&tiles::replay(board, goal, &plan, notation))?;
    let values = problem.values_of_moves(&plan, &limits::control(None, None));
    write(args, &solution(&problem, values, "")?)
}

/// The problem of a level, or the values that a plan gives to its variables.
pub fn of_level(args: &Encode, of: &Level, encoding: LevelEncoding, steps: u32) -> Result<Exit> {
    let LevelEncoding::Pushes(ByPushes::Tamura(blocks)) = encoding else {
        return Err(no_problem(&encoding.to_string(), "tamura").into());
    };
    let mut problem = Problem::of_level(of, blocks, at_least_one(steps)?);
    let Some(plan) = &args.solution else {
        return write(args, &listed(&problem));
    };
    let walks = level::read_plan(&input::plan(plan)?, of).map_err(in_plan)?;
    solves(&level::replay(&level::usual(of), &walks))?;
    let values = problem.values_of_walks(of, &walks, &limits::control(None, None));
    write(args, &solution(&problem, values, PLAYER)?)
}

fn no_problem(encoding: &str, expected: &str) -> BadInput {
    let reason = format!(
        "{encoding} is written as clauses at once, so there is no CSP to print (expected {expected})"
    );
    Refusal::new(Field::Encoding, reason).into()
}

fn at_least_one(steps: u32) -> Result<u32, BadInput> {
    if steps == 0 {
        let expected = "--steps: a CSP has at least one step (expected 1 or more)";
        return Err(BadInput::new(expected));
    }
    Ok(steps)
}

/// Refuses a plan that does not solve its puzzle.
fn solves(replay: &Replay) -> Result<(), BadInput> {
    match &replay.record.error {
        None => Ok(()),
        Some(error) => Err(in_plan(error)),
    }
}

/// All variables with their domains, and all constraints, each with its number in the thesis.
fn listed(problem: &Problem) -> String {
    let (variables, constraints) = (problem.variables(), problem.constraints());
    let mut text = format!("{} variables\n", variables.len());
    for variable in &variables {
        let _ = writeln!(text, "{:>6}  {variable}", variable.number);
    }
    let _ = writeln!(text, "{} constraints", constraints.len());
    for constraint in &constraints {
        let _ = writeln!(text, "{:>6}  {}", constraint.number, constraint.text);
    }
    text
}

/// The values of the variables; of those with the number `sparse` only the ones that are not 0.
fn solution(
    problem: &Problem,
    values: Result<Option<Vec<i32>>, Stop>,
    sparse: &str,
) -> Result<String> {
    let values = values.map_err(|stop| BadInput::new(format!("--solution: {stop}")))?;
    let values = values.ok_or_else(|| {
        in_plan("it has more than --steps allows, or violates one of the additional constraints")
    })?;
    let (mut text, mut left_out) = (String::new(), 0);
    for (variable, value) in problem.variables().iter().zip(values) {
        if value == 0 && variable.number == sparse {
            left_out += 1;
        } else {
            let _ = writeln!(text, "{} = {value}", variable.name);
        }
    }
    if left_out > 0 {
        let _ = writeln!(text, "The {left_out} variables not shown have the value 0.");
    }
    Ok(text)
}

fn write(args: &Encode, text: &str) -> Result<Exit> {
    let mut target = Target::open(args.output.as_deref())?;
    target.write(text)?;
    target.finish()?;
    Ok(Exit::Answered)
}
