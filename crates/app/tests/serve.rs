//! The REST service over a real socket: every route, good and bad.

use std::time::{Duration, Instant};

use crate::common::http::{ENDLESS, HARDEST, HINT, SOLVE, Server};
use serde_json::{Value, json};

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
            server.until("done", |s| s.state(&place) == "done");
            server.get(&place).json()["result"].clone()
        };
        assert_eq!(record["status"], "optimal", "{record}");
        assert_eq!(record["cost"], 31);
        assert_eq!(record["schema"], "noyes/2");
        let job = server
            .get(&format!("/api/v1/jobs/{}", record["id"].as_str().unwrap()))
            .json();
        assert_eq!(
            (&job["state"], &job["schema"]),
            (&"done".into(), &"noyes/2".into())
        );
        assert_eq!(job["result"], record);
        assert_eq!(job["progress"]["upper"], 31);
        let plan = &record["plan"];
        let checked = server.ask("/api/v1/check", &json!({"puzzle": HARDEST, "plan": plan}));
        assert_eq!(checked["solved"], true);
    }
    let none = server.ask(SOLVE, &json!({"puzzle": "1 2/0 3", "goal": "2 1/0 3"}));
    assert_eq!(none["status"], "unsolvable");
    assert!(none["reason"].as_str().unwrap().contains("permutation"));
}

#[test]
fn what_cannot_be_done_is_refused_in_words() {
    let server = Server::start(&["--max-body", "20kB"]);
    for (body, status, said) in [
        ("", 400, "its end is missing"),
        ("{\"puzzle\":", 400, "its end is missing"),
        ("nonsense", 400, "expected an object such as"),
        ("{puzzle: 1}", 400, "in double quotes (line 1, column 2)"),
        ("[]", 422, "object"),
        ("{}", 422, "puzzle"),
        ("{\"puzzle\": 1}", 422, "expected a string"),
        ("{\"puzzle\": \"1 2/3\"}", 422, "puzzle:"),
        ("{\"puzzle\": \"1 2/3 y\"}", 422, "expected a board"),
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
            "memory_limit_bytes: expected a whole number",
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
            "the service starts no programs",
        ),
        ("{\"puzzle\": \"99999999999999999999 0\"}", 422, "puzzle"),
    ] {
        server.assert_refused(SOLVE, body, status, said);
    }
}

#[test]
fn a_board_may_be_a_list_of_tiles_or_of_rows() {
    let server = Server::start(&[]);
    let (flat, rows) = (
        json!([1, 2, 3, 4, 0, 6, 7, 5, 8]),
        json!([[1, 2, 3], [4, 0, 6], [7, 5, 8]]),
    );
    let goal = json!([[1, 2, 3], [4, 5, 6], [7, 8, 0]]);
    for puzzle in [&flat, &rows] {
        let body = json!({"puzzle": puzzle, "goal": goal});
        let solved = server.ask(SOLVE, &body);
        assert_eq!(solved["puzzle"], "1 2 3/4 0 6/7 5 8");
        assert_eq!(solved["cost"], 2);
        assert_eq!(server.ask(HINT, &body)["remaining"], 2);
        assert_eq!(server.ask("/api/v1/solvable", &body)["solvable"], true);
        assert_eq!(server.ask("/api/v1/certify", &body)["verified"], true);
        let plan = json!({"puzzle": puzzle, "goal": goal, "plan": "DR"});
        assert_eq!(server.ask("/api/v1/check", &plan)["solved"], true);
    }
    let wish = json!({"kind": "board", "width": 3, "height": 3, "goal": rows});
    let made = server.ask("/api/v1/generate", &wish);
    assert_eq!(made["goal"], "1 2 3/4 0 6/7 5 8");
    for (puzzle, said) in [
        (json!([1, 2, "x", 0]), "puzzle[2]: expected a tile"),
        (json!([[1, 2], [3]]), "puzzle: "),
        (json!([]), "puzzle: "),
    ] {
        let body = json!({"puzzle": puzzle}).to_string();
        server.assert_refused(SOLVE, &body, 422, said);
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
            json!({"kind": "board", "width": 0, "height": 3}),
            "width: a board has at least one cell",
        ),
        (
            "/api/v1/generate",
            json!({"kind": "board", "width": 4_000_000_000_u64, "height": 4_000_000_000_u64}),
            "width: a 4000000000x4000000000 board is too large",
        ),
        (
            "/api/v1/generate",
            json!({"kind": "board", "width": 3, "height": 3, "distance": 32}),
            "distance: no 3x3 board is 32 moves from this goal",
        ),
        (
            "/api/v1/generate",
            json!({"kind": "chess"}),
            "kind: chess is not known",
        ),
        (
            "/api/v1/generate",
            json!({"kind": 5, "width": 3, "height": 3}),
            "kind: expected a string, found the number 5",
        ),
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
    assert_eq!(checked["cost"], upper);
    // The next hint is nearer to the goal, even with no time to search.
    let first = json!({"puzzle": ENDLESS, "plan": hint["move"]});
    let next = server.ask("/api/v1/check", &first)["reached"].clone();
    let again = server.ask(HINT, &json!({"puzzle": next, "time_limit_s": 0.01}));
    assert!(again["upper"].as_u64().unwrap() < upper, "{again}");
}

#[test]
fn puzzles_are_made_and_plans_checked() {
    let server = Server::start(&[]);
    let body = json!({"kind": "board", "width": 3, "height": 3, "seed": 7, "distance": 31});
    let made = server.ask("/api/v1/generate", &body);
    assert_eq!(made, server.ask("/api/v1/generate", &body));
    let hint = server.ask(HINT, &json!({"puzzle": made["puzzle"]}));
    assert_eq!(hint["remaining"], 31);
    let drawn = server.ask(
        "/api/v1/generate",
        &json!({"kind": "board", "width": 5, "height": 4}),
    );
    assert!(drawn["seed"].is_u64());
    let checked = server.ask(
        "/api/v1/check",
        &json!({"puzzle": "1 2 3/4 0 6/7 5 8", "plan": "UL", "notation": "tile"}),
    );
    assert_eq!(
        (&checked["legal"], &checked["solved"]),
        (&true.into(), &true.into())
    );
    let checked = server.ask(
        "/api/v1/check",
        &json!({"puzzle": "1 2 3/4 0 6/7 5 8", "plan": "DD"}),
    );
    assert_eq!(
        (&checked["legal"], &checked["reached"]),
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
        (&checked["legal"], &checked["solved"]),
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
    assert_eq!(explained["dead"][0]["boxes"], json!([[2, 2]]));
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
        (&fine["dead"], &fine["unsolvable"], &fine["reason"]),
        (&json!([]), &false.into(), &Value::Null)
    );
    // Levels to play.
    let shipped = server.get("/api/v1/levels").json();
    assert_eq!(shipped[0]["schema"], "noyes/2");
    assert!(shipped.as_array().unwrap().len() > 30);
    let first = server.ask(SOLVE, &json!({"puzzle": shipped[0]["puzzle"]}));
    assert_eq!(first["cost"], shipped[0]["min_pushes"]);
    let body =
        json!({"kind": "level", "width": 7, "height": 7, "boxes": 2, "min_pushes": 6, "seed": 1});
    let made = server.ask("/api/v1/generate", &body);
    let solved = server.ask(SOLVE, &json!({"puzzle": made["puzzle"]}));
    assert_eq!(solved["cost"], made["cost"]);
    assert_eq!(made["objective"], "pushes");
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
            json!({"kind": "level", "width": 3, "height": 3, "boxes": 1}),
            "width: 3x3 is not a valid level size",
        ),
        (
            "/api/v1/generate",
            json!({"kind": "level", "width": 6, "height": 6, "boxes": 90}),
            "boxes: 90 boxes",
        ),
        (
            "/api/v1/generate",
            json!({"kind": "level", "width": 7, "height": 7, "boxes": 1, "min_steps": 3}),
            "min_steps: only for several players (expected min_pushes)",
        ),
        (
            "/api/v1/generate",
            json!({"kind": "level", "width": 7, "height": 7, "boxes": 1, "players": 2, "min_pushes": 3}),
            "min_pushes: only for one player (expected min_steps)",
        ),
        (
            "/api/v1/generate",
            json!({"kind": "board", "width": 3, "height": 3, "boxes": 1}),
            "boxes: it is for levels, and kind is board",
        ),
    ] {
        server.assert_refused(path, &body.to_string(), 422, said);
    }
}

#[test]
fn the_description_of_the_service_works_offline() {
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
            server.assert_refused(path, "{", 400, "its end is missing");
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
