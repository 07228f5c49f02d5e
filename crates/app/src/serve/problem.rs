//! Refusals: RFC 9457 problem documents, each with a sentence that helps.

use std::fmt;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

use crate::ask::Refusal;

/// How long to wait before another try, in seconds.
const RETRY_AFTER_S: u32 = 1;

/// A detail is no longer than this: it may quote what was sent.
const MOST_CHARACTERS: usize = 2000;

fn shortened(detail: String) -> String {
    match detail.char_indices().nth(MOST_CHARACTERS) {
        None => detail,
        Some((end, _)) => detail[..end].to_string() + "…",
    }
}

/// Why a request is refused.
#[derive(Debug, Serialize, ToSchema)]
pub struct Problem {
    /// Always about:blank: the status says what kind of problem it is.
    #[serde(rename = "type")]
    kind: &'static str,
    /// The status in words.
    title: &'static str,
    /// The HTTP status.
    status: u16,
    /// What is wrong, and what was expected.
    detail: String,
}

impl Problem {
    /// A refusal with this status and sentence.
    pub fn new(status: StatusCode, detail: impl fmt::Display) -> Problem {
        Problem {
            kind: "about:blank",
            title: status.canonical_reason().unwrap_or("Error"),
            status: status.as_u16(),
            detail: shortened(detail.to_string()),
        }
    }

    /// What is wrong, and what was expected.
    #[cfg(test)]
    pub fn detail(&self) -> &str {
        &self.detail
    }

    /// What was sent is JSON, but means nothing here.
    pub fn unprocessable(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, detail)
    }

    /// Too much is going on.
    pub fn busy(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
    }

    /// There is nothing of that name.
    pub fn not_found(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        Problem::unprocessable(refusal.by_field())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).expect("made from a status");
        let body = serde_json::to_vec(&self).expect("plain fields");
        let mut response = (status, body).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        if status == StatusCode::SERVICE_UNAVAILABLE {
            response
                .headers_mut()
                .insert(header::RETRY_AFTER, RETRY_AFTER_S.into());
        }
        response
    }
}

/// What every route that reads a body may answer.
#[derive(IntoResponses)]
#[expect(dead_code, reason = "for the OpenAPI document")]
pub enum Refusals {
    /// The body is not JSON.
    #[response(status = 400, content_type = "application/problem+json")]
    Malformed(Problem),
    /// The body did not arrive in time.
    #[response(status = 408, content_type = "application/problem+json")]
    Slow(Problem),
    /// The body is too long.
    #[response(status = 413, content_type = "application/problem+json")]
    TooLong(Problem),
    /// The body is not said to be application/json.
    #[response(status = 415, content_type = "application/problem+json")]
    NotJson(Problem),
    /// The body is JSON, but means nothing here or is over a limit.
    #[response(status = 422, content_type = "application/problem+json")]
    Unprocessable(Problem),
    /// Too much is going on; try again after Retry-After seconds.
    #[response(status = 503, content_type = "application/problem+json")]
    Busy(Problem),
}
