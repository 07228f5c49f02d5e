//! The speed of the engines: `cargo bench -p noyes-solver` prints states generated per second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use noyes_puzzle::tiles::{Board, Generator, Goal, random_board};
use noyes_solver::{Ask, Control, Engine, HeuristicName, Request, solve};

/// IDA* on some of Korf's instances. With Manhattan distance: 79, 12, 42, 55, 94 and 97, 5.2 million states in total.
/// The stronger heuristics also get 31, 28, 92 and 45: 72 million states with linear conflict, 179 million with walking
/// distance.
fn ida(c: &mut Criterion) {
    let text = include_str!("../../../data/korf15.csv");
    let instance = |number: &&str| {
        text.lines()
            .find(|l| l.starts_with(&format!("{number},")))
            .expect("one of the hundred")
    };
    let numbers = ["79", "12", "42", "55", "94", "97", "31", "28", "92", "45"];
    for (heuristic, count) in [("manhattan", 6), ("linear-conflict", 10), ("walking", 10)] {
        let request = |number: &&str| {
            let board: Board = instance(number)
                .split(',')
                .nth(1)
                .expect("a state")
                .parse()
                .expect("a board");
            Ask::board(board, Goal::BlankFirst)
                .engine(Engine::IdaStar)
                .heuristic(heuristic.parse::<HeuristicName>().expect("a name"))
                .request()
                .expect("all fits a board")
        };
        let requests: Vec<Request> = numbers[..count].iter().map(request).collect();
        let run = || -> u64 {
            let solve = |r: &Request| {
                solve(r, &Control::new())
                    .expect("a plan that replays")
                    .counts
                    .generated
            };
            requests.iter().map(solve).sum()
        };
        let mut group = c.benchmark_group(format!("4x4 idastar {heuristic}"));
        group
            .sample_size(if count > 6 { 10 } else { 20 })
            .throughput(Throughput::Elements(run()));
        group.bench_function("generated", |b| b.iter(run));
        group.finish();
    }
}

/// The human method on a random 100×100 board, including the replay of its plan.
fn human(c: &mut Criterion) {
    let goal = Board::blank_last(100, 100);
    let board = random_board(&goal, &mut Generator::new(1, 0));
    let request = Ask::board(board, Goal::BlankLast)
        .engine(Engine::Human)
        .request()
        .expect("a board");
    let run = || solve(&request, &Control::new()).expect("a plan that replays");
    let mut group = c.benchmark_group("100x100 human");
    group.sample_size(20);
    group.bench_function("solve", |b| b.iter(run));
    group.finish();
}

/// Breadth-first search through the whole eight puzzle, from one of the two farthest boards.
fn bfs(c: &mut Criterion) {
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().expect("a board");
    let request = Ask::board(board, Goal::BlankLast)
        .engine(Engine::Bfs)
        .request()
        .expect("an engine for boards");
    let run = || {
        solve(&request, &Control::new())
            .expect("a plan that replays")
            .counts
            .generated
    };
    let mut group = c.benchmark_group("3x3 bfs");
    group
        .sample_size(20)
        .throughput(Throughput::Elements(run()));
    group.bench_function("generated", |b| b.iter(run));
    group.finish();
}

criterion_group!(benches, ida, human, bfs);
criterion_main!(benches);
