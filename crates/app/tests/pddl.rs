//! Planners on the command line: `encode --format pddl`, and planners' plans in `decode`, `check` and `show`.

use std::fs;

use crate::common::{EASY, PUZZLE_14_15, assert_refused, json, noyes, run_with};

const LEVEL: &str = "6#|#@-$.#|6#";
const CREW: &str = "7#|#@$-.@#|7#";
const SLIDES: &str = "(slide t5 r3c2 r2c2)\n(slide t8 r3c3 r3c2)\n; cost = 2 (unit cost)\n";
const PUSH: &str =
    "(move r2c2 r2c3 right)\n(push r2c3 r2c4 r2c5 right)\n; cost = 1 (general cost)\n";

#[test]
fn a_folder_gets_both_files_and_each_can_be_written_alone() {
    let folder = tempfile::tempdir().unwrap();
    let task = folder.path().join("a/task");
    for (puzzle, domain) in [(EASY, "sliding-tiles"), (LEVEL, "sokoban-pushes")] {
        let run = noyes(&[
            "encode",
            puzzle,
            "--format",
            "pddl",
            "-o",
            task.to_str().unwrap(),
        ]);
        assert_eq!((run.code, run.out.as_str(), run.err.as_str()), (0, "", ""));
        let read = |name: &str| fs::read_to_string(task.join(name)).unwrap();
        let alone = |part: &str| noyes(&["encode", puzzle, "--format", "pddl", "--part", part]).out;
        assert_eq!(alone("domain"), read("domain.pddl"));
        assert_eq!(alone("problem"), read("problem.pddl"));
        assert!(read("domain.pddl").contains(&format!("(define (domain {domain})")));
        assert!(read("problem.pddl").contains(&format!("(:domain {domain})")));
        let both = noyes(&["encode", puzzle, "--format", "pddl"]).out;
        let expected = format!(
            "; domain.pddl\n{}\n; problem.pddl\n{}",
            read("domain.pddl"),
            read("problem.pddl")
        );
        assert_eq!(both, expected);
    }
    let file = folder.path().join("p01.pddl");
    let name = file.to_str().unwrap();
    let run = noyes(&[
        "encode", LEVEL, "--format", "pddl", "--part", "problem", "-o", name,
    ]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(
        fs::read_to_string(&file)
            .unwrap()
            .ends_with("(:metric minimize (total-cost)))\n")
    );
    // A file is not a folder.
    assert_refused(
        &["encode", LEVEL, "--format", "pddl", "-o", name],
        b"",
        "with --part, -o names a file",
    );
}

#[test]
fn moves_need_no_costs() {
    let run = noyes(&["encode", LEVEL, "--format", "pddl", "--objective", "moves"]);
    assert!(
        run.out.contains("sokoban-moves") && !run.out.contains("total-cost"),
        "{}",
        run.out
    );
}

#[test]
fn options_that_make_no_sense_are_refused_with_a_reason() {
    for (more, said) in [
        (&["-k", "3"][..], "--steps: only for DIMACS files"),
        (&["--encoding", "lean"], "--encoding: only for DIMACS files"),
        (&["--stats"], "--stats: only for DIMACS files"),
        (
            &["--objective", "pushes"],
            "--objective: a plan of sliding tiles has moves, not pushes",
        ),
        (&["--no-wait"], "--no-wait: it is about levels"),
    ] {
        assert_refused(
            &[&["encode", EASY, "--format", "pddl"], more].concat(),
            b"",
            said,
        );
    }
    assert_refused(
        &["encode", CREW, "--format", "pddl"],
        b"",
        "2 players move at once",
    );
    assert_refused(
        &["encode", EASY, "-k", "2", "--part", "domain"],
        b"",
        "--part: only for PDDL",
    );
    assert_refused(
        &["encode", LEVEL, "-k", "2", "--objective", "moves"],
        b"",
        "--objective: only for PDDL",
    );
    assert_refused(
        &["encode", EASY, "--format", "dimacs"],
        b"",
        "expected --steps K",
    );
    assert_refused(&["encode", EASY, "--format", "sas"], b"", "dimacs, pddl");
    assert_refused(&["encode", "data", "--format", "pddl"], b"", "data");
    for puzzle in [PUZZLE_14_15, "6#|#@$..#|6#"] {
        let run = noyes(&["encode", puzzle, "--format", "pddl"]);
        assert_eq!(run.code, 0);
        assert!(
            run.err
                .contains("unsolvable, so no planner will find a plan"),
            "{}",
            run.err
        );
    }
}

#[test]
fn plans_of_planners_are_decoded() {
    let folder = tempfile::tempdir().unwrap();
    let task = folder.path().to_str().unwrap();
    let problem = format!("{task}/problem.pddl");
    noyes(&["encode", EASY, "--format", "pddl", "-o", task]);
    let run = run_with(&["decode", &problem, "-"], SLIDES.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(
        run.out
            .starts_with("plan (blank notation): DR\nvalid: 2 moves"),
        "{}",
        run.out
    );
    let run = run_with(&["decode", &problem, "-", "--json"], SLIDES.as_bytes());
    assert_eq!(
        (&json(&run.out)["solved"], &json(&run.out)["cost"]),
        (&true.into(), &2.into())
    );
    // A plan that does not reach the goal, and one with an illegal action: both times the planner was wrong.
    let run = run_with(&["decode", &problem, "-"], b"(slide t5 r3c2 r2c2)");
    assert_eq!(run.code, 5, "{}", run.err);
    let run = run_with(&["decode", &problem, "-"], b"(slide t8 r3c3 r3c2)");
    assert_eq!(run.code, 5);
    assert!(
        run.err
            .contains("line 1: (slide t8 r3c3 r3c2) cannot be done here"),
        "{}",
        run.err
    );
    assert_refused(&["decode", &problem, "-"], b"no plan", "is no action");

    noyes(&["encode", LEVEL, "--format", "pddl", "-o", task]);
    let run = run_with(&["decode", &problem, "-"], PUSH.as_bytes());
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(
        run.out
            .contains("plan (LURD, capitals push): rR\nvalid: 2 steps"),
        "{}",
        run.out
    );

    for (text, said) in [
        ("(define (problem p))", "no comment names the puzzle"),
        ("; level 5#\n", "problem.pddl: line 1"),
        (
            "; level 7#|#@$-.@#|7#\n",
            "for one player, but the level has 2",
        ),
        ("; puzzle 1 1/\n; goal 1 0/\n", "problem.pddl: "),
        (
            "; puzzle 1 0/\n; goal 1 2 0/\n",
            "the puzzle is 2x1, but its goal is 3x1",
        ),
    ] {
        fs::write(&problem, text).unwrap();
        assert_refused(&["decode", &problem, "-"], PUSH.as_bytes(), said);
    }
}

#[test]
fn check_and_show_take_a_planners_plan_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("sas_plan");
    let name = file.to_str().unwrap();
    fs::write(&file, SLIDES).unwrap();
    let run = noyes(&["check", EASY, name]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(
        run.out
            .starts_with("plan (blank notation): DR\nvalid: 2 moves"),
        "{}",
        run.out
    );
    let run = noyes(&["check", EASY, name, "--json", "--notation", "tile"]);
    assert_eq!(json(&run.out)["plan"], "UL");
    assert_eq!(noyes(&["show", EASY, name]).code, 0);
    assert_refused(
        &["check", LEVEL, name],
        b"",
        "plan: line 1: (slide t5 r3c2 r2c2) cannot be done here",
    );

    fs::write(&file, PUSH.replace("cost = 1", "cost = 7")).unwrap();
    let run = noyes(&["check", LEVEL, name]);
    assert_eq!(run.code, 0);
    assert!(
        run.err
            .contains("claims a cost of 7, but it has 1 push and 2 moves"),
        "{}",
        run.err
    );
    assert_refused(
        &["check", CREW, name],
        b"",
        "for one player, but the level has 2",
    );

    // Letters in a file are also a plan, and a solved puzzle has a plan without actions.
    fs::write(&file, "D\nR\n").unwrap();
    assert_eq!(noyes(&["check", EASY, name]).code, 0);
    assert_eq!(
        noyes(&["check", "1 2/3 0", "; cost = 0 (unit cost)"]).code,
        0
    );
}

#[test]
fn a_cost_counts_what_the_domain_counts() {
    let folder = tempfile::tempdir().unwrap();
    let problem = folder.path().join("problem.pddl");
    let plan = PUSH.replace("cost = 1", "cost = 2"); // one of its two moves is a push
    for (objective, note) in [("pushes", "but it has 1 push\n"), ("moves", "")] {
        let words = ["encode", LEVEL, "--format", "pddl", "--part", "problem"];
        let written = noyes(&[&words[..], &["--objective", objective]].concat());
        fs::write(&problem, written.out).unwrap();
        let run = run_with(&["decode", problem.to_str().unwrap(), "-"], plan.as_bytes());
        assert_eq!(run.code, 0, "{}", run.err);
        assert!(
            run.err.ends_with(note) && (run.err.is_empty() == note.is_empty()),
            "{}",
            run.err
        );
    }
}
