//! Refusals: RFC 9457 problem documents, each with a sentence that says what was expected.

use std::fmt;

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use noyes_answer::Fault;
use serde::Serialize;
use utoipa::{IntoResponses, ToSchema};

/// The seconds to wait before trying again.
const RETRY_AFTER_S: u32 = 1;

/// The longest detail: it may quote what was sent.
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

    /// The server is busy.
    pub fn busy(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, detail)
    }

    /// There is no such thing.
    pub fn not_found(detail: impl fmt::Display) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, detail)
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Problem {
        let status = StatusCode::from_u16(fault.status()).expect("a status of HTTP");
        Problem::new(status, fault)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).expect("made from a status");
        let body = serde_json::to_vec(&self).expect("plain fields");
        let mut response = (status, body).into_response();
        let kind = HeaderValue::from_static("application/problem+json");
        response.headers_mut().insert(header::CONTENT_TYPE, kind);
        let headers = response.headers_mut();
        if status == StatusCode::SERVICE_UNAVAILABLE {
            headers.insert(header::RETRY_AFTER, RETRY_AFTER_S.into());
        }
        if status == StatusCode::UNAUTHORIZED {
            let scheme = HeaderValue::from_static("Bearer");
            headers.insert(header::WWW_AUTHENTICATE, scheme);
        }
        response
    }
}

/// Why a route that reads a body may refuse it.
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
    /// The Content-Type is not application/json.
    #[response(status = 415, content_type = "application/problem+json")]
    NotJson(Problem),
    /// The body is JSON, but makes no sense here or exceeds a limit.
    #[response(status = 422, content_type = "application/problem+json")]
    Unprocessable(Problem),
    /// The server is busy; try again after Retry-After seconds.
    #[response(status = 503, content_type = "application/problem+json")]
    Busy(Problem),
}
