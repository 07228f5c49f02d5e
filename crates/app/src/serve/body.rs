//! Bodies: JSON, read within the limits, or a sentence that says which field is wrong and what was expected there.

use std::time::Duration;

use axum::body::{Body as Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use serde_json::{Error, Map, Value, from_value};

use super::Shared;
use super::problem::Problem;

/// A body has to arrive within this time.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// The field that says what the others mean, where there is one.
const KIND: &str = "kind";
/// No body here has so many fields.
const MANY_FIELDS: usize = 40;

/// A body of JSON, read within the limits.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Shared> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, server: &Shared) -> Result<Body<T>, Problem> {
        if !is_json(&request) {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "expected a body of JSON, with the header Content-Type: application/json",
            ));
        }
        let bytes = read(request.into_body(), server.limits.body_bytes).await?;
        // The reader would take a list for an object, too.
        if bytes.trim_ascii_start().starts_with(b"[") {
            return Err(Problem::unprocessable("the body: expected an object"));
        }
        serde_json::from_slice(&bytes).map(Body).map_err(|error| {
            if error.classify() == Category::Data {
                Problem::unprocessable(in_words::<T>(&error, &bytes))
            } else {
                Problem::new(StatusCode::BAD_REQUEST, format_args!("the body: {error}"))
            }
        })
    }
}

/// Whether the body is said to be JSON. A page of elsewhere cannot say so without being asked first by its browser.
fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|k| k.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

async fn read(body: Bytes, most: usize) -> Result<axum::body::Bytes, Problem> {
    match tokio::time::timeout(BODY_TIMEOUT, to_bytes(body, most)).await {
        Ok(Ok(bytes)) => Ok(bytes),
        Ok(Err(error)) if is_too_long(&error) => Err(Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format_args!("the body has more than {most} bytes, which is the limit here"),
        )),
        Ok(Err(error)) => Err(Problem::new(
            StatusCode::BAD_REQUEST,
            format_args!("the body cannot be read: {error}"),
        )),
        Err(_) => Err(Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            format_args!(
                "the body did not arrive within {} s",
                BODY_TIMEOUT.as_secs()
            ),
        )),
    }
}

fn is_too_long(error: &axum::Error) -> bool {
    let mut error: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(e) = error {
        if e.to_string().contains("length limit exceeded") {
            return true;
        }
        error = e.source();
    }
    false
}

/// What is wrong with a body that is JSON, in the words of who wrote it: the reader speaks of types.
fn in_words<T: DeserializeOwned>(error: &Error, bytes: &[u8]) -> String {
    let said = error.to_string();
    let said = said.split(" at line ").next().unwrap_or(&said);
    if let Some(name) = said.strip_prefix("missing field ") {
        return format!("the body: {} is missing", bare(name));
    }
    if let Some(name) = said.strip_prefix("duplicate field ") {
        return format!("the body: {} is there twice", bare(name));
    }
    if let Some((name, known)) = said
        .strip_prefix("unknown field ")
        .and_then(|rest| rest.split_once(", expected "))
    {
        let known = bare(known.trim_start_matches("one of "));
        return format!(
            "the body: {} is no field here (expected {known})",
            bare(name)
        );
    }
    let Ok(Value::Object(fields)) = serde_json::from_slice(bytes) else {
        return "the body: expected an object".into();
    };
    let place = wrong_field::<T>(&fields).map_or("the body", String::as_str);
    if let Some((name, known)) = said
        .strip_prefix("unknown variant ")
        .and_then(|rest| rest.split_once(", expected "))
    {
        let known = bare(known.trim_start_matches("one of "));
        return format!("{place}: {} is not known (expected {known})", bare(name));
    }
    let Some((found, expected)) = said.split_once(", expected ") else {
        return format!("{place}: {said}");
    };
    let expected = match expected {
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number from 0, not too large",
        "f64" => "a number",
        "a boolean" => "true or false",
        "variant identifier" => "a name",
        other if other.contains("struct") || other.contains("enum") => "an object",
        other => other,
    };
    let found = found.split_once(": ").map_or(found, |(_, found)| found);
    let found = match found.split_once(' ') {
        Some(("integer", number)) => format!("the number {}", bare(number)),
        Some(("boolean", value)) => bare(value),
        Some(("string", text)) => format!("the string {text}"),
        _ if found.starts_with("floating point ") => {
            format!("the number {}", bare(&found["floating point ".len()..]))
        }
        _ => match found {
            "sequence" => "a list".into(),
            "map" => "an object".into(),
            other => other.into(),
        },
    };
    format!("{place}: expected {expected}, found {found}")
}

/// Without the quotes that the reader puts around names.
fn bare(text: &str) -> String {
    text.replace('`', "")
}

/// The field that is wrong: without it the reader says something else, or nothing.
fn wrong_field<T: DeserializeOwned>(fields: &Map<String, Value>) -> Option<&String> {
    let said = |fields: Map<String, Value>| {
        let read = from_value::<T>(Value::Object(fields));
        read.err().map(|error| error.to_string())
    };
    if fields.len() > MANY_FIELDS {
        return None;
    }
    let all = said(fields.clone());
    let is_wrong = |name: &&String| {
        let mut rest = fields.clone();
        rest.remove(*name);
        said(rest) != all
    };
    let mut names: Vec<&String> = fields.keys().collect();
    names.sort_by_key(|name| *name == KIND); // without it, nothing can be read at all
    names.into_iter().find(is_wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::make::GenerateBody;
    use crate::serve::wish::SolveBody;

    fn said<T: DeserializeOwned>(body: &str) -> String {
        let error = serde_json::from_str::<T>(body).err().expect("it is wrong");
        in_words::<T>(&error, body.as_bytes())
    }

    #[test]
    fn a_wrong_field_is_named_in_the_words_of_who_wrote_it() {
        for (body, words) in [
            ("{}", "the body: puzzle is missing"),
            (
                "{\"puzzle\": 1}",
                "puzzle: expected a string, found the number 1",
            ),
            (
                "{\"puzzle\": \"\", \"at_most\": -1}",
                "at_most: expected a whole number from 0, not too large, found the number -1",
            ),
            (
                "{\"puzzle\": \"\", \"at_most\": 1.5}",
                "at_most: expected a whole number from 0, not too large, found the number 1.5",
            ),
            (
                "{\"any\": \"yes\", \"puzzle\": \"\"}",
                "any: expected true or false, found the string \"yes\"",
            ),
            (
                "{\"puzzle\": \"\", \"wait_s\": [1]}",
                "wait_s: expected a number, found a list",
            ),
            (
                "{\"puzzle\": \"\", \"puzzle\": \"\"}",
                "the body: puzzle is there twice",
            ),
            ("3", "the body: expected an object"),
            ("null", "the body: expected an object"),
        ] {
            assert_eq!(said::<SolveBody>(body), words, "{body}");
        }
        let unknown = said::<SolveBody>("{\"puzzle\": \"\", \"colour\": 1}");
        assert!(
            unknown.starts_with("the body: colour is no field here (expected puzzle, goal,"),
            "{unknown}"
        );
        for (body, words) in [
            (
                "{\"kind\": \"tiles\", \"width\": \"4\", \"height\": 4}",
                "width: expected a whole number from 0, not too large, found the string \"4\"",
            ),
            (
                "{\"kind\": \"chess\"}",
                "kind: chess is not known (expected tiles or sokoban)",
            ),
            ("{\"width\": 4}", "the body: kind is missing"),
            (
                "{\"kind\": \"tiles\", \"width\": 4}",
                "the body: height is missing",
            ),
        ] {
            assert_eq!(said::<GenerateBody>(body), words, "{body}");
        }
    }
}
