//! Answers as text and as JSON.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::ops::Range;

use anyhow::Result;
use crossterm::style::{Attribute, SetAttribute};
use noyes_puzzle::tiles::{Board, Notation, write_plan};
use noyes_solver::{Answer, Plan, Status};
use serde::Serialize;
use utoipa::ToSchema;

use crate::explain;
use crate::limits;
use crate::progress;
use crate::target::unwritable;

/// The version of the JSON fields; it changes when one of them changes its meaning.
pub const SCHEMA: &str = "noyes/1";

/// One answer as JSON. Fields keep their names and meanings; those that do not apply are null.
#[derive(Serialize, ToSchema)]
pub struct Record<'a> {
    pub schema: &'static str,
    pub puzzle: &'a str,
    pub size: Option<String>,
    pub status: Option<&'static str>,
    pub cost: Option<u32>,
    pub lower: Option<u32>,
    pub upper: Option<u32>,
    pub objective: &'static str,
    pub plan: Option<String>,
    pub notation: Option<String>,
    pub steps: Option<Vec<explain::Record>>,
    pub engine: Option<&'static str>,
    pub heuristic: Option<String>,
    pub encoding: Option<String>,
    pub expanded: u64,
    pub generated: u64,
    pub conflicts: Option<u64>,
    pub decisions: Option<u64>,
    pub variables: Option<u64>,
    pub clauses: Option<u64>,
    pub lazy_clauses: Option<u64>,
    pub lookups: Option<u64>,
    pub wall_s: f64,
    pub cpu_s: f64,
    pub peak_bytes: usize,
    pub error: Option<String>,
}

impl<'a> Record<'a> {
    /// The record of a puzzle that could not be read.
    pub fn error(puzzle: &'a str, error: String) -> Record<'a> {
        Record {
            schema: SCHEMA,
            puzzle,
            size: None,
            status: None,
            cost: None,
            lower: None,
            upper: None,
            objective: "moves",
            plan: None,
            notation: None,
            steps: None,
            engine: None,
            heuristic: None,
            encoding: None,
            expanded: 0,
            generated: 0,
            conflicts: None,
            decisions: None,
            variables: None,
            clauses: None,
            lazy_clauses: None,
            lookups: None,
            wall_s: 0.0,
            cpu_s: 0.0,
            peak_bytes: 0,
            error: Some(error),
        }
    }

    /// The record of an answer; `plan` and `notation` as the puzzle writes them.
    pub fn answer(
        puzzle: &'a str,
        answer: &Answer,
        plan: Option<String>,
        notation: &Notated,
    ) -> Record<'a> {
        let solvable = answer.status != Status::Unsolvable;
        Record {
            status: Some(answer.status.word()),
            cost: answer.bounds.upper,
            lower: solvable.then_some(answer.bounds.lower),
            upper: answer.bounds.upper,
            plan,
            notation: Some(notation.to_string()),
            engine: Some(answer.engine.name()),
            heuristic: answer.heuristic.as_ref().map(ToString::to_string),
            encoding: answer.encoding.as_ref().map(ToString::to_string),
            conflicts: answer.counts.sat.map(|sat| sat.conflicts),
            decisions: answer.counts.sat.map(|sat| sat.decisions),
            variables: answer.counts.sat.map(|sat| sat.variables),
            clauses: answer.counts.sat.map(|sat| sat.clauses),
            lazy_clauses: answer.counts.sat.map(|sat| sat.lazy_clauses),
            lookups: answer.counts.sat.map(|sat| sat.lookups),
            expanded: answer.counts.expanded,
            generated: answer.counts.generated,
            wall_s: answer.wall.as_secs_f64(),
            cpu_s: answer.cpu.as_secs_f64(),
            peak_bytes: answer.counts.peak_bytes,
            error: match answer.status {
                Status::Limit(stop) => Some(stop.to_string()),
                Status::Optimal => None,
                _ => answer.reason.clone(),
            },
            ..Record::error(puzzle, String::new())
        }
    }

    pub fn line(&self) -> String {
        json_line(self)
    }
}

/// What the words of a plan name.
pub enum Notated {
    Letters(Notation),
    Vertices,
    /// The moves of players, capitals for pushes.
    Lurd,
}

impl std::fmt::Display for Notated {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Notated::Letters(notation) => notation.fmt(f),
            Notated::Vertices => f.write_str("blank"),
            Notated::Lurd => f.write_str("lurd"),
        }
    }
}

/// A value as one line of JSON.
pub fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain fields") + "\n"
}

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

/// So many of something, in words.
pub fn counted(number: usize, one: &str, more: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { more })
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

/// Prints to standard output at once.
pub fn print(text: &str) -> Result<()> {
    let print = || {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()
    };
    progress::suspended(print).map_err(|error| unwritable("standard output", error))
}
