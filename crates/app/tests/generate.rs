//! `noyes generate`: boards and levels are reproducible and match the request.

use crate::common::{assert_refused, json, noyes, run_with};

#[test]
fn generated_boards_are_stable_and_as_far_as_asked() {
    let run = noyes(&["generate", "4x4", "-n", "2", "--seed", "1"]);
    assert_eq!(
        run.out,
        "11 3 1 15/10 8 7 0/2 6 4 5/12 9 13 14\n6 13 9 15/1 10 12 5/4 14 7 8/11 3 2 0\n"
    );
    assert_eq!(
        noyes(&["generate", "--size", "4x4", "--seed", "1"])
            .out
            .lines()
            .next(),
        run.out.lines().next()
    );
    assert!(noyes(&["generate", "3x3"]).err.starts_with("seed: "));
    for (size, distance, goal) in [
        ("3x3", "31", "blank-last"),
        ("3x3", "0", "blank-first"),
        ("2x3", "21", "blank-last"),
        ("4x4", "25", "blank-first"),
        ("7x1", "3", "blank-last"),
        ("5x5", "12", "blank-last"),
    ] {
        let boards = noyes(&[
            "generate",
            size,
            "--distance",
            distance,
            "-n",
            "2",
            "--seed",
            "4",
            "--goal",
            goal,
        ]);
        assert_eq!(
            (boards.code, boards.out.lines().count()),
            (0, 2),
            "{size} {distance}: {}",
            boards.err
        );
        let solved = run_with(
            &["solve", "-", "--json", "--goal", goal],
            boards.out.as_bytes(),
        );
        for line in solved.out.lines() {
            assert_eq!(json(line)["cost"].to_string(), distance);
        }
    }
    let record = json(&noyes(&["generate", "3x3", "--json", "--seed", "9", "--walk", "5"]).out);
    assert_eq!(
        (&record["seed"], &record["walk"], &record["size"]),
        (&9.into(), &5.into(), &"3x3".into())
    );
    for (args, said) in [
        (
            &["3x3", "--distance", "32"][..],
            "no 3x3 board is 32 moves from this goal: none is farther than 31",
        ),
        (&["4x4", "--distance", "81"], "none is farther than 80"),
        (&["5x1", "--distance", "5"], "none is farther than 4"),
        (&["0x4"], "a board has 1 to 65536 cells"),
        (&["four"], "expected columns x rows"),
    ] {
        assert_refused(&[&["generate", "--seed", "1"], args].concat(), b"", said);
    }
    assert_eq!(
        noyes(&[
            "generate",
            "4x4",
            "--distance",
            "79",
            "--seed",
            "1",
            "--time-limit",
            "0s"
        ])
        .code,
        3
    );
}

#[test]
fn hard_boards_of_4x4_are_stable_and_exactly_as_far_as_asked() {
    let generate = |more: &[&str]| {
        let args = ["generate", "4x4", "--seed", "1", "--json"];
        noyes(&[&args[..], more].concat())
    };
    let run = generate(&["--distance", "66", "-n", "2", "--goal", "blank-first"]);
    assert_eq!(run.code, 0, "{}", run.err);
    let records: Vec<_> = run.out.lines().map(json).collect();
    assert_eq!(records.len(), 2);
    assert_ne!(records[0]["puzzle"], records[1]["puzzle"]);
    for record in &records {
        let board = record["puzzle"].as_str().unwrap();
        let solved = noyes(&["solve", board, "--goal", "blank-first", "--json"]);
        assert_eq!(json(&solved.out)["cost"], 66);
        assert_eq!(record["cost"], 66);
    }
    let one = generate(&["--distance", "66", "--goal", "blank-first"]);
    assert_eq!(run.out.lines().next(), one.out.lines().next());
    let range = generate(&["--distance", "30..33", "-n", "8"]);
    let costs: Vec<_> = range
        .out
        .lines()
        .map(|l| json(l)["cost"].as_u64())
        .collect();
    assert!(costs.iter().all(|cost| (30..=33).contains(&cost.unwrap())));
    assert!(costs.iter().any(|cost| *cost != costs[0]));
    for (distance, said) in [
        ("70..58", "the range is empty (expected 58..70)"),
        ("58..", "or a range such as 58..70"),
        ("far", "expected a number of moves"),
        ("58..81", "no 4x4 board is 81 moves from this goal"),
    ] {
        let args = ["generate", "4x4", "--seed", "1", "--distance", distance];
        assert_refused(&args, b"", said);
    }
}

#[test]
fn generated_levels_are_stable_and_as_hard_as_asked() {
    let sokoban = &["generate", "sokoban", "--seed", "1"][..];
    let run = noyes(
        &[
            sokoban,
            &["--size", "7x6", "--boxes", "2", "--min-pushes", "8"],
        ]
        .concat(),
    );
    let collection = include_str!("../../../data/sokoban/noyes.xsb");
    let first = collection.split("\n\n").nth(1).unwrap();
    let rows = |text: &str| -> Vec<String> {
        let rows = text.lines().filter(|line| line.contains('#'));
        rows.map(String::from).collect()
    };
    assert_eq!(
        rows(&run.out),
        rows(first),
        "as its comment says: {}",
        run.err
    );
    assert!(run.out.contains("Comment: optimal: 9 pushes"));
    let crew = [
        "--size",
        "7x7",
        "--boxes",
        "2",
        "--players",
        "2",
        "--min-steps",
        "8",
        "--json",
    ];
    let record = json(&noyes(&[sokoban, &crew].concat()).out);
    assert_eq!(
        (&record["objective"], &record["players"]),
        (&"steps".into(), &2.into())
    );
    assert!(record["cost"].as_u64().unwrap() >= 8);
    for (args, said) in [
        (&["--size", "4x4"][..], "4x4 is not a valid level size"),
        (&["--size", "6x6", "--min-pushes", "99"], "among 300 rooms"),
        (
            &["--players", "2", "--min-pushes", "9"],
            "expected --min-steps",
        ),
        (&["--min-steps", "9"], "expected --min-pushes"),
        (&["--distance", "9"], "--distance: only for boards"),
    ] {
        assert_refused(&[sokoban, args].concat(), b"", said);
    }
    assert_refused(
        &["generate", "3x3", "--boxes", "2"],
        b"",
        ": only for levels (expected noyes generate sokoban)",
    );
    assert_refused(
        &["generate", "3x3", "--size", "3x3"],
        b"",
        "--size: the same as SIZE",
    );
}
