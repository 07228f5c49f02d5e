//! `noyes show`: a plan played move by move.

use anyhow::Result;
use noyes_check::{board_after, sokoban_after};
use noyes_puzzle::sokoban::{Level, State};
use noyes_puzzle::tiles::{Board, Direction, Goal};
use noyes_solver::{Answer, Plan, Request, Status, solve};

use super::check::in_plan;
use crate::args::Show;
use crate::ask;
use crate::puzzle::level_film::LevelFilm;
use crate::puzzle::tiles_film::BoardFilm;
use crate::puzzle::{Given, level, status, tiles};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::film;
use crate::terminal::input;
use crate::terminal::limits::{self, Running};
use crate::terminal::print::{complain, print};
use crate::terminal::progress::watched;

/// A plan to show, or how the program ends without one.
type Found<P> = Result<P, Exit>;

pub fn run(args: &Show) -> Result<Exit> {
    limits::stop_flag(); // a signal puts the terminal back
    input::only_one_dash([
        args.puzzle.as_str(),
        args.plan.as_deref().unwrap_or_default(),
    ])?;
    let given = input::one_puzzle(&args.puzzle, &args.reading)?;
    let goal = args.reading.goal()?;
    let ask = ask::of(&given, &goal).no_wait(args.rules.no_wait);
    let request = ask::request(ask).map_err(BadInput::from)?;
    match given {
        Given::Board(board) => show_board(args, board, &goal, &request),
        Given::Level(level) => show_level(args, *level, &request),
    }
}

fn show_board(args: &Show, start: Board, goal: &Goal, request: &Request) -> Result<Exit> {
    let goal = goal.of_size(start.width(), start.height());
    let goal = goal.map_err(BadInput::new)?;
    let notation = args.reading.notation();
    let plan = match &args.plan {
        Some(plan) => tiles::read_plan(&input::plan(plan)?, &start, notation).map_err(in_plan)?,
        None => match found(args, request, |plan| {
            plan.directions().map(<[Direction]>::to_vec)
        })? {
            Ok(plan) => plan,
            Err(exit) => return Ok(exit),
        },
    };
    let end =
        board_after(&start, &plan).map_err(|fault| BadInput::new(format!("plan: {fault}")))?;
    let solved = end == goal;
    play(
        args,
        &mut BoardFilm::new(start, end, plan, notation, solved),
        solved,
    )
}

fn show_level(args: &Show, level: Level, request: &Request) -> Result<Exit> {
    let walks = match &args.plan {
        Some(plan) => level::read_plan(&input::plan(plan)?, &level).map_err(in_plan)?,
        None => match found(args, request, |plan| plan.walks().cloned())? {
            Ok(walks) => walks,
            Err(exit) => return Ok(exit),
        },
    };
    let (after, _) = sokoban_after(&level, &walks, !args.rules.no_wait)
        .map_err(|fault| BadInput::new(format!("plan: {fault}")))?;
    let solved = State::start(&after).is_solved(&level);
    play(args, &mut LevelFilm::new(level, walks, solved), solved)
}

/// Looks for a plan; without one, says why.
fn found<P>(
    args: &Show,
    request: &Request,
    plan: impl FnOnce(&Plan) -> Option<P>,
) -> Result<Found<P>> {
    let _running = Running::new();
    let control = limits::control(args.time_limit, limits::default_memory());
    let answer: Answer = watched("searching", &control, || solve(request, &control))?;
    let Some(plan) = answer.plan.as_ref().and_then(plan) else {
        print(&format!("{}\n", status(&answer)))?;
        return Ok(Err(Exit::of(answer.status)));
    };
    if answer.status != Status::Optimal {
        complain(status(&answer));
    }
    Ok(Ok(plan))
}

fn play(args: &Show, film: &mut dyn film::Film, solved: bool) -> Result<Exit> {
    if film::show(film, args.delay)? == Exit::Interrupted {
        return Ok(Exit::Interrupted);
    }
    Ok(if solved {
        Exit::Answered
    } else {
        Exit::Unverified
    })
}
