//! Auto: an engine and a heuristic that suit the puzzle, without being asked.
//!
//! An easy board is solved before any table is worth its while. On 4×4 the tables
//! get larger as the work does: a stage may search for about as long as it takes
//! to build the tables of the next, over all boards of the process together, so
//! never much more than twice the work of knowing in advance is done. Tables that
//! are there already are used at once. Where nothing is known to finish in time,
//! there is a plan at once, and bounds that move towards each other.

use std::sync::Arc;

use noyes_puzzle::graph::{Graph, classes};
use noyes_puzzle::tiles::Board;

use super::heuristic::Walking;
use super::{Fifteen, Positions};
use crate::answer::{Answer, Outcome, Status};
use crate::control::{Control, Stop};
use crate::counts::{Bounds, Counts};
use crate::names::Engine;
use crate::request::{Guide, Heuristic, Named, Puzzle, Request};
use crate::solve::run;
use crate::tiles::pdb::{Key, Partition, TableError};

/// States that a board may generate before anything is built for it: a few milliseconds.
const QUICK: u64 = 400_000;

/// The tables of 4×4, and how many states may be generated with them before the next are built.
const STAGES: [(&str, u64); 3] = [
    ("6-6-3+reflect", 30_000_000),
    ("7-7-1+reflect", 90_000_000),
    ("7-8+reflect", u64::MAX),
];

/// Solves a request for any engine.
pub(crate) fn auto(request: &Request, control: &Control) -> Answer {
    if request.is_guided {
        return run(
            &request.with(Engine::IdaStar, request.heuristic.clone()),
            control,
        );
    }
    match &request.puzzle {
        Puzzle::Graph { graph, .. } => {
            let engine = if has_few_states(graph, control) {
                Engine::Bfs
            } else {
                Engine::IdaStar
            };
            run(&request.with(engine, Heuristic::default()), control)
        }
        Puzzle::Board { start, goal } => board(request, start, goal, control),
        Puzzle::Sokoban { .. } => unreachable!("levels have engines of their own"),
    }
}

/// Whether breadth-first search sees all of a class of states soon, and they fit.
fn has_few_states(graph: &Graph, control: &Control) -> bool {
    const FEW: usize = 3_000_000;
    const MOST_BYTES: usize = 1 << 30;
    // More than a state takes in any store, and what the hash table takes while it grows.
    let state_bytes = 2 * graph.len() + 96;
    let few = FEW.min(control.most_bytes().min(MOST_BYTES) / state_bytes);
    let all = || (1..=graph.len() as u64).fold(1u32.into(), |n: num_bigint::BigUint, k| n * k);
    graph.len() <= 1000 && all() <= classes(graph).count * few
}

fn board(request: &Request, start: &Board, goal: &Board, control: &Control) -> Answer {
    let small = Positions::fits(goal.width(), goal.height());
    let fifteen = (goal.width(), goal.height()) == (4, 4);
    // 1. What is easy, unless tables are at hand.
    let ready = fifteen && stage_ready(goal, |key| request.tables.is_loaded(key)).is_some();
    let (mut lower, mut done) = (0, Counts::default());
    if !ready {
        let guess = run(
            &request.with(Engine::IdaStar, Heuristic::default()),
            &control.within(QUICK),
        );
        if guess.status != Status::Limit(Stop::Budget) {
            return guess;
        }
        (lower, done) = (guess.bounds.lower, guess.counts);
    }
    // 2. What tables are for.
    if small {
        let table = request.with(Engine::Table, Heuristic::default());
        return after(done, run(&table, &control.after(done)));
    }
    if fifteen {
        return staged(request, start, goal, lower, done, control);
    }
    // 3. A plan at once, then better ones, until it is proven best.
    let heuristic = if Walking::fits(goal.width(), goal.height()) {
        Named::Walking
    } else {
        Named::LinearConflict
    };
    let answer = run(
        &request.with(Engine::Anytime, Guide::Named(heuristic).into()),
        &control.after(done),
    );
    let lower = answer.bounds.lower.max(lower);
    Answer {
        bounds: Bounds {
            lower,
            ..answer.bounds
        },
        ..after(done, answer)
    }
}

/// An answer that counts what was done before it, too.
fn after(done: Counts, answer: Answer) -> Answer {
    Answer {
        counts: answer.counts.after(done),
        ..answer
    }
}

/// The partition of a stage towards this goal.
fn partition(stage: usize, goal: &Board) -> Partition {
    let partition: Partition = STAGES[stage].0.parse().expect("a partition");
    partition.towards(goal)
}

/// The highest stage whose tables are all there.
fn stage_ready(goal: &Board, there: impl Fn(&Key) -> bool) -> Option<usize> {
    let keys = |stage: usize| {
        partition(stage, goal)
            .keys(goal)
            .expect("a partition of 4×4")
    };
    (0..STAGES.len())
        .rev()
        .find(|&stage| keys(stage).iter().all(&there))
}

/// IDA* with pattern databases, larger ones as the work grows.
fn staged(
    request: &Request,
    start: &Board,
    goal: &Board,
    mut lower: u32,
    mut done: Counts,
    control: &Control,
) -> Answer {
    let mut last: Option<(Arc<Fifteen>, Partition)> = None;
    let first = stage_ready(goal, |key| request.tables.find(key).is_some()).unwrap_or(0);
    for (stage, (_, budget)) in STAGES.iter().enumerate().skip(first) {
        let partition = partition(stage, goal);
        let (fifteen, partition, budget) = match (
            request.tables.fifteen(&partition, goal, false, control),
            last,
        ) {
            (Ok(fifteen), _) => (fifteen, partition, *budget),
            // No memory for larger tables: on with those that are there, or without.
            (Err(TableError(Stop::Memory)), Some((fifteen, partition))) => {
                (fifteen, partition, u64::MAX)
            }
            (Err(TableError(Stop::Memory)), None) => {
                let walking = request.with(Engine::IdaStar, Guide::Named(Named::Walking).into());
                return after(done, run(&walking, &control.after(done)));
            }
            (Err(TableError(stop)), _) => {
                return Answer {
                    engine: Engine::IdaStar,
                    heuristic: Some(Guide::Databases(partition).into()),
                    ..Answer::directions(Outcome::stopped(stop, lower, done))
                };
            }
        };
        let left = budget.saturating_sub(request.tables.spent(stage));
        let outcome = fifteen.solve(start, lower, &control.after(done).within(left));
        request.tables.spend(stage, outcome.counts.generated);
        done = outcome.counts.after(done);
        lower = outcome.bounds.lower;
        if outcome.status != Status::Limit(Stop::Budget) {
            let answer = Answer::directions(Outcome {
                counts: done,
                ..outcome
            });
            let heuristic = Guide::Databases(partition).into();
            return Answer {
                engine: Engine::IdaStar,
                heuristic: Some(heuristic),
                ..answer
            };
        }
        last = Some((fifteen, partition));
    }
    unreachable!("the last stage has no budget")
}
