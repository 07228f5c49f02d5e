//! The rules of sliding tiles as `noyes-check` replays them, one test for each.
//!
//! Nothing here is random: each test fails for certain if the rule it names is
//! broken. docs/mutants.md describes how that was tested.

use noyes_check::{Fault, board_after, board_plan, graph_after, graph_plan};
use noyes_puzzle::graph::Graph;
use noyes_puzzle::tiles::{Board, Direction, Notation, parse_plan};

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn plan(text: &str) -> Vec<Direction> {
    parse_plan(text, Notation::Blank).unwrap()
}

fn not_goal(moves: usize, reached: &str, goal: &str) -> Fault {
    Fault::NotGoal {
        moves,
        reached: reached.into(),
        goal: goal.into(),
    }
}

/// Every plan of at most `length` moves.
fn plans(length: usize) -> Vec<Vec<Direction>> {
    let mut plans = vec![vec![]];
    let mut from = 0;
    for _ in 0..length {
        let to = plans.len();
        for i in from..to {
            for direction in Direction::ALL {
                let mut longer = plans[i].clone();
                longer.push(direction);
                plans.push(longer);
            }
        }
        from = to;
    }
    plans
}

#[test]
fn a_move_takes_the_blank_one_cell_and_its_tile_back() {
    let start = board("1 2 3/4 0 5/6 7 8");
    for (way, after) in [
        ("U", "1 0 3/4 2 5/6 7 8"),
        ("L", "1 2 3/0 4 5/6 7 8"),
        ("R", "1 2 3/4 5 0/6 7 8"),
        ("D", "1 2 3/4 7 5/6 0 8"),
    ] {
        assert_eq!(board_after(&start, &plan(way)), Ok(board(after)), "{way}");
    }
}

#[test]
fn rows_and_columns_are_not_confused_on_a_board_that_is_not_square() {
    let start = board("0 1 2/3 4 5");
    assert_eq!(board_after(&start, &plan("RRD")), Ok(board("1 2 5/3 4 0")));
    assert_eq!(board_after(&start, &plan("DRRU")), Ok(board("3 1 0/4 5 2")));
}

#[test]
fn the_blank_stays_on_the_board_on_every_side_of_every_cell() {
    let (width, height) = (3, 2);
    for cell in 0..width * height {
        let (row, column) = (cell / width, cell % width);
        let mut tiles: Vec<u16> = (1..6).collect();
        tiles.insert(cell, 0);
        let start = Board::new(width, tiles).unwrap();
        for (direction, way, next) in [
            (Direction::Up, "up", (row > 0).then(|| cell - width)),
            (Direction::Left, "left", (column > 0).then(|| cell - 1)),
            (Direction::Right, "right", (column < 2).then(|| cell + 1)),
            (Direction::Down, "down", (row < 1).then(|| cell + width)),
        ] {
            let after = board_after(&start, &[direction]);
            match next {
                Some(next) => assert_eq!(after.unwrap().blank(), next, "{start} {way}"),
                None => assert_eq!(
                    after,
                    Err(Fault::Border {
                        at: 1,
                        way,
                        row: row + 1,
                        column: column + 1
                    }),
                    "{start}"
                ),
            }
        }
    }
}

#[test]
fn the_first_move_out_of_the_board_is_named_with_where_the_blank_is_then() {
    let start = board("1 2 3/4 5 6/7 8 0");
    let fault = Fault::Border {
        at: 4,
        way: "up",
        row: 1,
        column: 2,
    };
    // The moves after it would be illegal as well.
    for text in ["LUUU", "LUUUUU", "LUUULLLL"] {
        assert_eq!(board_after(&start, &plan(text)), Err(fault.clone()));
        assert_eq!(board_plan(&start, &start, &plan(text)), Err(fault.clone()));
    }
    assert_eq!(
        fault.to_string(),
        "move 4 takes the blank up from row 1, column 2, out of the board"
    );
}

#[test]
fn a_board_of_one_cell_allows_no_move() {
    let only = board("0");
    assert_eq!(board_plan(&only, &only, &[]), Ok(0));
    for direction in Direction::ALL {
        assert!(matches!(
            board_plan(&only, &only, &[direction]),
            Err(Fault::Border {
                at: 1,
                row: 1,
                column: 1,
                ..
            })
        ));
    }
}

#[test]
fn the_goal_is_the_whole_board_and_not_the_place_of_the_blank() {
    // Round a corner and back: the blank is home, three tiles are not.
    let start = board("1 2 3/4 5 6/7 8 0");
    assert_eq!(
        board_plan(&start, &start, &plan("LURD")),
        Err(not_goal(4, "1 2 3/4 6 8/7 5 0", "1 2 3/4 5 6/7 8 0"))
    );
    // Three times round, and all of them are.
    assert_eq!(board_plan(&start, &start, &plan("LURDLURDLURD")), Ok(12));
    // Two tiles that are swapped, and nothing else: Sam Loyd's prize.
    assert_eq!(
        board_plan(&board("1 2 3/4 5 6/8 7 0"), &start, &[]),
        Err(not_goal(0, "1 2 3/4 5 6/8 7 0", "1 2 3/4 5 6/7 8 0"))
    );
}

#[test]
fn without_a_move_only_the_goal_itself_passes() {
    let all: Vec<Board> = (0..256u16)
        .map(|n| vec![n >> 6 & 3, n >> 4 & 3, n >> 2 & 3, n & 3])
        .filter_map(|tiles| Board::new(2, tiles).ok())
        .collect();
    assert_eq!(all.len(), 24);
    for start in &all {
        for goal in &all {
            let expected = if start == goal {
                Ok(0)
            } else {
                Err(not_goal(0, &start.to_string(), &goal.to_string()))
            };
            assert_eq!(board_plan(start, goal, &[]), expected);
        }
    }
}

#[test]
fn a_goal_of_another_shape_is_not_reached() {
    assert_eq!(
        board_plan(&board("1 2/3 0"), &board("1 2 3 0/"), &[]),
        Err(not_goal(0, "1 2/3 0", "1 2 3 0/"))
    );
}

#[test]
fn the_cost_of_a_plan_is_its_number_of_moves() {
    let start = board("1 2 3/4 0 6/7 5 8");
    let goal = Board::blank_last(3, 3);
    assert_eq!(board_plan(&start, &goal, &plan("DR")), Ok(2));
    assert_eq!(board_plan(&start, &goal, &plan("UDDR")), Ok(4)); // a detour is legal, and counts
    assert_eq!(board_plan(&goal, &goal, &[]), Ok(0));
}

#[test]
fn a_plan_one_move_too_short_or_too_long_does_not_pass() {
    let start = board("1 2 3/4 0 6/7 5 8");
    let goal = Board::blank_last(3, 3);
    let said = |text: &str| {
        let fault = board_plan(&start, &goal, &plan(text)).unwrap_err();
        fault.to_string()
    };
    assert_eq!(
        said(""),
        "after 0 moves the position is 1 2 3/4 0 6/7 5 8, not the goal 1 2 3/4 5 6/7 8 0"
    );
    assert_eq!(
        said("D"),
        "after 1 move the position is 1 2 3/4 5 6/7 0 8, not the goal 1 2 3/4 5 6/7 8 0"
    );
    assert_eq!(
        said("DRU"),
        "after 3 moves the position is 1 2 3/4 5 0/7 8 6, not the goal 1 2 3/4 5 6/7 8 0"
    );
}

#[test]
fn every_short_plan_on_small_boards_is_judged_as_the_rules_of_the_puzzle_do() {
    let plans = plans(6);
    for start in [
        "0",
        "1 0 2/",
        "1/0/2",
        "1 2/3 0",
        "1 0 2/3 4 5",
        "1 2/0 3/4 5",
    ] {
        let start = board(start);
        for plan in &plans {
            let mut after = start.clone();
            let illegal = plan.iter().position(|&d| !after.step(d));
            match (board_after(&start, plan), illegal) {
                (Ok(reached), None) => {
                    assert_eq!(reached, after);
                    assert_eq!(board_plan(&start, &after, plan), Ok(plan.len() as u32));
                }
                (Err(Fault::Border { at, .. }), Some(illegal)) => assert_eq!(at, illegal + 1),
                other => panic!("{start} {plan:?}: {other:?}"),
            }
        }
    }
}

/// Four vertices in a ring, a b c d.
fn ring() -> Graph {
    let names = ["a", "b", "c", "d"].map(String::from).to_vec();
    Graph::new(names, &[(0, 1), (1, 2), (2, 3), (3, 0)]).unwrap()
}

#[test]
fn on_a_graph_the_blank_goes_along_an_edge_and_its_tile_back() {
    let start = [1, 0, 2, 3];
    assert_eq!(graph_after(&ring(), &start, &[]), Ok(vec![1, 0, 2, 3]));
    assert_eq!(graph_after(&ring(), &start, &[0]), Ok(vec![0, 1, 2, 3]));
    assert_eq!(graph_after(&ring(), &start, &[2]), Ok(vec![1, 2, 0, 3]));
    assert_eq!(
        graph_after(&ring(), &start, &[2, 3, 0]),
        Ok(vec![0, 2, 3, 1])
    );
}

#[test]
fn on_a_graph_the_first_move_without_an_edge_is_named_with_both_ends() {
    let no_edge = |at: usize, from: &str, to: &str| {
        let (from, to) = (from.to_string(), to.to_string());
        Err(Fault::NoEdge { at, from, to })
    };
    let start = [1, 0, 2, 3];
    assert_eq!(graph_after(&ring(), &start, &[3]), no_edge(1, "b", "d"));
    assert_eq!(graph_after(&ring(), &start, &[1]), no_edge(1, "b", "b"));
    let broken = [2, 3, 1, 3, 1];
    assert_eq!(graph_after(&ring(), &start, &broken), no_edge(3, "d", "b"));
    let fault = graph_plan(&ring(), &start, &start, &broken);
    assert_eq!(
        fault.unwrap_err().to_string(),
        "move 3 takes the blank from d to b, which do not touch"
    );
}

#[test]
fn a_vertex_that_the_graph_does_not_have_is_a_fault_and_no_panic() {
    let fault = graph_after(&ring(), &[0, 1, 2, 3], &[4]).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "move 1 takes the blank from a to 4, which do not touch"
    );
}

#[test]
fn on_a_graph_the_goal_is_every_tile_and_not_the_place_of_the_blank() {
    let start = [0, 1, 2, 3];
    let round = [1, 2, 3, 0];
    assert_eq!(graph_plan(&ring(), &start, &[0, 2, 3, 1], &round), Ok(4));
    assert_eq!(
        graph_plan(&ring(), &start, &start, &round),
        Err(not_goal(4, "0 2 3 1", "0 1 2 3"))
    );
    assert_eq!(graph_plan(&ring(), &start, &start, &[]), Ok(0));
    assert_eq!(
        graph_plan(&ring(), &start, &[0, 2, 1, 3], &[]),
        Err(not_goal(0, "0 1 2 3", "0 2 1 3"))
    );
}

#[test]
#[should_panic(expected = "a blank")]
fn tiles_without_a_blank_are_no_position() {
    let _ = graph_after(&ring(), &[1, 2, 3, 4], &[]);
}
