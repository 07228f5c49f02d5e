//! The token of the REST service: when there has to be one, and who is let in.

use std::process::Command;

use crate::common::http::{HARDEST, SOLVE, Server, head};
use serde_json::json;

const TOKEN: &str = "Authorization: Bearer secret.1";

#[test]
fn with_a_token_only_those_who_send_it_are_served() {
    let server = Server::start(&["--token", "secret.1"]);
    assert!(server.line.contains("/?token=secret.1 "), "{}", server.line);
    for path in [
        "/api/v1/version",
        "/api/v1/levels",
        "/api/v1/jobs/0",
        "/api/v1/jobs/0/events",
        "/metrics",
        "/api/v1/metrics",
    ] {
        let refused = server.get(path);
        refused.assert_problem(401, "Authorization: Bearer TOKEN");
        assert_eq!(refused.header("www-authenticate"), Some("Bearer"));
        for wrong in ["Bearer secret.2", "Bearer secret", "Basic secret.1"] {
            let wrong = format!("Authorization: {wrong}");
            assert_eq!(
                server.raw(&head("GET", path, &[&wrong])).status,
                401,
                "{wrong}"
            );
        }
        let status = server.raw(&head("GET", path, &[TOKEN])).status;
        let expected = if path.contains("jobs") { 404 } else { 200 };
        assert_eq!(status, expected, "{path}");
    }
    let body = json!({"puzzle": HARDEST}).to_string();
    let long = " ".repeat(3 << 20);
    for body in [&body, &long] {
        let status = server.post(SOLVE, body).status;
        assert!([401, 413].contains(&status), "{status}");
    }
    let length = format!("Content-Length: {}", body.len());
    let headers = ["Content-Type: application/json", &length, TOKEN];
    let solved = server.raw(&(head("POST", SOLVE, &headers) + &body));
    assert_eq!(solved.json()["cost"], 31);
    // What everyone may see.
    for path in [
        "/",
        "/api.js",
        "/healthz",
        "/api/v1/healthz",
        "/docs/",
        "/openapi.json",
        "/api/v1/openapi.json",
    ] {
        assert_eq!(server.get(path).status, 200, "{path}");
    }
}

#[test]
fn a_server_for_the_network_has_a_token_or_is_meant_to_be_open() {
    let refused = |args: &[&str], variable: &str, said: &str| {
        let run = Command::new(env!("CARGO_BIN_EXE_noyes"))
            .args(["serve", "--port", "0"])
            .args(args)
            .env("NOYES_TOKEN", variable)
            .output()
            .unwrap();
        let err = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{args:?}: {err}");
        assert!(err.contains(said), "{args:?}: {err}");
        assert_eq!(run.stdout, b"", "{args:?}");
    };
    for host in ["0.0.0.0", "::", "[::]"] {
        refused(&["--host", host], "", "Add --token");
        refused(&["--host", host], "", "--no-token");
    }
    refused(&["--token", "a b"], "", "--token: expected letters");
    refused(&[], "a&b", "NOYES_TOKEN: expected letters");
    refused(&["--token", "a", "--no-token"], "", "cannot be used with");
    let server = Server::start(&["--host", "0.0.0.0", "--token"]);
    let token = server.line.split("?token=").nth(1).unwrap();
    let token = token.split(' ').next().unwrap();
    assert!(token.len() == 32 && token.bytes().all(|b| b.is_ascii_hexdigit()));
    let header = format!("Authorization: Bearer {token}");
    assert_eq!(server.get("/api/v1/version").status, 401);
    let let_in = server.raw(&head("GET", "/api/v1/version", &[&header]));
    assert_eq!(let_in.status, 200);
    // A page that points its own name here is refused even so; addresses in digits are not names.
    let ask = |host: &str| {
        let text = head("GET", "/healthz", &[]);
        server.raw(&text.replace("Host: localhost", &format!("Host: {host}")))
    };
    ask("evil.example").assert_problem(421, "--name");
    assert_eq!(ask("192.168.7.7:80").status, 200);
}

#[test]
fn the_page_of_another_origin_may_send_the_token() {
    let server = Server::start(&["--token", "x", "--cors", "https://example.org"]);
    let preflight = server.raw(&head(
        "OPTIONS",
        SOLVE,
        &[
            "Origin: https://example.org",
            "Access-Control-Request-Method: POST",
            "Access-Control-Request-Headers: authorization",
        ],
    ));
    assert_eq!(preflight.status, 200);
    let refused = server.raw(&head(
        "GET",
        "/api/v1/version",
        &["Origin: https://example.org"],
    ));
    refused.assert_problem(401, "token");
    assert_eq!(
        refused.header("access-control-allow-origin"),
        Some("https://example.org")
    );
}

#[test]
fn the_description_says_what_needs_the_token() {
    let server = Server::start(&[]);
    let document = server.get("/openapi.json").json();
    let scheme = &document["components"]["securitySchemes"]["token"];
    assert_eq!(
        (&scheme["type"], &scheme["scheme"]),
        (&"http".into(), &"bearer".into())
    );
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let is_open = path == "/healthz";
            assert_eq!(
                operation["security"].is_array(),
                !is_open,
                "{method} {path}"
            );
            assert_eq!(
                operation["responses"]["401"].is_object(),
                !is_open,
                "{method} {path}"
            );
        }
    }
}
