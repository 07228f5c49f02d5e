//! The fifteen puzzle with pattern databases: Korf's hundred boards, the hardest boards, the tables themselves, and the
//! eight puzzle.
//!
//! `cargo bench -p noyes-solver --bench fifteen` prints processor time and nodes on one thread.

use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use noyes_puzzle::tiles::{Board, Generator, random_board};
use noyes_solver::tiles::pdb::{Partition, Tables};
use noyes_solver::tiles::{Fifteen, Positions};
use noyes_solver::{Control, Status};

fn main() {
    let korf = boards(include_str!("../../../data/korf15.csv"));
    let hardest = boards(include_str!("../../../data/fifteen80.csv"));
    let goal = Board::blank_first(4, 4);
    tables_of_7_8();
    eight(&Board::blank_last(3, 3));
    for partition in [
        "7-6-2+reflect",
        "7-7-1+reflect",
        "6-6-3+reflect",
        "7-8+reflect",
    ] {
        let start = ProcessTime::now();
        let partition: Partition = partition.parse().expect("a partition");
        let fifteen = Fifteen::new(
            &partition,
            &goal,
            &Tables::in_memory(),
            false,
            &Control::new(),
        )
        .expect("no limit");
        let built = start.elapsed();
        let (searched, nodes) = solve(&fifteen, &korf);
        println!(
            "Korf 100 with {partition}: {:.2} s in total: tables of {:.1} MB {:.2} s, search {:.3} s; \
             mean {} generated",
            (built + searched).as_secs_f64(),
            fifteen.table_bytes() as f64 / 1e6,
            built.as_secs_f64(),
            searched.as_secs_f64(),
            nodes / korf.len() as u64
        );
        if partition.to_string() == "7-8+reflect" {
            for _ in 0..3 {
                println!(
                    "  again, warm: {:.3} s",
                    solve(&fifteen, &korf).0.as_secs_f64()
                );
            }
            for board in &hardest {
                let (time, nodes) = solve(&fifteen, std::slice::from_ref(board));
                println!(
                    "  80 moves from {}: {:.2} s, {nodes} generated",
                    board.0,
                    time.as_secs_f64()
                );
            }
        }
    }
}

/// Builds the tables of 7-8, on one thread and on all.
fn tables_of_7_8() {
    let partition: Partition = "7-8".parse().expect("a partition");
    for threads in [
        1,
        std::thread::available_parallelism().map_or(1, Into::into),
    ] {
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        let tables = Tables::in_memory().threads(threads);
        let mut bytes = 0;
        for key in partition.keys(&Board::blank_first(4, 4)).expect("it fits") {
            bytes += tables
                .get(&key, &Control::new())
                .expect("no limit")
                .bits()
                .len();
        }
        let (wall, cpu) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
        println!(
            "tables of 7-8, {threads} threads: {cpu:.2} s ({wall:.2} s wall), {:.1} MB",
            bytes as f64 / 1e6
        );
    }
}

/// The eight puzzle from a full table: first the table, then random boards.
fn eight(goal: &Board) {
    let start = ProcessTime::now();
    let positions = Positions::new(goal, &Tables::in_memory(), &Control::new()).expect("no limit");
    let built = start.elapsed();
    let boards: Vec<Board> = (0..20_000)
        .map(|i| random_board(goal, &mut Generator::new(1, i)))
        .collect();
    let start = ProcessTime::now();
    let moves: usize = boards.iter().map(|board| positions.plan(board).len()).sum();
    let each = start.elapsed() / boards.len() as u32;
    println!(
        "8-puzzle: table {built:.1?}, then {each:.2?} a board (mean plan {:.1} moves)",
        moves as f64 / boards.len() as f64
    );
}

/// Reads boards and their optima from rows of number, state and optimum.
fn boards(table: &str) -> Vec<(Board, u32)> {
    let rows = table.lines().filter(|l| !l.starts_with('#')).skip(1);
    let board = |row: &str| {
        let fields: Vec<&str> = row.split(',').collect();
        (
            fields[1].parse().expect("a board"),
            fields[2].parse().expect("a number"),
        )
    };
    rows.map(board).collect()
}

/// Solves all boards. Returns the processor time and the number of states generated.
fn solve(fifteen: &Fifteen, boards: &[(Board, u32)]) -> (Duration, u64) {
    let start = ProcessTime::now();
    let mut nodes = 0;
    for (board, optimum) in boards {
        let outcome = fifteen.solve(board, 0, &Control::new());
        assert_eq!(
            (outcome.status, outcome.bounds.upper),
            (Status::Optimal, Some(*optimum)),
            "{board}"
        );
        nodes += outcome.counts.generated;
    }
    (start.elapsed(), nodes)
}
