//! `noyes levels`: reads levels in any format and writes them in another, or lists their sizes.

use std::fmt::Write;

use anyhow::Result;
use noyes_answer::shorten;
use noyes_puzzle::sokoban::{Level, normalise};

use crate::args::{Levels, Reading};
use crate::puzzle::Given;
use crate::record::{ListedLevel, SCHEMA, Subject, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::input::{self, Item};
use crate::terminal::limits;
use crate::terminal::print::{complain, counted};
use crate::terminal::target::Target;

pub fn run(args: &Levels) -> Result<Exit> {
    limits::stop_flag(); // Ctrl-C removes an unfinished file
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
    // Without a level there is nothing to write.
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
        // Levels of several sources are numbered consecutively.
        let number = if args.sources.len() == 1 {
            *number
        } else {
            i + 1
        };
        let listed = listed(level, number);
        target.write(&if args.json {
            json_line(&listed)
        } else if args.info {
            line(&listed, level)
        } else {
            written(args, level, i, titled)
        })?;
    }
    target.finish()?;
    Ok(exit)
}

fn listed(level: &Level, number: usize) -> ListedLevel {
    ListedLevel {
        schema: SCHEMA,
        subject: Subject::level(level),
        number,
        boxes: level.boxes().len(),
        goals: level.goals().count(),
        floor: (0..level.cells())
            .filter(|&cell| level.is_floor(cell as u16))
            .count(),
    }
}

fn line(listed: &ListedLevel, level: &Level) -> String {
    let mut text = format!(
        "{}: {}x{}, {}, {}, {}, {} of floor",
        listed.number,
        level.width(),
        level.height(),
        counted(listed.boxes, "box", "boxes"),
        counted(listed.goals, "goal", "goals"),
        counted(level.players().len(), "player", "players"),
        counted(listed.floor, "cell", "cells"),
    );
    if let Some(title) = level.title() {
        let _ = write!(text, ", {title:?}");
    }
    text + "\n"
}

/// A level as part of a collection. If some levels have titles, the others get their number as a title.
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
