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
#[cfg(feature = "bench")]
use crate::bench::jobs::Limits;

/// Trees whose first moves are remembered: the next part is probably of the same tree.
const MOST_TREES: usize = 4;

/// What all items of a worker share.
pub struct Bench {
    pub cache: Arc<TilesCache>,
    /// The most that a search may take, whatever it asks for.
    pub most_time: Duration,
    pub most_bytes: usize,
    pub most_table_bytes: usize,
    /// The same for runs of benchmarks, in processes of their own.
    #[cfg(feature = "bench")]
    pub allowed: Limits,
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
            #[cfg(feature = "bench")]
            allowed: Limits {
                time_s: time.as_secs_f64(),
                memory_bytes: u64::MAX,
            },
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
            Task::Part { puzzle, part, most } => {
                self.tree(question, puzzle, control).and_then(|tree| {
                    let (part, control) = (Part::from(*part), &timed());
                    let on_card = self
                        .card()
                        .and_then(|card| card.search(&tree, part, control));
                    let here = || tree.parts.search_some(&part, *most, control);
                    let end = on_card.map_or_else(here, Ok);
                    end.map(Into::into).map_err(|error| error.to_string())
                })
            }
            Task::Rest {
                puzzle,
                limit,
                rest,
                most,
            } => self.tree(question, puzzle, control).and_then(|tree| {
                let rest = rest.unpack()?;
                let end = tree.parts.search_rest(*limit, &rest, *most, &timed());
                end.map(Into::into).map_err(|error| error.to_string())
            }),
            #[cfg(feature = "bench")]
            Task::Bench { run } => {
                let is_stopped = || control.poll_stop().is_err();
                crate::bench::order::perform(run, self.allowed, &is_stopped).map(Outcome::Ran)
            }
            #[cfg(not(feature = "bench"))]
            Task::Bench { .. } => Err("this worker was built without benchmarks".into()),
        };
        done.unwrap_or_else(Outcome::Failed)
    }

    /// The files of tables that an item names and this machine does not have.
    pub fn missing_tables(&self, work: &Work) -> Vec<PathBuf> {
        let text = match &work.task {
            Task::Solve { puzzles } => puzzles.first().map(|(_, text)| text),
            Task::Open { puzzle, .. }
            | Task::Cut { puzzle, .. }
            | Task::Part { puzzle, .. }
            | Task::Rest { puzzle, .. } => Some(puzzle),
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
    use crate::cluster::message::{SentPart, SentStop};

    const BOARD: &str = "2 17 4 13 7/12 10 3 0 16/21 24 8 5 18/20 15 19 14 9/22 11 6 1 23";

    fn question() -> Question {
        Question {
            goal: Some("blank-first".into()),
            engine: Some("idastar".into()),
            heuristic: Some("pdb:3-3-3-3-3-3-3-3".into()),
            ..Question::default()
        }
    }

    /// What comes of a task that has travelled.
    fn perform(bench: &Bench, task: Task) -> Outcome {
        let sent = serde_json::to_vec(&Work::new(question(), task)).unwrap();
        let done = bench.perform(&Work::read(&sent).unwrap(), &Control::new());
        serde_json::from_slice(&serde_json::to_vec(&done).unwrap()).unwrap()
    }

    /// The only part of a limit.
    fn part(bench: &Bench, limit: u32) -> SentPart {
        let task = Task::Cut {
            puzzle: BOARD.into(),
            limit,
            wanted: 10,
        };
        let Outcome::Cut {
            depth,
            subtrees,
            check,
            ..
        } = perform(bench, task)
        else {
            panic!("a cut");
        };
        SentPart {
            limit,
            depth,
            subtrees,
            check,
            first: 0,
            step: 1,
        }
    }

    #[test]
    fn what_is_left_of_a_part_adds_up_to_the_part() {
        let cache = Arc::new(TilesCache::default());
        let bench = Bench::new(cache, Duration::from_secs(600), usize::MAX, usize::MAX);
        let (limit, puzzle) = (72, BOARD.to_string());
        let part = part(&bench, limit);
        let searched = |task| match perform(&bench, task) {
            Outcome::Searched { counts, rest, .. } => (counts, rest),
            other => panic!("{other:?}"),
        };
        let task = |most| Task::Part {
            puzzle: puzzle.clone(),
            part,
            most,
        };
        let (whole, nothing) = searched(task(u64::MAX));
        assert!(nothing.is_empty());
        let mut left = vec![searched(task(2000))];
        let (mut counts, mut items) = ((0, 0), 0);
        while let Some((more, rest)) = left.pop() {
            counts = (counts.0 + more.0, counts.1 + more.1);
            items += 1;
            for rest in rest.deal().unwrap() {
                left.push(searched(Task::Rest {
                    puzzle: puzzle.clone(),
                    limit,
                    rest,
                    most: 2000,
                }));
            }
        }
        assert_eq!(counts, whole);
        assert!(items > 8, "{items} of {whole:?}");
    }

    #[test]
    fn a_part_takes_no_more_time_than_the_worker_allows() {
        let cache = Arc::new(TilesCache::default());
        let mut bench = Bench::new(cache, Duration::from_secs(600), usize::MAX, usize::MAX);
        let limit = 80; // hours, by this heuristic
        let part = part(&bench, limit);
        bench.most_time = Duration::from_millis(50);
        let end = perform(
            &bench,
            Task::Part {
                puzzle: BOARD.into(),
                part,
                most: u64::MAX,
            },
        );
        let Outcome::Searched { stop, .. } = end else {
            panic!("{end:?}");
        };
        assert_eq!(stop, Some(SentStop::Time));
    }
}
