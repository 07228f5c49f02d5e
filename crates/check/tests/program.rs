//! `noyes-check` as a program: its options, its exit codes, and where it reads from.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

/// Both need no proof: the bounds that everyone can count are met.
const BOARD: &str = "noyes certificate 1
puzzle tiles
start 1 2 3/4 0 6/7 5 8
goal 1 2 3/4 5 6/7 8 0
plan DR
proof
";
const LEVEL: &str = "noyes certificate 1
puzzle sokoban
counts pushes
level ######/#@ $.#/######
plan rR
proof
";

fn noyes_check(words: &[&str], input: &str) -> (i32, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_noyes-check"))
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that is wrong reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let done = child.wait_with_output().unwrap();
    let text = [done.stdout, done.stderr].concat();
    (
        done.status.code().unwrap(),
        String::from_utf8(text).unwrap(),
    )
}

#[test]
fn certificates_are_read_from_files_and_from_standard_input() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (board, level, here) = (place("board"), place("level"), place(""));
    fs::write(&board, BOARD).unwrap();
    fs::write(&level, LEVEL).unwrap();
    for (words, expected, said) in [
        (
            &[&*board, &*level][..],
            0,
            "no plan of fewer than 1 push exists",
        ),
        (
            &["-", "--fresh"],
            0,
            "-: VERIFIED: a plan of 2 moves exists",
        ),
        (&["--threads=1", "--", &*board], 0, "VERIFIED"),
        (&["--exhaustive", &*board], 0, "looked at"),
        (&["--exhaustive", &*level], 2, "is for boards"),
        (&["--fresh=1", &*board], 2, "--fresh takes no value"),
        (&["--threads=0", &*board], 2, "expected a number"),
        (&["--tables"], 2, "needs a value"),
        (&["--tables=", &*board], 2, "needs a value"),
        (&["--colour", &*board], 2, "unknown option --colour"),
        (&[], 2, "no certificate given"),
        (&[&*here], 2, "not a file"),
        (&["--", "--fresh"], 2, "--fresh: "),
        (&["--help"], 0, "Usage"),
    ] {
        let (code, text) = noyes_check(words, BOARD);
        assert_eq!(code, expected, "{words:?}: {text}");
        assert!(text.contains(said), "{words:?}: {text}");
    }
    assert_eq!(noyes_check(&["-q", "-"], BOARD), (0, String::new()));
    for forged in [
        BOARD.replace("plan DR", "plan DRLR"),
        BOARD.replace("plan DR", "plan DD"),
        BOARD.replace("goal 1 2", "goal 2 1"),
        BOARD.replace("plan DR\n", ""),
        BOARD[..40].to_string(),
        String::new(),
    ] {
        let (code, text) = noyes_check(&["-"], &forged);
        assert_eq!(code, 5, "{forged}: {text}");
        assert!(text.starts_with("-: REFUSED: "), "{text}");
    }
}

/// Cells have 16 bits, so this is the largest level.
#[test]
fn the_largest_level_is_checked() {
    let wall = "#".repeat(256);
    let row = format!("#{}#", " ".repeat(254));
    let level = |first: &str| {
        let mut rows = vec![wall.clone(), format!("{first:254}#").replacen("", "#", 1)];
        rows.resize(255, row.clone());
        rows.push(wall.clone());
        rows.join("/")
    };
    let (one, far, two) = (level("@$."), level("@ $."), level("@ $@."));
    for (lines, expected, said) in [
        (
            format!("counts pushes\nlevel {one}\nplan R\nproof\n"),
            0,
            "a plan of 1 push exists",
        ),
        (
            format!("counts steps\nlevel {far}\nplan rR\nrefutes 1\nproof\n"),
            5,
            "step 1",
        ),
        (
            format!("counts steps\nlevel {two}\nstuck 2,4\nproof\n"),
            5,
            "there would be a plan",
        ),
    ] {
        let certificate = format!("noyes certificate 1\npuzzle sokoban\n{lines}");
        let (code, text) = noyes_check(&["-"], &certificate);
        assert_eq!(code, expected, "{text}");
        assert!(text.contains(said), "{text}");
    }
}
