//! `noyes generate sokoban`: levels whose optimum is known.
//!
//! Level `i` of a seed comes from its own numbers, so it does not depend on how
//! many are asked for. Levels that are the same from another side are left out;
//! then the next number is taken.

use std::collections::HashSet;

use anyhow::Result;
use noyes_puzzle::sokoban::{Format, Level, normalise};
use noyes_puzzle::tiles::Generator;
use noyes_solver::sokoban::{GenerateError, Generated, Wish, generate};
use serde::Serialize;

use crate::args::Generate;
use crate::command::generate::seed;
use crate::record::{SCHEMA, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::limits::{self, Running};
use crate::terminal::print::complain;
use crate::terminal::print::counted;
use crate::terminal::progress::watched;
use crate::terminal::target::Target;

#[derive(Serialize)]
struct Record {
    schema: &'static str,
    puzzle: String,
    size: String,
    boxes: usize,
    players: usize,
    seed: u64,
    index: u64,
    objective: &'static str,
    cost: u32,
}

pub fn run(args: &Generate) -> Result<Exit> {
    let wish = wish(args)?;
    let mut target = Target::open(args.output.as_deref())?;
    let _running = Running::new();
    let control = limits::control(args.time_limit, None);
    let seed = seed(args);
    let mut seen: HashSet<Level> = HashSet::new();
    let mut index = 0;
    while (seen.len() as u64) < args.count {
        let draw = || generate(&wish, &mut Generator::new(seed, index), &control);
        match watched("looking for a level", &control, draw) {
            Ok(made) => {
                if seen.insert(normalise(&made.level).titled(None)) {
                    target.write(&text(args, &wish, &made, seed, index))?;
                }
            }
            Err(GenerateError::Stopped { stop, .. }) => {
                complain(format_args!(
                    "noyes: {} after {} of {}",
                    limits::in_words(stop),
                    counted(seen.len(), "level", "levels"),
                    args.count
                ));
                return Ok(stop.into());
            }
            Err(error) => return Err(BadInput::new(error).into()),
        }
        index += 1;
    }
    target.finish()?;
    Ok(Exit::Answered)
}

fn wish(args: &Generate) -> Result<Wish, BadInput> {
    for (given, flag) in [
        (args.distance.is_some(), "--distance"),
        (args.walk.is_some(), "--walk"),
        (args.goal != "blank-last", "--goal"),
    ] {
        if given {
            return Err(BadInput::new(format!(
                "{flag} is for boards, not for levels"
            )));
        }
    }
    let (width, height) = args.size.unwrap_or((8, 8));
    let level = &args.level;
    let players = level.players.unwrap_or(1).into();
    let least = match (players, level.min_pushes, level.min_steps) {
        (1, _, Some(_)) => {
            return Err(BadInput::new(
                "--min-steps is for several players (expected --min-pushes)",
            ));
        }
        (1, pushes, None) => pushes,
        (_, Some(_), _) => {
            return Err(BadInput::new(
                "--min-pushes is for one player (expected --min-steps)",
            ));
        }
        (_, None, steps) => steps,
    };
    Ok(Wish {
        width,
        height,
        boxes: level.boxes.unwrap_or(3).into(),
        players,
        least: least.unwrap_or(1),
    })
}

/// A level with its title and what is known of it, or as JSON.
fn text(args: &Generate, wish: &Wish, made: &Generated, seed: u64, index: u64) -> String {
    let Generated { level, optimum } = made;
    let objective = if wish.players == 1 { "pushes" } else { "steps" };
    let xsb = Format::Xsb.write(level);
    if args.json {
        return json_line(&Record {
            schema: SCHEMA,
            puzzle: xsb,
            size: format!("{}x{}", level.width(), level.height()),
            boxes: wish.boxes,
            players: wish.players,
            seed,
            index,
            objective,
            cost: *optimum,
        });
    }
    format!("{xsb}Title: seed {seed}, number {index}\nComment: optimal: {optimum} {objective}\n\n")
}
