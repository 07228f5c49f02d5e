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
use noyes_solver::{Answer, DeviceName};
use tokio::sync::mpsc;
use tokio::time::MissedTickBehavior;

use super::link::Link;
use super::message::{self, Done, MOST_PUZZLES, Outcome, Solved, Task, Work};
use super::run::{Force, Run, no_worker, workers};
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
            args.device == DeviceName::Gpu,
            "--device",
            "each worker has its own: noyes worker --device gpu",
        ),
        (args.backward, "--backward", "workers start at the board"),
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
        if let Some(id) = &args.attach
            && !Run::exists(&link, id).await?
        {
            warn(format_args!(
                "noyes: --attach {id}: the NATS server has nothing of this run; it begins anew"
            ));
        }
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
            force: Force::of(&found),
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
    /// Answers that came before their puzzle was read, as they do in a run that is continued, with the puzzle's digest.
    known: HashMap<usize, (u64, Solved)>,
    /// The index after the last puzzle that was read.
    next: usize,
    force: Force,
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
        let mut first = None;
        if is_single && let Some(asked) = asked.recv().await {
            if let Some(tree) = Tree::of(&asked, self.text_question(&asked)) {
                return Box::pin(self.search_tree(tree, asked)).await;
            }
            first = Some(asked);
        }
        self.run.state::<()>().await?;
        self.read_stored().await?;
        self.run.note(()).await?;
        if let Some(first) = first {
            self.ask(first)?;
        }
        let mut more = true;
        let mut ticks = 0;
        let mut clock = tokio::time::interval(TICK);
        clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            if self.waiting.len() >= self.item_size() || (!more && !self.waiting.is_empty()) {
                self.send();
            }
            if !more && self.sent.is_empty() && self.waiting.is_empty() {
                self.run.end().await;
                return Ok(());
            }
            let has_room = more && self.run.open() < LEAST.max(AHEAD * self.force.threads);
            tokio::select! {
                biased;
                _ = clock.tick() => {
                    ticks += 1;
                    if limits::interrupted() {
                        self.run.end().await;
                        return Ok(());
                    }
                    if ticks % CENSUS == 0 {
                        self.force = Force::of(&workers(&self.run.link).await);
                    }
                }
                result = self.run.next() => {
                    let (item, done) = result?;
                    self.take(&item, done)?;
                }
                next = asked.recv(), if has_room => match next {
                    Some(next) => self.ask(next)?,
                    None => more = false,
                },
                () = tokio::time::sleep(SOON), if has_room && !self.waiting.is_empty() => self.send(),
            }
        }
    }

    /// Reads the answers that a run has when it is continued, before anything is sent. So if the puzzles have changed since,
    /// no worker gets one of them.
    async fn read_stored(&mut self) -> Result<()> {
        while !self.run.has_read_stored() && !limits::interrupted() {
            tokio::select! {
                () = tokio::time::sleep(TICK) => {}
                result = self.run.next() => {
                    let (item, done) = result?;
                    self.take(&item, done)?;
                }
            }
        }
        Ok(())
    }

    /// How many puzzles an item has now.
    fn item_size(&self) -> usize {
        let each = self.each.unwrap_or(ITEM.as_secs_f64());
        let wanted = (ITEM.as_secs_f64() / each.max(1e-6)) as usize;
        wanted.clamp(1, self.sample.min(MOST_PUZZLES / 4))
    }

    fn ask(&mut self, asked: Asked) -> Result<()> {
        self.next = asked.index + 1;
        match self.known.remove(&asked.index) {
            Some((digest, solved)) => self.reply_if_same(&asked, digest, &solved)?,
            None => self.waiting.push(asked),
        }
        Ok(())
    }

    /// Replies, unless the answer is one to another puzzle: the file may have changed since the run began.
    fn reply_if_same(&self, asked: &Asked, digest: u64, solved: &Solved) -> Result<()> {
        if digest != message::digest(&asked.given.text()) {
            let (id, number) = (&self.run.id, asked.index + 1);
            return Err(BadInput::new(format!(
                "--attach {id}: the run has an answer to another puzzle {number}; expected the same puzzles"
            ))
            .into());
        }
        self.reply(asked, solved);
        Ok(())
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
            if !group.is_empty() {
                self.send_group(group);
            }
        }
    }

    /// Sends puzzles in one item, or in several if one would be too large.
    fn send_group(&mut self, mut group: Vec<Asked>) {
        let question = self.text_question(&group[0]);
        let item = format!("{}-{}-{}", group[0].index, group.len(), self.run.session);
        let puzzle = |asked: &Asked| (asked.index, asked.given.text());
        let puzzles = group.iter().map(puzzle).collect();
        let work = Work::new(question, Task::Solve { puzzles });
        match self.run.put(&item, &work) {
            Ok(()) => {
                let indices = group.iter().map(|asked| asked.index).collect();
                self.items.insert(item, indices);
                let indexed = group.into_iter().map(|asked| (asked.index, asked));
                self.sent.extend(indexed);
            }
            Err(_) if group.len() > 1 => {
                let rest = group.split_off(group.len() / 2);
                self.send_group(group);
                self.send_group(rest);
            }
            Err(error) => self.reply(&group[0], &Solved::Error(error.to_string())),
        }
    }

    /// Takes a result.
    fn take(&mut self, item: &str, done: Done) -> Result<()> {
        let indices = self.items.remove(item).unwrap_or_default();
        let solved = match done.outcome {
            Outcome::Solved(solved) => solved,
            Outcome::Failed(why) => {
                self.take_failed(&indices, &why);
                return Ok(());
            }
            _ => return Ok(()),
        };
        let each = done.wall_s / solved.len().max(1) as f64;
        self.each = Some(self.each.map_or(each, |old| 0.8 * old + 0.2 * each));
        self.sample = (2 * self.sample).min(MOST_PUZZLES);
        for (index, digest, solved) in solved {
            match self.sent.remove(&index) {
                Some(asked) => self.reply_if_same(&asked, digest, &solved)?,
                None => {
                    // A second answer says the same as the first.
                    if index >= self.next {
                        self.known.insert(index, (digest, solved));
                    }
                }
            }
        }
        Ok(())
    }

    /// An item failed as a whole. If it has several puzzles, perhaps one of them spoils it, or their answers are too long
    /// together: each is sent again on its own.
    fn take_failed(&mut self, indices: &[usize], why: &str) {
        let failed: Vec<Asked> = indices
            .iter()
            .filter_map(|index| self.sent.remove(index))
            .collect();
        for asked in failed {
            if indices.len() > 1 {
                self.send_group(vec![asked]);
            } else {
                self.reply(&asked, &Solved::Error(why.into()));
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
            force,
            ..
        } = self;
        let limit = args.search.limits.time_limit;
        let control = limits::control(limit, None);
        let answer = Box::pin(tree.search(run, &asked, force, &control)).await?;
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
