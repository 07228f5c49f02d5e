//! Output files, outputs that cannot be written, and signals while boards are being generated.
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common::{EASY, command, noyes};
use crate::skipped::skipped;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn generate_into(path: &Path) {
    let run = noyes(&[
        "generate",
        "3x3",
        "-n",
        "3",
        "--seed",
        "1",
        "-o",
        path.to_str().unwrap(),
    ]);
    assert_eq!((run.code, run.out.as_str()), (0, ""), "{}", run.err);
    assert_eq!(fs::read_to_string(path).unwrap().lines().count(), 3);
}

#[test]
fn a_file_keeps_its_mode_and_a_new_one_honours_the_umask() {
    let folder = tempfile::tempdir().unwrap();
    let old = folder.path().join("old");
    fs::write(&old, "before").unwrap();
    fs::set_permissions(&old, fs::Permissions::from_mode(0o604)).unwrap();
    generate_into(&old);
    assert_eq!(mode(&old), 0o604);
    for (umask, expected) in [("027", 0o640), ("022", 0o644), ("077", 0o600)] {
        let new = folder.path().join(umask);
        let line = format!("umask {umask}; exec \"$0\" generate 3x3 --seed 1 -o \"$1\"");
        let run = Command::new("sh")
            .args([
                "-c",
                &line,
                env!("CARGO_BIN_EXE_noyes"),
                new.to_str().unwrap(),
            ])
            .status()
            .unwrap();
        assert!(run.success());
        assert_eq!(mode(&new), expected, "umask {umask}");
    }
}

#[test]
fn a_link_stays_a_link() {
    let folder = tempfile::tempdir().unwrap();
    let [file, link, chain] = ["file", "link", "chain"].map(|name| folder.path().join(name));
    symlink("file", &link).unwrap(); // the file does not exist yet
    symlink(&link, &chain).unwrap();
    for _ in 0..2 {
        generate_into(&chain);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert!(fs::symlink_metadata(&chain).unwrap().is_symlink());
        assert!(fs::symlink_metadata(&file).unwrap().is_file());
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn an_unwritable_path_is_reported_by_name_before_the_work_starts() {
    // Finding a board at this distance would take far longer than any test.
    let args = [
        "generate",
        "4x4",
        "--distance",
        "80",
        "-o",
        "/no/such/folder/x",
    ];
    let run = noyes(&args);
    assert_eq!(run.code, 2);
    assert_eq!(
        run.err,
        "noyes: cannot write /no/such/folder/x: No such file or directory (os error 2)\n"
    );
}

#[test]
fn a_dash_is_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let run = command(&["generate", "3x3", "--seed", "1", "-o", "-"])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(
        run.stdout,
        noyes(&["generate", "3x3", "--seed", "1"]).out.into_bytes()
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_full_device_is_a_failure_with_a_message() {
    if !Path::new("/dev/full").exists() {
        return skipped("files", "there is no /dev/full");
    }
    let full = || {
        fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap()
    };
    for args in [
        &["solve", EASY][..],
        &["check", EASY, "DR"],
        &["generate", "3x3", "--seed", "1"],
        &["graph", "theta0"],
        &["encode", EASY, "-k", "2"],
        &["man"],
        &["--help"],
    ] {
        let run = command(args).stdout(full()).output().unwrap();
        let said = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(1), "{args:?}");
        assert!(
            said.starts_with("noyes: cannot write standard output: No space"),
            "{said}"
        );
    }
    for args in [
        &["generate", "3x3", "--seed", "1", "-o", "/dev/full"][..],
        &["encode", EASY, "-k", "2", "-o", "/dev/full"],
        &["levels", "5#|#@$.#|5#", "-o", "/dev/full"],
    ] {
        let run = noyes(args);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{args:?}");
        assert!(
            run.err.contains("cannot write /dev/full: No space"),
            "{}",
            run.err
        );
    }
    for (args, code) in [
        (&["solve", "1 1/2 0"][..], 2),
        (&["solve", EASY, "-v"], 0),
        (&["generate", "3x3"], 0),
        (&["solve"], 2),
    ] {
        let run = command(args).stderr(full()).output().unwrap();
        assert_eq!(run.status.code(), Some(code), "{args:?}");
    }
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(
        Command::new("kill")
            .args([name, &id])
            .status()
            .unwrap()
            .success()
    );
}

#[test]
fn signals_end_generate() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("boards");
    let file = file.to_str().unwrap();
    for args in [
        &["generate", "4x4", "--walk", "1000000000000000"][..],
        &["generate", "4x4", "--distance", "80"],
        &[
            "generate",
            "2x2",
            "--distance",
            "6",
            "-n",
            "1000000000000",
            "-o",
            file,
        ],
        &["generate", "9x9", "-n", "1000000000000", "-o", file],
    ] {
        for name in ["-INT", "-TERM"] {
            let mut child = command(args).spawn().unwrap();
            let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
            assert!(lines.next().unwrap().unwrap().starts_with("seed: ")); // from here on it handles signals
            signal(&child, name);
            assert_eq!(child.wait().unwrap().code(), Some(130), "{args:?}");
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "{args:?}");
        }
    }
    let mut child = command(&["generate", "9x9", "-n", "1000000000000", "--seed", "1"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    out.read_line(&mut String::new()).unwrap();
    signal(&child, "-TERM");
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(rest.is_empty() || rest.ends_with('\n'), "{rest}"); // whole boards only
}

#[test]
fn an_interrupted_encode_leaves_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.cnf");
    let board = noyes(&["generate", "5x5", "--seed", "1"]).out;
    for name in ["-INT", "-TERM"] {
        let args = [
            "encode",
            board.trim(),
            "-k",
            "4000",
            "--encoding",
            "rotated",
            "-o",
            file.to_str().unwrap(),
        ];
        let child = command(&args).stdin(Stdio::null()).spawn().unwrap();
        // The signal comes while the file is written: wait for its beginning.
        let written = || fs::read_dir(folder.path()).unwrap().any(is_begun);
        while !written() {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        signal(&child, name);
        let done = child.wait_with_output().unwrap();
        assert_eq!(done.status.code(), Some(130));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}

fn is_begun(entry: std::io::Result<fs::DirEntry>) -> bool {
    entry.is_ok_and(|file| file.metadata().is_ok_and(|data| data.len() > 0))
}

#[test]
fn the_time_limit_ends_generate() {
    for args in [
        &["9x9", "-n", "1000000000000"][..],
        &["4x4", "--walk", "1000000000000000"],
        &["4x4", "--distance", "80"],
    ] {
        let args = [
            &[
                "generate",
                "--seed",
                "1",
                "--time-limit",
                "50ms",
                "-o",
                "/dev/null",
            ],
            args,
        ]
        .concat();
        let run = noyes(&args);
        assert_eq!(run.code, 3, "{args:?}");
        assert!(run.err.contains("time limit"), "{}", run.err);
    }
}
