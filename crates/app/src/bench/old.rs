//! Results of earlier versions, converted to what this one reads.
//!
//! In lines of the schema `noyes-bench/1`, and in answers of `noyes/1`, the reason for a limit or a failure was a text.
//! All these texts are below; nothing else in the program depends on them.

use serde_json::{Map, Value as Json, json};

use super::ending::Failure;

/// The schema of earlier lines.
pub const LINE: &str = "noyes-bench/1";
/// The schema of earlier answers.
const ANSWER: &str = "noyes/1";
/// How an `error` ended if the benchmark had killed the run.
const KILLED: &str = " (ended by force)";
const UNREADABLE: &str = "something else than JSON was printed";

/// An earlier line with the fields of [`super::ending::Ending`], or why it is not such a line.
pub fn line(mut line: Map<String, Json>) -> Result<Json, String> {
    let error = text(line.remove("error"));
    match line.get("status").and_then(Json::as_str) {
        Some("limit") => {
            let error = error.unwrap_or_default();
            let (stop, killed) = match error.strip_suffix(KILLED) {
                Some(stop) => (stop, true),
                None => (error.as_str(), false),
            };
            let stop = stop_word(stop).ok_or_else(|| format!("unknown limit {error:?}"))?;
            line.insert("stop".into(), stop.into());
            line.insert("killed".into(), killed.into());
        }
        Some("failed") => {
            let error = error.unwrap_or_default();
            line.insert("failure".into(), json!(failure(&error)));
            line.insert("error".into(), error.into());
        }
        _ => {
            if let (Some(reason), Some(Json::Object(values))) = (error, line.get_mut("values")) {
                values.insert("reason".into(), reason.into());
            }
        }
    }
    Ok(line.into())
}

/// An answer with the separate fields `stop` and `reason` of today's answers.
pub fn answer(said: &mut Map<String, Json>) {
    let is_old = said.get("schema").is_some_and(|schema| schema == ANSWER);
    let Some(status) = text(said.get("status").cloned()).filter(|_| is_old) else {
        return;
    };
    if let Some(words) = text(said.remove("error")) {
        let (field, value) = match stop_word(&words) {
            Some(stop) if status == "limit" => ("stop", stop.to_string()),
            _ => ("reason", words),
        };
        said.insert(field.into(), value.into());
    }
}

fn text(value: Option<Json>) -> Option<String> {
    match value {
        Some(Json::String(text)) => Some(text),
        _ => None,
    }
}

/// Today's name of a limit.
fn stop_word(words: &str) -> Option<&'static str> {
    match words {
        "time limit" => Some("time"),
        "memory limit" => Some("memory"),
        "budget of states" => Some("budget"),
        "no plan is so short" => Some("bound"),
        _ => None,
    }
}

/// The kind of a failure: its text ended with the exit code or the signal.
fn failure(error: &str) -> Failure {
    match error.rsplit("; ").next().unwrap_or_default() {
        "exit code 1" => Failure::Error,
        "exit code 2" => Failure::BadInput,
        "exit code 5" => Failure::Unverified,
        UNREADABLE => Failure::Unreadable,
        ending if ending.starts_with("exit code ") || ending.starts_with("signal: ") => {
            Failure::Crashed
        }
        _ => Failure::Error,
    }
}

#[cfg(test)]
mod tests {
    use super::super::ending::{Ending, Limit};
    use super::*;

    fn ending(status: &str, error: &Json) -> Result<Ending, String> {
        let fields = json!({"status": status, "error": error, "values": {}});
        let Json::Object(fields) = fields else {
            panic!("an object")
        };
        line(fields).map(|line| serde_json::from_value(line).unwrap())
    }

    #[test]
    fn limits_and_failures_have_their_types() {
        let limit = |stop, killed| Ok(Ending::Limit { stop, killed });
        for (words, expected) in [
            ("time limit", limit(Limit::Time, false)),
            ("time limit (ended by force)", limit(Limit::Time, true)),
            ("memory limit (ended by force)", limit(Limit::Memory, true)),
            ("budget of states", limit(Limit::Budget, false)),
            ("patience", Err("unknown limit \"patience\"".into())),
        ] {
            assert_eq!(ending("limit", &words.into()), expected);
        }
        for (words, failure) in [
            ("no such flag; exit code 2", Failure::BadInput),
            ("the plan is wrong; exit code 5", Failure::Unverified),
            ("exit code 1", Failure::Error),
            ("signal: 9 (SIGKILL)", Failure::Crashed),
            ("it said this; signal: 11 (SIGSEGV)", Failure::Crashed),
            (UNREADABLE, Failure::Unreadable),
        ] {
            assert_eq!(
                ending("failed", &words.into()),
                Ok(Ending::failed(failure, words))
            );
        }
        assert_eq!(ending("optimal", &Json::Null), Ok(Ending::Optimal));
    }

    #[test]
    fn a_reason_is_no_error() {
        let mut said = json!({"schema": ANSWER, "status": "unsolvable", "error": "odd"});
        answer(said.as_object_mut().unwrap());
        assert_eq!(said["reason"], "odd");
        assert!(said["error"].is_null());
        let mut said = json!({"schema": ANSWER, "status": "limit", "error": "no plan is so short"});
        answer(said.as_object_mut().unwrap());
        assert_eq!(
            (&said["stop"], &said["reason"]),
            (&"bound".into(), &Json::Null)
        );
        let refused = json!({"schema": ANSWER, "error": "no board"});
        let mut said = refused.clone();
        answer(said.as_object_mut().unwrap());
        assert_eq!(said, refused);
    }
}
