//! `noyes encode --format pddl` and `noyes decode problem.pddl`: puzzles for planners, and their plans read back.

use std::path::Path;

use anyhow::Result;
use noyes_puzzle::pddl::{
    Counted, PlanFault, Task, TaskPlanError, board_plan, board_task, boards_of, claimed_cost,
    level_of, level_plan, level_task,
};
use noyes_puzzle::sokoban::{Level, Metrics, Walks};
use noyes_puzzle::tiles::Goal;
use noyes_solver::{Objective, Request, why_unsolvable};

use crate::args::{Decode, Encode, Part};
use crate::command::decode::tell_board;
use crate::command::encode::goal;
use crate::puzzle::level as sokoban;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input::{self, Given};
use crate::terminal::print::complain;
use crate::terminal::print::{counted, print};
use crate::terminal::target;

pub fn encode(args: &Encode) -> Result<Exit> {
    for (given, flag) in [
        (args.steps.is_some(), "--steps"),
        (args.encoding.is_some(), "--encoding"),
        (args.stats, "--stats"),
        (args.pairs.is_some(), "--pairs"),
    ] {
        if given {
            let what = format!("{flag} is about DIMACS files: leave it out, or --format pddl");
            return Err(BadInput::new(what).into());
        }
    }
    let puzzle = args.puzzle.as_deref().expect("clap asks for it");
    let (task, request) = match input::one_puzzle(puzzle, &args.reading)? {
        Given::Board(board) => {
            if args.objective == Some(Objective::Pushes) {
                let what = "a plan of a board has moves, no pushes: --objective moves";
                return Err(BadInput::new(what).into());
            }
            if args.rules.no_wait {
                let what = "--no-wait is about levels of Sokoban, not about boards";
                return Err(BadInput::new(what).into());
            }
            let goal = goal(args, &board)?;
            let task = board_task(&board, &goal);
            (task, Request::board(board, &Goal::Board(goal))?)
        }
        Given::Level(level) => {
            let counted = match args.objective.unwrap_or_default() {
                Objective::Pushes => Counted::Pushes,
                Objective::Moves => Counted::Moves,
            };
            let task = level_task(&level, counted).map_err(BadInput::new)?;
            (task, Request::sokoban(*level))
        }
    };
    if why_unsolvable(request.puzzle()).is_some() {
        complain("noyes: this puzzle is unsolvable, so no planner finds a plan");
    }
    write(&task, args.part, args.output.as_deref())?;
    Ok(Exit::Answered)
}

/// Both files in a folder or one after the other on standard output, or one of them.
fn write(task: &Task, part: Option<Part>, output: Option<&Path>) -> Result<()> {
    let output = output.filter(|path| *path != "-");
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

/// Whether a file is PDDL, which starts with a comment or a parenthesis as no DIMACS file does.
pub fn is_task(file: &str) -> bool {
    file.trim_start().starts_with([';', '('])
}

pub fn decode(args: &Decode, name: &str, file: &str) -> Result<Exit> {
    let wrong = |what: String| BadInput::new(format!("{name}: {what}"));
    let text = input::read_all(&args.output)?;
    let in_plan = |error: TaskPlanError| match &error.fault {
        PlanFault::NoAction { .. } => BadInput::new(format!("{}: {error}", args.output)).into(),
        PlanFault::Impossible { .. } => anyhow::Error::new(error).context(args.output.clone()),
    };
    if let Some(level) = level_of(file).map_err(|e| wrong(e.to_string()))? {
        only_one_player(&level).map_err(wrong)?;
        let plan = level_plan(&level, &text).map_err(in_plan)?;
        return replay_level(&level, &Walks::of_one(&plan), &text, file, args.json);
    }
    let boards = boards_of(file).map_err(|e| wrong(e.to_string()))?;
    let (start, goal) = boards.ok_or_else(|| {
        wrong("no comment says which puzzle it is (expected a problem.pddl of noyes encode)".into())
    })?;
    if start.size() != goal.size() {
        let (start, goal) = (start.size(), goal.size());
        return Err(wrong(format!("a puzzle of {start} and a goal of {goal}")).into());
    }
    let plan = board_plan(&start, &text).map_err(in_plan)?;
    note_claim(&text, &[(plan.len(), ("move", "moves"))]);
    tell_board(args, &start, &goal, &plan)
}

/// Refuses crews: a planner's plan has no place for them.
pub fn only_one_player(level: &Level) -> Result<(), String> {
    match level.players().len() {
        1 => Ok(()),
        n => Err(format!(
            "a planner's plan is for one player, and here are {n}"
        )),
    }
}

/// Replays a planner's plan of a level. What its cost counts is told by the domain that the problem names, if there is
/// one.
pub fn replay_level(
    level: &Level,
    walks: &Walks,
    text: &str,
    problem: &str,
    json: bool,
) -> Result<Exit> {
    if let Ok(metrics) = Metrics::of(level, walks) {
        let counts = [
            (metrics.pushes, ("push", "pushes")),
            (metrics.moves, ("move", "moves")),
        ];
        let counted = match problem {
            _ if problem.contains("(:domain sokoban-pushes)") => &counts[..1],
            _ if problem.contains("(:domain sokoban-moves)") => &counts[1..],
            _ => &counts[..],
        };
        note_claim(text, counted);
    }
    sokoban::replay(level, walks, true, json, true)
}

/// Says so if a plan has not the cost that its planner says, whichever of these was counted.
pub fn note_claim(text: &str, counts: &[(usize, (&str, &str))]) {
    let Some(claimed) = claimed_cost(text) else {
        return;
    };
    if !counts.iter().any(|&(count, _)| count as u64 == claimed) {
        let counts: Vec<String> = counts
            .iter()
            .map(|&(n, (one, more))| counted(n, one, more))
            .collect();
        complain(format_args!(
            "note: the plan says that its cost is {claimed}, but it has {}",
            counts.join(" and ")
        ));
    }
}
