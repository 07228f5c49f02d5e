//! One board on many machines: IDA* with pattern databases, limit after limit, each in parts.
//!
//! The client needs no tables. A worker searches the first limits alone; then, for each limit, a worker cuts the tree, the
//! parts go into the queue, and when all are back the next limit begins. The first plan ends the run: a plan within a
//! limit is optimal if all limits below were searched to their end. The state of the run is the limit with its cut, and
//! the names of items say which part they are, so a client that was killed goes on with the parts that are missing. A worker
//! whose part turns out to be large leaves the rest of it, in the same message as its counts, and the client makes new
//! items of it.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use noyes_answer::sent::Question;
use noyes_puzzle::tiles::Direction;
use noyes_solver::tiles::heuristic_of_parts;
use noyes_solver::{
    Answer, Bounds, Claim, Control, Counts, Engine, HeuristicName, Plan, Status, Stop,
};
use serde::{Deserialize, Serialize};

use super::ledger::Ledger;
use super::message::{Done, MOST_SUBTREES, Outcome, SentPart, Task, Work, read_plan};
use super::run::{Force, Run, workers};
use crate::command::reply::Asked;
use crate::terminal::limits;

/// States that the first worker generates alone, before limits are worth sharing: about a tenth of a second.
const ALONE: u64 = 2_000_000;
/// How long a count of the workers is good for.
const CENSUS: Duration = Duration::from_secs(10);
/// A part should have about this number of states to expand: a tenth of a second.
const PART: u64 = 1_000_000;
/// The same if a worker has a graphics card: more than a second for a thread, and a card has hundreds at once.
const CARD_PART: u64 = 16 * PART;
/// Smaller ones spend too much of their time on the way.
const LEAST_PART: u64 = 300_000;
/// A limit has about this number of times the states of the one before.
const GROWTH: u64 = 8;
/// Parts for each thread of a worker, so that the last ones end at about the same time; subtrees for each part, so that
/// parts are of about the same size.
const PARTS_PER_THREAD: usize = 40;
const SUBTREES_PER_PART: usize = 16;
const MOST_PARTS: usize = 100_000;
/// A thread that has searched this share of what each thread has to search in a limit leaves the rest of its part to others,
/// so that the last thread is soon done.
const SHARE: u64 = 30;
/// A server with smaller messages than this gets parts that are never left: their rest might not fit.
const ROOM: usize = 1 << 18;

/// A board that is searched in parts.
pub struct Tree {
    question: Question,
    heuristic: HeuristicName,
    puzzle: String,
}

/// How far the run is.
#[derive(Clone, Default, Serialize, Deserialize)]
struct State {
    limit: u32,
    /// States expanded and generated in all limits before, and expanded in the last one.
    before: (u64, u64),
    last: u64,
    cpu_s: f64,
    /// How the present limit is cut, and into how many parts.
    cut: Option<SentCut>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
struct SentCut {
    depth: u8,
    subtrees: usize,
    check: u64,
    above: (u64, u64),
    parts: usize,
    /// The states after which a worker leaves the rest of an item.
    most: u64,
}

impl Tree {
    /// The tree of a puzzle, if it can be searched in parts.
    pub fn of(asked: &Asked, question: Question) -> Option<Tree> {
        let heuristic = heuristic_of_parts(&asked.request)?;
        Some(Tree {
            question: Question {
                engine: Some(Engine::IdaStar.to_string()),
                heuristic: Some(heuristic.to_string()),
                ..question
            },
            heuristic,
            puzzle: asked.given.text(),
        })
    }

    /// Searches until the optimum is known, or a limit of this client is reached.
    pub async fn search(
        self,
        mut run: Run,
        asked: &Asked,
        force: Force,
        control: &Control,
    ) -> Result<Answer> {
        let begun = Instant::now();
        let mut search = Search {
            tree: &self,
            control,
            force,
            counted: begun,
            state: State::default(),
        };
        if let Some(state) = run.state().await? {
            search.state = state;
        }
        let end = search.run(&mut run).await;
        run.end().await;
        let (plan, stop) = match end? {
            End::Plan(plan) => (Some(plan), None),
            End::Stop(stop) => (None, Some(stop)),
        };
        let State {
            limit,
            before: (expanded, generated),
            cpu_s,
            ..
        } = search.state;
        let claim = Claim {
            status: stop.map_or(Status::Optimal, Status::Limit),
            bounds: Bounds {
                lower: limit,
                upper: plan.as_ref().map(|plan| plan.len() as u32),
            },
            plan: plan.map(Plan::Directions),
            ties: None,
            reason: None,
            engine: Engine::IdaStar,
            heuristic: Some(self.heuristic.clone()),
            encoding: None,
            counts: Counts {
                expanded,
                generated,
                ..Counts::default()
            },
            wall: begun.elapsed(),
            cpu: Duration::try_from_secs_f64(cpu_s).unwrap_or_default(),
        };
        Ok(claim.verified(&asked.request)?)
    }
}

/// How a search ends.
enum End {
    Plan(Vec<Direction>),
    Stop(Stop),
}

struct Search<'a> {
    tree: &'a Tree,
    control: &'a Control,
    /// All workers, and when they were counted.
    force: Force,
    counted: Instant,
    state: State,
}

impl Search<'_> {
    async fn run(&mut self, run: &mut Run) -> Result<End> {
        if self.state.limit == 0
            && let Some(end) = self.open(run).await?
        {
            return Ok(end);
        }
        loop {
            if let Some(end) = self.limit(run).await? {
                return Ok(end);
            }
        }
    }

    fn work(&self, task: Task) -> Work {
        Work::new(self.tree.question.clone(), task)
    }

    /// The first limits, by one worker.
    async fn open(&mut self, run: &mut Run) -> Result<Option<End>> {
        let task = Task::Open {
            puzzle: self.tree.puzzle.clone(),
            generated: ALONE,
        };
        run.put("open", &self.work(task))?;
        let done = match self.next(run, "open").await? {
            Ok((_, done)) => done,
            Err(stop) => return Ok(Some(End::Stop(stop))),
        };
        self.state.cpu_s += done.cpu_s;
        let Outcome::Opened {
            plan,
            limit,
            before,
            last,
            stop,
        } = done.outcome
        else {
            bail!(unexpected(&done));
        };
        (self.state.limit, self.state.before, self.state.last) = (limit, before, last);
        if let Some(plan) = plan {
            return Ok(Some(End::Plan(
                read_plan(&plan).map_err(anyhow::Error::msg)?,
            )));
        }
        if let Some(stop) = stop {
            return Ok(Some(End::Stop(stop.into())));
        }
        run.note(&self.state).await?;
        Ok(None)
    }

    /// One limit, in parts.
    async fn limit(&mut self, run: &mut Run) -> Result<Option<End>> {
        let limit = self.state.limit;
        self.control.tell_lower(limit);
        // 1. Where to cut its tree.
        let cut = match self.state.cut {
            Some(cut) => cut,
            None => match self.cut(run).await? {
                Ok(cut) => cut,
                Err(end) => return Ok(Some(end)),
            },
        };
        // 2. All parts. Their names say how many there are, so that parts of another cut are never counted.
        let named = format!("{limit}-{}-", cut.parts);
        let (puzzle, most) = (&self.tree.puzzle, cut.most);
        let mut ledger = Ledger::new();
        for first in 0..cut.parts {
            let part = SentPart {
                limit,
                depth: cut.depth,
                subtrees: cut.subtrees,
                check: cut.check,
                first,
                step: cut.parts,
            };
            let item = format!("{named}{first}");
            ledger.expect(&item);
            let puzzle = puzzle.clone();
            run.put(&item, &self.work(Task::Part { puzzle, part, most }))?;
        }
        // 3. Their results, and those of what they leave.
        let mut counts = cut.above;
        let mut found = None;
        while ledger.open() > 0 && found.is_none() {
            self.control
                .tell_parts(ledger.total - ledger.open(), ledger.total);
            match self.next(run, &named).await? {
                Ok((item, done)) => ledger.take(item, done),
                Err(stop) => return Ok(Some(End::Stop(stop))),
            }
            while let Some(done) = ledger.ready() {
                self.state.cpu_s += done.cpu_s;
                let Outcome::Searched {
                    counts: more,
                    plan,
                    stop,
                    rest,
                } = done.outcome
                else {
                    bail!(unexpected(&done));
                };
                counts = (counts.0 + more.0, counts.1 + more.1);
                if let Some(plan) = plan {
                    found = Some(read_plan(&plan).map_err(anyhow::Error::msg)?);
                    break;
                }
                if let Some(stop) = stop {
                    return Ok(Some(End::Stop(stop.into())));
                }
                for rest in rest.deal().map_err(anyhow::Error::msg)? {
                    let item = format!("{named}{}", rest.name());
                    if ledger.expect(&item) {
                        let puzzle = puzzle.clone();
                        let task = Task::Rest {
                            puzzle,
                            limit,
                            rest,
                            most,
                        };
                        run.put(&item, &self.work(task))?;
                    }
                }
            }
        }
        let (expanded, generated) = self.state.before;
        self.state.before = (expanded + counts.0, generated + counts.1);
        if let Some(plan) = found {
            return Ok(Some(End::Plan(plan)));
        }
        self.state.last = counts.0;
        self.state.limit += 2;
        self.state.cut = None;
        run.note(&self.state).await?;
        Ok(None)
    }

    /// Has the tree of the limit cut.
    async fn cut(&mut self, run: &mut Run) -> Result<Result<SentCut, End>> {
        if self.counted.elapsed() > CENSUS {
            self.force = Force::of(&workers(&run.link).await);
            self.counted = Instant::now();
        }
        let states = self.state.last * GROWTH;
        let busy = (PARTS_PER_THREAD * self.force.threads.max(1)) as u64;
        let part = if self.force.has_card { CARD_PART } else { PART };
        let parts = (states / part).max(busy).min(states / LEAST_PART);
        let parts = parts.clamp(1, MOST_PARTS as u64) as usize;
        let limit = self.state.limit;
        let item = format!("{limit}-cut");
        let task = Task::Cut {
            puzzle: self.tree.puzzle.clone(),
            limit,
            wanted: (SUBTREES_PER_PART * parts).min(MOST_SUBTREES),
        };
        run.put(&item, &self.work(task))?;
        let done = match self.next(run, &item).await? {
            Ok((_, done)) => done,
            Err(stop) => return Ok(Err(End::Stop(stop))),
        };
        let Outcome::Cut {
            depth,
            subtrees,
            check,
            above,
            plan,
        } = done.outcome
        else {
            bail!(unexpected(&done));
        };
        if let Some(plan) = plan {
            let (expanded, generated) = self.state.before;
            self.state.before = (expanded + above.0, generated + above.1);
            let plan = read_plan(&plan).map_err(anyhow::Error::msg)?;
            return Ok(Err(End::Plan(plan)));
        }
        let cut = SentCut {
            depth,
            subtrees,
            check,
            above,
            parts: parts.min(subtrees),
            most: most_states(states, self.force.threads, run.link.most_bytes()),
        };
        self.state.cut = Some(cut);
        run.note(&self.state).await?;
        Ok(Ok(cut))
    }

    /// The next result of an item whose name begins like this, or why the client stops.
    async fn next(&self, run: &mut Run, wanted: &str) -> Result<Result<(String, Done), Stop>> {
        loop {
            if limits::interrupted() {
                return Ok(Err(Stop::Interrupted));
            }
            if let Err(stop) = self.control.poll_stop() {
                return Ok(Err(stop));
            }
            let tick = Duration::from_millis(100);
            if let Ok(result) = tokio::time::timeout(tick, run.next()).await {
                let (item, done) = result?;
                // Not one of a limit that is over, or a cut that is known.
                if item.starts_with(wanted) {
                    return Ok(Ok((item, done)));
                }
            }
        }
    }
}

/// The states after which a worker leaves the rest of an item of a limit that has about this number of states.
fn most_states(states: u64, threads: usize, message_bytes: usize) -> u64 {
    if message_bytes < ROOM {
        return u64::MAX;
    }
    (states / (SHARE * threads.max(1) as u64)).max(PART)
}

fn unexpected(done: &Done) -> String {
    match &done.outcome {
        Outcome::Failed(why) => format!("worker {}: {why}", done.worker),
        _ => format!("worker {} has sent something else", done.worker),
    }
}
