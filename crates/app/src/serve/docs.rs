//! `/docs`: Swagger UI, which shows the description of the service and lets people try it.
//!
//! A crate brings Swagger UI as a zip archive. A file of it is unpacked when a browser asks for it.

use std::io::{Cursor, Read};

use axum::extract::Path;
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Redirect, Response};
use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
use zip::ZipArchive;

use super::page::{content_type, missing};

/// Tells Swagger UI what to show, instead of its example.
const INITIALIZER: &str = r##"window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: "/api/v1/openapi.json",
    dom_id: "#swagger-ui",
    deepLinking: true,
    presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
    layout: "StandaloneLayout",
  });
};
"##;

/// The address without a slash leads to the one with it, so that relative links work.
pub async fn folder() -> Redirect {
    Redirect::to("/docs/")
}

pub async fn index(headers: HeaderMap) -> Response {
    answer("index.html", &headers)
}

pub async fn file(Path(name): Path<String>, headers: HeaderMap) -> Response {
    answer(&name, &headers)
}

fn answer(name: &str, headers: &HeaderMap) -> Response {
    let data = match name {
        "swagger-initializer.js" => Some(INITIALIZER.into()),
        _ => unpacked(name),
    };
    match data {
        Some(data) => ([(CONTENT_TYPE, content_type(name))], data).into_response(),
        None => missing(headers),
    }
}

/// A file of the archive's folder `dist`. Names with a slash are not in it.
fn unpacked(name: &str) -> Option<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED)).ok()?;
    let wanted = |path: &&str| {
        let mut parts = path.rsplit('/');
        parts.next() == Some(name) && parts.next() == Some("dist") && parts.count() == 1
    };
    let path = archive.file_names().find(wanted)?.to_string();
    let mut data = vec![];
    archive.by_name(&path).ok()?.read_to_end(&mut data).ok()?;
    Some(data)
}
