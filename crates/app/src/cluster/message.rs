//! What travels: work for workers, and what came of it.
//!
//! Messages are JSON with a version. Both ends check it, refuse unknown fields and bound every size, so a damaged or
//! foreign message ends as an error, never as a wrong answer.

use noyes_answer::sent::{Question, Sent};
use noyes_puzzle::tiles::{Notation, parse_plan, write_plan};
use noyes_solver::Stop;
use noyes_solver::tiles::{Cut, Opening, Part, PartEnd};
use serde::{Deserialize, Serialize};

use super::rest::SentRest;

/// The version of the program and of these messages. Workers take work of their own version only.
pub const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "-3");

/// The most bytes of a message: the default limit of NATS servers, less room for headers.
pub const MOST_BYTES: usize = (1 << 20) - 4096;
/// The most subtrees that a tree is cut into.
pub const MOST_SUBTREES: usize = 1_000_000;
/// The most moves of a plan within a limit: one byte in a search.
const MOST_LIMIT: u32 = 255;
/// The most puzzles in one item.
pub const MOST_PUZZLES: usize = 1024;

/// An item of work.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Work {
    pub version: String,
    pub question: Question,
    pub task: Task,
}

/// What to do.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Task {
    /// Solve each of these puzzles, which have numbers in their run.
    Solve { puzzles: Vec<(usize, String)> },
    /// Search the first limits of IDA*, until this number of states is generated.
    Open { puzzle: String, generated: u64 },
    /// Cut the tree of a limit into about this number of subtrees.
    Cut {
        puzzle: String,
        limit: u32,
        wanted: usize,
    },
    /// Search some subtrees of a limit, and leave the rest after about this number of states.
    Part {
        puzzle: String,
        part: SentPart,
        most: u64,
    },
    /// Search what is left of a part, likewise.
    Rest {
        puzzle: String,
        limit: u32,
        rest: SentRest,
        most: u64,
    },
    /// Make a run of a benchmark (`bench/order.rs`).
    Bench { run: serde_json::Value },
}

/// The subtrees to search.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentPart {
    pub limit: u32,
    pub depth: u8,
    pub subtrees: usize,
    pub check: u64,
    pub first: usize,
    pub step: usize,
}

/// What came of an item.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Done {
    pub version: String,
    /// The worker's name.
    pub worker: String,
    /// Time that passed, and processor time.
    pub wall_s: f64,
    pub cpu_s: f64,
    pub outcome: Outcome,
}

/// What came of a task.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Outcome {
    /// An answer or an error for each puzzle, with its number and the [`digest`] of its text.
    Solved(Vec<(usize, u64, Solved)>),
    Opened {
        plan: Option<String>,
        limit: u32,
        before: (u64, u64),
        last: u64,
        stop: Option<SentStop>,
    },
    Cut {
        depth: u8,
        subtrees: usize,
        check: u64,
        above: (u64, u64),
        plan: Option<String>,
    },
    Searched {
        counts: (u64, u64),
        plan: Option<String>,
        stop: Option<SentStop>,
        #[serde(default, skip_serializing_if = "SentRest::is_empty")]
        rest: SentRest,
    },
    /// The line of a run of a benchmark.
    Ran(serde_json::Value),
    /// Nothing: the message says why.
    Failed(String),
}

/// What came of a puzzle.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Solved {
    Answer(Box<Sent>),
    Error(String),
}

/// Why a search stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SentStop {
    Time,
    Memory,
    Interrupted,
}

impl Work {
    /// Work of this version.
    pub fn new(question: Question, task: Task) -> Work {
        Work {
            version: VERSION.into(),
            question,
            task,
        }
    }

    /// Reads a message.
    pub fn read(bytes: &[u8]) -> Result<Work, String> {
        let work: Work = read(bytes)?;
        same_version(&work.version)?;
        match &work.task {
            Task::Solve { puzzles } if puzzles.len() > MOST_PUZZLES => {
                Err(format!("more than {MOST_PUZZLES} puzzles in one item"))
            }
            Task::Cut { wanted, .. } if *wanted > MOST_SUBTREES => {
                Err(format!("more than {MOST_SUBTREES} subtrees of a tree"))
            }
            Task::Cut { limit, .. } if *limit > MOST_LIMIT => {
                Err(format!("a limit of more than {MOST_LIMIT} moves"))
            }
            _ => Ok(work),
        }
    }
}

impl Done {
    /// Reads a message.
    pub fn read(bytes: &[u8]) -> Result<Done, String> {
        let done: Done = read(bytes)?;
        same_version(&done.version)?;
        Ok(done)
    }

    /// The bytes to send; if they are more than `most`, of an error that says so.
    pub fn write(&self, most: usize) -> Vec<u8> {
        let bytes = serde_json::to_vec(self).expect("plain fields");
        if bytes.len() <= most {
            return bytes;
        }
        let what = format!(
            "the answer has {} bytes, and a message at most {most}",
            bytes.len()
        );
        let done = Done {
            outcome: Outcome::Failed(what),
            ..self.clone()
        };
        serde_json::to_vec(&done).expect("plain fields")
    }
}

fn read<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, String> {
    if bytes.len() > MOST_BYTES {
        return Err(format!(
            "a message of {} bytes, expected at most {MOST_BYTES}",
            bytes.len()
        ));
    }
    serde_json::from_slice(bytes).map_err(|error| format!("not a message of noyes: {error}"))
}

fn same_version(version: &str) -> Result<(), String> {
    if version == VERSION {
        return Ok(());
    }
    Err(format!(
        "a message of noyes {version}, and this is {VERSION}"
    ))
}

impl From<SentPart> for Part {
    fn from(part: SentPart) -> Part {
        let SentPart {
            limit,
            depth,
            subtrees,
            check,
            first,
            step,
        } = part;
        Part {
            limit,
            depth,
            subtrees,
            check,
            first,
            step,
        }
    }
}

impl From<Opening> for Outcome {
    fn from(opening: Opening) -> Outcome {
        Outcome::Opened {
            plan: opening.plan.map(|plan| write_plan(&plan, Notation::Blank)),
            limit: opening.limit,
            before: opening.before,
            last: opening.last,
            stop: opening.stop.map(Into::into),
        }
    }
}

impl From<Cut> for Outcome {
    fn from(cut: Cut) -> Outcome {
        Outcome::Cut {
            depth: cut.depth,
            subtrees: cut.subtrees,
            check: cut.check,
            above: cut.above,
            plan: cut.plan.map(|plan| write_plan(&plan, Notation::Blank)),
        }
    }
}

impl From<PartEnd> for Outcome {
    fn from(end: PartEnd) -> Outcome {
        Outcome::Searched {
            counts: end.counts,
            plan: end.plan.map(|plan| write_plan(&plan, Notation::Blank)),
            stop: end.stop.map(Into::into),
            rest: SentRest::pack(&end.rest),
        }
    }
}

impl From<Stop> for SentStop {
    fn from(stop: Stop) -> SentStop {
        match stop {
            Stop::Time => SentStop::Time,
            Stop::Memory => SentStop::Memory,
            Stop::Interrupted | Stop::Budget | Stop::Bound => SentStop::Interrupted,
        }
    }
}

impl From<SentStop> for Stop {
    fn from(stop: SentStop) -> Stop {
        match stop {
            SentStop::Time => Stop::Time,
            SentStop::Memory => Stop::Memory,
            SentStop::Interrupted => Stop::Interrupted,
        }
    }
}

/// Tells the text of one puzzle from that of another.
pub fn digest(text: &str) -> u64 {
    let hash = blake3::hash(text.as_bytes());
    u64::from_le_bytes(*hash.as_bytes().first_chunk().expect("32 bytes"))
}

/// The moves of a plan that was sent.
pub fn read_plan(text: &str) -> Result<Vec<noyes_puzzle::tiles::Direction>, String> {
    parse_plan(text, Notation::Blank).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_and_damaged_messages_are_refused() {
        let work = Work::new(Question::default(), Task::Solve { puzzles: vec![] });
        let json = serde_json::to_string(&work).unwrap();
        assert!(Work::read(json.as_bytes()).is_ok());
        for (changed, why) in [
            (json.replace(VERSION, "9.9.9-1"), "this is"),
            (json.replace("solve", "shell"), "not a message"),
            (json.replace("\"task\"", "\"program\""), "not a message"),
            (json[1..].to_string(), "not a message"),
            (json.clone() + &" ".repeat(MOST_BYTES), "at most"),
        ] {
            let error = Work::read(changed.as_bytes()).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn a_tree_is_not_cut_into_too_many_subtrees() {
        let cut = |limit, wanted| {
            let task = Task::Cut {
                puzzle: "1 2/3 0".into(),
                limit,
                wanted,
            };
            Work::read(&serde_json::to_vec(&Work::new(Question::default(), task)).unwrap())
        };
        assert!(cut(255, MOST_SUBTREES).is_ok());
        assert!(cut(255, MOST_SUBTREES + 1).is_err());
        assert!(cut(256, MOST_SUBTREES).is_err());
    }

    #[test]
    fn an_answer_that_is_too_long_is_an_error() {
        let done = Done {
            version: VERSION.into(),
            worker: "w".into(),
            wall_s: 0.0,
            cpu_s: 0.0,
            outcome: Outcome::Solved(vec![(0, 0, Solved::Error("x".repeat(MOST_BYTES)))]),
        };
        let arrived = Done::read(&done.write(MOST_BYTES)).unwrap();
        assert!(matches!(arrived.outcome, Outcome::Failed(why) if why.contains("at most")));
    }
}
