//! Performs an item of work in this thread: solves puzzles, or searches a part of a tree. Nothing else can be asked for.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use noyes_answer::Given;
use noyes_answer::sent::{Question, Sent};
use noyes_solver::tiles::{Parts, missing_tables, parts_of};
use noyes_solver::{Control, Stop, TilesCache, solve};

use super::message::{Outcome, Solved, Task, Work};

/// Trees whose first moves are remembered: the next part is probably of the same tree.
const MOST_TREES: usize = 4;

/// What all items of a worker share.
pub struct Bench {
    pub cache: Arc<TilesCache>,
    /// The most that a search may take, whatever it asks for.
    pub most_time: Duration,
    pub most_bytes: usize,
    pub most_table_bytes: usize,
    /// By board and question, the one used last at the end.
    trees: Mutex<VecDeque<(String, Arc<Parts>)>>,
}

impl Bench {
    /// The limits of each search: its time, its memory, and that of all tables together.
    pub fn new(cache: Arc<TilesCache>, time: Duration, bytes: usize, tables: usize) -> Bench {
        Bench {
            cache,
            most_time: time,
            most_bytes: bytes,
            most_table_bytes: tables,
            trees: Mutex::default(),
        }
    }

    /// Performs an item; `control` has its stop flag.
    pub fn perform(&self, work: &Work, control: &Control) -> Outcome {
        let question = &work.question;
        let done = match &work.task {
            Task::Solve { puzzles } => {
                let solve = |text: &str| self.solve(question, text, control);
                let solved = puzzles.iter().map(|(number, text)| (*number, solve(text)));
                return Outcome::Solved(solved.collect());
            }
            Task::Open { puzzle, generated } => self
                .tree(question, puzzle, control)
                .map(|tree| tree.open(*generated, control).into()),
            Task::Cut {
                puzzle,
                limit,
                wanted,
            } => self
                .tree(question, puzzle, control)
                .map(|tree| tree.cut(*limit, *wanted).into()),
            Task::Part { puzzle, part } => self.tree(question, puzzle, control).and_then(|tree| {
                let end = tree.search(&(*part).into(), 1, control);
                end.map(Into::into).map_err(|error| error.to_string())
            }),
            #[cfg(feature = "bench")]
            Task::Bench { run } => crate::bench::order::perform(run).map(Outcome::Ran),
            #[cfg(not(feature = "bench"))]
            Task::Bench { .. } => Err("this worker was built without benchmarks".into()),
        };
        done.unwrap_or_else(Outcome::Failed)
    }

    /// The files of tables that an item names and this machine does not have.
    pub fn missing_tables(&self, work: &Work) -> Vec<PathBuf> {
        let text = match &work.task {
            Task::Solve { puzzles } => puzzles.first().map(|(_, text)| text),
            Task::Open { puzzle, .. } | Task::Cut { puzzle, .. } | Task::Part { puzzle, .. } => {
                Some(puzzle)
            }
            Task::Bench { .. } => None,
        };
        let request = text
            .and_then(|text| Given::read(text).ok())
            .and_then(|puzzle| work.question.request(&puzzle, &self.cache).ok());
        request.as_ref().map_or_else(Vec::new, missing_tables)
    }

    fn solve(&self, question: &Question, text: &str, control: &Control) -> Solved {
        let solved = || {
            let puzzle = Given::read(text)?;
            let request = question.request(&puzzle, &self.cache);
            let request = request.map_err(|refusal| refusal.by_flag())?;
            let answer = solve(&request, &self.limited(question, control));
            let answer = answer.map_err(|error| error.to_string())?;
            Ok(Sent::new(&puzzle, &answer))
        };
        match solved() {
            Ok(sent) => Solved::Answer(Box::new(sent)),
            Err(error) => Solved::Error(error),
        }
    }

    fn limited(&self, question: &Question, control: &Control) -> Control {
        control
            .clone()
            .time_limit(question.time(self.most_time))
            .memory_limit(question.bytes(self.most_bytes))
            .table_limit(question.bytes(self.most_table_bytes))
    }

    /// The tree of a board, with its tables.
    fn tree(
        &self,
        question: &Question,
        text: &str,
        control: &Control,
    ) -> Result<Arc<Parts>, String> {
        let key = format!(
            "{text} {}",
            serde_json::to_string(question).expect("plain fields")
        );
        if let Some(tree) = self.known(&key) {
            return Ok(tree);
        }
        let puzzle = Given::read(text)?;
        let request = question.request(&puzzle, &self.cache);
        let request = request.map_err(|refusal| refusal.by_flag())?;
        let parts = parts_of(&request, &self.limited(question, control));
        let parts = parts.map_err(|error| error.to_string())?;
        let parts = parts.map_err(|stop| match stop {
            Stop::Interrupted => "interrupted".to_string(),
            stop => format!("{stop} while the tables were built"),
        })?;
        let parts = Arc::new(parts);
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        trees.push_back((key, parts.clone()));
        if trees.len() > MOST_TREES {
            trees.pop_front();
        }
        Ok(parts)
    }

    fn known(&self, key: &str) -> Option<Arc<Parts>> {
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        let at = trees.iter().position(|(known, _)| known == key)?;
        let tree = trees.remove(at)?;
        let parts = tree.1.clone();
        trees.push_back(tree);
        Some(parts)
    }
}
