//! The advisor: looks into a position on a thread of its own while the player goes on.
//!
//! It looks into one position at a time. A new question stops the search for the old
//! one; what that has found until then stays true and is kept by the game. A plan
//! comes first, from a short search, and after that the proof that it is optimal, or
//! a better plan. Bounds can be read while the search runs.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use noyes_solver::sokoban::explain;
use noyes_solver::tiles::Positions;
use noyes_solver::tiles::pdb::Tables;
use noyes_solver::{Ask, Control, Engine, Objective, SolveError, TilesCache, solve};

use super::game::Question;
use super::known::Known;
use super::position::Position;
use crate::terminal::limits;
use crate::terminal::tables::table_folder;

/// The time of the search for a first plan.
const FIRST_PLAN: Duration = Duration::from_secs(1);
/// The time for dead boxes.
const EXPLAIN: Duration = Duration::from_secs(1);

/// Looks into positions in the background.
pub struct Advisor {
    objective: Objective,
    tables: Arc<TilesCache>,
    job: Option<Job>,
}

struct Job {
    question: Question,
    stop: Arc<AtomicBool>,
    progress: Arc<Mutex<Progress>>,
}

#[derive(Default)]
struct Progress {
    known: Known,
    /// The search that runs.
    control: Option<Control>,
    is_done: bool,
    failure: Option<String>,
}

/// What the advisor has found out so far.
pub struct Report {
    pub position: Position,
    pub known: Known,
    pub is_done: bool,
    pub failure: Option<String>,
}

impl Advisor {
    pub fn new(objective: Objective) -> Advisor {
        // Without notes: a table that is built must not write over the game.
        let tables = table_folder().map_or_else(Tables::in_memory, Tables::in_folder);
        Advisor {
            objective,
            tables: Arc::new(TilesCache::new(tables)),
            job: None,
        }
    }

    /// Looks into this from now on, or into nothing.
    pub fn look_into(&mut self, question: Option<Question>) {
        if self.job.as_ref().map(|job| &job.question) == question.as_ref() {
            return;
        }
        if let Some(job) = self.job.take() {
            job.stop.store(true, SeqCst);
        }
        self.job = question.map(|question| self.start(question));
    }

    /// What is known by now about the question asked last.
    pub fn report(&self) -> Option<Report> {
        let job = self.job.as_ref()?;
        let progress = lock(&job.progress);
        let mut known = progress.known.clone();
        if let Some(control) = &progress.control {
            let bounds = control.bounds();
            known.join(Known {
                lower: bounds.lower,
                upper: bounds.upper,
                ..Known::default()
            });
        }
        Some(Report {
            position: job.question.position.clone(),
            known,
            is_done: progress.is_done,
            failure: progress.failure.clone(),
        })
    }

    fn start(&self, question: Question) -> Job {
        let stop = Arc::new(AtomicBool::new(false));
        let progress = Arc::new(Mutex::new(Progress::default()));
        let work = Work {
            question: question.clone(),
            objective: self.objective,
            tables: self.tables.clone(),
            stop: stop.clone(),
            progress: progress.clone(),
        };
        let spawned = std::thread::Builder::new()
            .name("advisor".into())
            .spawn(move || {
                let done = work.run();
                let mut progress = lock(&work.progress);
                progress.failure = done.err().map(|error| error.to_string());
                progress.is_done = true;
            });
        if let Err(error) = spawned {
            let mut progress = lock(&progress);
            progress.failure = Some(format!("no help: {error}"));
            progress.is_done = true;
        }
        Job {
            question,
            stop,
            progress,
        }
    }
}

fn lock(progress: &Mutex<Progress>) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

/// One question, on its thread.
struct Work {
    question: Question,
    objective: Objective,
    tables: Arc<TilesCache>,
    stop: Arc<AtomicBool>,
    progress: Arc<Mutex<Progress>>,
}

impl Work {
    fn run(&self) -> Result<(), SolveError> {
        let position = &self.question.position;
        // 1. Dead boxes.
        if let Some(level) = position.level_now() {
            let dead = explain(&level, &self.control().time_limit(EXPLAIN));
            let fatal = dead.iter().find(|group| group.fatal);
            self.found(Known {
                unsolvable: fatal.map(|group| group.words.clone()),
                dead: Some(dead.iter().flat_map(|group| group.cells.clone()).collect()),
                ..Known::default()
            });
        }
        if !self.question.wants_plan || lock(&self.progress).known.is_settled() {
            return Ok(());
        }
        // 2. A small board is looked up in a table of all positions.
        let ask = position.ask(self.objective).cache(self.tables.clone());
        if let Position::Tiles { board, .. } = position
            && Positions::fits(board.width(), board.height())
        {
            return self.search(ask.engine(Engine::Table), &self.control());
        }
        // 3. A plan soon, and then the best one.
        self.search(
            ask.clone().engine(Engine::Anytime),
            &self.control().time_limit(FIRST_PLAN),
        )?;
        if lock(&self.progress).known.is_settled() || self.stop.load(SeqCst) {
            return Ok(());
        }
        self.search(ask, &self.control())
    }

    fn control(&self) -> Control {
        let control = Control::new().stop_flag(self.stop.clone());
        match limits::default_memory() {
            Some(bytes) => control.memory_limit(bytes),
            None => control,
        }
    }

    fn search(&self, ask: Ask, control: &Control) -> Result<(), SolveError> {
        let request = ask
            .request()
            .expect("a plain question about one player or a board");
        lock(&self.progress).control = Some(control.clone());
        let answer = solve(&request, control);
        lock(&self.progress).control = None;
        self.found(Known::of_answer(&answer?));
        Ok(())
    }

    fn found(&self, known: Known) {
        lock(&self.progress).known.join(known);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::sokoban::parse_level;
    use noyes_puzzle::tiles::Board;

    fn tiles(text: &str) -> Position {
        let board: Board = text.parse().unwrap();
        let goal = Arc::new(Board::blank_last(board.width(), board.height()));
        Position::Tiles { board, goal }
    }

    fn level(text: &str) -> Position {
        Position::of_level(parse_level(text).unwrap())
    }

    fn answer(position: Position, objective: Objective) -> Known {
        let mut advisor = Advisor::new(objective);
        advisor.look_into(Some(Question {
            position,
            wants_plan: true,
        }));
        loop {
            let report = advisor.report().unwrap();
            assert_eq!(report.failure, None);
            if report.is_done {
                return report.known;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn plans_are_proven_optimal() {
        let moves = |text| answer(tiles(text), Objective::Moves).optimum();
        assert_eq!(moves("1 2 3/4 0 6/7 5 8"), Some(2));
        assert_eq!(moves("8 6 7/2 5 4/3 0 1"), Some(31));
        assert_eq!(moves("1 0 2/"), Some(1));
        assert_eq!(moves("1 2 3 4/5 6 7 8/9 10 0 12/13 14 11 15"), Some(2));
        let room = "8#|#--.---#|#-@$---#|#------#|8#";
        assert_eq!(answer(level(room), Objective::Pushes).optimum(), Some(1));
        assert_eq!(answer(level(room), Objective::Moves).optimum(), Some(3));
    }

    #[test]
    fn what_cannot_be_solved_has_a_reason() {
        let known = answer(tiles("1 2 3/4 5 6/8 7 0"), Objective::Moves);
        assert!(known.unsolvable.unwrap().contains("8 and 7 are swapped"));
        let known = answer(level("7#|#$-@-.#|7#"), Objective::Pushes);
        assert_eq!(known.dead, Some(vec![8]));
        assert!(known.unsolvable.is_some());
    }

    #[test]
    fn a_new_question_stops_the_old_one() {
        let endless = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0";
        let mut advisor = Advisor::new(Objective::Moves);
        let question = |text: &str| Question {
            position: tiles(text),
            wants_plan: true,
        };
        advisor.look_into(Some(question(endless)));
        let stop = advisor.job.as_ref().unwrap().stop.clone();
        let progress = advisor.job.as_ref().unwrap().progress.clone();
        advisor.look_into(Some(question(endless)));
        assert!(!stop.load(SeqCst)); // it is the same one
        advisor.look_into(None);
        assert!(stop.load(SeqCst) && advisor.report().is_none());
        while !lock(&progress).is_done {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
