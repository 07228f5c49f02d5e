//! `noyes explain`: the search tree of a board; which boxes of a level are dead, and why.

use anyhow::Result;
use noyes_check::sokoban_after;
use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Board;
use noyes_solver::{Control, Engine, SimpleHeuristic, TreeError, search_tree};

use crate::args::{Explain, Reading, TreeFormat};
use crate::ask;
use crate::puzzle::tree::Drawing;
use crate::puzzle::{Given, level};
use crate::record::json_line;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::input;
use crate::terminal::limits::{self, Running};
use crate::terminal::print::print;

/// The most cells of a board whose tree is shown: states of larger boards fit no line and no picture.
const MOST_CELLS: usize = 25;

pub fn run(args: &Explain) -> Result<Exit> {
    let mut reading = Reading::default();
    (reading.level, reading.goal) = (args.level, args.tree.goal.clone());
    match input::one_puzzle(&args.puzzle, &reading)? {
        Given::Board(board) => explain_board(&board, args, &reading),
        Given::Level(level) => explain_level(&level, args),
    }
}

fn explain_level(level: &Level, args: &Explain) -> Result<Exit> {
    if let Some(flag) = args.tree.given() {
        let what = format!("{flag}: only for boards, and this is a level of Sokoban");
        return Err(BadInput::new(what).into());
    }
    let level = match &args.after {
        Some(plan) => after(level, plan)?,
        None => level.clone(),
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

fn explain_board(board: &Board, args: &Explain, reading: &Reading) -> Result<Exit> {
    // 1. What is asked.
    let for_levels = [(args.after.is_some(), "--after"), (args.json, "--json")];
    if let Some((_, flag)) = for_levels.iter().find(|(given, _)| *given) {
        let what = format!("{flag}: only for levels of Sokoban, and this is a board");
        return Err(BadInput::new(what).into());
    }
    if board.tiles().len() > MOST_CELLS {
        let size = board.size();
        let what =
            format!("a board of {size}: search trees are shown for up to {MOST_CELLS} cells");
        return Err(BadInput::new(what).into());
    }
    let goal = reading.goal()?;
    let engine = args.tree.engine.unwrap_or(Engine::AStar);
    let misplaced = || SimpleHeuristic::Misplaced.into();
    let heuristic = match engine {
        Engine::AStar => Some(args.tree.heuristic.clone().unwrap_or_else(misplaced)),
        _ => args.tree.heuristic.clone(),
    };
    let given = Given::Board(board.clone());
    let ask = ask::of(&given, &goal).engine(engine).heuristic(heuristic);
    let request = ask::request(ask).map_err(BadInput::from)?;
    // 2. The search.
    let _running = Running::new();
    let control = limits::control(Some(args.time_limit), limits::default_memory());
    let most = args.tree.nodes.unwrap_or(100) as usize;
    let (answer, tree) = match search_tree(&request, most, &control) {
        Ok(found) => found,
        Err(TreeError::Unverified(wrong)) => return Err(wrong.into()),
        Err(error) => return Err(BadInput::new(error).into()),
    };
    // 3. What it did.
    let drawing = Drawing {
        board,
        answer: &answer,
        tree: &tree,
    };
    print(&match args.tree.format.unwrap_or_default() {
        TreeFormat::Text => drawing.text(),
        TreeFormat::Dot => drawing.dot(),
        TreeFormat::Svg => drawing.svg(),
    })?;
    Ok(Exit::of(answer.status))
}
