//! SAT with `lean`: the time for Korf's boards and for random 3×3 boards.
//!
//! `cargo bench -p noyes-solver --bench lean -- korf`. Instead of `korf`: `quick`, `eight`, `class`, `static`,
//! `some PARTITION NUMBERS SECONDS`, or `pairs FILE ENCODING SECONDS` (FILE holds a board and a plan, as for
//! `noyes encode --pairs`).

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use noyes_puzzle::tiles::{Board, Generator, Goal, Notation, parse_plan, random_board};
use noyes_solver::sat::BoardEncoding;
use noyes_solver::tiles::pdb::Partition;
use noyes_solver::{
    Answer, Ask, Control, HeuristicName, SatCounts, SatOptions, Status, Stop, TilesCache, solve,
};

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|w| w != "--bench")
        .collect();
    let what = words.first().map_or("all", String::as_str);
    let all = what == "all";
    let korf = korf();
    if all || what == "eight" {
        eight(words.get(1).map(String::as_str));
    }
    if what == "static" {
        plain(
            &korf,
            words.get(1).map_or(46, |n| n.parse().expect("a number")),
        );
    }
    if what == "pairs" {
        pairs(&words[1], &words[2], words[3].parse().expect("seconds"));
    }
    if what == "some" {
        let numbers: Vec<usize> = words[2]
            .split(',')
            .map(|n| n.parse().expect("a number"))
            .collect();
        let some: Vec<_> = numbers.iter().map(|&n| korf[n - 1].clone()).collect();
        let limit = words.get(3).map(|n| n.parse().expect("seconds"));
        fifteen(&words[1], &some, limit);
    }
    if all || what == "class" {
        let class: Vec<_> = korf
            .iter()
            .filter(|b| matches!(b.2, 47 | 50 | 61))
            .cloned()
            .collect();
        fifteen("7-8+reflect", &class, None);
        fifteen("6-6-3+reflect", &class, Some(60));
    }
    if all || what == "korf" {
        fifteen("7-8+reflect", &korf, None);
    }
    if all || what == "quick" {
        fifteen("6-6-3+reflect", &korf, Some(60));
    }
}

/// Solves a board by SAT.
fn by_sat(
    board: &Board,
    goal: &Board,
    encoding: &str,
    partition: Option<&Partition>,
    cache: &Arc<TilesCache>,
    limit: Option<u64>,
) -> Answer {
    let sat = SatOptions {
        encoding: encoding.parse::<BoardEncoding>().expect("an encoding"),
        ..SatOptions::default()
    };
    let mut ask = Ask::board(board.clone(), Goal::Board(goal.clone()))
        .sat(sat)
        .cache(cache.clone());
    if let Some(partition) = partition {
        ask = ask.heuristic(HeuristicName::from(partition.clone()));
    }
    let mut control = Control::new();
    if let Some(seconds) = limit {
        control = control.time_limit(Duration::from_secs(seconds));
    }
    let request = ask.request().expect("a board of this size");
    solve(&request, &control).expect("plans pass the check")
}

/// 100 random 3×3 boards.
fn eight(partition: Option<&str>) {
    let partition: Option<Partition> = partition.map(|p| p.parse().expect("a partition"));
    let goal = Board::blank_last(3, 3);
    let started = ProcessTime::now();
    let cache = Arc::new(TilesCache::default());
    let (mut moves, mut sum) = (0, SatCounts::default());
    let mut slowest = Duration::ZERO;
    for i in 0..100 {
        let board = random_board(&goal, &mut Generator::new(1, i));
        let one = ProcessTime::now();
        let answer = by_sat(&board, &goal, "lean", partition.as_ref(), &cache, None);
        slowest = slowest.max(one.elapsed());
        assert_eq!(answer.status, Status::Optimal);
        moves += answer.plan.expect("a plan").len();
        sum = sum.and(answer.counts.sat.expect("by SAT"));
    }
    println!(
        "100 random 3x3 boards: mean {:.3} ms, slowest {:.3} ms, mean plan {:.1} moves; {sum:?}",
        started.elapsed().as_secs_f64() * 10.0,
        slowest.as_secs_f64() * 1e3,
        moves as f64 / 100.0
    );
}

/// The static formula with plain `CaDiCaL`, for boards of at most `most` moves.
fn plain(korf: &[(usize, Board, u32)], most: u32) {
    let goal = Board::blank_first(4, 4);
    let cache = Arc::new(TilesCache::default());
    for (number, board, optimum) in korf.iter().filter(|b| b.2 <= most) {
        let started = ProcessTime::now();
        let answer = by_sat(board, &goal, "lean+static", None, &cache, None);
        assert_eq!(answer.bounds.upper, Some(*optimum));
        println!(
            "{number:3} {optimum} static: {:.2} s {:?}",
            started.elapsed().as_secs_f64(),
            answer.counts.sat.expect("by SAT")
        );
    }
}

/// Clausecker and Kaiser's pairs: for a board k moves from the end of an optimal plan, asks whether there is a plan of
/// k moves, and of k - 2.
fn pairs(path: &str, encoding: &str, seconds: u64) {
    let text = std::fs::read_to_string(path).expect("a file");
    let mut lines = text.lines().filter(|line| !line.starts_with('#'));
    let mut line = || lines.next().expect("a board and a plan");
    let mut board = Board::parse(line(), None).expect("a board");
    let plan = parse_plan(line(), Notation::Blank).expect("a plan");
    let goal = Board::blank_first(board.width(), board.height());
    let cache = Arc::new(TilesCache::default());
    for (i, &direction) in plan.iter().enumerate() {
        let k = (plan.len() - i) as u32;
        for (most, is_enough) in [(k, true), (k - 2, false)] {
            if !(30..=60).contains(&k) {
                continue;
            }
            let sat = SatOptions {
                encoding: encoding.parse::<BoardEncoding>().expect("an encoding"),
                at_most: Some(most),
                ..SatOptions::default()
            };
            // The weakest heuristic, so that the SAT solver has something to do.
            let request = Ask::board(board.clone(), Goal::Board(goal.clone()))
                .heuristic("misplaced".parse::<HeuristicName>().expect("a heuristic"))
                .sat(sat)
                .cache(cache.clone())
                .request()
                .expect("a board of this size");
            let started = ProcessTime::now();
            let control = Control::new().time_limit(Duration::from_secs(seconds));
            let answer = solve(&request, &control).expect("plans pass the check");
            let is_answered = match answer.status {
                Status::Limit(stop) => stop == Stop::Bound,
                _ => true,
            };
            assert!(!is_answered || answer.plan.is_some() == is_enough);
            println!(
                "k {k}, at most {most}: {} {:.2} s {:?}",
                if is_answered { "answered" } else { "no answer" },
                started.elapsed().as_secs_f64(),
                answer.counts.sat.unwrap_or_default()
            );
        }
        board.step(direction);
    }
}

/// Boards of the fifteen puzzle, each with a time limit in seconds.
fn fifteen(partition: &str, boards: &[(usize, Board, u32)], limit: Option<u64>) {
    let goal = Board::blank_first(4, 4);
    let partition: Partition = partition.parse().expect("a partition");
    let cache = Arc::new(TilesCache::default());
    let started = ProcessTime::now();
    for key in partition.keys(&goal).expect("it fits") {
        cache.tables().get(&key, &Control::new()).expect("no limit");
    }
    println!(
        "tables of {partition}: {:.2} s",
        started.elapsed().as_secs_f64()
    );
    let (mut solved, mut sum, mut total) = (0, SatCounts::default(), Duration::ZERO);
    let mut slowest = (Duration::ZERO, 0);
    for (number, board, optimum) in boards {
        let started = ProcessTime::now();
        let answer = by_sat(board, &goal, "lean", Some(&partition), &cache, limit);
        let time = started.elapsed();
        if answer.status == Status::Optimal {
            assert_eq!(answer.bounds.upper, Some(*optimum), "{board}");
            solved += 1;
        }
        let counts = answer.counts.sat.unwrap_or_default();
        sum = sum.and(counts);
        total += time;
        slowest = slowest.max((time, *number));
        println!(
            "{number:3} {optimum} {:?} {:.3} s {counts:?}",
            answer.status,
            time.as_secs_f64()
        );
    }
    println!(
        "{partition}: {solved} of {} solved, {:.1} s in total, slowest {:.2} s (#{}); {sum:?}",
        boards.len(),
        total.as_secs_f64(),
        slowest.0.as_secs_f64(),
        slowest.1
    );
}

/// Korf's boards: number, board, optimum.
fn korf() -> Vec<(usize, Board, u32)> {
    let rows = include_str!("../../../data/korf15.csv")
        .lines()
        .filter(|l| !l.starts_with('#'))
        .skip(1);
    let board = |row: &str| {
        let fields: Vec<&str> = row.split(',').collect();
        (
            fields[0].parse().expect("a number"),
            fields[1].parse().expect("a board"),
            fields[2].parse().expect("a number"),
        )
    };
    rows.map(board).collect()
}
