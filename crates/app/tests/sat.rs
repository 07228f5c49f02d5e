//! SAT on the command line: the engine and its flags.

use std::fs;

use crate::common::{EASY, FAR, HARDEST, assert_refused, json, noyes, run_with};
use serde_json::Value;

#[test]
fn the_engine_sat_fills_its_fields() {
    let run = noyes(&["solve", EASY, "--engine", "sat", "--json"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let record = json(&run.out);
    assert_eq!(
        (&record["status"], &record["cost"]),
        (&"optimal".into(), &2.into())
    );
    assert_eq!(record["encoding"], "lean");
    assert_eq!(record["engine"], "sat");
    for field in ["conflicts", "variables", "clauses"] {
        assert!(record[field].is_u64(), "{field}");
    }
    assert!(record["clauses"].as_u64() > Some(10));
    let other = json(&noyes(&["solve", EASY, "--json"]).out);
    for field in ["encoding", "conflicts", "variables", "clauses"] {
        assert_eq!(other[field], Value::Null, "{field}");
    }
}

#[test]
fn every_flag_of_sat_is_taken() {
    for encoding in ["edixhoven", "rotated", "transitions", "lean", "lean+static"] {
        for (backend, bounds, keep, threads) in [
            ("cadical", "up", "incremental", "1"),
            ("batsat", "doubling", "restart", "2"),
            ("cadical", "binary", "restart", "3"),
        ] {
            let run = noyes(&[
                "solve",
                "2 3 6/1 0 5/4 7 8",
                "--engine",
                "sat",
                "--encoding",
                encoding,
                "--backend",
                backend,
                "--bounds",
                bounds,
                "--keep",
                keep,
                "--threads",
                threads,
                "-v",
            ]);
            assert!(
                run.out.starts_with("8 moves, optimal"),
                "{}{}",
                run.out,
                run.err
            );
            assert!(
                run.err.contains(encoding) && run.err.contains("conflicts"),
                "{}",
                run.err
            );
        }
    }
    let run = noyes(&[
        "solve", EASY, "--engine", "sat", "--any", "--bounds", "doubling",
    ]);
    assert_eq!(run.code, 0);
}

#[test]
fn flags_that_make_no_sense_are_refused() {
    for (args, said) in [
        (
            &["--any"][..],
            "--any: only the engine sat uses it, and the engine is auto",
        ),
        (
            &["--encoding", "rotated", "--engine", "bfs"],
            "--encoding: only the engine sat uses it, and the engine is bfs",
        ),
        (
            &["--engine", "sat", "--encoding", "rotten"],
            "expected edixhoven",
        ),
        (
            &["--engine", "sat", "--backend", "cmd:"],
            "expected cadical, batsat, dpll or cmd:PROGRAM",
        ),
        (
            &["--share", "clauses"],
            "--share: only the engine sat uses it, and the engine is auto",
        ),
        (
            &["--engine", "sat", "--share", "clauses"],
            "--share: the encoding lean looks things up in tables and shares no clauses",
        ),
        (
            &["--engine", "sat", "--share", "clauses", "--backend", "dpll"],
            "--share: only cadical shares the clauses that it learns, and the backend is dpll",
        ),
        (
            &["--engine", "sat", "--bounds", "down"],
            "[possible values: up, doubling, binary]",
        ),
    ] {
        assert_refused(&[&["solve", EASY], args].concat(), b"", said);
    }
    let board = noyes(&["generate", "11x10", "--seed", "1"]).out;
    let run = run_with(&["solve", "-", "--engine", "sat"], board.as_bytes());
    assert_eq!(run.code, 2);
    assert!(
        run.err.contains("2 to 100 cells, not for a board of 11x10"),
        "{}",
        run.err
    );
    let run = noyes(&[
        "graph",
        "theta0",
        "--from",
        "1 2 3 4 5 6 0",
        "--solve",
        "--engine",
        "sat",
    ]);
    assert_eq!(run.code, 2);
    assert!(run.err.contains("works on boards"), "{}", run.err);
}

#[test]
fn a_time_limit_acts_inside_the_solver() {
    for limit in ["1ms", "300ms"] {
        let run = noyes(&["solve", FAR, "--engine", "sat", "--time-limit", limit]);
        assert_eq!(run.code, 3, "{}", run.err);
        assert!(
            run.out.starts_with("time limit reached: at least "),
            "{}",
            run.out
        );
    }
}

#[test]
fn missing_and_lying_programs_are_told() {
    let solve = |backend: &str| noyes(&["solve", EASY, "--engine", "sat", "--backend", backend]);
    let run = solve("cmd:/no/such/solver");
    assert_eq!(run.code, 1);
    assert!(
        run.err.contains("/no/such/solver cannot be started"),
        "{}",
        run.err
    );
    let run = solve("cmd:true");
    assert_eq!(run.code, 1);
    assert!(
        run.err
            .contains("ended with exit code 0 (expected exit code 10"),
        "{}",
        run.err
    );
    let folder = tempfile::tempdir().unwrap();
    let lies = folder.path().join("lies");
    fs::write(&lies, "echo s SATISFIABLE; echo v 1 2 0; exit 10\n").unwrap();
    let run = solve(&format!("cmd:sh {} %i", lies.display()));
    assert_eq!(run.code, 5, "{}", run.err);
    assert!(run.err.contains("is wrong: clause"), "{}", run.err);
}

#[cfg(unix)]
#[test]
fn ctrl_c_acts_inside_the_solver() {
    let folder = tempfile::tempdir().unwrap();
    let sleeps = folder.path().join("sleeps");
    fs::write(&sleeps, "sleep 60\n").unwrap();
    for backend in ["cadical", "batsat", &format!("cmd:sh {}", sleeps.display())] {
        let args = [
            "solve",
            FAR,
            "--engine",
            "sat",
            "--encoding",
            "rotated",
            "--backend",
            backend,
        ];
        let child = crate::common::command(&args).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_secs(1));
        let id = child.id().to_string();
        let begun = std::time::Instant::now();
        let sent = std::process::Command::new("kill")
            .args(["-INT", &id])
            .status();
        assert!(sent.unwrap().success());
        let done = child.wait_with_output().unwrap();
        let out = String::from_utf8(done.stdout).unwrap();
        assert!(
            out.starts_with("interrupted: at least "),
            "{backend}: {out}"
        );
        assert_eq!(done.status.code(), Some(130), "{backend}");
        assert!(
            begun.elapsed() < std::time::Duration::from_secs(10),
            "{backend}"
        );
    }
}

#[test]
fn lean_proves_what_search_proves() {
    let run = noyes(&[
        "solve",
        HARDEST,
        "--engine",
        "sat",
        "--encoding",
        "lean",
        "--json",
    ]);
    let record = json(&run.out);
    assert_eq!(
        (run.code, &record["cost"], &record["encoding"]),
        (0, &31.into(), &"lean".into()),
        "{}",
        run.err
    );
    assert!(record["conflicts"].is_u64() && record["clauses"].as_u64() > Some(0));
    let with_tables = noyes(&[
        "solve",
        EASY,
        "--engine",
        "sat",
        "--encoding",
        "lean",
        "--heuristic",
        "pdb:4-4+reflect",
    ]);
    assert!(
        with_tables.out.starts_with("2 moves, optimal"),
        "{}{}",
        with_tables.out,
        with_tables.err
    );
    let backend = [
        "solve",
        EASY,
        "--engine",
        "sat",
        "--encoding",
        "lean",
        "--backend",
        "batsat",
    ];
    assert!(noyes(&backend).out.starts_with("2 moves, optimal"));
    let file = noyes(&["encode", EASY, "-k", "2", "--encoding", "lean"]);
    assert!(
        file.code == 0 && file.out.contains("c encoding lean\n"),
        "{}",
        file.err
    );
}

#[test]
fn a_single_question_ends_with_a_plan_or_a_bound() {
    let ask = |k: &str, encoding: &str| {
        let run = noyes(&[
            "solve",
            HARDEST,
            "--engine",
            "sat",
            "--encoding",
            encoding,
            "--at-most",
            k,
            "--json",
        ]);
        let record = json(&run.out);
        let value = |name: &str| record[name].as_u64();
        (
            run.code,
            record["status"].to_string(),
            value("lower"),
            value("upper"),
        )
    };
    for encoding in ["lean", "lean+static"] {
        assert_eq!(ask("30", encoding), (3, "\"limit\"".into(), Some(31), None));
        // Below the heuristic: at once.
        let (code, _, lower, upper) = ask("5", encoding);
        assert!(code == 3 && lower >= Some(21) && upper.is_none());
        assert_eq!(ask("31", encoding).0, 0);
        let (code, _, _, upper) = ask("36", encoding);
        assert!(code == 0 && upper <= Some(35));
    }
}

/// Solves a generated board, by SAT in this way.
#[cfg(target_os = "linux")]
fn assert_board_stays_within(mb: u64, size: &str, way: &str) {
    let board = noyes(&["generate", size, "--seed", "1"]).out;
    let mut args = vec!["solve", board.trim(), "--engine", "sat"];
    args.extend(way.split_whitespace());
    crate::common::assert_stays_within(mb, &args);
}

#[cfg(target_os = "linux")]
#[test]
fn the_process_stays_within_the_memory_limit_while_a_formula_is_written() {
    for (size, way) in [
        ("7x7", "--encoding lean"),
        ("8x8", "--encoding lean+static"),
        ("8x8", "--encoding edixhoven"),
        ("8x8", "--encoding edixhoven --threads 3"),
        ("8x8", "--encoding transitions"),
        ("8x8", "--encoding edixhoven --backend batsat"),
        ("8x8", "--encoding lean --backend batsat"),
    ] {
        assert_board_stays_within(100, size, way);
    }
}

/// The formula fits, but CaDiCaL grows by half in its first second.
#[cfg(target_os = "linux")]
#[test]
fn the_process_stays_within_the_memory_limit_while_a_solver_searches() {
    assert_board_stays_within(125, "5x5", "--encoding edixhoven");
    assert_board_stays_within(220, "8x8", "--encoding rotated");
    assert_board_stays_within(150, "5x5", "--encoding transitions --backend batsat");
}
