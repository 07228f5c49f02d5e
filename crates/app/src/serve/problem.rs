//! Refusals: RFC 9457 problem documents, each with a sentence that helps, and the reader of bodies that makes most of them.

use std::fmt;
use std::time::Duration;

use axum::body::{Body as Bytes, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::error::Category;
use utoipa::{IntoResponses, ToSchema};

use super::Shared;

/// A body has to arrive within this time.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// How long to wait before another try, in seconds.
const RETRY_AFTER_S: u32 = 1;

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
            detail: detail.to_string(),
        }
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
            let status = match error.classify() {
                Category::Data => StatusCode::UNPROCESSABLE_ENTITY,
                _ => StatusCode::BAD_REQUEST,
            };
            Problem::new(status, format_args!("the body: {error}"))
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
