//! `noyes generate`: random solvable boards. (Levels of Sokoban are in `generate_levels.rs`.)

use anyhow::Result;
use noyes_puzzle::tiles::{Board, Generator, Goal, random_board};
use noyes_solver::{AtDistance, DistanceError, Stop, walk};

use super::generate_levels;
use super::seed::seed;
use crate::args::{Generate, Made};
use crate::puzzle::made;
use crate::record::{GeneratedPuzzle, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::limits::{self, Running};
use crate::terminal::print::complain;
use crate::terminal::print::counted;
use crate::terminal::progress::watched;
use crate::terminal::tables::shared;
use crate::terminal::target::Target;

pub fn run(args: &Generate) -> Result<Exit> {
    let size = match (args.what, args.size) {
        (Some(Made::Levels), _) => return generate_levels::run(args),
        (Some(Made::Boards(_)), Some(_)) => {
            return Err(
                BadInput::new("SIZE and --size mean the same: expected one of them").into(),
            );
        }
        (Some(Made::Boards(size)), None) | (None, Some(size)) => size,
        (None, None) => unreachable!("clap asks for one of them"),
    };
    if let Some(flag) = args.level.given() {
        return Err(BadInput::new(format!("{flag} is for noyes generate sokoban")).into());
    }
    let goal = Goal::parse(&args.goal, Some(size))
        .and_then(|goal| goal.of_size(size.0, size.1))
        .map_err(BadInput::new)?;
    let mut target = Target::open(args.output.as_deref())?;
    let _running = Running::new();
    let control = limits::control(args.time_limit, limits::default_memory());
    let seed = seed(args);
    let at_distance = match &args.distance {
        None => None,
        Some(distances) => match AtDistance::in_range(&goal, distances.clone(), &control) {
            Ok(at_distance) => Some(at_distance.cache(shared(None))),
            Err(error) => return not_found(error),
        },
    };
    for index in 0..args.count {
        let generator = &mut Generator::new(seed, index);
        let stopped = |stop| Ok(stopped(stop, index, args));
        if let Err(stop) = control.poll_stop() {
            return stopped(stop);
        }
        let (board, distance) = match (&at_distance, args.walk) {
            (Some(at), _) => {
                let draw = || at.draw(generator, &control);
                match watched("looking for a board", &control, draw) {
                    Ok((board, distance)) => (board, Some(distance)),
                    Err(error) => return not_found(error),
                }
            }
            (None, Some(steps)) => match walk(&goal, steps, generator, &control) {
                Ok(board) => (board, None),
                Err(stop) => return stopped(stop),
            },
            (None, None) => (random_board(&goal, generator), None),
        };
        let record = || made::board(&board, &goal, seed, index, distance);
        target.write(&line(args, &board, record))?;
    }
    target.finish()?;
    Ok(Exit::Answered)
}

/// A board as text or, with --json, as its record.
fn line(args: &Generate, board: &Board, record: impl FnOnce() -> GeneratedPuzzle) -> String {
    if !args.json {
        return format!("{board}\n");
    }
    json_line(&GeneratedPuzzle {
        walk: args.walk,
        ..record()
    })
}

/// Reports that a limit or Ctrl-C ended the run before all boards were made.
fn stopped(stop: Stop, made: u64, args: &Generate) -> Exit {
    complain(format_args!(
        "noyes: {} after {} of {}",
        limits::in_words(stop),
        counted(made as usize, "board", "boards"),
        args.count
    ));
    stop.into()
}

/// Reports that there is no board at the distance: too far is bad input, a limit has its own exit code.
fn not_found(error: DistanceError) -> Result<Exit> {
    match error {
        DistanceError::TooFar { .. } => Err(BadInput::new(error).into()),
        DistanceError::Stopped { stop, .. } => {
            complain(format_args!("noyes: {error}"));
            Ok(stop.into())
        }
        DistanceError::Solve(error) => Err(error.into()),
    }
}
