//! Constraint problems, printed by `encode --csp`.

use crate::common::{EASY, assert_refused, noyes};

/// Figure 5.2 of Edixhoven's thesis.
const SMALLEST: &str = "#####|#@$.#|#####";

fn board(args: &[&'static str]) -> Vec<&'static str> {
    [&["encode", EASY, "--encoding", "edixhoven"], args].concat()
}

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
    let run = noyes(&board(&["-k", "2", "--csp", "--solution", "DR"]));
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
            board(&["-k", "1", "--csp", "--solution", "DR"]),
            "plan: it has more than --steps allows",
        ),
        (board(&["-k", "2", "--solution", "DR"]), "--csp"),
    ] {
        assert_refused(&args, b"", said);
    }
}
