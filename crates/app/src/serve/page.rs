//! The page: files that are part of the program, with their content types and entity tags.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::problem::Problem;
use super::server::Shared;

/// What a browser shows for an address that leads nowhere.
const MISSING: &str = r#"<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>No such page · noyes</title>
<link rel="icon" href="/logo.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
<main class="view">
<h1>There is no such page</h1>
<p><a href="/">Play tiles and Sokoban</a>, or read about the <a href="/docs/">REST API</a>.</p>
</main>
</html>
"#;

/// Says what a copy of the page has.
const SITE: &str = "site.js";
/// What the script `site` adds to the page. A page with it that this server serves has both: the service, and the solver for
/// when the service cannot be reached.
const SOLVER: &str = "solver/noyes.wasm";

/// Everything in the folder `web`.
#[derive(RustEmbed)]
#[folder = "src/web"]
struct Files;

/// Answers with the file of a path.
pub async fn file(State(server): State<Shared>, request: Request) -> Response {
    let path = request.uri().path();
    if path.starts_with("/api/") {
        return Problem::not_found("there is no such route: /docs lists all routes")
            .into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        let problem = Problem::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "a page can only be read: use GET",
        );
        return ([(header::ALLOW, "GET, HEAD")], problem).into_response();
    }
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let found = match &server.page {
        Some(folder) if name == SITE && has_solver(folder) => Some((
            "export const [SERVICE, SOLVER] = [true, true];\n"
                .as_bytes()
                .into(),
            "\"both\"".into(),
        )),
        Some(folder) => read(folder, name),
        None => Files::get(name).map(|EmbeddedFile { data, metadata, .. }| {
            let hash = u64::from_be_bytes(metadata.sha256_hash()[..8].try_into().expect("8 bytes"));
            (data, format!("\"{hash:016x}\""))
        }),
    };
    let Some((data, tag)) = found else {
        return missing(request.headers());
    };
    let known = request.headers().get(header::IF_NONE_MATCH);
    let known = known.and_then(|k| k.to_str().ok()).unwrap_or_default();
    let is_known = known
        .split(',')
        .any(|mark| mark.trim().trim_start_matches("W/") == tag);
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Body::from(data.into_owned()).into_response()
    };
    let headers = response.headers_mut();
    headers.insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static(content_type(name)),
    );
    headers.insert(
        header::ETAG,
        HeaderValue::from_str(&tag).expect("hexadecimal digits"),
    );
    // Browsers ask each time, and get a file again only if it has changed.
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}

/// The answer for a page that does not exist: a page for browsers, a problem document for other clients.
pub fn missing(headers: &HeaderMap) -> Response {
    let accepted = headers.get(header::ACCEPT).and_then(|a| a.to_str().ok());
    let mut response = if accepted.is_some_and(|accepted| accepted.contains("text/html")) {
        (StatusCode::NOT_FOUND, Html(MISSING)).into_response()
    } else {
        Problem::not_found("there is no such page").into_response()
    };
    let vary = HeaderValue::from_static("accept");
    response.headers_mut().insert(header::VARY, vary);
    response
}

/// Whether the page in a folder has the solver as WebAssembly.
pub fn has_solver(folder: &Path) -> bool {
    folder.join(SOLVER).exists()
}

/// A file of the folder of `--page`. It is found by listing the folder, so no path leads out of it.
fn read(folder: &Path, name: &str) -> Option<(Cow<'static, [u8]>, String)> {
    let mut folders: Vec<PathBuf> = vec![folder.to_path_buf()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).ok()?.flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if path
                .strip_prefix(folder)
                .is_ok_and(|p| p == Path::new(name))
            {
                let data = std::fs::read(path).ok()?;
                return Some((data.into(), "\"\"".into()));
            }
        }
    }
    None
}

/// The content type of a file, by its name.
pub fn content_type(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "webp" => "image/webp",
        "jpg" | "jpeg" => "image/jpeg",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" | "xsb" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}
