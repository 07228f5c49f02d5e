//! Answers as text and as JSON.

use std::fmt::Write as _;
use std::ops::Range;

use crossterm::style::{Attribute, SetAttribute};
use noyes_puzzle::tiles::{Board, Notation, write_plan};
use noyes_solver::{Answer, Plan, Status};

use crate::record::Notated;
use crate::terminal::limits;
use crate::terminal::print::counted;

/// The plan of a board as letters.
pub fn letters(answer: &Answer, notation: Notation) -> Option<String> {
    match &answer.plan {
        Some(Plan::Directions(plan)) => Some(write_plan(plan, notation)),
        _ => None,
    }
}

/// An answer in words; the plan as it is written out, and what its words name.
pub fn words(answer: &Answer, plan: Option<&str>, notation: &Notated) -> String {
    let told = status(answer, ("move", "moves"));
    match plan {
        Some(plan) => format!("{told}\nplan ({notation} notation): {plan}\n"),
        None => format!("{told}\n"),
    }
}

/// How a solve ended, in one line without its end; what costs count, one of it and more.
pub fn status(answer: &Answer, (one, more): (&str, &str)) -> String {
    let cost = |n: u32| counted(n as usize, one, more);
    let lower = answer.bounds.lower;
    match answer.status {
        Status::Optimal => format!("{}, optimal", cost(lower)),
        Status::Solved => format!(
            "{}, not proven optimal: at least {} needed",
            cost(answer.bounds.upper.unwrap_or(lower)),
            counted(lower as usize, "is", "are")
        ),
        Status::Unsolvable => format!(
            "unsolvable: {}",
            answer
                .reason
                .as_deref()
                .unwrap_or("no way leads from the start to a solved state")
        ),
        Status::Limit(stop) => match answer.bounds.upper {
            Some(upper) => format!(
                "{}: between {lower} and {}",
                limits::in_words(stop),
                cost(upper)
            ),
            None => format!(
                "{}: at least {}, no plan yet",
                limits::in_words(stop),
                cost(lower)
            ),
        },
    }
}

/// Counts and times in words.
pub fn statistics(answer: &Answer) -> String {
    let heuristic = answer
        .heuristic
        .as_ref()
        .map_or(String::new(), |h| format!(" with {h}"));
    let counts = answer.counts;
    let (wall, cpu) = (answer.wall.as_secs_f64(), answer.cpu.as_secs_f64());
    if let (Some(sat), Some(encoding)) = (counts.sat, &answer.encoding) {
        let lazy = match sat.lookups {
            0 => String::new(),
            n => format!(" and {} added lazily, {n} lookups", sat.lazy_clauses),
        };
        return format!(
            "{} with {encoding}: {} conflicts, {} decisions, {} variables, {} clauses{lazy}, {wall:.3} s, {cpu:.3} s of processor time",
            answer.engine, sat.conflicts, sat.decisions, sat.variables, sat.clauses,
        );
    }
    format!(
        "{}{heuristic}: {} expanded, {} generated, {:.1} MB of states, {wall:.3} s, {cpu:.3} s of processor time",
        answer.engine,
        counts.expanded,
        counts.generated,
        counts.peak_bytes as f64 / 1e6,
    )
}

/// A board drawn with its tiles in columns.
pub fn drawn_whole(board: &Board) -> String {
    drawn(board, 0..board.height(), 0..board.width(), None)
}

/// A board drawn with its tiles in columns: some of its rows and columns, and one cell of it marked.
pub fn drawn(
    board: &Board,
    rows: Range<usize>,
    columns: Range<usize>,
    marked: Option<usize>,
) -> String {
    let width = tile_width(board);
    let mut text = String::new();
    for row in rows {
        for column in columns.clone() {
            let cell = row * board.width() + column;
            let tile = match board.tiles()[cell] {
                0 => format!("{:>width$}", "_"),
                tile => format!("{tile:>width$}"),
            };
            if column > columns.start {
                text.push(' ');
            }
            if marked == Some(cell) {
                let (on, off) = (
                    SetAttribute(Attribute::Reverse),
                    SetAttribute(Attribute::Reset),
                );
                let _ = write!(text, "{on}{tile}{off}");
            } else {
                text.push_str(&tile);
            }
        }
        text.push('\n');
    }
    text
}

/// The characters that the widest tile of a board takes.
pub fn tile_width(board: &Board) -> usize {
    (board.tiles().len() - 1).to_string().len()
}
