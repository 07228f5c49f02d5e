//! The routes: each hands its body on to where the work is done, and describes its answers for the OpenAPI document.

use std::time::Duration;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use noyes_answer::hint::{Advice, advise};
use noyes_answer::limits::within;
use noyes_answer::make::Order;
use noyes_answer::wish::Wish;
use noyes_answer::{levels, replay};
use noyes_solver::Control;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::body::Body;
use super::certify;
use super::events;
use super::problem::{Problem, Refusals};
use super::server::Shared;
use super::store::Ended;
use crate::record::{
    About, Answered, CertifiedFile, CertifyBody, CheckBody, ExplainBody, Explained, GenerateBody,
    GeneratedPuzzle, Hint, HintBody, Job, JobEvent, Replayed, ShippedLevel, Solvability,
    SolvableBody, SolveBody,
};
use crate::terminal::print::counted;

/// The longest wait for an answer before a job is handed out.
const MOST_WAIT: Duration = Duration::from_secs(2);
/// How long the NATS server has to store a job.
#[cfg(feature = "cluster")]
const MOST_STORING: Duration = Duration::from_secs(5);
/// A cancelled job is shown without its record if that takes longer than this.
const PATIENCE: Duration = Duration::from_millis(250);

/// Solves a puzzle.
///
/// Answers after at most `wait_s` seconds (2 by default): with the record, or with a job that goes on.
#[utoipa::path(post, path = "/api/v1/solve", tag = "solve", request_body = SolveBody, responses(
    (status = 200, description = "The answer: the record of `noyes solve --json`, with the id of its job", body = Answered),
    (status = 202, description = "A job that goes on", body = Job, headers(("Location" = String, description = "The path of the job"))),
    Refusals,
))]
pub async fn solve(
    State(server): State<Shared>,
    Body(body): Body<SolveBody>,
) -> Result<Response, Problem> {
    let wait = within("wait_s", body.wait_s, MOST_WAIT, MOST_WAIT)?;
    let shared = server.clone();
    let read = move |_| -> Result<Result<Wish, Ended>, Problem> {
        let wish = Wish::new(&body, &shared.limits.search, &shared.tables)?;
        Ok(if wish.is_quick {
            Err(shared.jobs.at_once(wish))
        } else {
            Ok(wish)
        })
    };
    let wish = match server.reading.run(read).await?? {
        Ok(wish) => wish,
        Err(ended) => return Ok(Json(ended.result).into_response()),
    };
    let watching = server.jobs.add(wish).map_err(|_| {
        Problem::busy(format_args!(
            "{} already, which is the limit here: try again in a moment",
            counted(server.limits.queue, "search waits", "searches wait")
        ))
    })?;
    if let Ok(ended) = tokio::time::timeout(wait, watching.job().end()).await {
        return Ok(Json(ended.result.clone()).into_response());
    }
    // A job whose address is handed out outlives this server.
    #[cfg(feature = "cluster")]
    if server.jobs.has_workers() {
        let stored = tokio::time::timeout(MOST_STORING, watching.job().stored());
        stored.await.map_err(|_| {
            Problem::busy("the NATS server does not take jobs: try again in a moment")
        })?;
    }
    let view = watching.job().view();
    let place = [(header::LOCATION, format!("/api/v1/jobs/{}", view.id))];
    watching.leave();
    Ok((StatusCode::ACCEPTED, place, Json(view)).into_response())
}

/// The id of a job in a path.
pub struct Id(String);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Id, Problem> {
        let id = Path::<String>::from_request_parts(parts, state).await;
        // No job has a name that is not text.
        id.map(|Path(id)| Id(id)).map_err(|_| no_job("\u{fffd}"))
    }
}

/// With workers, a job may be one of another server.
#[cfg_attr(
    not(feature = "cluster"),
    expect(clippy::unused_async, reason = "only other servers have to be asked")
)]
async fn look_for(server: &Shared, id: &str) {
    #[cfg(feature = "cluster")]
    server
        .jobs
        .look_for(id, &server.limits.search, &server.tables)
        .await;
    #[cfg(not(feature = "cluster"))]
    let _ = (server, id);
}

fn no_job(id: &str) -> Problem {
    let id: String = id.chars().take(40).collect();
    Problem::not_found(format_args!(
        "there is no job {id:?}, or it is no longer kept"
    ))
}

/// Returns the status of a job.
#[utoipa::path(get, path = "/api/v1/jobs/{id}", tag = "solve", params(("id" = String, Path, description = "The id of a job")), responses(
    (status = 200, description = "The job", body = Job),
    (status = 404, description = "No such job", body = Problem, content_type = "application/problem+json"),
))]
pub async fn job(State(server): State<Shared>, Id(id): Id) -> Result<Json<Job>, Problem> {
    look_for(&server, &id).await;
    if let Some(job) = server.jobs.live(&id) {
        job.ask();
        return Ok(Json(job.view()));
    }
    let kept = server.jobs.kept(&id).ok_or_else(|| no_job(&id))?;
    Ok(Json(kept.view(&id)))
}

/// Stops a job.
///
/// Its result has the bounds that it has reached. If the search has not quite ended yet, its progress has them.
#[utoipa::path(delete, path = "/api/v1/jobs/{id}", tag = "solve", params(("id" = String, Path, description = "The id of a job")), responses(
    (status = 200, description = "The job, now cancelled or already done", body = Job),
    (status = 404, description = "No such job", body = Problem, content_type = "application/problem+json"),
))]
pub async fn cancel(State(server): State<Shared>, Id(id): Id) -> Result<Json<Job>, Problem> {
    look_for(&server, &id).await;
    if let Some(job) = server.jobs.live(&id) {
        server.jobs.cancel(&job);
        let _ = tokio::time::timeout(PATIENCE, job.end()).await;
        return Ok(Json(job.view()));
    }
    let kept = server.jobs.kept(&id).ok_or_else(|| no_job(&id))?;
    Ok(Json(kept.view(&id)))
}

/// How a client reads the events of a job.
#[derive(Deserialize)]
pub struct Reading {
    /// Whether it only watches.
    #[serde(default)]
    watch: bool,
}

/// Streams the progress of a job.
///
/// Sends `progress` events while it runs, and `done` with the record at its end. A few seconds after its last reader has
/// gone, the job stops, unless someone reads its events or asks for its status again. With `watch=true`, the reader
/// neither keeps the job alive nor stops it.
#[utoipa::path(get, path = "/api/v1/jobs/{id}/events", tag = "solve", params(
    ("id" = String, Path, description = "The id of a job"),
    ("watch" = Option<bool>, Query, description = "Only watch: the job does not depend on this reader"),
), responses(
    (status = 200, description = "Server-sent events", body = JobEvent, content_type = "text/event-stream"),
    (status = 400, description = "watch is neither true nor false", body = Problem, content_type = "application/problem+json"),
    (status = 404, description = "No such job", body = Problem, content_type = "application/problem+json"),
))]
pub async fn job_events(
    State(server): State<Shared>,
    Id(id): Id,
    reading: Result<Query<Reading>, QueryRejection>,
) -> Result<Response, Problem> {
    let Query(Reading { watch }) = reading.map_err(|_| {
        let words = "watch: expected true or false";
        Problem::new(StatusCode::BAD_REQUEST, words)
    })?;
    look_for(&server, &id).await;
    if let Some(job) = server.jobs.live(&id) {
        let kept = (!watch).then(|| server.jobs.read(job.clone()));
        return Ok(events::events(job, kept).into_response());
    }
    let kept = server.jobs.kept(&id).ok_or_else(|| no_job(&id))?;
    Ok(events::ended(kept.result.get()).into_response())
}

/// Returns the next move of a good plan, proven optimal if there is time for that.
#[utoipa::path(post, path = "/api/v1/hint", tag = "play", request_body = HintBody, responses(
    (status = 200, description = "The hint", body = Hint), Refusals,
))]
pub async fn hint(
    State(server): State<Shared>,
    Body(body): Body<HintBody>,
) -> Result<Json<Hint>, Problem> {
    let shared = server.clone();
    let look = move |_| {
        let memory = &shared.hints.memory;
        advise(&body, &shared.tables, memory, &shared.limits.search)
    };
    let search = match server.reading.run(look).await?? {
        Advice::Known(hint) => return Ok(Json(*hint)),
        Advice::Open(search) => search,
    };
    if search.is_fifteen() {
        server.hints.warm(&server.tables.large, &server.stopping);
    }
    let shared = server.clone();
    let work = move |stop| search.run(&shared.hints.memory, Control::new().stop_flag(stop));
    Ok(Json(server.quick.run(work).await??))
}

/// Makes a random solvable puzzle.
#[utoipa::path(post, path = "/api/v1/generate", tag = "play", request_body = GenerateBody, responses(
    (status = 200, description = "The puzzle", body = GeneratedPuzzle), Refusals,
))]
pub async fn generate(
    State(server): State<Shared>,
    Body(body): Body<GenerateBody>,
) -> Result<Json<GeneratedPuzzle>, Problem> {
    let order = Order::new(body)?;
    let is_quick = order.is_quick();
    let shared = server.clone();
    let make = move |control| order.make(&shared.tables, &shared.limits.search, control);
    if is_quick {
        return Ok(Json(make(Control::new())?));
    }
    let work = move |stop| make(Control::new().stop_flag(stop));
    Ok(Json(server.making.run(work).await??))
}

/// Replays a plan and says whether it reaches the goal.
#[utoipa::path(post, path = "/api/v1/check", tag = "play", request_body = CheckBody, responses(
    (status = 200, description = "The result of the replay", body = Replayed), Refusals,
))]
pub async fn check(
    State(server): State<Shared>,
    Body(body): Body<CheckBody>,
) -> Result<Json<Replayed>, Problem> {
    let replayed = server.reading.run(move |_| replay::check(&body));
    Ok(Json(replayed.await??))
}

/// Proves that a plan is optimal, or that a puzzle has no plan, and returns the proof as a certificate.
///
/// The independent checker has verified the certificate. If the time was too short for one, `error` says so.
#[utoipa::path(post, path = "/api/v1/certify", tag = "solve", request_body = CertifyBody, responses(
    (status = 200, description = "What was proved, and the certificate", body = CertifiedFile), Refusals,
))]
pub async fn certify(
    State(server): State<Shared>,
    Body(body): Body<CertifyBody>,
) -> Result<Json<CertifiedFile>, Problem> {
    certify::certify(&server, body).await.map(Json)
}

/// Says whether a puzzle can be solved, and if not, why.
#[utoipa::path(post, path = "/api/v1/solvable", tag = "play", request_body = SolvableBody, responses(
    (status = 200, description = "Whether it is solvable", body = Solvability), Refusals,
))]
pub async fn solvable(
    State(server): State<Shared>,
    Body(body): Body<SolvableBody>,
) -> Result<Json<Solvability>, Problem> {
    let known = server.reading.run(move |_| replay::is_solvable(&body));
    Ok(Json(known.await??))
}

/// Lists the boxes of a level that can never reach a goal, and explains why.
#[utoipa::path(post, path = "/api/v1/explain", tag = "play", request_body = ExplainBody, responses(
    (status = 200, description = "The dead boxes", body = Explained), Refusals,
))]
pub async fn explain(
    State(server): State<Shared>,
    Body(body): Body<ExplainBody>,
) -> Result<Json<Explained>, Problem> {
    let bytes = server.limits.search.search_bytes;
    let look = move |stop| {
        let control = Control::new().stop_flag(stop).memory_limit(bytes);
        levels::explain(&body, &control)
    };
    Ok(Json(server.quick.run(look).await??))
}

/// Lists the levels that come with the program.
#[utoipa::path(get, path = "/api/v1/levels", tag = "play", responses((status = 200, description = "The levels", body = [ShippedLevel])))]
pub async fn shipped() -> Json<&'static [ShippedLevel]> {
    Json(levels::shipped())
}

/// Returns the version, the names that a solve accepts, and the longest time of a search.
#[utoipa::path(get, path = "/api/v1/version", tag = "service", responses((status = 200, description = "The version, the names and the limit", body = About)))]
pub async fn version(State(server): State<Shared>) -> Json<About> {
    Json(About::new(server.limits.search.time))
}

/// The health of the server.
#[derive(Serialize, ToSchema)]
pub struct Health {
    /// Always `ok`.
    status: &'static str,
}

/// Says that the server is up.
#[utoipa::path(get, path = "/healthz", tag = "service", responses((status = 200, description = "The server is up", body = Health)))]
pub async fn health() -> Json<Health> {
    Json(Health { status: "ok" })
}

/// Returns counters for Prometheus.
#[utoipa::path(get, path = "/metrics", tag = "service", responses((status = 200, description = "The counters", body = String, content_type = "text/plain; version=0.0.4")))]
pub async fn metrics(State(server): State<Shared>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    let text = server
        .metrics
        .text(server.jobs.load(), server.hints.is_warm());
    #[cfg(feature = "cluster")]
    let text = text + &server.jobs.queue_metrics().await;
    (kind, text).into_response()
}

/// The route exists, but not with this method.
pub async fn wrong_method() -> Problem {
    Problem::new(
        StatusCode::METHOD_NOT_ALLOWED,
        "this route does not allow that method: the header Allow lists those it does",
    )
}

/// The answer after a panic, which is a bug in this program.
pub fn panicked(_: Box<dyn std::any::Any + Send>) -> Response {
    Problem::new(
        StatusCode::INTERNAL_SERVER_ERROR,
        "internal error, please report it",
    )
    .into_response()
}
