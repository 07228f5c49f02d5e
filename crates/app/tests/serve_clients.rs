//! Clients that behave badly: they never read, stay without asking, send too much, or ask for the longest work. Others are
//! served all the same.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;

use crate::common::http::{HINT, SOLVE, Server, head, posted, read};
use serde_json::json;

#[test]
fn clients_that_never_read_are_closed_and_others_are_served() {
    let server = Server::start(&["--connections", "16"]);
    // The answers are far longer than what sockets hold.
    let requests = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(200);
    let silent: Vec<TcpStream> = (0..40).map(|_| server.send(&requests)).collect();
    assert_eq!(server.get("/healthz").status, 200);
    for mut stream in silent {
        let (mut bytes, mut count) = (vec![0; 1 << 16], 0);
        // To the end of what is on its way; the server has closed the connection, or does when we stop reading.
        let is_closed = loop {
            match stream.read(&mut bytes) {
                Ok(0) => break true,
                Ok(more) => count += more,
                Err(error) => break error.kind() == ErrorKind::ConnectionReset,
            }
            if count > 64 << 20 {
                break false; // it was accepted late and is being served
            }
        };
        assert!(is_closed || count > 64 << 20);
    }
    assert_eq!(server.get("/healthz").status, 200);
}

#[test]
fn a_connection_without_requests_is_closed() {
    let server = Server::start(&["--connections", "4"]);
    let asked = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let idle: Vec<TcpStream> = (0..8)
        .map(|i| server.send(if i % 2 == 0 { asked } else { "" }))
        .collect();
    assert_eq!(server.get("/healthz").status, 200);
    for (i, mut stream) in idle.into_iter().enumerate() {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert_eq!(answer.starts_with("HTTP/1.1 200"), i % 2 == 0, "{answer}");
    }
}

#[test]
fn a_body_that_is_too_long_is_answered_after_it_was_sent() {
    let server = Server::start(&["--max-body", "1000"]);
    let body = " ".repeat(20 << 20);
    let misdirected = posted(SOLVE, &body).replace("Host: localhost", "Host: evil.example");
    let unknown = posted("/api/v1/nothing", &body);
    for (request, status, said) in [
        (posted(SOLVE, &body), 413, "more than 1000 bytes"),
        (unknown, 413, "more than 1000 bytes"),
        (misdirected, 421, "--name"),
    ] {
        // The whole body is written before anything is read.
        let mut stream = server.connect();
        stream.write_all(request.as_bytes()).unwrap();
        read(stream).assert_problem(status, said);
    }
    let chunk = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let headers = [
        "Content-Type: application/json",
        "Transfer-Encoding: chunked",
    ];
    let chunked = head("POST", SOLVE, &headers) + &chunk;
    server
        .raw(&chunked)
        .assert_problem(413, "more than 1000 bytes");
}

/// Whether nothing has come back on a connection yet.
fn is_unanswered(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let peeked = stream.peek(&mut [0]);
    stream.set_nonblocking(false).unwrap();
    matches!(peeked, Err(error) if error.kind() == ErrorKind::WouldBlock)
}

/// Asks for the longest work of a route many times over; the server must answer others before it has done half of it.
fn assert_others_are_served(path: &str, body: &str, times: usize, server: &Server) {
    let request = posted(path, body);
    let busy: Vec<TcpStream> = (0..times).map(|_| server.send(&request)).collect();
    assert_eq!(server.get("/healthz").status, 200);
    let waiting = busy.iter().filter(|stream| is_unanswered(stream)).count();
    assert!(2 * waiting > times, "{path}: {waiting} of {times} wait");
    for stream in busy {
        let status = read(stream).status;
        assert!([200, 202, 422].contains(&status), "{path}: {status}");
    }
}

#[test]
fn the_longest_texts_do_not_hold_up_other_clients() {
    let server = Server::start(&["--threads", "1"]);
    let lines = json!({"puzzle": "#\n".repeat(340_000)}).to_string();
    for path in [SOLVE, HINT, "/api/v1/solvable", "/api/v1/explain"] {
        assert_others_are_served(path, &lines, 16, &server);
    }
    let plan = json!({"puzzle": "#\n".repeat(340_000), "plan": ""}).to_string();
    assert_others_are_served("/api/v1/check", &plan, 16, &server);
}

#[test]
fn the_longest_plans_do_not_hold_up_other_clients() {
    let server = Server::start(&["--threads", "1"]);
    let crew = format!("64#|{}#$.60-#|64#", "#62@#|".repeat(30));
    let plan = vec!["100."; 62 * 30].join("/");
    let body = json!({"puzzle": crew, "plan": plan}).to_string();
    assert_others_are_served("/api/v1/check", &body, 8, &server);
}

#[test]
fn the_hardest_puzzles_to_make_end_in_time_and_do_not_hold_up_others() {
    let server = Server::start(&["--threads", "1", "--time-limit", "1s"]);
    let body =
        json!({"kind": "level", "width": 40, "height": 40, "boxes": 100, "min_pushes": 1000});
    assert_others_are_served("/api/v1/generate", &body.to_string(), 4, &server);
    server.assert_refused(
        "/api/v1/generate",
        &body.to_string(),
        422,
        "min_pushes: stopped before a level was found: time limit",
    );
    // Work that nobody waits for any more makes room for others.
    let gone: Vec<TcpStream> = (0..4)
        .map(|_| server.send(&posted("/api/v1/generate", &body.to_string())))
        .collect();
    drop(gone);
    let small = json!({"kind": "board", "width": 3, "height": 3, "distance": 20});
    server.until("room again", |server| {
        server.post("/api/v1/generate", &small.to_string()).status == 200
    });
}
