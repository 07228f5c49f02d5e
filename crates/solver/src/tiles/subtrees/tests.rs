//! Subtrees against the generic IDA*, with any number of threads, and cut off and resumed.

use std::sync::Arc;

use noyes_puzzle::Duplicates;
use noyes_puzzle::graph::Graph;
use noyes_puzzle::tiles::{Board, Generator, Goal, random_walk};

use super::{Deepening, Keep, Part, Run, Searched, Walks};
use crate::answer::Outcome;
use crate::control::{Control, Stop};
use crate::tiles::heuristic::HeuristicName;
use crate::tiles::pdb::Tables;
use crate::tiles::{heuristic_of_parts, parts_of};
use crate::{Ask, Engine, Status, solve};
use noyes_puzzle::tiles::Direction;

fn deepening(heuristic: &str, goal: &Board, tables: &Tables, depth: usize) -> Deepening {
    let heuristic: HeuristicName = heuristic.parse().unwrap();
    assert!(Deepening::fits(&heuristic, goal), "{heuristic} on {goal}");
    let (width, height) = (goal.width(), goal.height());
    let walks = Walks::new(
        &Duplicates::new(&Graph::grid(width, height), depth),
        width,
        height,
    );
    Deepening::new(
        &heuristic,
        goal,
        tables,
        (depth, Arc::new(walks)),
        &Control::new(),
    )
    .unwrap()
}

#[test]
fn optima_are_those_of_manhattan_for_every_kind_of_board_and_catalogue() {
    let tables = Tables::in_memory();
    let blank_first = |width, height| Board::blank_first(width, height);
    let odd: Board = "9 1 2 3/4 0 6 7/8 5 10 11/12 13 15 14".parse().unwrap();
    for (goal, heuristic, depth, walk) in [
        (blank_first(2, 2), "pdb:3", 2, 9),
        (blank_first(3, 3), "pdb:4-4", 2, 60),
        (blank_first(3, 3), "pdb:4-4+reflect", 8, 60),
        (Board::blank_last(4, 3), "pdb:5-6", 6, 80),
        (blank_first(5, 2), "pdb:3-3-3", 9, 60),
        (blank_first(2, 5), "pdb:5-4", 9, 60),
        (odd.clone(), "pdb:5-5-5+reflect", 10, 44),
        (
            odd,
            "pdb:1,2,3,4,5+6,7,8,9,10+11,12,13,14,15/pdb:1,2,3,4,5+6,7,11,12,13+8,9,10,14,15+reflect",
            8,
            44,
        ),
        (
            Board::blank_last(4, 4),
            "pdb:5-5-5/pdb:4-4-4-3+reflect",
            6,
            44,
        ),
        (Board::blank_last(5, 4), "pdb:4-4-4-4-3", 8, 40),
        (Board::blank_last(6, 5), "pdb:4-4-4-4-4-4-3-2", 6, 36),
        (blank_first(4, 7), "pdb:4-4-4-4-4-4-3", 8, 36),
        (blank_first(5, 5), "pdb:4-4-4-4-4-4+reflect", 8, 36),
        (blank_first(5, 5), "pdb:5-5-5-5-4/pdb:1,2+3,4+5,6", 8, 36),
    ] {
        let deepening = deepening(heuristic, &goal, &tables, depth);
        for i in 0..8 {
            let board = random_walk(&goal, walk * i as usize / 7, &mut Generator::new(5, i));
            let request = Ask::board(board.clone(), Goal::Board(goal.clone()))
                .engine(Engine::IdaStar)
                .request()
                .unwrap();
            let expected = solve(&request, &Control::new()).unwrap().bounds.upper;
            for threads in [1, 3] {
                let control = Control::new();
                let run = Run {
                    threads,
                    ..Run::new(&control)
                };
                let outcome = deepening.solve(&board, run).unwrap();
                assert_eq!(
                    outcome.bounds.upper, expected,
                    "{board} to {goal} by {heuristic}"
                );
                let plan = outcome.plan.unwrap();
                assert_eq!(noyes_check::board_plan(&board, &goal, &plan).ok(), expected);
                assert!(u64::from(deepening.bound(&board)) <= plan.len() as u64);
            }
        }
    }
}

#[test]
fn bounds_never_exceed_the_rest_of_an_optimal_plan() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/korf24-50-plan.txt");
    let text = std::fs::read_to_string(data).unwrap();
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let tiles = lines.next().unwrap().split(' ').map(|t| t.parse().unwrap());
    let mut board = Board::new(5, tiles.collect()).unwrap();
    let letters = lines.next().unwrap();
    let plan: Vec<Direction> = (letters.chars())
        .map(|letter| match letter {
            'U' => Direction::Up,
            'L' => Direction::Left,
            'R' => Direction::Right,
            _ => Direction::Down,
        })
        .collect();
    let goal = Board::blank_first(5, 5);
    let tables = Tables::in_memory().threads(2);
    let of = |heuristic| deepening(heuristic, &goal, &tables, 2);
    let all = [of("pdb:5-5-5-5-4+reflect"), of("pdb:6-6-6-6+reflect")];
    for (i, &direction) in plan.iter().enumerate() {
        for deepening in &all {
            let bound = deepening.bound(&board);
            assert!(bound as usize <= plan.len() - i, "{board}");
        }
        assert!(board.step(direction));
    }
    assert_eq!(board, goal);
}

/// A board of 5×5 that takes a few hundred thousand states, and its limits that are searched to the end.
fn hard(deepening: &Deepening, run: Run) -> (Vec<Searched>, Outcome<Direction>) {
    let board = "1 2 12 6 16/10 5 17 18 7/13 21 8 19 3/15 23 4 0 9/20 14 11 22 24";
    let mut limits = vec![];
    let outcome = deepening.searched(&board.parse().unwrap(), run, &mut |limit| {
        limits.push(limit);
    });
    (limits, outcome.unwrap())
}

#[test]
fn limits_have_the_same_counts_with_any_number_of_threads() {
    let goal = Board::blank_first(5, 5);
    let deepening = deepening(
        "pdb:2-2-2-2-2-2-2-2-2-2-2-2",
        &goal,
        &Tables::in_memory(),
        6,
    );
    let control = Control::new();
    let (expected, outcome) = hard(&deepening, Run::new(&control));
    assert!(
        expected.len() > 1 && expected.last().unwrap().expanded > 10_000,
        "{expected:?}"
    );
    assert_eq!(outcome.status, Status::Optimal);
    for threads in [2, 3, 7] {
        let (limits, other) = hard(
            &deepening,
            Run {
                threads,
                ..Run::new(&control)
            },
        );
        assert_eq!(limits, expected);
        assert_eq!(other.bounds, outcome.bounds);
    }
    // A plan that is known is not looked for again.
    let upper = outcome.bounds.upper.unwrap();
    let (limits, other) = hard(
        &deepening,
        Run {
            upper,
            ..Run::new(&control)
        },
    );
    assert_eq!(
        (limits, other.status),
        (expected, Status::Limit(Stop::Bound))
    );
    assert_eq!((other.plan, other.bounds.lower), (None, upper));
}

#[test]
fn a_run_that_was_cut_off_goes_on_where_it_was() {
    let goal = Board::blank_first(5, 5);
    let deepening = deepening(
        "pdb:2-2-2-2-2-2-2-2-2-2-2-2",
        &goal,
        &Tables::in_memory(),
        6,
    );
    let control = Control::new();
    let (expected, whole) = hard(&deepening, Run::new(&control));
    let folder = tempfile::tempdir().unwrap();
    let keep = Keep::File(folder.path().join("checkpoint.txt"));
    let mut generator = Generator::new(3, 0);
    let mut limits = vec![];
    let mut runs = 0;
    let last = loop {
        // A budget is kept only roughly, so that every run does something.
        let budget = control.within(400_000 + generator.below(400_000) as u64);
        let run = Run {
            threads: 1 + runs % 3,
            checkpoints: Some(&keep),
            ..Run::new(&budget)
        };
        let (more, outcome) = hard(&deepening, run);
        limits.extend(more);
        runs += 1;
        if outcome.status == Status::Optimal {
            break outcome;
        }
        assert_eq!(outcome.status, Status::Limit(Stop::Budget));
        assert!(
            runs < 200,
            "every run brings the search forward: {outcome:?}"
        );
    };
    assert!(runs > 3, "{runs} runs");
    assert_eq!(limits, expected);
    assert_eq!(last.bounds, whole.bounds);
    assert_eq!(
        std::fs::read_dir(folder.path()).unwrap().count(),
        0,
        "nothing is left"
    );
    // Another board's checkpoint is refused.
    let budget = control.within(20_000);
    let run = Run {
        checkpoints: Some(&keep),
        ..Run::new(&budget)
    };
    hard(&deepening, run);
    let error = deepening
        .solve(&random_walk(&goal, 9, &mut generator), run)
        .unwrap_err();
    assert!(
        error.to_string().contains("of another search: start is"),
        "{error}"
    );
}

#[test]
fn parts_of_a_limit_add_up_to_the_limit() {
    let goal = Board::blank_first(5, 4);
    let heuristic: HeuristicName = "pdb:5-5-5-4".parse().unwrap();
    let mut shared = false;
    for i in 0..6 {
        let board = random_walk(&goal, 90, &mut Generator::new(9, i));
        let request = Ask::board(board.clone(), Goal::Board(goal.clone()))
            .engine(Engine::IdaStar)
            .heuristic(Some(heuristic.clone()))
            .request()
            .unwrap();
        assert_eq!(heuristic_of_parts(&request), Some(heuristic.clone()));
        let control = Control::new();
        let parts = parts_of(&request, &control).unwrap().unwrap();
        // 1. Every limit below the optimum, and the optimum itself, by one thread.
        let mut limits: Vec<Searched> = vec![];
        let run = Run::new(&control);
        let deepening = deepening("pdb:5-5-5-4", &goal, &Tables::in_memory(), 12);
        let whole = deepening
            .searched(&board, run, &mut |limit| limits.push(limit))
            .unwrap();
        // 2. The same in parts, of which the first limits are searched alone.
        let opening = parts.open(2_000, &control);
        if opening.plan.is_some() {
            assert_eq!(opening.limit, whole.bounds.lower);
            continue;
        }
        let (mut limit, mut plan) = (opening.limit, None);
        while plan.is_none() {
            let cut = parts.cut(limit, 40);
            plan.clone_from(&cut.plan);
            let mut counts = cut.above;
            for first in 0..7.min(cut.subtrees) {
                let part = Part {
                    limit,
                    depth: cut.depth,
                    subtrees: cut.subtrees,
                    check: cut.check,
                    first,
                    step: 7,
                };
                let end = parts.search(&part, 1 + first % 2, &control).unwrap();
                counts = (counts.0 + end.counts.0, counts.1 + end.counts.1);
                plan = plan.or(end.plan);
                let foreign = Part {
                    check: part.check ^ 1,
                    ..part
                };
                assert!(parts.search(&foreign, 1, &control).is_err());
            }
            if plan.is_none() {
                let one = limits.iter().find(|one| one.limit == limit).unwrap();
                assert_eq!(counts, (one.expanded, one.generated), "limit {limit}");
                shared = true;
            }
            limit += 2;
        }
        assert_eq!(plan.unwrap().len() as u32, whole.bounds.lower);
    }
    assert!(shared, "no limit was searched in parts");
}

#[test]
fn the_rest_of_a_part_is_searched_elsewhere_and_counted_once() {
    let goal = Board::blank_first(5, 4);
    let control = Control::new();
    let mut splits = 0;
    for i in 0..6 {
        let board = random_walk(&goal, 90, &mut Generator::new(9, i));
        let request = Ask::board(board.clone(), Goal::Board(goal.clone()))
            .engine(Engine::IdaStar)
            .heuristic(Some("pdb:5-5-5-4".parse().unwrap()))
            .request()
            .unwrap();
        let parts = parts_of(&request, &control).unwrap().unwrap();
        let optimum = parts.open(u64::MAX, &control).limit;
        let mut limit = parts.open(1_000, &control).limit;
        while limit <= optimum {
            let cut = parts.cut(limit, 20);
            let part = |first, step| Part {
                limit,
                depth: cut.depth,
                subtrees: cut.subtrees,
                check: cut.check,
                first,
                step,
            };
            if cut.subtrees == 0 || cut.plan.is_some() {
                limit += 2;
                continue;
            }
            let whole = parts.search(&part(0, 1), 1, &control).unwrap();
            // Parts, and what is left of them in pieces, and what is left of those.
            let (mut counts, mut plan) = ((0, 0), None);
            let mut left = vec![];
            for first in 0..3.min(cut.subtrees) {
                let end = parts.search_some(&part(first, 3), 300, &control).unwrap();
                let again = parts.search_some(&part(first, 3), 300, &control).unwrap();
                assert_eq!(end, again, "a part leaves the same rest each time");
                left.push(end);
            }
            while let Some(end) = left.pop() {
                counts = (counts.0 + end.counts.0, counts.1 + end.counts.1);
                plan = plan.or(end.plan);
                for some in end.rest.chunks(7) {
                    splits += 1;
                    let end = parts.search_rest(limit, some, 300, &control).unwrap();
                    left.push(end);
                }
            }
            if limit < optimum {
                assert_eq!(counts, whole.counts, "limit {limit}");
                assert_eq!(plan, None);
            } else {
                assert_eq!(plan.map(|plan| plan.len() as u32), Some(optimum));
            }
            limit += 2;
        }
        // There and back again is never a part of the tree, nor are no moves at all, nor limits beyond a byte.
        for (limit, foreign) in [
            (optimum, vec![Direction::Up, Direction::Down, Direction::Up]),
            (
                optimum,
                vec![Direction::Left, Direction::Right, Direction::Up],
            ),
            (optimum, vec![]),
            (256, vec![Direction::Up]),
        ] {
            let end = parts.search_rest(limit, &[foreign], 300, &control);
            assert!(end.is_err(), "{end:?}");
        }
    }
    assert!(splits > 100, "{splits}");
}

#[test]
fn a_part_of_a_tree_that_is_too_large_is_refused() {
    let goal = Board::blank_first(5, 4);
    let board = random_walk(&goal, 90, &mut Generator::new(9, 0));
    let request = Ask::board(board, Goal::Board(goal))
        .engine(Engine::IdaStar)
        .heuristic(Some("pdb:3-3-3-3-3-4".parse().unwrap()))
        .request()
        .unwrap();
    let control = Control::new();
    let parts = parts_of(&request, &control).unwrap().unwrap();
    // Nobody cuts this deep: 10^11 subtrees, and more memory than there is.
    let part = Part {
        limit: 200,
        depth: 32,
        subtrees: usize::MAX,
        check: 0,
        first: 0,
        step: 1,
    };
    assert!(parts.search(&part, 1, &control).is_err());
}
