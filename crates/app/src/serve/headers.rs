//! What surrounds every answer: who may ask, what browsers may do with it, and that it is counted.

use std::net::IpAddr;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::Shared;
use super::problem::Problem;

/// Scripts and styles come from here, and from nowhere else; pictures may be the user's own.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; \
                      form-action 'self'; frame-ancestors 'none'";
/// Swagger UI writes styles into its page.
const DOCS_POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                           object-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/// The first line and the headers of a request together.
pub const MOST_HEAD_BYTES: usize = 64 << 10;

/// Which names this server goes by. A page elsewhere can point its own name at 127.0.0.1 (DNS rebinding); the Host
/// header gives it away.
#[derive(Clone, Debug)]
pub struct Hosts {
    /// None: any name will do, as the server is open to the network.
    known: Option<Vec<String>>,
}

impl Hosts {
    /// The names of a server bound to this address as the user wrote it.
    pub fn new(host: &str, address: IpAddr) -> Hosts {
        let known = address.is_loopback().then(|| {
            let mut known = vec!["localhost".into(), "127.0.0.1".into(), "[::1]".into()];
            known.push(host.to_ascii_lowercase());
            known.push(address.to_string());
            known
        });
        Hosts { known }
    }

    fn knows(&self, headers: &HeaderMap) -> bool {
        let (Some(known), Some(host)) = (&self.known, headers.get(header::HOST)) else {
            return true;
        };
        let host = host.to_str().unwrap_or_default().to_ascii_lowercase();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => &host,
        };
        known.iter().any(|known| known == name)
    }
}

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
            "this server is for this machine only: ask for it as localhost or 127.0.0.1",
        )
    })
}

/// Checks the request, asks for its answer, and completes that.
pub async fn around(State(server): State<Shared>, request: Request, next: Next) -> Response {
    let begun = Instant::now();
    let method = request.method().clone();
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("page", MatchedPath::as_str)
        .to_string();
    let is_docs = request.uri().path().starts_with("/docs");
    let preflight = method == Method::OPTIONS && request.headers().contains_key(header::ORIGIN);
    let mut response = if let Some(problem) = refused(&server, &request) {
        problem.into_response()
    } else if preflight && server.cors.is_some() {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    if response.status() == StatusCode::NOT_FOUND
        && !response.headers().contains_key(header::CONTENT_TYPE)
    {
        response = Problem::not_found("there is no such page").into_response(); // of Swagger UI
    }
    let headers = response.headers_mut();
    let policy = if is_docs { DOCS_POLICY } else { POLICY };
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
    if let Some(origin) = &server.cors {
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone());
        headers.append(header::VARY, HeaderValue::from_static("origin"));
        if preflight {
            for (name, value) in [
                (header::ACCESS_CONTROL_ALLOW_METHODS, "GET, POST, DELETE"),
                (header::ACCESS_CONTROL_ALLOW_HEADERS, "content-type"),
                (header::ACCESS_CONTROL_MAX_AGE, "3600"),
            ] {
                headers.insert(name, HeaderValue::from_static(value));
            }
        } else {
            headers.insert(
                header::ACCESS_CONTROL_EXPOSE_HEADERS,
                HeaderValue::from_static("location, retry-after"),
            );
        }
    }
    let method = match method {
        Method::GET | Method::HEAD | Method::POST | Method::DELETE | Method::OPTIONS => {
            method.as_str()
        }
        _ => "other", // so that nobody makes up names for us to keep
    };
    server
        .metrics
        .answered(&route, method, response.status().as_u16(), begun.elapsed());
    response
}
