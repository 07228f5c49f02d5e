//! Performs an item of work in this thread: solves puzzles, or searches a part of a tree. Nothing else can be asked for.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use noyes_answer::Given;
use noyes_answer::sent::{Question, Sent};
use noyes_solver::tiles::{Part, Parts, TilesError, missing_tables, parts_of, search_on_card};
use noyes_solver::{Control, DeviceName, Request, SolveError, Stop, TilesCache, solve};

use super::card::Card;
use super::message::{Outcome, Solved, Task, Work, digest};

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
    trees: Mutex<VecDeque<(String, Arc<Tree>)>>,
    card: Option<Card<Tree>>,
}

/// A board that is searched in parts.
struct Tree {
    parts: Parts,
    request: Request,
}

impl Tree {
    /// Finds or builds its tables.
    fn new(request: Request, control: &Control) -> Result<Tree, String> {
        let parts = parts_of(&request, control).map_err(|error| error.to_string())?;
        let parts = parts.map_err(|stop| match stop {
            Stop::Interrupted => "interrupted".to_string(),
            stop => format!("{stop} while the tables were built"),
        })?;
        Ok(Tree { parts, request })
    }
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
            card: None,
        }
    }

    /// Uses the graphics card of this machine.
    ///
    /// # Errors
    /// If it has no card, or the program was built without support for cards.
    pub fn use_card(&mut self) -> Result<(), String> {
        let is_there = self.cache.use_card();
        is_there.map_err(|error| error.to_string())?;
        let card = Card::new(|tree: &Tree, parts, control| {
            search_on_card(&tree.request, &tree.parts, parts, control)
        });
        self.card = Some(card.map_err(|error| error.to_string())?);
        Ok(())
    }

    /// The card, unless it has failed.
    fn card(&self) -> Option<&Card<Tree>> {
        self.card.as_ref().filter(|card| !card.is_broken())
    }

    /// Whether an item waits for a card, together with others.
    pub fn is_for_card(&self, work: &Work) -> bool {
        self.card().is_some() && matches!(work.task, Task::Part { .. })
    }

    /// Performs an item; `control` has its stop flag.
    pub fn perform(&self, work: &Work, control: &Control) -> Outcome {
        let question = &work.question;
        // The time of a tree is its client's, but never more than ours.
        let timed = || control.clone().time_limit(self.most_time);
        let done = match &work.task {
            Task::Solve { puzzles } => {
                let solve = |text: &str| self.solve(question, text, control);
                let solved = puzzles
                    .iter()
                    .map(|(number, text)| (*number, digest(text), solve(text)));
                return Outcome::Solved(solved.collect());
            }
            Task::Open { puzzle, generated } => self
                .tree(question, puzzle, control)
                .map(|tree| tree.parts.open(*generated, &timed()).into()),
            Task::Cut {
                puzzle,
                limit,
                wanted,
            } => self
                .tree(question, puzzle, control)
                .map(|tree| tree.parts.cut(*limit, *wanted).into()),
            Task::Part { puzzle, part } => self.tree(question, puzzle, control).and_then(|tree| {
                let (part, control) = (Part::from(*part), &timed());
                let on_card = self
                    .card()
                    .and_then(|card| card.search(&tree, part, control));
                let end = on_card.map_or_else(|| tree.parts.search(&part, 1, control), Ok);
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
            let limited = || self.limited(question, control);
            if let Some((card, request)) = self.for_card(question, &puzzle) {
                match solve(&request, &limited()) {
                    Ok(answer) => return Ok(Sent::new(&puzzle, &answer)),
                    Err(SolveError::Tiles(error @ TilesError::Device(_))) => card.give_up(&error),
                    Err(error) => return Err(error.to_string()),
                }
            }
            let answer = solve(&request, &limited()).map_err(|error| error.to_string())?;
            Ok(Sent::new(&puzzle, &answer))
        };
        match solved() {
            Ok(sent) => Solved::Answer(Box::new(sent)),
            Err(error) => Solved::Error(error),
        }
    }

    /// The request for the card, if it is worth it: up to 16 cells, processors are as fast with many boards at once.
    fn for_card(&self, question: &Question, puzzle: &Given) -> Option<(&Card<Tree>, Request)> {
        let card = self.card()?;
        let Given::Board(board) = puzzle else {
            return None;
        };
        if board.width() * board.height() <= 16 {
            return None;
        }
        let request = question.request_on(DeviceName::Gpu, puzzle, &self.cache);
        Some((card, request.ok()?))
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
    ) -> Result<Arc<Tree>, String> {
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
        let tree = Arc::new(Tree::new(request, &self.limited(question, control))?);
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        trees.push_back((key, tree.clone()));
        if trees.len() > MOST_TREES {
            trees.pop_front();
        }
        Ok(tree)
    }

    fn known(&self, key: &str) -> Option<Arc<Tree>> {
        let mut trees = self.trees.lock().unwrap_or_else(PoisonError::into_inner);
        let at = trees.iter().position(|(known, _)| known == key)?;
        let tree = trees.remove(at)?;
        let parts = tree.1.clone();
        trees.push_back(tree);
        Some(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::message::SentPart;

    #[test]
    fn a_part_takes_no_more_time_than_the_worker_allows() {
        let cache = Arc::new(TilesCache::default());
        let mut bench = Bench::new(cache, Duration::from_secs(600), usize::MAX, usize::MAX);
        let puzzle = "2 17 4 13 7/12 10 3 0 16/21 24 8 5 18/20 15 19 14 9/22 11 6 1 23".to_string();
        let question = Question {
            goal: Some("blank-first".into()),
            engine: Some("idastar".into()),
            heuristic: Some("pdb:3-3-3-3-3-3-3-3".into()),
            ..Question::default()
        };
        let control = Control::new();
        let perform =
            |bench: &Bench, task| bench.perform(&Work::new(question.clone(), task), &control);
        let limit = 80; // hours, by this heuristic
        let task = Task::Cut {
            puzzle: puzzle.clone(),
            limit,
            wanted: 10,
        };
        let Outcome::Cut {
            depth,
            subtrees,
            check,
            ..
        } = perform(&bench, task)
        else {
            panic!("a cut");
        };
        bench.most_time = Duration::from_millis(50);
        let part = SentPart {
            limit,
            depth,
            subtrees,
            check,
            first: 0,
            step: 1,
        };
        let end = perform(&bench, Task::Part { puzzle, part });
        let Outcome::Searched { stop, .. } = end else {
            panic!("{end:?}");
        };
        assert_eq!(stop, Some(super::super::message::SentStop::Time));
    }
}
