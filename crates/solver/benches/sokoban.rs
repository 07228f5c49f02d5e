//! Sokoban by search: processor time and states for each level, and in total.
//!
//! `cargo bench -p noyes-solver --bench sokoban -- micro-pushes`. Instead of `micro-pushes`: `micro-moves`, `micro-any`,
//! `micro-anytime`, `boxoban` or `ntu`; `large-any`, `large-anytime`, `large-pushes`, `large-proof` and `large-moves` for
//! Sasquatch I and II as levels 1 to 100; `xsokoban-any`, `xsokoban-anytime`, `xsokoban-pushes` and `xsokoban-proof` for the
//! 90 levels of `xsokoban.xsb`. `-proof` is `-pushes` without breaking ties by moves: it ends when the bounds meet.
//! After it may come level numbers or `all`, a time limit in seconds, a memory limit in MB, and the number of threads that
//! look for a first plan: `micro-pushes 93,144 60 4000`, `micro-pushes all 10`. With several threads, the time is wall time.
//! The levels are read from the folder that `SOKOBAN_DATA` names, or from `../shared/data/sokoban` next to the repository;
//! their licences keep them out of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use noyes_puzzle::sokoban::{Level, parse_level};
use noyes_puzzle::tiles::Direction;
use noyes_solver::sokoban::{any_plan, fewest_moves, fewest_pushes, fewest_steps, first_plan};
use noyes_solver::{Control, Objective, Outcome, Status};

fn main() {
    let words: Vec<String> = std::env::args()
        .skip(1)
        .filter(|w| w != "--bench")
        .collect();
    let what = words.first().map_or("boxoban", String::as_str);
    let only: Vec<usize> = words.get(1).map_or(vec![], |list| {
        let numbers = list.split(',').filter(|n| *n != "all");
        numbers.map(|n| n.parse().expect("a number")).collect()
    });
    let limit = words.get(2).map_or(60, |n| n.parse().expect("seconds"));
    let microban = || read_levels("microban1.xsb");
    let boxoban = || read_levels("boxoban-hard-100.xsb");
    let large = || {
        let both = ["sasquatch1.xsb", "sasquatch2.xsb"].map(read_levels);
        let levels = both.into_iter().flatten().map(|(_, level)| level);
        (1..).zip(levels).collect::<Vec<_>>()
    };
    let xsokoban = || read_levels("xsokoban.xsb");
    match what {
        "micro-pushes" => measure(what, &microban(), &only, limit, pushes, 1),
        "micro-moves" => measure(what, &microban(), &only, limit, moves, 2),
        "micro-any" => measure(what, &microban(), &only, limit, first, 0),
        "micro-anytime" => measure(what, &microban(), &only, limit, anytime, 1),
        "large-any" => measure(what, &large(), &only, limit, first, 0),
        "large-anytime" => measure(what, &large(), &only, limit, anytime, 0),
        "large-pushes" | "large-proof" => measure(what, &large(), &only, limit, pushes, 0),
        "large-moves" => measure(what, &large(), &only, limit, moves, 0),
        "xsokoban-any" => measure(what, &xsokoban(), &only, limit, first, 0),
        "xsokoban-anytime" => measure(what, &xsokoban(), &only, limit, anytime, 0),
        "xsokoban-pushes" | "xsokoban-proof" => measure(what, &xsokoban(), &only, limit, pushes, 0),
        "boxoban" => {
            measure("boxoban any", &boxoban(), &only, limit, first, 0);
            measure("boxoban pushes", &boxoban(), &only, limit, pushes, 0);
            measure("boxoban moves", &boxoban(), &only, limit, moves, 0);
        }
        "ntu" => {
            let names = [1, 5, 10, 11, 12, 13];
            let maps = names.map(|n| (n, read_map(&n.to_string())));
            measure("ntu moves", &maps, &only, limit, moves, 0);
            crew("1MA", limit);
        }
        _ => panic!("expected one of the names in the first lines of this file"),
    }
}

/// The memory limit in bytes; the fourth word gives it in MB.
fn memory_limit() -> usize {
    let words: Vec<String> = std::env::args().filter(|w| w != "--bench").collect();
    words
        .get(4)
        .map_or(6 << 30, |mb| mb.parse::<usize>().expect("megabytes") << 20)
}

/// How many threads look for a first plan; the fifth word gives their number.
fn threads() -> usize {
    let mut words = std::env::args().filter(|w| w != "--bench");
    words.nth(5).map_or(1, |n| n.parse().expect("a number"))
}

/// Whether a run ends as soon as its bounds meet.
fn ends_at_proof() -> bool {
    let mut words = std::env::args().filter(|w| w != "--bench");
    words.nth(1).is_some_and(|what| what.ends_with("-proof"))
}

/// A map for several players, with waiting and without.
fn crew(name: &str, limit: u64) {
    let level = read_map(name);
    for (wait, rule) in [(true, "waiting"), (false, "no waiting")] {
        let control = Control::new().time_limit(Duration::from_secs(limit));
        let started = ProcessTime::now();
        let outcome = fewest_steps(&level, wait, &control).outcome;
        let taken = started.elapsed().as_secs_f64();
        println!(
            "{name}, {rule}: {} {} steps {:.2} ms {} expanded {} generated",
            outcome.status.name(),
            outcome.bounds.lower,
            taken * 1e3,
            outcome.counts.expanded,
            outcome.counts.generated,
        );
    }
}

fn pushes(level: &Level, control: &Control) -> Outcome<Direction> {
    fewest_pushes(level, control).outcome
}

fn moves(level: &Level, control: &Control) -> Outcome<Direction> {
    fewest_moves(level, control).outcome
}

fn first(level: &Level, control: &Control) -> Outcome<Direction> {
    first_plan(level, Objective::Pushes, threads(), control)
}

fn anytime(level: &Level, control: &Control) -> Outcome<Direction> {
    any_plan(level, Objective::Pushes, threads(), control)
}

type Solver = fn(&Level, &Control) -> Outcome<Direction>;

/// Solves levels one by one. If `column` is not 0, compares the costs with that column of the known optima.
fn measure(
    what: &str,
    levels: &[(usize, Level)],
    only: &[usize],
    limit: u64,
    solver: Solver,
    column: usize,
) {
    let optima = if column > 0 {
        read_optima(column)
    } else {
        vec![]
    };
    let (mut cpu, mut nodes, mut cost) = (0.0, 0, 0);
    let mut plans = 0;
    let (mut solved, mut quick, mut count, mut wrong) = (0, 0, 0, 0);
    for (number, level) in levels {
        if !only.is_empty() && !only.contains(number) {
            continue;
        }
        let (started, wall) = (ProcessTime::now(), Instant::now());
        let outcome = within(Duration::from_secs(limit), |control| solver(level, control));
        let taken = match threads() {
            1 => started.elapsed().as_secs_f64(),
            _ => wall.elapsed().as_secs_f64(),
        };
        if let Some(plan) = &outcome.plan {
            assert!(solves(level, plan), "level {number}");
        }
        // The cost is proven, even if a limit was reached before ties were broken.
        let optimal =
            outcome.status == Status::Optimal || outcome.bounds.upper == Some(outcome.bounds.lower);
        let known = optima.get(*number).copied().flatten();
        let is_wrong = optimal && known.is_some() && known != outcome.bounds.upper;
        println!(
            "{number:4} {} {}..{} moves {} {:9.2} ms {:9} expanded {:9} generated {:5} MB{}",
            outcome.status.name(),
            outcome.bounds.lower,
            outcome
                .bounds
                .upper
                .map_or(String::new(), |u| u.to_string()),
            outcome.plan.as_ref().map_or(0, Vec::len),
            taken * 1e3,
            outcome.counts.expanded,
            outcome.counts.generated,
            outcome.counts.peak_bytes >> 20,
            if is_wrong { " WRONG" } else { "" }
        );
        count += 1;
        cpu += taken;
        nodes += outcome.counts.expanded;
        plans += usize::from(outcome.plan.is_some());
        solved += usize::from(optimal);
        quick += usize::from(optimal && taken <= 10.0);
        wrong += usize::from(is_wrong);
        cost += outcome.bounds.upper.unwrap_or(0);
    }
    println!(
        "{what}: {plans} plans, {solved} of {count} optimal, {quick} within 10 s; {cpu:.3} s, {nodes} expanded, \
         total cost {cost}, {wrong} wrong"
    );
}

/// Runs a solver until the process has used this much processor time, which other processes cannot take from it. Several
/// threads have this much wall time.
fn within<T>(limit: Duration, solver: impl FnOnce(&Control) -> T) -> T {
    let (stop, done) = (Arc::new(AtomicBool::new(false)), AtomicBool::new(false));
    let control = Control::new()
        .time_limit(if threads() > 1 { limit } else { 20 * limit })
        .memory_limit(memory_limit())
        .stop_flag(stop.clone());
    let started = ProcessTime::now();
    std::thread::scope(|scope| {
        let watch = scope.spawn(|| {
            while !done.load(Relaxed) {
                std::thread::park_timeout(Duration::from_millis(20));
                let bounds = control.bounds();
                let is_proven = ends_at_proof() && bounds.upper == Some(bounds.lower);
                if is_proven || threads() == 1 && started.elapsed() >= limit {
                    stop.store(true, Relaxed);
                }
            }
        });
        let result = solver(&control);
        done.store(true, Relaxed);
        watch.thread().unpark();
        result
    })
}

/// Whether a plan is legal and puts a box on each goal.
fn solves(level: &Level, plan: &[Direction]) -> bool {
    let (mut boxes, mut player) = (level.boxes().to_vec(), level.players()[0]);
    for &direction in plan {
        let Some(to) = level.neighbour(player, direction) else {
            return false;
        };
        if let Some(i) = boxes.iter().position(|&b| b == to) {
            match level.neighbour(to, direction) {
                Some(beyond) if !boxes.contains(&beyond) => boxes[i] = beyond,
                _ => return false,
            }
        }
        player = to;
    }
    level.goals().all(|goal| boxes.contains(&goal))
}

fn folder() -> String {
    format!(
        "{}/../../../shared/data/sokoban",
        env!("CARGO_MANIFEST_DIR")
    )
}

fn read(name: &str) -> String {
    let named = std::env::var("SOKOBAN_DATA").unwrap_or_else(|_| folder());
    std::fs::read_to_string(format!("{named}/{name}")).expect("the shared data")
}

/// The optimum of each level, from the second or third column; the list starts at level 0.
fn read_optima(column: usize) -> Vec<Option<u32>> {
    let text = read("microban1-optimal.csv");
    let rows = text.lines().skip(1);
    let field = |row: &str| row.split(',').nth(column).and_then(|f| f.parse().ok());
    std::iter::once(None).chain(rows.map(field)).collect()
}

/// Levels with their numbers.
fn read_levels(name: &str) -> Vec<(usize, Level)> {
    let entries = noyes_puzzle::sokoban::read_levels(&read(name)).expect("levels");
    let levels = entries.into_iter().map(|entry| entry.level);
    (1..).zip(levels.map(|l| l.expect("a level"))).collect()
}

fn read_map(name: &str) -> Level {
    parse_level(&read(&format!("ntu/map{name}.txt"))).expect("a map")
}
