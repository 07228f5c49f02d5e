//! `noyes solve --nats`: puzzles for workers, answers in order.
//!
//! Puzzles are sent in items of several, as many as take about [`ITEM`] to solve, so that small puzzles do not spend their
//! time on the way. Only so much is in the queue as keeps all workers busy: many clients share it fairly. Every answer is
//! verified here before it is shown.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Duration;

use anyhow::Result;
use noyes_answer::sent::{Question, Sent};
use noyes_puzzle::tiles::Goal;
use noyes_solver::Answer;
use tokio::sync::mpsc;

use super::link::Link;
use super::message::{Done, MOST_PUZZLES, Outcome, Solved, Task, Work};
use super::run::{Run, new_id, no_worker, threads, workers};
use super::tree::Tree;
use crate::args::Solve;
use crate::command::reply::{Asked, Reply, finished, refused, wrong};
use crate::puzzle::Given;
use crate::terminal::fault::BadInput;
use crate::terminal::limits;
use crate::terminal::print::warn;

/// How long the work of an item should take.
const ITEM: Duration = Duration::from_millis(60);
/// Items in the queue for each thread of a worker, and at least.
const AHEAD: usize = 4;
const LEAST: usize = 16;
/// How long to wait for more puzzles before an item is sent with fewer.
const SOON: Duration = Duration::from_millis(5);
/// How often to look for Ctrl-C, and for workers that came or went.
const TICK: Duration = Duration::from_millis(100);
const CENSUS: u32 = 50;

/// Refuses flags that workers cannot follow.
pub fn check(args: &Solve) -> Result<(), BadInput> {
    let refused = [
        (args.explain, "--explain", "workers send no steps"),
        (
            args.checkpoint.is_some(),
            "--checkpoint",
            "the server keeps how far it is: see --attach",
        ),
        (
            args.threads > 1,
            "--threads",
            "each worker has its own: noyes worker --threads",
        ),
        (
            args.search.pdb_dir.is_some(),
            "--pdb-dir",
            "each worker has its own: noyes worker --pdb-dir",
        ),
        (
            matches!(&args.sat.backend, Some(backend) if backend.to_string().starts_with("cmd:")),
            "--backend",
            "workers start no programs",
        ),
        (
            args.sat.share.is_some(),
            "--share",
            "a worker has one thread for a puzzle",
        ),
    ];
    match refused.iter().find(|(is_given, ..)| *is_given) {
        Some((_, flag, why)) => Err(BadInput::new(format!("{flag}: not with --nats: {why}"))),
        None => Ok(()),
    }
}

/// What the flags ask.
fn question(args: &Solve) -> Question {
    let Solve {
        search, sat, any, ..
    } = args;
    let text = |value: &dyn std::fmt::Display| Some(value.to_string());
    Question {
        goal: None, // depends on the board
        engine: text(&search.engine),
        heuristic: search.heuristic.as_ref().map(ToString::to_string),
        duplicates: search.duplicates,
        encoding: sat.encoding.map(|encoding| encoding.to_string()),
        backend: sat.backend.as_ref().map(ToString::to_string),
        bounds: sat.bounds.map(|bounds| bounds.to_string()),
        keep: sat.keep.map(|keep| keep.to_string()),
        objective: args.goodness.objective.map(|o| o.to_string()),
        at_most: sat.at_most,
        from: sat.from,
        any: *any,
        no_wait: args.rules.no_wait,
        decompose: sat.decompose,
        time_limit_s: search.limits.time_limit.map(|time| time.as_secs_f64()),
        memory_limit_bytes: search.limits.memory_limit.map(|bytes| bytes as u64),
    }
}

/// The question with the goal of a board. A named goal fits boards of all sizes.
fn with_goal(question: &Question, args: &Solve, given: &Given) -> Question {
    let goal = match given {
        Given::Board(_) => args.reading.goal.clone(),
        Given::Level(_) => None,
    };
    Question {
        goal,
        ..question.clone()
    }
}

/// What a run of this command is about.
fn what(args: &Solve, question: &Question) -> String {
    let json = serde_json::to_string(&(question, &args.reading.goal, &args.puzzles));
    let hash = blake3::hash(json.expect("plain fields").as_bytes());
    hash.to_hex().to_string()
}

/// Answers all puzzles that come, until there are no more.
pub fn answer_all(
    args: Arc<Solve>,
    goal: Arc<Goal>,
    asked: mpsc::Receiver<Asked>,
    replies: Sender<(usize, Reply)>,
    is_single: bool,
) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let done = runtime.block_on(async {
        let link = Link::connect(&args.nats).await?;
        let question = question(&args);
        let run = Run::begin(link, args.attach.as_deref(), &what(&args, &question)).await?;
        let found = workers(&run.link).await;
        if let Some(why) = no_worker(&found) {
            warn(format_args!("noyes: waiting: {why}"));
        }
        let batch = Batch {
            args,
            goal,
            question,
            run,
            replies,
            waiting: vec![],
            sent: HashMap::new(),
            items: HashMap::new(),
            known: HashMap::new(),
            next: 0,
            session: new_id()[..6].into(),
            threads: threads(&found),
            each: None,
            sample: 1,
        };
        batch.tell();
        Box::pin(batch.work(asked, is_single)).await
    });
    runtime.shutdown_background();
    done
}

/// The puzzles under way.
struct Batch {
    args: Arc<Solve>,
    goal: Arc<Goal>,
    question: Question,
    run: Run,
    replies: Sender<(usize, Reply)>,
    /// Puzzles for the next item.
    waiting: Vec<Asked>,
    /// Puzzles without an answer, by index.
    sent: HashMap<usize, Asked>,
    /// The puzzles of each item.
    items: HashMap<String, Vec<usize>>,
    /// Answers that came before their puzzle was read, as they do in a run that is continued.
    known: HashMap<usize, Solved>,
    /// The index after the last puzzle that was read.
    next: usize,
    /// Makes the names of items different from those of an earlier client of this run.
    session: String,
    threads: usize,
    /// Seconds for a puzzle, on average.
    each: Option<f64>,
    /// The most puzzles in an item so far: it grows as answers come.
    sample: usize,
}

impl Batch {
    fn tell(&self) {
        warn(format_args!(
            "noyes: run {}; if this program is killed, the same command with --attach {} goes on",
            self.run.id, self.run.id
        ));
    }

    async fn work(mut self, mut asked: mpsc::Receiver<Asked>, is_single: bool) -> Result<()> {
        if is_single && let Some(first) = asked.recv().await {
            if let Some(tree) = Tree::of(&first, self.text_question(&first)) {
                return Box::pin(self.search_tree(tree, first)).await;
            }
            self.waiting.push(first);
        }
        self.run.state::<()>().await?;
        self.run.note(()).await?;
        let mut more = true;
        let mut ticks = 0;
        loop {
            if self.waiting.len() >= self.item_size() || (!more && !self.waiting.is_empty()) {
                self.send();
            }
            if !more && self.sent.is_empty() && self.waiting.is_empty() {
                self.run.end().await;
                return Ok(());
            }
            let has_room = more && self.run.open() < LEAST.max(AHEAD * self.threads);
            tokio::select! {
                biased;
                result = self.run.next() => {
                    let (item, done) = result?;
                    self.take(&item, done);
                }
                next = asked.recv(), if has_room => match next {
                    Some(next) => self.ask(next),
                    None => more = false,
                },
                () = tokio::time::sleep(SOON), if has_room && !self.waiting.is_empty() => self.send(),
                () = tokio::time::sleep(TICK) => {
                    ticks += 1;
                    if limits::interrupted() {
                        self.run.end().await;
                        return Ok(());
                    }
                    if ticks % CENSUS == 0 {
                        self.threads = threads(&workers(&self.run.link).await);
                    }
                }
            }
        }
    }

    /// How many puzzles an item has now.
    fn item_size(&self) -> usize {
        let each = self.each.unwrap_or(ITEM.as_secs_f64());
        let wanted = (ITEM.as_secs_f64() / each.max(1e-6)) as usize;
        wanted.clamp(1, self.sample.min(MOST_PUZZLES / 4))
    }

    fn ask(&mut self, asked: Asked) {
        self.next = asked.index + 1;
        match self.known.remove(&asked.index) {
            Some(solved) => self.reply(&asked, &solved),
            None => self.waiting.push(asked),
        }
    }

    fn text_question(&self, asked: &Asked) -> Question {
        with_goal(&self.question, &self.args, &asked.given)
    }

    /// Sends the puzzles that wait, boards and levels apart.
    fn send(&mut self) {
        let waiting = std::mem::take(&mut self.waiting);
        let is_board = |asked: &Asked| matches!(asked.given, Given::Board(_));
        let (boards, levels): (Vec<_>, Vec<_>) = waiting.into_iter().partition(is_board);
        for group in [boards, levels] {
            let Some(first) = group.first() else {
                continue;
            };
            let question = self.text_question(first);
            let item = format!("{}-{}-{}", first.index, group.len(), self.session);
            let puzzle = |asked: &Asked| (asked.index, asked.given.text());
            let puzzles = group.iter().map(puzzle).collect();
            match self
                .run
                .put(&item, &Work::new(question, Task::Solve { puzzles }))
            {
                Ok(()) => {
                    let indices = group.iter().map(|asked| asked.index).collect();
                    self.items.insert(item, indices);
                    let indexed = group.into_iter().map(|asked| (asked.index, asked));
                    self.sent.extend(indexed);
                }
                Err(error) => {
                    for asked in &group {
                        self.reply(asked, &Solved::Error(error.to_string()));
                    }
                }
            }
        }
    }

    /// Takes a result. An item that failed as a whole failed for each of its puzzles.
    fn take(&mut self, item: &str, done: Done) {
        let solved = match done.outcome {
            Outcome::Solved(solved) => solved,
            Outcome::Failed(why) => {
                let failed = |&index: &usize| (index, Solved::Error(why.clone()));
                self.items
                    .get(item)
                    .iter()
                    .copied()
                    .flatten()
                    .map(failed)
                    .collect()
            }
            _ => return,
        };
        let each = done.wall_s / solved.len().max(1) as f64;
        self.each = Some(self.each.map_or(each, |old| 0.8 * old + 0.2 * each));
        self.sample = (2 * self.sample).min(MOST_PUZZLES);
        self.items.remove(item);
        for (index, solved) in solved {
            match self.sent.remove(&index) {
                Some(asked) => self.reply(&asked, &solved),
                None => {
                    // A second answer says the same as the first.
                    if index >= self.next {
                        self.known.insert(index, solved);
                    }
                }
            }
        }
    }

    /// Verifies an answer, and hands on what is to be printed.
    fn reply(&self, asked: &Asked, solved: &Solved) {
        let reply = match solved {
            Solved::Answer(sent) => match verified(sent, asked) {
                Ok(answer) => finished(&self.args, &self.goal, asked, Ok(answer)),
                Err(why) => wrong(&self.args, asked, &why),
            },
            Solved::Error(error) => refused(&self.args, asked.subject(), error),
        };
        // Nobody listens if the program ends.
        let _ = self.replies.send((asked.index, reply));
    }

    /// Searches a single board on all workers.
    async fn search_tree(self, tree: Tree, asked: Asked) -> Result<()> {
        let Batch {
            args,
            goal,
            run,
            replies,
            threads,
            ..
        } = self;
        let limit = args.search.limits.time_limit;
        let control = limits::control(limit, None);
        let answer = tree.search(run, &asked, threads, &control).await?;
        let reply = finished(&args, &goal, &asked, Ok(answer));
        let _ = replies.send((asked.index, reply));
        Ok(())
    }
}

/// The answer, if it passes every check.
fn verified(sent: &Sent, asked: &Asked) -> Result<Answer, String> {
    let claim = sent.claim(&asked.given)?;
    claim
        .verified(&asked.request)
        .map_err(|error| error.to_string())
}
