//! Answers as text and as JSON, and files written whole or not at all.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Result;
use noyes_puzzle::tiles::{Board, Notation, write_plan};
use noyes_solver::{Answer, Plan, Status};
use serde::Serialize;

use crate::exit::BadInput;
use crate::explain;
use crate::limits;

/// The version of the JSON fields; it changes when one of them changes its meaning.
pub const SCHEMA: &str = "noyes/1";

/// One answer as JSON. Fields keep their names and meanings; those that do not apply are null.
#[derive(Serialize)]
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
    pub encoding: Option<&'static str>,
    pub expanded: u64,
    pub generated: u64,
    pub conflicts: Option<u64>,
    pub variables: Option<u64>,
    pub clauses: Option<u64>,
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
            variables: None,
            clauses: None,
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
            expanded: answer.counts.expanded,
            generated: answer.counts.generated,
            wall_s: answer.wall.as_secs_f64(),
            cpu_s: answer.cpu.as_secs_f64(),
            peak_bytes: answer.counts.peak_bytes,
            error: answer.reason.clone(),
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
}

impl std::fmt::Display for Notated {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Notated::Letters(notation) => notation.fmt(f),
            Notated::Vertices => f.write_str("blank"),
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
    let moves = |n: u32| {
        if n == 1 {
            "1 move".to_string()
        } else {
            format!("{n} moves")
        }
    };
    let lower = answer.bounds.lower;
    let told = match answer.status {
        Status::Optimal => format!("{}, optimal", moves(lower)),
        Status::Solved => format!(
            "{}, not proven optimal: at least {lower} are needed",
            moves(answer.bounds.upper.unwrap_or(lower))
        ),
        Status::Unsolvable => format!(
            "unsolvable: {}",
            answer
                .reason
                .as_deref()
                .unwrap_or("every state that can be reached was seen")
        ),
        Status::Limit(stop) => match answer.bounds.upper {
            Some(upper) => format!(
                "{}: between {lower} and {upper} moves",
                limits::in_words(stop)
            ),
            None => format!(
                "{}: at least {lower} moves, no plan yet",
                limits::in_words(stop)
            ),
        },
    };
    match plan {
        Some(plan) => format!("{told}\nplan ({notation} notation): {plan}\n"),
        None => format!("{told}\n"),
    }
}

/// Counts and times in words.
pub fn statistics(answer: &Answer) -> String {
    let heuristic = answer
        .heuristic
        .as_ref()
        .map_or(String::new(), |h| format!(" with {h}"));
    let counts = answer.counts;
    format!(
        "{}{heuristic}: {} expanded, {} generated, {:.1} MB of states, {:.3} s, {:.3} s of processor time",
        answer.engine,
        counts.expanded,
        counts.generated,
        counts.peak_bytes as f64 / 1e6,
        answer.wall.as_secs_f64(),
        answer.cpu.as_secs_f64()
    )
}

/// A board drawn with its tiles in columns.
pub fn drawn(board: &Board) -> String {
    let width = (board.tiles().len() - 1).to_string().len();
    let tile = |&t: &u16| {
        if t == 0 {
            format!("{:>width$}", "_")
        } else {
            format!("{t:>width$}")
        }
    };
    let row = |row: &[u16]| row.iter().map(tile).collect::<Vec<_>>().join(" ") + "\n";
    board.tiles().chunks(board.width()).map(row).collect()
}

/// Prints to standard output at once.
pub fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Writes a file whole or not at all; without a path, prints.
pub fn write(path: Option<&Path>, text: &str) -> Result<()> {
    let Some(path) = path else {
        return Ok(print(text)?);
    };
    let write = || -> io::Result<()> {
        if path.exists() && !path.is_file() {
            return std::fs::write(path, text); // a pipe or a device has no half-written state to save it from
        }
        let folder = path
            .parent()
            .filter(|p| !p.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let mut file = tempfile::Builder::new()
            .prefix(".noyes-")
            .tempfile_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    };
    write()
        .map_err(|error| BadInput::new(format!("cannot write {}: {error}", path.display())).into())
}
