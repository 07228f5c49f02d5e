//! The REST service over a real socket: every route, good and bad.

mod common {
    pub mod http;
}

use std::io::{BufRead, BufReader, Read, Write};
use std::time::{Duration, Instant};

use common::http::{Reply, Server, head, posted, read};
use serde_json::{Value, json};

const HARDEST: &str = "8 6 7/2 5 4/3 0 1";
const FAR: &str = "15 14 13 12/11 10 9 8/7 6 5 4/3 2 1 0";
/// Far beyond any engine here.
const ENDLESS: &str = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0";
const SOLVE: &str = "/api/v1/solve";
const HINT: &str = "/api/v1/hint";

/// A job that will run for a long time; its place.
fn long_job(server: &Server) -> String {
    let body = json!({"puzzle": ENDLESS, "engine": "idastar", "wait_s": 0});
    let reply = server.post(SOLVE, &body.to_string());
    assert_eq!(reply.status, 202, "{}", reply.body);
    let place = reply.header("location").unwrap().to_string();
    assert_eq!(
        place,
        format!("/api/v1/jobs/{}", reply.json()["id"].as_str().unwrap())
    );
    place
}

fn state(server: &Server, place: &str) -> Value {
    server.get(place).json()["state"].clone()
}

#[test]
fn a_board_is_solved_and_its_job_is_kept() {
    let server = Server::start(&[]);
    for body in [
        json!({"puzzle": HARDEST}),
        json!({"puzzle": HARDEST, "engine": "sat"}),
        json!({"puzzle": HARDEST, "engine": "astar", "heuristic": "walking", "time_limit_s": 60, "memory_limit_bytes": 500_000_000}),
        json!({"puzzle": HARDEST, "engine": "idastar", "heuristic": "pdb:4-4"}),
    ] {
        let reply = server.post(SOLVE, &body.to_string());
        let record = if reply.status == 200 {
            reply.json()
        } else {
            let place = reply.header("location").unwrap().to_string();
            server.until("done", |s| state(s, &place) == "done");
            server.get(&place).json()["result"].clone()
        };
        assert_eq!(record["status"], "optimal", "{record}");
        assert_eq!(record["cost"], 31);
        assert_eq!(record["schema"], "noyes/1");
        let job = server
            .get(&format!("/api/v1/jobs/{}", record["id"].as_str().unwrap()))
            .json();
        assert_eq!(job["state"], "done");
        assert_eq!(job["result"], record);
        assert_eq!(job["progress"]["upper"], 31);
        let plan = &record["plan"];
        let checked = server.ask("/api/v1/check", &json!({"puzzle": HARDEST, "plan": plan}));
        assert_eq!(checked["solved"], true);
    }
    let none = server.ask(SOLVE, &json!({"puzzle": "1 2/0 3", "goal": "2 1/0 3"}));
    assert_eq!(none["status"], "unsolvable");
    assert!(none["error"].as_str().unwrap().contains("permutation"));
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let server = Server::start(&["--max-body", "20kB"]);
    for (body, status, said) in [
        ("", 400, "EOF"),
        ("{\"puzzle\":", 400, "EOF"),
        ("nonsense", 400, "line 1"),
        ("[]", 422, "object"),
        ("{}", 422, "puzzle"),
        ("{\"puzzle\": 1}", 422, "expected a string"),
        ("{\"puzzle\": \"1 2/3\"}", 422, "puzzle:"),
        ("{\"puzzle\": \"1 2/3 x\"}", 422, "expected a board"),
        ("{\"puzzle\": \"1 0/\", \"colour\": 1}", 422, "colour"),
        (
            "{\"puzzle\": \"1 0/\", \"time_limit_s\": 1e400}",
            400,
            "number",
        ),
        (
            "{\"puzzle\": \"1 0/\", \"time_limit_s\": 1e300}",
            422,
            "time_limit_s",
        ),
        (
            "{\"puzzle\": \"1 0/\", \"time_limit_s\": -1}",
            422,
            "time_limit_s",
        ),
        (
            "{\"puzzle\": \"1 0/\", \"memory_limit_bytes\": 18446744073709551615}",
            422,
            "memory_limit_bytes",
        ),
        (
            "{\"puzzle\": \"1 0/\", \"memory_limit_bytes\": 99999999999999999999999}",
            422,
            "u64",
        ),
        ("{\"puzzle\": \"1 0/\", \"wait_s\": 3}", 422, "wait_s"),
        (
            "{\"puzzle\": \"1 0/\", \"engine\": \"magic\"}",
            422,
            "expected auto",
        ),
        (
            "{\"puzzle\": \"1 0/\", \"heuristic\": \"magic\"}",
            422,
            "heuristic",
        ),
        ("{\"puzzle\": \"1 0/\", \"goal\": \"1 2/0 3\"}", 422, "size"),
        (
            "{\"puzzle\": \"1 0/\", \"objective\": \"beauty\"}",
            422,
            "objective",
        ),
        ("{\"puzzle\": \"1 0/\", \"any\": true}", 422, "engine sat"),
        (
            "{\"puzzle\": \"1 0/\", \"engine\": \"sat\", \"backend\": \"cmd:touch /tmp/owned\"}",
            422,
            "programs cannot be started",
        ),
        ("{\"puzzle\": \"99999999999999999999 0\"}", 422, "puzzle"),
    ] {
        server.assert_refused(SOLVE, body, status, said);
    }
}

#[test]
fn every_route_says_what_it_expects() {
    let large: Vec<String> = (0..4160).map(|t| t.to_string()).collect();
    let rows: Vec<String> = large.chunks(65).map(|row| row.join(" ")).collect();
    let server = Server::start(&[]);
    let body = json!({"puzzle": rows.join("/")}).to_string();
    server.assert_refused(SOLVE, &body, 422, "limit here is 4096");
    server.assert_refused(HINT, &body, 422, "limit here is 4096");
    for (path, body, said) in [
        (
            HINT,
            json!({"puzzle": "1 0/", "time_limit_s": 11}),
            "time_limit_s",
        ),
        (HINT, json!({"puzzle": "###"}), "puzzle"),
        (
            "/api/v1/generate",
            json!({"kind": "tiles", "width": 0, "height": 3}),
            "cell",
        ),
        (
            "/api/v1/generate",
            json!({"kind": "tiles", "width": 4_000_000_000_u64, "height": 4_000_000_000_u64}),
            "cell",
        ),
        (
            "/api/v1/generate",
            json!({"kind": "tiles", "width": 3, "height": 3, "distance": 32}),
            "farther than 31",
        ),
        ("/api/v1/generate", json!({"kind": "chess"}), "chess"),
        ("/api/v1/generate", json!({"width": 3, "height": 3}), "kind"),
        (
            "/api/v1/check",
            json!({"puzzle": "1 0/", "plan": "X"}),
            "plan",
        ),
        (
            "/api/v1/check",
            json!({"puzzle": "1 0/", "plan": "L", "notation": "chess"}),
            "notation",
        ),
        ("/api/v1/solvable", json!({"puzzle": ""}), "puzzle"),
    ] {
        server.assert_refused(path, &body.to_string(), 422, said);
    }
}

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
    assert_eq!(reply.status, 400);
}

#[test]
fn a_large_optimal_request_ends_at_its_limit_with_bounds() {
    let server = Server::start(&["--memory-limit", "1GB"]);
    let made = server.ask(
        "/api/v1/generate",
        &json!({"kind": "tiles", "width": 50, "height": 50, "seed": 1}),
    );
    let body = json!({"puzzle": made["puzzle"], "time_limit_s": 1, "wait_s": 0.1});
    let reply = server.post(SOLVE, &body.to_string());
    assert_eq!(reply.status, 202, "{}", reply.body);
    let place = reply.header("location").unwrap().to_string();
    server.until("done", |s| state(s, &place) == "done");
    let record = server.get(&place).json()["result"].clone();
    assert_eq!(record["status"], "limit");
    assert!(
        record["lower"].as_u64().unwrap() > 10_000,
        "{}",
        record["lower"]
    );
    assert!(server.metric("noyes_resident_bytes ") < 2_000_000_000);
}

#[test]
fn a_cancelled_job_stops_at_once_and_has_its_bounds() {
    let server = Server::start(&["--threads", "1"]);
    let (first, second) = (long_job(&server), long_job(&server));
    server.until("running", |s| state(s, &first) == "running");
    assert_eq!(state(&server, &second), "queued");
    // One that waits.
    let job = server.delete(&second).json();
    assert_eq!(job["state"], "cancelled", "{job}");
    // One that runs.
    let begun = Instant::now();
    let job = server.delete(&first).json();
    assert!(
        begun.elapsed() < Duration::from_secs(1),
        "{:?}",
        begun.elapsed()
    );
    assert_eq!(job["state"], "cancelled");
    let record = &job["result"];
    assert_eq!(record["status"], "limit");
    assert!(record["lower"].as_u64().unwrap() > 50, "{record}");
    assert_eq!(record["error"], "interrupted");
    server.until("idle", |s| s.metric("noyes_jobs_running ") == 0);
    // Again, it is as it was.
    assert_eq!(server.delete(&first).json()["state"], "cancelled");
    server
        .get("/api/v1/jobs/0123456789abcdef")
        .assert_problem(404, "no job");
    server
        .delete("/api/v1/jobs/..%2f..%2fetc")
        .assert_problem(404, "no job");
    server
        .get("/api/v1/jobs/x/events")
        .assert_problem(404, "no job");
}

#[test]
fn every_engine_can_be_cancelled() {
    let server = Server::start(&["--memory-limit", "2GB"]);
    for choice in [
        json!({"engine": "auto"}),
        json!({"engine": "astar", "heuristic": "linear-conflict"}),
        json!({"engine": "bfs"}),
        json!({"engine": "sma"}),
        json!({"engine": "bidirectional"}),
        json!({"engine": "idastar", "heuristic": "pdb:6-6-6-6"}),
        json!({"engine": "sat"}),
        json!({"engine": "sat", "encoding": "edixhoven", "backend": "batsat"}),
        json!({"engine": "sat", "encoding": "transitions"}),
    ] {
        let mut body = choice.clone();
        body["puzzle"] = ENDLESS.into();
        body["wait_s"] = 0.into();
        let reply = server.post(SOLVE, &body.to_string());
        assert_eq!(reply.status, 202, "{choice}: {}", reply.body);
        let place = reply.header("location").unwrap();
        std::thread::sleep(Duration::from_millis(300));
        let begun = Instant::now();
        let job = server.delete(place).json();
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(1), "{choice}: {took:?}");
        assert_ne!(job["result"], Value::Null, "{choice}: {job}");
    }
}

#[test]
fn events_tell_progress_and_then_the_end() {
    let server = Server::start(&[]);
    let body = json!({"puzzle": ENDLESS, "engine": "idastar", "wait_s": 0, "time_limit_s": 1});
    let place = server.post(SOLVE, &body.to_string());
    let events = format!("{}/events", place.header("location").unwrap());
    let reply = server.get(&events);
    assert_eq!(reply.header("content-type"), Some("text/event-stream"));
    let progress: Vec<Value> = data(&reply, "progress");
    assert!(progress.len() >= 4, "{}", reply.body);
    let expanded = |p: &Value| p["expanded"].as_u64().unwrap();
    assert!(
        progress
            .windows(2)
            .all(|w| expanded(&w[0]) <= expanded(&w[1]))
    );
    let done = data(&reply, "done");
    assert_eq!(done.len(), 1);
    assert_eq!(done[0]["status"], "limit");
    // Later there is only the end.
    let again = server.get(&events);
    assert_eq!(data(&again, "done"), done);
    assert_eq!(data(&again, "progress"), Vec::<Value>::new());
}

fn data(reply: &Reply, event: &str) -> Vec<Value> {
    let text = reply.body.replace("\r\n", "\n");
    let blocks = text.split("\n\n");
    let of = blocks.filter_map(|b| b.strip_prefix(&format!("event: {event}\ndata: ")));
    of.map(|data| serde_json::from_str(data.trim()).unwrap())
        .collect()
}

#[test]
fn a_client_that_goes_away_takes_its_job_along() {
    let server = Server::start(&["--threads", "1"]);
    // In mid-stream.
    let place = long_job(&server);
    {
        let stream = server.send(&head("GET", &format!("{place}/events"), &[]));
        let mut lines = BufReader::new(stream).lines();
        assert!(lines.any(|line| line.unwrap().starts_with("event: progress")));
    }
    server.until("stopped", |s| s.metric("noyes_jobs_running ") == 0);
    assert_eq!(state(&server, &place), "cancelled");
    // While it waits for the answer.
    let body = json!({"puzzle": ENDLESS, "engine": "idastar"}).to_string();
    let stream = server.send(&posted(SOLVE, &body));
    server.until("running", |s| s.metric("noyes_jobs_running ") == 1);
    drop(stream);
    let begun = Instant::now();
    server.until("stopped", |s| s.metric("noyes_jobs_running ") == 0);
    assert!(begun.elapsed() < Duration::from_millis(1500)); // not by the end of its wait
    // With another who still watches it goes on.
    let place = long_job(&server);
    let events = format!("{place}/events");
    let (one, other) = (
        server.send(&head("GET", &events, &[])),
        server.send(&head("GET", &events, &[])),
    );
    let mut first = [0; 64];
    (&one).read_exact(&mut first).unwrap();
    (&other).read_exact(&mut first).unwrap();
    drop(one);
    std::thread::sleep(Duration::from_millis(400));
    assert_eq!(server.metric("noyes_jobs_running "), 1);
    drop(other);
    server.until("stopped", |s| s.metric("noyes_jobs_running ") == 0);
}

#[test]
fn a_full_queue_turns_away() {
    let server = Server::start(&["--threads", "1", "--queue", "2"]);
    let first = long_job(&server);
    server.until("running", |s| state(s, &first) == "running");
    let waiting = [long_job(&server), long_job(&server)];
    let body = json!({"puzzle": ENDLESS, "wait_s": 0}).to_string();
    let reply = server.post(SOLVE, &body);
    reply.assert_problem(503, "2 searches wait already");
    assert_eq!(reply.header("retry-after"), Some("1"));
    // What takes no time is answered all the same.
    assert_eq!(server.ask(SOLVE, &json!({"puzzle": HARDEST}))["cost"], 31);
    assert_eq!(
        server.ask(HINT, &json!({"puzzle": HARDEST}))["remaining"],
        31
    );
    server.delete(&waiting[0]);
    assert_eq!(server.post(SOLVE, &body).status, 202);
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
            json!({"kind": "tiles", "width": 4, "height": 4}),
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
fn hints_lead_to_the_goal() {
    let server = Server::start(&[]);
    for puzzle in [
        HARDEST,
        "1 2 3 4/5 6 7 8/0 9 10 12/13 14 11 15",
        "5 1 2 3 4/6 7 8 9 0",
    ] {
        let mut board = puzzle.to_string();
        let mut left = None;
        loop {
            let hint = server.ask(HINT, &json!({"puzzle": board}));
            assert_eq!(hint["reason"], Value::Null);
            let remaining = hint["remaining"].as_u64().unwrap();
            assert!(
                left.is_none_or(|left: u64| remaining == left - 1),
                "{puzzle}: {hint}"
            );
            left = Some(remaining);
            assert_eq!(hint["proven"], true, "{hint}");
            if hint["solved"] == true {
                assert_eq!(hint["move"], Value::Null);
                break;
            }
            let step = &hint["move"];
            let checked = server.ask("/api/v1/check", &json!({"puzzle": board, "plan": step}));
            board = checked["reached"].as_str().unwrap().into();
            // The tile that moved is where the blank was.
            assert!(hint["tile"].as_u64().unwrap() > 0);
        }
        assert_eq!(left, Some(0));
    }
    let none = server.ask(HINT, &json!({"puzzle": "1 2/0 3", "goal": "2 1/0 3"}));
    assert!(none["reason"].as_str().unwrap().contains("permutation"));
    assert_eq!(none["move"], Value::Null);
    let other = json!({"puzzle": "3 1 2/6 4 5/7 0 8", "goal": "0 8 7/6 5 4/3 2 1"});
    let hint = server.ask(HINT, &other);
    let plan = json!({"puzzle": other["puzzle"], "goal": other["goal"], "plan": hint["plan"]});
    assert_eq!(server.ask("/api/v1/check", &plan)["solved"], true);
}

#[test]
fn small_boards_do_not_wait_for_large_tables() {
    let server = Server::start(&["--warm"]);
    let begun = Instant::now();
    assert_eq!(
        server.ask(HINT, &json!({"puzzle": HARDEST}))["remaining"],
        31
    );
    let took = begun.elapsed();
    assert!(took < Duration::from_millis(1500), "{took:?}");
}

#[test]
fn a_hint_on_5x5_is_there_within_two_seconds_and_honest() {
    let server = Server::start(&[]);
    let begun = Instant::now();
    let hint = server.ask(HINT, &json!({"puzzle": ENDLESS}));
    let took = begun.elapsed();
    assert!(
        took < Duration::from_secs(if cfg!(debug_assertions) { 4 } else { 2 }),
        "{took:?}"
    );
    assert_eq!(hint["proven"], false);
    let (lower, upper) = (
        hint["lower"].as_u64().unwrap(),
        hint["upper"].as_u64().unwrap(),
    );
    assert!(lower < upper && lower > 60, "{hint}");
    let plan = json!({"puzzle": ENDLESS, "plan": hint["plan"]});
    let checked = server.ask("/api/v1/check", &plan);
    assert_eq!(checked["solved"], true);
    assert_eq!(checked["moves"], upper);
    // Whoever follows it gets nearer, even with no time to search.
    let first = json!({"puzzle": ENDLESS, "plan": hint["move"]});
    let next = server.ask("/api/v1/check", &first)["reached"].clone();
    let again = server.ask(HINT, &json!({"puzzle": next, "time_limit_s": 0.01}));
    assert!(again["upper"].as_u64().unwrap() < upper, "{again}");
}

#[test]
fn puzzles_are_made_and_plans_checked() {
    let server = Server::start(&[]);
    let body = json!({"kind": "tiles", "width": 3, "height": 3, "seed": 7, "distance": 31});
    let made = server.ask("/api/v1/generate", &body);
    assert_eq!(made, server.ask("/api/v1/generate", &body));
    let hint = server.ask(HINT, &json!({"puzzle": made["puzzle"]}));
    assert_eq!(hint["remaining"], 31);
    let drawn = server.ask(
        "/api/v1/generate",
        &json!({"kind": "tiles", "width": 5, "height": 4}),
    );
    assert!(drawn["seed"].is_u64());
    let checked = server.ask(
        "/api/v1/check",
        &json!({"puzzle": "1 2 3/4 0 6/7 5 8", "plan": "UL", "notation": "tile"}),
    );
    assert_eq!(
        (&checked["valid"], &checked["solved"]),
        (&true.into(), &true.into())
    );
    let checked = server.ask(
        "/api/v1/check",
        &json!({"puzzle": "1 2 3/4 0 6/7 5 8", "plan": "DD"}),
    );
    assert_eq!(
        (&checked["valid"], &checked["reached"]),
        (&false.into(), &Value::Null)
    );
    assert!(
        checked["error"]
            .as_str()
            .unwrap()
            .contains("out of the board")
    );
    let solvable = server.ask("/api/v1/solvable", &json!({"puzzle": "1 2 3/4 5 6/8 7 0"}));
    assert_eq!(solvable["solvable"], false);
    assert!(solvable["reason"].as_str().unwrap().contains("permutation"));
}

#[test]
fn levels_are_solved_hinted_checked_explained_and_made() {
    let server = Server::start(&[]);
    let level = "#######\n#@ $ .#\n#     #\n#.  $ #\n#######\n";
    let record = server.ask(SOLVE, &json!({"puzzle": level, "objective": "moves"}));
    assert_eq!(
        (&record["status"], &record["objective"]),
        (&"optimal".into(), &"moves".into())
    );
    let checked = server.ask(
        "/api/v1/check",
        &json!({"puzzle": level, "plan": record["plan"]}),
    );
    assert_eq!(
        (&checked["valid"], &checked["solved"]),
        (&true.into(), &true.into())
    );
    assert_eq!(checked["moves"], record["moves"]);
    assert_eq!(checked["pushes"], record["pushes"]);
    let by_sat = server.ask(
        SOLVE,
        &json!({"puzzle": level, "engine": "sat", "encoding": "pushes"}),
    );
    let by_search = server.ask(SOLVE, &json!({"puzzle": level}));
    assert_eq!(by_sat["cost"], by_search["cost"]);
    assert_eq!(by_sat["status"], "optimal", "{by_sat}");
    // Hints lead to the goal.
    let mut now = level.to_string();
    for left in (0..100).rev() {
        assert!(left > 0, "never solved");
        let hint = server.ask(HINT, &json!({"puzzle": now}));
        assert_eq!(hint["objective"], "pushes");
        if hint["solved"] == true {
            break;
        }
        assert_eq!(hint["proven"], true, "{hint}");
        let next = server.ask(
            "/api/v1/check",
            &json!({"puzzle": now, "plan": hint["move"]}),
        );
        now = next["reached"].as_str().unwrap().into();
    }
    // A box in a corner.
    let dead = "#######\n#$@  .#\n#     #\n#.  $ #\n#######\n";
    let explained = server.ask("/api/v1/explain", &json!({"puzzle": dead}));
    assert_eq!(explained["unsolvable"], true);
    assert_eq!(explained["dead"][0]["boxes"], json!([[1, 1]]));
    assert!(explained["reason"].is_string());
    assert_eq!(
        server.ask("/api/v1/solvable", &json!({"puzzle": dead}))["solvable"],
        false
    );
    assert_eq!(
        server.ask("/api/v1/solvable", &json!({"puzzle": level}))["solvable"],
        Value::Null
    );
    assert!(server.ask(HINT, &json!({"puzzle": dead}))["reason"].is_string());
    let fine = server.ask("/api/v1/explain", &json!({"puzzle": level}));
    assert_eq!(
        fine,
        json!({"dead": [], "unsolvable": false, "reason": null})
    );
    // Levels to play.
    let shipped = server.get("/api/v1/levels").json();
    assert!(shipped.as_array().unwrap().len() > 30);
    let body =
        json!({"kind": "sokoban", "width": 7, "height": 7, "boxes": 2, "min_pushes": 6, "seed": 1});
    let made = server.ask("/api/v1/generate", &body);
    let solved = server.ask(SOLVE, &json!({"puzzle": made["puzzle"]}));
    assert_eq!(solved["cost"], made["pushes"]);
}

#[test]
fn crews_and_what_levels_do_not_have() {
    let server = Server::start(&[]);
    let level = "#######\n#@ $ .#\n#     #\n#.  $ #\n#######\n";
    // Two players.
    let crew = "########\n#@ $ . #\n#      #\n#@ $ . #\n########\n";
    let record = server.ask(SOLVE, &json!({"puzzle": crew}));
    assert_eq!(
        (&record["objective"], &record["cost"]),
        (&"steps".into(), &3.into())
    );
    let hint = server.ask(HINT, &json!({"puzzle": crew}));
    assert_eq!(hint["move"].as_str().unwrap().len(), 2, "{hint}");
    for (path, body, said) in [
        (SOLVE, json!({"puzzle": "###\n#@#\n"}), "puzzle"),
        (
            SOLVE,
            json!({"puzzle": level, "goal": "blank-last"}),
            "goal",
        ),
        (
            SOLVE,
            json!({"puzzle": level, "objective": "beauty"}),
            "objective",
        ),
        (SOLVE, json!({"puzzle": level, "engine": "human"}), "human"),
        (
            SOLVE,
            json!({"puzzle": level, "heuristic": "manhattan"}),
            "heuristic",
        ),
        (
            SOLVE,
            json!({"puzzle": "1 2/3 0", "no_wait": true}),
            "no_wait",
        ),
        ("/api/v1/explain", json!({"puzzle": "1 2/3 0"}), "puzzle"),
        (
            "/api/v1/check",
            json!({"puzzle": level, "plan": "x"}),
            "plan",
        ),
        (
            "/api/v1/generate",
            json!({"kind": "sokoban", "width": 3, "height": 3, "boxes": 1}),
            "size",
        ),
        (
            "/api/v1/generate",
            json!({"kind": "sokoban", "width": 6, "height": 6, "boxes": 90}),
            "90 boxes",
        ),
    ] {
        server.assert_refused(path, &body.to_string(), 422, said);
    }
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
    assert_eq!(preflight.status, 204);
    assert_eq!(
        preflight.header("access-control-allow-headers"),
        Some("content-type")
    );
}

#[test]
fn the_documents_work_offline() {
    let server = Server::start(&[]);
    let document = server.get("/api/v1/openapi.json").json();
    assert_eq!(server.get("/openapi.json").json(), document);
    let paths = document["paths"].as_object().unwrap();
    assert!(paths.len() >= 9, "{paths:?}");
    for (path, item) in paths {
        if item.get("get").is_some() && !path.contains('{') {
            assert_eq!(server.get(path).status, 200, "{path}");
        }
        if item.get("post").is_some() {
            server.assert_refused(path, "{", 400, "EOF");
        }
    }
    let docs = server.get("/docs/");
    assert_eq!(docs.status, 200);
    assert!(!docs.body.contains("https://"), "{}", docs.body);
    for file in [
        "swagger-ui-bundle.js",
        "swagger-ui.css",
        "swagger-initializer.js",
    ] {
        assert!(docs.body.contains(file));
        assert_eq!(server.get(&format!("/docs/{file}")).status, 200);
    }
    assert!(
        server
            .get("/docs/swagger-initializer.js")
            .body
            .contains("/api/v1/openapi.json")
    );
    let version = server.get("/api/v1/version").json();
    assert!(
        version["engines"]
            .as_array()
            .unwrap()
            .contains(&"sat".into())
    );
    let metrics = server.get("/metrics");
    assert!(
        metrics
            .header("content-type")
            .unwrap()
            .starts_with("text/plain")
    );
    assert!(
        metrics.body.contains(
            "noyes_http_requests_total{route=\"/docs/\",method=\"GET\",status=\"200\"} 1\n"
        ),
        "{}",
        metrics.body
    );
}

#[test]
fn sigterm_ends_searches_with_their_bounds() {
    let server = Server::start(&[]);
    let body = json!({"puzzle": ENDLESS, "engine": "idastar"}).to_string();
    let waiting = server.send(&posted(SOLVE, &body));
    let events = server.send(&head("GET", &format!("{}/events", long_job(&server)), &[]));
    server.until("running", |s| s.metric("noyes_jobs_running ") == 2);
    let begun = Instant::now();
    assert_eq!(server.terminate(), 0);
    assert!(
        begun.elapsed() < Duration::from_secs(5),
        "{:?}",
        begun.elapsed()
    );
    let record = read(waiting).json();
    assert_eq!(record["status"], "limit");
    assert!(record["lower"].as_u64().unwrap() > 50);
    assert_eq!(data(&read(events), "done").len(), 1);
}

#[test]
fn finished_jobs_survive_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jobs.sqlite");
    let args = ["--store", file.to_str().unwrap()];
    let server = Server::start(&args);
    let record = server.ask(SOLVE, &json!({"puzzle": HARDEST}));
    let place = format!("/api/v1/jobs/{}", record["id"].as_str().unwrap());
    let job = server.get(&place).json();
    let long = long_job(&server);
    assert_eq!(server.terminate(), 0);
    let server = Server::start(&args);
    assert_eq!(server.get(&place).json(), job);
    let long = server.get(&long).json();
    assert_eq!(long["state"], "cancelled");
    assert_eq!(long["result"]["status"], "limit");
}

#[test]
fn an_address_that_cannot_be_had_is_told() {
    let server = Server::start(&[]);
    let port = server.address.rsplit(':').next().unwrap();
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_noyes"))
        .args(["serve", "--port", port])
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2));
    assert!(
        String::from_utf8(run.stderr)
            .unwrap()
            .contains("cannot listen at 127.0.0.1")
    );
    let run = std::process::Command::new(env!("CARGO_BIN_EXE_noyes"))
        .args(["serve", "--store", "/nowhere/jobs.sqlite", "--port", "0"])
        .output()
        .unwrap();
    assert_eq!(run.status.code(), Some(2));
}
