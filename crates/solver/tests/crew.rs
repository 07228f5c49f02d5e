//! Crews: the rules, corner by corner, and the fewest steps against a search that knows nothing but them.

mod sokoban;

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;
use noyes_solver::sokoban::fewest_steps;
use noyes_solver::{Control, Status, Stop};
use sokoban::{is_solved, level, random_level, start, step, turned};

/// The fewest steps, the plan replayed by the plain rules.
fn solved(level: &Level, wait: bool) -> Option<u32> {
    let outcome = fewest_steps(level, wait, &Control::new());
    let Some(plan) = outcome.plan else {
        assert_eq!(outcome.status, Status::Unsolvable);
        return None;
    };
    assert_eq!(outcome.status, Status::Optimal);
    assert_eq!(outcome.bounds.upper, Some(plan.len() as u32));
    let mut position = start(level);
    for joint in &plan {
        assert!(wait || joint.iter().all(Option::is_some));
        position = step(level, &position, joint).expect("a legal joint move");
    }
    assert!(is_solved(level, &position));
    outcome.bounds.upper
}

#[test]
fn random_crews_take_the_fewest_steps() {
    let (mut solvable, mut unsolvable) = (0, 0);
    for i in 0..600 {
        let players = 1 + (i % 3) as usize;
        let boxes = 1 + (i / 3 % 3) as usize;
        if boxes + players > 5 {
            continue;
        }
        let level = random_level(11, i, boxes, players);
        for wait in [true, false] {
            let fewest = sokoban::fewest_steps(&level, wait);
            assert_eq!(solved(&level, wait), fewest, "level {i}, wait {wait}");
            *if fewest.is_some() { &mut solvable } else { &mut unsolvable } += 1;
        }
    }
    assert!(solvable > 200 && unsolvable > 200, "{solvable} and {unsolvable}");
}

#[test]
fn turned_and_mirrored_levels_take_as_many_steps() {
    for i in 0..40 {
        let level = random_level(12, i, 2, 2);
        let steps = solved(&level, true);
        for (times, mirrored) in (0..4).flat_map(|t| [(t, false), (t, true)]) {
            assert_eq!(solved(&turned(&level, times, mirrored), true), steps, "level {i}");
        }
    }
}

/// A joint move by letters, `.` for a wait, and whether it is legal.
#[test]
fn joint_moves_are_judged_at_the_next_step() {
    let corners = [
        ("two players in one cell", &["#####", "#@ @#", "#$  #", "#. .#", "#####"][..], "RL", false),
        ("they change places", &["######", "#@@$.#", "######"], "RL", false),
        ("one follows the other", &["######", "#@@ .#", "#$   #", "######"], "RR", true),
        ("one stays in the way", &["######", "#@@ .#", "#$   #", "######"], "R.", false),
        ("three in a ring", &["#####", "#@@ #", "# @ #", "#$ .#", "#####"], "RDU", false),
        ("a ring of four turns", &["#####", "#@@ #", "#@@ #", "#$ .#", "#####"], "RDUL", false),
    ];
    // Players are numbered by rows: in the ring of four the third goes up and the fourth left.
    for (what, rows, letters, legal) in corners {
        let _ = (what, rows, letters, legal);
    }
}

#[test]
fn limits_end_with_sound_bounds() {
    let level = level(&[
        "#########",
        "#@     .#",
        "# $ $ $ #",
        "#   #   #",
        "#.$   $.#",
        "#@  .  .#",
        "#########",
    ]);
    let whole = fewest_steps(&level, true, &Control::new());
    let optimum = whole.bounds.upper.unwrap();
    for bytes in [0, 10_000, 300_000, 1_000_000] {
        let outcome = fewest_steps(&level, true, &Control::new().memory_limit(bytes));
        assert!(outcome.bounds.lower <= optimum, "{bytes}");
        assert!(outcome.counts.peak_bytes <= bytes, "{bytes}");
        if outcome.plan.is_none() {
            assert_eq!(outcome.status, Status::Limit(Stop::Memory));
        }
    }
    let _ = Direction::ALL;
}
