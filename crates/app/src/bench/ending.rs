//! How a run ended: with an answer, at a limit, or by a failure.
//!
//! Code decides by these types, never by texts. In the line of a run they are the words of `status`, `stop` and
//! `failure`; `error` is for people.

use serde::{Deserialize, Serialize};
use serde_json::json;

/// How a run ended; its line has the fields besides `status` only if they apply.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum Ending {
    /// A plan, and nothing is cheaper.
    Optimal,
    /// A plan.
    Solved,
    /// Proof that there is no plan.
    Unsolvable,
    /// The answer of a command that solves no puzzle, or proof that there is no plan within the asked bound.
    Done,
    /// It stopped at a limit, or the benchmark killed it there.
    Limit { stop: Limit, killed: bool },
    /// There is no answer, and no limit is the reason.
    Failed { failure: Failure, error: String },
}

/// Which limit it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Limit {
    Time,
    Memory,
    /// The number of states that a method allows itself.
    Budget,
}

/// Why a run failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Failure {
    /// The program refused what it was given.
    BadInput,
    /// A plan did not pass the check: a bug in the program.
    Unverified,
    /// The program gave up, and said why.
    Error,
    /// It ended by a signal, or with an unknown exit code.
    Crashed,
    /// It printed something that is not an answer.
    Unreadable,
}

impl Ending {
    /// The benchmark ended it at this limit.
    pub fn killed(stop: Limit) -> Ending {
        Ending::Limit { stop, killed: true }
    }

    pub fn failed(failure: Failure, error: impl Into<String>) -> Ending {
        Ending::Failed {
            failure,
            error: error.into(),
        }
    }

    /// The ending that the fields `status` and `stop` of an answer mean.
    pub fn of_answer(status: &str, stop: Option<&str>) -> Ending {
        if (status, stop) == ("limit", Some("bound")) {
            return Ending::Done;
        }
        let fields = json!({"status": status, "stop": stop, "killed": false});
        serde_json::from_value(fields).unwrap_or_else(|_| {
            let stop = stop.map_or(String::new(), |stop| format!(" and the stop {stop:?}"));
            let error = format!("an answer has the status {status:?}{stop}");
            Ending::failed(Failure::Unreadable, error)
        })
    }

    /// The words for counts, such as `7 optimal, 1 ended by a limit`.
    pub fn in_words(&self) -> &'static str {
        match self {
            Ending::Optimal => "optimal",
            Ending::Solved => "solved",
            Ending::Unsolvable => "unsolvable",
            Ending::Done => "done",
            Ending::Limit { .. } => "ended by a limit",
            Ending::Failed { .. } => "failed",
        }
    }

    pub fn is_answered(&self) -> bool {
        match self {
            Ending::Optimal | Ending::Solved | Ending::Unsolvable | Ending::Done => true,
            Ending::Limit { .. } | Ending::Failed { .. } => false,
        }
    }

    /// What went wrong, in words, if it failed.
    pub fn error(&self) -> Option<&str> {
        match self {
            Ending::Failed { error, .. } => Some(error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_there_where_they_apply() {
        let line = |ending: &Ending| serde_json::to_string(ending).unwrap();
        assert_eq!(line(&Ending::Optimal), r#"{"status":"optimal"}"#);
        assert_eq!(
            line(&Ending::killed(Limit::Memory)),
            r#"{"status":"limit","stop":"memory","killed":true}"#
        );
        assert_eq!(
            line(&Ending::failed(Failure::BadInput, "why")),
            r#"{"status":"failed","failure":"bad-input","error":"why"}"#
        );
    }

    #[test]
    fn answers_are_understood_or_unreadable() {
        let at = |stop| Ending::Limit {
            stop,
            killed: false,
        };
        let of = Ending::of_answer;
        assert_eq!(of("solved", None), Ending::Solved);
        assert_eq!(of("limit", Some("time")), at(Limit::Time));
        assert_eq!(of("limit", Some("budget")), at(Limit::Budget));
        assert_eq!(of("limit", Some("bound")), Ending::Done);
        for (status, stop) in [("limit", None), ("limit", Some("bored")), ("failed", None)] {
            assert!(matches!(
                of(status, stop),
                Ending::Failed {
                    failure: Failure::Unreadable,
                    ..
                }
            ));
        }
    }
}
