//! SAT on the command line: the engine, its flags, `encode` and `decode`.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

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

#[test]
fn the_documents_own_counts_are_printed() {
    let count = |board: &str, k: &str| {
        let run = noyes(&[
            "encode",
            board,
            "-k",
            k,
            "--encoding",
            "edixhoven+no-undo+blocks",
            "--stats",
        ]);
        run.out.lines().last().unwrap().to_string()
    };
    assert_eq!(
        count(HARDEST, "32"),
        "CSP: 461 variables, 917 essential constraints, 188 additional constraints"
    );
    assert_eq!(
        count(FAR, "64"),
        "CSP: 1364 variables, 2723 essential constraints, 508 additional constraints"
    );
    let args = [
        "encode",
        EASY,
        "-k",
        "2",
        "--encoding",
        "rotated",
        "--stats",
        "--json",
    ];
    let record = json(&noyes(&args).out);
    assert_eq!(
        (&record["at_most"], &record["csp_variables"]),
        (&2.into(), &Value::Null)
    );
}

/// What a solver would print about a file, by the backend that is a library.
fn solver_output(cnf: &Path) -> String {
    let mut solver = cadical_sys::CaDiCal::new();
    let mut variables = 0;
    solver
        .read_dimacs2(cnf.to_str().unwrap(), &mut variables, 1)
        .unwrap();
    match solver.solve() {
        cadical_sys::Status::SATISFIABLE => {
            let value = |v| if solver.val(v) > 0 { v } else { -v };
            let lits: Vec<String> = (1..=variables).map(value).map(|l| l.to_string()).collect();
            format!("c done\ns SATISFIABLE\nv {}\nv 0\n", lits.join(" "))
        }
        _ => "s UNSATISFIABLE\n".into(),
    }
}

#[test]
fn a_model_that_breaks_a_clause_has_no_plan() {
    let folder = tempfile::tempdir().unwrap();
    let cnf = folder.path().join("f.cnf");
    let file = cnf.to_str().unwrap();
    for encoding in ["lean", "lean+static", "rotated"] {
        let run = noyes(&[
            "encode",
            EASY,
            "-k",
            "2",
            "--encoding",
            encoding,
            "-o",
            file,
        ]);
        assert_eq!(run.code, 0, "{}", run.err);
        let text = fs::read_to_string(file).unwrap();
        let header = text.lines().find(|l| l.starts_with("p cnf ")).unwrap();
        let variables: usize = header.split(' ').nth(2).unwrap().parse().unwrap();
        let others: Vec<String> = (2..=variables).map(|v| format!("-{v}")).collect();
        let model = format!("s SATISFIABLE\nv 1 {} 0\n", others.join(" "));
        let run = run_with(&["decode", file, "-"], model.as_bytes());
        assert_eq!(run.code, 5, "{encoding}: {}", run.err);
        assert!(run.err.contains("does not hold"), "{}", run.err);
    }
}

#[test]
fn what_is_encoded_is_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let (cnf, out) = (folder.path().join("f.cnf"), folder.path().join("out"));
    let (file, output) = (cnf.to_str().unwrap(), out.to_str().unwrap());
    for encoding in ["edixhoven+no-undo", "rotated", "transitions"] {
        for (k, has_plan) in [("8", true), ("9", true), ("7", false)] {
            let args = [
                "encode",
                "2 3 6/1 0 5/4 7 8",
                "-k",
                k,
                "--encoding",
                encoding,
                "-o",
                file,
            ];
            let run = noyes(&args);
            assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
            let text = fs::read_to_string(&cnf).unwrap();
            assert!(text.starts_with("c noyes encode\nc puzzle 2 3 6/1 0 5/4 7 8\n"));
            assert!(text.contains("\nc var 1 "));
            fs::write(&out, solver_output(&cnf)).unwrap();
            let run = noyes(&["decode", file, output]);
            assert_eq!(run.code, 0, "{}", run.err);
            if has_plan {
                assert!(
                    run.out.starts_with("plan (blank notation): ")
                        && run.out.contains("valid: 8 moves")
                );
            } else {
                assert_eq!(
                    run.out,
                    "the solver says that there is no plan of at most 7 moves\n"
                );
            }
        }
    }
    // A model that is whole but wrong, and what is no model at all.
    let text = fs::read_to_string(file).unwrap();
    let header = text.lines().find(|l| l.starts_with("p cnf ")).unwrap();
    let variables: usize = header.split(' ').nth(2).unwrap().parse().unwrap();
    let all: Vec<String> = (1..=variables).map(|v| format!("-{v}")).collect();
    let whole = format!("v {} 0\n", all.join(" "));
    fs::write(&out, &whole).unwrap();
    let run = noyes(&["decode", file, output]);
    assert_eq!(run.code, 5);
    assert!(run.err.contains("does not hold"), "{}", run.err);
    for (said, complaint) in [
        (
            "s SATISFIABLE\nv 1 -2 0\n".into(),
            "no value for variable 3",
        ),
        (
            format!("s UNSATISFIABLE\n{whole}"),
            "both s UNSATISFIABLE and a model",
        ),
        (
            "s UNSATISFIABLE\ns SATISFIABLE\n".into(),
            "both s UNSATISFIABLE and s SATISFIABLE",
        ),
        (format!("v 1 0\n{whole}"), "both true and false"),
    ] {
        assert_refused(&["decode", file, "-"], said.as_bytes(), complaint);
    }
    assert_refused(
        &["decode", output, output],
        b"",
        "expected a file of noyes encode",
    );
    assert_refused(&["decode", file, "-"], b"hello\n", "no model found");
    assert_refused(
        &["decode", file, "-"],
        b"v 99999999 0\n",
        "variable 99999999",
    );
}

#[test]
fn models_may_leave_out_variables_that_no_clause_has() {
    let folder = tempfile::tempdir().unwrap();
    let cnf = folder.path().join("f.cnf");
    let file = cnf.to_str().unwrap();
    let board = "2 3 6/1 0 5/4 7 8";
    for encoding in ["lean", "rotated", "transitions", "edixhoven"] {
        let run = noyes(&[
            "encode",
            board,
            "-k",
            "8",
            "--encoding",
            encoding,
            "-o",
            file,
        ]);
        assert_eq!(run.code, 0, "{}", run.err);
        let text = fs::read_to_string(&cnf).unwrap();
        let clauses = text.lines().filter(|line| !line.starts_with(['c', 'p']));
        let occurring: HashSet<&str> = clauses
            .flat_map(str::split_whitespace)
            .map(|lit| lit.trim_start_matches('-'))
            .collect();
        // As MiniSat writes it to its result file, and only what occurs.
        let printed = solver_output(&cnf);
        let values = printed.lines().filter_map(|line| line.strip_prefix("v "));
        let kept: Vec<&str> = values
            .flat_map(str::split_whitespace)
            .filter(|lit| *lit != "0" && occurring.contains(lit.trim_start_matches('-')))
            .collect();
        let result = format!("SAT\n{} 0\n", kept.join(" "));
        let run = run_with(&["decode", file, "-"], result.as_bytes());
        assert_eq!(run.code, 0, "{encoding}: {}", run.err);
        assert!(run.out.contains("valid: 8 moves"), "{}", run.out);
    }
    let run = run_with(&["decode", file, "-"], b"UNSAT\n");
    assert_eq!(run.code, 0);
    assert!(
        run.out.contains("no plan of at most 8 moves"),
        "{}",
        run.out
    );
}

#[test]
fn a_bound_below_the_heuristic_is_known_at_once() {
    let run = noyes(&["encode", HARDEST, "-k", "19", "--encoding", "rotated"]);
    assert_eq!(run.code, 0);
    assert!(
        run.err
            .contains("at least 21 moves are needed, so the formula is unsatisfiable"),
        "{}",
        run.err
    );
    assert!(run.out.contains("\np cnf "));
    assert_refused(&["encode", HARDEST], b"", "--steps");
    assert_refused(&["encode", "1 0/", "-k", "99999"], b"", "10000");
}

#[test]
fn pairs_lie_along_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("path.txt");
    // Thirty-one moves that lead home, on a small board: by a walk of our own.
    let plan = "UULDDRRUULDLDRRUULDLDRRUULLDDRR";
    fs::write(&path, format!("# a path\n{HARDEST}\n{plan}\n")).unwrap();
    let pairs = folder.path().join("pairs");
    let (path, out) = (path.to_str().unwrap(), pairs.to_str().unwrap());
    let run = noyes(&[
        "encode",
        "--pairs",
        path,
        "--encoding",
        "transitions",
        "-o",
        out,
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    let mut names: Vec<String> = fs::read_dir(&pairs)
        .unwrap()
        .map(|f| f.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["30-sat.cnf", "30-unsat.cnf", "31-sat.cnf", "31-unsat.cnf"]
    );
    let text = fs::read_to_string(pairs.join("31-unsat.cnf")).unwrap();
    assert!(text.contains(&format!("c puzzle {HARDEST}\n")) && text.contains("c steps 29\n"));
    fs::write(path, format!("{HARDEST}\n{}\n", &plan[..30])).unwrap();
    assert_refused(
        &["encode", "--pairs", path, "-o", out],
        b"",
        "not to the goal",
    );
    assert_refused(&["encode", "--pairs", path], b"", "--output");
}

#[test]
fn the_pairs_of_the_sat_competition_are_made_from_the_projects_own_plan() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let plan = format!("{data}/korf24-50-plan.txt");
    let goal = ["--goal", "blank-first", "--encoding", "rotated"];
    let run = noyes(&[&["encode", "--pairs", &plan, "-o", out], &goal[..]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 62);
    // The suite's boards are the same.
    let boards = fs::read_to_string(format!("{data}/korf24-pairs.csv")).unwrap();
    let rows: Vec<Vec<&str>> = boards.lines().map(|row| row.split(',').collect()).collect();
    let mut compared = 0;
    for row in rows.iter().filter(|row| row[0].parse::<u32>().is_ok()) {
        let text = fs::read_to_string(folder.path().join(format!("{}-sat.cnf", row[0]))).unwrap();
        let puzzle = text.lines().find_map(|line| line.strip_prefix("c puzzle "));
        assert_eq!(puzzle.unwrap().replace('/', " "), row[1]);
        compared += 1;
    }
    assert_eq!(compared, 31);
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

/// Figure 5.2 of Edixhoven's thesis.
const SMALLEST: &str = "#####|#@$.#|#####";

#[test]
fn constraint_problems_are_printed_with_their_solutions() {
    let csp = [
        "encode",
        SMALLEST,
        "-k",
        "1",
        "--encoding",
        "tamura",
        "--csp",
    ];
    let run = noyes(&csp);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!((lines.len(), lines[0]), (2 + 58 + 91, "58 variables"));
    assert_eq!(lines[59], "91 constraints");
    assert_eq!(lines[1].trim(), "1  steps ∈ [0, 1]");
    let run = noyes(&[&csp[..], &["--solution", "R"]].concat());
    assert!(run.out.starts_with("steps = 1\n"), "{}", run.out);
    // Table 5.2 has 30 variables.
    assert_eq!(run.out.lines().count(), 30 + 1);
    let last = "The 28 variables not shown have the value 0.";
    assert_eq!(run.out.lines().last(), Some(last));
    let board = [
        "encode",
        EASY,
        "-k",
        "2",
        "--encoding",
        "edixhoven",
        "--csp",
    ];
    let run = noyes(&[&board[..], &["--solution", "DR"]].concat());
    assert!(run.out.contains("d_i(0) = 1\n") && run.out.contains("goal(2) = 1\n"));
}

#[test]
fn constraint_problems_that_cannot_be_are_refused() {
    let level = |args: &[&'static str]| [&["encode", SMALLEST, "--csp"], args].concat();
    for (args, said) in [
        (
            level(&["-k", "1"]),
            "--encoding: pushes is written as clauses at once, so there is no CSP to print (expected tamura)",
        ),
        (
            level(&["-k", "0", "--encoding", "tamura"]),
            "--steps: a CSP has at least one step",
        ),
        (
            level(&["-k", "1", "--encoding", "tamura", "--solution", "RR"]),
            "plan: ",
        ),
        (
            level(&["-k", "1", "--encoding", "tamura", "--stats"]),
            "cannot be used with",
        ),
        (
            vec![
                "encode",
                EASY,
                "-k",
                "1",
                "--encoding",
                "edixhoven",
                "--csp",
                "--solution",
                "DR",
            ],
            "plan: it has more than --steps allows",
        ),
        (
            vec![
                "encode",
                EASY,
                "-k",
                "2",
                "--encoding",
                "edixhoven",
                "--solution",
                "DR",
            ],
            "--csp",
        ),
    ] {
        assert_refused(&args, b"", said);
    }
}
