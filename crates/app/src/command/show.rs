//! `noyes show`: a plan played move by move.

use anyhow::Result;
use noyes_check::{board_after, sokoban_after};
use noyes_puzzle::sokoban::{Level, State};
use noyes_puzzle::tiles::{Board, Direction, Goal};
use noyes_solver::{Answer, Plan, Request, Status, Stop, solve};

use crate::args::Show;
use crate::ask;
use crate::puzzle::level_film::LevelFilm;
use crate::puzzle::tiles_film::BoardFilm;
use crate::puzzle::{Given, level, tiles, verdict};
use crate::terminal::exit::Exit;
use crate::terminal::fault::{BadInput, in_plan};
use crate::terminal::film::{self, Film};
use crate::terminal::input;
use crate::terminal::limits::{self, Running};
use crate::terminal::print::{counted, print, warn};
use crate::terminal::progress::watched;

/// A plan to show.
struct Shown<P> {
    plan: P,
    /// What is known of its cost, unless it is optimal or the user's own.
    note: Option<String>,
    /// The exit code if the plan solves the puzzle.
    exit: Exit,
}

/// A plan to show, or how the program ends without one.
type Found<P> = Result<Shown<P>, Exit>;

pub fn run(args: &Show) -> Result<Exit> {
    limits::stop_flag(); // a signal restores the terminal
    input::only_one_dash([
        args.puzzle.as_str(),
        args.plan.as_deref().unwrap_or_default(),
    ])?;
    let given = input::one_puzzle(&args.puzzle, &args.reading)?;
    let goal = args.reading.goal()?;
    let ask = ask::of(&given, &goal)
        .no_wait(args.rules.no_wait)
        .objective(args.goodness.objective);
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
    let shown = match &args.plan {
        Some(plan) => given(tiles::read_plan(&input::plan(plan)?, &start, notation))?,
        None => match found(args, request, |plan| {
            plan.directions().map(<[Direction]>::to_vec)
        })? {
            Ok(shown) => shown,
            Err(exit) => return Ok(exit),
        },
    };
    let Shown { plan, note, exit } = shown;
    let end = board_after(&start, &plan).map_err(in_plan)?;
    let solved = end == goal;
    let mut film = BoardFilm::new(start, end, plan, notation, solved);
    play(args, &mut film, note.as_deref(), ending(solved, exit))
}

fn show_level(args: &Show, level: Level, request: &Request) -> Result<Exit> {
    let shown = match &args.plan {
        Some(plan) => given(level::read_plan(&input::plan(plan)?, &level))?,
        None => match found(args, request, |plan| plan.walks().cloned())? {
            Ok(shown) => shown,
            Err(exit) => return Ok(exit),
        },
    };
    let Shown { plan, note, exit } = shown;
    let (after, _) = sokoban_after(&level, &plan, !args.rules.no_wait).map_err(in_plan)?;
    let solved = State::start(&after).is_solved(&level);
    let mut film = LevelFilm::new(level, plan, solved);
    play(args, &mut film, note.as_deref(), ending(solved, exit))
}

/// The user's own plan.
fn given<P>(plan: Result<P, String>) -> Result<Shown<P>> {
    Ok(Shown {
        plan: plan.map_err(in_plan)?,
        note: None,
        exit: Exit::Answered,
    })
}

/// Looks for a plan. Without one, or after Ctrl-C, prints the bounds.
fn found<P>(
    args: &Show,
    request: &Request,
    plan: impl FnOnce(&Plan) -> Option<P>,
) -> Result<Found<P>> {
    let _running = Running::new();
    let limits = &args.limits;
    let control = limits::control(limits.time_limit, limits::memory_limit(limits, 1));
    let answer: Answer = watched("searching", &control, || solve(request, &control))?;
    let is_interrupted = answer.status == Status::Limit(Stop::Interrupted);
    let best = answer.plan.as_ref().filter(|_| !is_interrupted);
    let Some(plan) = best.and_then(plan) else {
        print(&format!("{}\n", verdict(&answer)))?;
        return Ok(Err(Exit::of(answer.status)));
    };
    let note = (answer.status != Status::Optimal).then(|| not_proven(&answer));
    if let Some(note) = &note {
        warn(note);
    }
    let exit = Exit::of(answer.status);
    Ok(Ok(Shown { plan, note, exit }))
}

/// What to say about a plan that is not proven optimal.
fn not_proven(answer: &Answer) -> String {
    let bounds = answer.bounds;
    let lower = bounds.lower;
    let upper = counted(
        bounds.upper.unwrap_or(lower) as usize,
        answer.unit.one(),
        answer.unit.name(),
    );
    let why = match answer.status {
        Status::Limit(stop) => format!(" ({})", limits::in_words(stop)),
        _ => String::new(),
    };
    format!("not proven optimal: the optimum is between {lower} and {upper}{why}")
}

/// How the program ends after the film.
fn ending(solved: bool, exit: Exit) -> Exit {
    if solved { exit } else { Exit::Unverified }
}

fn play(args: &Show, film: &mut dyn Film, note: Option<&str>, ending: Exit) -> Result<Exit> {
    Ok(match film::show(film, note, args.delay)? {
        Exit::Interrupted => Exit::Interrupted,
        _ => ending,
    })
}
