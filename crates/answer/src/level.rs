//! Levels of Sokoban: plans read, answers recorded, plans replayed, dead boxes explained.

use noyes_check::{sokoban_after, sokoban_plan};
use noyes_puzzle::pddl;
use noyes_puzzle::sokoban::{Level, MAX_STEPS, Metrics, State, Walks, write_rle};
use noyes_solver::sokoban::{Dead, explain};
use noyes_solver::{Answer, Control, LevelPuzzle, Objective, Plan, Puzzle, Unit};

use crate::record::{Answered, DeadBoxes, Explained, Measures, Notated, Replayed, SCHEMA, Subject};

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

pub fn walks_of(answer: &Answer) -> Option<&Walks> {
    answer.plan.as_ref().and_then(Plan::walks)
}

pub fn metrics(level: &Level, walks: &Walks) -> Metrics {
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

/// Replays a plan.
pub fn replay(puzzle: &LevelPuzzle, walks: &Walks) -> Replayed {
    let LevelPuzzle { level, wait, .. } = puzzle;
    let unit = puzzle.unit();
    let done = sokoban_plan(level, walks, *wait);
    let reached = sokoban_after(level, walks, *wait).ok();
    let metrics = reached.as_ref().map(|_| metrics(level, walks));
    Replayed {
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
    }
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
