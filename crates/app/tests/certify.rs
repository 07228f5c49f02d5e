//! `noyes certify`, `solve --certify`, `check --optimal`.

use std::fs;

use crate::common::{EASY, assert_refused, noyes};

#[test]
fn a_board_is_certified_kept_and_checked_again() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("certificates");
    let out = out.to_str().unwrap();
    let run = noyes(&["certify", "8 6 7/2 5 4/3 0 1", "-o", out, "--export"]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let first = "VERIFIED: a plan of 31 moves exists, and no plan of fewer than 31 moves exists\n";
    assert!(run.out.starts_with(first), "{}", run.out);
    assert!(
        run.out.contains("no plan has at most 29 moves"),
        "{}",
        run.out
    );
    assert!(run.out.contains("noyes-check "), "{}", run.out);
    let certificate = fs::read(format!("{out}/1.cert")).unwrap();
    let mut store = noyes_check::Store::new(None, 1);
    let verdict = noyes_check::verify(&certificate[..], &mut store).unwrap();
    assert_eq!(verdict.cost, Some(31));
    let cnf = fs::read_to_string(format!("{out}/1.cnf")).unwrap();
    assert!(cnf.starts_with("p cnf "), "{}", &cnf[..20]);
    let lrat = fs::read_to_string(format!("{out}/1.lrat")).unwrap();
    assert!(lrat.lines().last().unwrap().contains(" 0 "));
    // Nothing unfinished is left beside them.
    assert_eq!(fs::read_dir(out).unwrap().count(), 3);
}

#[test]
fn several_puzzles_of_both_kinds_are_certified() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let unsolvable = "1 2 3/4 5 6/8 7 0";
    let level = "######|#@ $.#|######";
    let stuck = "######|#$ @.#|######";
    let run = noyes(&[
        "certify", EASY, unsolvable, level, stuck, "--json", "-o", out,
    ]);
    assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
    let records: Vec<serde_json::Value> = (run.out.lines())
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(records.len(), 4);
    for (i, (record, cost)) in records
        .iter()
        .zip([Some(2), None, Some(1), None])
        .enumerate()
    {
        assert_eq!(record["verified"], true);
        assert_eq!(record["cost"].as_u64(), cost);
        assert_eq!(record["error"], serde_json::Value::Null);
        let path = record["certificate"].as_str().unwrap();
        assert!(path.ends_with(&format!("{}.cert", i + 1)), "{path}");
    }
    assert!(
        records[1]["because"][0]
            .as_str()
            .unwrap()
            .contains("1 swap turns")
    );
    assert!(
        records[3]["because"][0]
            .as_str()
            .unwrap()
            .contains("the box at row 2, column 2")
    );
}

#[test]
fn moves_and_steps_are_certified_too() {
    let level = "######|#    #|# $@ #|#.   #|######";
    let run = noyes(&["certify", level, "--objective", "moves"]);
    assert!(run.out.contains(" moves exists"), "{}{}", run.out, run.err);
    let crew = "#######|#@$ .@#|#  $. #|#######";
    for flags in [&["certify", crew][..], &["certify", crew, "--no-wait"]] {
        let run = noyes(flags);
        assert!(run.out.contains(" steps exists"), "{}{}", run.out, run.err);
    }
}

#[test]
fn a_plan_may_be_given_and_must_be_optimal() {
    let run = noyes(&["check", EASY, "DR", "--optimal"]);
    assert_eq!(run.code, 0);
    assert!(
        run.out.starts_with("VERIFIED: a plan of 2 moves exists"),
        "{}",
        run.out
    );
    let run = noyes(&["certify", EASY, "--plan", "UDDR"]);
    assert_eq!((run.code, run.out.as_str()), (5, ""));
    assert!(
        run.err.contains("not optimal: there is one of 2 moves"),
        "{}",
        run.err
    );
    let run = noyes(&["certify", EASY, "--plan", "UU", "--json"]);
    assert_eq!(run.code, 2);
    assert!(run.out.contains("out of the board"), "{}", run.out);
    let waits = ["check", "6#|#@-$.#|6#", "r.R", "--no-wait", "--optimal"];
    assert_refused(&waits, b"", "forbidden");
    assert_refused(&["certify", EASY, "--plan", "xyz"], b"", "plan: ");
    assert_refused(
        &["check", EASY, "DR", "--time-limit", "1s"],
        b"",
        "--optimal",
    );
}

#[test]
fn proofs_are_found_in_several_ways() {
    let board = "8 6 7/2 5 4/3 0 1";
    let mut sizes = vec![];
    for flags in [
        &["--axioms", "none"][..],
        &["--axioms", "pdb:1,2,3+4,5,6"],
        &["--prover", "sat"],
    ] {
        let run = noyes(&[&["certify", board, "--json"], flags].concat());
        let record: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        assert_eq!(record["verified"], true, "{flags:?} {}", run.err);
        sizes.push((
            record["proof_facts"].as_u64().unwrap(),
            record["cost"].clone(),
        ));
    }
    assert!(
        sizes[0].0 == 0 && sizes[1].0 > 0 && sizes[2].0 == 0,
        "{sizes:?}"
    );
    assert_refused(
        &["certify", board, "--axioms", "all"],
        b"",
        "expected auto, none or pdb:",
    );
    assert_refused(&["certify", board, "--axioms", "pdb:1,99"], b"", "99");
    assert_refused(&["certify", board, "--export"], b"", "--output");
}

#[test]
fn a_solve_can_certify_its_answers() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let run = noyes(&["solve", EASY, "--certify", out]);
    assert_eq!(run.code, 0);
    assert!(
        run.out.contains("VERIFIED: a plan of 2 moves"),
        "{}",
        run.out
    );
    let run = noyes(&["solve", "1 2 3/4 5 6/8 7 0", "--certify", out, "--json"]);
    assert_eq!(run.code, 4);
    let record: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert!(record["certificate"].as_str().unwrap().ends_with("1.cert"));
}

#[test]
fn limits_end_a_proof_without_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let board = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3";
    let goal = [
        "--goal",
        "blank-first",
        "--axioms",
        "none",
        "--time-limit",
        "300ms",
    ];
    let run = noyes(&[&["certify", board, "-o", out], &goal[..]].concat());
    assert_eq!((run.code, run.out.as_str()), (3, ""), "{}", run.err);
    assert!(run.err.contains("no certificate"), "{}", run.err);
    assert_eq!(fs::read_dir(out).unwrap().count(), 0);
}
