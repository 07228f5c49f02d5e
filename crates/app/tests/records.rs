//! The command line and the service give the same record for the same question.

use crate::common::http::{SOLVE, Server};
use crate::common::{EASY, HARDEST, PUZZLE_14_15, noyes};
use serde_json::{Map, Value, json};

/// What differs from run to run: times, bytes, and the job of the service.
const LEFT_OUT: [&str; 4] = ["id", "wall_s", "cpu_s", "peak_bytes"];

const LEVEL: &str = "7#|#@-$-.#|#5-#|#.2-$-#|7#";
const CREW: &str = "8#|#@-$-.-#|#6-#|#@-$-.-#|8#";
/// A box in a corner.
const DEAD: &str = "7#|#$@2-.#|#5-#|#.2-$-#|7#";
/// Fewer boxes than goals.
const HOPELESS: &str = "6#|#@$2.#|6#";

fn fields(record: &Value) -> Map<String, Value> {
    let mut fields = record.as_object().expect("a record").clone();
    fields.retain(|name, _| !LEFT_OUT.contains(&name.as_str()));
    fields
}

/// Asserts that a call and a body have the same record, and gives it.
fn same(server: &Server, args: &[&str], path: &str, body: &Value) -> Map<String, Value> {
    let run = noyes(&[args, &["--json"]].concat());
    let told = fields(&crate::common::json(&run.out));
    let sent = fields(&server.ask(path, body));
    let names = |record: &Map<String, Value>| record.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&told), names(&sent), "{args:?}");
    for (name, value) in &told {
        assert_eq!(value, &sent[name], "{name} of {args:?}");
    }
    assert_eq!(told["schema"], "noyes/2");
    told
}

/// Asserts what some fields are.
fn assert_fields(record: &Map<String, Value>, expected: &Value) {
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(&record[name], value, "{name} of {record:?}");
    }
}

#[test]
fn solves_have_one_record() {
    let server = Server::start(&[]);
    for (args, body, expected) in [
        (
            &["solve", HARDEST, "--engine", "astar"][..],
            json!({"puzzle": HARDEST, "engine": "astar"}),
            json!({"kind": "board", "puzzle": HARDEST, "size": "3x3", "status": "optimal", "objective": "moves",
                "cost": 31, "engine": "astar", "notation": "blank", "stop": null, "reason": null, "error": null,
                "goal": "1 2 3/4 5 6/7 8 0"}),
        ),
        (
            &[
                "solve",
                EASY,
                "--engine",
                "idastar",
                "--goal",
                "blank-first",
            ],
            json!({"puzzle": EASY, "engine": "idastar", "goal": "blank-first"}),
            json!({"kind": "board", "status": "optimal", "cost": 20, "engine": "idastar", "heuristic": "manhattan",
                "goal": "0 1 2/3 4 5/6 7 8"}),
        ),
        (
            &["solve", PUZZLE_14_15],
            json!({"puzzle": PUZZLE_14_15}),
            json!({"status": "unsolvable", "lower": null, "plan": null, "engine": null, "stop": null, "error": null}),
        ),
        (
            &[
                "solve",
                HARDEST,
                "--engine",
                "sat",
                "--encoding",
                "rotated",
                "--at-most",
                "3",
            ],
            json!({"puzzle": HARDEST, "engine": "sat", "encoding": "rotated", "at_most": 3}),
            json!({"status": "limit", "stop": "bound", "error": null, "encoding": "rotated"}),
        ),
        (
            &["solve", LEVEL],
            json!({"puzzle": LEVEL}),
            json!({"kind": "level", "puzzle": LEVEL, "size": "7x5", "players": 1, "status": "optimal",
                "objective": "pushes", "ties_proven": true, "notation": "lurd", "goal": null}),
        ),
        (
            &["solve", LEVEL, "--objective", "moves"],
            json!({"puzzle": LEVEL, "objective": "moves"}),
            json!({"objective": "moves", "status": "optimal"}),
        ),
        (
            &["solve", CREW],
            json!({"puzzle": CREW}),
            json!({"kind": "level", "players": 2, "objective": "steps", "cost": 3, "ties_proven": null}),
        ),
        (
            &["solve", HOPELESS],
            json!({"puzzle": HOPELESS}),
            json!({"status": "unsolvable", "objective": "pushes", "engine": null,
                "reason": "1 box for 2 goals, and every goal needs a box"}),
        ),
    ] {
        assert_fields(&same(&server, args, SOLVE, &body), &expected);
    }
}

#[test]
fn replays_have_one_record() {
    let server = Server::start(&[]);
    for (args, body, expected) in [
        (
            &["check", EASY, "UL", "--notation", "tile"][..],
            json!({"puzzle": EASY, "plan": "UL", "notation": "tile"}),
            json!({"kind": "board", "legal": true, "solved": true, "cost": 2, "objective": "moves",
                "reached": "1 2 3/4 5 6/7 8 0", "error": null}),
        ),
        (
            &["check", EASY, "D"],
            json!({"puzzle": EASY, "plan": "D"}),
            json!({"legal": true, "solved": false, "cost": 1, "reached": "1 2 3/4 5 6/7 0 8"}),
        ),
        (
            &["check", EASY, "DD"],
            json!({"puzzle": EASY, "plan": "DD"}),
            json!({"legal": false, "solved": false, "cost": null, "reached": null}),
        ),
        (
            &["check", "6#|#@-$.#|6#", "rR"],
            json!({"puzzle": "6#|#@-$.#|6#", "plan": "rR"}),
            json!({"kind": "level", "legal": true, "solved": true, "cost": 1, "objective": "pushes", "moves": 2,
                "reached": "6#|#2-@*#|6#", "goal": null, "error": null}),
        ),
        (
            &["check", "6#|#@-$.#|6#", "r"],
            json!({"puzzle": "6#|#@-$.#|6#", "plan": "r"}),
            json!({"legal": true, "solved": false, "cost": 0, "moves": 1, "reached": "6#|#-@$.#|6#"}),
        ),
        (
            &["check", "6#|#@-$.#|6#", "u"],
            json!({"puzzle": "6#|#@-$.#|6#", "plan": "u"}),
            json!({"legal": false, "solved": false, "cost": null, "moves": null, "reached": null}),
        ),
        (
            &["check", CREW, "rRR\nrRR", "--no-wait"],
            json!({"puzzle": CREW, "plan": "rRR\nrRR", "no_wait": true}),
            json!({"legal": true, "solved": true, "objective": "steps", "cost": 3, "players": 2}),
        ),
    ] {
        let record = same(&server, args, "/api/v1/check", &body);
        assert_fields(&record, &expected);
        assert_eq!(record["error"].is_null(), record["solved"] == true);
        // What is reached can be asked about again.
        if let Some(reached) = record["reached"].as_str() {
            let again = json!({"puzzle": reached, "plan": ""});
            let again = server.ask("/api/v1/check", &again);
            assert_eq!(again["puzzle"], reached);
        }
    }
}

#[test]
fn dead_boxes_and_made_puzzles_have_one_record() {
    let server = Server::start(&[]);
    let (explain, generate) = ("/api/v1/explain", "/api/v1/generate");
    for (level, unsolvable, dead) in [
        (DEAD, true, json!([[2, 2]])),
        (LEVEL, false, Value::Null),
        (CREW, false, Value::Null),
        (HOPELESS, true, Value::Null),
    ] {
        let record = same(
            &server,
            &["explain", level],
            explain,
            &json!({"puzzle": level}),
        );
        assert_fields(
            &record,
            &json!({"kind": "level", "puzzle": level, "unsolvable": unsolvable}),
        );
        assert_eq!(record["dead"][0]["boxes"], dead);
    }
    let args = ["generate", "3x3", "--seed", "7", "--distance", "20"];
    let body = json!({"kind": "board", "width": 3, "height": 3, "seed": 7, "distance": 20});
    let record = same(&server, &args, generate, &body);
    assert_fields(
        &record,
        &json!({"kind": "board", "cost": 20, "objective": "moves"}),
    );
    let level = [
        "generate", "sokoban", "--size", "7x7", "--boxes", "2", "--seed", "1",
    ];
    let body = json!({"kind": "level", "width": 7, "height": 7, "boxes": 2, "seed": 1});
    for (args, more, unit) in [
        (
            &["--min-pushes", "4"][..],
            json!({"min_pushes": 4}),
            "pushes",
        ),
        (
            &["--players", "2", "--min-steps", "3"],
            json!({"players": 2, "min_steps": 3}),
            "steps",
        ),
    ] {
        let mut body = body.clone();
        let more = more.as_object().unwrap().clone();
        body.as_object_mut().unwrap().extend(more);
        let record = same(&server, &[&level, args].concat(), generate, &body);
        assert_fields(
            &record,
            &json!({"kind": "level", "objective": unit, "index": 0}),
        );
        assert!(record["cost"].as_u64() >= Some(3));
    }
}

/// What is refused has the same reason, after the name of the field as each knows it.
#[test]
fn refusals_name_the_field() {
    let server = Server::start(&[]);
    for (args, body, flag, field, reason) in [
        (
            &["solve", EASY, "--no-wait"][..],
            json!({"puzzle": EASY, "no_wait": true}),
            "--no-wait",
            "no_wait",
            "it is about levels of Sokoban, not about sliding tiles",
        ),
        (
            &["solve", EASY, "--encoding", "rotated"],
            json!({"puzzle": EASY, "encoding": "rotated"}),
            "--encoding",
            "encoding",
            "only the engine sat uses it, and the engine is auto",
        ),
        (
            &["solve", EASY, "--objective", "pushes"],
            json!({"puzzle": EASY, "objective": "pushes"}),
            "--objective",
            "objective",
            "a plan of sliding tiles has moves, not pushes",
        ),
        (
            &["solve", LEVEL, "--heuristic", "manhattan"],
            json!({"puzzle": LEVEL, "heuristic": "manhattan"}),
            "--heuristic",
            "heuristic",
            "it is about sliding tiles, not about levels of Sokoban",
        ),
        (
            &["solve", LEVEL, "--engine", "sat", "--encoding", "rotated"],
            json!({"puzzle": LEVEL, "engine": "sat", "encoding": "rotated"}),
            "--encoding",
            "encoding",
            "", // whatever it is
        ),
    ] {
        crate::common::assert_refused(args, b"", &format!("noyes: {flag}: {reason}"));
        let said = format!("{field}: {reason}");
        server.assert_refused(SOLVE, &body.to_string(), 422, &said);
    }
}
