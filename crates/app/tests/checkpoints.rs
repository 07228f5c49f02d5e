//! Long searches that are cut off: killed without warning, terminated, and resumed.

use std::fs;
use std::time::{Duration, Instant};

use crate::common::{command, noyes};

/// 76 moves, a few seconds with small tables.
const BOARD: &str = "1 2 12 6 16/10 17 21 18 7/13 23 0 19 3/20 15 5 22 9/14 4 8 11 24";
const SEARCH: [&str; 7] = [
    "solve",
    "--goal",
    "blank-first",
    "--engine",
    "idastar",
    "--heuristic",
    "pdb:2-2-2-2-2-2-2-2-2-2-2-2",
];

#[test]
fn a_search_that_is_killed_again_and_again_finds_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint.txt");
    let path = file.to_str().unwrap();
    let args = [&SEARCH[..], &["--checkpoint", path, BOARD]].concat();
    // 1. Killed as soon as there is a new checkpoint.
    for kill in 0..3 {
        let mut search = command(&args).spawn().unwrap();
        let before = fs::read(&file).ok();
        let begun = Instant::now();
        // The first one is written before the search, to see whether it can be written.
        let is_new = || {
            let text = fs::read(&file).ok();
            let is_first = |text: &[u8]| text.windows(8).any(|line| line == b"cut 0 1\n");
            text.is_some_and(|text| !is_first(&text) && before.as_ref() != Some(&text))
        };
        while !is_new() && search.try_wait().unwrap().is_none() {
            assert!(
                begun.elapsed() < Duration::from_secs(120),
                "a checkpoint in time"
            );
            std::thread::sleep(Duration::from_millis(20));
        }
        search.kill().unwrap();
        let output = search.wait_with_output().unwrap();
        // A fast machine. It may have been killed after the search, before the answer.
        if output.status.success() || !file.exists() {
            assert!(kill > 0, "it takes longer than the first checkpoint");
            return;
        }
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("noyes checkpoint 1\nstart "), "{text}");
    }
    // 2. Another search does not take it for its own.
    let other = [
        &SEARCH[..],
        &[
            "--checkpoint",
            path,
            "1 2 0 3 4/5 6 7 8 9/10 11 12 13 14/15 16 17 18 19/20 21 22 23 24",
        ],
    ]
    .concat();
    let refused = noyes(&other);
    assert_eq!(refused.code, 2, "{}", refused.err);
    assert!(
        refused
            .err
            .contains("is the checkpoint of another search: start is"),
        "{}",
        refused.err
    );
    // 3. To the end.
    let last = noyes(&args);
    assert_eq!(last.code, 0, "{}", last.err);
    assert!(last.out.starts_with("76 moves, optimal\n"), "{}", last.out);
    assert!(
        last.err.contains("resumed from a checkpoint"),
        "{}",
        last.err
    );
    assert!(!file.exists(), "it is not needed any more");
}

#[test]
fn a_checkpoint_is_of_one_search_and_damage_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("checkpoint.txt");
    let path = file.to_str().unwrap();
    fs::write(&file, "noyes checkpoint 1\nlimit 3\n").unwrap();
    let damaged = noyes(&[&SEARCH[..], &["--checkpoint", path, BOARD]].concat());
    assert_eq!(damaged.code, 2, "{}", damaged.err);
    assert!(
        damaged
            .err
            .contains("checkpoint.txt: is a damaged checkpoint"),
        "{}",
        damaged.err
    );
    let several = noyes(&[&SEARCH[..], &["--checkpoint", path, BOARD, BOARD]].concat());
    assert_eq!(several.code, 2);
    assert!(
        several
            .err
            .contains("--checkpoint: a checkpoint is of one search"),
        "{}",
        several.err
    );
}

#[test]
fn a_checkpoint_needs_a_file_and_a_search_that_keeps_one() {
    let nowhere = noyes(
        &[
            &SEARCH[..],
            &["--checkpoint", "/dev/null/checkpoint", BOARD],
        ]
        .concat(),
    );
    assert_eq!(nowhere.code, 2, "{}", nowhere.err);
    assert!(
        nowhere.err.contains("/dev/null/checkpoint: cannot be"),
        "{}",
        nowhere.err
    );
    let board = "1 2 3/4 5 6/7 0 8";
    let other = noyes(&["solve", "--engine", "bfs", "--checkpoint", "file", board]);
    assert_eq!(other.code, 2);
    let expected = "--checkpoint: only IDA* with pattern databases keeps one";
    assert!(other.err.contains(expected), "{}", other.err);
}

#[test]
fn the_bound_is_manhattan_distance_until_the_tables_are_ready() {
    let (folder, korf) = (
        tempfile::tempdir().unwrap(),
        "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3",
    );
    let five = "14 5 9 2 18/8 23 19 12 17/15 0 10 20 4/6 11 21 1 7/24 3 16 22 13";
    for (engine, heuristic, board, bound) in [
        ("idastar", "pdb:7-8", korf, "at least 41 moves"),
        ("astar", "pdb:7-8", korf, "at least 41 moves"),
        ("idastar", "pdb:7-7-7-3", five, "at least 75 moves"),
        ("astar", "pdb:7-7-7-3", five, "at least 75 moves"),
    ] {
        let pdb_dir = folder.path().to_str().unwrap();
        let run = noyes(&[
            "solve",
            "--goal",
            "blank-first",
            "--engine",
            engine,
            "--heuristic",
            heuristic,
            "--time-limit",
            "0.05",
            "--pdb-dir",
            pdb_dir,
            board,
        ]);
        assert_eq!(run.code, 3, "{}{}", run.out, run.err);
        assert!(run.out.contains(bound), "{engine} {heuristic}: {}", run.out);
    }
}

#[test]
fn tables_that_do_not_fit_are_refused_with_what_would() {
    let run = noyes(&[
        "solve",
        "--goal",
        "blank-first",
        "--engine",
        "idastar",
        "--heuristic",
        "pdb:8-8-8+reflect",
        "--memory-limit",
        "2GB",
        BOARD,
    ]);
    assert_eq!(run.code, 2, "{}", run.out);
    let expected = "noyes: pdb:8-8-8+reflect needs";
    assert!(
        run.err.contains(expected) && run.err.contains("the limit is 2.0 GB; pdb:"),
        "{}",
        run.err
    );
}
