//! Auto: an engine and a heuristic that suit the board, without being asked.
//!
//! An easy board is solved before any table is worth its while. On 4×4 the tables
//! get larger as the work does: a stage may search for about as long as it takes
//! to build the tables of the next, over all boards of the process together, so
//! never much more than twice the work of knowing in advance is done. Tables that
//! are there already are used at once. Where nothing is known to finish in time,
//! there is a plan at once, and bounds that move towards each other.

use std::sync::Arc;

use noyes_puzzle::tiles::{Board, Direction};

use super::board::{by_table, search};
use super::cache::TilesCache;
use super::full_table::Positions;
use super::heuristic::{HeuristicName, SimpleHeuristic, Walking};
use super::ida_pdb::Fifteen;
use super::pdb::{Key, Partition, TableError};
use super::policy::{STAGES, stage};
use crate::answer::{Answer, Outcome, Status};
use crate::control::{Control, Stop};
use crate::counts::{Bounds, Counts};
use crate::names::Engine;
use crate::puzzle::BoardPuzzle;
use crate::request::{SlideEngine, SlideSearch};

/// States that a board may generate before anything is built for it: a few milliseconds.
const QUICK: u64 = 400_000;

/// Solves a board by what suits it; by IDA* with the heuristic, if one was asked for.
pub(crate) fn auto(
    board: &BoardPuzzle,
    heuristic: Option<&HeuristicName>,
    duplicates: usize,
    cache: &TilesCache,
    control: &Control,
) -> Answer<Vec<Direction>> {
    let auto = Auto {
        board,
        duplicates,
        cache,
    };
    match heuristic {
        Some(heuristic) => auto.run(SlideEngine::IdaStar, heuristic.clone(), control),
        None => auto.unguided(control),
    }
}

struct Auto<'a> {
    board: &'a BoardPuzzle,
    duplicates: usize,
    cache: &'a TilesCache,
}

impl Auto<'_> {
    fn run(
        &self,
        engine: SlideEngine,
        heuristic: impl Into<HeuristicName>,
        control: &Control,
    ) -> Answer<Vec<Direction>> {
        let one = SlideSearch {
            engine,
            heuristic: heuristic.into(),
            duplicates: self.duplicates,
        };
        search(self.board, &one, self.cache, control)
    }

    fn unguided(&self, control: &Control) -> Answer<Vec<Direction>> {
        let goal = &self.board.goal;
        let small = Positions::fits(goal.width(), goal.height());
        let fifteen = self.board.is_fifteen();
        // 1. What is easy, unless tables are at hand.
        let is_loaded = |key: &Key| self.cache.tables().is_loaded(key);
        let ready = fifteen && stage_ready(goal, is_loaded).is_some();
        let (mut lower, mut done) = (0, Counts::default());
        if !ready {
            let manhattan = SimpleHeuristic::Manhattan;
            let guess = self.run(SlideEngine::IdaStar, manhattan, &control.within(QUICK));
            if guess.status != Status::Limit(Stop::Budget) {
                return guess;
            }
            (lower, done) = (guess.bounds.lower, guess.counts);
        }
        // 2. What tables are for.
        if small {
            return by_table(self.board, self.cache, &control.after(done)).after(done);
        }
        if fifteen {
            return self.staged(lower, done, control);
        }
        // 3. A plan at once, then better ones, until it is proven best.
        let heuristic = if Walking::fits(goal.width(), goal.height()) {
            SimpleHeuristic::Walking
        } else {
            SimpleHeuristic::LinearConflict
        };
        let answer = self.run(SlideEngine::Anytime, heuristic, &control.after(done));
        let lower = answer.bounds.lower.max(lower);
        Answer {
            bounds: Bounds {
                lower,
                ..answer.bounds
            },
            ..answer.after(done)
        }
    }

    /// IDA* with pattern databases, larger ones as the work grows.
    fn staged(
        &self,
        mut lower: u32,
        mut done: Counts,
        control: &Control,
    ) -> Answer<Vec<Direction>> {
        let BoardPuzzle { start, goal } = self.board;
        let mut last: Option<(Arc<Fifteen>, Partition)> = None;
        let is_there = |key: &Key| self.cache.tables().find(key).is_some();
        let mut at = stage_ready(goal, is_there).unwrap_or(0);
        loop {
            let partition = stage(at, goal);
            let ready = self.cache.fifteen(&partition, goal, false, control);
            let (fifteen, partition, budget) = match (ready, last) {
                (Ok(fifteen), _) => (fifteen, partition, STAGES[at].1),
                // No memory for larger tables: on with those that are there, or without.
                (Err(TableError(Stop::Memory)), Some((fifteen, partition))) => {
                    (fifteen, partition, u64::MAX)
                }
                (Err(TableError(Stop::Memory)), None) => {
                    let walking = SimpleHeuristic::Walking;
                    let control = control.after(done);
                    return self
                        .run(SlideEngine::IdaStar, walking, &control)
                        .after(done);
                }
                (Err(TableError(stop)), _) => {
                    return Answer {
                        heuristic: Some(partition.into()),
                        ..Answer::new(Engine::IdaStar, Outcome::stopped(stop, lower, done))
                    };
                }
            };
            let left = budget.saturating_sub(self.cache.spent(at));
            let outcome = fifteen.solve(start, lower, &control.after(done).within(left));
            self.cache.spend(at, outcome.counts.generated);
            done = outcome.counts.after(done);
            lower = outcome.bounds.lower;
            // The last stage has no budget.
            if outcome.status != Status::Limit(Stop::Budget) || at + 1 == STAGES.len() {
                let counts = done;
                return Answer {
                    heuristic: Some(partition.into()),
                    ..Answer::new(Engine::IdaStar, Outcome { counts, ..outcome })
                };
            }
            last = Some((fifteen, partition));
            at += 1;
        }
    }
}

/// The highest stage of 4×4 whose tables are all there.
fn stage_ready(goal: &Board, is_there: impl Fn(&Key) -> bool) -> Option<usize> {
    let keys = |at: usize| stage(at, goal).keys(goal).expect("a partition of 4×4");
    (0..STAGES.len())
        .rev()
        .find(|&at| keys(at).iter().all(&is_there))
}
