//! `noyes encode --format pddl`: puzzles for planners.

use std::path::Path;

use anyhow::Result;
use noyes_puzzle::pddl::{Counted, Task, board_task, level_task};
use noyes_solver::Objective;

use crate::args::{Encode, Part};
use crate::ask;
use crate::puzzle::Given;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::print::{print, warn};
use crate::terminal::{input, target};

pub fn run(args: &Encode) -> Result<Exit> {
    for (given, flag) in [
        (args.steps.is_some(), "--steps"),
        (args.encoding.is_some(), "--encoding"),
        (args.stats, "--stats"),
        (args.pairs.is_some(), "--pairs"),
    ] {
        if given {
            let what =
                format!("{flag}: only for DIMACS files: leave out this flag or --format pddl");
            return Err(BadInput::new(what).into());
        }
    }
    let puzzle = args.puzzle.as_deref().expect("clap asks for it");
    let given = input::one_puzzle(puzzle, &args.reading)?;
    let goal = args.reading.goal()?;
    let ask = ask::of(&given, &goal)
        .objective(args.objective)
        .no_wait(args.rules.no_wait);
    let request = ask::request(ask).map_err(BadInput::from)?;
    let task = match &given {
        Given::Board(board) => {
            let goal = goal.of_size(board.width(), board.height());
            board_task(board, &goal.map_err(BadInput::new)?)
        }
        Given::Level(level) => {
            let counted = match args.objective.unwrap_or_default() {
                Objective::Pushes => Counted::Pushes,
                Objective::Moves => Counted::Moves,
            };
            level_task(level, counted).map_err(BadInput::new)?
        }
    };
    if request.puzzle().why_unsolvable().is_some() {
        warn("noyes: this puzzle is unsolvable, so no planner will find a plan");
    }
    write(&task, args.part, args.output.as_deref())?;
    Ok(Exit::Answered)
}

/// Writes one file, or both: to a folder, or one after the other to standard output.
fn write(task: &Task, part: Option<Part>, output: Option<&Path>) -> Result<()> {
    let output = output.filter(|path| path.as_os_str() != "-");
    match (part, output) {
        (Some(part), output) => {
            let text = match part {
                Part::Domain => &task.domain,
                Part::Problem => &task.problem,
            };
            output.map_or_else(|| print(text), |file| target::write(file, text))
        }
        (None, None) => print(&format!(
            "; domain.pddl\n{}\n; problem.pddl\n{}",
            task.domain, task.problem
        )),
        (None, Some(folder)) => {
            std::fs::create_dir_all(folder).map_err(|e| {
                let folder = folder.display();
                BadInput::new(format!(
                    "cannot make the folder {folder}: {e} (with --part, -o names a file)"
                ))
            })?;
            target::write(&folder.join("domain.pddl"), &task.domain)?;
            target::write(&folder.join("problem.pddl"), &task.problem)
        }
    }
}
