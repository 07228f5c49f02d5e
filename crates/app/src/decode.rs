//! `noyes decode`: from what a SAT solver printed back to a plan.

use anyhow::Result;
use noyes_check::board_plan;
use noyes_puzzle::tiles::write_plan;
use noyes_solver::sat::backend::read_model;
use noyes_solver::sat::dimacs::Instance;

use crate::args::Decode;
use crate::check::{Record, tell};
use crate::exit::{BadInput, Exit};
use crate::input;
use crate::output::{SCHEMA, print};

pub fn run(args: &Decode) -> Result<Exit> {
    let name = args.file.display().to_string();
    input::only_one_dash([name.as_str(), args.output.as_str()])?;
    let instance = Instance::read(&input::read_all(&name)?)
        .map_err(|e| BadInput::new(format!("{name}: {e}")))?;
    let said = input::read_all(&args.output)?;
    let place = |e: String| BadInput::new(format!("{}: {e}", args.output));
    let model = read_model(&said, instance.cnf().variables()).map_err(place)?;
    let Some(model) = model else {
        if said.lines().any(|l| l.trim() == "s UNSATISFIABLE") {
            print(&format!(
                "the solver says that there is no plan of {} moves or fewer\n",
                instance.steps
            ))?;
            return Ok(Exit::Answered);
        }
        return Err(place("no line starts with v, so there is no model in it".into()).into());
    };
    let plan = instance.decode(&model);
    let done = board_plan(&instance.start, &instance.goal, &plan);
    let plan = write_plan(&plan, args.notation);
    if !args.json {
        print(&format!("plan ({} notation): {plan}\n", args.notation))?;
    }
    let record = Record {
        schema: SCHEMA,
        puzzle: instance.start.to_string(),
        size: instance.start.size(),
        goal: instance.goal.to_string(),
        plan,
        notation: args.notation.to_string(),
        valid: done.is_ok(),
        cost: done.as_ref().ok().copied(),
        reached: None,
        error: done.as_ref().err().map(ToString::to_string),
    };
    // Whatever is wrong with the plan, the model was wrong.
    let exit = tell(&record, &done, args.json)?;
    Ok(if done.is_err() {
        Exit::Unverified
    } else {
        exit
    })
}
