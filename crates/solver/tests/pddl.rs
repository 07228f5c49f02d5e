//! PDDL says what the puzzles are: a planner that knows nothing else finds the same optimum on random boards and levels,
//! and its plans are read back. Everything in the files is declared, with the right number and types of arguments.

use noyes_check::{board_plan as replay, sokoban_plan};
use noyes_puzzle::pddl::{Counted, board_plan, board_task, claimed_cost, level_plan, level_task};
use noyes_puzzle::sokoban::{Level, Walks, read_levels};
use noyes_puzzle::tiles::{Board, Generator, Goal, random_board};
use noyes_solver::{Ask, Control, Objective, Request, Status, solve};

use crate::plain_sokoban::{level, random_level};
use crate::strips::Planner;

/// The optimum, or none.
fn optimum(request: &Request) -> Option<u32> {
    let answer = solve(request, &Control::new()).unwrap();
    match answer.status {
        Status::Optimal => answer.bounds.upper,
        Status::Unsolvable => None,
        other => panic!("{other:?}"),
    }
}

fn assert_board(start: &Board, goal: &Board) {
    let found = Planner::new(&board_task(start, goal)).plan();
    let request = Ask::board(start.clone(), Goal::Board(goal.clone()))
        .request()
        .unwrap();
    assert_eq!(
        found.as_ref().map(|f| f.0),
        optimum(&request),
        "{start} to {goal}"
    );
    if let Some((cost, text)) = found {
        let plan = board_plan(start, &text).unwrap();
        assert_eq!(replay(start, goal, &plan), Ok(cost));
        assert_eq!(claimed_cost(&text), Some(cost.into()));
    }
}

#[test]
fn a_planner_finds_the_optimum_of_boards() {
    for (width, height) in [(3, 2), (2, 3), (2, 2), (4, 1), (1, 1)] {
        for i in 0..12 {
            let goal = match i % 3 {
                0 => Board::blank_first(width, height),
                1 => Board::blank_last(width, height),
                _ => random_board(&Board::blank_last(width, height), &mut Generator::new(8, i)),
            };
            assert_board(&random_board(&goal, &mut Generator::new(7, i)), &goal);
        }
    }
    let goal = Board::blank_last(3, 3);
    for i in 0..2 {
        assert_board(&random_board(&goal, &mut Generator::new(9, i)), &goal);
    }
}

#[test]
fn a_planner_finds_no_plan_where_none_is() {
    assert_board(&"2 1 3/4 5 0".parse().unwrap(), &Board::blank_last(3, 2));
    assert_board(&"2 1 0/".parse().unwrap(), &"1 2 0/".parse().unwrap());
    for rows in [
        &["######", "#@$..#", "######"][..], // a box too few
        &["#####", "#@  #", "#$ .#", "#####"],
        &["#####", "#@ .#", "#####"],
    ] {
        assert_eq!(assert_level(&level(rows)), [None, None]);
    }
}

/// Asserts for both objectives that the planner finds the optimum, and gives it.
fn assert_level(level: &Level) -> [Option<u32>; 2] {
    let kinds = [
        (Counted::Pushes, Objective::Pushes),
        (Counted::Moves, Objective::Moves),
    ];
    kinds.map(|(counted, objective)| {
        let found = Planner::new(&level_task(level, counted).unwrap()).plan();
        let request = Ask::level(level.clone())
            .objective(objective)
            .request()
            .unwrap();
        let cost = found.as_ref().map(|f| f.0);
        assert_eq!(cost, optimum(&request), "{level:?} by {objective:?}");
        if let Some((cost, text)) = found {
            let walks = Walks::of_one(&level_plan(level, &text).unwrap());
            let done = sokoban_plan(level, &walks, true).unwrap();
            match objective {
                Objective::Pushes => assert_eq!(done.pushes, cost),
                Objective::Moves => assert_eq!(done.steps, cost),
            }
        }
        cost
    })
}

#[test]
fn a_planner_finds_the_optimum_of_levels() {
    let (mut solved, mut unsolvable) = (0, 0);
    for i in 0..180 {
        let boxes = 1 + (i % 3) as usize; // of two or three, sometimes one more than goals
        match assert_level(&random_level(21, i, boxes, 1)) {
            [Some(pushes), Some(moves)] => {
                assert!(pushes <= moves);
                solved += u32::from(pushes > 0);
            }
            costs => {
                assert_eq!(costs, [None, None]);
                unsolvable += 1;
            }
        }
    }
    assert!(
        solved > 10 && unsolvable > 10,
        "{solved} solved, {unsolvable} not"
    );
}

#[test]
fn a_planner_finds_the_optimum_of_our_own_levels() {
    let file = include_str!("../../../data/sokoban/noyes.xsb");
    let levels = read_levels(file).unwrap();
    let pushes = [9, 9, 11, 12, 12, 13]; // as their comments say
    for (entry, pushes) in levels.into_iter().zip(pushes) {
        assert_eq!(assert_level(&entry.level.unwrap())[0], Some(pushes));
    }
}

#[test]
fn boxes_to_spare_stay_where_they_are() {
    let rows = ["#######", "#@ $ .#", "#  $  #", "#  $  #", "#######"];
    assert_eq!(assert_level(&level(&rows))[0], Some(2));
}

#[test]
fn what_is_not_declared_is_noticed() {
    let board: Board = "1 2/0 3".parse().unwrap();
    let task = board_task(&board, &Board::blank_last(2, 2));
    let _ = Planner::new(&task);
    let goals = "(:goal (and";
    for (from, to) in [
        ("t1 t2 t3 - tile", "t1 t2 - tile"),
        ("(blank r2c1)", "(blank t1)"),
        ("(blank r2c1)", "(blank r2c1 r2c2)"),
        ("(blank r2c1)", "(empty r2c1)"),
        (":domain sliding-tiles", ":domain sokoban-moves"),
        (goals, "(:goal ((and"),
    ] {
        let mut wrong = task.clone();
        wrong.problem = wrong.problem.replace(from, to);
        assert_ne!(wrong, task, "{from}");
        assert!(
            std::panic::catch_unwind(|| Planner::new(&wrong)).is_err(),
            "{to}"
        );
    }
    for (from, to) in [
        (":strips :typing", ":strips"),
        ("(blank ?to))\n", "(blank ?there))\n"),
        ("tile cell - object", "cell - object"),
    ] {
        let mut wrong = task.clone();
        wrong.domain = wrong.domain.replace(from, to);
        assert_ne!(wrong, task, "{from}");
        assert!(
            std::panic::catch_unwind(|| Planner::new(&wrong)).is_err(),
            "{to}"
        );
    }
}
