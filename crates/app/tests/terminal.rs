//! On a terminal: `show` plays, listens to keys and restores the terminal however it ends; progress never mixes with
//! answers.
#![cfg(unix)]

use crate::common::pty::{ENTER, assert_restored, on_terminal};
use crate::common::{EASY, FAR, HARDEST};
use serde_json::{Value, json};

/// Asserts that the player ends with this code and restores the terminal; returns what it showed.
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
fn the_terminal_is_restored_after_sigterm_and_after_ctrl_c() {
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

/// The lines that stay on a screen of this width after the program wrote `out`.
fn screen(out: &str, columns: usize) -> Vec<String> {
    let (mut rows, mut row, mut column) = (vec![vec![' '; columns]], 0_usize, 0);
    let mut rest = out.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' => column = 0,
            '\n' => row += 1,
            '\u{1b}' => {
                assert_eq!(rest.next(), Some('['));
                let mut number = String::new();
                let code = loop {
                    match rest.next().unwrap() {
                        digit if digit.is_ascii_digit() => number.push(digit),
                        code => break code,
                    }
                };
                match code {
                    'A' => row -= number.parse::<usize>().unwrap(),
                    'B' => row += number.parse::<usize>().unwrap(),
                    'K' => rows[row].fill(' '),
                    'm' => {}
                    _ => panic!("{code} in {out:?}"),
                }
            }
            c => {
                if column == columns {
                    (row, column) = (row + 1, 0);
                }
                rows.resize(rows.len().max(row + 1), vec![' '; columns]);
                rows[row][column] = c;
                column += 1;
            }
        }
        rows.resize(rows.len().max(row + 1), vec![' '; columns]);
    }
    let lines = rows.into_iter().map(String::from_iter);
    lines.map(|line| line.trim_end().to_string()).collect()
}

const TWO_FAR: [&str; 8] = [
    "solve",
    "--heuristic",
    "manhattan",
    FAR,
    FAR,
    EASY,
    "--threads",
    "2",
];

#[test]
fn progress_is_gone_when_the_answers_are_there() {
    let args = [&TWO_FAR[..], &["--time-limit", "700ms"]].concat();
    let Some(run) = on_terminal("24x80", "", &json!([]), &args, &[]) else {
        return;
    };
    let out = run["out"].as_str().unwrap();
    assert_eq!(run["code"], 3);
    assert!(out.contains("searching: at least ") && out.contains(" nodes/s, "));
    assert!(out.contains(" of 3 answered, "), "{out:?}");
    let stays = screen(out, 80);
    assert!(stays.iter().all(|l| !l.contains("searching")), "{stays:?}");
    assert!(stays.iter().all(|l| !l.contains("answered")), "{stays:?}");
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
    assert!(
        out.contains("\u{1b}[33mtime limit reached\u{1b}[0m"),
        "{out:?}"
    );
}

#[test]
fn ctrl_c_says_how_far_a_batch_got() {
    let script = json!([["searching: at least", "\u{3}"]]);
    let Some(run) = on_terminal("24x80", "", &script, &TWO_FAR, &[]) else {
        return;
    };
    assert_eq!(run["code"], 130);
    let stays = screen(run["out"].as_str().unwrap(), 80);
    assert!(
        stays
            .iter()
            .any(|l| l == "interrupted: 1 of 3 puzzles answered"
                || l == "interrupted: 0 of 3 puzzles answered"),
        "{stays:?}"
    );
    assert!(stays.iter().all(|l| !l.contains("nodes/s")), "{stays:?}");
}

#[test]
fn a_pipe_of_unknown_length_shows_what_is_done() {
    let boards = format!("{EASY}\n{FAR}\n");
    let args = [
        "solve",
        "-",
        "--heuristic",
        "manhattan",
        "--time-limit",
        "700ms",
    ];
    let Some(run) = on_terminal("24x80", &boards, &json!([]), &args, &[]) else {
        return;
    };
    assert!(
        run["out"].as_str().unwrap().contains(" 1 answered, "),
        "{run}"
    );
}

#[test]
fn quiet_and_dumb_terminals_have_no_progress() {
    let args = [&TWO_FAR[..], &["--time-limit", "400ms", "--quiet"]].concat();
    let Some(run) = on_terminal("24x80", "", &json!([]), &args, &[]) else {
        return;
    };
    assert!(!run["out"].as_str().unwrap().contains("searching"), "{run}");
}

#[test]
fn ctrl_c_ends_the_search_of_show() {
    let script = json!([["searching: at least", "\u{3}"]]);
    let Some(run) = on_terminal("24x80", "", &script, &["show", FAR], &[]) else {
        return;
    };
    assert_eq!(run["code"], 130);
    let stays = screen(run["out"].as_str().unwrap(), 80);
    assert!(
        stays
            .iter()
            .any(|l| l.starts_with("interrupted: at least")
                || l.starts_with("^Cinterrupted: at least")),
        "{stays:?}"
    );
    assert!(stays.iter().all(|l| !l.contains("searching")), "{stays:?}");
}

#[test]
fn the_film_of_an_unproven_plan_says_so() {
    let mut tiles: Vec<String> = (1..36).rev().map(|t| t.to_string()).collect();
    tiles.swap(0, 1); // an even permutation, so there is a plan
    let board = tiles.join(" ") + " 0";
    // A busy machine needs longer to find any plan; the proof takes hours on every machine.
    for limit in ["200ms", "2s", "20s"] {
        let args = ["show", &board, "--time-limit", limit, "--delay", "1h"];
        let Some(run) = on_terminal("24x80", "", &json!([["q quit", "q"]]), &args, &[]) else {
            return;
        };
        let out = run["out"].as_str().unwrap();
        if let Some(screen) = out.split(ENTER).nth(1) {
            assert!(
                screen.contains("not proven optimal: the optimum is between"),
                "{out:?}"
            );
            assert_eq!(run["code"], 3);
            return;
        }
    }
    panic!("no plan found");
}
