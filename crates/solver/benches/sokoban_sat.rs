//! Levels by SAT: the maps of the NTU report and Microban, from ../shared/data/sokoban.
//!
//! `cargo bench -p noyes-solver --bench sokoban_sat -- ntu [pushes|moves] [ENCODING]`, or
//! `micro [pushes|moves] [ENCODING] [SECONDS] [FIRST-LAST]`. SECONDS limits the processor time. Optima are compared
//! with the known ones.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

use cpu_time::ProcessTime;
use noyes_puzzle::sokoban::{Level, read_levels};
use noyes_solver::sat::{LevelEncoding, solve_level};
use noyes_solver::{Control, Objective, SatOptions, Status};

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|w| w != "--bench")
        .collect();
    let word = |i: usize, usual: &'static str| words.get(i).map_or(usual, String::as_str);
    let objective: Objective = word(1, "pushes").parse().expect("pushes or moves");
    let usual = LevelEncoding::default_for(objective);
    let encoding = words
        .get(2)
        .map_or(usual, |name| name.parse().expect("an encoding"));
    let options = SatOptions::of(encoding);
    match word(0, "ntu") {
        "ntu" => ntu(objective, &options),
        "micro" => {
            let limit = word(3, "10").parse().expect("seconds");
            let (first, last) = word(4, "1-155").split_once('-').expect("FIRST-LAST");
            let levels = first.parse().expect("a number")..=last.parse().expect("a number");
            micro(objective, &options, Duration::from_secs(limit), levels);
        }
        other => panic!("{other:?}: expected ntu or micro"),
    }
}

/// Levels that we may not redistribute are in a folder next to the repository.
fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/sokoban")
}

/// The maps of table 1 in the NTU report, with their fewest moves and fewest pushes.
fn ntu(objective: Objective, options: &SatOptions<LevelEncoding>) {
    for (name, moves, pushes) in [
        ("map1", 31, 10),
        ("map1MA", 16, 0),
        ("map5", 51, 17),
        ("map10", 23, 7),
        ("map11", 31, 5),
        ("map12", 37, 10),
        ("map13", 70, 21),
    ] {
        let text = std::fs::read_to_string(data().join(format!("ntu/{name}.txt"))).expect("a map");
        let level = one(&text);
        let optimum = match objective {
            Objective::Moves => moves,
            Objective::Pushes if level.players().len() > 1 => continue,
            Objective::Pushes => pushes,
        };
        let limit = Duration::from_secs(600);
        run(name, &level, options, limit, Some(optimum));
    }
}

/// Reads the level of a map.
fn one(text: &str) -> Level {
    let mut entries = read_levels(text).expect("a map");
    entries.remove(0).level.expect("a level")
}

fn micro(
    objective: Objective,
    options: &SatOptions<LevelEncoding>,
    limit: Duration,
    levels: std::ops::RangeInclusive<usize>,
) {
    let text = std::fs::read_to_string(data().join("microban1.xsb")).expect("levels");
    let optima = std::fs::read_to_string(data().join("microban1-optimal.csv")).expect("optima");
    let column = match objective {
        Objective::Pushes => 1,
        Objective::Moves => 2,
    };
    let cpu = ProcessTime::now();
    let mut solved = 0;
    for (i, entry) in read_levels(&text).expect("levels").into_iter().enumerate() {
        let number = i + 1;
        if !levels.contains(&number) {
            continue;
        }
        let level = entry.level.expect("a level");
        let row = optima
            .lines()
            .find(|l| l.split(',').next() == Some(&number.to_string()));
        let optimum = row.and_then(|r| r.split(',').nth(column)?.parse().ok());
        let name = format!("#{number}");
        solved += usize::from(run(&name, &level, options, limit, optimum));
    }
    println!(
        "{solved} solved, {:.1} s CPU in total",
        cpu.elapsed().as_secs_f64()
    );
}

/// Solves a level and prints a line. Returns whether it was solved optimally.
fn run(
    name: &str,
    level: &Level,
    options: &SatOptions<LevelEncoding>,
    limit: Duration,
    optimum: Option<u32>,
) -> bool {
    let cpu = ProcessTime::now();
    let (stop, done) = (Arc::new(AtomicBool::new(false)), AtomicBool::new(false));
    let control = Control::new().stop_flag(stop.clone());
    let outcome = std::thread::scope(|scope| {
        // The limit is on processor time, because the machine may be busy with other work.
        scope.spawn(|| {
            while !done.load(Relaxed) && cpu.elapsed() < limit {
                std::thread::park_timeout(Duration::from_millis(20));
            }
            stop.store(true, Relaxed);
        });
        let ended = solve_level(level, true, options, &control);
        done.store(true, Relaxed);
        ended.outcome.expect("a backend")
    });
    let counts = outcome.counts.sat.unwrap_or_default();
    let bounds = outcome.bounds;
    println!(
        "{name:7} {:10} {:3}..{:3} {:8.3} s {:9} conflicts {:7} variables {:8} clauses",
        outcome.status.name(),
        bounds.lower,
        bounds.upper.map_or("-".into(), |u| u.to_string()),
        cpu.elapsed().as_secs_f64(),
        counts.conflicts,
        counts.variables,
        counts.clauses
    );
    let is_optimal = outcome.status == Status::Optimal;
    if let (true, Some(optimum)) = (is_optimal, optimum) {
        assert_eq!(bounds.lower, optimum, "{name}");
    }
    is_optimal
}
