//! A puzzle by SAT: what is known beforehand, the questions, and the answer they make.
//!
//! A solver with millions of clauses takes long to free. So a thread of its own asks the questions, sends the answer,
//! and frees the solver afterwards.

use std::panic::resume_unwind;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use noyes_puzzle::sokoban::Walks;
use noyes_puzzle::tiles::Direction;

use super::backend::{BackendError, memory_in_use};
use super::keep::Rest;
use super::level::name::LevelEncoding;
use super::level::solve::solve_level;
use super::options::SatOptions;
use super::tiles::lean::{Facts, manhattan};
use super::tiles::name::BoardEncoding;
use super::tiles::solve::KnownBoard;
use crate::answer::{Answer, Outcome, Reason, Status, Ties};
use crate::clock::ThreadClock;
use crate::control::{Control, Stop};
use crate::counts::Counts;
use crate::names::Engine;
use crate::puzzle::{BoardPuzzle, LevelPuzzle};
use crate::sokoban::of_steps;
use crate::tiles::cache::TilesCache;
use crate::tiles::heuristic::HeuristicName;
use crate::tiles::{human, slides};

type Given<P> = Result<Answer<P>, BackendError>;

/// A board that can be solved, beginning at the bound of the heuristic.
pub(crate) fn board_by_sat(
    board: &BoardPuzzle,
    options: &SatOptions<BoardEncoding>,
    heuristic: &HeuristicName,
    cache: &Arc<TilesCache>,
    control: &Control,
) -> Given<Vec<Direction>> {
    let (board, options, heuristic) = (board.clone(), options.clone(), heuristic.clone());
    let (cache, control) = (cache.clone(), control.clone());
    apart(move || {
        let answer = |outcome, cpu| Answer {
            heuristic: Some(heuristic.clone()),
            encoding: Some(options.encoding.into()),
            cpu,
            ..Answer::new(Engine::Sat, outcome)
        };
        let BoardPuzzle { start, goal } = &board;
        let before = memory_in_use();
        let (lower, facts) = match known(&board, &options, &heuristic, &cache, &control) {
            Ok(known) => known,
            Err(stop) => {
                let stopped = Outcome::stopped(stop, manhattan(start, goal), Counts::default());
                return (Ok(answer(stopped, Duration::ZERO)), Rest::default());
            }
        };
        // The human method gives a plan at once: a check on other programs, and the most moves worth asking for.
        let is_program = options.backend.is_program();
        let by_people = (is_program || options.at_most.is_some())
            .then(|| human(start, goal, 0, &control.aside()).0.bounds.upper)
            .flatten();
        let asked = SatOptions {
            at_most: options.at_most.map(|k| k.min(by_people.unwrap_or(k))),
            ..options.clone()
        };
        let known = KnownBoard {
            start,
            goal,
            lower,
            surely: by_people.filter(|_| is_program),
            built: memory_in_use().map_or(0, |now| now.saturating_sub(before.unwrap_or(now))),
            facts,
        };
        let ended = known.solve(&asked, &control);
        let told = ended.outcome.map(|outcome| answer(outcome, ended.cpu));
        (told, ended.rest)
    })
}

/// A level that may have a plan, by SAT.
pub(crate) fn level_by_sat(
    puzzle: &LevelPuzzle,
    options: &SatOptions<LevelEncoding>,
    control: &Control,
) -> Given<Walks> {
    let (puzzle, options, control) = (puzzle.clone(), options.clone(), control.clone());
    apart(move || {
        let ended = solve_level(&puzzle.level, puzzle.wait, &options, &control);
        let answer = |outcome| {
            let answer = of_steps(&puzzle.level, Engine::Sat, outcome);
            let is_optimal = answer.status == Status::Optimal;
            Answer {
                encoding: Some(options.encoding.into()),
                cpu: ended.cpu,
                ties: (is_optimal && !puzzle.is_crew()).then_some(Ties::Open),
                reason: (answer.status == Status::Unsolvable).then_some(Reason::Exhausted),
                ..answer
            }
        };
        (ended.outcome.map(answer), ended.rest)
    })
}

/// A lower bound to begin with, and what lean looks up as it goes.
fn known(
    board: &BoardPuzzle,
    options: &SatOptions<BoardEncoding>,
    heuristic: &HeuristicName,
    cache: &TilesCache,
    control: &Control,
) -> Result<(u32, Option<Arc<Facts>>), Stop> {
    #[cfg(feature = "cadical")]
    if options.is_lazy() {
        return known_to_lean(board, heuristic, cache, control);
    }
    let _ = options; // without CaDiCaL no backend is lazy
    Ok((slides::bound(board, heuristic, cache, control)?, None))
}

/// The same from the pattern databases that were asked for, or from the default for lean.
#[cfg(feature = "cadical")]
fn known_to_lean(
    board: &BoardPuzzle,
    heuristic: &HeuristicName,
    cache: &TilesCache,
    control: &Control,
) -> Result<(u32, Option<Arc<Facts>>), Stop> {
    use super::tiles::lean::lower_bound;
    use crate::tiles::heuristic::HeuristicMember;
    use crate::tiles::policy;

    let named = heuristic.members().iter().find_map(|member| match member {
        HeuristicMember::Databases(partition) => Some(partition.clone()),
        HeuristicMember::Simple(_) => None,
    });
    let BoardPuzzle { start, goal } = board;
    let facts = match named.or_else(|| policy::of_sat(goal)) {
        Some(partition) => {
            Facts::new(&partition, goal, cache.tables(), control).map_err(|e| e.0)?
        }
        None => None,
    };
    let lower = lower_bound(start, goal, facts.as_ref());
    Ok((lower, facts.map(Arc::new)))
}

/// Runs work on a thread of its own, which sends the answer before it frees the solvers.
fn apart<P: Send + 'static>(
    work: impl Fn() -> (Given<P>, Rest) + Send + Sync + 'static,
) -> Given<P> {
    let work = Arc::new(work);
    let (sender, receiver) = mpsc::channel();
    let there = work.clone();
    let timed = move || {
        let cpu = ThreadClock::now();
        let (told, rest) = there();
        let with_time = |answer: Answer<P>| Answer {
            cpu: answer.cpu + cpu.elapsed(),
            ..answer
        };
        let _ = sender.send(told.map(with_time)); // the receiver is waiting
        drop(rest);
    };
    match thread::Builder::new().name("sat".into()).spawn(timed) {
        Err(_) => work().0, // no threads: then here
        Ok(thread) => match receiver.recv() {
            Ok(told) => told,
            Err(_) => resume_unwind(thread.join().expect_err("only a panic sends nothing")),
        },
    }
}
