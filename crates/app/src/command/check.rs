//! `noyes check`: replays a plan.

use anyhow::Result;
use noyes_puzzle::pddl::is_plan;
use noyes_puzzle::sokoban::{Level, Metrics, Walks};
use noyes_puzzle::tiles::{Board, Goal, write_plan};
use noyes_solver::LevelPuzzle;

use crate::args::Check;
use crate::ask;
use crate::command::certify;
use crate::puzzle::{Given, Replay, level, note_claim, tiles};
use crate::record::json_line;
use crate::terminal::exit::Exit;
use crate::terminal::fault::{BadInput, in_plan};
use crate::terminal::input;
use crate::terminal::print::{complain, print, warn};

pub fn run(args: &Check) -> Result<Exit> {
    input::only_one_dash([args.puzzle.as_str(), &args.plan])?;
    let given = input::one_puzzle(&args.puzzle, &args.reading)?;
    let goal = args.reading.goal()?;
    let ask = ask::of(&given, &goal).no_wait(args.rules.no_wait);
    ask::request(ask).map_err(BadInput::from)?;
    if args.optimal {
        return certify::check(args, &goal, &given);
    }
    if args.goodness.objective.is_some() || args.limits.time_limit.is_some() {
        let what = "--objective and --time-limit need --optimal: a replay counts everything and takes no time";
        return Err(BadInput::new(what).into());
    }
    let replay = match given {
        Given::Board(board) => check_board(args, &board, &goal)?,
        Given::Level(level) => check_level(args, &level)?,
    };
    tell(&replay, args.json)
}

fn check_board(args: &Check, board: &Board, goal: &Goal) -> Result<Replay> {
    let goal = goal.of_size(board.width(), board.height());
    let goal = goal.map_err(BadInput::new)?;
    let notation = args.reading.notation();
    let text = input::plan(&args.plan)?;
    let plan = tiles::read_plan(&text, board, notation).map_err(in_plan)?;
    if is_plan(&text) {
        note_claim(&text, &[(plan.len(), ("move", "moves"))]);
        if !args.json {
            print(&format!(
                "plan ({notation} notation): {}\n",
                write_plan(&plan, notation)
            ))?;
        }
    }
    Ok(tiles::replay(board, &goal, &plan, notation))
}

fn check_level(args: &Check, level: &Level) -> Result<Replay> {
    let text = input::plan(&args.plan)?;
    let walks = level::read_plan(&text, level).map_err(in_plan)?;
    let mut puzzle = level::usual(level);
    if is_plan(&text) {
        note_claims(&puzzle, &walks, &text, "");
        if !args.json {
            print(&level::plan_lines(level, &walks))?;
        }
    } else {
        puzzle.wait = !args.rules.no_wait;
        if let Ok(Some((player, at))) = Walks::wrong_capital(&text, level) {
            warn(format_args!(
                "note: capitals mean pushes, but step {at} of player {player} is written the other way"
            ));
        }
    }
    Ok(level::replay(&puzzle, &walks))
}

/// Warns if a planner's plan for a level does not have the cost that it claims. The problem's domain, if there is a
/// problem, says what is counted.
pub fn note_claims(puzzle: &LevelPuzzle, walks: &Walks, text: &str, problem: &str) {
    let Ok(metrics) = Metrics::of(&puzzle.level, walks) else {
        return;
    };
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

/// Prints the result of a replay.
pub fn tell(replay: &Replay, json: bool) -> Result<Exit> {
    let record = &replay.record;
    if json {
        print(&json_line(record))?;
    }
    let error = record.error.as_deref().unwrap_or_default();
    if record.solved {
        if !json {
            print(&replay.valid)?;
        }
        Ok(Exit::Answered)
    } else if record.legal {
        if !json {
            print(&format!("not valid: {error}\n"))?;
        }
        Ok(Exit::Unverified)
    } else {
        complain(format_args!("noyes: plan: {error}"));
        Ok(Exit::BadInput)
    }
}
