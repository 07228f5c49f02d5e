//! `noyes decode`: from what a SAT solver printed back to a plan. (From what a planner wrote: `pddl.rs`.)

use anyhow::Result;
use noyes_check::board_plan;
use noyes_puzzle::tiles::{Board, Direction, write_plan};
use noyes_solver::Objective;
use noyes_solver::sat::backend::read_model;
use noyes_solver::sat::dimacs::{Instance, LevelInstance};

use crate::args::Decode;
use crate::command::check::{Record, tell};
use crate::command::pddl;
use crate::puzzle::level;
use crate::record::SCHEMA;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input;
use crate::terminal::print::print;

pub fn run(args: &Decode) -> Result<Exit> {
    let name = args.file.display().to_string();
    input::only_one_dash([name.as_str(), args.output.as_str()])?;
    let file = input::read_all(&name)?;
    if LevelInstance::is_in(&file) {
        return decode_level(args, &name, &file);
    }
    if pddl::is_task(&file) {
        return pddl::decode(args, &name, &file);
    }
    let instance = Instance::read(&file).map_err(|e| BadInput::new(format!("{name}: {e}")))?;
    let Some(model) = model(args, instance.cnf().variables(), instance.steps, "moves")? else {
        return Ok(Exit::Answered);
    };
    let plan = instance.decode(&model);
    tell_board(args, &instance.start, &instance.goal, &plan)
}

/// Replays the plan of a board and tells it.
pub fn tell_board(args: &Decode, start: &Board, goal: &Board, plan: &[Direction]) -> Result<Exit> {
    let done = board_plan(start, goal, plan);
    let plan = write_plan(plan, args.notation);
    if !args.json {
        print(&format!("plan ({} notation): {plan}\n", args.notation))?;
    }
    let record = Record {
        schema: SCHEMA,
        puzzle: start.to_string(),
        size: start.size(),
        goal: goal.to_string(),
        plan,
        notation: args.notation.to_string(),
        valid: done.is_ok(),
        cost: done.as_ref().ok().copied(),
        reached: None,
        error: done.as_ref().err().map(ToString::to_string),
    };
    // Whatever is wrong with the plan, the solver was wrong.
    let exit = tell(&record, &done, args.json)?;
    Ok(if done.is_err() {
        Exit::Unverified
    } else {
        exit
    })
}

/// The model that a solver printed; none if it says that there is none.
fn model(args: &Decode, variables: usize, steps: u32, unit: &str) -> Result<Option<Vec<bool>>> {
    let said = input::read_all(&args.output)?;
    let place = |e: String| BadInput::new(format!("{}: {e}", args.output));
    let model = read_model(&said, variables).map_err(|e| place(e.to_string()))?;
    let says = |answer: &str| said.lines().any(|line| line.trim() == answer);
    let (yes, no) = (says("s SATISFIABLE"), says("s UNSATISFIABLE"));
    if no && (yes || model.is_some()) {
        let other = if yes { "s SATISFIABLE" } else { "a model" };
        return Err(place(format!(
            "both s UNSATISFIABLE and {other}, expected one or the other"
        ))
        .into());
    }
    if let Some(model) = model {
        if let Some(at) = model.iter().position(Option::is_none) {
            return Err(place(format!(
                "the model says nothing of variable {}, expected all {variables}: is the end of it missing?",
                at + 1
            ))
            .into());
        }
        return Ok(Some(model.into_iter().flatten().collect()));
    }
    if no {
        print(&format!(
            "the solver says that there is no plan of {steps} {unit} or fewer\n"
        ))?;
        return Ok(None);
    }
    Err(place("no line starts with v, so there is no model in it".into()).into())
}

fn decode_level(args: &Decode, name: &str, file: &str) -> Result<Exit> {
    let instance = LevelInstance::read(file).map_err(|e| BadInput::new(format!("{name}: {e}")))?;
    let unit = match instance.encoding.objective() {
        Objective::Pushes => "pushes",
        _ if instance.level.players().len() > 1 => "steps",
        _ => "moves",
    };
    let model = model(args, instance.cnf().variables(), instance.steps, unit)?;
    let Some(model) = model else {
        return Ok(Exit::Answered);
    };
    let exit = level::replay(
        &instance.level,
        &instance.decode(&model),
        instance.wait,
        args.json,
        true,
    )?;
    // Whatever is wrong with the plan, the model was wrong.
    Ok(match exit {
        Exit::Answered => exit,
        _ => Exit::Unverified,
    })
}
