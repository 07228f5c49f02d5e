//! Korf's fifty 24-puzzles: states and processor time.
//!
//! `cargo bench -p noyes-solver --bench korf24 -- HEURISTIC NUMBERS [THREADS [DUPLICATES [SECONDS]]]`, where NUMBERS is like
//! `25,38` or `1-50`, and the heuristic is for the goal with the blank first. Tables are kept in `target/pdb`. With `auto` in
//! the place of the heuristic, the plans and bounds of `auto` after that time.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use noyes_puzzle::tiles::{Board, Goal};
use noyes_solver::tiles::pdb::Tables;
use noyes_solver::{Ask, Control, Engine, HeuristicName, Status, TilesCache, solve};

fn main() {
    let words: Vec<String> = (std::env::args().skip(1))
        .filter(|word| word != "--bench")
        .collect();
    let word = |i: usize, default: &str| words.get(i).cloned().unwrap_or(default.into());
    let heuristic = word(0, "pdb:6-6-6-6+reflect");
    let heuristic: Option<HeuristicName> =
        (heuristic != "auto").then(|| heuristic.parse().expect("a heuristic"));
    let engine = heuristic.as_ref().map_or(Engine::Auto, |_| Engine::IdaStar);
    let ids = numbers(&word(1, "38,40,25"));
    let threads: usize = word(2, "1").parse().expect("a number of threads");
    let duplicates: Option<usize> = word(3, "").parse().ok();
    let seconds: u64 = word(4, "600").parse().expect("seconds");
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = root.join("target/pdb");
    std::fs::create_dir_all(&folder).expect("a folder");
    let cache = Arc::new(TilesCache::new(Tables::in_folder(folder).threads(threads)));
    let text = std::fs::read_to_string(root.join("data/korf24.csv")).expect("the instances");
    let mut first = true;
    let mut sum = (0, 0, 0.0, 0.0);
    let (mut lower, mut upper, mut boards) = (0.0, 0.0, 0.0);
    for line in text.lines().filter(|line| !line.starts_with(['#', 'i'])) {
        let mut fields = line.split(',');
        let id: u16 = fields.next().expect("a number").parse().expect("a number");
        let tiles: Vec<u16> = (fields.next().expect("a board").split(' '))
            .map(|tile| tile.parse().expect("a tile"))
            .collect();
        let optimum: u32 = fields.next().expect("a length").parse().expect("a length");
        if !ids.contains(&id) {
            continue;
        }
        let board = Board::new(5, tiles).expect("a board");
        let ask = |board: &Board| {
            Ask::board(board.clone(), Goal::BlankFirst)
                .engine(engine)
                .heuristic(heuristic.clone())
                .duplicates(duplicates)
                .threads(threads)
                .cache(cache.clone())
                .request()
                .expect("a request")
        };
        if first {
            let begun = Instant::now();
            solve(&ask(&Board::blank_first(5, 5)), &Control::new()).expect("an answer");
            println!("tables ready after {:.1} s", begun.elapsed().as_secs_f64());
            first = false;
        }
        let (begun, cpu) = (Instant::now(), ProcessTime::now());
        let control = Control::new().time_limit(Duration::from_secs(seconds));
        let answer = solve(&ask(&board), &control).expect("an answer");
        let (wall, cpu) = (begun.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        let solved = answer.status == Status::Optimal;
        assert!(
            !solved || answer.bounds.upper == Some(optimum),
            "the known optimum"
        );
        assert!(answer.bounds.lower <= optimum, "a sound bound");
        lower += f64::from(answer.bounds.lower) / f64::from(optimum);
        upper += f64::from(answer.bounds.upper.unwrap_or(u32::MAX)) / f64::from(optimum);
        boards += 1.0;
        let plan = answer
            .bounds
            .upper
            .map_or("no plan".into(), |upper| format!("plan of {upper}"));
        let counts = answer.counts;
        println!(
            "#{id}: {} of {optimum}, {plan}, {} expanded, {} generated, {cpu:.2} s of processor time, {wall:.2} s; {:.2} M expanded/s",
            answer.bounds.lower,
            counts.expanded,
            counts.generated,
            counts.expanded as f64 / cpu / 1e6
        );
        sum.0 += counts.expanded;
        sum.1 += counts.generated;
        sum.2 += cpu;
        sum.3 += wall;
    }
    println!(
        "mean share of the optimum: lower bound {:.4}, plan {:.4}",
        lower / boards,
        upper / boards
    );
    println!(
        "all: {} expanded, {} generated, {:.2} s of processor time, {:.2} s; {:.2} M expanded/s",
        sum.0,
        sum.1,
        sum.2,
        sum.3,
        sum.0 as f64 / sum.2 / 1e6
    );
}

/// Reads `1,2,5-7`.
fn numbers(text: &str) -> Vec<u16> {
    let number = |text: &str| -> u16 { text.parse().expect("a number") };
    let range = |text: &str| match text.split_once('-') {
        Some((from, to)) => number(from)..=number(to),
        None => number(text)..=number(text),
    };
    text.split(',').flat_map(range).collect()
}
