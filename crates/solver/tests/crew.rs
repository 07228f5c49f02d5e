//! Crews: the corner cases of the rules, and the fewest steps compared with a plain search that uses only the rules.

use crate::plain_sokoban::{is_solved, level, random_level, start, step, turned};
use noyes_puzzle::sokoban::{Level, State};
use noyes_puzzle::tiles::Direction;
use noyes_solver::sokoban::fewest_steps;
use noyes_solver::{Control, Status, Stop};

/// The fewest steps. Replays the plan by the plain rules.
fn solved(level: &Level, wait: bool) -> Option<u32> {
    let outcome = fewest_steps(level, wait, &Control::new()).outcome;
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
fn random_crews_need_the_fewest_steps_of_plain_search() {
    let (mut solvable, mut unsolvable) = (0, 0);
    for i in 0..600 {
        let players = 1 + (i % 3) as usize;
        let boxes = 1 + (i / 3 % 3) as usize;
        if boxes + players > 5 {
            continue;
        }
        let level = random_level(11, i, boxes, players);
        for wait in [true, false] {
            let fewest = crate::plain_sokoban::fewest_steps(&level, wait);
            assert_eq!(solved(&level, wait), fewest, "level {i}, wait {wait}");
            *if fewest.is_some() {
                &mut solvable
            } else {
                &mut unsolvable
            } += 1;
        }
    }
    assert!(
        solvable > 200 && unsolvable > 200,
        "{solvable} and {unsolvable}"
    );
}

#[test]
fn rotated_and_mirrored_levels_need_as_many_steps() {
    for i in 0..40 {
        let level = random_level(12, i, 2, 2);
        let steps = solved(&level, true);
        for (times, mirrored) in (0..4).flat_map(|t| [(t, false), (t, true)]) {
            assert_eq!(
                solved(&turned(&level, times, mirrored), true),
                steps,
                "level {i}"
            );
        }
    }
}

/// Joint moves and whether they are legal: a letter for each player, row by row, and `.` for waiting.
const CORNERS: [(&str, &[&str], &str, bool); 18] = [
    (
        "two players enter one cell",
        &["#####", "#@ @#", "#$ .#", "#####"],
        "RL",
        false,
    ),
    (
        "a player enters a cell where another stays",
        &["######", "#@@ .#", "#$   #", "######"],
        "R.",
        false,
    ),
    (
        "two players change places",
        &["######", "#@@$.#", "######"],
        "RL",
        false,
    ),
    (
        "one player follows another",
        &["######", "#@@ .#", "#$   #", "######"],
        "RR",
        true,
    ),
    (
        "four players move in a circle",
        &["#####", "#@@ #", "#@@ #", "#$ .#", "#####"],
        "RDUL",
        true,
    ),
    (
        "a player walks into a wall",
        &["#####", "#@  #", "#$ .#", "#####"],
        "L",
        false,
    ),
    (
        "a box is pushed into a wall",
        &["#####", "#@  #", "#$ .#", "#####"],
        "D",
        false,
    ),
    (
        "a box is pushed onto a box",
        &["#######", "#@$$ .#", "#######"],
        "R",
        false,
    ),
    (
        "a box is pushed onto a player who stays",
        &["#######", "#@$@ .#", "#######"],
        "R.",
        false,
    ),
    (
        "a box is pushed to a cell that a player leaves",
        &["#######", "#@$@ .#", "#######"],
        "RR",
        true,
    ),
    (
        "two players push one box from opposite sides",
        &["#######", "#@$@ .#", "#######"],
        "RL",
        false,
    ),
    (
        "two players push one box in different directions",
        &["#####", "#   #", "#@$.#", "# @ #", "#####"],
        "RU",
        false,
    ),
    (
        "two boxes are pushed into one cell",
        &["#######", "#@$.$@#", "#######"],
        "RL",
        false,
    ),
    (
        "a box and a player enter one cell",
        &["######", "#@$.@#", "######"],
        "RL",
        false,
    ),
    (
        "a player follows one who pushes",
        &["#######", "#@@$ .#", "#######"],
        "RR",
        true,
    ),
    (
        "two players push side by side",
        &["#####", "#@$.#", "#@$.#", "#####"],
        "RR",
        true,
    ),
    (
        "a box is pushed sideways out of a row",
        &["######", "#  @ #", "#@$$.#", "#    #", "######"],
        "D.",
        true,
    ),
    // The second box leaves its cell, but its pusher enters that cell.
    (
        "a box is pushed into the cell that another box leaves",
        &["######", "#  @ #", "#@$$.#", "#    #", "######"],
        "DR",
        false,
    ),
];

#[test]
fn joint_moves_are_judged_by_the_position_after_the_step() {
    for (what, rows, letters, is_legal) in CORNERS {
        let level = level(rows);
        let moves: Vec<_> = letters.chars().map(Direction::from_letter).collect();
        assert_eq!(moves.len(), level.players().len());
        let plain = step(&level, &start(&level), &moves);
        assert_eq!(plain.is_some(), is_legal, "{what}");
        let mut state = State::start(&level);
        let done = noyes_puzzle::sokoban::step(&level, &mut state, &moves, true);
        assert_eq!(done.is_ok(), is_legal, "{what}: the rules of the puzzle");
    }
}

/// map1 of the NTU report with two players, as in its authors' program.
const MAP1MA: &[&str] = &[
    "########", "###@  ##", "#.@$  ##", "### $.##", "#.##$ ##", "# # . ##", "#$  $$.#", "#   .  #",
    "########",
];

#[test]
fn two_players_solve_map1_in_16_steps_with_and_without_waiting() {
    assert_eq!(solved(&level(MAP1MA), true), Some(16));
    assert_eq!(solved(&level(MAP1MA), false), Some(16));
}

/// As table 1 of the NTU report says.
#[test]
fn one_player_solves_map1_in_31_steps() {
    let map1 = [
        "########", "###   ##", "#.@$  ##", "### $.##", "#.##$ ##", "# # . ##", "#$  $$.#",
        "#   .  #", "########",
    ];
    assert_eq!(solved(&level(&map1), true), Some(31));
}

#[test]
fn four_players_share_the_work() {
    let rows = [
        "#########",
        "#@  .  @#",
        "# $   $ #",
        "#.  #  .#",
        "# $   $ #",
        "#@  .  @#",
        "#########",
    ];
    let four = solved(&level(&rows), false);
    assert_eq!(four, Some(7));
    let two = rows.map(|row| row.replace("  @#", "   #"));
    let two: Vec<&str> = two.iter().map(String::as_str).collect();
    assert!(solved(&level(&two), false) > four);
}

#[test]
fn unsolvable_and_solved_levels_are_recognised() {
    let apart = level(&["#######", "#@ # .#", "#  #$ #", "#  #  #", "#######"]);
    assert_eq!(solved(&apart, true), None, "nobody can reach the box");
    let too_few = level(&["#######", "#@ $ .#", "#    .#", "#######"]);
    assert_eq!(solved(&too_few, true), None, "two goals, one box");
    let done = level(&["#####", "#@ *#", "#####"]);
    assert_eq!(solved(&done, false), Some(0));
    let stuck = level(&["#####", "#@$.#", "#####"]);
    assert_eq!(solved(&stuck, false), Some(1));
    let frozen = level(&["######", "#@@  #", "# $$ #", "# $$.#", "#. ..#", "######"]);
    assert_eq!(
        solved(&frozen, true),
        None,
        "four boxes that block one another"
    );
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
    let whole = fewest_steps(&level, true, &Control::new()).outcome;
    let optimum = whole.bounds.upper.unwrap();
    for bytes in [0, 10_000, 300_000, 1_000_000] {
        let outcome = fewest_steps(&level, true, &Control::new().memory_limit(bytes)).outcome;
        assert!(outcome.bounds.lower <= optimum, "{bytes}");
        assert!(outcome.counts.peak_bytes <= bytes, "{bytes}");
        if outcome.plan.is_none() {
            assert_eq!(outcome.status, Status::Limit(Stop::Memory));
        }
    }
}
