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
use super::error::TilesError;
use super::full_table::Positions;
use super::heuristic::{HeuristicName, SimpleHeuristic};
use super::human::human;
use super::ida_pdb::Fifteen;
use super::large;
use super::pdb::{Key, Partition, TableError};
use super::policy::{self, Choice, OPENING, STAGES, stage};
use super::rounds::{Known, rounds};
use crate::answer::{Answer, Outcome, Status};
use crate::control::{Control, Stop};
use crate::counts::{Bounds, Counts};
use crate::names::Engine;
use crate::puzzle::BoardPuzzle;
use crate::request::{Descent, SlideEngine, SlideSearch};

/// States that a board may generate before tables are built or read for it: a few milliseconds.
const QUICK: u64 = 400_000;

/// States that it may generate before tables of other boards are built, for a plan to show meanwhile: a second or so.
const FIRST: u64 = 300_000;

/// Solves a board by the method that suits it; by IDA* with the heuristic, if one was given.
pub(crate) fn auto(
    board: &BoardPuzzle,
    heuristic: Option<&HeuristicName>,
    descent: &Descent,
    cache: &TilesCache,
    control: &Control,
) -> Result<Answer<Vec<Direction>>, TilesError> {
    let auto = Auto {
        board,
        descent,
        cache,
    };
    match heuristic {
        Some(heuristic) => auto.run(SlideEngine::IdaStar, heuristic.clone(), control),
        None => auto.unguided(control),
    }
}

struct Auto<'a> {
    board: &'a BoardPuzzle,
    descent: &'a Descent,
    cache: &'a TilesCache,
}

impl Auto<'_> {
    fn run(
        &self,
        engine: SlideEngine,
        heuristic: impl Into<HeuristicName>,
        control: &Control,
    ) -> Result<Answer<Vec<Direction>>, TilesError> {
        let one = SlideSearch {
            engine,
            heuristic: heuristic.into(),
            descent: self.descent.clone(),
        };
        search(self.board, &one, self.cache, control)
    }

    fn unguided(&self, control: &Control) -> Result<Answer<Vec<Direction>>, TilesError> {
        // 1. Easy boards, unless tables are in memory.
        let ready = self.board.is_fifteen() && self.stage_in_memory().is_some();
        let (mut lower, mut done) = (0, Counts::default());
        if !ready {
            let manhattan = SimpleHeuristic::Manhattan;
            let guess = self.run(SlideEngine::IdaStar, manhattan, &control.within(QUICK))?;
            if guess.status != Status::Limit(Stop::Budget) {
                return Ok(guess);
            }
            (lower, done) = (guess.bounds.lower, guess.counts);
        }
        // A search that begins anew may be stopped before it knows as much.
        let mut answer = self.harder(lower, done, control)?;
        answer.bounds.lower = answer.bounds.lower.max(lower);
        Ok(answer)
    }

    /// The answer for a board that is not easy: a search has proven a lower bound, and has done this.
    fn harder(
        &self,
        lower: u32,
        done: Counts,
        control: &Control,
    ) -> Result<Answer<Vec<Direction>>, TilesError> {
        let goal = &self.board.goal;
        // 2. Boards that have tables.
        if Positions::fits(goal.width(), goal.height()) {
            return Ok(by_table(self.board, self.cache, &control.after(done)).after(done));
        }
        if self.board.is_fifteen() {
            return self.staged(lower, done, control);
        }
        // 3. A plan at once, then better ones, until one is proven optimal.
        if let Some(answer) = self.by_rounds(lower, done, control)? {
            return Ok(answer);
        }
        let answer = self.run(
            SlideEngine::Anytime,
            policy::without_tables(&self.board.goal),
            &control.after(done),
        )?;
        Ok(answer.after(done))
    }

    /// Plans and bounds from pattern databases; `None` if no tables are at hand and there is no time or memory for them.
    fn by_rounds(
        &self,
        lower: u32,
        done: Counts,
        control: &Control,
    ) -> Result<Option<Answer<Vec<Direction>>>, TilesError> {
        let (goal, tables) = (&self.board.goal, self.cache.tables());
        let Some(choice) = policy::at_hand(goal, tables, control) else {
            return Ok(None);
        };
        let Choice {
            heuristic,
            has_to_build,
        } = choice;
        let mut known = Known { lower, plan: None };
        let mut done = done;
        // Something to show, and to answer with if the tables are not ready in time. On large boards it takes a wide beam
        // with tables to do better.
        if has_to_build || large::fits(self.board) {
            let first = control.after(done).within(FIRST);
            let first = self.run(SlideEngine::Anytime, policy::without_tables(goal), &first)?;
            if first.status != Status::Limit(Stop::Budget) {
                return Ok(Some(first.after(done)));
            }
            known.lower = known.lower.max(first.bounds.lower);
            known.plan = first.plan;
            done = first.counts.after(done);
        } else {
            known.plan = human(&self.board.start, goal, lower, &control.aside())
                .0
                .plan;
        }
        if let Some(plan) = &known.plan {
            control.reduce_upper(plan.len() as u32);
        }
        let duplicates = self.descent.duplicates;
        let deepening = self.cache.deepening(&heuristic, goal, duplicates, control);
        let outcome = match deepening {
            Err(TableError(Stop::Memory)) => return Ok(None),
            Err(TableError(stop)) => {
                let upper = known.plan.as_ref().map(|plan| plan.len() as u32);
                let lower = known.lower;
                Outcome {
                    bounds: Bounds { lower, upper },
                    plan: known.plan,
                    ..Outcome::stopped(stop, lower, Counts::default())
                }
            }
            Ok(deepening) => {
                let control = control.after(done);
                rounds(self.board, &deepening, known, self.descent, &control)?
            }
        };
        let answer = Answer {
            heuristic: Some(heuristic),
            ..Answer::new(Engine::Anytime, outcome)
        };
        Ok(Some(answer.after(done)))
    }

    /// IDA* with pattern databases, larger ones as the work grows.
    fn staged(
        &self,
        mut lower: u32,
        mut done: Counts,
        control: &Control,
    ) -> Result<Answer<Vec<Direction>>, TilesError> {
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
                    let answer = self.run(SlideEngine::IdaStar, walking, &control)?;
                    return Ok(answer.after(done));
                }
                (Err(TableError(stop)), _) => {
                    return Ok(Answer {
                        heuristic: Some(partition.into()),
                        ..Answer::new(Engine::IdaStar, Outcome::stopped(stop, lower, done))
                    });
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
                return Ok(Answer {
                    heuristic: Some(partition.into()),
                    ..Answer::new(Engine::IdaStar, Outcome { counts, ..outcome })
                });
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

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;
    use crate::tiles::pdb::Tables;
    use noyes_puzzle::tiles::Board;

    const ONE_THREAD: Descent = Descent {
        duplicates: None,
        threads: 1,
        checkpoints: None,
        device: crate::DeviceName::Cpu,
        to: crate::request::End::Goal,
    };

    #[test]
    fn a_bound_outlives_the_search_that_proved_it() {
        // IDA* proves 110. The next search begins with 108, and is stopped as soon as it has a plan.
        let board = BoardPuzzle {
            start: "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0"
                .parse()
                .unwrap(),
            goal: Board::blank_last(5, 5),
        };
        let cache = TilesCache::new(Tables::in_memory());
        let stop = Arc::new(std::sync::atomic::AtomicBool::new(false));
        let control = Control::new().stop_flag(stop.clone());
        let answer = std::thread::scope(|scope| {
            scope.spawn(|| {
                while control.bounds().upper.is_none() {
                    std::thread::yield_now();
                }
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            });
            auto(&board, None, &ONE_THREAD, &cache, &control).unwrap()
        });
        assert_eq!(answer.status, Status::Limit(Stop::Interrupted));
        assert!(answer.bounds.lower >= 110);
    }

    #[test]
    fn large_tables_in_a_folder_are_read_only_for_hard_boards() {
        let goal = Board::blank_first(4, 4);
        let folder = tempfile::tempdir().unwrap();
        let control = Control::new();
        let large = stage(1, &goal);
        let tables = Tables::in_folder(folder.path());
        for key in large.keys(&goal).unwrap() {
            tables.get(&key, &control).unwrap();
        }
        let cache = TilesCache::new(Tables::in_folder(folder.path()));
        let solve = |start: &str, control: &Control| {
            let board = BoardPuzzle {
                start: start.parse().unwrap(),
                goal: goal.clone(),
            };
            let answer = auto(&board, None, &ONE_THREAD, &cache, control).unwrap();
            (answer.bounds.upper, answer.heuristic.unwrap().to_string())
        };
        let is_loaded = |at: usize| {
            let keys = stage(at, &goal).keys(&goal).unwrap();
            keys.iter().any(|key| cache.tables().is_loaded(key))
        };
        // 1. An easy board needs no tables, Korf's number 42 only small ones.
        let (upper, heuristic) = solve("1 2 3 0/4 5 6 7/8 9 10 11/12 13 14 15", &control);
        assert_eq!((upper, heuristic.as_str()), (Some(3), "manhattan"));
        assert!(!is_loaded(0) && !is_loaded(1));
        let (upper, heuristic) = solve("4 5 7 2/9 14 12 13/0 3 6 11/8 1 15 10", &control);
        assert_eq!((upper, heuristic.as_str()), (Some(42), "pdb:6-6-3+reflect"));
        assert!(is_loaded(0) && !is_loaded(1));
        // 2. The large ones do not fit: the search continues with the small ones. Korf's number 60.
        let small = Control::new().memory_limit(4 << 20);
        let hard = "11 14 13 1/2 3 12 4/15 7 9 5/10 6 8 0";
        let (upper, heuristic) = solve(hard, &small);
        assert_eq!((upper, heuristic.as_str()), (Some(66), "pdb:6-6-3+reflect"));
        assert!(!is_loaded(1));
        // 3. They fit, and the small ones had their chance.
        let (upper, heuristic) = solve(hard, &control);
        assert_eq!((upper, heuristic.as_str()), (Some(66), "pdb:7-7-1+reflect"));
    }
}
