//! `noyes generate sokoban`: levels whose optimum is known.

use anyhow::Result;
use noyes_answer::made::Levels;
use noyes_puzzle::sokoban::Format;
use noyes_solver::sokoban::{GenerateError, Generated, Wish};

use super::seed::seed;
use crate::args::Generate;
use crate::puzzle::made;
use crate::record::json_line;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::limits::{self, Running};
use crate::terminal::print::{complain, counted};
use crate::terminal::progress::watched;
use crate::terminal::target::Target;

pub fn run(args: &Generate) -> Result<Exit> {
    let wish = wish(args)?;
    let mut target = Target::open(args.output.as_deref())?;
    let _running = Running::new();
    let control = limits::control(args.time_limit, None);
    let mut levels = Levels::new(wish, seed(args));
    while (levels.made() as u64) < args.count {
        let draw = || levels.draw(&control);
        match watched("looking for a level", &control, draw) {
            Ok((made, index)) => target.write(&text(args, &wish, &made, levels.seed, index))?,
            Err(GenerateError::Stopped { stop, .. }) => {
                complain(format_args!(
                    "noyes: {} after {} of {}",
                    limits::in_words(stop),
                    counted(levels.made(), "level", "levels"),
                    args.count
                ));
                return Ok(stop.into());
            }
            Err(error) => return Err(BadInput::new(error).into()),
        }
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
                "{flag}: only for boards, not for levels"
            )));
        }
    }
    let (width, height) = args.size.unwrap_or((8, 8));
    let level = &args.level;
    let players = level.players.unwrap_or(1).into();
    let least = made::least(players, level.min_pushes, level.min_steps)
        .map_err(|field| BadInput::new(field.in_words("--min-pushes", "--min-steps")))?;
    Ok(Wish {
        width,
        height,
        boxes: level.boxes.unwrap_or(3).into(),
        players,
        least,
    })
}

/// A level with its title and its optimum, or as JSON.
fn text(args: &Generate, wish: &Wish, made: &Generated, seed: u64, index: u64) -> String {
    let record = made::level(wish, made, seed, index);
    if args.json {
        return json_line(&record);
    }
    let xsb = Format::Xsb.write(&made.level);
    let (optimum, unit) = (made.optimum, record.objective);
    format!("{xsb}Title: seed {seed}, number {index}\nComment: optimal: {optimum} {unit}\n\n")
}
