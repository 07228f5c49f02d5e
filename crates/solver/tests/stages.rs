//! Levels by SAT in stages: a plan is found wherever there is one, no bound is wrong, and limits hold.

use std::time::Duration;

use crate::plain_sokoban::level;
use crate::sokoban_sat::{flood, levels, replay};
use crate::ways::learning_ways;
use noyes_solver::sat::{ByMoves, ByPushes, LevelEncoding, SatOptions, solve_level};
use noyes_solver::{Control, Objective, Status, Stop};

fn in_stages(encoding: LevelEncoding) -> SatOptions<LevelEncoding> {
    SatOptions {
        decompose: true,
        ..SatOptions::of(encoding)
    }
}

#[test]
fn stages_find_a_plan_wherever_there_is_one() {
    let mut longer = 0;
    for (players, count) in [(1, 60), (2, 20)] {
        for (i, level) in levels(players, count).into_iter().enumerate() {
            for &encoding in LevelEncoding::ALL {
                let objective = encoding.objective();
                if players > 1 && objective == Objective::Pushes {
                    continue;
                }
                let wait = i % 3 > 0;
                let Some((optimum, _)) = flood(&level, objective, wait, 0) else {
                    continue;
                };
                let way = learning_ways().swap_remove(i % learning_ways().len());
                let way = SatOptions {
                    decompose: true,
                    ..way.with(encoding)
                };
                let told = format!("{level:?} by {way:?}, wait: {wait}");
                let outcome = solve_level(&level, wait, &way, &Control::new()).outcome;
                let outcome = outcome.unwrap();
                let (steps, pushes) = replay(&level, &outcome.plan.unwrap());
                let cost = match objective {
                    Objective::Pushes => pushes,
                    Objective::Moves => steps,
                };
                assert_eq!(outcome.bounds.upper, Some(cost), "{told}");
                assert!(cost >= optimum && outcome.bounds.lower <= optimum, "{told}");
                let is_proven = outcome.bounds.lower == cost;
                assert_eq!(outcome.status == Status::Optimal, is_proven, "{told}");
                longer += u32::from(cost > optimum);
            }
        }
    }
    assert!(longer > 0, "stages are not optimal by chance alone");
}

#[test]
fn stages_fall_back_to_the_whole_question() {
    // One goal cannot be filled without the other: the whole question is asked in the end, and proves its optimum.
    let like_map11 = level(&[
        "#######", "# ##  #", "#. #  #", "# $# ##", "#  @$ #", "#   . #", "#######",
    ]);
    let stages = in_stages(LevelEncoding::Moves(ByMoves::Own));
    let outcome = solve_level(&like_map11, true, &stages, &Control::new()).outcome;
    let outcome = outcome.unwrap();
    assert_eq!(outcome.status, Status::Optimal);
    assert_eq!(outcome.bounds.upper, Some(31));
    // The nearer goal is where the way to the other box begins, and a box there never moves again.
    let level = level(&[
        "#########",
        "#   #####",
        "#@$  .###",
        "#   #   #",
        "##### $.#",
        "#####   #",
        "#########",
    ]);
    let (optimum, _) = flood(&level, Objective::Moves, true, 0).unwrap();
    for &encoding in LevelEncoding::ALL {
        let way = in_stages(encoding);
        let outcome = solve_level(&level, true, &way, &Control::new()).outcome;
        let (steps, _) = replay(&level, &outcome.unwrap().plan.unwrap());
        assert!(steps >= optimum, "{encoding}");
    }
    // No plan at all: as without stages.
    let none = crate::plain_sokoban::level(&["#####", "##  #", "##@ #", "#$$.#", "#   #", "#####"]);
    let way = in_stages(LevelEncoding::Pushes(ByPushes::Own));
    let outcome = solve_level(&none, true, &way, &Control::new()).outcome;
    assert_eq!(outcome.unwrap().status, Status::Unsolvable);
}

#[test]
fn stages_keep_to_the_time_limit() {
    let level = level(&[
        "##########",
        "#        #",
        "#.$.   ###",
        "##$$  .  #",
        "##     #@#",
        "# $   #  #",
        "#. $.#   #",
        "##########",
    ]);
    let way = in_stages(LevelEncoding::Moves(ByMoves::Paper));
    let control = Control::new().time_limit(Duration::from_millis(100));
    let outcome = solve_level(&level, true, &way, &control).outcome.unwrap();
    assert!(outcome.bounds.lower <= 51 && outcome.bounds.upper.is_none_or(|upper| upper >= 51));
    // A machine that is fast enough may finish.
    let is_stopped = outcome.status == Status::Limit(Stop::Time);
    assert_eq!(is_stopped, outcome.plan.is_none());
}
