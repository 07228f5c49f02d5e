//! `noyes explain` on a board: the search tree of A*, with the numbers of the engine.

use crate::common::{assert_refused, noyes};

const EASY: &str = "1 2 3/4 0 6/7 5 8";

/// The counts that `noyes solve -v` prints.
fn counts(args: &[&str]) -> (u64, u64) {
    let run = noyes(&[&["solve", "-v"], args].concat());
    let line = run.err.lines().last().expect("counts");
    let number = |what: &str| {
        let before = line.split(what).next().unwrap();
        before
            .trim_end()
            .rsplit(' ')
            .next()
            .unwrap()
            .parse()
            .unwrap()
    };
    (number(" expanded"), number(" generated"))
}

#[test]
fn the_tree_has_every_state_that_the_engine_expands_and_generates() {
    for (board, more) in [
        (EASY, &["--heuristic", "misplaced"][..]),
        (
            "2 8 3/1 6 4/7 0 5",
            &["--heuristic", "manhattan", "--goal", "1 2 3/8 0 4/7 6 5"],
        ),
        ("4 1 3/7 2 6/0 5 8", &["--heuristic", "walking"]),
        ("1 2 3/0 4 6/7 5 8", &["--engine", "dijkstra"]),
    ] {
        let engine: &[&str] = if more.contains(&"--engine") {
            &[]
        } else {
            &["--engine", "astar"]
        };
        let args = [&[board], engine, more].concat();
        let (expanded, generated) = counts(&args);
        let run = noyes(&[&["explain"], &args[..], &["--nodes", "10000"]].concat());
        assert_eq!(run.code, 0, "{}", run.err);
        let lines = || run.out.lines();
        let is_step = |line: &&str| {
            line.split_once(". ")
                .is_some_and(|(n, _)| n.trim().parse::<u64>().is_ok())
        };
        assert_eq!(
            lines().filter(is_step).count() as u64,
            expanded,
            "{}",
            run.out
        );
        // Each child has a line; the start is only a step.
        let children = lines().filter(|line| line.starts_with("     ")).count() as u64;
        assert_eq!(1 + children, generated, "{}", run.out);
        assert!(
            run.out
                .contains(&format!("{expanded} expanded, {generated} generated\n"))
        );
        let sums = lines().filter(|line| line.contains(" = "));
        for line in sums.skip(1) {
            let words: Vec<&str> = line.split("  ").map(str::trim).collect();
            let sum = words.iter().find(|word| word.contains(" + ")).unwrap();
            let numbers: Vec<u32> = sum.split(' ').filter_map(|n| n.parse().ok()).collect();
            assert_eq!(numbers[0] + numbers[1], numbers[2], "{line}");
        }
    }
}

#[test]
fn misplaced_tiles_are_the_heuristic_unless_another_is_named() {
    let run = noyes(&["explain", EASY]);
    assert!(
        run.out
            .starts_with("A* with misplaced: g + h = f\n   1. 1 2 3/4 0 6/7 5 8  0 + 2 = 2\n"),
        "{}",
        run.out
    );
    assert!(
        run.out
            .contains("2 moves, optimal\nplan (blank notation): DR\n")
    );
}

#[test]
fn a_large_tree_is_cut_and_says_so() {
    let far = "8 6 7/2 5 4/3 0 1";
    let run = noyes(&[
        "explain",
        far,
        "--heuristic",
        "manhattan",
        "--nodes",
        "30",
        "--time-limit",
        "60s",
    ]);
    let (expanded, generated) = counts(&[far, "--engine", "astar", "--heuristic", "manhattan"]);
    let said = format!(
        "{expanded} expanded, {generated} generated; the first 30 are shown and {} left out (--nodes N shows more)\n",
        generated - 30
    );
    assert!(run.out.ends_with(&said), "{}", run.out);
    assert_eq!(run.code, 0);
    let run = noyes(&["explain", far, "--time-limit", "0", "--format", "dot"]);
    assert_eq!(run.code, 3, "a limit ends it: {}", run.out);
}

#[test]
fn pictures_show_every_state_but_those_straight_back() {
    let text = noyes(&["explain", EASY]).out;
    let back = text.matches("straight back").count();
    let all = 1 + text
        .lines()
        .filter(|line| line.starts_with("     "))
        .count();
    let dot = noyes(&["explain", EASY, "--format", "dot"]).out;
    assert!(dot.starts_with("digraph tree {\n") && dot.ends_with("}\n"));
    assert_eq!(
        dot.matches(" [label=").count() - dot.matches(" -> ").count(),
        all - back
    );
    assert_eq!(dot.matches(" -> ").count(), all - back - 1);
    let svg = noyes(&["explain", EASY, "--format", "svg"]).out;
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("class=\"box\"").count(), all - back);
    assert_eq!(svg.matches("class=\"edge strong\"").count(), 2, "the plan");
}

#[test]
fn what_has_no_tree_is_refused_or_explained() {
    let level = "5#|#@$.#|5#";
    let wide = "1 2 3 4 5 6/7 8 9 10 11 12/13 14 15 16 17 18/19 20 21 22 23 24/25 26 27 28 29 30/0 31 32 33 34 35";
    for (args, said) in [
        (
            &[level, "--engine", "astar"][..],
            "--engine: only for boards",
        ),
        (&[level, "--nodes", "5"], "--nodes: only for boards"),
        (&[EASY, "--after", "R"], "--after: only for levels"),
        (&[EASY, "--engine", "idastar"], "astar, dijkstra"),
        (
            &[EASY, "--engine", "dijkstra", "--heuristic", "manhattan"],
            "--heuristic:",
        ),
        (&[wide], "6x6: search trees are shown for up to 25 cells"),
    ] {
        assert_refused(&[&["explain"], args].concat(), b"", said);
    }
    let run = noyes(&["explain", EASY, "--json"]);
    assert_eq!(run.code, 2);
    assert!(run.out.contains("--json: only for levels"), "{}", run.out);
    let run = noyes(&["explain", "1 2 3/4 5 6/8 7 0"]);
    assert_eq!(run.code, 4);
    assert!(run.out.starts_with("unsolvable: "), "{}", run.out);
    let run = noyes(&["explain", "1 2 3/4 5 6/7 8 0"]);
    assert!(
        run.out.contains("0 moves, optimal") && run.code == 0,
        "{}",
        run.out
    );
}
