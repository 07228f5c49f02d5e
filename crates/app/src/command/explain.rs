//! `noyes explain`: which boxes of a level are dead, and why.

use anyhow::Result;
use noyes_check::sokoban_after;
use noyes_puzzle::sokoban::Level;
use noyes_solver::Control;

use crate::args::{Explain, Reading};
use crate::puzzle::{Given, level};
use crate::record::json_line;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input;
use crate::terminal::print::print;

pub fn run(args: &Explain) -> Result<Exit> {
    let reading = Reading::of_levels(args.level);
    let Given::Level(level) = input::one_puzzle(&args.puzzle, &reading)? else {
        return Err(BadInput::new("a board, expected a level of Sokoban").into());
    };
    let level = match &args.after {
        Some(plan) => after(&level, plan)?,
        None => *level,
    };
    let explained = level::explained(&level, &Control::new().time_limit(args.time_limit));
    print(&if args.json {
        json_line(&explained)
    } else {
        level::explained_words(&level, &explained)
    })?;
    Ok(Exit::Answered)
}

/// The level after a plan, which need not solve it.
fn after(level: &Level, plan: &str) -> Result<Level> {
    let wrong = |what: String| BadInput::new(format!("--after: {what}"));
    let walks = level::read_plan(plan, level).map_err(wrong)?;
    let reached = sokoban_after(level, &walks, true);
    let (reached, _) = reached.map_err(|fault| wrong(fault.to_string()))?;
    Ok(reached)
}
