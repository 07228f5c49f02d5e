//! Plans by SAT: what `lean` takes for Korf's boards and for random 3×3 boards.
//!
//! `cargo bench -p noyes-solver --bench lean -- korf`; or `quick`, `eight`, `class`, `static`, `some PARTITION NUMBERS SECONDS`

use std::time::Duration;

use cadical_sys::CaDiCal;
use cpu_time::ProcessTime;
use noyes_puzzle::tiles::{Board, Generator, random_board};
use noyes_solver::pdb::{Partition, Tables};
use noyes_solver::sat::{Stats, lean, read_plan, static_cnf};
use noyes_solver::{Control, Status};

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
    if what == "some" {
        let numbers: Vec<usize> = words[2]
            .split(',')
            .map(|n| n.parse().expect("a number"))
            .collect();
        let some: Vec<_> = numbers.iter().map(|&n| korf[n - 1].clone()).collect();
        let limit = words.get(3).map(|n| n.parse().expect("seconds"));
        fifteen(&words[1], &some, limit, true);
    }
    if all || what == "class" {
        let class: Vec<_> = korf
            .iter()
            .filter(|b| matches!(b.2, 47 | 50 | 61))
            .cloned()
            .collect();
        fifteen("7-8+reflect", &class, None, true);
        fifteen("6-6-3+reflect", &class, Some(60), true);
    }
    if all || what == "korf" {
        fifteen("7-8+reflect", &korf, None, true);
    }
    if all || what == "quick" {
        fifteen("6-6-3+reflect", &korf, Some(60), true);
    }
}

/// 100 random 3×3 boards.
fn eight(partition: Option<&str>) {
    let partition: Option<Partition> = partition.map(|p| p.parse().expect("a partition"));
    let goal = Board::blank_last(3, 3);
    let started = ProcessTime::now();
    let tables = Tables::in_memory();
    let (mut moves, mut sum) = (0, Stats::default());
    let mut slowest = Duration::ZERO;
    for i in 0..100 {
        let board = random_board(&goal, &mut Generator::new(1, i));
        let one = ProcessTime::now();
        let (outcome, stats) = lean(&board, &goal, partition.as_ref(), &tables, &Control::new());
        slowest = slowest.max(one.elapsed());
        assert_eq!(outcome.status, Status::Optimal);
        moves += outcome.plan.expect("a plan").len();
        add(&mut sum, &stats);
    }
    println!(
        "100 random 3x3 boards: mean {:.3} ms, slowest {:.3} ms, mean plan {:.1} moves; {sum:?}",
        started.elapsed().as_secs_f64() * 10.0,
        slowest.as_secs_f64() * 1e3,
        moves as f64 / 100.0
    );
}

/// The static formula by plain `CaDiCaL`, from the Manhattan distance up, for boards of at most so many moves.
fn plain(korf: &[(usize, Board, u32)], most: u32) {
    let goal = Board::blank_first(4, 4);
    for (number, board, optimum) in korf.iter().filter(|b| b.2 <= most) {
        let started = ProcessTime::now();
        let (distance, places) = (goal.places(), board.places());
        let way = |a: usize, b: usize| (a / 4).abs_diff(b / 4) + (a % 4).abs_diff(b % 4);
        let mut budget: usize = (1..16)
            .map(|t| way(distance[t].into(), places[t].into()))
            .sum();
        let (mut conflicts, mut clauses, mut writing) = (0, 0, 0.0);
        loop {
            let one = ProcessTime::now();
            let cnf = static_cnf(board, &goal, budget);
            writing += one.elapsed().as_secs_f64();
            let mut solver = CaDiCal::new();
            solver.resize(cnf.variables);
            for clause in cnf.clauses.split(|&lit| lit == 0).filter(|c| !c.is_empty()) {
                solver.clause6(clause);
                clauses += 1;
            }
            let satisfied = solver.solve() == cadical_sys::Status::SATISFIABLE;
            conflicts += solver.get_statistic_value("conflicts");
            if satisfied {
                let plan = read_plan(board, &goal, budget, |lit| solver.val(lit) > 0);
                assert_eq!(
                    noyes_check::board_plan(board, &goal, &plan).ok(),
                    Some(*optimum)
                );
                break;
            }
            budget += 2;
        }
        println!(
            "{number:3} {optimum} static: {:.2} s, {writing:.2} s of it writing {clauses} clauses; {conflicts} conflicts",
            started.elapsed().as_secs_f64()
        );
    }
}

/// Boards of the fifteen puzzle, each with a limit in seconds.
fn fifteen(partition: &str, boards: &[(usize, Board, u32)], limit: Option<u64>, each: bool) {
    let goal = Board::blank_first(4, 4);
    let partition: Partition = partition.parse().expect("a partition");
    let tables = Tables::in_memory();
    let started = ProcessTime::now();
    for key in partition.keys(&goal).expect("it fits") {
        tables.get(&key, &Control::new()).expect("no limit");
    }
    println!(
        "tables of {partition}: {:.2} s",
        started.elapsed().as_secs_f64()
    );
    let (mut solved, mut sum, mut total) = (0, Stats::default(), Duration::ZERO);
    let mut slowest = (Duration::ZERO, 0);
    for (number, board, optimum) in boards {
        let mut control = Control::new();
        if let Some(seconds) = limit {
            control = control.time_limit(Duration::from_secs(seconds));
        }
        let started = ProcessTime::now();
        let (outcome, stats) = lean(board, &goal, Some(&partition), &tables, &control);
        let time = started.elapsed();
        if outcome.status == Status::Optimal {
            assert_eq!(outcome.bounds.upper, Some(*optimum), "{board}");
            let plan = outcome.plan.expect("a plan");
            assert_eq!(
                noyes_check::board_plan(board, &goal, &plan).ok(),
                Some(*optimum)
            );
            solved += 1;
        }
        add(&mut sum, &stats);
        total += time;
        slowest = slowest.max((time, *number));
        if each {
            println!(
                "{number:3} {optimum} {:?} {:.3} s {stats:?}",
                outcome.status,
                time.as_secs_f64()
            );
        }
    }
    println!(
        "{partition}: {solved} of {} solved, {:.1} s in all, slowest {:.2} s (#{}); {sum:?}",
        boards.len(),
        total.as_secs_f64(),
        slowest.0.as_secs_f64(),
        slowest.1
    );
}

fn add(sum: &mut Stats, stats: &Stats) {
    sum.budgets += stats.budgets;
    sum.conflicts += stats.conflicts;
    sum.decisions += stats.decisions;
    sum.propagations += stats.propagations;
    sum.lazy_clauses += stats.lazy_clauses;
    sum.forbidden += stats.forbidden;
    sum.boards += stats.boards;
    sum.variables += stats.variables;
    sum.clauses += stats.clauses;
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
