//! Bodies: JSON that arrives in time and within the limits.

use std::time::Duration;

use axum::body::{Body as Stream, Bytes, HttpBody, to_bytes};
use axum::extract::{FromRequest, Request};
use axum::http::{StatusCode, header};
use futures_util::StreamExt;
use noyes_answer::body::parse;
use serde::de::DeserializeOwned;

use super::problem::Problem;
use super::server::Shared;

/// A body has to arrive within this time.
const BODY_TIMEOUT: Duration = Duration::from_secs(10);
/// A body that is too long is read this much further, and dropped, so that its client gets to see the answer.
const MOST_DROPPED: usize = 64 << 20;

/// A body of JSON.
pub struct Body<T>(pub T);

impl<T: DeserializeOwned> FromRequest<Shared> for Body<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, _: &Shared) -> Result<Body<T>, Problem> {
        if !is_json(&request) {
            return Err(Problem::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "expected a body of JSON, with the header Content-Type: application/json",
            ));
        }
        let read = to_bytes(request.into_body(), usize::MAX).await;
        let bytes = read.map_err(|error| unreadable(&error))?; // never: it is in memory, see `headers`
        Ok(Body(parse(&bytes)?))
    }
}

/// Whether the body is declared as JSON. A page of another origin cannot declare that without its browser asking us first.
fn is_json(request: &Request) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE);
    let kind = kind.and_then(|k| k.to_str().ok()).unwrap_or_default();
    let kind = kind.split(';').next().unwrap_or_default().trim();
    kind.eq_ignore_ascii_case("application/json")
}

/// Reads a body of at most `most` bytes.
pub async fn read(body: Stream, most: usize) -> Result<Bytes, Problem> {
    let too_long = || {
        Problem::new(
            StatusCode::PAYLOAD_TOO_LARGE,
            format_args!("the body has more than {most} bytes, which is the limit here"),
        )
    };
    let last = most.saturating_add(MOST_DROPPED);
    if body.size_hint().lower() > last as u64 {
        return Err(too_long());
    }
    let whole = async {
        let (mut bytes, mut seen) = (vec![], 0);
        let mut chunks = body.into_data_stream();
        while let Some(chunk) = chunks.next().await {
            let chunk = chunk.map_err(|error| unreadable(&error))?;
            seen += chunk.len();
            if seen <= most {
                bytes.extend_from_slice(&chunk);
            } else if seen > last {
                break;
            } else {
                bytes = vec![];
            }
        }
        if seen <= most {
            Ok(bytes.into())
        } else {
            Err(too_long())
        }
    };
    let late = |_| {
        Problem::new(
            StatusCode::REQUEST_TIMEOUT,
            format_args!(
                "the body did not arrive within {} s",
                BODY_TIMEOUT.as_secs()
            ),
        )
    };
    tokio::time::timeout(BODY_TIMEOUT, whole)
        .await
        .unwrap_or_else(|elapsed| Err(late(elapsed)))
}

fn unreadable(error: &axum::Error) -> Problem {
    Problem::new(
        StatusCode::BAD_REQUEST,
        format_args!("the body cannot be read: {error}"),
    )
}
