//! `noyes play` on a terminal: keys, hints, levels, and the terminal put back however it ends.
#![cfg(unix)]

use crate::common::pty::{assert_restored, on_terminal};
use crate::common::{EASY, assert_refused};
use serde_json::{Value, json};

const UP: &str = "\u{1b}[A";
const DOWN: &str = "\u{1b}[B";
const RIGHT: &str = "\u{1b}[C";
const LEFT: &str = "\u{1b}[D";
const LEVELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sokoban/noyes.xsb");

/// Asserts that a game ends with this code and leaves the terminal as it was; gives what it showed.
fn assert_plays(script: &Value, args: &[&str], code: i32) -> String {
    let args = [&["play"], args].concat();
    assert_restored(on_terminal("24x80", "", script, &args, &[]), code)
}

#[test]
fn a_board_is_played_with_hints_undo_and_the_solution() {
    let script = json!([
        ["0 moves", "?"],
        ["hint: slide 5 up", "?"],
        ["1 move\u{1b}", "o"],
        ["optimum from here: 1 move\u{1b}", LEFT],
        ["Solved in 2 moves: that is optimal.", "u"],
        ["1 move\u{1b}", "\u{7f}"],
        ["0 moves", "U"],
        ["1 move\u{1b}", "U"],
        ["Solved in 2 moves", "R"],
        ["0 moves", "!"],
        ["Solved in 2 moves", "q"]
    ]);
    assert_plays(&script, &[EASY, "--delay", "1ms"], 0);
}

#[test]
fn a_detour_is_compared_with_the_optimum() {
    let script = json!([
        ["arrows slide a tile into the gap", "d"],
        ["1 move\u{1b}", "h"],
        ["2 moves", "k"],
        ["3 moves", "a"],
        ["Solved in 4 moves; the optimum is 2 moves.", "q"]
    ]);
    assert_plays(&script, &[EASY], 0);
}

#[test]
fn arrows_move_the_gap_where_that_is_asked_for() {
    let script = json!([
        ["arrows move the gap", DOWN],
        ["1 move\u{1b}", RIGHT],
        ["Solved in 2 moves", "q"]
    ]);
    assert_plays(&script, &[EASY, "--notation", "blank"], 0);
}

#[test]
fn levels_of_a_collection_are_played_one_after_the_other() {
    let script = json!([
        ["level 3 of 38: Noyes 3", "p"],
        ["level 2 of 38", "n"],
        ["level 3 of 38", "o"],
        ["optimum from here: ", "a"],
        ["1 move, 1 push\u{1b}", LEFT],
        ["cannot be solved from here (u takes moves back)", "u"],
        ["1 move, 1 push\u{1b}", "R"],
        ["0 moves, 0 pushes", "!"],
        [": that is optimal in pushes.", "q"]
    ]);
    let out = assert_plays(&script, &[LEVELS, "--level", "3", "--delay", "1ms"], 0);
    assert!(out.is_empty() || out.contains('X'), "{out:?}");
}

#[test]
fn random_boards_follow_from_the_seed() {
    let script = json!([
        ["random 4x3 board (seed 7, number 1)", "n"],
        ["number 2)", "p"],
        ["number 1)", "q"]
    ]);
    let play = || assert_plays(&script, &["4x3", "--seed", "7"], 0);
    assert_eq!(play(), play());
    assert_plays(&json!([["random 3x3 board", "q"]]), &[], 0);
}

#[test]
fn keys_are_answered_while_a_search_runs() {
    let endless = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0";
    let script = json!([
        ["0 moves", "o"],
        ["(searching…)", RIGHT],
        ["1 move\u{1b}", DOWN],
        ["2 moves", UP],
        ["3 moves", "u"],
        ["2 moves", "R"],
        ["0 moves", "q"]
    ]);
    assert_plays(&script, &[endless], 0);
}

#[test]
fn the_terminal_is_put_back_after_signals_and_ctrl_c_also_during_a_search() {
    for done in ["SIGTERM", "SIGINT", "SIGHUP", "\u{3}"] {
        assert_plays(&json!([["q quit", done]]), &[EASY], 130);
        let script = json!([["q quit", "o"], ["(searching…)", done]]);
        let endless = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0";
        assert_plays(&script, &[endless], 130);
    }
}

#[test]
fn a_window_that_becomes_too_small_says_so_and_may_grow_again() {
    let script = json!([
        ["q quit", "RESIZE 5x30"],
        ["window too small", "RESIZE 24x80"],
        ["arrows slide", "RESIZE 3x5"],
        ["windo", "RESIZE 10x20"],
        ["(needs 20x", "q"]
    ]);
    assert_plays(&script, &[EASY], 0);
}

#[test]
fn colour_is_left_out_on_request() {
    let shown = |variables: &[(&str, &str)]| {
        let script = json!([["q quit", "q"]]);
        let args = ["play", LEVELS];
        assert_restored(on_terminal("24x80", "", &script, &args, variables), 0)
    };
    let (plain, coloured) = (shown(&[("NO_COLOR", "1")]), shown(&[]));
    assert!(!plain.contains("\u{1b}[38"), "{plain:?}");
    assert!(
        coloured.is_empty() || coloured.contains("\u{1b}[38"),
        "{coloured:?}"
    );
}

#[test]
fn what_cannot_be_played_is_refused_before_the_screen_changes() {
    assert_refused(&["play"], b"", "play needs a terminal");
    let crew = "6#|#@-$.#|#@---#|6#";
    for (args, said) in [
        (&["no such file"][..], "No such file"),
        (&["1 2 2/4 0 6/7 5 8"], "duplicate tile 2"),
        (&[LEVELS, "--level", "39"], "there are 38"),
        (&["-"], "name a file instead of -"),
        (&[crew], "it has 2 players"),
        (
            &["3x3", "--level", "2"],
            "random boards are made one by one",
        ),
        (&["3x3", "--goal", "1 2/3 0"], "both need the same size"),
    ] {
        let args = [&["play"], args].concat();
        let Some(run) = on_terminal("24x80", "", &json!([]), &args, &[]) else {
            continue;
        };
        let out = run["out"].as_str().unwrap();
        assert_eq!(run["code"], 2, "{args:?}: {out:?}");
        assert!(
            out.contains(said) && !out.contains("\u{1b}[?1049h"),
            "{args:?}: {out:?}"
        );
    }
}
