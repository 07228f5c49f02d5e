//! Formulas as files: what `encode` writes, and what `decode` reads of it.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use crate::common::{EASY, FAR, HARDEST, assert_refused, json, noyes, run_with};
use serde_json::Value;

#[test]
fn the_papers_own_counts_are_printed() {
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
