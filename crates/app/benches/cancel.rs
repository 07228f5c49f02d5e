//! How long a job keeps running after it is cancelled, for every engine on a puzzle that it cannot solve soon.
//!
//! `cargo bench -p noyes --bench cancel` starts its own server. Each job runs for a second (`-- 3` for three), then the
//! benchmark sends DELETE and polls /metrics until no job is running. It then does the same with a time limit of that
//! length instead of DELETE. `-- 1 sat` runs only the cases with "sat" in their name, `-- 1 level FILE` uses your
//! level.

#[path = "../tests/common/http.rs"]
mod http;

use std::time::{Duration, Instant};

use http::Server;
use serde_json::{Value, json};

const ENDLESS: &str = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0";
const FAR: &str = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0";

fn main() {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .collect();
    let seconds: f64 = args.first().map_or(1.0, |s| s.parse().expect("seconds"));
    let part = args.get(1).map_or("", String::as_str);
    let server = Server::start(&["--threads", "1"]);
    println!(
        "after {seconds} s: until DELETE answers, until the job ends; overrun of a time limit"
    );
    let level = args.get(2).map_or_else(large_level, |file| {
        std::fs::read_to_string(file).expect("a file with a level")
    });
    for (name, body) in wishes(&server, &level) {
        if !name.contains(part) {
            continue;
        }
        let [mut cancel, mut over, mut late] = [Duration::ZERO; 3];
        for _ in 0..3 {
            let (answered, ended) = cancelled(&server, &body, seconds);
            cancel = cancel.max(answered);
            over = over.max(ended);
            late = late.max(timed_out(&server, &body, seconds));
        }
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        println!(
            "{name:<44} {:>7.0} ms {:>7.0} ms {:>7.0} ms",
            ms(cancel),
            ms(over),
            ms(late)
        );
    }
}

/// Every engine, and every encoding of the engine `sat`.
fn wishes(server: &Server, level: &str) -> Vec<(String, Value)> {
    let tiles = |width: usize| {
        let body = json!({"kind": "board", "width": width, "height": width, "seed": 1});
        server.ask("/api/v1/generate", &body)["puzzle"].clone()
    };
    let (hundred, large) = (tiles(10), tiles(30));
    let on = |puzzle: &str, choice: Value| {
        let mut body = choice;
        body["puzzle"] = puzzle.into();
        body["wait_s"] = 0.into();
        body
    };
    let mut wishes = vec![];
    for engine in [
        "auto",
        "bfs",
        "dijkstra",
        "astar",
        "idastar",
        "iddfs",
        "sma",
        "bidirectional",
        "anytime",
        "sat",
    ] {
        let choice = json!({"engine": engine});
        wishes.push((format!("5x5 {engine}"), on(ENDLESS, choice)));
    }
    for engine in ["bfs", "sma"] {
        wishes.push((format!("4x4 {engine}"), on(FAR, json!({"engine": engine}))));
    }
    let pdb = json!({"engine": "idastar", "heuristic": "pdb:6-6-6-6"});
    wishes.push(("5x5 idastar pdb:6-6-6-6".into(), on(ENDLESS, pdb)));
    for encoding in ["lean", "lean+static", "edixhoven", "rotated", "transitions"] {
        for (size, puzzle) in [
            ("5x5", ENDLESS),
            ("10x10", hundred.as_str().expect("a board")),
        ] {
            let choice = json!({"engine": "sat", "encoding": encoding});
            wishes.push((format!("{size} sat {encoding}"), on(puzzle, choice)));
        }
    }
    let batsat = json!({"engine": "sat", "encoding": "rotated", "backend": "batsat"});
    wishes.push(("5x5 sat rotated batsat".into(), on(ENDLESS, batsat)));
    for engine in ["auto", "idastar", "astar"] {
        let puzzle = large.as_str().expect("a board");
        wishes.push((
            format!("30x30 {engine}"),
            on(puzzle, json!({"engine": engine})),
        ));
    }
    for objective in ["pushes", "moves"] {
        for engine in ["auto", "bfs", "anytime"] {
            let choice = json!({"engine": engine, "objective": objective});
            wishes.push((format!("level {engine} {objective}"), on(level, choice)));
        }
    }
    for (encoding, objective) in [
        ("pushes", "pushes"),
        ("tamura", "pushes"),
        ("tamura+dead+bad", "pushes"),
        ("moves", "moves"),
        ("moves+lean", "moves"),
    ] {
        let choice = json!({"engine": "sat", "encoding": encoding, "objective": objective});
        wishes.push((format!("level sat {encoding}"), on(level, choice)));
    }
    wishes
}

/// A level as large as the largest that people play: 60×30 cells, pillars four cells apart, 40 boxes.
fn large_level() -> String {
    let cell = |x: usize, y: usize| match (x, y) {
        (0 | 59, _) | (_, 0 | 29) => '#',
        (1, 1) => '@',
        _ if x.is_multiple_of(4) && y.is_multiple_of(4) => '#',
        _ if x % 4 == 2 && y % 4 == 2 && x < 40 && y < 17 => '$',
        _ if x % 4 == 3 && y % 4 == 2 && (10..50).contains(&x) && y > 12 => '.',
        _ => ' ',
    };
    let row = |y: usize| (0..60).map(|x| cell(x, y)).collect::<String>();
    (0..30).map(|y| row(y) + "\n").collect()
}

/// Starts a job and returns its location.
fn started(server: &Server, body: &Value) -> String {
    let reply = server.post("/api/v1/solve", &body.to_string());
    assert_eq!(reply.status, 202, "{}", reply.body);
    reply.header("location").expect("a location").to_string()
}

/// Waits until no job is running. A job that is reported as cancelled may still be shutting down.
fn until_over(server: &Server) {
    while server.metric("noyes_jobs_running ") > 0 {
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// How long DELETE takes to answer, and how long it takes for the job to end.
fn cancelled(server: &Server, body: &Value, seconds: f64) -> (Duration, Duration) {
    let place = started(server, body);
    std::thread::sleep(Duration::from_secs_f64(seconds));
    let begun = Instant::now();
    server.delete(&place);
    let answered = begun.elapsed();
    until_over(server);
    (answered, begun.elapsed())
}

/// By how much a job exceeds its time limit.
fn timed_out(server: &Server, body: &Value, seconds: f64) -> Duration {
    let mut body = body.clone();
    body["time_limit_s"] = seconds.into();
    let begun = Instant::now();
    let _ = started(server, &body);
    std::thread::sleep(Duration::from_secs_f64(seconds / 2.0));
    until_over(server);
    begun
        .elapsed()
        .saturating_sub(Duration::from_secs_f64(seconds))
}
