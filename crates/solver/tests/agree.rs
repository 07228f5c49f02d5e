//! Engines agree: on random small puzzles every engine, with every heuristic, gives the cost that plain flooding gives.

use std::collections::HashMap;
use std::sync::Arc;

use noyes_puzzle::graph::{Arrangement, Graph};
use noyes_puzzle::tiles::{Board, Direction, Generator, Goal, random_board};
use noyes_solver::{Control, Engine, Heuristic, Named, Request, Status, solve};

/// Every engine with every heuristic, if it uses one; blind iterative deepening only where a plan is short.
fn members(distance: u32) -> Vec<(Engine, Heuristic)> {
    let heuristics = || Named::ALL.iter().map(|h| h.name().parse().unwrap());
    let mut members = vec![];
    for &engine in Engine::ALL {
        if engine.uses_heuristic() {
            members.extend(heuristics().map(|h| (engine, h)));
        } else if engine != Engine::Iddfs || distance <= 20 {
            members.push((engine, Heuristic::default()));
        }
    }
    members
}

/// The distance of every board from the goal, by the plainest search there is.
fn distances(goal: &Board) -> HashMap<Board, u32> {
    let mut distance = HashMap::from([(goal.clone(), 0)]);
    let mut layer = vec![goal.clone()];
    let mut depth = 0;
    while !layer.is_empty() {
        depth += 1;
        let mut next = vec![];
        for board in &layer {
            for direction in Direction::ALL {
                let mut child = board.clone();
                if child.step(direction) && !distance.contains_key(&child) {
                    distance.insert(child.clone(), depth);
                    next.push(child);
                }
            }
        }
        layer = next;
    }
    distance
}

fn assert_agree(goal: &Board, boards: u64) {
    let distances = distances(goal);
    for i in 0..boards {
        let board = random_board(goal, &mut Generator::new(11, i));
        for (engine, heuristic) in members(distances[&board]) {
            let how = format!("{engine} with {heuristic}");
            let request = Request::board(board.clone(), &Goal::Board(goal.clone()))
                .unwrap()
                .engine(engine)
                .heuristic(heuristic);
            let answer = solve(&request, &Control::new()).unwrap();
            assert_eq!(answer.status, Status::Optimal, "{how} on {board}");
            assert_eq!(
                answer.bounds.upper,
                Some(distances[&board]),
                "{how} on {board} to {goal}"
            );
            assert_eq!(answer.plan.unwrap().len() as u32, distances[&board]);
        }
    }
}

#[test]
fn on_a_thousand_boards_of_3x3() {
    assert_agree(&Board::blank_last(3, 3), 1000);
}

#[test]
fn on_other_sizes_and_goals() {
    for (width, height) in [
        (1, 1),
        (2, 1),
        (7, 1),
        (1, 5),
        (2, 2),
        (3, 2),
        (2, 3),
        (4, 2),
        (2, 4),
    ] {
        assert_agree(&Board::blank_last(width, height), 20);
        assert_agree(&Board::blank_first(width, height), 20);
    }
    assert_agree(&"3 1 2/5 0 4/8 7 6".parse().unwrap(), 50);
}

/// The distance of every arrangement from the goal, by vertex-wise flooding.
fn graph_distances(graph: &Graph, goal: Vec<u16>) -> HashMap<Vec<u16>, u32> {
    let mut distance = HashMap::from([(goal.clone(), 0)]);
    let mut open = std::collections::VecDeque::from([goal]);
    while let Some(tiles) = open.pop_front() {
        let blank = tiles.iter().position(|&t| t == 0).unwrap();
        for &next in graph.neighbours(blank as u16) {
            let mut child = tiles.clone();
            child.swap(blank, usize::from(next));
            let depth = distance[&tiles] + 1;
            if !distance.contains_key(&child) {
                distance.insert(child.clone(), depth);
                open.push_back(child);
            }
        }
    }
    distance
}

#[test]
fn on_graphs_solvable_or_not() {
    let names = [
        "theta0",
        "cycle:3",
        "cycle:6",
        "path:5",
        "star:5",
        "complete:5",
        "bipartite:2x4",
        "wheel:6",
        "grid:3x2",
        "theta:0,1,2",
    ];
    for name in names {
        let graph = Arc::new(Graph::named(name).unwrap());
        let goal = Arrangement::standard(&graph);
        let numbers: Vec<u16> = (1..graph.len() as u16).chain([0]).collect();
        let distances = graph_distances(&graph, numbers.clone());
        for i in 0..40 {
            let mut tiles = numbers.clone();
            Generator::new(3, i).shuffle(&mut tiles);
            let text: Vec<String> = tiles.iter().map(ToString::to_string).collect();
            let start = Arrangement::parse(&graph, &text.join(" ")).unwrap();
            for (engine, heuristic) in members(0) {
                let how = format!("{engine} with {heuristic}");
                let request = Request::graph(graph.clone(), &start, &goal)
                    .unwrap()
                    .engine(engine)
                    .heuristic(heuristic);
                let answer = solve(&request, &Control::new()).unwrap();
                assert_eq!(
                    answer.bounds.upper,
                    distances.get(&tiles).copied(),
                    "{how} on {name} from {start}"
                );
                assert_eq!(
                    answer.status == Status::Unsolvable,
                    answer.bounds.upper.is_none()
                );
            }
        }
    }
}
