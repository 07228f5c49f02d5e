//! The OpenAPI document, put together from what each route says of itself.

use std::sync::{Arc, LazyLock};

use axum::http::header;
use axum::response::{IntoResponse, Response};
use utoipa::OpenApi;

use super::routes;
use crate::record::{JobEvent, JobState, Progress};

/// The document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "noyes",
        description = "Optimal solutions of sliding-tile puzzles and Sokoban, with proof that nothing shorter exists."
    ),
    paths(
        routes::solve,
        routes::job,
        routes::cancel,
        routes::job_events,
        routes::hint,
        routes::generate,
        routes::check,
        routes::solvable,
        routes::explain,
        routes::shipped,
        routes::version,
        routes::health,
        routes::metrics,
    ),
    components(schemas(JobEvent, JobState, Progress)),
    tags(
        (name = "solve", description = "Plans, and the jobs that look for them"),
        (name = "play", description = "What a player needs"),
        (name = "service", description = "The server itself"),
    )
)]
struct Document;

/// The OpenAPI document.
pub async fn document() -> Response {
    static TEXT: LazyLock<Arc<str>> = LazyLock::new(|| {
        let document = Document::openapi();
        document.to_json().expect("a document").into()
    });
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, TEXT.to_string()).into_response()
}
