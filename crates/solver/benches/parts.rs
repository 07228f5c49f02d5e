//! A limit of a 24-puzzle in parts: how large they are, and how many machines they keep busy.
//!
//! `cargo bench -p noyes-solver --bench parts -- HEURISTIC NUMBER LIMIT PARTS` searches a limit of one of Korf's boards
//! (data/korf24.csv) part by part and records the states of each. Then it simulates workers that take the parts from a
//! queue: a thread expands [`RATE`] states a second, an item costs [`LATENCY`] on its way, and the server hands out
//! [`HANDED`] items a second. The efficiency is the time that all parts take one after the other, divided by the time
//! that the threads have in all until the last part is done.
//!
//! Then the same again for 1,000 and 10,000 threads with parts that leave a rest, as a client of workers has it: after a
//! [`SHARE`]th of what each thread has to do, and in [`ITEMS`] new items, which are at the end of the queue when the part is
//! done. These are searched and recorded, too.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Instant;

use noyes_puzzle::tiles::{Board, Direction, Goal};
use noyes_solver::tiles::{Part, PartEnd, parts_of};
use noyes_solver::{Ask, Control, Engine};

/// States that a thread expands in a second.
const RATE: f64 = 1e7;
/// Seconds from the queue to a worker, and from its result back.
const LATENCY: f64 = 0.002;
/// Items that the server hands out in a second.
const HANDED: f64 = 20_000.0;
/// Subtrees for each part.
const SUBTREES: usize = 16;
/// When a part leaves a rest, and how many items that becomes.
const SHARE: u64 = 30;
const ITEMS: usize = 8;

/// Work that was recorded.
#[derive(Default)]
struct Item {
    /// States expanded.
    size: u64,
    /// The items of what it has left.
    rest: Vec<usize>,
}

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
    let part = |first| Part {
        limit,
        depth: cut.depth,
        subtrees: cut.subtrees,
        check: cut.check,
        first,
        step: parts,
    };
    let mut whole = Vec::with_capacity(parts);
    for first in 0..parts {
        let end = tree.search(&part(first), 1, &control);
        let end = end.expect("our own part");
        assert!(end.plan.is_none(), "a limit below the optimum");
        whole.push(Item {
            size: end.counts.0,
            rest: vec![],
        });
    }
    let total: u64 = whole.iter().map(|item| item.size).sum();
    let mut sorted: Vec<u64> = whole.iter().map(|item| item.size).collect();
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
    let report = |items: &[Item], threads| {
        for scale in [1.0, 100.0, 1e4, 1e5] {
            let (time, efficiency) = simulate(items, parts, threads, scale);
            println!(
                "{:.0e} states, {threads} threads: {time:.2} s, efficiency {efficiency:.3}",
                total as f64 * scale
            );
        }
    };
    for threads in [2, 100, 1_000, 10_000] {
        report(&whole, threads);
    }
    // 3. Parts that leave a rest.
    for threads in [1_000, 10_000] {
        let most = total / (SHARE * threads as u64);
        let begun = Instant::now();
        let mut items: Vec<Item> = (0..parts).map(|_| Item::default()).collect();
        let mut left: VecDeque<(usize, Vec<Vec<Direction>>)> = VecDeque::new();
        let note = |items: &mut Vec<Item>, left: &mut VecDeque<_>, item: usize, end: PartEnd| {
            items[item].size = end.counts.0;
            let each = end.rest.len().div_ceil(ITEMS).max(1);
            for rest in end.rest.chunks(each) {
                let new = items.len();
                items.push(Item::default());
                items[item].rest.push(new);
                left.push_back((new, rest.to_vec()));
            }
        };
        for first in 0..parts {
            let end = tree.search_some(&part(first), most, &control);
            note(&mut items, &mut left, first, end.expect("our own part"));
        }
        while let Some((item, rest)) = left.pop_front() {
            let end = tree.search_rest(limit, &rest, most, &control);
            note(&mut items, &mut left, item, end.expect("our own rest"));
        }
        let sum: u64 = items.iter().map(|item| item.size).sum();
        assert_eq!(sum, total, "nothing lost, nothing doubled");
        println!(
            "with rests after {most} states: {} items in {:.1} s; the largest has {}",
            items.len(),
            begun.elapsed().as_secs_f64(),
            items.iter().map(|item| item.size).max().unwrap_or(0)
        );
        report(&items, threads);
    }
}

/// The time until all items are done, of which the first ones are there at the beginning, and the efficiency, if all were
/// larger by a factor.
fn simulate(items: &[Item], first: usize, threads: usize, scale: f64) -> (f64, f64) {
    let us = |seconds: f64| (seconds * 1e6) as u64;
    // When each thread is free, and when each item is in the queue, in microseconds.
    let mut free: BinaryHeap<Reverse<u64>> = (0..threads).map(|_| Reverse(0)).collect();
    let mut queue: BinaryHeap<Reverse<(u64, usize)>> =
        (0..first).map(|i| Reverse((0, i))).collect();
    let (mut handed, mut end) = (0.0, 0);
    while let Some(Reverse((there, item))) = queue.pop() {
        let Reverse(ready) = free.pop().expect("a thread");
        let begun = ready.max(there).max(us(handed));
        handed = f64::max(handed, there as f64 / 1e6) + 1.0 / HANDED;
        let done = begun + us(items[item].size as f64 * scale / RATE + LATENCY);
        end = end.max(done);
        free.push(Reverse(done));
        queue.extend(items[item].rest.iter().map(|&rest| Reverse((done, rest))));
    }
    let work: f64 = items
        .iter()
        .map(|item| item.size as f64 * scale / RATE)
        .sum();
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
