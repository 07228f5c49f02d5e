//! On a terminal: `show` plays, listens to keys and puts the terminal back however it ends; progress is one line.
#![cfg(unix)]

mod common;
#[path = "common/pty.rs"]
mod pty;

use common::{EASY, FAR, HARDEST};
use pty::{assert_restored, on_terminal};
use serde_json::{Value, json};

/// Asserts that the player ends with this code and leaves the terminal as it was; gives what it showed.
fn assert_plays(size: &str, piped: &str, script: &Value, args: &[&str], code: i32) -> String {
    assert_restored(on_terminal(size, piped, script, args, &[]), code)
}

#[test]
fn keys_step_through_a_level() {
    let script = json!([
        ["start, 2 steps", "l"],
        ["step 1 of 2: r", "l"],
        ["step 2 of 2: R: solved", "h"],
        ["step 1 of 2", "q"]
    ]);
    let level = ["show", "6#|#@-$.#|6#", "rr", "--delay", "1h"];
    let out = assert_plays("24x80", "", &script, &level, 0);
    assert!(
        out.is_empty() || out.contains("\u{1b}[7m@\u{1b}[0m$.#"),
        "{out:?}"
    );
}

#[test]
fn keys_step_through_a_plan() {
    let script = json!([
        ["start, 2 moves", "l"],
        ["move 1 of 2: D", "l"],
        ["move 2 of 2: R", "h"],
        ["move 1 of 2", "q"]
    ]);
    assert_plays(
        "24x80",
        "",
        &script,
        &["show", EASY, "DR", "--delay", "1h"],
        0,
    );
    let script = json!([["start, 31 moves", "\u{1b}[F"], ["solved", "q"]]);
    assert_plays("24x80", "", &script, &["show", HARDEST, "--delay", "1h"], 0);
}

#[test]
fn the_terminal_is_put_back_after_sigterm_and_after_ctrl_c() {
    for done in ["SIGTERM", "SIGINT", "SIGHUP", "\u{3}"] {
        assert_plays(
            "24x80",
            "",
            &json!([["q quit", done]]),
            &["show", EASY, "DR"],
            130,
        );
    }
}

#[test]
fn an_endless_delay_does_not_overflow_the_clock() {
    let script = json!([["q quit", "-"], ["q quit", "+"], ["q quit", "q"]]);
    assert_plays(
        "24x80",
        "",
        &script,
        &["show", EASY, "DR", "--delay", "1e19"],
        0,
    );
}

#[test]
fn keys_come_from_the_terminal_when_standard_input_is_a_pipe() {
    let script = json!([["start, 2 moves", "l"], ["move 1 of 2", "q"]]);
    assert_plays("24x80", EASY, &script, &["show", "-", "--delay", "1h"], 0);
}

#[test]
fn a_board_larger_than_the_window_is_cropped() {
    let tiles: Vec<String> = (1..900).map(|t| t.to_string()).collect();
    let board = tiles.join(" ") + " 0";
    let args = ["show", &board, "U", "--delay", "1h"];
    let shown = assert_plays(
        "24x80",
        "",
        &json!([["too small", "l"], ["move 1 of 1", "q"]]),
        &args,
        5,
    );
    assert!(
        shown.is_empty() || shown.contains("(rows 12-30 of 30, columns 11-30 of 30"),
        "{shown:?}"
    );
}

#[test]
fn progress_is_one_line_that_answers_do_not_run_into() {
    let args = [
        "solve",
        "--heuristic",
        "manhattan",
        FAR,
        FAR,
        EASY,
        "--threads",
        "2",
        "--time-limit",
        "700ms",
    ];
    let Some(run) = on_terminal("24x80", "", &json!([]), &args, &[]) else {
        return;
    };
    let out = run["out"].as_str().unwrap();
    assert_eq!(run["code"], 3);
    // What stays on the screen: after the last clearing of each line.
    let stays: Vec<&str> = out
        .lines()
        .map(|l| l.rsplit("\u{1b}[2K").next().unwrap())
        .collect();
    assert!(stays.iter().all(|l| !l.contains("searching")), "{stays:?}");
    assert_eq!(
        stays.iter().filter(|l| l.starts_with("board: ")).count(),
        3,
        "{stays:?}"
    );
    assert_eq!(
        stays
            .iter()
            .filter(|l| l.starts_with("time limit reached"))
            .count(),
        2
    );
}
