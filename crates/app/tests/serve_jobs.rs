//! Jobs of the REST service: how they are cancelled, watched, bounded and kept.

use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::common::http::{ENDLESS, HARDEST, HINT, Reply, SOLVE, Server, head, posted, read};
use serde_json::{Value, json};

#[test]
fn a_large_optimal_request_ends_at_its_limit_with_bounds() {
    let server = Server::start(&["--memory-limit", "1GB"]);
    let made = server.ask(
        "/api/v1/generate",
        &json!({"kind": "board", "width": 50, "height": 50, "seed": 1}),
    );
    let body = json!({"puzzle": made["puzzle"], "time_limit_s": 1, "wait_s": 0.1});
    let reply = server.post(SOLVE, &body.to_string());
    assert_eq!(reply.status, 202, "{}", reply.body);
    let place = reply.header("location").unwrap().to_string();
    server.until("done", |s| s.state(&place) == "done");
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
    let (first, second) = (server.long_job(), server.long_job());
    server.until("running", |s| s.state(&first) == "running");
    assert_eq!(server.state(&second), "queued");
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
    assert_eq!(record["stop"], "interrupted");
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
        // The answer to DELETE does not wait for the engine, which is soon there all the same.
        assert_eq!(
            server.delete(place).json()["state"],
            "cancelled",
            "{choice}"
        );
        server.until("its record", |s| {
            s.get(place).json()["result"] != Value::Null
        });
        server.until("idle", |s| s.metric("noyes_jobs_running ") == 0);
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

#[test]
fn events_have_the_share_of_the_limit_and_the_time_left() {
    let server = Server::start(&[]);
    // A search by subtrees whose last limit takes longer than this.
    let body = json!({
        "puzzle": "1 2 12 6 16/10 17 21 18 7/13 23 0 19 3/20 15 5 22 9/14 4 8 11 24", "goal": "blank-first",
        "engine": "idastar", "heuristic": "pdb:2-2-2-2-2-2-2-2-2-2-2-2", "wait_s": 0, "time_limit_s": 20,
    });
    let place = server.post(SOLVE, &body.to_string());
    let reply = server.get(&format!("{}/events", place.header("location").unwrap()));
    let progress = data(&reply, "progress");
    let share = |p: &&Value| {
        p["share"]
            .as_f64()
            .is_some_and(|share| share > 0.0 && share < 1.0)
    };
    let left = |p: &&Value| p["left_s"].as_f64().is_some_and(|left| left > 0.0);
    assert!(
        progress.iter().any(|p| share(&p) && left(&p)),
        "{}",
        reply.body
    );
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
    let place = server.long_job();
    {
        let stream = server.send(&head("GET", &format!("{place}/events"), &[]));
        let mut lines = BufReader::new(stream).lines();
        assert!(lines.any(|line| line.unwrap().starts_with("event: progress")));
    }
    server.until("stopped", |s| s.metric("noyes_jobs_running ") == 0);
    assert_eq!(server.state(&place), "cancelled");
    // While it waits for the answer.
    let body = json!({"puzzle": ENDLESS, "engine": "idastar"}).to_string();
    let stream = server.send(&posted(SOLVE, &body));
    server.until("running", |s| s.metric("noyes_jobs_running ") == 1);
    drop(stream);
    let begun = Instant::now();
    server.until("stopped", |s| s.metric("noyes_jobs_running ") == 0);
    assert!(begun.elapsed() < Duration::from_millis(1500)); // not by the end of its wait
    // With another who still watches it goes on.
    let place = server.long_job();
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
    let first = server.long_job();
    server.until("running", |s| s.state(&first) == "running");
    let waiting = [server.long_job(), server.long_job()];
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
fn sigterm_ends_searches_with_their_bounds() {
    let server = Server::start(&["--threads", "2"]);
    let body = json!({"puzzle": ENDLESS, "engine": "idastar"}).to_string();
    let waiting = server.send(&posted(SOLVE, &body));
    let events = server.send(&head("GET", &format!("{}/events", server.long_job()), &[]));
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
    let long = server.long_job();
    assert_eq!(server.terminate(), 0);
    let server = Server::start(&args);
    assert_eq!(server.get(&place).json(), job);
    let long = server.get(&long).json();
    assert_eq!(long["state"], "cancelled");
    assert_eq!(long["result"]["status"], "limit");
}

/// A connection that reads the events of a job, the first of which has come.
fn reader(server: &Server, place: &str) -> TcpStream {
    reading(server, &format!("{place}/events"))
}

fn reading(server: &Server, events: &str) -> TcpStream {
    let stream = server.send(&head("GET", events, &[]));
    (&stream).read_exact(&mut [0; 64]).unwrap();
    stream
}

#[test]
fn a_reader_that_lost_its_connection_can_come_back() {
    let server = Server::start(&["--threads", "1"]);
    let place = server.long_job();
    drop(reader(&server, &place));
    std::thread::sleep(Duration::from_millis(500)); // the server notices within 100
    assert_eq!(server.metric("noyes_jobs_running "), 1);
    let again = reader(&server, &place);
    std::thread::sleep(Duration::from_secs(6)); // longer than the grace
    assert_eq!(server.metric("noyes_jobs_running "), 1);
    drop(again);
    server.until("stopped", |s| s.metric("noyes_jobs_running ") == 0);
    assert_eq!(server.state(&place), "cancelled");
}

#[test]
fn a_client_that_only_watches_neither_keeps_nor_stops_a_job() {
    let server = Server::start(&["--threads", "1"]);
    let place = server.long_job();
    let watch = format!("{place}/events?watch=true");
    drop(reading(&server, &watch));
    std::thread::sleep(Duration::from_secs(6)); // longer than the grace
    assert_eq!(server.metric("noyes_jobs_running "), 1);
    let mut watcher = reading(&server, &watch);
    drop(reader(&server, &place));
    // It ends although someone watches, who gets its record.
    let mut rest = String::new();
    watcher.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("event: done"), "{rest}");
    assert_eq!(server.state(&place), "cancelled");
    server
        .get(&format!("{place}/events?watch=perhaps"))
        .assert_problem(400, "watch: expected true or false");
}

#[test]
fn a_reader_who_has_asked_as_well_takes_the_job_along() {
    let server = Server::start(&["--threads", "1"]);
    let place = server.long_job();
    let events = reader(&server, &place);
    server.until("running", |s| s.state(&place) == "running");
    drop(events);
    // Nobody asks any more, so it ends when the last question is long ago.
    server.until("stopped", |s| s.metric("noyes_jobs_running ") == 0);
    assert_eq!(server.state(&place), "cancelled");
}

#[test]
fn a_client_that_keeps_asking_keeps_the_job() {
    let server = Server::start(&["--threads", "1"]);
    let place = server.long_job();
    server.until("running", |s| s.state(&place) == "running");
    drop(reader(&server, &place));
    // Longer than a single question counts.
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(7) {
        assert_eq!(server.state(&place), "running");
        std::thread::sleep(Duration::from_millis(100));
    }
    // And so does a new reader.
    let events = reader(&server, &place);
    std::thread::sleep(Duration::from_secs(7));
    assert_eq!(server.metric("noyes_jobs_running "), 1);
    drop(events);
    server.until("stopped", |s| s.metric("noyes_jobs_running ") == 0);
}

#[test]
fn a_job_that_was_handed_out_goes_on_without_a_reader() {
    let server = Server::start(&["--threads", "1"]);
    let place = server.long_job();
    server.until("running", |s| s.state(&place) == "running");
    std::thread::sleep(Duration::from_secs(6)); // the client polls rarely
    assert_eq!(server.state(&place), "running");
}

#[test]
fn making_puzzles_does_not_hold_up_hints() {
    let server = Server::start(&["--threads", "1"]);
    // More pushes than there are: each takes all the time it may.
    let body =
        json!({"kind": "level", "width": 12, "height": 12, "boxes": 6, "min_pushes": 1_000_000});
    let slow = posted("/api/v1/generate", &body.to_string());
    let streams: Vec<TcpStream> = (0..12).map(|_| server.send(&slow)).collect();
    // One is made and four wait.
    let is_answered = |stream: &TcpStream| {
        stream
            .set_read_timeout(Some(Duration::from_millis(1)))
            .unwrap();
        match stream.peek(&mut [0]) {
            Err(error) => {
                assert!(matches!(
                    error.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut
                ));
                false
            }
            Ok(_) => true,
        }
    };
    server.until("turned away", |_| {
        streams.iter().filter(|s| is_answered(s)).count() >= 7
    });
    let hint = server.ask(HINT, &json!({"puzzle": ENDLESS, "time_limit_s": 0.05}));
    assert_eq!(hint["solved"], false);
    // It did not wait for them.
    assert!(streams.iter().any(|s| !is_answered(s)));
    let mut turned_away = 0;
    for stream in streams {
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        let reply = read(stream);
        if reply.status == 503 {
            reply.assert_problem(503, "too many clients wait for puzzles");
            assert_eq!(reply.header("retry-after"), Some("1"));
            turned_away += 1;
        } else {
            reply.assert_problem(422, "time limit");
        }
    }
    assert_eq!(turned_away, 7);
}

#[test]
fn the_memory_of_others_is_not_held_against_a_sat_job() {
    let server = Server::start(&["--memory-limit", "4GB", "--threads", "2"]);
    let far = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0";
    let large = json!({"puzzle": ENDLESS, "engine": "bfs", "wait_s": 0});
    let small = json!({
        "puzzle": far, "engine": "sat", "encoding": "rotated", "wait_s": 0,
        "memory_limit_bytes": 150_000_000
    });
    let sat = server.post(SOLVE, &small.to_string());
    let bfs = server.post(SOLVE, &large.to_string());
    let (sat, bfs) = (
        sat.header("location").unwrap(),
        bfs.header("location").unwrap(),
    );
    server.until("much memory", |s| {
        s.metric("noyes_resident_bytes ") > 300_000_000 || s.state(bfs) == "done"
    });
    std::thread::sleep(Duration::from_millis(300)); // it looks fifty times a second
    let record = server.delete(sat).json()["result"].clone();
    assert_ne!(record["stop"], "memory", "{record}");
}
