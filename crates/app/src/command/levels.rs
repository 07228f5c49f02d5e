//! `noyes levels`: levels read in any format and written in another, or told about.

use std::fmt::Write;

use anyhow::Result;
use noyes_puzzle::sokoban::{Level, normalise, write_rle};
use serde::Serialize;

use crate::args::{Levels, Reading};
use crate::puzzle::level::size;
use crate::record::{SCHEMA, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::input::{self, Given, Item, shorten};
use crate::terminal::print::complain;
use crate::terminal::print::counted;
use crate::terminal::target::Target;

/// What is told about a level.
#[derive(Serialize)]
struct Told<'a> {
    schema: &'static str,
    number: usize,
    title: Option<&'a str>,
    size: String,
    boxes: usize,
    goals: usize,
    players: usize,
    floor: usize,
    level: String,
}

pub fn run(args: &Levels) -> Result<Exit> {
    input::only_one_dash(args.sources.iter().map(String::as_str))?;
    let reading = Reading::of_levels(args.level);
    let mut exit = Exit::Answered;
    let mut levels: Vec<(usize, Level)> = vec![];
    for argument in &args.sources {
        let mut bad = |error: &dyn std::fmt::Display| {
            complain(format_args!("noyes: {error}"));
            exit = Exit::BadInput;
        };
        let done = input::puzzles(argument, &reading, &mut |item: Item| {
            let number = item.number;
            match item.puzzle() {
                Ok(Given::Level(level)) => levels.push((number, *level)),
                Ok(Given::Board(_)) => {
                    bad(&format!(
                        "{}: a board, expected levels of Sokoban",
                        shorten(argument)
                    ));
                    return false;
                }
                Err(error) => bad(&error),
            }
            true
        });
        if let Err(error) = done {
            bad(&error);
        }
    }
    // What is left of nothing is not worth a file.
    if levels.is_empty() {
        return Ok(exit);
    }
    let mut target = Target::open(args.output.as_deref())?;
    let titled = levels.iter().any(|(_, level)| level.title().is_some());
    for (i, (number, level)) in levels.iter().enumerate() {
        let level = if args.normalise {
            &normalise(level)
        } else {
            level
        };
        // Of several sources they are counted through.
        let number = if args.sources.len() == 1 {
            *number
        } else {
            i + 1
        };
        let told = told(level, number);
        target.write(&if args.json {
            json_line(&told)
        } else if args.info {
            line(&told)
        } else {
            written(args, level, i, titled)
        })?;
    }
    target.finish()?;
    Ok(exit)
}

fn told(level: &Level, number: usize) -> Told<'_> {
    Told {
        schema: SCHEMA,
        number,
        title: level.title(),
        size: size(level),
        boxes: level.boxes().len(),
        goals: level.goals().count(),
        players: level.players().len(),
        floor: (0..level.cells())
            .filter(|&cell| level.is_floor(cell as u16))
            .count(),
        level: write_rle(level),
    }
}

fn line(told: &Told) -> String {
    let mut text = format!(
        "{}: {}, {}, {}, {}, {} of floor",
        told.number,
        told.size,
        counted(told.boxes, "box", "boxes"),
        counted(told.goals, "goal", "goals"),
        counted(told.players, "player", "players"),
        counted(told.floor, "cell", "cells"),
    );
    if let Some(title) = told.title {
        let _ = write!(text, ", {title:?}");
    }
    text + "\n"
}

/// A level as part of a collection; where some have titles, the others get their number, so that each keeps its own.
fn written(args: &Levels, level: &Level, at: usize, titled: bool) -> String {
    let mut text = String::new();
    if at > 0 {
        text.push('\n');
    }
    match level.title() {
        Some(title) => {
            let _ = writeln!(text, "; {title}");
        }
        None if titled => {
            let _ = writeln!(text, "; {}", at + 1);
        }
        None => {}
    }
    text + &args.format.write(level)
}
