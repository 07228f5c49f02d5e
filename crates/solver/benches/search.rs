//! How fast the engines are. `cargo bench -p noyes-solver` prints states generated per second.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use noyes_puzzle::tiles::{Board, Goal};
use noyes_solver::{Control, Engine, Request, solve};

/// IDA* with Manhattan distance on Korf's instances 79, 12, 42, 55, 94 and 97: 5.2 million states in all.
fn ida_manhattan(c: &mut Criterion) {
    let text = include_str!("../../../data/korf15.csv");
    let instance = |number: &str| {
        text.lines()
            .find(|l| l.starts_with(&format!("{number},")))
            .expect("one of the hundred")
    };
    let requests: Vec<Request> = ["79", "12", "42", "55", "94", "97"]
        .into_iter()
        .map(|number| {
            let board: Board = instance(number)
                .split(',')
                .nth(1)
                .expect("a state")
                .parse()
                .expect("a board");
            Request::board(board, &Goal::BlankFirst)
                .expect("one size")
                .engine(Engine::IdaStar)
                .expect("an engine for boards")
        })
        .collect();
    let run = || -> u64 {
        let solve = |r: &Request| {
            solve(r, &Control::new())
                .expect("a plan that replays")
                .counts
                .generated
        };
        requests.iter().map(solve).sum()
    };
    let mut group = c.benchmark_group("4x4 idastar manhattan");
    group
        .sample_size(20)
        .throughput(Throughput::Elements(run()));
    group.bench_function("generated", |b| b.iter(run));
    group.finish();
}

/// Breadth-first search through the whole eight puzzle: from a farthest board.
fn bfs(c: &mut Criterion) {
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().expect("a board");
    let request = Request::board(board, &Goal::BlankLast)
        .expect("one size")
        .engine(Engine::Bfs)
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

criterion_group!(benches, ida_manhattan, bfs);
criterion_main!(benches);
