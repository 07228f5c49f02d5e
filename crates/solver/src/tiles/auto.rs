//! Auto: an engine and a heuristic that suit the board.
//!
//! An easy board is solved before any table is worth its cost. On 4×4 the tables
//! grow with the work: a stage may search for about as long as it takes to get the
//! tables of the next one, counted over all boards of the process, so the total is
//! at most about twice the work of a search that knew the best tables in advance.
//! Large tables in a folder are cheaper to read than to build, but not free: a
//! short stage with small tables comes first. Tables in memory are used at once.
//! On sizes where a search may not finish in time, auto has a plan at once and
//! bounds that approach each other.

use std::sync::Arc;

use noyes_puzzle::tiles::Direction;

use super::board::{by_table, search};
use super::cache::TilesCache;
use super::full_table::Positions;
use super::heuristic::{HeuristicName, SimpleHeuristic, Walking};
use super::ida_pdb::Fifteen;
use super::pdb::{Key, Partition, TableError};
use super::policy::{OPENING, STAGES, stage};
use crate::answer::{Answer, Outcome, Status};
use crate::control::{Control, Stop};
use crate::counts::{Bounds, Counts};
use crate::names::Engine;
use crate::puzzle::BoardPuzzle;
use crate::request::{SlideEngine, SlideSearch};

/// States that a board may generate before tables are built or read for it: a few milliseconds.
const QUICK: u64 = 400_000;

/// Solves a board by the method that suits it; by IDA* with the heuristic, if one was given.
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
        // 1. Easy boards, unless tables are in memory.
        let ready = fifteen && self.stage_in_memory().is_some();
        let (mut lower, mut done) = (0, Counts::default());
        if !ready {
            let manhattan = SimpleHeuristic::Manhattan;
            let guess = self.run(SlideEngine::IdaStar, manhattan, &control.within(QUICK));
            if guess.status != Status::Limit(Stop::Budget) {
                return guess;
            }
            (lower, done) = (guess.bounds.lower, guess.counts);
        }
        // 2. Boards that have tables.
        if small {
            return by_table(self.board, self.cache, &control.after(done)).after(done);
        }
        if fifteen {
            return self.staged(lower, done, control);
        }
        // 3. A plan at once, then better ones, until one is proven optimal.
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
        let mut at = self.stage_in_memory().unwrap_or(0);
        loop {
            let in_folder = self.stage_in_folder(at + 1);
            let partition = stage(at, goal);
            let ready = self.cache.fifteen(&partition, goal, false, control);
            let (fifteen, partition, budget) = match (ready, last) {
                (Ok(fifteen), _) if in_folder.is_some() => (fifteen, partition, OPENING),
                (Ok(fifteen), _) => (fifteen, partition, STAGES[at].1),
                // No memory for larger tables: continue with the smaller ones, or without.
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
            at = in_folder
                .filter(|&stage| self.can_load(stage, control))
                .unwrap_or(at + 1);
        }
    }

    /// The highest stage of 4×4 with all its tables in memory.
    fn stage_in_memory(&self) -> Option<usize> {
        let is_loaded = |key: &Key| self.cache.tables().is_loaded(key);
        let has_all = |&at: &usize| self.keys(at).iter().all(is_loaded);
        (0..STAGES.len()).rev().find(has_all)
    }

    /// The highest stage of 4×4, from `least` up, with all its tables in the folder.
    fn stage_in_folder(&self, least: usize) -> Option<usize> {
        let is_in_folder = |key: &Key| self.cache.tables().is_in_folder(key);
        let has_all = |&at: &usize| self.keys(at).iter().all(is_in_folder);
        (least..STAGES.len()).rev().find(has_all)
    }

    /// Loads the tables of a stage from the folder; false if a file is damaged or too large.
    fn can_load(&self, at: usize, control: &Control) -> bool {
        let load = |key: &Key| self.cache.tables().find_within(key, control).is_some();
        self.keys(at).iter().all(load)
    }

    fn keys(&self, at: usize) -> Vec<Key> {
        let goal = &self.board.goal;
        stage(at, goal).keys(goal).expect("a partition of 4×4")
    }
}
