//! The human method: every plan reaches the goal, and its steps follow the method.

use std::collections::HashSet;

use noyes_check::board_plan;
use noyes_puzzle::tiles::{Board, Direction, Generator, Goal, random_board};
use noyes_solver::tiles::human;
use noyes_solver::{Ask, Control, Engine, HeuristicName, HumanStep, Status, Stop, solve};

/// Solves a board and checks the plan, its steps and their set-up positions. Returns the number of moves.
fn assert_solved(start: &Board, goal: &Board) -> usize {
    let (outcome, steps) = human(start, goal, 0, &Control::new());
    let plan = outcome.plan.expect("a plan");
    let cost = board_plan(start, goal, &plan).unwrap_or_else(|e| panic!("{start} to {goal}: {e}"));
    assert_eq!(outcome.bounds.upper, Some(cost));
    let put_together: Vec<Direction> = steps.iter().flat_map(|s| s.moves.clone()).collect();
    assert_eq!(put_together, plan, "{start} to {goal}");
    assert_steps(start, goal, &steps);
    plan.len()
}

/// Asserts that after each step its tiles are in place, and those of earlier steps still are.
fn assert_steps(start: &Board, goal: &Board, steps: &[HumanStep]) {
    let numbers: Vec<u8> = steps.iter().map(|s| s.number).collect();
    assert!(numbers.is_sorted(), "{numbers:?}");
    let mut board = start.clone();
    let mut home: Vec<u16> = vec![];
    for step in steps {
        for (i, &direction) in step.moves.iter().enumerate() {
            if step.setup == Some(i) {
                assert_set_up(&board, goal, &step.tiles[step.tiles.len() - 2..]);
            }
            assert!(board.step(direction));
        }
        home.extend(&step.tiles);
        for &tile in home.iter().take(if start.tiles().len() > 400 {
            0
        } else {
            home.len()
        }) {
            let cell = |b: &Board| b.tiles().iter().position(|&t| t == tile);
            assert_eq!(
                cell(&board),
                cell(goal),
                "{tile} of {start} after step {}",
                step.number
            );
        }
    }
    if start.width() > 1 && start.height() > 1 {
        let all: HashSet<u16> = home.iter().copied().collect();
        assert_eq!((all.len(), home.len()), (goal.tiles().len() - 1, all.len()));
    }
}

/// Asserts that the last tile is on its neighbour's goal cell, the blank on the last tile's, and the neighbour next to
/// it.
fn assert_set_up(board: &Board, goal: &Board, last_two: &[u16]) {
    let home = goal.places();
    let [neighbour, last] = [last_two[0], last_two[1]].map(usize::from);
    let at = board.places();
    assert_eq!((at[last], at[0]), (home[neighbour], home[last]), "{board}");
    let touches = |d| board.neighbour(at[last].into(), d) == Some(at[neighbour].into());
    assert!(Direction::ALL.into_iter().any(touches), "{board}");
}

fn permutations(n: usize) -> Vec<Vec<u16>> {
    if n == 0 {
        return vec![vec![]];
    }
    let longer = |p: Vec<u16>| {
        (0..n).map(move |i| {
            let mut q = p.clone();
            q.insert(i, n as u16 - 1);
            q
        })
    };
    permutations(n - 1).into_iter().flat_map(longer).collect()
}

#[test]
fn every_board_of_small_sizes_with_the_blank_anywhere_in_the_goal() {
    for (width, height) in [(2, 2), (3, 2), (2, 3)] {
        let all = permutations(width * height);
        for goal_tiles in all.iter().step_by(all.len() / 24) {
            let goal = Board::new(width, goal_tiles.clone()).unwrap();
            for tiles in &all {
                let start = Board::new(width, tiles.clone()).unwrap();
                if noyes_puzzle::tiles::solvable(&start, &goal).is_ok() {
                    assert_solved(&start, &goal);
                }
            }
        }
    }
}

#[test]
fn the_whole_eight_puzzle() {
    let goal = Board::blank_last(3, 3);
    let (mut boards, mut moves, mut most) = (0, 0, 0);
    for tiles in permutations(9) {
        let start = Board::new(3, tiles).unwrap();
        if noyes_puzzle::tiles::solvable(&start, &goal).is_ok() {
            let length = assert_solved(&start, &goal);
            (boards, moves, most) = (boards + 1, moves + length, most.max(length));
        }
    }
    // The optimum is 31 at most.
    assert_eq!((boards, moves / boards, most), (181_440, 37, 76));
}

#[test]
fn thousands_of_boards_of_many_sizes_with_random_goals() {
    let sizes = (2..=7).flat_map(|w| (2..=7).map(move |h| (w, h)));
    let odd = [(2, 12), (12, 2), (3, 10), (11, 3), (9, 8), (16, 16)];
    for (width, height) in sizes.chain(odd) {
        for i in 0..60 {
            let mut generator = Generator::new(5, i);
            let mut tiles = Board::blank_last(width, height).tiles().to_vec();
            generator.shuffle(&mut tiles);
            let goal = match i % 4 {
                0 => Board::blank_last(width, height),
                1 => Board::blank_first(width, height),
                _ => Board::new(width, tiles).unwrap(),
            };
            assert_solved(&random_board(&goal, &mut generator), &goal);
        }
    }
}

#[test]
fn on_a_single_line_the_blank_walks_home() {
    for (start, goal) in [
        ("1 2 0 3 4/", "0 1 2 3 4/"),
        ("1/2/3/0", "1/0/2/3"),
        ("0", "0"),
    ] {
        let (start, goal): (Board, Board) = (start.parse().unwrap(), goal.parse().unwrap());
        assert_solved(&start, &goal);
        let request = Ask::board(start, Goal::Board(goal))
            .engine(Engine::Human)
            .request()
            .unwrap();
        assert_eq!(
            solve(&request, &Control::new()).unwrap().status,
            Status::Optimal
        );
    }
}

/// The width of this board does not fit into 16 bits.
#[test]
fn a_row_of_65536_cells() {
    let tiles: Vec<u16> = (0..=u16::MAX).collect();
    let start = Board::new(tiles.len(), tiles).unwrap();
    for engine in [Engine::Human, Engine::IdaStar] {
        for heuristic in ["misplaced", "manhattan", "linear-conflict"] {
            let request = Ask::board(start.clone(), Goal::BlankLast)
                .engine(engine)
                .heuristic(heuristic.parse::<HeuristicName>().unwrap())
                .request()
                .unwrap();
            let answer = solve(&request, &Control::new()).unwrap();
            assert_eq!(answer.status, Status::Optimal, "{engine} {heuristic}");
            assert_eq!(answer.bounds.lower, 65_535);
        }
    }
}

#[test]
fn bounds_are_those_of_the_heuristic() {
    let request = Ask::board("8 6 7/2 5 4/3 0 1".parse().unwrap(), Goal::BlankLast)
        .engine(Engine::Human)
        .heuristic("linear-conflict/walking".parse::<HeuristicName>().unwrap())
        .request()
        .unwrap();
    let answer = solve(&request, &Control::new()).unwrap();
    assert_eq!(answer.status, Status::Solved);
    assert!(
        (21..=31).contains(&answer.bounds.lower),
        "{:?}",
        answer.bounds
    );
    assert!(answer.bounds.upper >= Some(31));
    let numbers: Vec<u8> = answer.steps.iter().map(|s| s.number).collect();
    assert_eq!(numbers, [1, 2, 4, 6]);
}

#[test]
fn a_board_of_100x100_is_solved_at_once_and_a_limit_stops_it() {
    let goal = Board::blank_last(100, 100);
    let start = random_board(&goal, &mut Generator::new(1, 0));
    assert!(assert_solved(&start, &goal) > 1_000_000);
    let (outcome, steps) = human(&start, &goal, 7, &Control::new().memory_limit(10_000));
    assert_eq!(outcome.status, Status::Limit(Stop::Memory));
    assert_eq!((outcome.bounds.lower, steps.len()), (7, 0));
}
