//! Questions and answers that travel between machines.
//!
//! A [`Question`] is what a request asks for, without its puzzle. A [`Sent`] answer is text and numbers; the receiver
//! turns it into a [`Claim`] and has the claim verified, so that a plan is replayed where it is shown.

use std::sync::Arc;
use std::time::Duration;

use noyes_puzzle::sokoban::Walks;
use noyes_puzzle::tiles::{Goal, Notation, parse_plan, write_plan};
use noyes_solver::{
    Answer, Ask, Bounds, Claim, Counts, DeviceName, Engine, Plan, Request, SatCounts, Status, Stop,
    Ties, TilesCache,
};
use serde::{Deserialize, Serialize};

use crate::Given;
use crate::ask::{self, Names, Refusal};
use crate::record::SolveBody;

/// How to solve a puzzle. Fields have the names and meanings of flags on the command line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Question {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub heuristic: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duplicates: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keep: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<u32>,
    #[serde(skip_serializing_if = "is_false")]
    pub any: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub no_wait: bool,
    #[serde(skip_serializing_if = "is_false")]
    pub decompose: bool,
    /// The limits of each search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_limit_s: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_limit_bytes: Option<u64>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands out references"
)]
fn is_false(flag: &bool) -> bool {
    !flag
}

impl Question {
    /// What a body asks.
    pub fn of_body(body: &SolveBody) -> Question {
        Question {
            goal: body.goal.clone(),
            engine: body.engine.clone(),
            heuristic: body.heuristic.clone(),
            duplicates: None,
            encoding: body.encoding.clone(),
            backend: body.backend.clone(),
            bounds: body.bounds.clone(),
            keep: body.keep.clone(),
            objective: body.objective.clone(),
            at_most: body.at_most,
            from: body.from,
            any: body.any,
            no_wait: body.no_wait,
            decompose: body.decompose,
            time_limit_s: body.time_limit_s,
            memory_limit_bytes: body.memory_limit_bytes,
        }
    }

    /// The request about a puzzle. It never starts a program as a SAT solver.
    pub fn request(&self, puzzle: &Given, cache: &Arc<TilesCache>) -> Result<Request, Refusal> {
        self.request_on(DeviceName::Cpu, puzzle, cache)
    }

    /// The same for a device.
    pub fn request_on(
        &self,
        device: DeviceName,
        puzzle: &Given,
        cache: &Arc<TilesCache>,
    ) -> Result<Request, Refusal> {
        let body = self.body("");
        let names = Names::of(&body)?;
        let ask = match puzzle {
            Given::Board(board) => {
                let goal = ask::goal(self.goal.as_deref(), board.width(), board.height())?;
                Ask::board(board.clone(), Goal::Board(goal)).duplicates(self.duplicates)
            }
            Given::Level(level) => {
                ask::no_goal(self.goal.as_deref())?;
                Ask::level((**level).clone())
            }
        };
        ask::body(ask.device(device), &body, &names, names.engine, cache)
    }

    /// The time of a search, at most this long.
    pub fn time(&self, most: Duration) -> Duration {
        let asked = self.time_limit_s.map(Duration::try_from_secs_f64);
        asked.and_then(Result::ok).unwrap_or(most).min(most)
    }

    /// The memory of a search, at most this much.
    pub fn bytes(&self, most: usize) -> usize {
        let asked = self.memory_limit_bytes.map(|bytes| bytes as usize);
        asked.unwrap_or(most).min(most)
    }

    /// The body that asks the same about a puzzle.
    pub fn body(&self, puzzle: &str) -> SolveBody {
        SolveBody {
            puzzle: puzzle.into(),
            goal: self.goal.clone(),
            engine: self.engine.clone(),
            heuristic: self.heuristic.clone(),
            encoding: self.encoding.clone(),
            backend: self.backend.clone(),
            bounds: self.bounds.clone(),
            keep: self.keep.clone(),
            any: self.any,
            objective: self.objective.clone(),
            no_wait: self.no_wait,
            at_most: self.at_most,
            from: self.from,
            decompose: self.decompose,
            time_limit_s: self.time_limit_s,
            memory_limit_bytes: self.memory_limit_bytes,
            wait_s: None,
        }
    }
}

/// An answer as text and numbers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    pub status: String,
    pub stop: Option<String>,
    pub lower: u32,
    pub upper: Option<u32>,
    /// Where the blank goes, or the moves of players.
    pub plan: Option<String>,
    pub ties_proven: Option<bool>,
    pub reason: Option<String>,
    pub engine: String,
    pub heuristic: Option<String>,
    pub encoding: Option<String>,
    pub expanded: u64,
    pub generated: u64,
    pub peak_bytes: u64,
    pub sat: Option<SentSat>,
    pub wall_s: f64,
    pub cpu_s: f64,
}

/// What SAT solvers counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SentSat {
    conflicts: u64,
    decisions: u64,
    variables: u64,
    clauses: u64,
    lazy_clauses: u64,
    lookups: u64,
    shared_clauses: u64,
}

impl Sent {
    /// The answer to a question about this puzzle.
    pub fn new(puzzle: &Given, answer: &Answer) -> Sent {
        let plan = match (puzzle, &answer.plan) {
            (Given::Board(_), Some(Plan::Directions(plan))) => {
                Some(write_plan(plan, Notation::Blank))
            }
            (Given::Level(level), Some(Plan::Walks(walks))) => Some(walks.write(level)),
            _ => None,
        };
        let Counts {
            expanded,
            generated,
            peak_bytes,
            sat,
        } = answer.counts;
        Sent {
            status: answer.status.name().into(),
            stop: answer.status.stop().map(|stop| stop.name().into()),
            lower: answer.bounds.lower,
            upper: answer.bounds.upper,
            plan,
            ties_proven: answer.ties.map(|ties| ties == Ties::Proven),
            reason: answer.reason.as_ref().map(ToString::to_string),
            engine: answer.engine.name().into(),
            heuristic: answer.heuristic.as_ref().map(ToString::to_string),
            encoding: answer.encoding.as_ref().map(ToString::to_string),
            expanded,
            generated,
            peak_bytes: peak_bytes as u64,
            sat: sat.map(SentSat::new),
            wall_s: answer.wall.as_secs_f64(),
            cpu_s: answer.cpu.as_secs_f64(),
        }
    }

    /// What it claims about the puzzle; an error names what cannot be read.
    pub fn claim(&self, puzzle: &Given) -> Result<Claim, String> {
        let plan = self.plan.as_deref().map(|text| match puzzle {
            Given::Board(_) => parse_plan(text, Notation::Blank)
                .map(Plan::Directions)
                .map_err(|error| error.to_string()),
            Given::Level(level) => Walks::parse(text, level.players().len())
                .map(Plan::Walks)
                .map_err(|error| error.to_string()),
        });
        let seconds = |seconds| Duration::try_from_secs_f64(seconds).unwrap_or_default();
        Ok(Claim {
            status: self.status()?,
            bounds: Bounds {
                lower: self.lower,
                upper: self.upper,
            },
            plan: plan.transpose()?,
            ties: self
                .ties_proven
                .map(|proven| if proven { Ties::Proven } else { Ties::Open }),
            reason: self.reason.clone(),
            engine: parsed::<Engine>(&self.engine)?,
            heuristic: self.heuristic.as_deref().map(parsed).transpose()?,
            encoding: self.encoding.as_deref().map(parsed).transpose()?,
            counts: Counts {
                expanded: self.expanded,
                generated: self.generated,
                peak_bytes: self.peak_bytes as usize,
                sat: self.sat.as_ref().map(SentSat::counts),
            },
            wall: seconds(self.wall_s),
            cpu: seconds(self.cpu_s),
        })
    }

    fn status(&self) -> Result<Status, String> {
        let stops = [
            Stop::Time,
            Stop::Memory,
            Stop::Interrupted,
            Stop::Budget,
            Stop::Bound,
        ];
        let stop = self.stop.as_deref().unwrap_or_default();
        let stop = stops.into_iter().find(|known| known.name() == stop);
        let statuses = [Status::Optimal, Status::Solved, Status::Unsolvable];
        let status = statuses.into_iter().chain(stop.map(Status::Limit));
        status
            .into_iter()
            .find(|status| status.name() == self.status)
            .ok_or_else(|| format!("status {:?} is not known", self.status))
    }
}

impl SentSat {
    fn new(sat: SatCounts) -> SentSat {
        let SatCounts {
            conflicts,
            decisions,
            variables,
            clauses,
            lazy_clauses,
            lookups,
            shared_clauses,
        } = sat;
        SentSat {
            conflicts,
            decisions,
            variables,
            clauses,
            lazy_clauses,
            lookups,
            shared_clauses,
        }
    }

    fn counts(&self) -> SatCounts {
        SatCounts {
            conflicts: self.conflicts,
            decisions: self.decisions,
            variables: self.variables,
            clauses: self.clauses,
            lazy_clauses: self.lazy_clauses,
            lookups: self.lookups,
            shared_clauses: self.shared_clauses,
        }
    }
}

fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_solver::{Control, solve};

    #[test]
    fn answers_arrive_as_they_were_sent() {
        for (text, engine) in [
            ("8 6 7/2 5 4/3 0 1", "auto"),
            ("1 2 3/4 0 6/7 5 8", "sat"),
            ("2 1 3/4 5 6/7 8 0", "auto"),
            ("7#|#@-$-.#|7#", "auto"),
            ("6#|#.@$-#|#----#|6#", "auto"),
            ("6#|#.-@$#|6#", "auto"),
        ] {
            let question = Question {
                engine: Some(engine.into()),
                ..Question::default()
            };
            let json = serde_json::to_string(&question).unwrap();
            assert_eq!(serde_json::from_str::<Question>(&json).unwrap(), question);
            let puzzle = Given::read(text).unwrap();
            let request = question.request(&puzzle, &Arc::default()).unwrap();
            let answer = solve(&request, &Control::new()).unwrap();
            let sent = Sent::new(&puzzle, &answer);
            let json = serde_json::to_string(&sent).unwrap();
            let sent: Sent = serde_json::from_str(&json).unwrap();
            let arrived = sent.claim(&puzzle).unwrap().verified(&request).unwrap();
            assert_eq!(Sent::new(&puzzle, &arrived), sent, "{text}");
            assert_eq!(arrived.plan, answer.plan);
        }
    }

    #[test]
    fn questions_cannot_start_programs() {
        let question = Question {
            engine: Some("sat".into()),
            backend: Some("cmd:touch /tmp/x".into()),
            ..Question::default()
        };
        let puzzle = Given::read("1 2 3/4 0 6/7 5 8").unwrap();
        let refused = question.request(&puzzle, &Arc::default()).unwrap_err();
        assert!(refused.by_field().contains("starts no programs"));
    }

    #[test]
    fn unknown_fields_are_refused() {
        assert!(serde_json::from_str::<Question>(r#"{"program": "x"}"#).is_err());
    }
}
