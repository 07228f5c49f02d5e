//! The OpenAPI document, put together from what each route says about itself.

use std::sync::{Arc, LazyLock};

use axum::http::header;
use axum::response::{IntoResponse, Response};
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityRequirement, SecurityScheme};
use utoipa::openapi::{Components, Content, Ref, ResponseBuilder};
use utoipa::{Modify, OpenApi};

use super::routes;
use crate::record::{JobEvent, JobState, Progress};

/// The name of the token among the security schemes.
const TOKEN: &str = "token";
/// The route that needs no token.
const OPEN: &str = "/healthz";

/// The document.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "noyes",
        description = "Optimal solutions of sliding-tile puzzles and Sokoban, with proof that nothing shorter exists."
    ),
    modifiers(&Secured),
    paths(
        routes::solve,
        routes::job,
        routes::cancel,
        routes::job_events,
        routes::hint,
        routes::generate,
        routes::check,
        routes::certify,
        routes::solvable,
        routes::explain,
        routes::shipped,
        routes::version,
        routes::health,
        routes::metrics,
    ),
    components(schemas(JobEvent, JobState, Progress)),
    tags(
        (name = "solve", description = "Solve puzzles, and follow the jobs that do it"),
        (name = "play", description = "Hints, new puzzles and checked plans for players"),
        (name = "service", description = "The server itself"),
    )
)]
struct Document;

/// Adds the token: every route but one needs it, if the server was started with one.
struct Secured;

impl Modify for Secured {
    fn modify(&self, document: &mut utoipa::openapi::OpenApi) {
        let mut bearer = Http::new(HttpAuthScheme::Bearer);
        bearer.description = Some(
            "The token of `noyes serve --token`. A server without one answers without it.".into(),
        );
        document
            .components
            .get_or_insert_with(Components::new)
            .add_security_scheme(TOKEN, SecurityScheme::Http(bearer));
        let refused = ResponseBuilder::new()
            .description("The server asks for a token, and it is missing or wrong")
            .content(
                "application/problem+json",
                Content::new(Some(Ref::from_schema_name("Problem"))),
            )
            .build();
        for (path, item) in &mut document.paths.paths {
            let operations = [&mut item.get, &mut item.post, &mut item.delete];
            for operation in operations.into_iter().flatten() {
                if path != OPEN {
                    let token = SecurityRequirement::new::<_, [&str; 0], &str>(TOKEN, []);
                    operation.security = Some(vec![SecurityRequirement::default(), token]);
                    let responses = &mut operation.responses.responses;
                    responses.insert("401".into(), refused.clone().into());
                }
            }
        }
    }
}

/// The OpenAPI document.
pub async fn document() -> Response {
    static TEXT: LazyLock<Arc<str>> = LazyLock::new(|| {
        let document = Document::openapi();
        document.to_json().expect("a document").into()
    });
    let kind = [(header::CONTENT_TYPE, "application/json")];
    (kind, TEXT.to_string()).into_response()
}
