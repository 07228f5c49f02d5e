//! Limits, progress and counts: what a solve may use, and what it tells.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use noyes_puzzle::Space;
use noyes_puzzle::graph::{Arrangement, Graph};
use noyes_puzzle::tiles::{Board, Goal};
use noyes_solver::search::bfs;
use noyes_solver::{Ask, Control, Engine, Status, Stop, solve};

/// A cycle of this number of vertices with every tile one place on.
fn turned_cycle(size: usize) -> Ask {
    let graph = Arc::new(Graph::named(&format!("cycle:{size}")).unwrap());
    let goal = Arrangement::standard(&graph);
    let mut labels = goal.labels().to_vec();
    labels[..size - 1].rotate_left(1);
    let start = Arrangement::new(&graph, labels).unwrap();
    Ask::graph(graph, start, goal)
}

#[test]
fn distance_tables_of_a_large_graph_stay_within_the_memory_limit() {
    let request = turned_cycle(3000)
        .engine(Engine::IdaStar)
        .request()
        .unwrap();
    let limit = 1_000_000;
    let answer = solve(&request, &Control::new().memory_limit(limit)).unwrap();
    assert_eq!(answer.status, Status::Limit(Stop::Memory));
    assert!(answer.counts.peak_bytes <= limit);
    assert!((1..=3000).contains(&answer.bounds.lower));
    let answer = solve(
        &turned_cycle(50).engine(Engine::IdaStar).request().unwrap(),
        &Control::new(),
    )
    .unwrap();
    assert_eq!(answer.bounds.upper, Some(50)); // the blank goes once around
    assert!(answer.counts.peak_bytes >= 49 * 50 * 2); // a row for each tile
}

#[test]
fn a_raised_flag_ends_the_making_of_distance_tables() {
    let control = Control::new().stop_flag(Arc::new(AtomicBool::new(true)));
    let answer = solve(
        &turned_cycle(60_000)
            .engine(Engine::IdaStar)
            .request()
            .unwrap(),
        &control,
    )
    .unwrap();
    assert_eq!(answer.status, Status::Limit(Stop::Interrupted));
}

#[test]
fn auto_floods_a_graph_only_where_its_states_fit() {
    let picked = |control: Control| {
        solve(&turned_cycle(200).request().unwrap(), &control)
            .unwrap()
            .engine
    };
    assert_eq!(picked(Control::new()), Engine::Bfs);
    assert_eq!(
        picked(Control::new().memory_limit(5_000_000)),
        Engine::IdaStar
    );
}

#[test]
fn breadth_first_search_counts_what_boxes_take() {
    let goal = Board::blank_last(6, 6);
    let start = "1 2 3 4 5 6/7 8 9 10 11 12/13 14 15 16 17 18/19 20 21 22 23 24/25 26 27 28 29 30/0 31 32 33 34 35";
    let request = Ask::board(start.parse().unwrap(), Goal::Board(goal));
    let answer = solve(
        &request.engine(Engine::Bfs).request().unwrap(),
        &Control::new(),
    )
    .unwrap();
    assert_eq!(answer.bounds.upper, Some(5));
    // 72 bytes of tiles take 80; the box, the blank and the parent 32, in blocks of 4096.
    let stored = answer.counts.expanded as usize;
    assert!(answer.counts.peak_bytes >= 4096 * 32 + stored * 80);
}

#[test]
fn progress_begins_anew_and_ends_with_the_answer() {
    let control = Control::new();
    for (board, cost) in [("8 6 7/2 5 4/3 0 1", 31), ("1 2 3/4 0 6/7 5 8", 2)] {
        for &engine in Engine::ALL {
            let request = Ask::board(board.parse().unwrap(), Goal::BlankLast);
            let answer = solve(&request.engine(engine).request().unwrap(), &control).unwrap();
            let counts = (answer.counts.expanded, answer.counts.generated);
            assert!(answer.bounds.upper >= Some(cost), "{engine}");
            assert_eq!(control.bounds(), answer.bounds, "{engine}");
            assert_eq!(control.nodes(), counts, "{engine}");
        }
    }
}

#[test]
fn engines_count_the_same_on_a_solved_board() {
    // The others look up the answer, make a plan before they search, have two roots, or count clauses.
    let searches = |engine: &Engine| {
        !matches!(
            engine,
            Engine::Anytime | Engine::Human | Engine::Table | Engine::Bidirectional | Engine::Sat
        )
    };
    for engine in Engine::ALL.iter().copied().filter(searches) {
        let request = Ask::board(Board::blank_last(3, 3), Goal::BlankLast);
        let counts = solve(&request.engine(engine).request().unwrap(), &Control::new())
            .unwrap()
            .counts;
        assert_eq!((counts.expanded, counts.generated), (0, 1), "{engine}");
    }
}

/// A line without end whose states are said to be large; the flag goes up at its tenth move.
struct LongLine {
    moves: Cell<u64>,
    flag: Arc<AtomicBool>,
}

impl Space for LongLine {
    type State = i64;
    type Move = i64;
    type Moves<'a> = std::array::IntoIter<i64, 2>;

    fn start(&self) -> i64 {
        0
    }

    fn is_goal(&self, _: &i64) -> bool {
        false
    }

    fn moves(&self, _: &i64) -> Self::Moves<'_> {
        [-1, 1].into_iter()
    }

    fn moves_after(&self, _: &i64, last: i64) -> Self::Moves<'_> {
        [last, last].into_iter()
    }

    fn apply(&self, state: &mut i64, step: i64) {
        *state += step;
        self.moves.set(self.moves.get() + 1);
        self.flag.fetch_or(self.moves.get() == 10, Relaxed);
    }

    fn undo(&self, state: &mut i64, step: i64) {
        *state -= step;
    }

    fn state_bytes(&self) -> usize {
        1 << 20
    }
}

#[test]
fn breadth_first_search_looks_up_more_often_where_states_are_large() {
    let flag = Arc::new(AtomicBool::new(false));
    let space = LongLine {
        moves: Cell::new(0),
        flag: flag.clone(),
    };
    let outcome = bfs(&space, &Control::new().stop_flag(flag));
    assert_eq!(outcome.status, Status::Limit(Stop::Interrupted));
    assert!(space.moves.get() <= 12);
}

#[test]
fn auto_goes_on_without_tables_where_memory_has_no_room_for_them() {
    // Korf's instance 12: too hard for the first attempt, easy enough without tables.
    let board: Board = "14 1 9 6/4 8 12 5/7 2 3 0/10 11 13 15".parse().unwrap();
    let request = Ask::board(board, Goal::BlankFirst)
        .cache(Arc::default())
        .request()
        .unwrap();
    let answer = solve(&request, &Control::new().memory_limit(1 << 20)).unwrap();
    assert_eq!(
        (answer.status, answer.bounds.upper),
        (Status::Optimal, Some(45))
    );
    assert_eq!(answer.heuristic.unwrap().to_string(), "walking");
    let answer = solve(&request, &Control::new()).unwrap();
    assert_eq!(
        (answer.status, answer.bounds.upper),
        (Status::Optimal, Some(45))
    );
    assert_eq!(answer.heuristic.unwrap().to_string(), "pdb:6-6-3+reflect");
}
