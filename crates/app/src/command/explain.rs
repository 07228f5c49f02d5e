//! `noyes explain`: which boxes of a level are dead, and why.

use std::fmt::Write;

use anyhow::Result;
use noyes_check::sokoban_after;
use noyes_puzzle::sokoban::{Format, Level};
use noyes_solver::Control;
use noyes_solver::sokoban::{Dead, explain};
use serde::Serialize;

use crate::args::{Explain, Reading};
use crate::puzzle::level::read_plan;
use crate::record::{SCHEMA, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input::{self, Given};
use crate::terminal::print::{counted, print};

/// What is told as JSON.
#[derive(Serialize)]
struct Record {
    schema: &'static str,
    level: String,
    /// Whether no plan is left.
    unsolvable: bool,
    dead: Vec<Group>,
}

/// Boxes that are dead together.
#[derive(Serialize)]
struct Group {
    /// Rows and columns, from 1.
    boxes: Vec<(usize, usize)>,
    kind: &'static str,
    fatal: bool,
    words: String,
}

pub fn run(args: &Explain) -> Result<Exit> {
    let reading = Reading::of_levels(args.level);
    let Given::Level(level) = input::one_puzzle(&args.puzzle, &reading)? else {
        return Err(BadInput::new("a board, expected a level of Sokoban").into());
    };
    if level.players().len() > 1 {
        return Err(BadInput::new("several players (expected a level of one player)").into());
    }
    let level = match &args.after {
        Some(text) => after(&level, text)?,
        None => *level,
    };
    let dead = explain(&level, &Control::new().time_limit(args.time_limit));
    print(&if args.json {
        json_line(&Record {
            schema: SCHEMA,
            level: Format::Rle.write(&level).trim_end().into(),
            unsolvable: dead.iter().any(|group| group.fatal),
            dead: dead.iter().map(|group| told(&level, group)).collect(),
        })
    } else {
        words(&level, &dead)
    })?;
    Ok(Exit::Answered)
}

/// The level as it stands after a plan, which need not solve it.
fn after(level: &Level, plan: &str) -> Result<Level> {
    let walks = read_plan(plan, level)?;
    let (reached, _) = sokoban_after(level, &walks, true).map_err(BadInput::new)?;
    Ok(reached)
}

fn told(level: &Level, group: &Dead) -> Group {
    Group {
        boxes: group.cells.iter().map(|&cell| level.place(cell)).collect(),
        kind: group.kind.name(),
        fatal: group.fatal,
        words: group.words.clone(),
    }
}

fn words(level: &Level, dead: &[Dead]) -> String {
    let mut text = drawn(level, dead);
    if dead.is_empty() {
        return text + "no box is seen to be dead\n";
    }
    let boxes = dead.iter().map(|group| group.cells.len()).sum();
    let so = if dead.iter().any(|group| group.fatal) {
        ": the level cannot be solved any more"
    } else {
        ", but there are others for the goals"
    };
    let _ = writeln!(
        text,
        "{} (X, or Y on a goal){so}",
        counted(boxes, "dead box", "dead boxes"),
    );
    for group in dead {
        let _ = writeln!(text, "{}: {}", group.kind.name(), group.words);
    }
    text
}

/// The level with X and Y where boxes are dead.
fn drawn(level: &Level, dead: &[Dead]) -> String {
    let xsb = Format::Xsb.write(level);
    let mut rows: Vec<Vec<char>> = xsb.lines().map(|row| row.chars().collect()).collect();
    for &cell in dead.iter().flat_map(|group| &group.cells) {
        let (row, column) = level.place(cell);
        rows[row - 1][column - 1] = if level.is_goal(cell) { 'Y' } else { 'X' };
    }
    let rows = rows.into_iter().map(String::from_iter);
    rows.map(|row| row + "\n").collect()
}
