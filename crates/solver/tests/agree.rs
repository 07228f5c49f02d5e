//! Engines agree: on random small puzzles, every engine finds the cost that exhaustive search finds.

use std::collections::HashMap;
use std::sync::Arc;

use noyes_puzzle::graph::{Arrangement, Graph};
use noyes_puzzle::sokoban::parse_level;
use noyes_puzzle::tiles::{Board, Direction, Generator, Goal, random_board, random_walk};
use noyes_solver::sat::backend::BackendName;
use noyes_solver::sat::{EncodingName, KeepName, Schedule};
use noyes_solver::{
    Ask, Control, Engine, Field, HeuristicName, Objective, SimpleHeuristic, Status, Why, solve,
};

/// The distance of every board from the goal, by the simplest exhaustive search.
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

/// Heuristics for boards; those that do not fit a size are skipped.
const HEURISTICS: [&str; 10] = [
    "walking",
    "manhattan",
    "linear-conflict",
    "misplaced",
    "pdb:fringe",
    "pdb:4-4+reflect",
    "pdb:4-4+plain",
    "pdb:1,2,3",
    "pdb:1,2+3,4,5",
    "walking/pdb:1,2,3+4,5",
];

fn assert_agree(goal: &Board, boards: u64) {
    let distances = distances(goal);
    for i in 0..boards {
        let board = random_board(goal, &mut Generator::new(11, i));
        let distance = distances[&board];
        for &engine in Engine::ALL {
            if engine == Engine::Iddfs && distance > 20 {
                continue; // without a heuristic it would take forever
            }
            if engine == Engine::Sat && (i % 5 != 0 || distance > 14) {
                continue; // sat.rs tests it
            }
            // Trying all heuristics takes long, so only some boards get all.
            let heuristics = if i % 25 == 0 {
                &HEURISTICS[..]
            } else {
                &HEURISTICS[..1]
            };
            for &heuristic in heuristics {
                let ask = Ask::board(board.clone(), Goal::Board(goal.clone()));
                let request = by(ask, engine, heuristic.parse().unwrap()).request();
                let Ok(request) = request else {
                    continue;
                };
                let answer = solve(&request, &Control::new()).unwrap();
                let case = format!("{engine} with {heuristic} on {board} to {goal}");
                assert!(answer.bounds.lower <= distance, "{case}");
                assert_eq!(
                    answer.plan.unwrap().len() as u32,
                    answer.bounds.upper.unwrap()
                );
                if engine.is_optimal() {
                    assert_eq!(answer.status, Status::Optimal, "{case}");
                    assert_eq!(answer.bounds.upper, Some(distance), "{case}");
                } else {
                    assert!(answer.bounds.upper >= Some(distance), "{case}");
                }
                // Databases are built for each solve and do not fit anyway.
                if engine == Engine::Sma && i % 25 == 0 && !heuristic.contains("pdb") {
                    for limit in [2000, 4000, 8000] {
                        let answer = solve(&request, &Control::new().memory_limit(limit)).unwrap();
                        assert!(answer.counts.peak_bytes <= limit, "{case} in {limit}");
                        assert!(answer.bounds.lower <= distance, "{case} in {limit}");
                        let cost = answer.bounds.upper.unwrap_or(distance);
                        assert!(cost >= distance, "{case} in {limit}");
                        let is_optimal = answer.status == Status::Optimal;
                        assert!(!is_optimal || cost == distance, "{case} in {limit}");
                    }
                }
                if !engine.uses_heuristic() {
                    break;
                }
            }
        }
    }
}

/// By this engine, with this heuristic if the engine uses one.
fn by(ask: Ask, engine: Engine, heuristic: HeuristicName) -> Ask {
    let heuristic = engine.uses_heuristic().then_some(heuristic);
    ask.engine(engine).heuristic(heuristic)
}

#[test]
fn from_the_goal_ida_star_finds_the_same_optima() {
    let mut mirrors = [0, 0];
    for goal in [
        Board::blank_first(3, 3),
        "3 1 2/5 0 4/8 7 6".parse().unwrap(),
        "3 1 2/0 5 4/8 7 6".parse().unwrap(),
        Board::blank_last(4, 2),
    ] {
        let distances = distances(&goal);
        for i in 0..40 {
            let board = random_board(&goal, &mut Generator::new(12, i));
            let names = match goal.tiles().len() {
                9 => ["pdb:4-4+reflect", "pdb:5-3/pdb:4-4"],
                _ => ["pdb:4-3+reflect", "pdb:7"],
            };
            for heuristic in names {
                let ask = Ask::board(board.clone(), Goal::Board(goal.clone()));
                let ask = ask.heuristic(heuristic.parse::<HeuristicName>().unwrap());
                let request = ask.backward(true).request().unwrap();
                let answer = solve(&request, &Control::new()).unwrap();
                let optimum = Some(distances[&board]);
                assert_eq!(answer.status, Status::Optimal, "{board} to {goal}");
                assert_eq!(answer.bounds.upper, optimum, "{board} to {goal}");
                // A board whose blank no mirror keeps has none to look up.
                let name = answer.heuristic.unwrap().to_string();
                mirrors[usize::from(name.contains("reflect"))] += 1;
            }
        }
    }
    assert!(mirrors.into_iter().all(|count| count > 40), "{mirrors:?}");
}

#[test]
fn only_ida_star_with_databases_starts_at_the_goal() {
    let board: Board = "1 2 3/4 5 6/7 0 8".parse().unwrap();
    let ask = Ask::board(board, Goal::BlankLast).backward(true);
    let name = |name: &str| name.parse::<HeuristicName>().unwrap();
    for refused in [
        ask.clone(),
        ask.clone().heuristic(name("walking")),
        ask.clone().heuristic(name("pdb:4-4")).engine(Engine::AStar),
    ] {
        let error = refused.request().unwrap_err();
        assert_eq!((error.field, error.why), (Field::Backward, Why::NoBackward));
    }
    let level = parse_level("######\n#@ $.#\n######").unwrap();
    let level = Ask::level(level).backward(true).request();
    assert_eq!(level.unwrap_err().field, Field::Backward);
    let misfit = ask.clone().heuristic(name("pdb:4-5+reflect")).request();
    assert_eq!(misfit.unwrap_err().field, Field::Heuristic);
    let of_tiles = ask.heuristic(name("pdb:1,2,3,4+5,6,7,8")).request();
    assert_eq!(of_tiles.unwrap_err().why, Why::BackwardPatterns);
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
    assert_agree(&"3 1 2/0 5 4/8 7 6".parse().unwrap(), 25);
}

/// The distance of every arrangement from the goal, by breadth-first search.
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
            for &engine in Engine::ALL {
                for named in [SimpleHeuristic::Misplaced, SimpleHeuristic::Manhattan] {
                    let ask = Ask::graph(graph.clone(), start.clone(), goal.clone());
                    let request = by(ask, engine, named.into()).request();
                    let request = match request {
                        Err(error) if error.field == Field::Engine => break,
                        request => request.unwrap(),
                    };
                    let answer = solve(&request, &Control::new()).unwrap();
                    assert_eq!(
                        answer.bounds.upper,
                        distances.get(&tiles).copied(),
                        "{engine} with {named} on {name} from {start}"
                    );
                    if engine == Engine::Sma && answer.plan.is_some() {
                        for limit in [2000, 3000, 5000, 8000, 20_000] {
                            let control = Control::new().memory_limit(limit);
                            let small = solve(&request, &control).unwrap();
                            assert!(small.counts.peak_bytes <= limit);
                            assert!(small.bounds.lower <= answer.bounds.lower);
                            if small.status == Status::Optimal || limit == 20_000 {
                                let case = format!("{named} on {name} from {start} in {limit}");
                                assert_eq!(small.bounds, answer.bounds, "{case}");
                            }
                        }
                    }
                    assert_eq!(
                        answer.status == Status::Unsolvable,
                        answer.bounds.upper.is_none()
                    );
                    if !engine.uses_heuristic() {
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn options_that_do_not_fit_the_puzzle_are_refused_and_the_field_is_named() {
    let refused = |ask: Ask| ask.request().unwrap_err();
    let named = |name: &str| name.parse::<HeuristicName>().unwrap();
    let graph = Arc::new(Graph::named("petersen").unwrap());
    let state = Arrangement::standard(&graph);
    let on_graph = || Ask::graph(graph.clone(), state.clone(), state.clone());
    for engine in [Engine::Human, Engine::Table, Engine::Sat] {
        let error = refused(on_graph().engine(engine));
        assert_eq!(error.field, Field::Engine);
        assert_eq!(error.why, Why::EngineForBoards { engine });
    }
    for name in ["walking", "linear-conflict", "manhattan/walking", "pdb:5-5"] {
        let error = refused(on_graph().heuristic(named(name)));
        assert_eq!(error.field, Field::Heuristic);
        assert!(matches!(error.why, Why::HeuristicForBoards { .. }));
    }
    let on_board = |size| Ask::board(Board::blank_last(size, size), Goal::BlankLast);
    let size = "5x5".into();
    assert_eq!(
        refused(on_board(5).heuristic(named("walking"))).why,
        Why::WalkingTable { size }
    );
    let all = named("walking/pdb:7-8/pdb:5-5-5");
    assert!(matches!(
        refused(on_board(4).heuristic(all)).why,
        Why::TooMany { .. }
    ));
    assert!(matches!(
        refused(on_board(4).engine(Engine::Table)).why,
        Why::FullTable { .. }
    ));
    assert!(matches!(
        refused(on_board(4).heuristic(named("pdb:7-7"))).why,
        Why::Partition(_)
    ));
    let several = named("walking/linear-conflict/walking/manhattan");
    assert!(on_board(4).heuristic(several).request().is_ok());
    let deep = refused(on_board(5).duplicates(17));
    assert_eq!((deep.field, deep.why), (Field::Duplicates, Why::Duplicates));
    let other: Board = "1 2/3 0".parse().unwrap();
    let sizes = refused(Ask::board(Board::blank_last(3, 3), Goal::Board(other)));
    assert_eq!(sizes.field, Field::Goal);
}

#[test]
fn options_that_do_not_go_together_are_refused_and_the_field_is_named() {
    let board = || Ask::board(Board::blank_last(3, 3), Goal::BlankLast);
    let level = || Ask::level(parse_level("#####|#@$.#|#####").unwrap());
    let crew = || Ask::level(parse_level("######|#@$.@#|######").unwrap());
    let encoding = |name: &str| name.parse::<EncodingName>().unwrap();
    let manhattan = HeuristicName::default;
    for (ask, field) in [
        (board().objective(Objective::Pushes), Field::Objective),
        (board().no_wait(true), Field::NoWait),
        (board().any(true), Field::Any),
        (board().encoding(encoding("lean")), Field::Encoding),
        (board().backend(BackendName::Batsat), Field::Backend),
        (board().bounds(Schedule::Up), Field::Bounds),
        (board().keep(KeepName::Restart), Field::Keep),
        (board().at_most(3), Field::AtMost),
        (
            board().engine(Engine::Sat).at_most(3).any(true),
            Field::AtMost,
        ),
        (board().from_length(1), Field::From),
        (board().engine(Engine::Sat).from_length(1), Field::From),
        (
            level().engine(Engine::Sat).from_length(4).at_most(3),
            Field::From,
        ),
        (level().engine(Engine::Sat).from_length(10_001), Field::From),
        (level().decompose(true), Field::Decompose),
        (
            board().engine(Engine::Sat).decompose(true),
            Field::Decompose,
        ),
        (
            level().engine(Engine::Sat).decompose(true).from_length(1),
            Field::Decompose,
        ),
        (
            level().engine(Engine::Sat).decompose(true).at_most(9),
            Field::Decompose,
        ),
        (
            board().engine(Engine::Sat).encoding(encoding("pushes")),
            Field::Encoding,
        ),
        (level().heuristic(manhattan()), Field::Heuristic),
        (level().duplicates(2), Field::Duplicates),
        (
            board().engine(Engine::Bfs).heuristic(manhattan()),
            Field::Heuristic,
        ),
        (
            board().engine(Engine::AStar).duplicates(2),
            Field::Duplicates,
        ),
        (crew().objective(Objective::Pushes), Field::Objective),
        (level().engine(Engine::IdaStar), Field::Engine),
        (crew().engine(Engine::Anytime), Field::Engine),
        (level().encoding(encoding("moves")), Field::Encoding),
        (
            level().engine(Engine::Sat).encoding(encoding("moves")),
            Field::Encoding,
        ),
        (
            level().engine(Engine::Sat).encoding(encoding("rotated")),
            Field::Encoding,
        ),
        (
            crew().engine(Engine::Sat).encoding(encoding("tamura")),
            Field::Encoding,
        ),
    ] {
        let error = ask.clone().request().expect_err(field.flag());
        assert_eq!(error.field, field, "{error}: {ask:?}");
    }
    for ask in [
        board().objective(Objective::Moves),
        board().engine(Engine::Sat).any(true),
        board().engine(Engine::Sat).at_most(3),
        board()
            .engine(Engine::Sat)
            .encoding(encoding("rotated"))
            .from_length(1),
        level()
            .engine(Engine::Sat)
            .from_length(3)
            .at_most(3)
            .any(true)
            .bounds(Schedule::Binary),
        crew().engine(Engine::Sat).decompose(true).any(true),
        level().any(true),
        level().engine(Engine::Anytime),
        crew().no_wait(true),
        crew().engine(Engine::Sat).encoding(encoding("moves")),
    ] {
        assert!(ask.clone().request().is_ok(), "{ask:?}");
    }
}

#[test]
fn skipping_redundant_move_sequences_keeps_the_optimum() {
    let goal: Board = "3 1 2/5 0 4/8 7 6".parse().unwrap();
    let distances = distances(&goal);
    for i in 0..60 {
        let board = random_board(&goal, &mut Generator::new(5, i));
        let mut generated = vec![];
        for depth in [0, 2, 7, 12] {
            let request = Ask::board(board.clone(), Goal::Board(goal.clone()))
                .engine(Engine::IdaStar)
                .duplicates(depth)
                .request()
                .unwrap();
            let answer = solve(&request, &Control::new()).unwrap();
            assert_eq!(
                answer.bounds.upper,
                Some(distances[&board]),
                "{board} at depth {depth}"
            );
            generated.push(answer.counts.generated);
        }
        assert_eq!(
            generated[0], generated[1],
            "going straight back is always skipped"
        );
    }
    let graph = Arc::new(Graph::named("theta:1,1,2").unwrap());
    let numbers: Vec<u16> = (1..graph.len() as u16).chain([0]).collect();
    let distances = graph_distances(&graph, numbers.clone());
    for i in 0..60 {
        let mut tiles = numbers.clone();
        Generator::new(4, i).shuffle(&mut tiles);
        let text: Vec<String> = tiles.iter().map(ToString::to_string).collect();
        let start = Arrangement::parse(&graph, &text.join(" ")).unwrap();
        let request = Ask::graph(graph.clone(), start.clone(), Arrangement::standard(&graph))
            .engine(Engine::IdaStar)
            .duplicates(9)
            .request()
            .unwrap();
        let answer = solve(&request, &Control::new()).unwrap();
        assert_eq!(
            answer.bounds.upper,
            distances.get(&tiles).copied(),
            "{start}"
        );
    }
}

/// Boards near their goal, compared with breadth-first search.
#[test]
fn on_easy_boards_of_12_and_16_cells() {
    let heuristics = [
        "manhattan",
        "misplaced",
        "linear-conflict",
        "walking",
        "pdb:4-4-3",
        "pdb:5-5-5+reflect",
        "pdb:6-6-3+plain",
        "pdb:1,2,3+4,5",
        "walking/pdb:1,2,3,4",
    ];
    for (width, height) in [(4, 3), (3, 4), (4, 4)] {
        let goal = Board::blank_last(width, height);
        for i in 0..6 {
            let board = random_walk(&goal, 9 + i as usize, &mut Generator::new(17, i));
            let ask = || Ask::board(board.clone(), Goal::BlankLast);
            let judge = ask().engine(Engine::Bfs).request().unwrap();
            let judge = solve(&judge, &Control::new()).unwrap();
            // sat.rs tests SAT; the full table is for smaller boards.
            let engines = Engine::ALL.iter().filter(|e| **e != Engine::Sat);
            for &engine in engines {
                for heuristic in heuristics {
                    let request = by(ask(), engine, heuristic.parse().unwrap()).request();
                    let Ok(request) = request else {
                        continue;
                    };
                    let answer = solve(&request, &Control::new()).unwrap();
                    let case = format!("{engine} with {heuristic} on {board}");
                    assert!(answer.bounds.lower <= judge.bounds.lower, "{case}");
                    if engine.is_optimal() {
                        assert_eq!(answer.bounds, judge.bounds, "{case}");
                    }
                    if !engine.uses_heuristic() {
                        break;
                    }
                }
            }
        }
    }
}
