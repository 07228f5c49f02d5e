//! Levels of Sokoban: plans read, answers recorded and described, plans replayed, dead boxes explained.

use std::fmt::Write;

use noyes_check::{sokoban_after, sokoban_plan};
use noyes_puzzle::pddl;
use noyes_puzzle::sokoban::{Format, Level, MAX_STEPS, Metrics, State, Walks, write_rle};
use noyes_solver::sokoban::{Dead, explain};
use noyes_solver::{Answer, Control, LevelPuzzle, Objective, Plan, Puzzle, Status, Ties, Unit};

use super::replay::Replay;
use super::words::verdict;
use crate::record::{Answered, DeadBoxes, Explained, Measures, Notated, Replayed, SCHEMA, Subject};
use crate::terminal::print::counted;

/// A level with the default objective and rules.
pub fn usual(level: &Level) -> LevelPuzzle {
    LevelPuzzle {
        level: level.clone().into(),
        objective: Objective::default(),
        wait: true,
    }
}

/// A plan, given as letters or as a planner's plan.
pub fn read_plan(text: &str, level: &Level) -> Result<Walks, String> {
    read_plan_within(text, level, MAX_STEPS)
}

/// The same for plans of at most this many steps, counted over all players.
pub fn read_plan_within(text: &str, level: &Level, most: usize) -> Result<Walks, String> {
    if pddl::is_plan(text) {
        only_one_player(level)?;
        let plan = pddl::level_plan(level, text).map_err(|e| e.to_string())?;
        return Ok(Walks::of_one(&plan));
    }
    Walks::parse_within(text, level.players().len(), most).map_err(|e| e.to_string())
}

/// Refuses levels with several players: planners' plans are for one.
pub fn only_one_player(level: &Level) -> Result<(), String> {
    match level.players().len() {
        1 => Ok(()),
        n => Err(format!(
            "a planner's plan is for one player, but the level has {n}"
        )),
    }
}

fn walks_of(answer: &Answer) -> Option<&Walks> {
    answer.plan.as_ref().and_then(Plan::walks)
}

fn metrics(level: &Level, walks: &Walks) -> Metrics {
    Metrics::of(level, walks).expect("a plan that was checked")
}

/// The record of an answer.
pub fn record(level: &Level, answer: &Answer) -> Answered {
    let walks = walks_of(answer);
    let plan = walks.map(|walks| walks.write(level));
    let measures = walks.map(|walks| Measures::of(&metrics(level, walks)));
    Answered {
        measures: measures.unwrap_or_default(),
        ..Answered::new(Subject::level(level), answer, plan, Notated::Lurd)
    }
}

/// An answer in words.
pub fn words(level: &Level, answer: &Answer) -> String {
    let mut text = verdict(answer) + "\n";
    let Some(walks) = walks_of(answer) else {
        return text;
    };
    if answer.status == Status::Optimal {
        let ties = match (answer.unit, answer.ties) {
            (Unit::Pushes, Some(Ties::Proven)) => "fewest pushes, then fewest moves",
            (Unit::Pushes, _) => "fewest pushes (perhaps not the fewest moves)",
            (Unit::Moves, Some(Ties::Proven)) => "fewest moves, then fewest pushes",
            (Unit::Moves, _) => "fewest moves (perhaps not the fewest pushes)",
            (Unit::Steps, _) => "fewest steps of all players together",
        };
        let _ = writeln!(text, "objective: {ties}");
    }
    text + &measured(&metrics(level, walks)) + &plan_lines(level, walks)
}

/// The measures of a plan in one line.
fn measured(metrics: &Metrics) -> String {
    format!(
        "{}, {}, {}, {}, {}, {}\n",
        counted(metrics.moves, "move", "moves"),
        counted(metrics.pushes, "push", "pushes"),
        counted(metrics.box_lines, "box line", "box lines"),
        counted(metrics.box_changes, "box change", "box changes"),
        counted(
            metrics.pushing_sessions,
            "pushing session",
            "pushing sessions"
        ),
        counted(metrics.player_lines, "player line", "player lines"),
    )
}

/// A plan, one line per player.
pub fn plan_lines(level: &Level, walks: &Walks) -> String {
    let lurd = walks.write(level);
    if walks.players() == 1 {
        return format!("plan (LURD, capitals push): {lurd}\n");
    }
    let mut text = String::from("plan (LURD, capitals push, . waits), a line for each player:\n");
    for line in lurd.split('\n') {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// Replays a plan.
pub fn replay(puzzle: &LevelPuzzle, walks: &Walks) -> Replay {
    let LevelPuzzle { level, wait, .. } = puzzle;
    let unit = puzzle.unit();
    let done = sokoban_plan(level, walks, *wait);
    let reached = sokoban_after(level, walks, *wait).ok();
    let metrics = reached.as_ref().map(|_| metrics(level, walks));
    let record = Replayed {
        legal: reached.is_some(),
        solved: done.is_ok(),
        cost: metrics.as_ref().map(|m| cost(m, unit)),
        measures: metrics.as_ref().map(Measures::of).unwrap_or_default(),
        reached: reached.map(|(after, _)| write_rle(&after)),
        error: done.err().map(|fault| fault.to_string()),
        ..Replayed::new(
            Subject::level(level),
            walks.write(level),
            Notated::Lurd.to_string(),
            unit,
        )
    };
    let valid = metrics.map_or(String::new(), |metrics| {
        let steps = counted(metrics.steps, "step", "steps");
        format!(
            "valid: {steps}, and every goal holds a box\n{}",
            measured(&metrics)
        )
    });
    Replay { record, valid }
}

fn cost(metrics: &Metrics, unit: Unit) -> u32 {
    let cost = match unit {
        Unit::Pushes => metrics.pushes,
        Unit::Moves => metrics.moves,
        Unit::Steps => metrics.steps,
    };
    cost as u32
}

/// Which boxes of a level are dead, and whether the level is unsolvable.
pub fn explained(level: &Level, control: &Control) -> Explained {
    let is_solved = State::start(level).is_solved(level);
    let reason = if is_solved {
        None
    } else {
        Puzzle::Level(usual(level)).why_unsolvable()
    };
    // A box that one player cannot free, several may.
    let dead = match level.players() {
        [_] => explain(level, control),
        _ => vec![],
    };
    Explained {
        schema: SCHEMA,
        subject: Subject::level(level),
        unsolvable: reason.is_some() || dead.iter().any(|group| group.fatal),
        reason: reason.map(|reason| reason.to_string()),
        dead: dead.iter().map(|group| dead_boxes(level, group)).collect(),
    }
}

fn dead_boxes(level: &Level, group: &Dead) -> DeadBoxes {
    let place = |&cell: &u16| {
        let (row, column) = level.place(cell);
        [row, column]
    };
    DeadBoxes {
        boxes: group.cells.iter().map(place).collect(),
        deadlock: group.kind.name(),
        fatal: group.fatal,
        words: group.words.clone(),
    }
}

/// The same in words, after a picture of the level.
pub fn explained_words(level: &Level, explained: &Explained) -> String {
    let mut text = picture(level, &explained.dead);
    let Explained { dead, reason, .. } = explained;
    if level.players().len() > 1 {
        text += "with several players, no box is called dead: another player may free it\n";
    } else if dead.is_empty() {
        text += "no dead box found\n";
    } else {
        let boxes = dead.iter().map(|group| group.boxes.len()).sum();
        let so = if dead.iter().any(|group| group.fatal) {
            ": the level cannot be solved any more"
        } else {
            ", but there are enough other boxes for the goals"
        };
        let _ = writeln!(
            text,
            "{} (X, or Y on a goal){so}",
            counted(boxes, "dead box", "dead boxes"),
        );
    }
    for group in dead {
        let _ = writeln!(text, "{}: {}", group.deadlock, group.words);
    }
    if let Some(reason) = reason
        && dead.iter().all(|group| !group.fatal)
    {
        let _ = writeln!(text, "unsolvable: {reason}");
    }
    text
}

/// The level with X and Y where boxes are dead.
fn picture(level: &Level, dead: &[DeadBoxes]) -> String {
    let xsb = Format::Xsb.write(level);
    let mut rows: Vec<Vec<char>> = xsb.lines().map(|row| row.chars().collect()).collect();
    for &[row, column] in dead.iter().flat_map(|group| &group.boxes) {
        let letter = &mut rows[row - 1][column - 1];
        *letter = if *letter == '*' { 'Y' } else { 'X' };
    }
    let rows = rows.into_iter().map(String::from_iter);
    rows.map(|row| row + "\n").collect()
}
