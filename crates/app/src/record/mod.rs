//! JSON.

use noyes_puzzle::tiles::Notation;
use noyes_solver::{Answer, Status};
use serde::Serialize;
use utoipa::ToSchema;

use crate::puzzle::human as explain;

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
