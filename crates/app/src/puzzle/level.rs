//! Levels of Sokoban: answers described, plans replayed, dead boxes explained in words.

use std::fmt::Write;

pub use noyes_answer::level::{explained, only_one_player, read_plan, record, usual};
use noyes_answer::level::{metrics, walks_of};
use noyes_puzzle::sokoban::{Format, Level, Metrics, Walks};
use noyes_solver::{Answer, LevelPuzzle, Status, Ties, Unit};

use super::replay::Replay;
use super::words::verdict;
use crate::record::{DeadBoxes, Explained};
use crate::terminal::print::counted;

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
    let record = noyes_answer::level::replay(puzzle, walks);
    let valid = if record.legal {
        let metrics = metrics(&puzzle.level, walks);
        let steps = counted(metrics.steps, "step", "steps");
        format!(
            "valid: {steps}, and every goal holds a box\n{}",
            measured(&metrics)
        )
    } else {
        String::new()
    };
    Replay { record, valid }
}

/// Dead boxes in words, after a picture of the level.
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
