//! Certificates of Korf's hundred 15-puzzles and of random 3×3 boards: solved, proved, checked.
//!
//! `cargo bench -p noyes-solver --bench certify -- korf`. Instead of `korf`: `eight`, `tables`,
//! `some PATTERNS NUMBERS`, where PATTERNS is like `1,2,3/4,5,6` or `none`, and NUMBERS like `79,42` or `1-100`, or
//! `levels FILE SECONDS`, by pushes.

use std::sync::Arc;
use std::time::Duration;

use cpu_time::ProcessTime;
use noyes_check::{Case, Certificate, Counts, LevelCase, Store, TilesCase, patterns, verify};
use noyes_puzzle::sokoban::read_levels;
use noyes_puzzle::tiles::{Board, Direction, Generator, Goal, random_board};
use noyes_solver::prove::{Prover, certify, default_tables};
use noyes_solver::{Ask, Control, Plan, Status, TilesCache, solve};

fn main() {
    let words: Vec<String> = (std::env::args().skip(1))
        .filter(|word| word != "--bench")
        .collect();
    let goal = Board::blank_first(4, 4);
    match words.first().map_or("korf", String::as_str) {
        "tables" => drop(tables(&goal, &default_tables(&goal))),
        "eight" => eight(),
        "levels" => levels(&words[1], words[2].parse().expect("seconds")),
        "some" => {
            let groups = match words[1].as_str() {
                "none" => vec![],
                text => text.split('/').map(numbers).collect(),
            };
            korf(&groups, &numbers(&words[2]));
        }
        _ => korf(&default_tables(&goal), &numbers("1-100")),
    }
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

fn tables(goal: &Board, groups: &[Vec<u16>]) -> Store {
    let mut store = Store::new(None, 2);
    let started = ProcessTime::now();
    let clock = std::time::Instant::now();
    for pattern in patterns(goal, groups).expect("patterns") {
        let table = store.table(&pattern).expect("it fits");
        println!("{:?}: {} values", pattern.goals, table.values().len());
    }
    println!(
        "tables: {:.1} s of processor time, {:.1} s",
        started.elapsed().as_secs_f64(),
        clock.elapsed().as_secs_f64()
    );
    store
}

/// What certificates took.
#[derive(Default)]
struct Sum {
    solving: Duration,
    proving: Duration,
    checking: Duration,
    bytes: usize,
    largest: usize,
    lemmas: u64,
}

impl Sum {
    fn add(
        &mut self,
        start: &Board,
        goal: &Board,
        groups: &[Vec<u16>],
        store: &mut Store,
        cache: &Arc<TilesCache>,
    ) -> String {
        let clock = ProcessTime::now();
        let plan = plan(start, goal, cache);
        let solving = clock.elapsed();
        let clock = ProcessTime::now();
        let case = Case::Tiles(TilesCase {
            start: start.clone(),
            goal: goal.clone(),
            plan: Some(plan),
            tables: groups.to_vec(),
        });
        let mut certificate = Certificate {
            case,
            refutes: None,
        };
        let certified = certify(
            &mut certificate,
            Prover::Search,
            store,
            vec![],
            &Control::new(),
        );
        let (totals, bytes) = certified.expect("it is optimal");
        let proving = clock.elapsed();
        let clock = ProcessTime::now();
        let verdict = verify(&bytes[..], store).expect("verified");
        let checking = clock.elapsed();
        self.solving += solving;
        self.proving += proving;
        self.checking += checking;
        self.bytes += bytes.len();
        self.largest = self.largest.max(bytes.len());
        self.lemmas += totals.lemmas;
        format!(
            "{} moves: solve {:.3} s, prove {:.3} s, check {:.3} s, {} bytes, {totals:?}",
            verdict.cost.expect("a plan"),
            solving.as_secs_f64(),
            proving.as_secs_f64(),
            checking.as_secs_f64(),
            bytes.len(),
        )
    }

    fn print(&self, count: usize) {
        println!(
            "{count} boards: solve {:.2} s, prove {:.2} s, check {:.2} s; {} bytes in all, {} at most, {} lemmas",
            self.solving.as_secs_f64(),
            self.proving.as_secs_f64(),
            self.checking.as_secs_f64(),
            self.bytes,
            self.largest,
            self.lemmas
        );
    }
}

fn plan(start: &Board, goal: &Board, cache: &Arc<TilesCache>) -> Vec<Direction> {
    let ask = Ask::board(start.clone(), Goal::Board(goal.clone())).cache(cache.clone());
    let request = ask.request().expect("a request");
    let answer = solve(&request, &Control::new()).expect("an answer");
    match answer.plan {
        Some(Plan::Directions(plan)) => plan,
        _ => panic!("a plan"),
    }
}

fn korf(groups: &[Vec<u16>], numbers: &[u16]) {
    let goal = Board::blank_first(4, 4);
    let mut store = tables(&goal, groups);
    let cache = Arc::new(TilesCache::default());
    let mut sum = Sum::default();
    let rows = include_str!("../../../data/korf15.csv").lines();
    let rows: Vec<&str> = rows.filter(|l| !l.starts_with('#')).skip(1).collect();
    for &number in numbers {
        let fields: Vec<&str> = rows[usize::from(number) - 1].split(',').collect();
        let start: Board = fields[1].parse().expect("a board");
        let line = sum.add(&start, &goal, groups, &mut store, &cache);
        println!("{number:3} {line}");
    }
    sum.print(numbers.len());
}

fn eight() {
    let goal = Board::blank_last(3, 3);
    let cache = Arc::new(TilesCache::default());
    let mut generator = Generator::new(1, 0);
    let mut sum = Sum::default();
    let mut boards: Vec<Board> = (0..100)
        .map(|_| random_board(&goal, &mut generator))
        .collect();
    boards.push("8 6 7/2 5 4/3 0 1".parse().expect("a board"));
    boards.push("6 4 7/8 5 0/3 2 1".parse().expect("a board"));
    for (i, board) in boards.iter().enumerate() {
        // Nothing is kept from one board to the next, as on the command line.
        let mut store = Store::new(None, 1);
        let line = sum.add(board, &goal, &default_tables(&goal), &mut store, &cache);
        if i >= 100 {
            println!("{line}");
        }
    }
    sum.print(boards.len());
}

/// Certifies each level of a file by pushes; solving, proving and checking share the time limit.
fn levels(path: &str, seconds: u64) {
    let text = std::fs::read_to_string(path).expect("a file of levels");
    let (mut certified, mut all) = (0, 0);
    for entry in read_levels(&text).expect("levels") {
        all += 1;
        let clock = std::time::Instant::now();
        let control = Control::new().time_limit(Duration::from_secs(seconds));
        let level = entry.level.expect("a level");
        let request = Ask::level(level.clone()).request().expect("a request");
        let answer = solve(&request, &control).expect("an answer");
        let (Some(Plan::Walks(plan)), Status::Optimal) = (answer.plan, answer.status) else {
            println!("{all:3} not solved");
            continue;
        };
        let case = Case::Level(LevelCase {
            level,
            counts: Counts::Pushes,
            plan: Some(plan),
            stuck: vec![],
        });
        let mut certificate = Certificate {
            case,
            refutes: None,
        };
        let mut store = Store::new(None, 1);
        match certify(
            &mut certificate,
            Prover::Search,
            &mut store,
            vec![],
            &control,
        ) {
            Ok((totals, bytes)) => {
                let proved = clock.elapsed();
                let verdict = verify(&bytes[..], &mut store).expect("verified");
                let time = clock.elapsed();
                if time.as_secs() < seconds {
                    certified += 1;
                }
                println!(
                    "{all:3} {} pushes: {:.2} s, {:.2} s of them to check, {} bytes, {} lemmas",
                    verdict.cost.expect("a plan"),
                    time.as_secs_f64(),
                    time.as_secs_f64() - proved.as_secs_f64(),
                    bytes.len(),
                    totals.lemmas
                );
            }
            Err(error) => println!("{all:3} {} pushes: {error}", answer.bounds.lower),
        }
    }
    println!("{certified} of {all} levels within {seconds} s each");
}
