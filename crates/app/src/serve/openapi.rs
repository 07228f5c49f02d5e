//! The OpenAPI document, put together from what each route says of itself.

use utoipa::OpenApi;
use utoipa::ToSchema;

use super::jobs::Progress;
use super::routes;

/// Where a job is.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "for the document")]
pub enum JobState {
    Queued,
    Running,
    Done,
    Cancelled,
}

/// A server-sent event.
#[derive(ToSchema)]
#[expect(dead_code, reason = "for the document")]
pub struct JobEvent {
    /// progress or done.
    event: String,
    /// Progress or the record, as JSON.
    data: String,
}

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
pub struct Document;
