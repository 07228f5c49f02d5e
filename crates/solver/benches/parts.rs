//! A limit of a 24-puzzle in parts: how large they are, and how many machines they keep busy.
//!
//! `cargo bench -p noyes-solver --bench parts -- HEURISTIC NUMBER LIMIT PARTS` searches a limit of one of Korf's boards
//! (data/korf24.csv) part by part and records the states of each. Then it simulates workers that take the parts from a
//! queue: a thread expands [`RATE`] states a second, an item costs [`LATENCY`] on its way, and the server hands out
//! [`HANDED`] items a second. The efficiency is the time that all parts take one after the other, divided by the time
//! that the threads have in all until the last part is done.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::time::Instant;

use noyes_puzzle::tiles::{Board, Goal};
use noyes_solver::tiles::{Part, parts_of};
use noyes_solver::{Ask, Control, Engine};

/// States that a thread expands in a second.
const RATE: f64 = 1e7;
/// Seconds from the queue to a worker, and from its result back.
const LATENCY: f64 = 0.002;
/// Items that the server hands out in a second.
const HANDED: f64 = 20_000.0;
/// Subtrees for each part.
const SUBTREES: usize = 16;

fn main() {
    let args: Vec<String> = std::env::args()
        .skip(1)
        .filter(|a| a != "--bench")
        .collect();
    let [heuristic, number, limit, parts] = &args[..] else {
        println!("expected HEURISTIC NUMBER LIMIT PARTS");
        return;
    };
    let board = board(number.parse().expect("a number"));
    let goal = Goal::Board(Board::blank_first(5, 5));
    let request = Ask::board(board, goal)
        .engine(Engine::IdaStar)
        .heuristic(Some(heuristic.parse().expect("a heuristic")))
        .request()
        .expect("a request");
    let control = Control::new();
    let tree = parts_of(&request, &control).expect("tables").expect("time");
    let limit: u32 = limit.parse().expect("a limit");
    let parts: usize = parts.parse().expect("a number of parts");
    // 1. Sizes.
    let cut = tree.cut(limit, SUBTREES * parts);
    let parts = parts.min(cut.subtrees);
    let begun = Instant::now();
    let mut sizes = Vec::with_capacity(parts);
    for first in 0..parts {
        let part = Part {
            limit,
            depth: cut.depth,
            subtrees: cut.subtrees,
            check: cut.check,
            first,
            step: parts,
        };
        let end = tree.search(&part, 1, &control).expect("our own part");
        assert!(end.plan.is_none(), "a limit below the optimum");
        sizes.push(end.counts.0);
    }
    let total: u64 = sizes.iter().sum();
    let mut sorted = sizes.clone();
    sorted.sort_unstable();
    println!(
        "limit {limit}: {} subtrees at depth {}, {parts} parts, {total} expanded in {:.1} s; a part has {} (least), {} (median), {} (most)",
        cut.subtrees,
        cut.depth,
        begun.elapsed().as_secs_f64(),
        sorted[0],
        sorted[parts / 2],
        sorted[parts - 1]
    );
    // 2. Workers.
    for scale in [1.0, 100.0, 1e4, 1e5] {
        for threads in [2, 100, 1_000, 10_000] {
            let (time, efficiency) = simulate(&sizes, threads, scale);
            println!(
                "{:.0e} states, {threads} threads: {time:.2} s, efficiency {efficiency:.3}",
                total as f64 * scale
            );
        }
    }
}

/// The time until all parts are done, and the efficiency, if parts were larger by a factor.
fn simulate(sizes: &[u64], threads: usize, scale: f64) -> (f64, f64) {
    // When each thread is free, in microseconds.
    let mut free: BinaryHeap<Reverse<u64>> = (0..threads).map(|_| Reverse(0)).collect();
    let mut end: u64 = 0;
    for (i, &size) in sizes.iter().enumerate() {
        let Reverse(ready) = free.pop().expect("a thread");
        let handed = (i as f64 / HANDED * 1e6) as u64;
        let takes = (size as f64 * scale / RATE + LATENCY) * 1e6;
        let done = ready.max(handed) + takes as u64;
        end = end.max(done);
        free.push(Reverse(done));
    }
    let work: f64 = sizes.iter().map(|&size| size as f64 * scale / RATE).sum();
    let time = end as f64 / 1e6;
    (time, work / (time * threads as f64))
}

/// One of Korf's boards.
fn board(number: usize) -> Board {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/korf24.csv");
    let text = std::fs::read_to_string(path).expect("data/korf24.csv");
    let row = text.lines().find_map(|line| {
        let mut fields = line.split(',');
        (fields.next()?.parse() == Ok(number)).then(|| fields.next())?
    });
    Board::parse(row.expect("a board of that number"), Some((5, 5))).expect("a board")
}
