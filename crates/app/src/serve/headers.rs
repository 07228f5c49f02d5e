//! What surrounds every answer: its request is checked and read, its headers say what browsers may do with it, and it is
//! counted.

use std::time::{Duration, Instant};

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tower_http::cors::CorsLayer;

use super::problem::Problem;
use super::server::Shared;
use super::{body, page};

/// Scripts and styles come from here, and from nowhere else; pictures may be the user's own.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";
/// The same for a page that has the solver as WebAssembly.
const SOLVER_POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' data: blob:; \
                             object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
/// Swagger UI writes styles into its page.
const DOCS_POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                           object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/// The first line and the headers of a request together.
pub const MOST_HEAD_BYTES: usize = 64 << 10;

/// Why the head of a request is refused, if it is.
fn refused(server: &Shared, request: &Request) -> Option<Problem> {
    let headers = request.headers();
    let lines = headers.iter().map(|(k, v)| k.as_str().len() + v.len() + 4);
    let bytes = request.uri().to_string().len() + lines.sum::<usize>();
    if bytes > MOST_HEAD_BYTES {
        return Some(Problem::new(
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            format_args!(
                "the head of the request has more than {MOST_HEAD_BYTES} bytes, which is the limit here"
            ),
        ));
    }
    let hosts = headers.get_all(header::HOST).iter().count();
    if hosts > 1 || hosts == 0 && request.version() > Version::HTTP_10 {
        return Some(Problem::new(
            StatusCode::BAD_REQUEST,
            format_args!("expected one Host header, found {hosts}"),
        ));
    }
    (!server.hosts.knows(headers)).then(|| {
        Problem::new(
            StatusCode::MISDIRECTED_REQUEST,
            "this server does not go by the name in the Host header: use localhost or the address in digits, or start \
             it with --name NAME",
        )
    })
}

/// What pages of one other origin may do, if one is named.
pub fn cors(origin: HeaderValue) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(origin)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([header::CONTENT_TYPE, header::AUTHORIZATION])
        .expose_headers([header::LOCATION, header::RETRY_AFTER])
        .max_age(Duration::from_secs(3600))
}

/// Lets a request through if it carries the token, or if the server has none.
pub async fn with_token(State(server): State<Shared>, request: Request, next: Next) -> Response {
    match &server.token {
        Some(token) if !token.is_in(request.headers()) => Problem::new(
            StatusCode::UNAUTHORIZED,
            "this server asks for its token: send the header Authorization: Bearer TOKEN, or open the page at the \
             address that noyes serve printed",
        )
        .into_response(),
        _ => next.run(request).await,
    }
}

/// Checks the request, reads its body, asks for its answer, and completes that.
///
/// The body is read to its end before any route sees the request, even if it is about to be refused: a connection that is
/// closed with bytes unread is reset, and the client would not see why.
pub async fn around(State(server): State<Shared>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("page", MatchedPath::as_str)
        .to_string();
    let is_docs = request.uri().path().starts_with("/docs");
    let problem = refused(&server, &request);
    let most = match &problem {
        Some(_) => 0,
        None => server.limits.body_bytes,
    };
    let (parts, body) = request.into_parts();
    let read = body::read(body, most).await;
    let mut response = match (problem, read) {
        (Some(problem), _) | (None, Err(problem)) => problem.into_response(),
        (None, Ok(bytes)) => next.run(Request::from_parts(parts, bytes.into())).await,
    };
    let headers = response.headers_mut();
    let policy = match &server.page {
        _ if is_docs => DOCS_POLICY,
        Some(folder) if page::has_solver(folder) => SOLVER_POLICY,
        _ => POLICY,
    };
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            if server.cors.is_some() {
                "cross-origin"
            } else {
                "same-origin"
            },
        ),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    let method = match method {
        Method::GET | Method::HEAD | Method::POST | Method::DELETE | Method::OPTIONS => {
            method.as_str()
        }
        _ => "other", // a client must not fill the memory with names it makes up
    };
    server
        .metrics
        .answered(&route, method, response.status().as_u16(), begun.elapsed());
    response
}
