//! `noyes generate`: random boards that can be solved.

use anyhow::Result;
use noyes_puzzle::tiles::{Board, Generator, random_board, random_walk};
use noyes_solver::{AtDistance, DistanceError};
use serde::Serialize;

use crate::args::Generate;
use crate::exit::{BadInput, Exit};
use crate::limits::{self, Running};
use crate::output::{self, SCHEMA, json_line};

#[derive(Serialize)]
struct Record {
    schema: &'static str,
    puzzle: String,
    size: String,
    goal: String,
    seed: u64,
    index: u64,
    distance: Option<u32>,
    walk: Option<usize>,
}

pub fn run(args: &Generate) -> Result<Exit> {
    let (width, height) = args
        .size
        .or(args.size_flag)
        .expect("clap asks for one of them");
    let goal = args.goal.of_size(width, height).map_err(BadInput::new)?;
    let seed = args.seed.unwrap_or_else(|| {
        let seed = fresh_seed();
        eprintln!("seed: {seed}");
        seed
    });
    let _running = Running::new();
    let control = limits::control(args.time_limit, None);
    let at_distance = match args
        .distance
        .map(|d| AtDistance::new(&goal, d, &control))
        .transpose()
    {
        Ok(at_distance) => at_distance,
        Err(error) => return told(error),
    };
    let mut lines = String::new();
    for index in 0..args.count {
        let generator = &mut Generator::new(seed, index);
        let board = match (&at_distance, args.walk) {
            (Some(at), _) => match limits::watched("looking for a board", &control, || {
                at.draw(generator, &control)
            }) {
                Ok(board) => board,
                Err(error) => return told(error),
            },
            (None, Some(steps)) => random_walk(&goal, steps, generator),
            (None, None) => random_board(&goal, generator),
        };
        let line = line(args, &board, &goal, seed, index);
        if args.output.is_none() {
            output::print(&line)?;
        } else {
            lines.push_str(&line);
        }
    }
    if args.output.is_some() {
        output::write(args.output.as_deref(), &lines)?;
    }
    Ok(Exit::Answered)
}

fn line(args: &Generate, board: &Board, goal: &Board, seed: u64, index: u64) -> String {
    if !args.json {
        return format!("{board}\n");
    }
    json_line(&Record {
        schema: SCHEMA,
        puzzle: board.to_string(),
        size: board.size(),
        goal: goal.to_string(),
        seed,
        index,
        distance: args.distance,
        walk: args.walk,
    })
}

/// No board at the distance: beyond what exists is bad input, a limit is a limit.
fn told(error: DistanceError) -> Result<Exit> {
    match error {
        DistanceError::TooFar { .. } => Err(BadInput::new(error).into()),
        DistanceError::Stopped { .. } => {
            eprintln!("noyes: {error}");
            Ok(if limits::interrupted() {
                Exit::Interrupted
            } else {
                Exit::Limit
            })
        }
        DistanceError::Unverified(error) => Err(error.into()),
    }
}

/// A seed that differs from run to run, short enough to type again.
fn fresh_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    RandomState::new().hash_one(std::process::id()) % 1_000_000_000
}
