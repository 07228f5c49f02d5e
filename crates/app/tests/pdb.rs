//! Pattern databases as files: built, listed, verified, damaged, changed during a search, killed half-way.

use std::path::Path;
use std::time::Duration;

use crate::common::{EASY, assert_refused, command, json, noyes};

const SMALL: &[&str] = &["--size", "3x3"];

fn build(folder: &Path, patterns: &str, more: &[&str]) -> crate::common::Run {
    let folder = folder.to_str().unwrap();
    noyes(&[&["pdb", "build", patterns, "--pdb-dir", folder], more].concat())
}

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    files.sort();
    files
}

#[test]
fn tables_are_built_once_listed_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let first = build(folder.path(), "4-4", SMALL);
    assert_eq!(
        (first.code, first.out.matches("built").count()),
        (0, 2),
        "{}",
        first.err
    );
    let again = build(folder.path(), "4-4", SMALL);
    assert_eq!(
        again.out.matches("already there").count(),
        2,
        "{}",
        again.out
    );
    assert_eq!(
        build(folder.path(), "4-4", &["--size", "3x3", "--force"])
            .out
            .matches("built")
            .count(),
        2
    );
    let list = noyes(&["pdb", "list", "--pdb-dir", path]);
    assert_eq!(
        (list.code, list.out.matches("4 tiles on 3x3").count()),
        (0, 2),
        "{}",
        list.out
    );
    let verify = noyes(&["pdb", "verify", "--pdb-dir", path, "--json"]);
    assert_eq!(verify.code, 0);
    assert!(
        verify.out.lines().all(|l| json(l)["verified"] == true),
        "{}",
        verify.out
    );
    let none = tempfile::tempdir().unwrap();
    assert!(
        noyes(&[
            "pdb",
            "list",
            "--pdb-dir",
            none.path().join("x").to_str().unwrap()
        ])
        .out
        .starts_with("no tables in")
    );
}

#[test]
fn a_damaged_table_is_reported_and_built_again_never_trusted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    build(folder.path(), "4-4", SMALL);
    let [one, two] = files(folder.path()).try_into().unwrap();
    let whole = std::fs::read(&one).unwrap();
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 4;
    std::fs::write(&one, &flipped).unwrap();
    std::fs::write(&two, &whole[..whole.len() / 2]).unwrap();
    let verify = noyes(&["pdb", "verify", "--pdb-dir", path]);
    assert_eq!(verify.code, 5);
    assert!(
        verify.out.contains("its bits do not match their checksum")
            && verify.out.contains("bytes long, expected"),
        "{}",
        verify.out
    );
    let solve = noyes(&["solve", EASY, "--heuristic", "pdb:4-4", "--pdb-dir", path]);
    assert_eq!(
        (solve.code, solve.err.matches("rebuilding it").count()),
        (0, 2),
        "{}",
        solve.err
    );
    assert!(solve.out.starts_with("2 moves, optimal"));
    assert_eq!(noyes(&["pdb", "verify", "--pdb-dir", path]).code, 0);
}

/// In place, as `cp` and `rsync --inplace` write it, again and again from the first moment of the search to its end.
#[test]
fn tables_overwritten_and_truncated_during_a_search_change_no_answer() {
    const KORF_1: &str = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    build(folder.path(), "6-6-3", &[]);
    let whole: Vec<_> = files(folder.path())
        .into_iter()
        .map(|file| (std::fs::read(&file).unwrap(), file))
        .collect();
    for engine in ["idastar", "auto"] {
        let child = command(&[
            "solve",
            KORF_1,
            "--goal",
            "blank-first",
            "--engine",
            engine,
            "--heuristic",
            "pdb:6-6-3",
            "--pdb-dir",
            path,
            "--json",
        ]);
        let mut child = { child }.spawn().unwrap();
        while child.try_wait().unwrap().is_none() {
            for (bytes, file) in &whole {
                std::fs::write(file, &bytes[..bytes.len() / 3]).unwrap();
                std::fs::write(file, vec![0xff; bytes.len()]).unwrap();
                std::fs::write(file, bytes).unwrap();
            }
        }
        let done = child.wait_with_output().unwrap();
        let record = json(std::str::from_utf8(&done.stdout).unwrap());
        assert_eq!(done.status.code(), Some(0), "{record}");
        assert_eq!(
            (&record["cost"], &record["lower"]),
            (&57.into(), &57.into())
        );
    }
}

#[test]
fn forged_headers_are_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    build(folder.path(), "4-4", SMALL);
    let table = &files(folder.path())[0];
    let whole = std::fs::read(table).unwrap();
    for (at, byte, said) in [
        (12, 255, "a 255x3 board has no tables"),
        (14, 200, "the blank is on cell 200 of 9"),
        (16, 255, "255 tiles on a 3x3 board"),
        (18, 1, "tiles on the cells [1, 1, 3, 4]"),
        (39, 255, "824 bytes long, expected 18374686479671624504"),
    ] {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        let checksum = blake3::hash(&bytes[..72]);
        bytes[72..104].copy_from_slice(checksum.as_bytes());
        std::fs::write(table, &bytes).unwrap();
        let verify = noyes(&["pdb", "verify", "--pdb-dir", path]);
        assert_eq!(verify.code, 5, "{}", verify.err);
        let name = table.file_name().unwrap().to_str().unwrap();
        let line = verify.out.lines().find(|line| line.contains(name)).unwrap();
        assert!(line.contains(said), "{line}");
    }
}

#[test]
fn a_build_killed_half_way_leaves_nothing_broken() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    for wait in [20, 60, 150, 300] {
        let mut child = command(&["pdb", "build", "7-7-1", "--pdb-dir", path, "--threads", "1"])
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap(); // SIGKILL
        child.wait().unwrap();
        assert_eq!(
            noyes(&["pdb", "verify", "--pdb-dir", path]).code,
            0,
            "killed after {wait} ms"
        );
    }
    let done = build(folder.path(), "7-7-1", &[]);
    assert_eq!(done.code, 0, "{}", done.err);
    let verify = noyes(&["pdb", "verify", "--pdb-dir", path]);
    assert_eq!(
        (verify.code, verify.out.matches("sound").count()),
        (0, 3),
        "{}",
        verify.out
    );
}

#[test]
fn two_builders_at_once_leave_good_tables() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let args = ["pdb", "build", "6-6-3", "--pdb-dir", path, "--force"];
    let children: Vec<_> = (0..3).map(|_| command(&args).spawn().unwrap()).collect();
    for child in children {
        assert!(child.wait_with_output().unwrap().status.success());
    }
    let verify = noyes(&["pdb", "verify", "--pdb-dir", path]);
    assert_eq!(
        (verify.code, files(folder.path()).len()),
        (0, 3),
        "{}",
        verify.out
    );
}

#[test]
fn a_table_that_cannot_be_saved_is_still_used() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "in the way").unwrap();
    let below = file.join("below");
    let solve = noyes(&[
        "solve",
        EASY,
        "--heuristic",
        "pdb:4-4",
        "--pdb-dir",
        below.to_str().unwrap(),
    ]);
    assert_eq!(solve.code, 0);
    assert!(
        solve.err.contains("the table is not saved"),
        "{}",
        solve.err
    );
    let build = build(&below, "4-4", SMALL);
    assert_eq!(build.code, 2);
    assert!(build.err.contains("cannot"), "{}", build.err);
}

#[test]
fn histograms_count_every_placement() {
    let run = noyes(&[
        "pdb",
        "histogram",
        "5-5-5+plain",
        "--goal",
        "blank-first",
        "--json",
    ]);
    let entries: Vec<_> = run
        .out
        .lines()
        .map(|l| json(l)["entries"].as_u64().unwrap())
        .collect();
    assert_eq!(entries, [524_160; 3], "16!/11! placements each");
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("h.svg");
    let run = noyes(&[
        "pdb",
        "histogram",
        "3-2",
        "--size",
        "3x2",
        "--normalise",
        "--svg",
        svg.to_str().unwrap(),
    ]);
    assert!(run.code == 0 && run.out.contains('█'), "{}", run.err);
    assert!(std::fs::read_to_string(svg).unwrap().starts_with("<svg"));
}

#[test]
fn bad_patterns_are_refused() {
    for (patterns, said) in [
        ("7-9", "1 to 8 tiles, not 9"),
        ("7-7", "have 14 tiles together, a 4x4 board has 15"),
        ("1,2+2,3", "tile 2 is in two patterns"),
        (
            "1,16",
            "tile 16 is in a pattern, but a 4x4 board has the tiles 1 to 15",
        ),
        ("seven", "is no partition"),
        ("5-5-5+plain", "not kept in files"),
    ] {
        assert_refused(&["pdb", "build", patterns], b"", said);
    }
    assert_refused(
        &["pdb", "histogram", "1,2", "--size", "6x6"],
        b"",
        "up to 25 cells",
    );
    assert_refused(
        &["solve", EASY, "--heuristic", "pdb:1,2,9"],
        b"",
        "tile 9 is in a pattern",
    );
    assert_refused(&["solve", EASY, "--heuristic", "pdbs"], b"", "pdb:PATTERNS");
    assert_refused(
        &[
            "graph",
            "petersen",
            "--from",
            "2 1 3 4 5 6 7 8 9 0",
            "--solve",
            "--heuristic",
            "pdb:3-3",
        ],
        b"",
        "rows and columns",
    );
    assert_refused(
        &["solve", EASY, "--duplicates", "40"],
        b"",
        "--duplicates: too many move sequences",
    );
}
