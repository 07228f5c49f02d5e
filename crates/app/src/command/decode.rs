//! `noyes decode`: turns the answer of a SAT solver or a planner into a plan and replays it.

use anyhow::Result;
use noyes_puzzle::pddl::{PlanFault, TaskPlanError, board_plan, boards_of, level_of, level_plan};
use noyes_puzzle::sokoban::Walks;
use noyes_puzzle::tiles::{Board, Direction, write_plan};
use noyes_solver::sat::backend::{as_v_lines, read_model};
use noyes_solver::sat::cnf::Cnf;
use noyes_solver::sat::dimacs::{Instance, LevelInstance};
use noyes_solver::{LevelPuzzle, Objective, Unit};

use super::check::{note_claims, tell};
use crate::args::Decode;
use crate::puzzle::{Replay, level, note_claim, tiles};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input;
use crate::terminal::print::{complain, counted, print};

pub fn run(args: &Decode) -> Result<Exit> {
    let name = args.file.display().to_string();
    input::only_one_dash([name.as_str(), args.output.as_str()])?;
    let file = input::read_all(&name)?;
    if LevelInstance::is_in(&file) {
        return decode_level(args, &name, &file);
    }
    if is_task(&file) {
        return decode_task(args, &name, &file);
    }
    let instance = Instance::read(&file).map_err(|e| BadInput::new(format!("{name}: {e}")))?;
    let model = match model(args, instance.cnf(), instance.steps, Unit::Moves)? {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    let plan = instance.decode(&model);
    // If the plan is wrong, the solver was wrong.
    replay_board(args, &instance.start, &instance.goal, &plan).map(unverified)
}

/// A wrong plan is the solver's fault, not the user's.
fn unverified(exit: Exit) -> Exit {
    match exit {
        Exit::Answered => exit,
        _ => Exit::Unverified,
    }
}

/// Prints and replays the plan of a board.
fn replay_board(args: &Decode, start: &Board, goal: &Board, plan: &[Direction]) -> Result<Exit> {
    if !args.json {
        let letters = write_plan(plan, args.notation);
        print(&format!("plan ({} notation): {letters}\n", args.notation))?;
    }
    let replay: Replay = tiles::replay(start, goal, plan, args.notation);
    tell(&replay, args.json)
}

/// Prints and replays the plan of a level.
fn replay_level(args: &Decode, puzzle: &LevelPuzzle, walks: &Walks) -> Result<Exit> {
    if !args.json {
        print(&level::plan_lines(&puzzle.level, walks))?;
    }
    tell(&level::replay(puzzle, walks), args.json)
}

/// The model that a solver printed, or how to end without one: there is no plan, or a clause does not hold.
fn model(args: &Decode, cnf: &Cnf, steps: u32, unit: Unit) -> Result<Result<Vec<bool>, Exit>> {
    let variables = cnf.variables();
    let said = as_printed(input::read_all(&args.output)?);
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
        let occurs = occurring(cnf);
        if let Some(at) = (0..variables).find(|&at| model[at].is_none() && occurs[at]) {
            return Err(place(format!(
                "the model has no value for variable {} (expected all {variables}): is its end missing?",
                at + 1
            ))
            .into());
        }
        let values: Vec<bool> = (model.into_iter()).map(Option::unwrap_or_default).collect();
        // Only a model of all clauses means a plan.
        return Ok(match cnf.violated(|lit| lit.holds_in(&values)) {
            None => Ok(values),
            Some(clause) => {
                let name = &args.output;
                complain(format_args!(
                    "noyes: {name}: the solver's model is wrong: clause {clause} does not hold"
                ));
                Err(Exit::Unverified)
            }
        });
    }
    if no {
        let steps = counted(steps as usize, unit.one(), unit.name());
        print(&format!(
            "the solver says that there is no plan of at most {steps}\n"
        ))?;
        return Ok(Err(Exit::Answered));
    }
    Err(place("no model found (expected lines that start with v)".into()).into())
}

/// For each variable, whether it occurs in a clause. Solvers may leave out the others, which can have any value.
fn occurring(cnf: &Cnf) -> Vec<bool> {
    let mut occurs = vec![false; cnf.variables()];
    for lit in cnf.clauses().flatten() {
        occurs[lit.var() - 1] = true;
    }
    occurs
}

/// A result file of MiniSat (SAT and the literals, or UNSAT) in the format of other solvers.
fn as_printed(said: String) -> String {
    match said.lines().next().map(str::trim) {
        Some("SAT") => "s SATISFIABLE\n".to_string() + &as_v_lines(&said),
        Some("UNSAT") => "s UNSATISFIABLE\n".into(),
        _ => said,
    }
}

fn decode_level(args: &Decode, name: &str, file: &str) -> Result<Exit> {
    let instance = LevelInstance::read(file).map_err(|e| BadInput::new(format!("{name}: {e}")))?;
    let puzzle = LevelPuzzle {
        level: instance.level.clone().into(),
        objective: instance.encoding.objective(),
        wait: instance.wait,
    };
    let model = model(args, instance.cnf(), instance.steps, puzzle.unit())?;
    let model = match model {
        Ok(model) => model,
        Err(exit) => return Ok(exit),
    };
    replay_level(args, &puzzle, &instance.decode(&model)).map(unverified)
}

/// Whether a file is PDDL: it starts with a comment or a parenthesis, which no DIMACS file does.
fn is_task(file: &str) -> bool {
    file.trim_start().starts_with([';', '('])
}

/// A planner's plan of a task that `encode` wrote.
fn decode_task(args: &Decode, name: &str, file: &str) -> Result<Exit> {
    let wrong = |what: String| BadInput::new(format!("{name}: {what}"));
    let text = input::read_all(&args.output)?;
    let in_plan = |error: TaskPlanError| match &error.fault {
        PlanFault::NoAction { .. } => BadInput::new(format!("{}: {error}", args.output)).into(),
        PlanFault::Impossible { .. } => anyhow::Error::new(error).context(args.output.clone()),
    };
    if let Some(level) = level_of(file).map_err(|e| wrong(e.to_string()))? {
        level::only_one_player(&level).map_err(wrong)?;
        let walks = Walks::of_one(&level_plan(&level, &text).map_err(in_plan)?);
        let mut puzzle = level::usual(&level);
        if file.contains("(:domain sokoban-moves)") {
            puzzle.objective = Objective::Moves;
        }
        note_claims(&puzzle, &walks, &text, file);
        return replay_level(args, &puzzle, &walks).map(unverified);
    }
    let boards = boards_of(file).map_err(|e| wrong(e.to_string()))?;
    let (start, goal) = boards.ok_or_else(|| {
        wrong(
            "no comment names the puzzle (expected a problem.pddl written by noyes encode)".into(),
        )
    })?;
    if start.size() != goal.size() {
        let (start, goal) = (start.size(), goal.size());
        return Err(wrong(format!("the puzzle is {start}, but its goal is {goal}")).into());
    }
    let plan = board_plan(&start, &text).map_err(in_plan)?;
    note_claim(&text, &[(plan.len(), ("move", "moves"))]);
    replay_board(args, &start, &goal, &plan).map(unverified)
}
