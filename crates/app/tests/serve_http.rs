//! HTTP as the REST service speaks it: heads, bodies, headers, slow and many clients, and what it is started with.

use std::io::{Read, Write};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::http::{ENDLESS, HARDEST, HINT, SOLVE, Server, head, posted, read};
use serde_json::json;

const FAR: &str = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0";

#[test]
fn bodies_are_json_and_not_too_long() {
    let server = Server::start(&["--max-body", "1000"]);
    let long = json!({"puzzle": " ".repeat(2000)}).to_string();
    server.assert_refused(SOLVE, &long, 413, "more than 1000 bytes");
    let text = head(
        "POST",
        SOLVE,
        &["Content-Type: text/plain", "Content-Length: 2"],
    ) + "{}";
    server.raw(&text).assert_problem(415, "application/json");
    let none = head("POST", SOLVE, &["Content-Length: 2"]) + "{}";
    server.raw(&none).assert_problem(415, "application/json");
    let deep = "[".repeat(900);
    server.assert_refused(SOLVE, &deep, 422, "object");
    let chunked = head(
        "POST",
        SOLVE,
        &[
            "Content-Type: application/json",
            "Transfer-Encoding: chunked",
        ],
    ) + &format!("7d0\r\n{}\r\n0\r\n\r\n", " ".repeat(2000));
    server
        .raw(&chunked)
        .assert_problem(413, "more than 1000 bytes");
    let reply = server.raw("GARBAGE\r\n\r\n");
    assert_eq!(reply.status, 400); // of hyper itself, without a body
}

#[test]
fn a_thousand_requests_at_once_are_all_answered() {
    let server = Server::start(&["--memory-limit", "1GB", "--queue", "64"]);
    let bodies = [
        (SOLVE, json!({"puzzle": HARDEST})),
        (
            SOLVE,
            json!({"puzzle": FAR, "wait_s": 0, "time_limit_s": 0.05}),
        ),
        (HINT, json!({"puzzle": HARDEST})),
        (HINT, json!({"puzzle": ENDLESS, "time_limit_s": 0.02})),
        (
            "/api/v1/generate",
            json!({"kind": "board", "width": 4, "height": 4}),
        ),
    ];
    let requests: Vec<String> = bodies
        .iter()
        .map(|(path, body)| posted(path, &body.to_string()))
        .collect();
    let begun = Instant::now();
    let streams: Vec<_> = (0..1000)
        .map(|i| server.send(&requests[i % requests.len()]))
        .collect();
    let mut counts = std::collections::BTreeMap::new();
    for stream in streams {
        *counts.entry(read(stream).status).or_insert(0) += 1;
    }
    assert!(
        counts.keys().all(|s| [200, 202, 503].contains(s)),
        "{counts:?}"
    );
    assert_eq!(counts.values().sum::<i32>(), 1000);
    assert!(counts[&200] >= 600, "{counts:?}"); // whatever takes no time
    assert!(
        begun.elapsed() < Duration::from_secs(60),
        "{:?}",
        begun.elapsed()
    );
    server.until("idle", |s| s.metric("noyes_jobs_queued ") == 0);
    assert!(server.metric("noyes_resident_bytes ") < 1_500_000_000);
    assert_eq!(server.get("/healthz").json()["status"], "ok");
}

#[test]
fn slow_clients_are_cut_off_and_others_are_served() {
    let server = Server::start(&[]);
    let slow: Vec<_> = (0..100)
        .map(|_| server.send("GET / HTTP/1.1\r\nHost: loc"))
        .collect();
    let body = server
        .send(&posted(SOLVE, "{\"puzzle\"").replace("Content-Length: 9", "Content-Length: 900"));
    let begun = Instant::now();
    for _ in 0..10 {
        assert_eq!(server.get("/healthz").status, 200);
    }
    assert!(begun.elapsed() < Duration::from_secs(2));
    for mut stream in slow {
        let _ = stream.write_all(b"a"); // a byte now and then does not help
        let mut rest = vec![];
        let _ = stream.read_to_end(&mut rest);
        assert!(
            begun.elapsed() < Duration::from_secs(12),
            "{:?}",
            begun.elapsed()
        );
    }
    read(body).assert_problem(408, "did not arrive");
}

#[test]
fn the_page_is_served_with_care() {
    let server = Server::start(&[]);
    let page = server.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert!(page.body.contains("noyes"));
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.contains("default-src 'self'") && !policy.contains("unsafe"),
        "{policy}"
    );
    for (name, value) in [
        ("x-content-type-options", "nosniff"),
        ("x-frame-options", "DENY"),
    ] {
        assert_eq!(page.header(name), Some(value));
        assert_eq!(server.get("/nothing").header(name), Some(value));
    }
    assert_eq!(page.header("access-control-allow-origin"), None);
    let mark = format!("If-None-Match: {}", page.header("etag").unwrap());
    let again = server.raw(&head("GET", "/", &[&mark]));
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let bare = server.raw(&head("HEAD", "/index.html", &[]));
    assert_eq!((bare.status, bare.body.as_str()), (200, ""));
    for path in [
        "/nothing",
        "/../Cargo.toml",
        "/../../../../../../etc/passwd",
        "/..%2f..%2f..%2fetc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/docs/../../etc/passwd",
        "/.git/config",
    ] {
        server.get(path).assert_problem(404, "no such");
    }
    server.get("/api/v1/nothing").assert_problem(404, "/docs");
    server
        .raw(&head("PUT", SOLVE, &[]))
        .assert_problem(405, "Allow");
    assert_eq!(
        server.raw(&head("GET", SOLVE, &[])).header("allow"),
        Some("POST")
    );
    server
        .raw(&head("POST", "/", &[]))
        .assert_problem(405, "GET");
    // A name that is not ours, as of a page that points its own name here.
    let rebound = head("GET", "/", &[]).replace("Host: localhost", "Host: evil.example:80");
    server.raw(&rebound).assert_problem(421, "localhost");
}

#[test]
fn a_browser_at_an_unknown_address_gets_a_page_with_a_way_home() {
    let server = Server::start(&[]);
    let browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8";
    for path in ["/nothing", "/tiles", "/docs/nothing"] {
        let page = server.raw(&head("GET", path, &[browser]));
        assert_eq!(page.status, 404, "{path}");
        assert_eq!(
            page.header("content-type"),
            Some("text/html; charset=utf-8"),
            "{path}"
        );
        assert!(page.body.contains("<a href=\"/\">"), "{}", page.body);
        assert!(page.header("content-security-policy").is_some());
        // Other clients get what every refusal looks like.
        server.get(path).assert_problem(404, "no such page");
        server
            .raw(&head("GET", path, &["Accept: */*"]))
            .assert_problem(404, "no such page");
    }
    server
        .raw(&head("GET", "/api/v1/nothing", &[browser]))
        .assert_problem(404, "/docs");
}

#[test]
fn other_origins_are_let_in_only_when_asked_for() {
    let server = Server::start(&["--cors", "https://example.org"]);
    let reply = server.raw(&head("GET", "/healthz", &["Origin: https://example.org"]));
    assert_eq!(
        reply.header("access-control-allow-origin"),
        Some("https://example.org")
    );
    let preflight = server.raw(&head(
        "OPTIONS",
        SOLVE,
        &[
            "Origin: https://example.org",
            "Access-Control-Request-Method: POST",
        ],
    ));
    assert_eq!(preflight.status, 200);
    assert_eq!(
        preflight.header("access-control-allow-headers"),
        Some("content-type,authorization")
    );
}

#[test]
fn an_address_in_use_is_refused() {
    let server = Server::start(&[]);
    let port = server.address.rsplit(':').next().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_noyes"))
        .args(["serve", "--port", port])
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(
        String::from_utf8(run.stderr)
            .unwrap()
            .contains("cannot listen at 127.0.0.1")
    );
    let run = Command::new(env!("CARGO_BIN_EXE_noyes"))
        .args(["serve", "--store", "/nowhere/jobs.sqlite", "--port", "0"])
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2));
}

#[test]
fn a_request_names_its_host_once() {
    let server = Server::start(&[]);
    let text = head("GET", "/healthz", &[]);
    let none = server.raw(&text.replace("Host: localhost\r\n", ""));
    none.assert_problem(400, "expected one Host header, found 0");
    assert_eq!(none.header("x-content-type-options"), Some("nosniff"));
    let two = server.raw(&head("GET", "/healthz", &["Host: localhost"]));
    two.assert_problem(400, "expected one Host header, found 2");
    let old = text
        .replace("Host: localhost\r\n", "")
        .replace("HTTP/1.1", "HTTP/1.0");
    assert_eq!(server.raw(&old).status, 200);
}

#[test]
fn long_heads_and_odd_paths_are_problems() {
    let server = Server::start(&[]);
    let most = 64 << 10;
    let long = format!("X-Long: {}", "x".repeat(most));
    server
        .raw(&head("GET", "/healthz", &[&long]))
        .assert_problem(431, "more than 65536 bytes");
    // A path alone that is so long is refused by hyper itself, with 414 and no body.
    let (path, rest) = ("x".repeat(most / 2), "x".repeat(most / 2));
    server
        .raw(&head(
            "GET",
            &format!("/{path}"),
            &[&format!("X-Long: {rest}")],
        ))
        .assert_problem(431, "more than 65536 bytes");
    let fits = format!("X-Long: {}", "x".repeat(most / 2));
    assert_eq!(server.raw(&head("GET", "/healthz", &[&fits])).status, 200);
    for path in ["/api/v1/jobs/%ff", "/api/v1/jobs/%ff/events"] {
        server.get(path).assert_problem(404, "there is no job");
    }
    server
        .delete("/api/v1/jobs/%ff")
        .assert_problem(404, "there is no job");
}

#[test]
fn flags_that_make_no_sense_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (flag, value, said) in [
        ("--time-limit", "0", "must be greater than zero"),
        ("--memory-limit", "0", "must be greater than zero"),
        ("--max-body", "0MB", "must be greater than zero"),
        ("--queue", "0", "1.."),
        ("--threads", "0", "1..=1024"),
        (
            "--cors",
            "junk",
            "expected an origin such as https://example.org",
        ),
        ("--cors", "https://example.org/page", "without a path"),
        ("--page", "/nonexistent", "index.html"),
        ("--page", folder.path().to_str().unwrap(), "index.html"),
    ] {
        let run = Command::new(env!("CARGO_BIN_EXE_noyes"))
            .args(["serve", "--port", "0", flag, value])
            .output()
            .unwrap();
        let err = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(2), "{flag} {value}: {err}");
        assert!(err.contains(said), "{flag} {value}: {err}");
        assert_eq!(run.stdout, b"", "{flag} {value}");
    }
}

#[test]
fn a_plan_of_a_few_bytes_that_stands_for_millions_of_steps_is_refused_at_once() {
    let server = Server::start(&[]);
    let wide = 402;
    let row = format!("{wide}#|#400@#|#$.398-#|{wide}#");
    let crew = ["16777216."; 400].join("/");
    for (puzzle, plan) in [
        ("6#|#@-$.#|6#", "16777216r"),
        ("6#|#@-$.#|6#", &*"100000r".repeat(9)),
        (row.as_str(), crew.as_str()),
    ] {
        let body = json!({"puzzle": puzzle, "plan": plan}).to_string();
        server.assert_refused("/api/v1/check", &body, 422, "plan: player 1, step ");
        assert_eq!(server.get("/healthz").status, 200);
    }
    let body = json!({"puzzle": "1 2 3/4 0 6/7 5 8", "plan": "LR".repeat(100_001)}).to_string();
    let said = "plan: 200002 moves (expected at most 200000)";
    server.assert_refused("/api/v1/check", &body, 422, said);
}
