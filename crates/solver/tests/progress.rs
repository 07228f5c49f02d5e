//! What other threads see of a solve while it runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;

use noyes_puzzle::sokoban::parse_level;
use noyes_puzzle::tiles::Goal;
use noyes_solver::sat::EncodingName;
use noyes_solver::{Ask, Control, Engine, Objective, Request, Status, Stop, solve};

/// Watches a solve from another thread until it ends, and asserts that its counts only grow.
fn assert_counts_grow(request: &Request, control: &Control) {
    let ended = Arc::new(AtomicBool::new(false));
    let (seen, until) = (control.clone(), ended.clone());
    let watcher = thread::spawn(move || {
        let mut before = (0, 0);
        while !until.load(SeqCst) {
            let now = seen.nodes();
            assert!(
                now.0 >= before.0 && now.1 >= before.1,
                "{before:?}, then {now:?}"
            );
            before = now;
            thread::sleep(std::time::Duration::from_micros(200));
        }
        before
    });
    let answer = solve(request, control).unwrap();
    ended.store(true, SeqCst);
    let last = watcher.join().expect("counts grow");
    assert!(answer.counts.expanded >= last.0 && answer.counts.generated >= last.1);
    assert_eq!(
        control.nodes(),
        (answer.counts.expanded, answer.counts.generated)
    );
}

#[test]
fn counts_of_engines_with_stages_add_up() {
    // A quick attempt, tables of 6-6-3, and the search with them.
    let fifteen = "14 13 15 7/11 12 9 5/6 0 2 1/4 8 10 3".parse().unwrap(); // Korf's first
    let request = Ask::board(fifteen, Goal::BlankFirst).request().unwrap();
    assert_counts_grow(&request, &Control::new());
    let large = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0";
    let request = Ask::board(large.parse().unwrap(), Goal::BlankLast);
    for engine in [Engine::Auto, Engine::Anytime] {
        let request = request.clone().engine(engine).request().unwrap();
        let second = std::time::Duration::from_secs(2);
        assert_counts_grow(&request, &Control::new().time_limit(second));
    }
}

#[test]
fn the_stop_flag_ends_sat_while_it_prepares() {
    // Large enough that each part of the preparation takes a while.
    let row = |y: usize| -> String {
        let cell = |x: usize| match (x, y) {
            (0 | 39, _) | (_, 0 | 29) => '#',
            (1, 1) => '@',
            _ if x % 6 == 3 && y == 5 => '$',
            _ if x % 6 == 3 && y == 24 => '.',
            _ => ' ',
        };
        (0..40).map(cell).collect()
    };
    let text: Vec<String> = (0..30).map(row).collect();
    let level = parse_level(&text.join("\n")).unwrap();
    for (encoding, objective) in [
        ("pushes", "pushes"),
        ("tamura", "pushes"),
        ("moves", "moves"),
        ("moves+lean", "moves"),
    ] {
        let request = Ask::level(level.clone())
            .objective(objective.parse::<Objective>().unwrap())
            .engine(Engine::Sat)
            .encoding(encoding.parse::<EncodingName>().unwrap())
            .request()
            .unwrap();
        let stop = Arc::new(AtomicBool::new(true));
        let answer = solve(&request, &Control::new().stop_flag(stop)).unwrap();
        assert_eq!(
            answer.status,
            Status::Limit(Stop::Interrupted),
            "{encoding}"
        );
        // It stopped before the formula was written.
        assert_eq!(answer.counts.sat.unwrap().clauses, 0, "{encoding}");
    }
}
