//! Korf's fifty 24-puzzles on a graphics card: states and seconds of each limit.
//!
//! `cargo bench -p noyes-solver --features gpu --bench gpu -- HEURISTIC NUMBERS [DUPLICATES [SECONDS [MOST,LEAST,TAKE [PTX]]]]`,
//! run in the root of the repository. HEURISTIC may be several, separated by spaces, and NUMBERS is like `25,38` or
//! `1-50`. With `WHOLE` set, only limits below the optimum are searched. `BEAMS`
//! are widths: then only beams of these widths look for plans of the optimal length. With `CHECK` set, every whole limit is counted by
//! the threads of the CPU, too. With `CPU_TABLES` set, no table is built on the card. Tables are kept in the folder
//! `TABLES`, if it is set.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use noyes_puzzle::tiles::Board;
use noyes_solver::tiles::pdb::Tables;
use noyes_solver::tiles::{Device, Pace, Run, Searched};
use noyes_solver::{Control, HeuristicName, TilesCache};

#[allow(clippy::too_many_lines, reason = "one thing after the other")]
fn main() {
    let words: Vec<String> = (std::env::args().skip(1))
        .filter(|word| word != "--bench")
        .collect();
    let word = |i: usize, default: &str| words.get(i).cloned().unwrap_or(default.into());
    let heuristics = word(0, "pdb:6-6-6-6+reflect");
    let ids = numbers(&word(1, "38,40,25"));
    let duplicates: Option<usize> = word(2, "").parse().ok();
    let seconds: u64 = word(3, "600").parse().expect("seconds");
    let paces: Vec<Pace> = (word(4, "").split('/'))
        .map(|text| match &text.split(',').collect::<Vec<_>>()[..] {
            [most, least, take] => Pace {
                most: most.parse().expect("a number"),
                least: least.parse().expect("a number"),
                take: take.parse().expect("a number"),
            },
            _ => Pace::default(),
        })
        .collect();
    let kernels: Vec<Option<PathBuf>> = if words.len() > 5 {
        words[5..].iter().map(|path| Some(path.into())).collect()
    } else {
        vec![None]
    };
    let beams: Vec<usize> = std::env::var("BEAMS").map_or(vec![], |widths| {
        let widths = widths.split(',');
        widths.map(|w| w.parse().expect("a width")).collect()
    });
    let only_whole = std::env::var_os("WHOLE").is_some();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let tables = match std::env::var_os("TABLES") {
        Some(folder) => Tables::in_folder(folder),
        None => Tables::in_memory(),
    };
    let begun = Instant::now();
    let tables = tables.threads(threads).noting(move |note| {
        if let noyes_solver::tiles::pdb::Note::Built { name, .. } = note {
            println!("{:7.2} s: {name} is built", begun.elapsed().as_secs_f64());
        }
    });
    if std::env::var_os("CPU_TABLES").is_none() {
        tables.build_on_card();
    }
    let cache = TilesCache::new(tables);
    let goal = Board::blank_first(5, 5);
    let text = std::fs::read_to_string("data/korf24.csv").expect("the instances");
    for (heuristic, kernel, pace) in heuristics
        .split(' ')
        .flat_map(|h| kernels.iter().map(move |k| (h, k)))
        .flat_map(|(h, k)| paces.iter().map(move |p| (h, k, p)))
    {
        let heuristic: HeuristicName = heuristic.parse().expect("a heuristic");
        let deepening = cache.deepening(&heuristic, &goal, duplicates, &Control::new());
        let deepening = deepening.expect("tables");
        println!(
            "{:7.2} s: {heuristic}, {:.2} GB",
            begun.elapsed().as_secs_f64(),
            deepening.bytes() as f64 / 1e9
        );
        let source = (kernel.as_ref()).map(|path| std::fs::read_to_string(path).expect("PTX"));
        let loading = Instant::now();
        let card = match deepening.untested_card(&goal, *pace, source.as_deref()) {
            Ok(card) => card,
            Err(error) => {
                println!("{kernel:?} {pace:?}: {error}");
                continue;
            }
        };
        println!(
            "{} {pace:?} {kernel:?}, loaded in {:.2} s",
            card.describe(),
            loading.elapsed().as_secs_f64()
        );
        let mut sum = (0.0, 0, 0);
        for line in text.lines().filter(|line| !line.starts_with(['#', 'i'])) {
            let mut fields = line.split(',');
            let id: u16 = fields.next().expect("a number").parse().expect("a number");
            let tiles = fields.next().expect("a board").split(' ');
            let tiles: Vec<u16> = tiles.map(|tile| tile.parse().expect("a tile")).collect();
            let optimum: u32 = fields.next().expect("a length").parse().expect("a length");
            if !ids.contains(&id) {
                continue;
            }
            let board = Board::new(5, tiles).expect("a board");
            let control = Control::new().time_limit(Duration::from_secs(seconds));
            for width in beams.iter().copied() {
                let begun = Instant::now();
                let beamed = deepening.beam_on(&board, optimum, width, &card, &control);
                let beamed = beamed.expect("the card works");
                println!(
                    "#{id}: beam of {width}: {:?} moves, {} expanded, {} generated, {:.3} s",
                    beamed.found.as_ref().map(Vec::len),
                    beamed.expanded,
                    beamed.generated,
                    begun.elapsed().as_secs_f64()
                );
                if beamed.found.is_some() {
                    break;
                }
            }
            if !beams.is_empty() {
                continue;
            }
            let run = Run {
                device: Some(&card),
                upper: if only_whole { optimum } else { u32::MAX },
                ..Run::new(&control)
            };
            let begun = Instant::now();
            let mut last = begun;
            let mut limits: Vec<(Searched, f64)> = vec![];
            let outcome = deepening
                .searched(&board, run, &mut |limit| {
                    limits.push((limit, last.elapsed().as_secs_f64()));
                    last = Instant::now();
                })
                .expect("no checkpoints");
            let elapsed = begun.elapsed().as_secs_f64();
            if let Some(error) = card.failure() {
                println!("#{id}: {error}");
                break;
            }
            let end = match &outcome.plan {
                Some(plan) => match noyes_check::board_plan(&board, &goal, plan) {
                    Ok(length) if length == optimum => format!("optimum {length}"),
                    other => format!("WRONG: {other:?}, expected {optimum}"),
                },
                None => format!("{:?}, at least {}", outcome.status, outcome.bounds.lower),
            };
            let counts = outcome.counts;
            println!(
                "#{id}: {end}, {} expanded, {} generated, {elapsed:.3} s, {:.2} G/s",
                counts.expanded,
                counts.generated,
                counts.generated as f64 / elapsed / 1e9
            );
            for (limit, seconds) in &limits {
                println!(
                    "    {}: {} {} {seconds:.4} s",
                    limit.limit, limit.expanded, limit.generated
                );
            }
            println!("    last: {:.4} s", last.elapsed().as_secs_f64());
            sum = (
                sum.0 + elapsed,
                sum.1 + counts.expanded,
                sum.2 + counts.generated,
            );
            if std::env::var_os("CHECK").is_some() {
                let run = Run {
                    threads,
                    ..Run::new(&control)
                };
                let mut same = 0;
                let mut wrong = 0;
                let _ = deepening.searched(&board, run, &mut |limit| match limits
                    .iter()
                    .find(|(other, _)| other.limit == limit.limit)
                {
                    Some((other, _)) if *other == limit => same += 1,
                    _ => wrong += 1,
                });
                println!("    CPU: {same} limits with the same counts, {wrong} with others");
            }
        }
        println!(
            "sum: {:.2} s, {} expanded, {} generated, {:.2} G/s",
            sum.0,
            sum.1,
            sum.2,
            sum.2 as f64 / sum.0 / 1e9
        );
    }
}

/// `25,38` or `1-50`, or both.
fn numbers(text: &str) -> Vec<u16> {
    let number = |text: &str| text.parse::<u16>().expect("a number");
    text.split(',')
        .flat_map(|range| match range.split_once('-') {
            Some((from, to)) => number(from)..=number(to),
            None => number(range)..=number(range),
        })
        .collect()
}
